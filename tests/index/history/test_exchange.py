from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from index.history.catalog import Catalog
from index.history.exchange import export_history, import_history
from ingest.errors import CaveatError, SourceError, StateError


@pytest.fixture
def exported(desk: Any) -> list[str]:
    for day, text in [("2026-03-01", "one"), ("2026-03-02", "two"), ("2026-03-03", "three")]:
        desk.write({"a.md": f"## Rule\n\n{text}\n"}).index(day)
    return list(export_history(desk.catalog))


def imported(lines: list[str]) -> Catalog:
    catalog = Catalog.open(Path(":memory:"))
    import_history(catalog, lines, "history.jsonl")
    return catalog


def _uncounted(lines: list[str], but: str) -> list[str]:
    """What a Caveat that did not count its rows would have exported, without one table."""
    return ['{"kind":"caveat-history","schema":1}', *(line for line in lines[1:] if not line.startswith(f'{{"{but}"'))]


def test_history_comes_back_row_by_row(desk: Any, exported: list[str]) -> None:
    catalog = imported(exported)
    assert catalog.rows() == desk.catalog.rows()
    assert catalog.tellings() == desk.catalog.tellings()
    assert list(export_history(catalog)) == exported


def test_an_index_run_goes_on_from_imported_history(desk: Any, exported: list[str]) -> None:
    desk.catalog = imported(exported)
    assert desk.plan("2026-03-04").is_empty
    assert desk.texts("2026-03-01") == {"a.md#Rule": "one"}


def test_history_is_not_imported_over_history(desk: Any, exported: list[str]) -> None:
    with pytest.raises(StateError, match=r"history is there already \(3 runs\)"):
        import_history(desk.catalog, exported, "history.jsonl")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [], r"history.jsonl:1: not JSON"),
        (lambda lines: ['{"kind": "other"}'], r"history.jsonl:1: not an export of history; fix: caveat export"),
        (lambda lines: [lines[0].replace('"schema":1', '"schema":99')], "exported by a newer Caveat"),
        (lambda lines: [*lines[:3], "[]"], r"history.jsonl:4: not a JSON object"),
        (lambda lines: [*lines[:3], '{"fees": {}}'], r"history.jsonl:4: not a row of history"),
        (lambda lines: [*lines[:3], '{"runs": {"seq": 1}}'], r"history.jsonl:4: columns of runs do not fit"),
        (lambda lines: _uncounted(lines, but="contents"), "rows of contents are missing"),
        (lambda lines: _uncounted(lines, but="runs"), "3 rows of runs are missing"),
        (lambda lines: lines[:5], r"0 rows of beliefs, and the first line says 6; fix: export again"),
        (lambda lines: lines[:-1], r"2 rows of said, and the first line says 3"),
        (lambda lines: [*lines, lines[-1]], r"4 rows of said, and the first line says 3"),
    ],
    ids=["empty", "kind", "newer", "list", "table", "columns", "no-texts", "no-runs", "half", "last-line", "doubled"],
)
def test_a_spoilt_export_is_refused_by_line(
    exported: list[str], spoil: Callable[[list[str]], list[str]], message: str
) -> None:
    catalog = Catalog.open(Path(":memory:"))
    with pytest.raises(CaveatError, match=message):
        import_history(catalog, spoil(exported), "history.jsonl")
    assert catalog.sequence == 0


def test_a_value_of_the_wrong_kind_is_refused(exported: list[str]) -> None:
    spoilt = [line.replace('"instant":', '"instant":null,"x":') if '"runs"' in line else line for line in exported]
    with pytest.raises(SourceError, match="columns of runs do not fit"):
        imported(spoilt)
