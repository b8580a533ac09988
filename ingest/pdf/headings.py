"""Which lines are headings: those that bookmarks name, numbered ones in sequence, and those that look like headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ingest.markdown.captions import starts_caption
from ingest.numbering import split_heading
from ingest.pdf.clauses import Candidate, Number, in_sequence, number_at
from ingest.pdf.geometry import Word
from ingest.pdf.lines import Line
from ingest.pdf.measures import BULLETS, DASHES, Measures, begins, ends_sentence, is_short, mark_of

_LONGEST: Final = 220
"""Letters of a heading."""
_MOST_LINES: Final = 4
_LEAST_LETTERS: Final = 3
_QUOTES: Final = "“\"'‘«„"
"""What starts a definition, not a title."""
_TITLE_WORDS: Final = 10
"""Of a title that runs into its text."""
_TEXT_WIDTH: Final = 14
"""Em of a line of text; lines of a list of names are shorter."""
_SPACED: Final = 5
"""Numbers typed "4. 2" that show that a file types them so."""
_ALNUM: Final = re.compile(r"[^\W_]+")
_WORD_NUMBER: Final = re.compile(
    r"(?P<word>section|article|chapter|part|appendix|annexure|annex|schedule|exhibit|attachment|addendum|title|division)\s+"
    r"(?P<number>\d{1,3}|[IVXLC]{1,7}|[A-Z])(?P<rest>\s*(?:$|[.:–—-]\s*.*|\s+[A-Z“\"(].*))",
    re.IGNORECASE,
)
_TITLE_END: Final = re.compile(r"[.:;–—-]$")


@dataclass(frozen=True, slots=True)
class Style:
    """How a heading looks, in the order of rank."""

    size: float
    caps: bool
    bold: bool
    italic: bool

    @property
    def rank(self) -> tuple[float, bool, bool, bool]:
        """Higher for what looks higher."""
        return self.size, self.caps, self.bold, not self.italic


def style_of(line: Line) -> Style:
    """Sizes are rounded to half points, since fonts are scaled."""
    return Style(round(2 * line.size) / 2, line.caps, line.bold, line.italic)


@dataclass(frozen=True, slots=True)
class Head:
    """A heading found among lines."""

    first: int
    """Its first line."""
    lines: int
    words: int
    """Words of its last line that belong to it; the rest is the section's text."""
    title: tuple[Word, ...]
    """Its words without those of its number, where `number` is given."""
    number: Number | None = None
    level: int | None = None
    """The bookmark's; None where there is none."""
    style: Style | None = None
    word: str | None = None
    """ "article" of "Article IV", in lower case."""

    @property
    def last(self) -> int:
        """Its last line."""
        return self.first + self.lines - 1


@dataclass(frozen=True, slots=True)
class Named:
    """A title that the file itself lists, with its level and page."""

    title: str
    level: int
    page: int
    top: float | None = None


def find_heads(lines: Sequence[Line], named: Sequence[Named], measures: Measures) -> list[Head]:
    """The headings of a file, in order; a line is in one at most."""
    heads = {head.first: head for head in _bookmarked(lines, named, measures)}
    taken = {at for head in heads.values() for at in range(head.first, head.last + 1)}
    for found in (_numbered(lines, taken, measures), _styled(lines, taken, measures)):
        for head in found:
            if not taken & set(range(head.first, head.last + 1)):
                heads[head.first] = head
                taken |= set(range(head.first, head.last + 1))
    return [heads[first] for first in sorted(heads)]


def letters(text: str) -> str:
    """A text as it is compared: letters and digits, lower case."""
    return "".join(_ALNUM.findall(text)).lower()


# Bookmarks


def _bookmarked(lines: Sequence[Line], named: Sequence[Named], measures: Measures) -> Iterator[Head]:
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


def _distance(line: Line, named: Named) -> tuple[int, float]:
    return line.page - named.page, abs(line.top - named.top) if named.top is not None else line.top


def _match(lines: Sequence[Line], at: int, wanted: str, level: int) -> Head | None:
    """The heading that starts in a line and says what is wanted, or does so after its number."""
    number = number_at(lines[at].words)
    for skipped in (0, number.words if number else 0):
        said = ""
        for end in range(at, min(at + _MOST_LINES, len(lines))):
            words = lines[end].words[skipped if end == at else 0 :]
            for taken, word in enumerate(words, start=1):
                said += letters(word.text)
                if not wanted.startswith(said):
                    break
                whole = taken == len(words)
                if said == wanted and (whole or _TITLE_END.search(word.text)):
                    return _head(lines, (at, end), taken + (skipped if end == at else 0), number, level)
            if not wanted.startswith(said) or said == wanted:
                break
    return None


def _head(
    lines: Sequence[Line], span: tuple[int, int], words: int, number: Number | None = None, level: int | None = None
) -> Head:
    """A heading from one line to another, of which it takes `words`."""
    first, last = span
    every = [word for at in range(first, last) for word in lines[at].words] + list(lines[last].words[:words])
    style = style_of(lines[first])
    title = tuple(every[number.words :] if number else every)
    match = _WORD_NUMBER.fullmatch(" ".join(word.text for word in every))
    return Head(first, last - first + 1, words, title, number, level, style, match["word"].lower() if match else None)


# Numbers


def _numbered(lines: Sequence[Line], taken: set[int], measures: Measures) -> Iterator[Head]:
    """Clauses whose numbers are in sequence, with their titles, if they have any."""
    loose = sum(bool(number_at(line.words) and number_at(line.words).spaced) for line in lines) >= _SPACED  # type: ignore[union-attr]
    candidates = []
    for at, line in enumerate(lines):
        number = number_at(line.words, loose=loose)
        if number is None or not _may_start(lines, at, measures):
            continue
        likely = at in taken or _looks_higher(line, number, measures)
        candidates.append(Candidate(at, number, likely))
    for one in in_sequence(candidates):
        if one.line not in taken:
            yield _clause(lines, one, measures)


def _may_start(lines: Sequence[Line], at: int, measures: Measures) -> bool:
    """Whether a paragraph may start here: not in the middle of one, where a reference stands first by chance."""
    line = lines[at]
    above = lines[at - 1] if at else None
    if above is None or above.column != line.column:
        return True
    return line.x0 < above.x0 - 0.5 * line.size or begins([above], line, measures)


def _looks_higher(line: Line, number: Number, measures: Measures) -> bool:
    rest = line.words[number.words :]
    if not rest:
        return line.bold or measures.is_larger(line)
    text = " ".join(word.text for word in rest)
    return rest[0].bold or measures.is_larger(line) or (text.isupper() and len(letters(text)) > 3)


def _clause(lines: Sequence[Line], one: Candidate, measures: Measures) -> Head:
    """The heading of a clause: its number, and the title that stands alone or runs into the text."""
    at, number = one.line, one.number
    line = lines[at]
    rest = line.words[number.words :]
    if _stands_alone(lines, at, rest, measures):
        last = _last_of_title(lines, at, measures)
        return _head(lines, (at, last), len(lines[last].words), number)
    title = _run_in(rest)
    return _head(lines, (at, at), number.words + title, number)


def _stands_alone(lines: Sequence[Line], at: int, rest: Sequence[Word], measures: Measures) -> bool:
    """Whether all of a line is the clause's title."""
    line = lines[at]
    if not rest:
        return True
    text = " ".join(word.text for word in rest)
    if len(text) > _LONGEST:
        return False
    higher = measures.is_larger(line) or (text.isupper() and len(letters(text)) > 3)
    if higher or all(word.bold for word in rest if letters(word.text)):
        return True
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following is None or (following.column == line.column and not begins([line], following, measures)):
        return False
    if _is_title(rest):
        return True
    plain = text[:1].isupper() and not re.search(r"[.,;:!?–—-]$", text) and len(rest) <= _TITLE_WORDS
    return plain and number_at(following.words) is None


def _last_of_title(lines: Sequence[Line], at: int, measures: Measures) -> int:
    """The last line of a title that starts in a line: lines go on in its style, close to each other."""
    last = at
    while last + 1 < len(lines) and last - at + 1 < _MOST_LINES and _goes_on(lines[last], lines[last + 1], measures):
        last += 1
    return last


def _goes_on(above: Line, line: Line, measures: Measures) -> bool:
    if above.column != line.column or style_of(above) != style_of(line) or mark_of(line) or number_at(line.words):
        return False
    if measures.is_body(line) or _WORD_NUMBER.fullmatch(line.text):
        return False
    step = (line.bottom - above.bottom) / line.size
    return 0.5 < step <= 1.7 and (not _TITLE_END.search(above.text) or not is_short(above, line.words[0]))


def _run_in(rest: Sequence[Word]) -> int:
    """How many words are a title that runs into its text: bold ones, or "Usage Rules." in capitals."""
    bold = next((at for at, word in enumerate(rest) if not word.bold), len(rest))
    if 0 < bold < len(rest):
        ends = _TITLE_END.search(rest[bold - 1].text) or _TITLE_END.fullmatch(rest[bold].text)
        said = " ".join(word.text for word in rest[:bold])
        if ends and _LEAST_LETTERS <= len(said) <= _LONGEST and said[0] not in _QUOTES:
            return bold + bool(_TITLE_END.fullmatch(rest[bold].text))
    end = next((at for at, word in enumerate(rest[:_TITLE_WORDS], start=1) if re.search(r"[^.][.:]$", word.text)), 0)
    if end and end < len(rest) and (rest[end].text[:1].isupper() or rest[end].text[:1] in _QUOTES + "("):
        return end if _is_title([*rest[: end - 1], _bare(rest[end - 1])]) else 0
    return 0


def _bare(word: Word) -> Word:
    """A title's last word without its stop."""
    return replace(word, text=word.text[:-1])


def _is_title(words: Sequence[Word]) -> bool:
    """Whether words read as a title by themselves: capitals, and no half sentence."""
    text = " ".join(word.text for word in words)
    if len(letters(text)) < _LEAST_LETTERS or text[0] in _QUOTES or text[-1] in ",;:–—-" or len(words) > _TITLE_WORDS:
        return False
    return text[:1].isupper() and all(_is_capital(word.text) for word in words)


def _is_capital(text: str) -> bool:
    """Whether a word may stand in a title: capitals, or a short word between them."""
    said = text.strip("“”\"'(),.:;&/-–—")
    return len(said) <= 3 or said[:1].isupper() or said[:1].isdigit()


# Looks


def _styled(lines: Sequence[Line], taken: set[int], measures: Measures) -> Iterator[Head]:
    """Lines alone that are larger than the text, in capitals or italics, or "Article IV"; not bold ones.

    Bold lines become headings later, for every format alike.
    """
    at = 0
    sizes = _sizes_of_text(lines)
    while at < len(lines):
        last = _last_of_title(lines, at, measures)
        group = lines[at : last + 1]
        if not taken & set(range(at, last + 1)) and _is_heading(lines, at, last, measures, sizes):
            yield _head(lines, (at, last), len(group[-1].words))
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
    if len(letters(text)) < 2 or len(text) > _LONGEST or starts_caption(text, 0):
        return False
    if mark_of(line) in BULLETS | DASHES or line.words[0].raised:
        return False
    if text[-1] in ",;" or not (text[:1].isalnum() or text[:1] in "“\"'§([¿"):
        return False
    alone = _is_alone(lines, at, last, measures)
    if measures.is_larger(line) and style_of(line).size not in sizes:
        return alone and any(map(str.isalpha, text))
    if measures.is_smaller(line) or not alone or ends_sentence(text):
        return False
    if match := _WORD_NUMBER.fullmatch(text):
        return line.bold or line.caps or not match["rest"].strip() or split_heading(text)[1][:1].isupper()
    if last > at + 2 or last + 1 >= len(lines):
        return False
    looks = (line.caps and len(letters(text)) > 3) or (line.italic and text[:1].isupper())
    return looks and not line.bold and _heads_text(lines, last)


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
