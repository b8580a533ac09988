"""What `caveat eval` prints for a person: the ladder, its steps, and what stands apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from eval.ladder.rungs import DATED, UNDATED, NotApplicable
from eval.ladder.table import Row, Step, Table
from eval.measures.bootstrap import Estimate
from eval.measures.ragas_scores import RagasScore
from eval.paint import Paint, harmless

NOT_MEASURED: Final = "not measured"
_CELL: Final = len("0.000 [0.00, 0.00]")


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of each rung."""

    head: str
    of: Callable[[Row], Estimate | None]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns that are shown together."""

    title: str
    columns: tuple[Column, ...]
    costs: bool = False
    """Whether tokens and milliseconds stand beside them."""


def _column(head: str, measure: str, over: str = "all") -> Column:
    return Column(head, lambda row: row.figure(measure, over))


def _robust(head: str, part: str) -> Column:
    return Column(head, lambda row: getattr(row.robustness, part) if row.robustness else None)


EXCEPTIONS: Final = "PolicyExceptionRecall"
_ANCHORS: Final = "AnchorRecall"
_RECALL: Final = "Recall"
QUOTED: Final = (
    Block(
        "Exceptions: rule and limit came back",
        (
            _column("all", EXCEPTIONS),
            _column("one section", EXCEPTIONS, "sections: one"),
            _column("several", EXCEPTIONS, "sections: several"),
        ),
        costs=True,
    ),
    Block(
        "The same by rewrites",
        (_robust("mean", "mean"), _robust("worst", "worst"), _robust("ambiguous", "ambiguous")),
    ),
    Block(
        "Recall: sections that came back",
        (
            _column("messages", _RECALL),
            _column("exceptions", _RECALL, "kind: exception"),
            _column("rewrites", _RECALL, "rewrites"),
        ),
    ),
    Block(
        "Other messages: quotes, dates",
        (
            _column("plain", _ANCHORS, "kind: plain"),
            _column("dated", _ANCHORS, "kind: dated"),
            Column("all days", lambda row: row.dates),
            _column("stale", "StaleRate"),
        ),
    ),
)


def by_id(k: int) -> tuple[Block, ...]:
    """For questions whose gold has ids and no quotes; recall at 5 too, where more is asked for."""
    named = dict.fromkeys([f"Recall@{k}", "Recall@5" if k > 5 else f"Recall@{k}", "MRR", f"nDCG@{k}"])
    return (Block("Passages by id", tuple(_column(name, name) for name in named), costs=True),)


def table(found: Table, paint: Paint) -> str:
    """Blocks of figures, then each rung beside the one before, then which stage lost what."""
    quoted = any(row.figure(_ANCHORS) for row in found.measured())
    headline = EXCEPTIONS if any(row.figure(EXCEPTIONS) for row in found.measured()) else _RECALL
    blocks = [_block(block, found, paint) for block in (QUOTED if quoted else by_id(found.k))]
    parts = [
        _head(found),
        *filter(None, blocks),
        _steps(found, headline, paint),
        _lost(found, paint),
        _separation(found),
        _ragas(found, paint),
    ]
    return "\n\n".join(filter(None, parts))


def _head(found: Table) -> str:
    asked = ", ".join(f"{count} {name}{'s' if count != 1 else ''}" for name, count in found.questions.items())
    side = f", {found.split} side" if found.split else ""
    lines = [f"{harmless(found.suite)}{side}: {asked}; {found.k} passages asked for."]
    lines += [f"Mean and 95 % interval, families resampled whole (seed {found.seed}); milliseconds are medians."]
    if found.readings is not None:
        times = "once" if found.readings == 1 else f"{found.readings} times"
        lines += [f"The holdout side was read {times} so far, this reading included."]
    return "\n".join(lines)


def _block(block: Block, found: Table, paint: Paint) -> str:
    rows = found.measured()
    columns = [column for column in block.columns if any(column.of(row) for row in rows)]
    if not columns:
        return ""
    width = max(len(block.title), *(len(row.name) for row in found.rows)) + 2
    heads = [f"{column.head} ({_n(rows, column)})" for column in columns]
    costs = f"{'tokens':>7}{'ms':>7}" if block.costs else ""
    line = f"{block.title:<{width}}" + "".join(f"{head:<{_CELL + 2}}" for head in heads) + costs
    return "\n".join([paint.bold(line.rstrip()), *(_line(row, columns, block, width, paint) for row in found.rows)])


def _line(row: Row | NotApplicable, columns: Sequence[Column], block: Block, width: int, paint: Paint) -> str:
    name = f"{harmless(row.name):<{width}}"
    if isinstance(row, NotApplicable):
        return f"{name}{paint.dim(f'not applicable: {row.why}')}"
    cells = "".join(f"{figure(column.of(row)):<{_CELL + 2}}" for column in columns)
    return f"{name}{cells}{_costs(row) if block.costs else ''}".rstrip()


def figure(estimate: Estimate | None) -> str:
    """A mean with its interval, or that there is none."""
    return f"{estimate.mean:.3f} [{estimate.low:.2f}, {estimate.high:.2f}]" if estimate else NOT_MEASURED


def _n(rows: Sequence[Row], column: Column) -> int:
    return max((one.n for row in rows if (one := column.of(row))), default=0)


def _costs(row: Row) -> str:
    tokens = row.figure("Tokens")
    return f"{f'{tokens.mean:,.0f}' if tokens else '-':>7}{f'{row.p50:,.0f}' if row.p50 is not None else '-':>7}"


def _steps(found: Table, measure: str, paint: Paint) -> str:
    lines = list(_step_lines(found.measured(), measure))
    about = "Exceptions by message" if measure == EXCEPTIONS else measure
    return (
        "\n".join([paint.bold(f"{about}, question by question, beside the rung named last"), *lines]) if lines else ""
    )


def _step_lines(rows: Sequence[Row], measure: str) -> Iterator[str]:
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        step = row.step(measure)
        if step:
            yield f"{harmless(row.name):<{width}}  {_step(step)}  {harmless(step.after)}"


def _step(step: Step) -> str:
    one = step.difference
    told = f"{one.mean:+.3f} [{one.low:+.2f}, {one.high:+.2f}]"
    p = "" if step.p is None else f"p {step.p:.3f}" if step.p >= 0.001 else "p < 0.001"
    seen = "" if step.smallest is None else f"n can show {step.smallest:.2f}"
    return f"{told}  {step.better:>3} better {step.worse:>3} worse  {p:<9}  {seen:<15}"


def _lost(found: Table, paint: Paint) -> str:
    rows = [row for row in found.measured() if row.lost]
    if not rows:
        return ""
    width = max(len(row.name) for row in rows)
    lines = (
        f"{harmless(row.name):<{width}}  " + ", ".join(f"{count} {stage}" for stage, count in row.lost.items())
        for row in rows
    )
    return "\n".join(
        [paint.bold("Gold sections of messages that did not come back, by the stage that lost them"), *lines]
    )


def _separation(found: Table) -> str:
    """Of the last rung that says how confident it is; those in memory stand apart."""
    rows = [row for row in found.measured() if row.separation and row.name not in (UNDATED, DATED)]
    if not rows or not (one := rows[-1].separation):
        return ""
    marked = ""
    if one.marked:
        answerable, unanswerable = one.marked
        marked = f"; marked as low: {unanswerable} of {one.unanswerable} and {answerable} of {one.answerable} others"
    return f"Confidence on questions without an answer ({harmless(rows[-1].name)}): AUROC {one}{marked}."


def _ragas(found: Table, paint: Paint) -> str:
    if not found.ragas:
        return ""
    width = max(len(one.name) for one in found.ragas)
    lines = (f"{one.name:<{width}}  {_ragas_figure(one)}" for one in found.ragas)
    return "\n".join([paint.bold("Other houses' measures, of the last rung above the dates"), *lines])


def _ragas_figure(one: RagasScore) -> str:
    spread = "" if one.spread is None else f", {one.spread:.3f} between repeats"
    why = f" ({harmless(one.why)})" if one.why else ""
    return f"{figure(one.estimate)}{spread}{why}"
