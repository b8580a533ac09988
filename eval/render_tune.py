"""What `caveat tune` prints, and the evidence that it writes into caveat.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval.paint import Paint, harmless
from ingest.dates import Day, show_day

if TYPE_CHECKING:
    from eval.measures.bootstrap import Estimate
    from eval.tuning.threshold import Threshold
    from eval.tuning.tune import Cost, Tuned


@dataclass(frozen=True, slots=True)
class Told:
    """What was done with the choice."""

    written: str | None
    """Name of the file that it was written into."""
    asked: bool
    """Whether writing was asked for."""


def tuned(found: Tuned, told: Told, paint: Paint) -> str:
    """The choice, its gain where it has not looked, what it costs, and what became of it."""
    head = (
        f"{found.measure} on the tune side of {harmless(found.suite)}: {found.score:.3f} under the settings in force "
        f"({found.tickets} tickets, {found.questions} questions, {found.families} families; {found.nested.tried} "
        "settings tried)"
    )
    blocks = [head, "\n".join(_choice(found, paint)), "\n".join(_low(found, paint)), _fate(found, told, paint)]
    return "\n\n".join(blocks)


def _choice(found: Tuned, paint: Paint) -> Iterator[str]:
    yield paint.bold("Best seen" if found.reasons else "Choice")
    for name, value in found.changes.items():
        yield f"  {name} = {_value(value)}  {paint.dim(f'(now {_value(found.present[name])})')}"
    rows = {
        f"gain on {len(found.nested.folds)} unseen folds": signed(found.nested.unseen),
        "gain where it was chosen": f"{signed(found.nested.seen)}; too good by what choosing adds",
        "gain of the other tickets": f"{signed(found.others)} in AnchorRecall" if found.others else "no other tickets",
        "tokens an answer": _cost(found.cost, found.chosen_cost, "tokens"),
        "milliseconds, median": _cost(found.cost, found.chosen_cost, "milliseconds"),
        "text not in force": _stale(found),
        "chosen without a fold": _agreement(found),
    }
    width = max(map(len, rows))
    if found.changes:
        yield from (f"  {name:<{width}}  {text}" for name, text in rows.items())
    verdict = "; ".join(found.reasons)
    yield paint.warn(f"  keep what is in force: {verdict}") if verdict else paint.good("  better beyond noise")


def _low(found: Tuned, paint: Paint) -> Iterator[str]:
    yield paint.bold("low_confidence") + paint.dim(f" (now {found.present_low_confidence:g})")
    chosen = found.low_confidence
    if chosen is None:
        yield f"  not chosen: {found.unanswerable} families of questions without an answer cannot tell"
        return
    yield (
        f"  {chosen.value:g} [{chosen.low:.3f}, {chosen.high:.3f}] from {chosen.unanswerable} questions without an "
        f"answer ({chosen.families} families) and {chosen.answerable} with one"
    )
    for name, worth in (("unseen folds", chosen.unseen), ("now", chosen.present)):
        yield (
            f"  {name:<12}  marks {worth.caught:.0%} of those without and {worth.alarms:.0%} of those with an answer: "
            f"J {worth.j:+.3f} [{worth.low:+.3f}, {worth.high:+.3f}]"
        )
    yield paint.good("  better beyond noise") if chosen.beyond_noise else paint.warn(f"  keep it: {_why(chosen)}")


def _why(chosen: Threshold) -> str:
    if chosen.unseen.low <= 0:
        return "n is too small to tell that any threshold separates them"
    gain, low, high = chosen.gain
    return f"not better than now beyond noise: {gain:+.3f} [{low:+.3f}, {high:+.3f}]"


def _fate(found: Tuned, told: Told, paint: Paint) -> str:
    if told.written:
        return paint.good(f"wrote {', '.join(found.writes)} into {told.written}")
    if not found.writes:
        return "nothing to write"
    return f"--write writes {', '.join(found.writes)} into caveat.toml"


def evidence(found: Tuned, today: Day) -> list[str]:
    """One line for each choice that is written: when and how it was made, on how many, what it gains."""
    lines = []
    if not found.reasons:
        gain = found.nested.unseen
        lines.append(
            f"{show_day(today)}, --measure {found.measure} on {' '.join(harmless(found.suite).split())}, tune side, "
            f"chose {_listed(found.changes)}"
        )
        lines.append(
            f"gain on {len(found.nested.folds)} unseen folds {gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}] "
            f"(n={gain.n} tickets, {gain.families} families, from {found.score:.3f})"
        )
    chosen = found.low_confidence
    if chosen and chosen.beyond_noise:
        lines.append(
            f"{show_day(today)} chose low_confidence = {chosen.value:g} [{chosen.low:.3f}, {chosen.high:.3f}], J on "
            f"unseen folds {chosen.unseen.j:+.3f} [{chosen.unseen.low:+.3f}, {chosen.unseen.high:+.3f}] "
            f"(n={chosen.unanswerable} without an answer, {chosen.answerable} with)"
        )
    return lines


def signed(estimate: Estimate) -> str:
    """A difference with its interval."""
    return f"{estimate.mean:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}] (n={estimate.n})"


def _cost(now: Cost, new: Cost, name: str) -> str:
    return f"{getattr(new, name):.0f}, now {getattr(now, name):.0f}"


def _stale(found: Tuned) -> str:
    new, now = found.chosen_cost.stale, found.cost.stale
    return "not measured" if new is None or now is None else f"in {new} of {found.questions} answers, now {now}"


def _agreement(found: Tuned) -> str:
    """How often each key that the choice changes came out the same without a fold."""
    chosen, folds = found.nested.chosen, found.nested.folds
    same = Counter(name for fold in folds for name in found.changes if _alike(fold.chosen, chosen, name))
    return ", ".join(f"{name} {same[name]} of {len(folds)}" for name in found.changes)


def _alike(one: object, other: object, name: str) -> bool:
    return bool(getattr(one, name) == getattr(other, name))


def _listed(changes: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in changes.items())


def _value(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
