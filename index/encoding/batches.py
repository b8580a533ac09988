"""Texts of like length are encoded together, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions of `lengths`, longest first, in batches of at most `budget` with padding; each batch has one or more.

    The longest come first so that the first batch already shows the peak of memory.
    """
    order = sorted(range(len(lengths)), key=lambda position: (-lengths[position], position))
    batch: list[int] = []
    for position in order:
        if batch and lengths[batch[0]] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
