"""Pins as text for a person: what came back, where each quote's section stood, then and now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from eval.paint import Paint, harmless
from eval.pins.plain.outcome import SHOWN, AnchorOutcome, Outcome, placed
from eval.pins.plain.quotes import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from eval.pins.adding import Born
    from eval.pins.plain.form import Filed
    from eval.pins.running import Ran

_NAME: Final = 11
_SIDE: Final = 56
"""Characters of a column."""


def born(found: Sequence[Born], files: Sequence[Path], paint: Paint) -> str:
    """Pins that were asked for the first time, and where they were written."""
    blocks = ["\n".join(_outcome(one.pin.title, one.pin.query, one.pin.as_of, one.outcome, paint)) for one in found]
    blocks += ["\n".join(f"wrote {harmless(str(file))}" for file in files)] if files else []
    return "\n\n".join(blocks)


def ran(every: Sequence[Ran], filed: Sequence[Filed], against: str, paint: Paint) -> str:
    """How each pin went; those that did not come back, or that were asked of somebody else, in full."""
    blocks = [f"Against {harmless(against)}:"] if against else []
    blocks += ["\n".join(_ran(one, bool(against), paint)) for one in every]
    counts = {status: sum(one.status == status for one in every) for status in ("passed", "failed", "open")}
    told = [f"{count} {status}" for status, count in counts.items() if count]
    retired = len(filed) - len(every)
    return "\n".join([*blocks, ", ".join([*told, *([f"{retired} retired"] if retired else [])])])


def _ran(one: Ran, full: bool, paint: Paint) -> Iterator[str]:
    style = {"passed": paint.good, "failed": paint.bad, "open": paint.warn}[one.status]
    note = f" ({one.note})" if one.note else ""
    yield f"{style(f'{one.status:<7}')}{harmless(one.pin.id)}{harmless(note)}"
    if one.outcome and (full or not one.outcome.passed):
        pin = one.pin
        yield from _outcome(pin.title, pin.query, pin.as_of, one.outcome, paint)


def _outcome(title: str, query: str, day: str, outcome: Outcome, paint: Paint) -> Iterator[str]:
    yield paint.bold(one_line(title))
    yield _line("query", query)
    yield _line("as of", day)
    for one in outcome.anchors:
        yield _line("expected", f'"{one.quote}" of {" or ".join(one.sections)}')
        lost = paint.bad(f"lost: {one_line(one.lost or '')}")
        yield _painted("", paint.good(f"came back: {placed(one)}") if one.lost is None else lost)
        if one.ranks:
            yield _line("ranks", ", ".join(f"{name} {rank or '-'}" for name, rank in one.ranks.items()))
    for number, name in enumerate(outcome.came[:SHOWN], 1):
        yield _line("came back" if number == 1 else "", f"{number} {name}")
    if not outcome.came:
        yield _line("came back", "nothing")
    if len(outcome.came) > SHOWN:
        yield _line("", f"and {len(outcome.came) - SHOWN} more")


def _line(name: str, text: str) -> str:
    return _painted(name, one_line(text))


def _painted(name: str, text: str) -> str:
    """A line whose text is harmless already."""
    return f"  {name:<{_NAME}}{text}"


def listed(filed: Sequence[Filed], paint: Paint) -> str:
    """One line a pin."""
    if not filed:
        return "no pins yet: caveat pin add"
    styles = {"pinned": paint.good, "open": paint.warn, "retired": paint.dim}
    width = max(len(one.pin.id) for one in filed)
    return "\n".join(
        f"{styles[one.pin.status](f'{one.pin.status:<8}')}{one.pin.id:<{width}}  {one.pin.as_of}  "
        f"{one_line(_title(one))}"
        for one in filed
    )


def _title(one: Filed) -> str:
    retired = one.pin.retired
    return f"{one.pin.title} (retired: {retired['why']})" if retired else one.pin.title


def shown(filed: Filed, now: Outcome, paint: Paint) -> str:
    """A pin, and two columns: what came back when it was pinned, and what comes back now."""
    pin = filed.pin
    born: Mapping[str, Any] = pin.born or {}
    head = [paint.bold(one_line(f"{pin.id}: {pin.title}")), _line("query", pin.query), _line("as of", pin.as_of)]
    source = pin.source or {}
    if source:
        head.append(_line("from", f"{source.get('trace')}, {source.get('boundary')} call {source.get('call')}"))
    head.append(_line("status", _status(filed)))
    then_at = f"then: {born.get('at', 'not known')}"
    rows = [("", then_at, "now"), *_anchors(born, now), *_came(born, now)]
    return "\n".join([*head, "", *(_row(*row) for row in rows)])


def _status(filed: Filed) -> str:
    pin = filed.pin
    if pin.retired:
        return f"retired {pin.retired.get('at', '')}: {pin.retired['why']}"
    return f"{pin.status}, was open until {pin.closed}" if pin.closed else pin.status


def _anchors(born: Mapping[str, Any], now: Outcome) -> Iterator[tuple[str, str, str]]:
    before = {one.get("quote"): one for one in born.get("anchors", ()) if isinstance(one, dict)}
    for one in now.anchors:
        yield f'"{one.quote}"', _then(before.get(one.quote)), _now(one)
        names = [*one.ranks, *sorted(set(before.get(one.quote, {}).get("ranks") or {}) - set(one.ranks))]
        for name in names:
            then = (before.get(one.quote, {}).get("ranks") or {}).get(name)
            yield f"  {name}", str(then or "-"), str(one.ranks.get(name) or "-")


def _then(before: Mapping[str, Any] | None) -> str:
    if before is None:
        return "not known"
    return f"lost: {before['lost']}" if before.get("lost") else f"rank {before.get('rank')}"


def _now(one: AnchorOutcome) -> str:
    return f"lost: {one.lost}" if one.lost else placed(one)


def _came(born: Mapping[str, Any], now: Outcome) -> Iterator[tuple[str, str, str]]:
    pairs = zip_longest(born.get("came", ()), now.came, fillvalue="")
    for number, (then, present) in enumerate(pairs, 1):
        yield (
            ("came back" if number == 1 else ""),
            f"{number} {then}" if then else "",
            (f"{number} {present}" if present else ""),
        )


def _row(name: str, then: str, now: str) -> str:
    cells = (_fit(one_line(one), width) for one, width in ((name, 24), (then, _SIDE)))
    return f"  {'  '.join(cells)}  {one_line(now)}".rstrip()


def _fit(text: str, width: int) -> str:
    return f"{text[: width - 1]}…" if len(text) > width else f"{text:<{width}}"
