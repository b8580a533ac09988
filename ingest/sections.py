"""Elements to a document: the section tree with exact spans, footnotes where they are marked, and typed links."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ingest.document import Document, Note, Section
from ingest.elements import Element
from ingest.footnotes import Footnotes
from ingest.links import find_links
from ingest.markdown.plain import plain
from ingest.outline import Head, outline
from ingest.places import at, spot

NOTE_GAP = "\n\n"
"""Between a section's own text and the footnotes that stand elsewhere."""


def build_document(
    doc_id: str, title: str, text: str, elements: Sequence[Element], *, moved: Mapping[str, str] | None = None
) -> Document:
    """The document of `text`; `elements` are those of `text` (no heading needs to be among them).

    `moved` maps title paths ("Seats > Downgrades") to the addresses they had before; one that names no
    section is noted. A blank start before the first heading belongs to that heading's section.
    """
    flat, heads = outline(text, list(elements))
    sections = _numbered(_sections(text, flat, heads))
    sections, notes = _with_moves(sections, moved or {}, doc_id)
    sections, more = _with_single_ids(sections, doc_id)
    return Document(doc_id, title, text, tuple(sections), notes=(*notes, *more, *_repeated_numbers(sections, doc_id)))


def _sections(text: str, elements: list[Element], heads: list[Head]) -> list[Section]:
    footnotes = Footnotes(text, elements)
    starts = [element.start for element in elements]
    first = heads[0].element.start if heads else len(text)
    has_preamble = not heads or bool(text[:first].strip())
    made: list[Section] = []
    if has_preamble:
        held = elements[: bisect_left(starts, first)] if heads else elements
        made.append(_section(text, (0, first), held, footnotes, None, []))
    shift = len(made)
    for place, head in enumerate(heads):
        start = head.element.start if place or has_preamble else 0
        end = heads[place + 1].element.start if place + 1 < len(heads) else len(text)
        held = elements[
            bisect_left(starts, head.element.start) : bisect_left(starts, end)
            if place + 1 < len(heads)
            else len(elements)
        ]
        parent = head.parent + shift if head.parent is not None else None
        made.append(_section(text, (start, end), held, footnotes, replace(head, parent=parent), made))
    return made


def _section(
    text: str, span: tuple[int, int], held: list[Element], footnotes: Footnotes, head: Head | None, made: list[Section]
) -> Section:
    start, end = span
    body, elements = _with_footnotes(
        text, span, [element.shifted(-start) for element in held], footnotes.marked(start, end)
    )
    links = tuple(find_links(body))
    if head is None:
        return Section(None, "", (), (), 0, None, start, end, body, elements, links)
    above = made[head.parent] if head.parent is not None else None
    path = ((*above.path, head.shown), (*above.titles, head.title)) if above else ((head.shown,), (head.title,))
    own = Section(head.number, head.title, *path, head.level, head.parent, start, end, body, elements, links)
    return replace(own, explicit_id=head.explicit_id, page=head.element.page)


def _with_footnotes(
    text: str, span: tuple[int, int], elements: list[Element], notes: list[Element]
) -> tuple[str, tuple[Element, ...]]:
    body = text[slice(*span)]
    if not notes:
        return body, tuple(elements)
    body = body.rstrip("\n") if body.strip() else body
    for note in notes:
        body += NOTE_GAP
        elements.append(note.shifted(len(body) - note.start))
        body += text[note.start : note.end]
    return body, tuple(elements)


def _numbered(sections: list[Section]) -> list[Section]:
    """Occurrence numbers, so that every address is its own."""
    seen: Counter[tuple[str, ...]] = Counter()
    taken: set[str] = set()
    numbered = []
    for section in sections:
        seen[section.titles] += 1
        section = replace(section, occurrence=seen[section.titles]) if seen[section.titles] > 1 else section
        while section.address_path in taken:
            seen[section.titles] += 1
            section = replace(section, occurrence=seen[section.titles])
        taken.add(section.address_path)
        numbered.append(section)
    return numbered


def _with_moves(sections: list[Section], moved: Mapping[str, str], doc_id: str) -> tuple[list[Section], list[Note]]:
    left = {plain(path): (path, old) for path, old in moved.items()}
    placed = [
        replace(section, moved_from=left.pop(section.address_path)[1]) if section.address_path in left else section
        for section in sections
    ]
    notes = [
        Note("moved-from-unknown", doc_id, f'moved_from names "{path}", which is no section here')
        for path, _ in left.values()
    ]
    return placed, notes


def _with_single_ids(sections: Iterable[Section], doc_id: str) -> tuple[list[Section], list[Note]]:
    seen: set[str] = set()
    kept, notes = [], []
    for section in sections:
        if section.explicit_id in seen:
            notes.append(
                Note(
                    "duplicate-section-id",
                    at(doc_id, section.elements[0].line, section.elements[0]),
                    f'a second section has the id "{section.explicit_id}"; its id is ignored',
                )
            )
            section = replace(section, explicit_id=None)
        elif section.explicit_id:
            seen.add(section.explicit_id)
        kept.append(section)
    return kept, notes


def _repeated_numbers(sections: list[Section], doc_id: str) -> list[Note]:
    """A number like "1" may come back under another heading; "4.2" may not come back at all."""
    seen: dict[tuple[int | None, str], Section] = {}
    notes = []
    for section in sections:
        if section.number is None:
            continue
        whole = "." in section.number
        key = (None if whole else section.parent, section.number if whole else f"{_word(section)}{section.number}")
        if first := seen.get(key):
            heading, former = section.elements[0], first.elements[0]
            below = "in" if former.page is None else "on"
            message = (
                f'"{section.path[-1]}" repeats the number of "{first.path[-1]}" {below} {spot(former.line, former)}'
            )
            notes.append(Note("duplicate-number", at(doc_id, heading.line, heading), message))
        seen.setdefault(key, section)
    return notes


def _word(section: Section) -> str:
    """ "Article " of "Article 4", so that it is told from "4 Seats"."""
    return section.path[-1].partition(section.number or "")[0].lower()
