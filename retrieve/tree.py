"""One document in force on a day, as a tree: which whole sections fit, and what they inherit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ingest.elements import Element, Kind

if TYPE_CHECKING:
    from index.history.records import Version
    from index.snapshot import Placed


@dataclass(frozen=True)
class Tree:
    """Sections of one document in document order; a subtree is the slice `nodes[i : end(i)]`."""

    doc_id: str
    nodes: tuple[Placed, ...]
    parents: tuple[int | None, ...]
    """Index of each node's parent, None at the top."""

    @cached_property
    def index(self) -> dict[str, int]:
        """Section id to position."""
        return {node.version.section_id: position for position, node in enumerate(self.nodes)}

    @cached_property
    def _ends(self) -> list[int]:
        ends = list(range(1, len(self.nodes) + 1))
        for position in range(len(self.nodes) - 1, -1, -1):
            parent = self.parents[position]
            if parent is not None:
                ends[parent] = max(ends[parent], ends[position])
        return ends

    @cached_property
    def _sums(self) -> list[int]:
        sums = [0]
        for node in self.nodes:
            sums.append(sums[-1] + node.version.tokens)
        return sums

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.nodes]
        for node, parent in enumerate(self.parents):
            if parent is not None:
                children[parent].append(node)
        return children

    @cached_property
    def _inherited(self) -> list[tuple[str, ...]]:
        leads = [lead_in(node.version) for node in self.nodes]
        return [tuple(leads[a] for a in self.ancestors(node) if leads[a]) for node in range(len(self.nodes))]

    @cached_property
    def _first_and_last(self) -> tuple[int, int]:
        """Slice that holds every section with text."""
        filled = [position for position, node in enumerate(self.nodes) if node.version.text.strip()]
        return (filled[0], filled[-1] + 1) if filled else (0, 0)

    def version(self, node: int) -> Version:
        """What stands at `node`."""
        return self.nodes[node].version

    def end(self, node: int) -> int:
        """One past the last section of the subtree."""
        return self._ends[node]

    def tokens(self, start: int, end: int) -> int:
        """o200k tokens of `nodes[start:end]`, each counted alone."""
        return self._sums[end] - self._sums[start]

    def children(self, node: int) -> list[int]:
        """Direct subsections, in order."""
        return self._children[node]

    def ancestors(self, node: int) -> list[int]:
        """Outermost first."""
        chain: list[int] = []
        parent = self.parents[node]
        while parent is not None:
            chain.append(parent)
            parent = self.parents[parent]
        return chain[::-1]

    def whole(self, start: int, end: int) -> bool:
        """Whether the slice holds more than one section and all text of the document."""
        first, last = self._first_and_last
        return start <= first and end >= last and end - start > 1

    def is_section(self, node: int) -> bool:
        """False for the preamble, which has no heading of its own."""
        return self.version(node).level > 0

    def inherits(self, node: int) -> tuple[str, ...]:
        """For each ancestor, outermost first, the words just before its first child; those without any left out."""
        return self._inherited[node]


@dataclass(frozen=True, slots=True)
class Extent:
    """The sections of one passage: `tree.nodes[root:end]`, and the subsections of the root left out."""

    root: int
    end: int
    omitted: tuple[int, ...] = ()

    def covers(self, other: Extent) -> bool:
        """Whether all of `other` stands in this one."""
        return self.root <= other.root and other.end <= self.end

    def meets(self, other: Extent) -> bool:
        """Whether the two share a section."""
        return self.root < other.end and other.root < self.end


def grown(tree: Tree, hit: int, limit: int) -> Extent:
    """The largest section around `hit` whose subtree fits `limit` o200k tokens, never a whole document."""
    root = hit
    for ancestor in reversed(tree.ancestors(hit)):
        end = tree.end(ancestor)
        if not tree.is_section(ancestor) or tree.whole(ancestor, end) or tree.tokens(ancestor, end) > limit:
            break
        root = ancestor
    around = fitted(tree, root, limit)
    # Found in the section that holds everything, the words under its title are answer enough; a bare title is not.
    return own(tree, root) if tree.whole(root, around.end) and not tree.version(root).is_bare else around


def fitted(tree: Tree, root: int, limit: int | None = None) -> Extent:
    """`root`'s own text uncut, then its subsections, whole and in order, while they fit `limit` (None: all)."""
    if not tree.is_section(root):
        return own(tree, root)
    end = root + 1
    for child in tree.children(root):
        if limit is not None and tree.tokens(root, tree.end(child)) > limit:
            break
        end = tree.end(child)
    return Extent(root, end, _left_out(tree, root, end))


def own(tree: Tree, hit: int) -> Extent:
    """The hit's own text alone."""
    return Extent(hit, hit + 1, _left_out(tree, hit, hit + 1))


def _left_out(tree: Tree, root: int, end: int) -> tuple[int, ...]:
    """Subsections from `end` on; the preamble has none of its own."""
    return tuple(child for child in tree.children(root) if child >= end) if tree.is_section(root) else ()


def lead_in(version: Version) -> str:
    """The paragraph that ends a section's own body, or the list there with the paragraph that leads into it."""
    body = [element for element in version.elements if _speaks(element, version.text)]
    if not body or body[-1].kind in (Kind.TABLE, Kind.CODE, Kind.HEADING):
        return ""
    return version.text[_last_block(body).start : body[-1].end].strip()


def _speaks(element: Element, text: str) -> bool:
    """Leaves out footnotes, which stand after the body, and HTML comments."""
    comment = element.kind is Kind.HTML and text.startswith("<!--", element.start)
    return element.kind is not Kind.FOOTNOTE and not comment


def _last_block(body: Sequence[Element]) -> Element:
    first = len(body) - 1
    while first > 0 and body[first].kind is Kind.ITEM:
        first -= 1
    leads = body[first].kind is Kind.PARAGRAPH or first == len(body) - 1
    return body[first if leads else first + 1]
