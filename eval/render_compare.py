"""What `caveat compare` prints for a person: bills, where they tip over, what reaches a model, what can be traced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from eval.comparison import wording
from eval.comparison.comparing import Comparison
from eval.pages.pieces import number
from eval.paint import Paint, harmless
from eval.render_eval import figure

if TYPE_CHECKING:
    from eval.comparison.asking import ArmResults


def compared(found: Comparison, results: ArmResults | None, command: str, paint: Paint) -> str:
    """The whole of it."""
    parts = [
        _head(found, paint),
        _bills(found, paint),
        _caches(found, paint),
        _even(found, paint),
        _inside(found, paint),
        _of_model(results, command, paint),
        _traces(found, paint),
        _reckoned(found, paint),
    ]
    return "\n\n".join(filter(None, parts))


def _head(found: Comparison, paint: Paint) -> str:
    side = f", {found.split} side" if found.split else ""
    lines = [
        f"{harmless(found.suite)}{side}: {found.tickets:,} tickets; a handbook of {found.handbook_tokens:,.0f} tokens.",
        paint.bold(wording.answer(found) + "."),
        wording.volume(found),
    ]
    if found.readings is not None:
        times = "once" if found.readings == 1 else f"{found.readings} times"
        lines.append(f"The holdout side was read {times} so far, this reading included.")
    return "\n".join(lines)


def _bills(found: Comparison, paint: Paint) -> str:
    sizes = {one.arm: one.mean for one in found.sizes}
    rows = []
    for row in found.bills.rows:
        arm = row.name.partition(",")[0]
        tokens = f"{sizes[arm]:,.0f}" if arm in sizes else ""
        rows.append((row.name, tokens, wording.usd(row.each), wording.usd(row.month)))
    head = f"{found.month.tickets:,} tickets a month", "tokens", "USD/ticket", "USD/month"
    return _table(head, rows, paint)


def _caches(found: Comparison, paint: Paint) -> str:
    rows = [
        (
            f"{one.arrived.tickets:,} tickets, {'one edition' if one.editions == 1 else f'{one.editions} editions'}",
            wording.percent(one.arrived.hits),
            wording.usd(one.each),
            wording.usd(one.month),
        )
        for one in found.bills.caches
    ]
    head = f"Handbook, cached for {found.price.cache_minutes:g} minutes", "found", "USD/ticket", "USD/month"
    return _table(head, rows, paint)


def _even(found: Comparison, paint: Paint) -> str:
    width = max(map(len, wording.CACHES.values()))
    lines = []
    for one in found.bills.broken:
        lines.append(f"{wording.CACHES[one.caching]:<{width}}  {wording.even(one)}")
        lines.append(f"{'':<{width}}  by its size, {wording.even_in_size(one)}")
    return "\n".join([paint.bold("Cheaper, with"), *lines])


def _inside(found: Comparison, paint: Paint) -> str:
    rows = [
        (f"{one.measure}, {one.slice}", str(one.estimate.n), figure(one.estimate))
        for one in found.inside
        if one.estimate
    ]
    table = _table(("In the prompt, by retrieval", "n", "mean, 95 %"), rows, paint)
    told = "The whole handbook's prompt holds every clause, by construction; that a model heeds it is not said by that."
    return f"{table}\n{told}"


def _of_model(results: ArmResults | None, command: str, paint: Paint) -> str:
    title = paint.bold("In the answer")
    if results is None:
        lines = (
            f"recall, quotes, position curve, latency: {wording.NOT_MEASURED} ({wording.NOT_ASKED})",
            f"to measure them: {command}",
        )
        return "\n".join([title, *lines])
    head = (f"In the answer, {harmless(results.model)}", "n", "anchors", "rule and limit", "invented", "not in force")
    names = "anchor recall", "policy-exception recall", "invented quotes", "quotes not in force"
    rows = [
        (arm.arm, str(arm.count("answered")), *(figure(arm.figures[name]) for name in names)) for arm in results.arms
    ]
    spent = f"{results.bought} answers bought, {results.reused} from the ledger; {wording.usd(results.spent_usd)} USD."
    stopped = [paint.warn(f"stopped: {harmless(results.stopped)}")] if results.stopped else []
    return "\n".join([_table(head, rows, paint), spent, *stopped])


def _traces(found: Comparison, paint: Paint) -> str:
    rows = [(f"to log, {one.arm}", f"{one.whole:,.0f}", f"{one.named:,.0f}") for one in found.logged]
    table = _table(("Tokens that let an answer be replayed", "prompt", "names"), rows, paint)
    return "\n".join([table, *_changes(found)])


def _changes(found: Comparison) -> Iterator[str]:
    for one in found.changes:
        about = f"{one.day}, {'a correction' if one.correction else 'an edition'}: {number(one.edits, 'edit')}"
        whole = "" if one.correction else f"; all of them {figure(one.changed)}"
        yield f"{about}; one changes {one.by_one:.1%} of the prompts by retrieval{whole}; with the handbook, all"


def _reckoned(found: Comparison, paint: Paint) -> str:
    rows = wording.rows_told(found.price, found.hosting, found.month)
    lines = (f"{what}: {figures}\n  {source}" for what, figures, source in rows)
    return "\n".join([paint.bold("Reckoned with"), *map(harmless, lines)])


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], paint: Paint) -> str:
    """The first column to the left, all others to the right."""
    held = [head, *rows]
    widths = [max(len(row[at]) for row in held) for at in range(len(head))]
    lines = [
        "  ".join(
            f"{cell:<{width}}" if at == 0 else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in held
    ]
    return "\n".join([paint.bold(lines[0]), *lines[1:]])
