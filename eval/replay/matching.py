"""Which recorded call a live call is: by its index first, then by what it was given.

Calls that run in parallel begin in another order each time, and a fix may add a retry. So a call whose inputs are
not those of the record with its index is looked for among the records that no call has taken yet; and a call that
only repeats one that was met already is a retry, which takes no record and moves no later call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from eval.replay.envelope import Envelope
from eval.replay.fields import differing
from index.digests import compact

Digests = Mapping[str, str]


class Verdict(Enum):
    """What becomes of a live call."""

    FROZEN = "frozen"
    """The recorded output is served."""
    LIVE = "live"
    """It runs; the record, if there is one, is what it is compared with."""
    DIVERGED = "diverged"
    """It should be the record, and was given something else."""
    UNRECORDED = "unrecorded"
    """Every recorded call is frozen, and this is none of them."""


@dataclass(frozen=True, slots=True)
class Match:
    """A live call's verdict and the record that it is about."""

    verdict: Verdict
    record: Envelope | None
    same: bool = False
    """Whether the record was given the same and no call had it yet."""
    repeats: bool = False
    """Whether the call only repeats an earlier one."""


class Shelf:
    """The records of one boundary, and what was taken of them; not safe for threads by itself."""

    def __init__(self, records: Mapping[int, Envelope], digests: Mapping[int, Digests]):
        """`digests` are those that calls are recognised by, of the same call indices."""
        self._records = records
        self._digests = digests
        self._free: dict[str, set[int]] = {}
        """By what they were given: the records that no call has taken."""
        for index, one in digests.items():
            self._free.setdefault(compact(one), set()).add(index)
        self._stubbed: set[int] = set()
        self._taken: set[int] = set()
        self._met: dict[str, Envelope | None] = {}
        """By what a call was given: the record that it was about."""
        self._position = 0
        """Calls so far that were no retries."""
        self.closed = False
        """Whether no call of this boundary may run live."""

    def stub(self, index: int) -> None:
        """Freeze one recorded call."""
        self._stubbed.add(index)

    def close(self) -> None:
        """Freeze every recorded call, and let none run live."""
        self.closed = True
        self._stubbed.update(self._records)

    @property
    def waiting(self) -> list[int]:
        """Frozen calls that nothing has asked for yet."""
        return sorted(self._stubbed - self._taken)

    def match(self, digests: Digests) -> Match:
        """What a live call is; nothing is taken yet."""
        position = self._position + 1
        if free := self._free.get(key := compact(digests)):
            index = position if position in free else min(free)
            return Match(Verdict.FROZEN if index in self._stubbed else Verdict.LIVE, self._records[index], same=True)
        if key in self._met:
            return Match(Verdict.FROZEN if self.closed else Verdict.LIVE, self._met[key], repeats=True)
        return self._unknown(digests, position)

    def take(self, match: Match, digests: Digests) -> None:
        """Count a call that is served or runs; one that was refused is not counted, so that it is refused again."""
        self._position += not match.repeats
        self._met.setdefault(compact(digests), match.record)
        if match.same and match.record is not None:
            self._taken.add(match.record.call_index)
            self._free[compact(digests)].remove(match.record.call_index)

    def _unknown(self, digests: Digests, position: int) -> Match:
        """A call that was never recorded with these inputs."""
        here = self._records.get(position)
        if here is not None and position not in self._taken:
            return Match(Verdict.DIVERGED if position in self._stubbed else Verdict.LIVE, here)
        # Another call took this index: the changed one is a frozen call that is still due.
        if self.waiting and here is not None:
            return Match(Verdict.DIVERGED, self._records[self._nearest(digests)])
        return Match(Verdict.UNRECORDED if self.closed else Verdict.LIVE, None)

    def _nearest(self, digests: Digests) -> int:
        return min(self.waiting, key=lambda index: (len(differing(self._digests[index], digests)), index))
