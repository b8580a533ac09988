"""Versions and differences as text: what changed, from which day, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from eval.paint import Paint, harmless
from eval.render import dates, ruled
from eval.worddiff import compare, differs, show
from retrieve.history import only_end_changed

if TYPE_CHECKING:
    from eval.difference import Change, Difference
    from retrieve.history import Era
    from retrieve.naming import Namesake

_SIGNS: Final = {"added": "+", "ended": "-", "amended": "~", "renumbered": "#", "retitled": "~", "moved": ">"}


def history(eras: Sequence[Era], paint: Paint, namesakes: Sequence[Namesake] = ()) -> str:
    """All versions of a section by day: the first one whole, each later one as its changed words."""
    last = eras[-1]
    lines = [paint.bold(last.path[-1] if last.path else last.address), paint.dim(last.address)]
    lines += [paint.warn(_namesake(one)) for one in namesakes]
    blocks, text = ["\n".join(lines)], ""
    for era in (era for era in eras if not any(only_end_changed(era, other) for other in eras)):
        blocks.append(f"{_when(era, paint)}\n{_version(text, era.text, paint)}")
        text = era.text
    return "\n\n".join(blocks)


def _namesake(one: Namesake) -> str:
    if one.later:
        return f"{one.number} will be {harmless(one.title)}, from {one.effective_from}"
    return f"{one.number} was also {harmless(one.title)}" + (
        f", until {one.superseded_at}" if one.superseded_at else ""
    )


def _when(era: Era, paint: Paint) -> str:
    shown = dates(era.effective_from, era.superseded_at)
    if era.recorded_to:
        return paint.warn(f"was taken to be {shown}") + paint.dim(f", {_recorded(era)}, corrected {era.recorded_to}")
    return paint.good(shown) + paint.dim(f", {_recorded(era)}")


def _recorded(era: Era) -> str:
    if era.first_recorded == era.recorded_from:
        return f"recorded {era.recorded_from}"
    how = "its end recorded" if era.superseded_at else "without an end since"
    return f"recorded {era.first_recorded}, {how} {era.recorded_from}"


def _version(last: str, text: str, paint: Paint) -> str:
    if not last:
        return ruled(harmless(text), paint)
    pieces = compare(last, text)
    return ruled(show(pieces, paint) if differs(pieces) else "(the same words)", paint)


def difference(found: Difference, paint: Paint) -> str:
    """All changes between two days, after a line that counts them."""
    head = paint.bold(f"From {found.before} to {found.after}: {_counts(found)}")
    return "\n\n".join([head, *(_change(change, paint) for change in found.changes)])


def _counts(found: Difference) -> str:
    counts: Counter[str] = Counter(change.kind for change in found.changes)
    words = [f"{counts[kind]} {kind}" for kind in _SIGNS if counts[kind]]
    return ", ".join([*words, f"{found.unchanged} unchanged"])


def _change(change: Change, paint: Paint) -> str:
    version = change.version
    name = " ".join(filter(None, (version.number, version.title))) or version.doc_id
    head = f"{_SIGNS[change.kind]} {paint.bold(name)} {paint.dim(_how(change))}"
    return f"{head}\n{ruled(_words(change, paint), paint)}" if _words(change, paint) else head


def _how(change: Change) -> str:
    where = change.version.doc_id
    if change.before is None or change.after is None:
        return f"{change.kind}, {where}"
    old, new = change.before.version, change.after.version
    renumbered = f", was {old.number}" if old.number != new.number and old.number else ""
    moved = f", was {old.address}" if old.address != new.address else ""
    return f"{change.kind}{renumbered}{moved}, {where}"


def _words(change: Change, paint: Paint) -> str:
    if change.before is None or change.after is None:
        text = change.version.text
        return show(compare("", text) if change.before is None else compare(text, ""), paint)
    pieces = compare(change.before.version.text, change.after.version.text)
    return show(pieces, paint) if change.kind == "amended" else ""
