"""Headings that the file itself lists: in its bookmarks, or in its table of contents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from ingest.pdf.clauses import number_at
from ingest.pdf.heads import MOST_LINES, TITLE_END, Head, Named, head_of, letters
from ingest.pdf.lines import Line

_KEY: Final = 24
"""Letters of a line's start by which it is found."""


def bookmarked(lines: Sequence[Line], named: Sequence[Named]) -> Iterator[Head]:
    """The lines that a bookmark names, on its page or the one after."""
    pages: dict[int, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        pages[line.page].append(at)
    taken: set[int] = set()
    for one in named:
        wanted = letters(one.title)
        places = [*pages[one.page], *pages[one.page + 1]] if wanted else []
        places.sort(key=lambda at: _distance(lines[at], one))
        found = next((head for at in places if at not in taken if (head := _match(lines, at, wanted, one.level))), None)
        if found:
            taken |= set(range(found.first, found.last + 1))
            yield found


def listed(lines: Sequence[Line], titles: Sequence[str], taken: set[int]) -> Iterator[Head]:
    """The lines that a table of contents names, in its order; `taken` are those of other headings."""
    starts: dict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        starts[letters(line.text)[:_KEY]].append(at)
    place = -1
    for title in titles:
        wanted = letters(title)
        # A title may take several lines, of which the first may be shorter than the key.
        keys = {wanted[:length] for length in range(min(_KEY, len(wanted)), 0, -1)}
        places = sorted(at for key in keys for at in starts.get(key, ()) if at > place)
        heads = (_match(lines, at, wanted, None) for at in places if at not in taken)
        if head := next((head for head in heads if head and head.words == len(lines[head.last].words)), None):
            place = head.last
            yield head


def _distance(line: Line, named: Named) -> tuple[int, float]:
    return line.page - named.page, abs(line.top - named.top) if named.top is not None else line.top


def _match(lines: Sequence[Line], at: int, wanted: str, level: int | None) -> Head | None:
    """The heading that starts in a line and says what is wanted, or does so after its number."""
    number = number_at(lines[at].words)
    for skipped in (0, number.words if number else 0):
        said = ""
        for end in range(at, min(at + MOST_LINES, len(lines))):
            words = lines[end].words[skipped if end == at else 0 :]
            for taken, word in enumerate(words, start=1):
                said += letters(word.text)
                if not wanted.startswith(said):
                    break
                whole = taken == len(words)
                if said == wanted and (whole or TITLE_END.search(word.text)):
                    return head_of(lines, (at, end), taken + (skipped if end == at else 0), number, level)
            if not wanted.startswith(said) or said == wanted:
                break
    return None
