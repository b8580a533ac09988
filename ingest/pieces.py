"""A section's elements as pieces: the smallest spans a chunk is made of, with what must stand before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ingest.document import Section
from ingest.elements import Element, Kind
from ingest.markdown.captions import is_caption
from ingest.markdown.plain import plain

_ABBREVIATIONS: Final = ("e.g.", "i.e.", "U.S.", "U.S.C.", "Sec.", "Art.", "Civ.", "Cal.", "vs.", "No.", "Inc.", "Ltd.")
_NO_END = "".join(rf"(?<!\b{re.escape(short)})" for short in _ABBREVIATIONS)
_SENTENCE: Final = re.compile(
    rf"{_NO_END}(?<=[.!?;])[\"”’)*_\]]{{0,3}}[ \t]*(?:\n[ \t]*)?(?<=\s)(?=[\"“‘(\[*_<]{{0,3}}[A-Z0-9(])"
    r"|<br\s*/?>\s*|(?:[ \t]*\n){2,}[ \t]*|\n(?=[ \t]*(?:[-*+|>•]|\d+[.)])[ \t])"
)
_FENCE: Final = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)
_LINE: Final = re.compile(r"\n+")
_RULE: Final = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$", re.MULTILINE)
_CELL: Final = re.compile(r"[ \t]*(?<!\\)\|[ \t]*")
_CELL_TAG: Final = re.compile(r"</t[dh]>\s*<t[dh]\b[^>]*>", re.IGNORECASE)
CELL_SIGN: Final = " | "
SHORT: Final = 240
"""Characters; a shorter element is one piece, however many sentences it has."""
LONGEST_SENTENCE: Final = 8_000
"""Characters; a longer one is cut at white space before any tokenizer sees it, to keep memory and time linear."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of the section's text that is best not cut, and its words."""

    start: int
    end: int
    text: str
    leads: tuple[str, ...] = ()
    """What governs it from before, outermost first: the lead-in of its list, the items around it."""
    header: str = ""
    """Caption and header row of its table."""
    label: str = ""
    """The first cell of its row, which names the row."""
    body: int = 0
    """Offset in the span where its own words start: after the header that the first row's span takes in."""
    first: bool = False
    """Whether an element starts here."""
    binds: bool = False
    """Whether it leads in what follows, so that a chunk should not end with it."""
    tabular: bool = False
    verbatim: bool = False

    def words(self, raw: str) -> str:
        """The words of a part of this piece."""
        return _row_words(raw) if self.tabular else _verbatim(raw) if self.verbatim else plain(raw)


@dataclass(frozen=True, slots=True)
class _Lead:
    depth: int
    text: str


def pieces(section: Section) -> Iterator[Piece]:
    """The pieces of a section's body in order; its own heading is none."""
    body = [element for element in section.elements if not _is_heading(element)]
    leads: list[_Lead] = []
    for place, element in enumerate(body):
        following = body[place + 1] if place + 1 < len(body) else None
        _close(leads, element)
        yield from _element_pieces(
            section.text, element, tuple(lead.text for lead in leads), _leads_in(section.text, element, following)
        )
        _open(leads, section.text, element, following)


def _is_heading(element: Element) -> bool:
    return element.kind is Kind.HEADING


def _close(leads: list[_Lead], element: Element) -> None:
    """Items end with the first element that is none; a lead-in also governs the table or quote right below it."""
    if element.kind is Kind.ITEM:
        while leads and leads[-1].depth >= element.level:
            leads.pop()
    elif leads and element.kind not in (Kind.TABLE, Kind.CODE, Kind.QUOTE):
        leads.clear()


def _open(leads: list[_Lead], text: str, element: Element, following: Element | None) -> None:
    if following is None:
        return
    deeper = following.kind is Kind.ITEM and following.level > (element.level if element.kind is Kind.ITEM else 0)
    if element.kind is Kind.ITEM and deeper:
        leads.append(_Lead(element.level, _last_sentence(text, element)))
    elif element.kind in (Kind.PARAGRAPH, Kind.DEFINITION, Kind.HTML) and _governs(text, element, following):
        leads.append(_Lead(0, _last_sentence(text, element)))


def _leads_in(text: str, element: Element, following: Element | None) -> bool:
    if following is None or element.kind in (Kind.TABLE, Kind.CODE, Kind.FOOTNOTE):
        return False
    if element.kind is Kind.PARAGRAPH and is_caption(text, element):
        return True
    colon = text[max(element.start, element.end - 8) : element.end].rstrip("*_ \t").endswith(":")
    if element.kind is Kind.ITEM:
        return colon or (following.kind is Kind.ITEM and following.level > element.level)
    return colon or following.kind is Kind.ITEM


def _governs(text: str, element: Element, following: Element) -> bool:
    """Whether what follows is read with this paragraph: it is open at its end, and more than a title in bold."""
    end = text[max(element.start, element.end - 8) : element.end].rstrip("*_ \t")
    titled = text[element.start : element.end].startswith(("**", "__")) and not end.endswith(":")
    return _leads_in(text, element, following) and not titled and not end.endswith((".", "!", "?", ";"))


def _last_sentence(text: str, element: Element) -> str:
    start = element.start
    # The last 2,000 characters hold the last sentence of any lead-in worth repeating.
    for match in _SENTENCE.finditer(text, max(start, element.end - 2_000), element.end):
        start = match.end() if match.end() < element.end else start
    return plain(text[start : element.end])


def _element_pieces(text: str, element: Element, leads: tuple[str, ...], binds: bool) -> Iterator[Piece]:
    if element.kind is Kind.TABLE:
        yield from _table_pieces(text, element, leads)
        return
    spans = [(element.start, element.end)] if element.end - element.start <= SHORT else list(_sentences(text, element))
    verbatim = element.kind is Kind.CODE
    first, from_ = True, element.start
    for _, end in spans:
        raw = text[from_:end]
        if words := _verbatim(raw) if verbatim else plain(raw):
            yield Piece(from_, end, words, leads, first=first, binds=binds and end == spans[-1][1], verbatim=verbatim)
            first, from_ = False, end


def _verbatim(raw: str) -> str:
    return " ".join(_FENCE.sub(" ", raw).split())


def _sentences(text: str, element: Element) -> Iterator[tuple[int, int]]:
    start = element.start
    pattern = _LINE if element.kind is Kind.CODE else _SENTENCE
    for match in pattern.finditer(text, element.start, element.end):
        if match.end() > start and match.end() < element.end:
            yield from _short(text, start, match.end())
            start = match.end()
    yield from _short(text, start, element.end)


def _short(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_SENTENCE:
        cut = text.rfind(" ", start + 1, start + LONGEST_SENTENCE)
        cut = cut + 1 if cut > start else start + LONGEST_SENTENCE
        yield start, cut
        start = cut
    if end > start:
        yield start, end


def _table_pieces(text: str, table: Element, leads: tuple[str, ...]) -> Iterator[Piece]:
    """One piece a row; the first one's span takes in the header, the last one's a caption below."""
    header = _row_words(text[slice(*table.header)], "\n") if table.header else ""
    if not table.rows:
        yield from (
            Piece(a, b, _row_words(text[a:b]), leads, first=a == table.start, tabular=True)
            for a, b in _short(text, table.start, table.end)
        )
        return
    start = table.start
    for place, (_, row_end) in enumerate(table.rows):
        end = table.end if place + 1 == len(table.rows) else row_end
        row_start = table.rows[place][0]
        words = _row_words(text[row_start:end])
        label = words.partition(CELL_SIGN)[0]
        yield Piece(
            start,
            end,
            words,
            leads,
            header,
            label if len(label) <= SHORT else "",
            body=row_start - start,
            first=place == 0,
            tabular=True,
        )
        start = end


def _row_words(raw: str, between: str = " ") -> str:
    lines = _CELL_TAG.sub(CELL_SIGN, _RULE.sub("", raw)).split("\n")
    return between.join(_CELL.sub(CELL_SIGN, plain(line)).strip(" |") for line in lines if line.strip()).strip()
