"""Ids: which of them an author gave a section, and what a link to any of them means.

An id is an author's unless a program made it: from a position ("section-5", "_Toc123", "h.x1y2z3", "id12", "7-1")
or from the heading's own words ("late-fees", "scope-1", in a page titled Policy "Policy-4.2Latefees"). Those change
with the text, so that they would part the editions of a section. Links within the page are written with the number
or title of the section that they lead into, which is how links in Markdown are found.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote

from ingest.elements import Kind
from ingest.html.drafts import Draft
from ingest.html.names import HEADINGS, names_in
from ingest.html.tree import Node
from ingest.markdown.escape import Run, inline
from ingest.numbering import split_heading

_COUNTED_THINGS: Final = "|".join(
    sorted(
        names_in(
            "toc heading head header hdg hd h section sect sec s id idm idp idx anchor title chapter chap ch part para"
            " par p page pg item block node link mark bookmark index topic content elementor-toc__heading-anchor"
            " a n c x ref note fn fnref ftn ftnt docs-internal-guid"
        )
    )
)
_GENERATED: Final = re.compile(
    r"_.*|(?:h|id|kix)\.[\w-]+|[\d.:_-]+"
    r"|top|main|content|(?:main|page)-content|(?:page-?|document-?)?title(?:-heading|-text)?|first-?heading"
    rf"|(?:{_COUNTED_THINGS}|d\d+e)[-_.:]*(?:toc|h)?[-_.:]*\d+(?:[-_.:]\d+)*"
    r"|[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|[0-9a-f]{16,}",
    re.IGNORECASE,
)
_VALID: Final = re.compile(r"[\w:.-]+")
_NOT_LETTER: Final = re.compile(r"[\W_]+")
_COUNTED: Final = re.compile(r"[-_.]?\d{1,3}$")
_SCRIPT: Final = re.compile(r"\s*(?:javascript|data|vbscript|about|blob):", re.IGNORECASE)
_UNFIT: Final = re.compile(r"[\s()<>]")
SHORTEST_TITLE: Final = 3
"""Letters of a page's title that ids may start with."""
_WRAPPER: Final = 9
"""Rank of an element whose id is that of a part of the page, and not of the heading in it."""
LONGEST_HEAD: Final = 160
"""Characters of a bold line that a link may mean by its words."""


def is_generated(name: str, heading: str, page: str = "") -> bool:
    """Whether a program made an id: from a position, or from the heading's words; `page`: the title of the page, with
    which some programs start all ids."""
    if _GENERATED.fullmatch(name) or not _VALID.fullmatch(name):
        return True
    _, title = split_heading(inline([Run(heading)]))
    own = {_letters(heading), _letters(title)} - {""}
    for form in (_letters(name), _letters(_COUNTED.sub("", name))):
        for start in (form.removesuffix(word) for word in own if form.endswith(word)):
            if start in ("", "usercontent") or (len(start) >= SHORTEST_TITLE and _letters(page).endswith(start)):
                return True
    return False


def _letters(text: str) -> str:
    return _NOT_LETTER.sub("", text).lower()


@dataclass(slots=True)
class Anchors:
    """The ids of a page by where they stand: after how many words of it."""

    _ids: dict[str, tuple[int, Node]] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    """For each head, by the words before it, what a link calls it."""
    _places: list[int] = field(default_factory=list)

    def pass_by(self, node: Node, passed: int) -> None:
        """An element starts."""
        if node.attributes:
            for name in (node.get("id"), node.get("name") if node.tag == "a" else ""):
                if name:
                    self._ids.setdefault(name, (passed, node))

    def settle(self, drafts: Iterable[Draft]) -> None:
        """The headings of the page are known."""
        heads = [(one.at, words) for one in drafts if (words := _head(one))]
        split = {words: split_heading(inline([Run(words)])) for _, words in heads}
        numbers = Counter(split[words][0] for _, words in heads)
        for at, words in heads:
            number, title = split[words]
            self._names[at] = number if number and numbers[number] == 1 else title
        self._places = sorted(self._names)

    def explicit_ids(self, drafts: Iterable[Draft], page: str) -> dict[int, str]:
        """For each heading, by the words before it, the id that its author gave it: its own, one of an anchor in
        it or right before it, or of the `<section>` that it opens."""
        near: dict[int, list[tuple[int, str]]] = {}
        for name, (passed, node) in self._ids.items():
            near.setdefault(passed, []).append((_rank(node), name))
        found: dict[int, str] = {}
        for one in drafts:
            if one.kind is Kind.HEADING and one.node:
                inside = [(1, name) for name in _ids_inside(one.node)]
                chosen = [name for rank, name in sorted([*near.get(one.at, []), *inside]) if rank < _WRAPPER]
                own = [name for name in chosen if not is_generated(name, one.text, page)]
                found.update((one.at, name) for name in own[:1])
        return found

    def href(self, href: str | None, where: str) -> str | None:
        """A link's destination as Markdown can hold it; None where it leads nowhere or runs a script."""
        href = "".join((href or "").split("\n")).strip()
        if not href or _SCRIPT.match(href):
            return None
        file, mark, fragment = href.partition("#")
        if mark and (not file or unquote(file) == posixpath.basename(where)):
            name = self._name(fragment) or self._name(unquote(fragment))
            if name:
                return f"{file}#{quote(name)}"
            if not file and fragment.lower() in ("", "top"):
                return None
        return _UNFIT.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), href)

    def _name(self, anchor: str) -> str | None:
        """What the head is called under which an id stands."""
        if anchor not in self._ids:
            return None
        place = bisect_right(self._places, self._ids[anchor][0])
        return self._names[self._places[place - 1]] if place else None


def _rank(node: Node) -> int:
    """How near an element's id is to the heading that follows without a word between."""
    if node.tag in HEADINGS or node.get("role") == "heading":
        return 0
    return {"a": 1, "span": 1, "section": 2, "article": 2}.get(node.tag, _WRAPPER)


def _ids_inside(node: Node) -> list[str]:
    return [
        name
        for one in node.elements()
        for name in (one.get("id"), one.get("name") if one.tag == "a" else "")
        if name and one.tag in ("a", "span")
    ]


def _head(draft: Draft) -> str | None:
    """The words of a heading, or of a bold line that acts as one."""
    if draft.kind is Kind.HEADING:
        return draft.text
    if draft.kind is not Kind.PARAGRAPH or draft.level or not draft.lines:
        return None
    words = "".join(run.text for run in draft.lines[0])
    if len(words) > LONGEST_HEAD or not all(run.bold for run in draft.lines[0] if run.text.strip()):
        return None
    return words if len(draft.lines) == 1 or split_heading(inline([Run(words)]))[0] else None
