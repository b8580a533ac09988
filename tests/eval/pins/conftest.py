"""A folder with an indexed chapter on seats, the incident's trace, and pins of one's own."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

QUERY = "seat downgrade credit calculation table"
NOTICE = "30 calendar days"
NOTICE_AT = "04-seats.md#Seats > Downgrades > Notice"
FORMULA = "credit_usd"
ADD = ("--boundary", "query_rewrite", "--expect", NOTICE, "--expect", FORMULA, "--section", "4.2")
DAY = ("--as-of", "2026-03-15")
TITLE = ("--title", "The formula came back without its condition")
NAME = "8841-the-formula-came-back-without-its-condition"

Typed = Callable[..., Any]


@pytest.fixture
def trace(tmp_path: Path, root: Path) -> Path:
    """The incident's trace, in the folder."""
    return Path(shutil.copy(root / "data" / "incidents" / "8841.jsonl", tmp_path / "8841.jsonl"))


@pytest.fixture
def pinned(ask: Typed, trace: Path, tmp_path: Path) -> Path:
    """The incident as a pin, added by its command."""
    done = ask("pin", "add", str(trace), *ADD, *DAY, *TITLE)
    assert (done.status, done.err) == (0, "")
    return tmp_path / "data" / "pins" / f"{NAME}.json"


def read(file: Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return values


def edit(file: Path, **changed: Any) -> None:
    file.write_text(json.dumps(read(file) | changed), encoding="utf-8")


def pin(**changed: Any) -> dict[str, Any]:
    """A pin as values."""
    anchor = {"quote": NOTICE, "sections": [NOTICE_AT], "wordings": ["least 30 calendar days"]}
    return {
        "pin": 1,
        "id": "a-pin",
        "title": "A pin",
        "query": QUERY,
        "as_of": "2026-03-15",
        "status": "pinned",
        "anchors": [anchor],
    } | changed
