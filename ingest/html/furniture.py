"""What of a page is no text of the handbook: navigation, tables of contents, page headers and footers, comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ingest.html.names import HEADINGS, names_in
from ingest.html.notes import anchors
from ingest.html.office import word_part
from ingest.html.said import spoken, text_of
from ingest.html.tree import Node

NAVIGATION: Final = "navigation"
CONTENTS: Final = "table of contents"
_CONTENTS_NAME: Final = re.compile(
    r"(?:toc\d*|(?:site|page|local|doc)-?toc|toc-macro|toctree-wrapper|contents|table[-_ ]?of[-_ ]?contents\d*"
    r"|mso-?toc(?:\d|heading)?)",
    re.IGNORECASE,
)
_NAVIGATION_NAME: Final = re.compile(
    r"(?:bread-?crumbs?(?:-section)?|sphinxsidebar|nav-?bar|skip-?(?:link|nav|to-content)|prev-?next|pagination)",
    re.IGNORECASE,
)
_ICONS: Final = re.compile(r"(?:material-(?:icons|symbols)[\w-]*|glyphicon|octicon)")
_FOOT: Final = re.compile(
    r"©|\(c\)\s|copyright|all rights reserved|powered by|generated (?:by|with|on)|printed on|page \d+ of \d+",
    re.IGNORECASE,
)
_CONTENT_PARTS: Final = frozenset({"article", "main", "section", "td", "th", "li", "blockquote", "figure", "dd"})
_TELLING: Final = names_in("nav header footer ul ol dl annotation annotation-xml")
"""Elements that may be furniture without saying so in an attribute."""
_SHORT: Final = 400
"""Letters of a header or footer that may be furniture."""
_MOSTLY: Final = 0.6
"""Share of the letters of a table of contents that stand in links."""
FEWEST_LINKS: Final = 3
"""Links of a list that is taken for a table of contents because it leads to half of the page's headings."""


@dataclass(frozen=True, slots=True)
class _Size:
    """What an element holds: letters and digits, those in links, links, links within the page."""

    letters: int
    linked: int
    links: int
    inward: int
    solid: bool
    """Whether there is a heading or table."""

    @property
    def is_links(self) -> bool:
        return self.links > 0 and self.linked >= _MOSTLY * self.letters


@dataclass(frozen=True, slots=True)
class _Aims:
    """The headings that links can lead to: by their ids, and how many."""

    headed: dict[str, Node]
    count: int


def furniture(root: Node) -> dict[Node, str]:
    """The elements of a page that are left out, each with the reason; nothing inside them is looked at."""
    found: dict[Node, str] = {}
    headed = _headed(root)
    aims = _Aims(headed, len(set(headed.values())))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if reason := _reason(node, aims):
            found[node] = reason
        else:
            waiting += reversed(node.nodes)
    return found


def _reason(node: Node, aims: _Aims) -> str | None:
    if not node.attributes and node.tag not in _TELLING:
        return None
    if (part := word_part(node)) is not None:
        return part
    role = node.get("role").lower()
    if node.tag == "nav" or role in ("navigation", "search", "doc-toc") or _named(node, _NAVIGATION_NAME):
        return _navigation(node)
    if _named(node, _CONTENTS_NAME) and _size(node).is_links:
        return CONTENTS
    if node.tag in ("header", "footer") or role in ("banner", "contentinfo") or node.get("id") in ("header", "footer"):
        return _edge(node)
    if node.tag in ("ul", "ol", "dl") and aims.count and _leads_to_headings(node, aims):
        return CONTENTS
    return _double(node)


def _named(node: Node, pattern: re.Pattern[str]) -> bool:
    return any(pattern.fullmatch(name) for name in (*node.classes, node.get("id")))


def _navigation(node: Node) -> str | None:
    size = _size(node)
    if size.letters - size.linked > _SHORT:
        return None
    named = _named(node, _CONTENTS_NAME) or node.get("role") == "doc-toc"
    return CONTENTS if named or (size.links and size.inward == size.links) else NAVIGATION


def _edge(node: Node) -> str | None:
    """A page's header or footer: outside of the text's own parts, short, without heading or table, and made of
    links, or (a footer) of a copyright line or the like."""
    foot = node.tag == "footer" or "footer" in node.get("id") or node.get("role") == "contentinfo"
    if any(around.tag in _CONTENT_PARTS for around in node.above()):
        return None
    size = _size(node)
    if size.solid or size.letters > _SHORT:
        return None
    if size.is_links or (foot and _FOOT.search(text_of(node))):
        return "footer" if foot else "header"
    return None


def _leads_to_headings(node: Node, aims: _Aims) -> bool:
    """Whether a list is nothing but links to at least half of the page's headings."""
    if node.parent and node.parent.tag in ("li", "dd", "td"):
        return False
    size = _size(node)
    if size.inward < FEWEST_LINKS or size.inward < size.links or size.linked < 0.9 * size.letters:
        return False
    reached = {aims.headed[name] for one in node.elements() if (name := one.get("href")[1:]) in aims.headed}
    return 2 * len(reached) >= aims.count


def _headed(root: Node) -> dict[str, Node]:
    """Ids that lead to a heading or to a part that starts with one."""
    found: dict[str, Node] = {}
    for name, node in anchors(root).items():
        around = [node, *(above for above, _ in zip(node.above(), range(2), strict=False)), *node.nodes[:1]]
        heading = next((one for one in around if one.tag in HEADINGS), None)
        if heading is not None:
            found[name] = heading
    return found


def _double(node: Node) -> str | None:
    """Formulas that are there a second time for machines, and icons drawn from words."""
    if node.tag in ("annotation", "annotation-xml"):
        return "duplicate"
    if "katex-html" in node.classes and node.parent and any("katex-mathml" in one.classes for one in node.parent.nodes):
        return "duplicate"
    if node.attributes and any(_ICONS.fullmatch(name) for name in node.classes):
        return "hidden text"
    return None


def _size(node: Node) -> _Size:
    letters = linked = links = inward = 0
    solid = False
    for one in node.walk():
        if isinstance(one, str):
            letters += sum(map(str.isalnum, one))
            continue
        letters += sum(map(str.isalnum, spoken(one)))
        solid |= one.tag in HEADINGS or one.tag == "table"
        if one.tag == "a" and "href" in one.attributes:
            links += 1
            inward += one.get("href").startswith("#")
            linked += sum(map(str.isalnum, text_of(one)))
    return _Size(letters, linked, links, inward, solid)
