from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from index.encoding.batches import batches

_lengths = st.lists(st.integers(1, 300), max_size=60)


@given(_lengths, st.integers(1, 2000))
def test_every_position_comes_once_longest_first_within_the_budget(lengths: list[int], budget: int) -> None:
    made = list(batches(lengths, budget))
    flat = [position for batch in made for position in batch]
    assert sorted(flat) == list(range(len(lengths)))
    assert [lengths[position] for position in flat] == sorted(lengths, reverse=True)
    assert all(len(batch) == 1 or lengths[batch[0]] * len(batch) <= budget for batch in made)


def test_equal_lengths_keep_their_order() -> None:
    assert list(batches([5, 9, 5, 5], 10)) == [[1], [0, 2], [3]]
