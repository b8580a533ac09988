"""docs/replay.md: its examples run, in their order, and it names every key of a line."""

import dataclasses
import re
from pathlib import Path

import pytest

from eval.replay import Envelope

NOT_WRITTEN = {"where", "differs"}


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "replay.md").read_text(encoding="utf-8")


def test_its_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for block in blocks:
        exec(block, names)
    assert len(blocks) == 3
    assert (names["query"], names["answer"]) == (
        "seat downgrade credit calculation table",
        "No credit: notice came too late.",
    )
    assert len((tmp_path / "8842.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_it_names_every_key(page: str) -> None:
    table = page.split("## The trace")[1]
    written = {field.name for field in dataclasses.fields(Envelope)} - NOT_WRITTEN
    assert {key for key in written if f"`{key}`" not in table} == set()
