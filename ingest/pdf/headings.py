"""Which lines are headings: those that bookmarks name, numbered ones in sequence, and those that look like headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ingest.markdown.captions import starts_caption
from ingest.numbering import split_heading
from ingest.pdf.bookmarked import bookmarked, listed
from ingest.pdf.clauses import number_at
from ingest.pdf.heads import LONGEST, WORD_NUMBER, Head, Named, head_of, last_of_title, letters, style_of
from ingest.pdf.lines import Line
from ingest.pdf.measures import BULLETS, DASHES, Measures, begins, ends_sentence, is_short, mark_of
from ingest.pdf.numbered import numbered

_PROGRAM: Final = re.compile(r"courier|mono|consol|typewriter|cmtt|code", re.IGNORECASE)
_TEXT_WIDTH: Final = 14
"""Em of a line of text; lines of a list of names are shorter."""


def find_heads(
    lines: Sequence[Line], named: Sequence[Named], measures: Measures, titles: Sequence[str] = ()
) -> list[Head]:
    """The headings of a file, in order; `named` by its bookmarks, `titles` those of its table of contents,
    which count where there are no bookmarks.

    A line is in one heading at most; what names headings comes before what only looks like one.
    """
    heads: dict[int, Head] = {}
    taken: set[int] = set()
    ways = (
        bookmarked(lines, named),
        listed(lines, [] if named else titles, taken),
        numbered(lines, taken, measures),
        _styled(lines, taken, measures),
    )
    for head in (head for way in ways for head in way):
        span = set(range(head.first, head.last + 1))
        if not taken & span:
            heads[head.first] = head
            taken |= span
    return [heads[first] for first in sorted(heads)]


def _styled(lines: Sequence[Line], taken: set[int], measures: Measures) -> Iterator[Head]:
    """Lines alone that are larger than the text, in capitals or italics, or "Article IV"; not bold ones.

    Bold lines become headings later, for every format alike.
    """
    at = 0
    sizes = _sizes_of_text(lines)
    while at < len(lines):
        last = last_of_title(lines, at, measures)
        group = lines[at : last + 1]
        if not taken & set(range(at, last + 1)) and _is_heading(lines, at, last, measures, sizes):
            yield head_of(lines, (at, last), len(group[-1].words))
        at = last + 1


def _sizes_of_text(lines: Iterable[Line]) -> set[float]:
    """Sizes, as in Style, that so many letters have that they are text, not headings."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[style_of(line).size] += len(line.text)
    total = sum(counts.values())
    return {size for size, count in counts.items() if count > 0.2 * total}


def _is_heading(lines: Sequence[Line], at: int, last: int, measures: Measures, sizes: set[float]) -> bool:
    line, text = lines[at], " ".join(one.text for one in lines[at : last + 1])
    if len(letters(text)) < 2 or len(text) > LONGEST or starts_caption(text, 0):
        return False
    if mark_of(line) in BULLETS | DASHES or line.words[0].raised:
        return False
    # The name of a party stands in brackets below the party.
    if (text[0] == "(" and text[-1] == ")") or text[-1] in ",;" or not (text[:1].isalnum() or text[:1] in "“\"'§([¿"):
        return False
    alone = _is_alone(lines, at, last, measures)
    if measures.is_larger(line) and style_of(line).size not in sizes:
        return alone and any(map(str.isalpha, text))
    if measures.is_smaller(line) or not alone or ends_sentence(text):
        return False
    if match := WORD_NUMBER.fullmatch(text):
        return line.bold or line.caps or not match["rest"].strip() or split_heading(text)[1][:1].isupper()
    if last > at + 2 or last + 1 >= len(lines):
        return False
    looks = (line.caps and len(letters(text)) > 3) or (line.italic and text[:1].isupper())
    # Lines of a program are capitals at times, and numbers in sequence are told apart before.
    plain = not line.bold and not _PROGRAM.search(line.font) and number_at(line.words) is None
    return looks and plain and _heads_text(lines, last)


def _heads_text(lines: Sequence[Line], last: int) -> bool:
    """Whether text comes below a line, not one more short line of a list."""
    below = lines[last + 1]
    if below.column != lines[last].column or number_at(below.words) or mark_of(below):
        return True
    width = below.x1 - below.x0
    return width > 0.5 * (below.right - below.left) and width > _TEXT_WIDTH * below.size


def _is_alone(lines: Sequence[Line], at: int, last: int, measures: Measures) -> bool:
    """Whether neither the line above nor the one below belongs to the same paragraph."""
    above = lines[at - 1] if at else None
    below = lines[last + 1] if last + 1 < len(lines) else None
    free_above = above is None or above.column != lines[at].column or begins([above], lines[at], measures)
    if not free_above and above is not None:
        free_above = style_of(above) != style_of(lines[at]) and ends_sentence(above.text)
    free_below = below is None or below.column != lines[last].column or begins([lines[last]], below, measures)
    if not free_below and below is not None:
        free_below = style_of(below) != style_of(lines[last]) and is_short(lines[last], below.words[0])
    return free_above and free_below
