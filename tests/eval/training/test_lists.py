"""Lists to learn from: swapped qualifiers, the split by section, files."""

from pathlib import Path

import numpy as np
import pytest

from eval.training.lists import List, dealt, read_lists, write_lists
from eval.training.swaps import swapped


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize(
    ("query", "text", "gone"),
    [
        ("annual plan refund", "On annual plans nothing is refunded.", "annual"),
        ("is 30 enough", "Notice of 30 days is due.", "30"),
        ("I paid $5,000", "Up to $5,000 a lead decides.", "$5,000"),
    ],
    ids=["word", "number", "amount"],
)
def test_a_qualifier_that_the_query_names_is_swapped(query: str, text: str, gone: str) -> None:
    changed = swapped(query, text, rng())
    assert changed is not None
    assert gone not in changed.split()
    assert len(changed.split()) == len(text.split())


@pytest.mark.parametrize("query", ["refund", "monthly refund"], ids=["none named", "another one named"])
def test_what_the_query_does_not_name_stays(query: str) -> None:
    assert swapped(query, "On annual plans nothing is refunded.", rng()) is None


def a_list(number: int, group: str) -> List:
    return List(f"query {number}", ("right",), ("wrong", "worse"), (), "short", "dc", group)


def test_all_questions_of_a_section_are_on_one_side() -> None:
    lists = [a_list(number, f"section {number // 3}") for number in range(90)]
    learn, validate = dealt(lists, rng())
    assert {one.group for one in learn}.isdisjoint(one.group for one in validate)
    assert len(learn) + len(validate) == 90
    assert len({one.group for one in validate}) == 3


def test_lists_come_back_from_their_file(tmp_path: Path) -> None:
    lists = (a_list(1, "a"), a_list(2, "b"))
    assert write_lists(tmp_path / "lists.jsonl", lists) == 2
    assert read_lists(tmp_path / "lists.jsonl") == lists
