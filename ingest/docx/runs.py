"""The words of a paragraph in order, with how they look and where they lead; what is not shown is reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from ingest.docx.equations import equation
from ingest.docx.faces import PLAIN, Around, Face, Look, face_of, look_of
from ingest.docx.fields import CODE, Field, field_of
from ingest.docx.names import (
    BOOKMARK,
    BREAK,
    DELETED_TEXT,
    ENDNOTE_MARK,
    FIELD_CHAR,
    FOOTNOTE_MARK,
    HYPERLINK,
    ID,
    MATH,
    MATH_BLOCK,
    OFFICE,
    PLACE,
    RETURN,
    RPR,
    RUN,
    SIMPLE_FIELD,
    TAB,
    TEXT,
    Node,
    R,
    W,
    is_on,
    whole,
)
from ingest.docx.notes import Notes
from ingest.docx.package import Relation
from ingest.docx.report import DELETED, FIELD_CODE, HIDDEN, TABLE_OF_CONTENTS, Report
from ingest.docx.styles import ParagraphStyle, Styles
from ingest.docx.symbols import PRIVATE, is_symbolic, sign
from ingest.markdown.plain import has_words

_BLANKS: Final = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\u00ad": None, "\n": " ", "\t": " "})
"""Blanks of other widths, and the hyphen that shows only at the end of a line."""
_UNSAFE: Final = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E"})
"""What Markdown cannot hold in the destination of a link."""
_PICTURES: Final = (W + "drawing", W + "pict", W + "object")
_CHECK_BOX: Final = f"{W}ffData/{W}checkBox"
_DROP_DOWN: Final = f"{W}ffData/{W}ddList"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one look."""

    text: str
    look: Look
    href: str | None = None
    note: str | None = None
    made: bool = False
    """Whether the file does not hold them as words, so that they make up for none of its own."""


@dataclass(slots=True)
class Words:
    """What a paragraph holds."""

    place: str
    pieces: list[Piece] = field(default_factory=list)
    pictures: list[Node] = field(default_factory=list)
    """Drawings and shapes, which may hold text boxes."""
    bookmarks: list[str] = field(default_factory=list)
    listed: bool = False
    """Whether words were left out as a table of contents."""
    hidden: bool = False
    """Whether words were left out as hidden text."""

    @property
    def empty(self) -> bool:
        """Whether nothing is shown."""
        return not any(piece.note or piece.text.strip() for piece in self.pieces)


@dataclass(slots=True)
class RunReader:
    """Reads paragraphs of one story (body, notes) in order; fields may go on from one to the next."""

    styles: Styles
    notes: Notes
    relations: dict[str, Relation]
    report: Report
    _fields: list[Field] = field(default_factory=list)
    _looks: dict[tuple[Face, str, Around], Look] = field(default_factory=dict)
    _words: Words = field(default_factory=lambda: Words(""))
    _style: ParagraphStyle = field(default_factory=ParagraphStyle)
    _around: Around = field(default_factory=Around)

    def read(self, paragraph: Node, style: ParagraphStyle, around: Around) -> Words:
        """The words of a paragraph."""
        self._words = Words(paragraph.get(PLACE, ""))
        self._style, self._around = style, around
        if paragraph.tag in (MATH, MATH_BLOCK):
            self._say(equation(paragraph), PLAIN, None)
        else:
            self._children(paragraph, None)
        self._words.pieces = list(_merged(self._words.pieces))
        return self._words

    def aside(self) -> RunReader:
        """A reader of what lies inside of a paragraph, such as a text box: its fields are its own."""
        return RunReader(self.styles, self.notes, self.relations, self.report, _looks=self._looks)

    def _children(self, parent: Node, href: str | None) -> None:
        for child in parent:
            tag = child.tag
            if tag == RUN:
                self._run(child, href)
            elif tag == HYPERLINK:
                self._children(child, self._destination(child) or href)
            elif tag == SIMPLE_FIELD:
                self._open(field_of(child.get(W + "instr", "")).result())
                self._children(child, href)
                self._fields.pop()
            elif tag in (MATH, MATH_BLOCK):
                self._say(equation(child), PLAIN, href)
            elif tag == BOOKMARK:
                self._words.bookmarks.append(child.get(W + "name", ""))
            elif tag == W + "subDoc":
                self.report.remark(
                    "embedded-part", self._words.place, "a part of the text is in another file: not read"
                )

    def _destination(self, link: Node) -> str | None:
        relation = self.relations.get(link.get(R + "id", ""))
        address = relation.target if relation and relation.external else ""
        anchor = link.get(W + "anchor")
        return address + (f"#{anchor}" if anchor else "") or None

    # Runs

    def _run(self, run: Node, href: str | None) -> None:
        face = PLAIN
        for child in run:
            tag = child.tag
            if tag == TEXT:
                self._say(child.text or "", face, href)
            elif tag == RPR:
                face = face_of(child)
            elif (act := _ACTS.get(tag)) is not None:
                act(self, child, face, href)

    def _say(self, text: str, face: Face, href: str | None) -> None:
        if not text:
            return
        look = self._look(face)
        if not text.isascii():
            text = self._signs(text, look.font) if PRIVATE.search(text) else text
        if self._fields and (reason := self._unshown()):
            self.report.drop(reason, self._words.place, text)
            self._words.listed |= reason == TABLE_OF_CONTENTS
        elif look.hidden:
            self.report.drop(HIDDEN, self._words.place, text)
            self._words.hidden = True
        else:
            href = href or self._field_href()
            self._words.pieces.append(Piece(text.translate(_BLANKS), look, href and href.translate(_UNSAFE)))

    def _look(self, face: Face) -> Look:
        key = (face, self._style.id, self._around)
        found = self._looks.get(key)
        if found is None:
            character = self.styles.character(face.style)
            found = look_of(face, character, self._style.face, self.styles.default, self._around)
            self._looks[key] = found
        return found

    def _signs(self, text: str, font: str | None) -> str:
        def shown(char: str) -> str:
            return self._sign(font if is_symbolic(font) else "Symbol", ord(char)) if PRIVATE.match(char) else char

        return "".join(map(shown, text))

    def _sign(self, font: str | None, code: int) -> str:
        found = sign(font or "Symbol", code)
        if found is None:
            self.report.symbols[f"{font or 'Symbol'} {code & 0xFF:02X}"] += 1
        return found or ""

    # What runs hold besides text

    def _gap(self, _: Node, face: Face, href: str | None) -> None:
        self._put(" ", face, href)

    def _put(self, text: str, face: Face, href: str | None) -> None:
        """Words and breaks that the file does not hold as text."""
        look = self._look(face)
        if not look.hidden and not (self._fields and self._unshown()):
            href = href or self._field_href()
            self._words.pieces.append(Piece(text, look, href and href.translate(_UNSAFE), made=has_words(text)))

    def _line(self, _: Node, face: Face, href: str | None) -> None:
        # A page or column break parts words as a line break does.
        self._put("\n", face, href)

    def _hyphen(self, _: Node, face: Face, href: str | None) -> None:
        self._put("-", face, href)

    def _symbol(self, node: Node, face: Face, href: str | None) -> None:
        try:
            code = int(node.get(W + "char", ""), 16)
        except ValueError:
            return
        self._put(self._sign(node.get(W + "font"), code), face, href)

    def _deleted(self, node: Node, *_: object) -> None:
        # Outside of w:del no writer puts it; it is never shown.
        self.report.drop(DELETED, self._words.place, node.text or "")

    def _note(self, node: Node, face: Face, _: str | None) -> None:
        if self._look(face).hidden or (self._fields and self._unshown()):
            return
        custom = node.get(W + "customMarkFollows") in ("1", "true", "on")
        label = self.notes.label(node.tag, node.get(ID, ""), counts=not custom)
        if label is not None:
            self._words.pieces.append(Piece("", self._look(PLAIN), note=label, made=True))

    def _ruby(self, node: Node, face: Face, href: str | None) -> None:
        for name, form in (("rubyBase", "{}"), ("rt", " ({})")):
            text = "".join(one.text or "" for part in node.iterchildren(W + name) for one in part.iter(TEXT))
            self._say(form.format(text) if text else "", face, href)

    def _picture(self, node: Node, *_: object) -> None:
        self._words.pictures.append(node)
        embedded = node.find(f".//{OFFICE}OLEObject")
        if embedded is not None:
            program = embedded.get("ProgID", "object")
            self.report.remark("embedded-part", self._words.place, f"an embedded {program} is not read")

    # Fields

    def _field(self, node: Node, face: Face, href: str | None) -> None:
        code, kind = node.get(CODE), node.get(W + "fldCharType")
        if code is None:
            return
        if kind == "begin":
            self._open(field_of(code))
            self._form(node, face, href)
        elif self._fields and kind == "separate":
            self._fields[-1] = self._fields[-1].result()
        elif self._fields and kind == "end":
            self._fields.pop()

    def _open(self, one: Field) -> None:
        self._fields.append(one)
        if one.is_counter:
            message = f"a {one.kind} field shows a number that the file does not hold; type it, or use a numbered list"
            self.report.remark("field-number", self._words.place, message)

    def _form(self, node: Node, face: Face, href: str | None) -> None:
        """What a check box or drop-down list of a form shows; it has no text of its own."""
        shown = ""
        if (box := node.find(_CHECK_BOX)) is not None:
            state = box.find(W + "checked")
            shown = "☒" if is_on(state if state is not None else box.find(W + "default")) else "☐"
        elif (choice := node.find(_DROP_DOWN)) is not None:
            entries = [entry.get(W + "val", "") for entry in choice.iterchildren(W + "listEntry")]
            result = choice.find(W + "result")
            place = whole(result.get(W + "val")) if result is not None else 0
            shown = entries[place] if 0 <= place < len(entries) else ""
        if shown:
            code, self._fields[-1] = self._fields[-1], self._fields[-1].result()
            self._put(shown, face, href)
            self._fields[-1] = code

    def _unshown(self) -> str | None:
        """Why words at this place are not shown, or stand elsewhere."""
        if any(one.in_code for one in self._fields):
            return FIELD_CODE
        return TABLE_OF_CONTENTS if any(one.is_listing for one in self._fields) else None

    def _field_href(self) -> str | None:
        return next((one.href for one in reversed(self._fields) if one.href), None) if self._fields else None


def _merged(pieces: list[Piece]) -> Iterator[Piece]:
    """Neighbours of one look as one; Word cuts runs wherever somebody typed."""
    for (look, href, note, made), group in groupby(pieces, key=lambda one: (one.look, one.href, one.note, one.made)):
        yield Piece("".join(one.text for one in group), look, href, note, made)


_Act = Callable[[RunReader, Node, Face, "str | None"], None]
_ACTS: Final[dict[str, _Act]] = {
    TAB: RunReader._gap,
    W + "ptab": RunReader._gap,
    BREAK: RunReader._line,
    RETURN: RunReader._line,
    W + "noBreakHyphen": RunReader._hyphen,
    W + "sym": RunReader._symbol,
    DELETED_TEXT: RunReader._deleted,
    FIELD_CHAR: RunReader._field,
    FOOTNOTE_MARK: RunReader._note,
    ENDNOTE_MARK: RunReader._note,
    W + "ruby": RunReader._ruby,
    **dict.fromkeys(_PICTURES, RunReader._picture),
}
