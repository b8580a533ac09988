"""One walk over a page: text becomes paragraphs, and each element folds the blocks inside it when it ends."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from ingest.elements import Kind
from ingest.html import folds
from ingest.html.anchors import Anchors
from ingest.html.css import Style, Styles
from ingest.html.drafts import Draft, paragraphs
from ingest.html.findings import Findings
from ingest.html.folds import FOLDS, Frame
from ingest.html.furniture import CONTENTS, NAVIGATION, furniture
from ingest.html.lists import Counters, opened
from ingest.html.looks import IFRAME, Look, hidden, look_of
from ingest.html.names import BLOCKS, LISTS, VOID
from ingest.html.notes import Notes, find_notes
from ingest.html.office import is_mark, is_titled, without_bullet
from ingest.html.opening import Opener, Spot
from ingest.html.said import lines_of, spoken, words
from ingest.html.tables import layout_tables
from ingest.html.tree import Node, Page
from ingest.markdown.escape import Run
from ingest.settings import IngestSettings

_SPACE: Final = re.compile(r"\s+")
_CONTENTS_TITLE: Final = re.compile(
    r"\W*(?:(?:table\s+of\s+)?contents|(?:on|in)\s+this\s+(?:page|article|section))\W*", re.I
)
_INLINE_BLOCKS: Final = frozenset({"p", "div"})
_STRUCK: Final = frozenset({"del", "s", "strike"})
_EMBEDDED: Final = {"frame": "src", "embed": "src", "object": "data"}
_BOXES: Final = {"checkbox": ("☐ ", "☑ "), "radio": ("○ ", "◉ ")}
_FIELDS: Final = frozenset({"button", "select", "textarea"})
BETWEEN_OPTIONS: Final = " / "


@dataclass(slots=True)
class Walk:
    """The blocks of a page, and what was left out or noticed on the way."""

    page: Page
    settings: IngestSettings
    where: str
    findings: Findings = field(default_factory=Findings)
    anchors: Anchors = field(default_factory=Anchors)
    sizes: Counter[float] = field(default_factory=Counter)
    """Words of each font size."""
    passed: int = 0
    """Words of the page so far."""
    _runs: list[Run] = field(default_factory=list)
    _start: tuple[int, int] = (0, 0)
    """Of the runs: line in the file, words before."""
    _size: float = inf
    """Of their smallest words."""
    _spots: list[Spot] = field(default_factory=list)
    _frames: list[Frame] = field(default_factory=list)
    _styles: Styles = field(init=False)
    _counters: Counters = field(init=False)
    _notes: Notes = field(init=False)
    _furniture: dict[Node, str] = field(init=False)
    _opener: Opener = field(init=False)

    def read(self) -> list[Draft]:
        """The page's blocks in order."""
        body = self.page.body
        styles = Styles(self.page.sheets)
        self.findings.styles_ignored(styles.ignored)
        self._prepare(styles)
        # Pages hide all of themselves until a script has run; a reader sees them then.
        look = replace(look_of(body, styles.of(body), Look(), styled_elsewhere=False), visible=True)
        self._counters.enter(body, styles.of(body))
        frame = Frame("page", body, 0, [])
        self._frames, self._spots = [frame], [Spot(body, look, block=True)]
        while self._spots:
            spot = self._spots[-1]
            if spot.at == len(spot.node.children):
                self._leave()
                continue
            child = spot.node.children[spot.at]
            spot.at += 1
            if isinstance(child, str):
                self._text(child, spot)
            else:
                self._enter(child, spot)
        self.findings.seen()
        return frame.drafts

    def _prepare(self, styles: Styles) -> None:
        body = self.page.body
        self._styles = styles
        self._counters = Counters(styles)
        self._notes = find_notes(body, styles)
        self._furniture = furniture(body)
        for note in self._notes.notes:
            for around in note.above():
                self._furniture.pop(around, None)
        self._opener = Opener(self._notes.notes, layout_tables(body, styles), self.where)

    # Elements

    def _enter(self, node: Node, above: Spot) -> None:
        if label := self._notes.marks.get(node):
            self.passed += 1
            self._add(Run("", note=label), above)
            return
        self.anchors.pass_by(node, self.passed)
        style = self._styles.of(node)
        if self._leaves_out(node, style):
            return
        look = look_of(node, style, above.look, styled_elsewhere=self.page.linked_styles)
        if is_mark(style):
            self._word_mark(node, above)
            return
        if node.tag in VOID:
            self._void(node, look, above)
            return
        number = self._counters.enter(node, style)
        spot = Spot(node, look, _is_block(node, style))
        if spot.block:
            self._flush()
        self._spots.append(spot)
        self._open(spot, style, number)

    def _leaves_out(self, node: Node, style: Style) -> bool:
        """Whether an element is none of the text; its words are then accounted for."""
        reason = self._furniture.get(node) or self._reason(node, style)
        why = None if reason else hidden(node, style)
        if not reason and not why:
            return False
        if node.tag in BLOCKS:
            self._flush()
        left_out = lines_of(node)
        if why == IFRAME:
            self.findings.embed(node.line, node.tag, node.get("src"))
        if why and why != IFRAME:
            self.findings.hide(node.line, why, left_out)
        elif reason == "deleted revision":
            self.findings.delete(node.line, left_out)
        else:
            self.findings.drop(reason or "hidden text", node.line, left_out)
        if reason == CONTENTS:
            self._drop_title()
        return True

    def _reason(self, node: Node, style: Style) -> str | None:
        if node in self._notes.repeats:
            return "duplicate"
        if node in self._notes.headings:
            return NAVIGATION
        if node.tag == "noscript":
            return "script"
        struck = "line-through" in f"{style.get('text-decoration')} {style.get('text-decoration-line')}"
        if node.tag in _STRUCK or struck or "msoDel" in node.classes:
            return "deleted revision"
        # The sign beside a heading that links to itself.
        is_sign = node.tag == "a" and self._frames[-1].name == "heading" and node.get("href").startswith("#")
        return NAVIGATION if is_sign and not any(map(str.isalnum, words(node))) else None

    def _drop_title(self) -> None:
        """The line "Contents" above a table of contents."""
        drafts = self._frames[-1].drafts
        if drafts and _CONTENTS_TITLE.fullmatch(drafts[-1].text):
            title = drafts.pop()
            self.findings.drop(CONTENTS, title.line, [title.text])

    def _leave(self) -> None:
        spot = self._spots[-1]
        if spot.after:
            self._say(spot.after, spot)
        if spot.block:
            self._flush()
        self._spots.pop()
        self._counters.leave(spot.node)
        if spot.frame:
            frame = self._frames.pop()
            made = folds.table(frame, self.settings) if frame.name == "table" else FOLDS[frame.name](frame)
            self._frames[-1].drafts += made
        if spot.node.tag in LISTS:
            self._frames[-1].lists.pop()

    def _open(self, spot: Spot, style: Style, number: str) -> None:
        node, above = spot.node, self._spots[-2]
        frame = self._opener.frame(spot, style, number, self._frames[-1], self.passed)
        if frame:
            spot.frame = frame
            self._frames.append(frame)
        if number and (frame is None or frame.name != "item"):
            self._add(Run(f"{number} ", spot.look.bold, spot.look.href, made=True), spot)
        if node.tag in LISTS:
            lists = self._frames[-1].lists
            lists.append(opened(node, spot.look, lists[-1].depth if lists else 0, self._styles))
        elif node.tag == "q":
            self._say("“", spot)
            spot.after = "”"
        elif node.tag in _FIELDS:
            self._say(" ", spot)
            spot.after = " "
        elif node.tag == "option" and self._runs and self._runs[-1].text.strip():
            self._say(BETWEEN_OPTIONS, spot)
        elif spot.look.raised and not above.look.raised and self._follows_digit() and words(node).isdigit():
            # Ten to the sixth is not one hundred and six.
            self._say("^", spot)
        elif node.tag in _EMBEDDED:
            self.findings.embed(node.line, node.tag, node.get(_EMBEDDED[node.tag]))
        elif (node.tag == "ins" or "msoIns" in node.classes) and any(map(str.isalnum, words(node))):
            self.findings.insert()

    def _follows_digit(self) -> bool:
        return bool(self._runs) and self._runs[-1].text[-1:].isdigit()

    def _word_mark(self, node: Node, above: Spot) -> None:
        mark, frame = words(node), self._frames[-1]
        if frame.name != "word item":
            self._say(f"{mark} ", above)
        elif any(map(str.isalnum, mark)) and not (len(mark) == 1 and mark in "o§"):
            frame.mark = mark

    def _void(self, node: Node, look: Look, above: Spot) -> None:
        """An element without content."""
        if node.tag == "br":
            self._add(Run("\n"), above)
        elif node.tag == "hr":
            self._flush()
        elif node.tag in _EMBEDDED:
            self.findings.embed(node.line, node.tag, node.get(_EMBEDDED[node.tag]))
        elif box := _BOXES.get(node.get("type").lower() if node.tag == "input" else ""):
            self._say(box["checked" in node.attributes], above)
        elif shown := spoken(node):
            self._text(f" {shown} ", Spot(node, look))

    # Text

    def _text(self, text: str, spot: Spot) -> None:
        why = spot.look.unseen
        if why and not text.isspace():
            self.findings.hide(spot.node.line, why, text.split("\n"))
        else:
            self._say(text, spot)

    def _say(self, text: str, spot: Spot) -> None:
        look = spot.look
        self._add(Run(text if look.verbatim else _SPACE.sub(" ", text), look.bold, look.href), spot)

    def _add(self, run: Run, spot: Spot) -> None:
        if not self._runs:
            self._start, self._size = (spot.node.line, self.passed), inf
        self._runs.append(run)
        if count := len(run.text.split()):
            self.passed += count
            self.sizes[spot.look.size] += count
            self._size = min(self._size, spot.look.size)
            self.findings.seen()

    def _flush(self) -> None:
        """The text since the last block is a paragraph, or several where empty lines part them."""
        if not self._runs:
            return
        runs, self._runs = self._runs, []
        frame, (line, at) = self._frames[-1], self._start
        if frame.name == "code":
            text = "".join(run.text or f"[{run.note}]" for run in runs)
            if text.strip():
                frame.drafts.append(Draft(Kind.CODE, [], line, at, frame.level, code=text))
            return
        node = self._spots[-1].node
        role = "titled" if is_titled(node) else ""
        for lines in paragraphs(runs):
            draft = Draft(Kind.PARAGRAPH, lines, line, at, frame.level, size=self._size, role=role)
            frame.drafts.append(without_bullet(node, draft))


def _is_block(node: Node, style: Style) -> bool:
    display = style.get("display", "")
    if node.tag in BLOCKS:
        return node.tag != "option" and not (display == "inline" and node.tag in _INLINE_BLOCKS)
    return display.startswith(("block", "flex", "grid", "table", "list-item"))
