"""Footnotes: marks that link to a note, the notes, and the links back.

As pandoc, kramdown, Sphinx, Wikipedia, Word, LibreOffice and Google Docs write them: a link with a short raised
label, or one that says what it is, to an item, paragraph or division further down that is no heading.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from ingest.html.css import Styles
from ingest.html.names import BLOCKS, HEADINGS
from ingest.html.said import words
from ingest.html.tree import Node

_LABEL: Final = re.compile(
    r"[\[(]?\s*(?:(?:note|fn|nb)\.?\s*)?(\d{1,4}|[a-zA-Z]|[ivxl]{2,6}|[*†‡§¶#]{1,4})\s*[\])]?", re.IGNORECASE
)
_HINT: Final = re.compile(
    r"(?:^|[-_:])_?(?:fn|ftn|ftnt|edn|sdfootnote|sdendnote|note|footnote|endnote|cite)(?![a-z])", re.IGNORECASE
)
_MARK_CLASSES: Final = frozenset(
    {"footnote-ref", "footnoteref", "footnote-reference", "sdfootnoteanc", "sdendnoteanc", "noteref"}
)
_NOTES: Final = frozenset({"li", "p", "div", "aside", "section", "dd", "dt", "blockquote"})
_WRAPPERS: Final = frozenset({"div", "aside", "li", "section"})
_SECTION: Final = re.compile(r"(?:^|[-_ ])(?:foot|end)notes?(?:$|[-_ ])", re.IGNORECASE)
LONGEST_MARK: Final = 12
"""Characters of a mark with its brackets."""


@dataclass(slots=True)
class Notes:
    """What of a page belongs to its footnotes."""

    marks: dict[Node, str] = field(default_factory=dict)
    """Elements that are a mark, to the label of the note."""
    notes: dict[Node, str] = field(default_factory=dict)
    """Elements that are a note, to its label."""
    repeats: set[Node] = field(default_factory=set)
    """Links back and labels that are repeated at the note."""
    headings: set[Node] = field(default_factory=set)
    """Headings above nothing but notes."""


def anchors(root: Node) -> dict[str, Node]:
    """Elements by the ids and names that links can lead to."""
    found: dict[str, Node] = {}
    for node in root.elements():
        for name in (node.get("id"), node.get("name") if node.tag == "a" else ""):
            if name:
                found.setdefault(name, node)
    return found


def find_notes(root: Node, styles: Styles) -> Notes:
    """The footnotes of a page."""
    targets = anchors(root)
    places = {node: place for place, node in enumerate(root.elements())}
    links = [node for node in places if node.tag == "a" and node.get("href").startswith("#")]
    finder = _Finder(targets, places, styles)
    for link in links:
        finder.look_at(link)
    return finder.settled(links)


@dataclass(slots=True)
class _Finder:
    targets: dict[str, Node]
    places: dict[Node, int]
    """Elements in the order of the page."""
    styles: Styles
    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    """Link and note."""
    terms: dict[Node, Node] = field(default_factory=dict)
    """Terms and texts of definition lists, each to the other where they stand side by side."""
    heavy: dict[Node, bool] = field(default_factory=dict)
    """Whether a heading or table stands in an element, where that was looked up."""

    def __post_init__(self) -> None:
        for node in self.places:
            if node.tag == "dl":
                self.terms |= _sides(node.nodes)

    def look_at(self, link: Node) -> None:
        target = self.targets.get(link.get("href")[1:])
        if target is None or not _LABEL.fullmatch(words(link)[:LONGEST_MARK]) or not self._is_mark(link):
            return
        note = self._note_at(target)
        if note and self.places[note] > self.places[link] and not self._is_heavy(note):
            self.pairs.append((link, note))

    def _is_heavy(self, note: Node) -> bool:
        if note not in self.heavy:
            self.heavy[note] = any(node.tag in HEADINGS or node.tag == "table" for node in note.elements())
        return self.heavy[note]

    def _note_at(self, target: Node) -> Node | None:
        """The block that a link leads to; of a term, the text beside it."""
        node: Node | None = target
        while node is not None and node.tag not in BLOCKS:
            node = node.parent
        if node is None or node.tag not in _NOTES:
            return None
        if node.tag == "dt":
            return self.terms.get(node)
        # An anchor in the middle of a paragraph is no note.
        return node if node is target or _starts_with(node, target) else None

    def _is_mark(self, link: Node) -> bool:
        kind = f"{link.get('role')} {link.get('epub:type')} {link.get('rel')}".lower()
        if "backlink" in kind or "backref" in link.get("class").lower():
            return False
        if "noteref" in kind or _MARK_CLASSES & {name.lower() for name in link.classes}:
            return True
        if _HINT.search(link.get("href")[1:]):
            return True
        around = [link, *(node for node, _ in zip(link.above(), range(3), strict=False) if node.tag not in BLOCKS)]
        return any(node.tag == "sup" or self._is_raised(node) for node in [*around, *list(link.elements())[:4]])

    def _is_raised(self, node: Node) -> bool:
        return self.styles.of(node).get("vertical-align") == "super"

    def settled(self, links: list[Node]) -> Notes:
        """The notes that stand alone in their element, with labels that are theirs alone."""
        found = Notes()
        held: dict[Node, set[Node]] = {}
        for _, note in self.pairs:
            for node in note.above():
                held.setdefault(node, set()).add(note)
        taken: Counter[str] = Counter()
        for link, note in self.pairs:
            whole = self._widest(note, held)
            if whole not in found.notes:
                if any(node in found.notes for node in whole.above()):
                    continue
                found.notes[whole] = _label(words(link), taken)
            found.marks[_with_brackets(link)] = found.notes[whole]
        self._repeats(links, found)
        _headings(found)
        return found

    def _widest(self, note: Node, held: dict[Node, set[Node]]) -> Node:
        """The element around a note's first paragraph that holds all of this note and no other."""
        around = note.parent
        while (
            around is not None
            and around.tag in _WRAPPERS
            and held.get(around) == {note}
            and around.nodes[0] is note
            and not self._is_heavy(around)
            and not _SECTION.search(f"{around.get('class')} {around.get('role')}")
        ):
            note, around = around, around.parent
        return note

    def _repeats(self, links: list[Node], found: Notes) -> None:
        marked = {node for mark in found.marks for node in [*mark.elements(), *_inline_above(mark)]}
        for link in links:
            target = self.targets.get(link.get("href")[1:])
            inside = any(node in found.notes or node.tag == "dt" for node in link.above())
            if target in marked and link not in found.marks and inside:
                found.repeats.add(_with_brackets(link))
        for note in found.notes:
            if note.tag == "dd" and note in self.terms:
                found.repeats.add(self.terms[note])


def _sides(nodes: list[Node]) -> dict[Node, Node]:
    found: dict[Node, Node] = {}
    for one, other in pairwise(nodes):
        if (one.tag, other.tag) == ("dt", "dd"):
            found |= {one: other, other: one}
    return found


def _starts_with(block: Node, target: Node) -> bool:
    for one in block.walk():
        if one is target:
            return True
        if isinstance(one, str) and one.strip(" \n\t[("):
            return False
    return False


def _with_brackets(link: Node) -> Node:
    """The element around a link that holds nothing but it and brackets: `<sup>[<a>1</a>]</sup>`."""
    node = link
    own = words(link).strip("[]() ")
    while node.parent and node.parent.tag not in BLOCKS and words(node.parent).strip("[]() ") == own:
        node = node.parent
    return node


def _inline_above(node: Node) -> list[Node]:
    found = []
    for around in node.above():
        found.append(around)
        if around.tag in BLOCKS:
            break
    return found


def _label(mark: str, taken: Counter[str]) -> str:
    match = _LABEL.fullmatch(mark)
    label = match[1] if match and match[1].isalnum() else "n"
    taken[label] += 1
    if label == "n":
        return f"n{taken[label]}"
    # Where each chapter counts its notes from 1, the second "1" is "1-2".
    return label if taken[label] == 1 else f"{label}-{taken[label]}"


def _headings(found: Notes) -> None:
    """ "Footnotes" above a list of notes says nothing, and would be a section without text."""
    looked_at: set[Node] = set()
    for note in found.notes:
        for around in note.above():
            if around in looked_at:
                break
            looked_at.add(around)
            kind = f"{around.get('class')} {around.get('role')} {around.get('id')}"
            if _SECTION.search(kind) or "doc-endnotes" in kind or "data-footnotes" in around.attributes:
                found.headings.update(node for node in around.nodes if node.tag in HEADINGS)
                break
