"""What of the raw file is in no element: measured against the file's own characters, not against the parser.

Letters and digits count; white space, punctuation and marks do not, so that a mended hyphen, a bullet or a
cell's border is no loss. Every line of the file is looked for in what was kept, each kept character used once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ingest.blocks import Dropped, SourceLine
from ingest.document import Document, Note
from ingest.elements import Kind
from ingest.markdown.plain import blank, plain
from ingest.places import located

NEAR: Final = 20_000
"""Characters before and after the place of the last line that a line is looked for in first: columns, footnotes
and running heads move text by pages, not by chapters."""
TELLING: Final = 12
"""Letters of a word or line that is looked for everywhere if it is not near."""
MOST_LINES: Final = 64
"""Lines of one text that was dropped as a whole, such as a header row."""
SHOWN: Final = 120
"""Characters of a lost line that a note quotes."""
_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n.*?^(?:\1|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_WORD: Final = re.compile(r"[^\W_]+")
_LINE_END: Final = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class LostLine:
    """A line of the file with words that are in no element and were not left out on purpose."""

    where: str
    text: str
    words: tuple[str, ...]
    """The words that are missing; all of the line's where the line is."""

    @property
    def shown(self) -> str:
        """The beginning of the line."""
        return self.text if len(self.text) <= SHOWN else f"{self.text[: SHOWN - 3]}..."


@dataclass(frozen=True, slots=True)
class Tally:
    """Letters and digits of one place (a page), or of a whole file."""

    where: str
    characters: int
    kept: int
    dropped: int
    lost: int


@dataclass(frozen=True, slots=True)
class Loss:
    """What became of the characters of a file."""

    places: tuple[Tally, ...]
    """By page in order; one for a file without pages."""
    dropped: Mapping[str, int]
    """Characters left out on purpose, by reason."""
    lines: tuple[LostLine, ...]

    @property
    def total(self) -> Tally:
        """The sum over all places."""
        sums = (sum(getattr(one, name) for one in self.places) for name in ("characters", "kept", "dropped", "lost"))
        return Tally("", *sums)


def measure(source: Sequence[SourceLine], kept: Iterable[str], dropped: Sequence[Dropped] = ()) -> Loss:
    """Look for every line of `source` in the texts that were kept, then among those dropped on purpose.

    A line that is kept only in part loses the words that are not there. Lines that were dropped or kept whole come
    first, so that the words of another one (a table's row, each cell of which is kept elsewhere) do not use up theirs.
    """
    remains, reasons = _Remains(kept), _Reasons(dropped)
    together = reasons.together(source)
    fates = [_dropped(line) if at in together else _whole(line, remains, reasons) for at, line in enumerate(source)]
    counts: dict[str, list[int]] = {}
    lines = []
    near: int | None = None
    for line, (size, left_out, behind) in zip(source, fates, strict=True):
        # Of short lines one after the other, each is looked for behind the one before, however many there are.
        missing = remains.words(line.text, None if behind == near else behind) if behind is not None else []
        near = behind if behind is not None else near
        gone = reasons.without(_place(line.where), missing)
        gone = [word for word in gone if not _glued(word, _place(line.where), remains, reasons)]
        dropped_here = left_out + _size(missing) - _size(gone)
        counted = (size, size - dropped_here - _size(gone), dropped_here, _size(gone))
        tally = counts.setdefault(_place(line.where), [0, 0, 0, 0])
        tally[:] = [one + more for one, more in zip(tally, counted, strict=True)]
        if gone:
            lines.append(LostLine(line.where, " ".join(line.text.split()), tuple(gone)))
    tallies = tuple(Tally(where, *numbers) for where, numbers in counts.items())
    return Loss(tallies, reasons.used, tuple(lines))


def _glued(word: str, place: str, remains: _Remains, reasons: _Reasons) -> bool:
    """Whether one part of a word was dropped and the other kept: a hidden run ends where words begin, without a gap."""
    for cut in range(1, len(word)):
        for out, stays in ((word[:cut], word[cut:]), (word[cut:], word[:cut])):
            if remains.holds(stays) and not reasons.without(place, [out]):
                return remains.use(stays)
    return False


def _dropped(line: SourceLine) -> tuple[int, int, None]:
    size = len(_squeezed(line.text))
    return size, size, None


def _whole(line: SourceLine, remains: _Remains, reasons: _Reasons) -> tuple[int, int, int | None]:
    """A line's size, how much of it was dropped in one piece, and if it is not there in one, the place to look near."""
    whole = _squeezed(line.text)
    if reasons.line(_place(line.where), whole):
        return len(whole), len(whole), None
    behind = remains.place
    return len(whole), 0, None if remains.line(whole) else behind


def _place(where: str) -> str:
    return where.partition(",")[0] if where.startswith("page ") else ""


def _squeezed(text: str) -> str:
    return "".join(_WORD.findall(text))


def _size(words: Sequence[str]) -> int:
    return sum(map(len, words))


class _Remains:
    """Characters that no line has used yet; whole lines are to be looked for first, then the words of the others."""

    def __init__(self, texts: Iterable[str]) -> None:
        words = [_WORD.findall(text) for text in texts]
        # Without a sign between: a line may hold the end of one element and the start of the next.
        self._text = "".join("".join(found) for found in words)
        self._used = bytearray(len(self._text))
        self._words = words
        self._free: dict[str, list[int]] | None = None
        self.place = 0
        """Behind what was found last."""

    def line(self, whole: str) -> bool:
        """Whether a line is there, in one piece; its characters are used up. A short one is left to `words`."""
        return not whole or (len(whole) >= TELLING and self.use(whole))

    def words(self, line: str, place: int | None) -> list[str]:
        """The words of a line that are not there; near `place`, whole words that no line has used come first.

        Args:
            place: None for behind what was found last.
        """
        self.place = self.place if place is None else place
        return [word for word in _WORD.findall(line) if not (self._use_word(word) or self.use(word))]

    def _use_word(self, word: str) -> bool:
        if self._free is None:
            self._free = self._unused()
        starts = self._free.get(word, [])
        at = bisect_left(starts, self.place)
        for nearest in (at, at - 1):
            if 0 <= nearest < len(starts) and (abs(starts[nearest] - self.place) <= NEAR or len(word) >= TELLING):
                self._take(starts.pop(nearest), len(word))
                return True
        return False

    def _unused(self) -> dict[str, list[int]]:
        """Where each word stands of which no character is used."""
        found: dict[str, list[int]] = {}
        start = 0
        for text in self._words:
            for word in text:
                if not any(self._used[start : start + len(word)]):
                    found.setdefault(word, []).append(start)
                start += len(word)
        return found

    def use(self, wanted: str) -> bool:
        """Whether some text is there, near what was found last; its characters are used up."""
        at = self._near(wanted)
        if at >= 0:
            self._take(at, len(wanted))
        return at >= 0

    def holds(self, wanted: str) -> bool:
        """Whether some text is there; nothing is used up."""
        return self._near(wanted) >= 0

    def _near(self, wanted: str) -> int:
        windows = [(self.place, self.place + NEAR), (max(0, self.place - NEAR), self.place + len(wanted))]
        # A short word is everywhere: far away, it is another one.
        windows += [(0, len(self._text))] if len(wanted) >= TELLING else []
        return next((at for window in windows if (at := self._find(wanted, *window)) >= 0), -1)

    def _take(self, at: int, size: int) -> None:
        self.place = at + size
        self._used[at : self.place] = b"\1" * size

    def _find(self, wanted: str, start: int, end: int) -> int:
        at = self._text.find(wanted, start, end)
        while at >= 0 and any(self._used[at : at + len(wanted)]):
            at = self._text.find(wanted, at + 1, end)
        return at


class _Reasons:
    """What was dropped on purpose, by place and reason, to be used up by what is missing there."""

    def __init__(self, dropped: Sequence[Dropped]) -> None:
        texts: dict[str, dict[str, list[str]]] = {}
        self._whole: dict[tuple[str, str], list[str]] = {}
        self._by_words: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        """The same by their words in alphabetical order."""
        for one in dropped:
            texts.setdefault(_place(one.where), {}).setdefault(one.reason, []).append(one.text)
            self._whole.setdefault((_place(one.where), _squeezed(one.text)), []).append(one.reason)
            words = tuple(sorted(_WORD.findall(one.text)))
            self._by_words.setdefault((_place(one.where), words), []).append(_squeezed(one.text))
        self._sizes = {(place, len(whole)) for place, whole in self._whole}
        self._longest = dict(sorted(self._sizes))
        self._remains = {
            place: {reason: _Remains(found) for reason, found in reasons.items()} for place, reasons in texts.items()
        }
        self.used: dict[str, int] = {}

    def together(self, source: Sequence[SourceLine]) -> set[int]:
        """Which lines are, with their neighbours, all of one dropped text, in whatever order of its words.

        A repeated header is dropped as a row, cell after cell, and stands in the file line by line. Left to `line`,
        its lines would use up those of a kept table with the same header, which then would look lost.
        """
        places = [_place(line.where) for line in source]
        words = [_WORD.findall(line.text) for line in source]
        found: set[int] = set()
        for first in range(len(source)):
            if first not in found:
                found.update(range(first, self._end_of_run(places, words, first)))
        return found

    def _end_of_run(self, places: Sequence[str], words: Sequence[list[str]], first: int) -> int:
        """Behind the lines from `first` on that are one dropped text, which is used up; `first` where none is."""
        run: list[str] = []
        size, longest = 0, self._longest.get(places[first], 0)
        for last in range(first, min(first + MOST_LINES, len(words))):
            if places[last] != places[first] or size >= longest:
                break
            run += words[last]
            size += _size(words[last])
            if (places[first], size) in self._sizes and self._take(places[first], run):
                return last + 1
        return first

    def _take(self, place: str, words: list[str]) -> bool:
        wholes = self._by_words.get((place, tuple(sorted(words))), [])
        return bool(wholes) and self.line(place, wholes.pop())

    def line(self, place: str, whole: str) -> bool:
        """Whether a line is just what was dropped there, or a piece of it, which is used up."""
        reasons = self._whole.get((place, whole), []) if whole else []
        if reasons:
            reason = reasons.pop()
            self._remains[place][reason].use(whole)
        else:
            found = (reason for reason, remains in self._remains.get(place, {}).items() if remains.line(whole))
            reason = next(found, "") if whole else ""
        if reason:
            self.used[reason] = self.used.get(reason, 0) + len(whole)
        return bool(reason)

    def without(self, place: str, missing: list[str]) -> list[str]:
        """The missing words that nobody dropped."""
        for reason, remains in self._remains.get(place, {}).items() if missing else ():
            before = _size(missing)
            missing = [] if remains.line("".join(missing)) else remains.words(" ".join(missing), remains.place)
            self.used[reason] = self.used.get(reason, 0) + before - _size(missing)
        return missing


def kept_texts(document: Document, *, rendered: bool) -> list[str]:
    """The texts of all elements, each once, without what their reader made of its own.

    `rendered`: as seen, for a text that was written by `ingest.writing`.
    """
    seen = document.text if rendered else blank(document.text)
    found = []
    for section in document.sections:
        own = section.end - section.start
        for element in section.elements:
            if element.end <= own:
                words = seen[section.start + element.start : section.start + element.end]
                # Verbatim text may hold tags and links, as words.
                words = plain(words) if rendered and element.kind is not Kind.CODE else words
                found.append(_without(words, element.made) if element.made else words)
    return found


def _without(text: str, made: Sequence[str]) -> str:
    """The words of a text but for those that its reader made; of equal ones, whichever come first.

    A footnote's mark, "[^1]", is not any other 1: without that of a table's caption, the caption would look lost.
    """
    parts, at = [], 0
    for one in made:
        wanted = r"[\W_]+".join(_WORD.findall(one))
        before = r"\[\^" if one.startswith("[^") else r"(?<![^\W_])"
        found = re.compile(rf"{before}{wanted}(?![^\W_])").search(text, at) if wanted else None
        if found:
            parts.append(text[at : found.start()])
            at = found.end()
    return " ".join(_WORD.findall(" ".join([*parts, text[at:]])))


def markdown_lines(raw: str) -> list[SourceLine]:
    """The lines of a Markdown file that have words, comments and tags blanked, front matter left out."""
    text = _LINE_END.sub("\n", raw)
    front = _FRONT_MATTER.match(text)
    skipped = text.count("\n", 0, front.end()) + 1 if front else 0
    lines = blank(text[front.end() :] if front else text).split("\n")
    first = skipped if front else 1
    return [SourceLine(f"line {first + place}", line) for place, line in enumerate(lines) if _WORD.search(line)]


def lost_notes(loss: Loss, where: str) -> list[Note]:
    """A note for every lost line of the file at `where`."""
    return [Note("lost-line", located(where, line.where), _lost(line)) for line in loss.lines]


def _lost(line: LostLine) -> str:
    if len(line.words) == len(_WORD.findall(line.text)):
        return f"not in any section: {line.shown}"
    return f"not in any section: {' '.join(line.words)[:SHOWN]} (of: {line.shown})"


def lost_lines(document: Document, raw: str) -> list[Note]:
    """A note for every line of the Markdown `raw` with words that stand in no element of `document`."""
    return lost_notes(measure(markdown_lines(raw), kept_texts(document, rendered=False)), document.doc_id)
