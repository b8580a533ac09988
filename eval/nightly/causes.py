"""Why tonight is not like last night: everything that changed in between, in sentences, the likeliest first.

Nothing is proved here. A cause is named if it changed; where questions got worse, it stands in front if what changed
is what they expect or got. A night that nothing happened to has no causes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

from eval.nightly.changes import Handbook
from eval.nightly.gates import EXCEPTIONS, RECALL
from eval.nightly.record import HandbookChange, Night, SettingChange, TicketNight
from ingest.handbook.editions import Refusal

Out = Literal["moved", "abolished", "refused", "fault"]
"""Why gold is out of place: its text stands elsewhere, nowhere, in a file that cannot be read; or else."""
DIGEST: Final = "handbook digest"
"""In the health of a night."""
SLOWER: Final = 1.5
"""Times the usual 95th percentile that count as slow."""
SLOWER_MS: Final = 20.0
_USUAL: Final = 7
"""Nights whose median is the usual 95th percentile."""
_NAMED: Final = 3
_OUT: Final[Mapping[Out, str]] = {
    "refused": "because the document that holds it was refused",
    "abolished": "because no section in force on its day holds its text any more",
    "moved": "because its text stands in another section now",
    "fault": "because it no longer fits the handbook",
}
_UNEXPLAINED: Final = (
    "{} got worse, though handbook, settings, encoder, libraries and suite are those of last night: answers should not "
    "differ; look for a fault (caveat doctor)."
)
_YOUNG: Final = (
    "The handbook changed; which sections is not known, since the state folder's history began after the last night "
    "(caveat export and caveat import carry it along)."
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a night when its causes are looked for."""

    earlier: Sequence[Night]
    """Nights of the same suite and side, oldest first."""
    tickets: Sequence[TicketNight]
    out: Mapping[str, Out]
    """By id, of the questions whose gold is out of place."""
    handbook: Handbook
    configured: Sequence[SettingChange]
    suite_digest: str
    refused: Sequence[Refusal] = ()
    stopped: str | None = None
    p95: float | None = None

    @property
    def before(self) -> Night | None:
        """The night that is compared with."""
        return self.earlier[-1] if self.earlier else None

    @property
    def worse(self) -> tuple[TicketNight, ...]:
        """Questions that got worse since."""
        return tuple(ticket for ticket, _ in _worse(self.tickets, self.before))


def causes(facts: Facts) -> list[str]:
    """What probably explains the difference to the night before, the likeliest first."""
    found = [*_certain(facts), *(sorted(_since(facts, facts.before), key=lambda one: one[0]) if facts.before else ())]
    sentences = [sentence for _, sentence in found]
    if not sentences and facts.worse:
        return [_UNEXPLAINED.format(_number(len(facts.worse), "question"))]
    return sentences


_Weighed = tuple[int, str]


def _certain(facts: Facts) -> Iterator[_Weighed]:
    """What is wrong by itself, whatever last night was like."""
    if facts.stopped:
        yield 0, f"The index run was stopped, and what was published before answers: {facts.stopped}."
    for refusal in facts.refused[:_NAMED]:
        yield 0, f"A document was refused, and its last good text answers: {refusal.error}."
    if len(facts.refused) > _NAMED:
        yield 0, f"{len(facts.refused) - _NAMED} more documents were refused."
    by_reason: dict[Out, list[str]] = {}
    for name, reason in sorted(facts.out.items()):
        by_reason.setdefault(reason, []).append(name)
    for reason, meaning in _OUT.items():
        if names := by_reason.get(reason):
            yield 0, f"Gold of {_number(len(names), 'question')} is out of place, {meaning}: {_listed(names)}."


def _since(facts: Facts, before: Night) -> Iterator[_Weighed]:
    yield from _encoder(facts)
    yield from _handbook(facts, before)
    yield from _settings(facts)
    yield from _suite(facts, before)
    yield from _libraries(facts)
    yield from _calendar(facts, before)
    yield from _slow(facts)


def _encoder(facts: Facts) -> Iterator[_Weighed]:
    if changed := [one for one in facts.configured if one.name.startswith("encoder")]:
        yield 10, f"The encoder changed, and every vector with it: {_changed(changed)}."


def _settings(facts: Facts) -> Iterator[_Weighed]:
    apart = ("encoder", "library", "machine")
    if changed := [one for one in facts.configured if not one.name.startswith(apart)]:
        yield 20, f"Settings changed: {_changed(changed)}."


def _libraries(facts: Facts) -> Iterator[_Weighed]:
    if changed := [one for one in facts.configured if one.name.startswith("library")]:
        yield 35, f"Libraries changed: {_changed(changed)}."


def _handbook(facts: Facts, before: Night) -> Iterator[_Weighed]:
    if not facts.handbook.known:
        if facts.handbook.digest != before.health.get(DIGEST):
            yield 25, _YOUNG
        return
    edited = [one for one in facts.handbook.changes if one.change not in ("came into force", "ended")]
    if not edited:
        return
    touched = _touched(facts, {one.address for one in edited})
    concerned = f" {_concern(len(touched), len(facts.worse))}" if facts.worse else ""
    weight = 5 if touched and 2 * len(touched) >= len(facts.worse) else 25
    yield weight, f"The handbook changed: {_kinds(edited)}, first {edited[0].address} ({edited[0].detail}).{concerned}"


def _concern(touched: int, worse: int) -> str:
    return f"{touched} of {_number(worse, 'question')} that got worse {'is' if touched == 1 else 'are'} about them."


def _touched(facts: Facts, addresses: set[str]) -> list[str]:
    """Questions that got worse and expect, got or used to get one of these sections."""
    pairs = _worse(facts.tickets, facts.before)
    return [now.id for now, then in pairs if addresses & {*now.lost, *_bare(now.came), *_bare(then.came)}]


def _bare(came: Iterable[str]) -> Iterator[str]:
    """Addresses without how they came."""
    return (address.rsplit(" via ", 1)[-1].removeprefix("via ") for address in came)


def _worse(tickets: Iterable[TicketNight], before: Night | None) -> Iterator[tuple[TicketNight, TicketNight]]:
    known = {ticket.id: ticket for ticket in before.tickets} if before else {}
    for ticket in tickets:
        then = known.get(ticket.id)
        if then and not ticket.broken and any(_fell(ticket, then, measure) for measure in (RECALL, EXCEPTIONS)):
            yield ticket, then


def _fell(ticket: TicketNight, then: TicketNight, measure: str) -> bool:
    return measure in ticket.scores and ticket.scores[measure] < then.scores.get(measure, 0.0)


def _suite(facts: Facts, before: Night) -> Iterator[_Weighed]:
    if facts.suite_digest == before.suite_digest:
        return
    now, then = map(_asked, (facts.tickets, before.tickets))
    counts = {
        "new": len(now.keys() - then.keys()),
        "gone": len(then.keys() - now.keys()),
        "reworded or with other gold": sum(now[name] != then[name] for name in now.keys() & then.keys()),
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "notes or quotes"
    yield 30, f"The suite changed: {told}; figures of the two nights are over different questions."


def _asked(tickets: Iterable[TicketNight]) -> dict[str, tuple[str, str | None, list[str]]]:
    return {one.id: (one.query, one.as_of, one.expected) for one in tickets}


def _calendar(facts: Facts, before: Night) -> Iterator[_Weighed]:
    came = [one for one in facts.handbook.changes if one.change in ("came into force", "ended")]
    if not came and not facts.handbook.live:
        return
    live = facts.handbook.live
    named = f"Edition {_listed(live)} came into force" if live else "Days passed"
    told = f"{named}: {_number(len(came), 'section')} other than on {before.today}"
    yield 40, f"{told}. Questions keep their own days, so this moves no figure of an earlier day."


def _slow(facts: Facts) -> Iterator[_Weighed]:
    usual = usual_p95(facts.earlier)
    if facts.p95 is None or usual is None or facts.p95 < max(SLOWER * usual, usual + SLOWER_MS):
        return
    machine = [one for one in facts.configured if one.name.startswith("machine")]
    why = f"the machine is another: {_changed(machine)}" if machine else "the machine was slow or busy"
    others = any(not one.name.startswith("machine") for one in facts.configured) or facts.handbook.changes
    guess = f"; {why}" if machine or not others else "; what else changed may explain it, or a busy machine"
    yield 50, f"Searches were slow: p95 {facts.p95:.0f} ms, usually {usual:.0f} ms{guess}."


def usual_p95(earlier: Sequence[Night]) -> float | None:
    """The median 95th percentile of the last nights that measured it, in milliseconds."""
    measured = [night.p95 for night in earlier if night.p95 is not None][-_USUAL:]
    return median(measured) if measured else None


def setting_changes(now: Mapping[str, str], before: Mapping[str, str]) -> list[SettingChange]:
    """What of two nights' settings differs, by name."""
    return [
        SettingChange(name=name, before=before.get(name), after=now.get(name))
        for name in sorted(now.keys() | before.keys())
        if now.get(name) != before.get(name)
    ]


def _changed(changes: Sequence[SettingChange]) -> str:
    more = f" and {len(changes) - _NAMED} more" if len(changes) > _NAMED else ""
    return ", ".join(f"{one.name} {one.before or 'none'} -> {one.after or 'none'}" for one in changes[:_NAMED]) + more


def _kinds(changes: Sequence[HandbookChange]) -> str:
    counts = Counter(one.change for one in changes)
    first, *rest = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join([f"{_number(first[1], 'section')} {first[0]}", *(f"{count} {kind}" for kind, count in rest)])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
