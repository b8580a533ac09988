from __future__ import annotations

import pytest

from index.history.records import DOCUMENT, SECTION
from index.history.timeline import UNDECLARED, EditionKey, Interval, Key, Statement, timeline
from ingest.dates import FOREVER_DAY

END = FOREVER_DAY
S1 = Key(SECTION, "a.md", "s1")


def says(
    day: int, digest: str | None, *, own: int | None = None, recorded: int = UNDECLARED, name: str = ""
) -> Statement:
    sections = None if digest is None else (("s1", digest),)
    return Statement(EditionKey(day, recorded, name), "a.md", own or day, recorded, sections, digest and f"o{digest}")


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([says(10, "x")], [(10, END, "x")]),
        ([says(10, "x"), says(20, "y")], [(10, 20, "x"), (20, END, "y")]),
        ([says(10, "x"), says(20, "x")], [(10, END, "x")]),
        ([says(10, "x"), says(20, None), says(30, "x")], [(10, 20, "x"), (30, END, "x")]),
        ([says(10, "x"), says(20, "y", own=5)], [(5, END, "y")]),
        ([says(10, "x"), says(20, "y", own=30)], [(10, 30, "x"), (30, END, "y")]),
        ([says(10, "x", own=40), says(20, "y")], [(20, END, "y")]),
        ([says(10, "x"), says(10, "y", recorded=1, name="@")], [(10, END, "y")]),
        ([says(10, "x"), says(10, "y", name="b")], [(10, END, "y")]),
        ([says(10, None)], []),
    ],
    ids=["one", "next", "same", "gap", "own-earlier", "own-later", "own-too-late", "recorded", "name", "absent"],
)
def test_the_latest_edition_that_has_taken_effect_wins(
    statements: list[Statement], expected: list[tuple[int, int, str]]
) -> None:
    for order in (statements, statements[::-1]):
        assert timeline(order).get(S1, ()) == tuple(Interval(*interval) for interval in expected)


def test_what_is_not_known_yet_says_nothing() -> None:
    statements = [says(10, "x"), says(10, "y", recorded=100)]
    assert timeline(statements, known_at=99)[S1] == (Interval(10, END, "x"),)
    assert timeline(statements, known_at=100)[S1] == (Interval(10, END, "y"),)


def test_a_document_is_in_force_with_its_outline() -> None:
    found = timeline([says(10, "x"), says(20, None)])
    assert found[Key(DOCUMENT, "a.md", "a.md")] == (Interval(10, 20, "ox"),)
