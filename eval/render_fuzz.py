"""What `caveat fuzz` prints: the chances of each way, the arithmetic, and the worst losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from eval.pages.pieces import number
from eval.paint import Paint, harmless

if TYPE_CHECKING:
    from eval.fuzzing.chances import Chance, WayChances
    from eval.fuzzing.fuzz import Fuzzed
    from eval.fuzzing.tried import Tried

NOT_MEASURED: Final = "not measured"
_NOTHING: Final = "Nothing was rewritten, so nothing could be lost. Ask other queries, or leave out --way."
_LONGEST: Final = 160
"""Characters of a query or quote that are shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How much is shown."""

    worst: int
    pins: Mapping[str, str | None] | None
    """Command lines by loss; None: not asked for."""
    redacted: int = 0
    """Queries of which something was taken out."""


def fuzzed(found: Fuzzed, shown: Shown, paint: Paint) -> str:
    """All of it, in blocks."""
    if not found.chances:
        return "\n\n".join((_head(found, shown), _NOTHING))
    return "\n\n".join(
        filter(None, (_head(found, shown), _table(found, paint), _arithmetic(found), _worst(found, shown, paint)))
    )


def _head(found: Fuzzed, shown: Shown) -> str:
    side = f", {found.split} side" if found.split else ""
    lines = [f"{harmless(found.suite)}{side}: {_queries(found.queries)}, seed {found.drawing.seed}."]
    if found.chances:
        lacking = found.queries - found.fair - found.without_anchors - found.unchanged
        lines.append(f"All anchors come back for {_queries(found.fair)}, counted below; {lacking} lack one already.")
    if found.without_anchors:
        why = "unanswerable, or nothing came back"
        lines.append(f"Not rewritten, without anchors ({why}): {_queries(found.without_anchors)}.")
    if found.unchanged:
        lines.append(f"Not rewritten, since no way of rewriting changes them: {_queries(found.unchanged)}.")
    if shown.redacted:
        lines.append(f"Changed by redaction before asking: {_queries(shown.redacted)}.")
    if found.chances:
        lines.append("Shares with 95 % intervals, families resampled whole. Nobody has read these rewrites: more than")
        lines.append("one rule may fit some of them.")
    return "\n".join(lines)


def _queries(count: int) -> str:
    return number(count, "query", "queries")


def _table(found: Fuzzed, paint: Paint) -> str:
    runs = found.runs.runs
    head = (
        "way",
        "rewrites",
        "loses an anchor",
        "loses the exception",
        "rule alone",
        f"{runs} green runs miss it",
        "runs to see it",
    )
    rows = [head, *(_row(one) for one in found.chances)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([paint.bold(lines[0]), *lines[1:]])


def _row(one: WayChances) -> tuple[str, ...]:
    by = one.exception or one.anchor
    return (
        one.way,
        str(one.rewrites),
        _share(one.anchor),
        _share(one.exception),
        str(one.rule_alone) if one.exception else "-",
        f"{by.missed:.3f} [{by.missed_low:.3f}, {by.missed_high:.3f}]" if by else NOT_MEASURED,
        str(by.needed) if by and by.needed else "-",
    )


def _share(one: Chance | None) -> str:
    if one is None:
        return NOT_MEASURED
    loses = one.loses
    return f"{loses.mean:.3f} [{loses.low:.2f}, {loses.high:.2f}] {one.losses} of {loses.n}"


def _arithmetic(found: Fuzzed) -> str:
    every = found.chances[-1] if found.chances else None
    by = (every.exception or every.anchor) if every else None
    if every is None or by is None:
        return ""
    share, runs, lost = found.runs.share, found.runs.runs, "exception" if every.exception else "anchor"
    branch, miss = f"{by.branch:.3f}", f"{by.missed:.3f}"
    lines = [
        f"If {share:g} of the runs rewrite so (an assumption: --share), {share:g} x {by.loses.mean:.3f} = {branch}",
        f"of the runs lose the {lost} ({every.way}). {runs} green re-runs miss that with probability",
        f"(1 - {branch})^{runs} = {miss}; of one ticket drawn at random, with that or more.",
    ]
    if by.needed:
        lines.append(f"To have seen it once with 95 % takes {by.needed} runs. A pin sees it in one.")
    return "\n".join(lines)


def _worst(found: Fuzzed, shown: Shown, paint: Paint) -> str:
    worst = found.worst[: shown.worst]
    if not worst:
        return "" if shown.worst == 0 else "No rewrite loses anything."
    more = f" of {len(found.losses)} losses, one a family" if len(found.losses) > len(worst) else ""
    head = paint.bold(f"The {len(worst)} worst{more}") if len(worst) > 1 else paint.bold("The worst loss")
    return "\n\n".join([head, *("\n".join(_loss(one, shown, paint)) for one in worst)])


def _loss(one: Tried, shown: Shown, paint: Paint) -> Iterator[str]:
    day = f", as of {one.question.as_of}" if one.question.as_of else ""
    yield f"{harmless(one.question.id)} ({one.question.kind}{day}), {one.way}: {_short(one.change)}"
    yield f"  query    {_short(one.question.query)}"
    yield f"  rewrite  {_short(one.query)}"
    for anchor in one.lost:
        role = f"{anchor.role} " if anchor.role else ""
        stage = one.stages.get(anchor.section, "within, but not these words")
        quote = f': "{_short(anchor.quote)}"' if anchor.quote else ""
        yield paint.bad(f"  lost     {role}of {harmless(anchor.section)}: {stage}") + quote
    if one.rule_alone:
        yield paint.warn("  the rule came back alone")
    came = "; ".join(map(harmless, one.came)) or "nothing"
    yield f"  came     {came}{' (marked low confidence)' if one.low_confidence else ''}"
    if shown.pins is not None:
        yield f"  pin      {harmless(shown.pins.get(one.id) or 'no quote to expect')}"


def _short(text: str) -> str:
    text = harmless(" ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
