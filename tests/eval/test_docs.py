import re
from pathlib import Path

import pytest

from eval.config import known_keys
from eval.docs import pages


@pytest.mark.parametrize("name", ["cli.md", "config.md"])
def test_the_generated_pages_are_up_to_date(root: Path, name: str) -> None:
    written = (root / "docs" / name).read_text(encoding="utf-8")
    assert written == pages()[name], "run: make docs"


def test_every_setting_is_in_its_page() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", pages()["config.md"], re.MULTILINE)
    assert rows == [key.rsplit(".", 1)[-1] for key in known_keys()]


def test_every_command_is_in_its_page() -> None:
    found = re.findall(r"^## caveat (\w+)$", pages()["cli.md"], re.MULTILINE)
    assert found == re.findall(r"^  (\w+)  +\S", pages()["cli.md"].split("Commands:")[1].split("```")[0], re.MULTILINE)


def test_the_first_page_quotes_the_handbook_and_the_demo(root: Path) -> None:
    shown = (root / "README.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0].splitlines()
    chapter = (root / "data" / "handbook" / "2026-01-01" / "04-seats.md").read_text(encoding="utf-8").splitlines()
    quoted = [line.removeprefix("   |").removeprefix(" ") for line in shown if line.startswith("   |")]
    assert len(quoted) > 5
    assert [line for line in quoted if line not in chapter] == []
    assert shown[0].removeprefix("> ").replace(".caveat-demo", "$(DEMO)") in (root / "Makefile").read_text("utf-8")


def test_every_command_of_the_first_page_exists(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bcaveat ([a-z]+)\b", "\n".join(re.findall(r"```sh\n(.*?)```", readme, re.DOTALL))))
    assert named
    assert named <= set(re.findall(r"^## caveat (\w+)$", pages()["cli.md"], re.MULTILINE))
