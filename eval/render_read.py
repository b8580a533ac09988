"""What `caveat read` found in one file, as text: its outline, tables, links, remarks and losses, all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from eval.inspecting import Inspected, figures, name
from eval.pages.pieces import number
from eval.paint import Paint, harmless
from ingest.dates import show_day

if TYPE_CHECKING:
    from ingest.document import Link
    from ingest.loss import Loss, LostLine, Tally

_RANKS: Final = {
    "sidecar": "its sidecar",
    "front-matter": "its front matter",
    "edition": "the name of its edition folder",
    "text": "its text",
}
_LINKS: Final = {
    ("limits", "self"): "limits",
    ("limits", "target"): "is limited by",
    ("condition", "self"): "is the condition of",
    ("condition", "target"): "on the condition of",
    ("definition", "self"): "defines for",
    ("definition", "target"): "as defined in",
    ("reference", "self"): "refers to",
    ("reference", "target"): "refers to",
}


def reading(found: Inspected, paint: Paint) -> str:
    """Everything but the text itself, ready to print."""
    blocks = [_head(found, paint), _outline(found, paint)]
    for title, lines in (
        ("Tables", _tables(found)),
        ("Links", _links(found)),
        ("Footnotes", _footnotes(found)),
        ("Remarks", _remarks(found, paint)),
    ):
        if shown := [f"  {line}" for line in lines]:
            blocks.append("\n".join([paint.bold(title), *shown]))
    blocks += _loss(found.reading.loss, paint)
    return "\n\n".join(blocks)


def text(found: Inspected) -> str:
    """The file as Markdown, as it is indexed."""
    return harmless(found.document.text).rstrip("\n")


def _head(found: Inspected, paint: Paint) -> str:
    read = found.reading
    facts = [read.format, *([number(read.pages, "page")] if read.pages else [])]
    facts.append(number(len(found.document.sections), "section"))
    lines = [f"{paint.bold(harmless(found.file))}: {', '.join(facts)}", f"Title     {harmless(found.document.title)}"]
    return "\n".join([*lines, *_dates(found)])


def _dates(found: Inspected) -> Iterator[str]:
    if not found.dates:
        yield "In force  since unknown: no date in the file, in a sidecar or in the name of a folder above"
    for place, one in enumerate(found.dates):
        verb = "In force  since" if not place else "          also says"
        yield f"{verb} {show_day(one.day) or 'unknown'}, by {_RANKS[one.rank]} ({harmless(one.where)})"


# What is in it


def _outline(found: Inspected, paint: Paint) -> str:
    columns = ["page"] if found.reading.pages else []
    columns += ["letters", "items", "tables", "links"]
    rows = []
    for section in found.document.sections:
        counted = figures(found.document, section)
        numbers = [section.page or 0] if found.reading.pages else []
        numbers += [counted[key] for key in ("characters", "items", "tables", "links")]
        shown = (f"{count:,}" if count else "-" for count in numbers)
        cells = (f"{cell:>{len(column)}}" for cell, column in zip(shown, columns, strict=True))
        depth = max(len(section.path) - 1, 0)
        rows.append(f"  {paint.dim('  '.join(cells))}  {'  ' * depth}{harmless(name(section))}")
    return "\n".join([paint.bold("Outline"), f"  {paint.dim('  '.join(columns))}", *rows])


def _tables(found: Inspected) -> Iterator[str]:
    for section, table, page in found.tables:
        size = f"{number(len(table.header) + len(table.body), 'row')} x {number(table.columns, 'column')}"
        where = f"in {name(section)}" + (f", page {page}" if page else "")
        yield harmless(f"{table.name or '(no words in its first row)'}: {size}, {where}")


def _links(found: Inspected) -> Iterator[str]:
    for section in found.document.sections:
        for link in section.links:
            yield harmless(f"{name(section)}: {relation(link)} {link.target}")


def relation(link: Link) -> str:
    """What a link says, read from its section to its target."""
    return _LINKS[(link.relation.value, link.limiter)]


def _footnotes(found: Inspected) -> Iterator[str]:
    for section, label, words in found.footnotes:
        yield harmless(f"[{label}] in {name(section)}: {words}")


def _remarks(found: Inspected, paint: Paint) -> Iterator[str]:
    for note in found.notes:
        yield f"{harmless(note.where)}: {harmless(note.message)} {paint.dim(f'[{note.code}]')}"


# What was lost


def _loss(loss: Loss, paint: Paint) -> Iterator[str]:
    total = loss.total
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in loss.dropped.items() if count)
    width = len(f"{total.characters:,}")
    rows = [
        f"{total.characters:>{width},}  in the file",
        f"{total.kept:>{width},}  kept ({_share(total.kept, total)})",
        f"{total.dropped:>{width},}  left out on purpose" + (f": {harmless(reasons)}" if reasons else ""),
        f"{total.lost:>{width},}  lost",
    ]
    rows[-1] = paint.bad(rows[-1]) if total.lost else paint.good(rows[-1])
    yield "\n".join([paint.bold("Letters and digits"), *(f"  {row}" for row in rows)])
    if loss.lines:
        yield "\n".join([paint.bad(_lost_head(loss.lines)), *_lost(loss)])


def _share(count: int, total: Tally) -> str:
    """Rounded down, so that 100.0% means all."""
    return f"{count * 1000 // total.characters / 10 if total.characters else 100:.1f}%"


def _lost_head(lines: Sequence[LostLine]) -> str:
    return f"Lost: {number(len(lines), 'line')} with words that stand in no section"


def _lost(loss: Loss) -> Iterator[str]:
    for place in loss.places:
        if place.lost and place.where:
            yield f"  {place.where}: {place.lost:,} of {place.characters:,} letters and digits"
    for line in loss.lines:
        missing = " ".join(line.words)
        part = "" if sum(map(str.isalnum, line.text)) == sum(map(len, line.words)) else f" (missing: {missing})"
        yield harmless(f"  {line.where}: {line.text}{part}")
