"""What is believed now against what should be, as rows to close and rows to open."""

from __future__ import annotations

from collections.abc import Iterable

from index.history.change import Step
from index.history.records import Row
from index.history.timeline import Interval, Key, Timeline
from ingest.dates import Instant

Belief = dict[Key, dict[Interval, int]]
"""Row ids of the rows that are not closed."""


def belief_of(rows: Iterable[Row]) -> Belief:
    """Open rows by key and interval."""
    belief: Belief = {}
    for row in rows:
        intervals = belief.setdefault(Key(row.kind, row.doc_id, row.id), {})
        intervals[Interval(row.valid_from, row.valid_to, row.digest)] = row.row_id
    return belief


def as_timeline(belief: Belief) -> Timeline:
    """The intervals of what is believed, in day order."""
    return {key: tuple(sorted(intervals)) for key, intervals in belief.items()}


class Believer:
    """Works out steps one after the other, each against what the one before left."""

    def __init__(self, belief: Belief, next_row_id: int):
        self.belief, self._next_row_id = belief, next_row_id

    def step(self, target: Timeline, instant: Instant) -> Step:
        """The rows to close and open so that exactly `target` is believed from `instant` on."""
        closes: list[int] = []
        opens: list[tuple[Key, Interval]] = []
        for key in {**self.belief, **target}:
            now, wanted = self.belief.get(key, {}), target.get(key, ())
            if len(now) == len(wanted) and all(interval in now for interval in wanted):
                continue
            closes += [row_id for interval, row_id in now.items() if interval not in wanted]
            opens += [(key, interval) for interval in wanted if interval not in now]
            self.belief[key] = {interval: row_id for interval, row_id in now.items() if interval in wanted}
        return Step(
            instant, tuple(self._open(key, interval, instant) for key, interval in sorted(opens)), tuple(sorted(closes))
        )

    def _open(self, key: Key, interval: Interval, instant: Instant) -> Row:
        row = Row(self._next_row_id, *key, interval.digest, interval.valid_from, interval.valid_to, instant)
        self.belief[key][interval] = row.row_id
        self._next_row_id += 1
        return row
