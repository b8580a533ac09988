"""The figures of the first page are what the commands beside them print."""

import re
from pathlib import Path

import pytest

from eval.cli import run

Out = pytest.CaptureFixture[str]


def printed(page: str, side: str) -> list[str]:
    """What the ladder printed for one side, line by line."""
    blocks: list[str] = re.findall(rf"```text\n((?:> .*\n)?tickets, {side} side: .*?)```", page, re.DOTALL)
    (block,) = blocks
    return block.splitlines()


def figures(lines: list[str], rung: str) -> list[str]:
    """All figures of a rung with their intervals; no tokens, no times, no steps to other rungs."""
    own = [line for line in lines if re.match(rf"{re.escape(rung)} {{2,}}\d\.\d{{3}} \[", line)]
    return [cell for line in own for cell in re.findall(r"\d\.\d{3} \[[^\]]+\]", line)]


def losses(lines: list[str], rung: str) -> list[str]:
    """What was lost, by stage."""
    return [
        line.removeprefix(rung).strip() for line in lines if re.match(rf"{re.escape(rung)} +\d+ not a candidate", line)
    ]


@pytest.mark.parametrize("side", ["tune", "holdout"])
def test_the_first_page_shows_lines_of_the_whole_ladder(root: Path, side: str) -> None:
    readme, page = ((root / name).read_text(encoding="utf-8") for name in ("README.md", "docs/figures.md"))
    (block,) = re.findall(rf"```text\n> caveat eval \S+ \S+ --ablate --split {side}\n(.*?)```", readme, re.DOTALL)
    shown = [line for line in block.splitlines() if line != "[...]"]
    assert len(shown) > 15
    assert [line for line in shown if line not in printed(page, side)] == []


@pytest.mark.timeout(1200)
def test_the_ladders_last_rung_is_what_the_search_does(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    page = (root / "docs" / "figures.md").read_text(encoding="utf-8")
    suite, handbook = str(root / "data" / "tickets"), str(root / "data" / "handbook")
    (tmp_path / "caveat.toml").write_text("[eval]\nragas = false\n")
    monkeypatch.chdir(tmp_path)
    assert run(["index", handbook]) == 0

    for side in ("tune", "holdout"):
        capsys.readouterr()
        assert run(["eval", suite, handbook, "--split", side]) == 0
        lines, shown = capsys.readouterr().out.splitlines(), printed(page, side)
        assert len(figures(lines, "caveat")) >= 12
        assert figures(lines, "caveat") == figures(shown, "+ links"), side
        assert losses(lines, "caveat") == losses(shown, "+ links"), side
