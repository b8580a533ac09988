import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.paint import Paint
from eval.worddiff import compare, differs, show

PLAIN, COLOUR = Paint(False), Paint(True)


def shown(before: str, after: str, context: int | None = 12) -> str:
    return show(compare(before, after), PLAIN, context=context)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("at least 15 days prior", "at least 30 days prior", "at least [-15-] {+30+} days prior"),
        ("a b", "a b c", "a b {+c+}"),
        ("one\n\ntwo", "one", "one[-two-]"),
        ("a\nb", "a b", "a b"),
        ("| x | 1 |\n| y | 2 |", "| x | 1 |\n| y | 3 |", "| x | 1 |\n| y | [-2-] {+3+} |"),
        ("", "new", "{+new+}"),
    ],
    ids=["replaced", "added", "paragraph", "only-wrapping", "table", "from-nothing"],
)
def test_changes_are_marked_word_by_word(before: str, after: str, expected: str) -> None:
    assert shown(before, after).replace("\n\n", "") == expected


def test_long_unchanged_runs_are_left_out() -> None:
    same = " ".join(f"w{n}" for n in range(100))
    assert shown(f"old {same} old", f"new {same} new", 2) == "[-old-] {+new+} w0 w1 ... w98 w99 [-old-] {+new+}"


def test_colours_take_the_place_of_brackets() -> None:
    assert show(compare("a", "b"), COLOUR) == "\x1b[31;9ma\x1b[0m \x1b[32mb\x1b[0m"


def test_control_characters_of_a_handbook_are_not_printed() -> None:
    assert shown("a", "a \x1b[2Jb") == "a {+[2Jb+}"


def test_wrapping_alone_is_no_difference() -> None:
    assert not differs(compare("one two\nthree", "one\ntwo three"))


WORDS = st.lists(st.sampled_from(["a", "b", "c", "\n\n", "(a)", "|"]), max_size=30).map(" ".join)


@given(WORDS, WORDS)
def test_the_pieces_give_both_texts_back(before: str, after: str) -> None:
    pieces = compare(before, after)
    old = [word for piece in pieces if piece.kind != "added" for word in piece.words]
    new = [word for piece in pieces if piece.kind != "removed" for word in piece.words]
    assert [word for word in old if word.strip()] == before.split()
    assert [word for word in new if word.strip()] == after.split()
