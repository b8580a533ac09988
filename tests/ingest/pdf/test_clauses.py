"""Numbers at the start of lines, and which of them are in sequence."""

import pytest

from ingest.pdf.clauses import Candidate, Number, in_sequence, number_at
from ingest.pdf.geometry import Word


def line(*parts: str | float) -> list[Word]:
    """Words and the gaps between them, in em; a space where none is given."""
    words: list[Word] = []
    gap = 0.3
    for part in parts:
        if isinstance(part, float):
            gap = part
            continue
        x = words[-1].x1 + 10 * gap if words else 0.0
        words.append(Word(part, x, 0, x + 5 * len(part), 10, 10, "Helvetica"))
        gap = 0.3
    return words


@pytest.mark.parametrize(
    ("words", "shown", "count"),
    [
        (line("4.2.1", "Seats"), "4.2.1", 1),
        (line("4.", "Seats"), "4", 1),
        (line("2.", "3.", "11.", 2.0, "Software"), "2.3.11", 3),
        (line("17.", "5.", "1", 2.0, "the", "party"), "17.5.1", 3),
        (line("A.7", "Rates"), "A.7", 1),
        (line("1.", "3", "seats"), "1", 1),
        (line("1.", 2.0, "3.", "seats"), "1", 1),
    ],
    ids=["dotted", "one", "spaced", "spaced, no last dot", "letter", "a count", "a gap between"],
)
def test_a_number_is_read_as_it_is_typed(words: list[Word], shown: str, count: int) -> None:
    number = number_at(words)
    assert number is not None
    assert (number.shown, number.words) == (shown, count)


@pytest.mark.parametrize("words", [line("Seats"), line("(a)", "x"), line("2026-01-01"), line("1,000", "USD")])
def test_other_words_are_no_numbers(words: list[Word]) -> None:
    assert number_at(words) is None


def test_a_file_that_spaces_its_numbers_is_read_loosely() -> None:
    loose = [number_at(line(*words), loose=True) for words in (("11.", "3", "For"), ("1", "5.", "Notices"))]
    assert [number.shown for number in loose if number] == ["11.3", "15"]


def shown(*numbers: str, likely: str = "") -> list[str]:
    """Those of the numbers that are in sequence; `likely` ones look like headings."""
    candidates = [
        Candidate(at, Number(tuple(map(int, text.split("."))), text, 1, False), text in likely.split())
        for at, text in enumerate(numbers)
    ]
    return [one.number.shown for one in in_sequence(candidates)]


@pytest.mark.parametrize(
    ("numbers", "likely", "expected"),
    [
        ("1.1 1.2 2.1 2.2", "", "1.1 1.2 2.1 2.2"),
        ("1 1.1 1.2 2 2.1", "", "1 1.1 1.2 2 2.1"),
        ("1.1 1.2 9.5 1.3", "", "1.1 1.2 1.3"),
        ("1.1 1.1.1 1.1.2 1.2", "", "1.1 1.1.1 1.1.2 1.2"),
        ("1.1 1.2 1.4 1.5", "", "1.1 1.2 1.4 1.5"),
        ("1 1.1 1.2 2 2.1 2.2 1 1.1 1.2 2", "1 2", "1 1.1 1.2 2 2.1 2.2 1 1.1 1.2 2"),
        ("22 22.1.1 22.2", "22", "22 22.1.1 22.2"),
        ("1 2 3", "", ""),
        ("1 2 3", "1 2 3", "1 2 3"),
        ("2.5 7.1", "", ""),
    ],
    ids=["two deep", "with parents", "a reference", "three deep", "a gap", "an annex", "a level skipped", "a list",
         "headings", "decimals"],
)  # fmt: skip
def test_numbers_in_sequence_are_sections(numbers: str, likely: str, expected: str) -> None:
    assert shown(*numbers.split(), likely=likely) == expected.split()


def test_thousands_of_numbers_take_no_quadratic_time() -> None:
    numbers = [f"{chapter}.{section}" for chapter in range(1, 101) for section in range(1, 51)]
    assert shown(*numbers) == numbers
