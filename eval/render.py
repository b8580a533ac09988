"""Answers as text for a person: what was asked as of which day, then each section with its dates."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from eval.paint import Paint, harmless

if TYPE_CHECKING:
    from retrieve.explain import Explanation
    from retrieve.result import Match, Part, Passage, Result

_INDENT: Final = "   "
_RULE: Final = "| "
_ABOVE: Final = "^ "
"""Rule of a lead-in: words that stand above the section and hold for it."""
_FULL: Final = "Only the matching parts are shown: --full prints whole sections, --json everything."


@dataclass(frozen=True, slots=True)
class Look:
    """How answers are shown."""

    paint: Paint
    full: bool = False
    """Whole sections, not only the matched children."""


def answer(result: Result, look: Look) -> str:
    """A whole answer, ready to print."""
    shown: set[str] = set()
    blocks = [_asked(result, look.paint)]
    blocks += [_passage(passage, look, shown) for passage in result.passages]
    if not result.passages:
        blocks.append(f"Nothing found: {result.reason or 'no section is in force on that day'}")
    if result.linked:
        blocks.append(look.paint.bold("Linked from these sections:"))
        blocks += [_passage(passage, look, shown) for passage in result.linked]
    if result.dropped_for_budget:
        blocks.append(_list("Left out, over the budget for one answer", result.dropped_for_budget))
    if result.passages and not look.full:
        blocks.append(look.paint.dim(_FULL))
    return "\n\n".join(blocks)


def dates(since: str | None, until: str | None) -> str:
    """When a text is in force: "in force 2026-01-01 until 2026-07-01", and no longer on the second day itself."""
    began = since or "since unknown"
    return f"in force {began} until {until}" if until else f"in force since {since or 'unknown'}"


def quoted(text: str, paint: Paint) -> str:
    """Verbatim text, ruled."""
    return ruled(harmless(text), paint)


def ruled(text: str, paint: Paint, rule: str = _RULE) -> str:
    """A rule at the left of each line, so that a handbook's words are never taken for ours."""
    lines = text.strip("\n").split("\n")
    return "\n".join((_INDENT + paint.dim(rule) + line).rstrip() for line in lines)


def explanation(why: Explanation, paint: Paint) -> str:
    """Why a section was returned, or was not."""
    lines = [paint.bold(why.section), f"{why.outcome}: {why.why}"]
    if not why.in_force:
        return "\n".join(lines)
    ranks = {"dense": why.dense_rank, "BM25": why.bm25_rank, "fused": why.fused_rank}
    again = {"late": why.late_rank, "cross": why.cross_rank, "rerank": why.rerank_rank}
    ranks |= {name: rank for name, rank in again.items() if rank}
    scores = {"fused": why.fused, "late": why.late, "cross": why.cross, "rerank": why.rerank}
    ranked = ", ".join(f"{name} {rank or 'none'}" for name, rank in ranks.items())
    scored = ", ".join(f"{name} {score:.4g}" for name, score in scores.items() if score is not None)
    shown = [f"ranks among sections: {ranked}", *([f"scores: {scored}"] if scored else [])]
    return "\n".join([*lines, *map(paint.dim, shown)])


def section(passage: Passage, paint: Paint) -> str:
    """One section as asked for by name, whole."""
    return _passage(passage, Look(paint, full=True), set())


def _asked(result: Result, paint: Paint) -> str:
    facts = [f"as of {result.as_of}" + (" (in the future: later editions may change this)" if result.future else "")]
    facts += [f"known at {result.known_at}"] if result.known_at else []
    facts += [f"generation {result.generation}"]
    facts += ["reranked"] if result.reranked else []
    facts += [f"confidence {result.confidence:.2f}"] if result.confidence is not None else []
    lines = [paint.bold(f'"{_one_line(result.query)}"'), paint.dim(", ".join(facts))]
    if result.low_confidence and result.passages:
        lines.append(paint.warn("Low confidence: nothing here may answer this question."))
    if result.reranking and result.reranking.cross_unread:
        lines.append(paint.warn(f"The cross-encoder did not read {result.reranking.cross_unread} texts to their end."))
    if result.query_truncated:
        lines.append(paint.warn("The question is longer than the model reads: its end counted for keywords only."))
    return "\n".join(lines)


def _passage(passage: Passage, look: Look, shown: set[str]) -> str:
    """One passage; lead-ins that are in `shown` are not repeated, new ones are added to it."""
    lines = [f"{passage.rank:>2} {look.paint.bold(_title(passage))}", *_about(passage, look.paint), ""]
    lines += _lead_ins(passage, look.paint, shown)
    lines += _matched(passage, look.paint) if passage.matches and not look.full else [quoted(passage.text, look.paint)]
    if passage.omitted:
        lines.append(textwrap.indent(_list("Not shown here", passage.omitted), _INDENT))
    return "\n".join(lines)


def _lead_ins(passage: Passage, paint: Paint, shown: set[str]) -> list[str]:
    new = [lead for lead in passage.inherits if lead not in shown]
    shown.update(new)
    return [ruled(harmless(lead), paint, _ABOVE) for lead in new]


def _title(passage: Passage) -> str:
    return passage.path[-1] if passage.path else passage.doc_id


def _about(passage: Passage, paint: Paint) -> Iterator[str]:
    above = " > ".join((passage.doc_id, *passage.path[:-1]))
    page = f", page {passage.page}" if passage.page else ""
    yield f"{_INDENT}{paint.good(dates(passage.effective_from, passage.superseded_at))}{paint.dim(f', {above}{page}')}"
    if passage.also_in:
        yield f"{_INDENT}{paint.dim('the same text: ' + ', '.join(passage.also_in))}"
    if passage.via:
        link = f'{passage.via.relation}: "{_one_line(passage.via.phrase)}" in {passage.via.source}'
        yield f"{_INDENT}{paint.dim(link)}"


def _matched(passage: Passage, paint: Paint) -> list[str]:
    """The matched children in order, each under the head of the subsection that holds it."""
    lines: list[str] = []
    current: Part | None = None
    for match in sorted(passage.matches, key=lambda match: match.start):
        part = _holder(passage.parts, match)
        if part is not None and part != current:
            current = part
            lines += [_part_head(part, paint)] if part.address != passage.address else []
        elif lines:
            lines.append(_INDENT + paint.dim(_RULE + "..."))
        lines.append(quoted(match.chunk, paint))
    return lines


def _holder(parts: Sequence[Part], match: Match) -> Part | None:
    return next((part for part in parts if part.start <= match.start < part.end), None)


def _part_head(part: Part, paint: Paint) -> str:
    name = " ".join(filter(None, (part.section, part.address.rsplit(" > ", 1)[-1])))
    return f"{_INDENT}{paint.bold(name)}{paint.dim(', ' + dates(part.effective_from, part.superseded_at))}"


def _list(head: str, addresses: Sequence[str]) -> str:
    return "\n".join([f"{head}:", *(f"  {address}" for address in addresses)])


def _one_line(text: str, limit: int = 300) -> str:
    return textwrap.shorten(harmless(text), limit, placeholder=" ...")
