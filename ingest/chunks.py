"""A section cut into chunks: small enough for the encoder, with the words that govern them.

Pieces (sentences, items, rows) are packed in order. A list's lead-in and a table's header come again in each
chunk that starts below them. What is longer than the encoder reads is searched through overlapping windows;
no word of a section is in no chunk.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from ingest.document import Section
from ingest.numbering import split_heading
from ingest.pieces import CELL_SIGN, Piece, pieces
from ingest.settings import IngestSettings

CONTEXT_SIGN: Final = " > "
SPECIALS: Final = 2
"""WordPieces that the encoder adds ([CLS] and [SEP])."""
CHARS_AT_MOST: Final = 20
"""Characters that a WordPiece is taken to have at most, on average; prose has four to five."""
CONTEXT_SHARE: Final = 1 / 3
"""Share of the encoder's limit that titles may take, and that a repeated lead-in or header may take again."""
STRETCH: Final = 4 / 3
"""A chunk may grow by this factor over `child_max` rather than leave a crumb or cut a sentence off its item."""


class Tokenizer(Protocol):
    """Counts and places WordPieces, the encoder's specials left out."""

    def count(self, text: str) -> int:
        """Number of WordPieces."""
        ...

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Half-open spans of characters, one for each WordPiece, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is searched: a span of a section's text with its words, and the titles above it."""

    start: int
    end: int
    """Span in Section.text, half-open; repeated lead-ins and headers stand outside of it."""
    text: str
    """The words without markup; lead-in or header first."""
    context: str
    """"Document title > section titles", without numbers: a renumbering changes no chunk."""

    @property
    def embed_text(self) -> str:
        """What is encoded."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class _Measure:
    """Sizes in WordPieces: of a good chunk, and of the most that one can hold beside its context."""

    tokens: Tokenizer
    least: int
    most: int
    room: int
    limit: int
    overlap: int
    known: dict[str, int] = field(default_factory=dict)

    @property
    def share(self) -> int:
        """Room for what is repeated."""
        return int(self.room * CONTEXT_SHARE)

    @property
    def stretched(self) -> int:
        return min(self.room, int(self.most * STRETCH))

    def count(self, text: str) -> int:
        """Like the tokenizer's, remembered: lead-ins and headers come again and again."""
        if text and text not in self.known:
            self.known[text] = self.tokens.count(text)
        return self.known.get(text, 0)


@dataclass(slots=True)
class _Group:
    """Pieces that become one chunk, the words before them, and the size of both."""

    pieces: list[Piece]
    before: str
    size: int

    def add(self, piece: Piece, size: int) -> None:
        self.pieces.append(piece)
        self.size += size


def cut(section: Section, doc_title: str, tokens: Tokenizer, settings: IngestSettings, limit: int) -> tuple[Chunk, ...]:
    """The chunks of a section, in order; `limit` is the encoder's, in WordPieces with specials.

    A heading without a body makes one chunk of its title, so that it can be found. Every chunk's `embed_text`
    fits `limit`; a single word that does not is cut as well.
    """
    context, used = _context(doc_title, section.titles, tokens, limit)
    room = max(1, limit - SPECIALS - used)
    measure = _Measure(tokens, settings.child_min, min(settings.child_max, room), room, limit, settings.window_overlap)
    found = [part for piece in pieces(section) for part in _with_long_header(piece, measure)]
    if not found:
        return (Chunk(0, len(section.text), section.title, context),) if section.title else ()
    groups = _without_crumbs(_packed(found, measure), measure)
    return tuple(chunk for group in groups for chunk in _chunks(group, section.text, context, measure))


def _context(doc_title: str, titles: Sequence[str], tokens: Tokenizer, limit: int) -> tuple[str, int]:
    """The titles that fit, and their size; middle ones give way first, and one that is too long alone is cut."""
    name = split_heading(doc_title)[1]
    parts = [name, *titles] if name and name not in titles[:1] else list(titles)
    most = max(1, int(limit * CONTEXT_SHARE))
    spans = tokens.offsets(CONTEXT_SIGN.join(parts))
    while len(parts) > 1 and len(spans) > most:
        parts.pop(1 if len(parts) > 2 else 0)
        spans = tokens.offsets(CONTEXT_SIGN.join(parts))
    context = CONTEXT_SIGN.join(parts)
    if len(spans) > most:
        context, spans = context[: spans[most - 1][1]], spans[:most]
    return context, len(spans)


def _with_long_header(piece: Piece, measure: _Measure) -> Iterator[Piece]:
    """A table's header that is too long to be repeated becomes a piece of its own before the first row."""
    if not piece.header or measure.count(piece.header) <= measure.share:
        yield piece
        return
    if piece.first:
        yield Piece(piece.start, piece.start + piece.body, piece.header, piece.leads, first=True, tabular=True)
    yield replace(piece, start=piece.start + piece.body, header="", body=0)


def _sizes(found: Sequence[Piece], tokens: Tokenizer) -> Iterator[int]:
    """The size of each piece, by one call of the tokenizer."""
    starts = [start for start, _ in tokens.offsets("\n".join(piece.text for piece in found))]
    at = 0
    for piece in found:
        end = at + len(piece.text)
        # A word of a thousand characters is one WordPiece ([UNK]); it is no small piece for all that.
        yield max(bisect_left(starts, end) - bisect_left(starts, at), len(piece.text) // CHARS_AT_MOST)
        at = end + 1


def _packed(found: Sequence[Piece], measure: _Measure) -> Iterator[_Group]:
    """Groups of pieces, in order; a lead-in goes with what it leads in."""
    group: _Group | None = None
    last = 0
    for piece, size in zip(found, _sizes(found, measure.tokens), strict=True):
        if group is None:
            group = _group(piece, size, measure)
        elif _joins(group, piece, size, measure):
            group.add(piece, size)
        elif len(group.pieces) > 1 and group.pieces[-1].binds and last + size <= measure.stretched:
            lead = group.pieces.pop()
            group.size -= last
            yield group
            group = _group(lead, last, measure)
            group.add(piece, size)
        else:
            yield group
            group = _group(piece, size, measure)
        last = size
    if group:
        yield group


def _group(piece: Piece, size: int, measure: _Measure) -> _Group:
    """A group that starts with `piece`: innermost lead-ins are repeated first, as many as fit."""
    left = measure.share
    kept: list[str] = []
    for part in reversed((*piece.leads, piece.header)):
        left -= measure.count(part)
        if left < 0:
            break
        kept.insert(0, part)
    before = "\n".join(part for part in kept if part)
    return _Group([piece], before, size + measure.count(before))


def _joins(group: _Group, piece: Piece, size: int, measure: _Measure) -> bool:
    last = group.pieces[-1]
    if piece.tabular != last.tabular and not last.binds:
        return False
    if piece.header and piece.header != last.header:
        size += measure.count(piece.header)
    if group.size + size <= measure.most:
        return True
    wanted = group.size < measure.least or not piece.first or last.binds
    return wanted and group.size + size <= measure.stretched


def _without_crumbs(groups: Iterator[_Group], measure: _Measure) -> Iterator[_Group]:
    """`groups`, a small one joined to the one before it where both fit."""
    last: _Group | None = None
    for group in groups:
        if last and _mend(last, group, measure):
            last.pieces += group.pieces
            last.size += group.size
            continue
        if last:
            yield last
        last = group
    if last:
        yield last


def _mend(last: _Group, group: _Group, measure: _Measure) -> bool:
    alike = last.pieces[-1].header == group.pieces[0].header
    return alike and min(last.size, group.size) < measure.least and last.size + group.size <= measure.stretched


def _chunks(group: _Group, text: str, context: str, measure: _Measure) -> Iterator[Chunk]:
    words = list(_body(group))
    whole = Chunk(group.pieces[0].start, group.pieces[-1].end, "\n".join(words), context)
    if _fits(whole, group.size, measure):
        yield whole
    elif len(group.pieces) > 1:
        for piece in group.pieces:
            yield from _chunks(_group(piece, measure.count(piece.text), measure), text, context, measure)
    else:
        yield from _windows(group, text, context, measure)


def _body(group: _Group) -> Iterator[str]:
    if group.before:
        yield group.before
    header = group.pieces[0].header
    for piece in group.pieces:
        # The lead-in's chunk holds the first rows of its table, whose header is still to come.
        if piece.header and piece.header != header:
            yield piece.header
        header = piece.header
        yield piece.text


def _fits(chunk: Chunk, size: int, measure: _Measure) -> bool:
    # Sizes add up for WordPiece; near the limit all is counted, for tokenizers whose sizes do not.
    return size <= measure.room * 7 // 8 or measure.tokens.count(chunk.embed_text) + SPECIALS <= measure.limit


def _windows(group: _Group, text: str, context: str, measure: _Measure) -> Iterator[Chunk]:
    """Overlapping windows over a piece that is larger than the room; they end between words."""
    piece = group.pieces[0]
    own = piece.start + piece.body
    raw = text[own : piece.end]
    spans = measure.tokens.offsets(raw)
    before = group.before
    wide = max(1, min(measure.room, measure.most) - measure.count(before) - measure.count(piece.label))
    for first, last in _window_bounds(_breaks(raw, spans), len(spans), wide, measure.overlap):
        start = spans[first][0] if first else -piece.body
        end = spans[last][0] if last < len(spans) else len(raw)
        words = piece.words(raw[max(0, start) : end])
        if words and first and piece.label:
            words = piece.label + CELL_SIGN + words
        if words:
            yield Chunk(own + start, own + end, f"{before}\n{words}" if before else words, context)


def _breaks(raw: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Indices of the WordPieces that start a word, and the number of all."""
    inner = (at for at in range(1, len(spans)) if _parted(raw[spans[at - 1][1] : spans[at][0]]))
    return [0, *inner, len(spans)]


def _parted(gap: str) -> bool:
    return any(char.isspace() for char in gap)


def _window_bounds(breaks: Sequence[int], total: int, wide: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Windows [first, last) of WordPieces: each starts and ends at a break, unless one word is wider than a window."""
    first = 0
    while True:
        last = breaks[bisect_right(breaks, first + wide) - 1]
        last = last if last > first else min(first + wide, total)
        yield first, last
        if last >= total:
            return
        back = breaks[bisect_left(breaks, last - min(overlap, wide // 2))]
        first = back if first < back <= last else last
