import pytest

from ingest.markdown.ordinals import Reading, joined, readings


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("(a)", {Reading("a()", 1)}),
        ("(i)", {Reading("a()", 9), Reading("roman a()", 1)}),
        ("iv.", {Reading("roman a.", 4)}),
        ("(bb)", {Reading("a()", 28)}),
        ("(12)", {Reading("1()", 12)}),
        ("4.2", {Reading("dotted 4.", 2)}),
        ("or.", set()),
    ],
)
def test_a_mark_has_all_its_readings(mark: str, expected: set[Reading]) -> None:
    assert set(readings(mark)) == expected


@pytest.mark.parametrize(
    ("outer", "label", "expected"),
    [(None, "1.", "1"), (None, "(a)", "(a)"), ("(a)", "(ii)", "(a)(ii)"), ("3", "b.", "3.b"), ("4.2", "(a)", "4.2(a)")],
)
def test_ordinals_are_joined_as_they_are_cited(outer: str | None, label: str, expected: str) -> None:
    assert joined(outer, label) == expected
