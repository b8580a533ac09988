import io

import pytest

from eval.paint import Paint, harmless


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    assert Paint.of(Terminal()).bold("x") == "\x1b[1mx\x1b[0m"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_plain_where_asked(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv(name, value)
    assert Paint.of(Terminal()).bold("x") == "x"


def test_a_file_gets_no_colours() -> None:
    assert Paint.of(io.StringIO()).good("x") == "x"


def test_control_characters_go_and_line_ends_stay() -> None:
    assert harmless("a\x1b]0;t\x07\tb\nc\r\x9b") == "a]0;t\tb\nc"
