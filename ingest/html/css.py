"""What a page's own styles say about an element: `style` attributes and the simple rules of `<style>` sheets.

Selectors of names, classes and ids, alone or below others ("ol.legal > li::before"), are understood; rules with
others, and style sheets that are linked, are not looked at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ingest.html.names import names_in
from ingest.html.tree import Node

Style = Mapping[str, str]
"""Property to value, both in lower case but for strings of `content`."""
NO_STYLE: Final[Style] = MappingProxyType({})
MOST_RULES: Final = 100
"""Rules for one name, class or id that are looked at; a generated sheet of thousands would cost their product."""
_PROPERTIES: Final = names_in(
    "display visibility opacity color background background-color font font-size font-weight position left top right"
    " bottom margin-left text-indent clip clip-path width height overflow transform list-style list-style-type"
    " white-space text-decoration text-decoration-line vertical-align content counter-reset counter-increment"
    " counter-set border border-style border-width border-top border-bottom mso-list mso-hide mso-element"
    " -webkit-text-fill-color max-height max-width overflow-x overflow-y margin-top content-visibility translate scale"
    " fill stroke"
)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_BRACES: Final = re.compile(r"[{};]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_DECLARATION: Final = re.compile(
    r"\s*([a-z-]{3,40})\s*:\s*((?:[^;\"']|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')*)(?:;|$)|[^;]*(?:;|$)",
    re.IGNORECASE,
)
_COMPOUND: Final = re.compile(r"(?P<tag>[a-zA-Z][\w-]*|\*)?(?P<rest>(?:[.#][\w-]+|\[[^\]]*\])*)(?P<before>::?before)?")
_PART: Final = re.compile(r"\[[^\]]*\]|([.#])([\w-]+)")
_ATTRIBUTE: Final = re.compile(r"\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:\"([^\"]*)\"|'([^']*)'|([\w-]+))\s*(i?)\s*)?\]")
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|([^\n]))")
_TESTS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "": lambda _, __: True,
    "=": lambda own, value: own == value,
    "~=": lambda own, value: value in own.split(),
    "|=": lambda own, value: own == value or own.startswith(f"{value}-"),
    "^=": lambda own, value: bool(value) and own.startswith(value),
    "$=": lambda own, value: bool(value) and own.endswith(value),
    "*=": lambda own, value: bool(value) and value in own,
}
_STEP: Final = re.compile(r"\s*(>)\s*|\s+")
_SHOWN_MEDIA: Final = re.compile(
    r"@media\s+(?:only\s+)?(?:all|screen)\s*$|@layer\b[^{]*$|@supports\s+(?!not\b)[^{]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Compound:
    """ "li.note#x": what one element must be."""

    tag: str
    classes: frozenset[str]
    ids: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...] = ()
    """Name, comparison ("" for none) and value."""

    def fits(self, node: Node) -> bool:
        return (
            (not self.tag or self.tag == node.tag)
            and (not self.ids or self.ids == {node.get("id")})
            and (not self.classes or self.classes.issubset(node.classes))
            and all(
                name in node.attributes and _TESTS[sign](node.get(name), value) for name, sign, value in self.attributes
            )
        )

    @property
    def key(self) -> str:
        """The rarest thing that it asks for."""
        if self.ids:
            return f"#{min(self.ids)}"
        return f".{min(self.classes)}" if self.classes else self.tag or "*"


@dataclass(frozen=True, slots=True)
class _Rule:
    chain: tuple[_Compound, ...]
    """Innermost first."""
    direct: tuple[bool, ...]
    """For each further compound, whether it must be the parent itself."""
    weight: tuple[int, int, int]
    values: Mapping[str, tuple[str, bool]]
    """Property to value and whether it is !important."""

    def fits(self, node: Node) -> bool:
        if not self.chain[0].fits(node):
            return False
        above: Node | None = node
        for compound, direct in zip(self.chain[1:], self.direct, strict=True):
            above = above.parent if above else None
            while above and not direct and not compound.fits(above):
                above = above.parent
            if above is None or not compound.fits(above):
                return False
        return True


class Styles:
    """The styles of a page."""

    def __init__(self, sheets: Sequence[str]) -> None:
        self._rules: dict[bool, dict[str, list[_Rule]]] = {False: defaultdict(list), True: defaultdict(list)}
        self.ignored: set[str] = set()
        """Names of which not all rules were looked at."""
        for sheet in sheets:
            self._read(_COMMENT.sub(" ", sheet))

    def _read(self, sheet: str) -> None:
        for prelude, body in _blocks(sheet):
            if values := _values(body, _PROPERTIES):
                for selector in prelude.split(","):
                    self._add(selector, values)

    def _add(self, selector: str, values: Mapping[str, tuple[str, bool]]) -> None:
        parsed = _selector(selector)
        if parsed is None:
            return
        chain, direct, before = parsed
        key = chain[0].key
        bucket = self._rules[before][key]
        if len(bucket) >= MOST_RULES:
            self.ignored.add(key)
            return
        weight = (
            sum(len(one.ids) for one in chain),
            sum(len(one.classes) + len(one.attributes) for one in chain),
            sum(bool(one.tag) for one in chain),
        )
        bucket.append(_Rule(chain, direct, weight, values))

    def of(self, node: Node) -> Style:
        """What is declared for the element itself; nothing is inherited."""
        inline = node.get("style")
        found = self._matching(node, before=False) if self._rules[False] else []
        if not inline:
            return _cascaded(found) if found else NO_STYLE
        return _cascaded([*found, _Rule((), (), (1 << 30, 0, 0), _values(inline, _PROPERTIES))])

    def before(self, node: Node) -> Style:
        """What is declared for the text that is generated at its start."""
        found = self._matching(node, before=True) if self._rules[True] else []
        return _cascaded(found) if found else NO_STYLE

    def _matching(self, node: Node, *, before: bool) -> list[_Rule]:
        rules = self._rules[before]
        keys = [node.tag, "*"]
        if node.attributes:
            keys += [*(f".{name}" for name in dict.fromkeys(node.classes)), f"#{node.get('id')}"]
        return [rule for key in keys if key in rules for rule in rules[key] if rule.fits(node)]


def _cascaded(rules: list[_Rule]) -> Style:
    style: dict[str, str] = {}
    ranks: dict[str, tuple[bool, tuple[int, int, int]]] = {}
    for rule in rules:
        for name, (value, important) in rule.values.items():
            rank = (important, rule.weight)
            if name not in ranks or rank >= ranks[name]:
                style[name], ranks[name] = value, rank
    return style


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of each rule that holds on a screen."""
    start, depth, skipped = 0, 0, 0
    prelude = ""
    for match in _BRACES.finditer(sheet):
        sign = match[0]
        if sign == "{":
            prelude = sheet[start : match.start()].strip()
            depth += 1
            if prelude.startswith("@") and not skipped and not _SHOWN_MEDIA.match(prelude):
                skipped = depth
        elif sign == "}":
            if not skipped and prelude and not prelude.startswith("@"):
                yield prelude, sheet[start : match.start()]
            skipped = 0 if skipped >= depth else skipped
            depth, prelude = max(0, depth - 1), ""
        elif sign != ";" or prelude:
            continue
        start = match.end()


def _values(body: str, wanted: frozenset[str]) -> dict[str, tuple[str, bool]]:
    found = {}
    body = _COMMENT.sub(" ", body) if "/*" in body else body
    if "\\" in body and not any(quote in body for quote in "\"'"):
        body = _ESCAPE.sub(_character, body)
    for match in _DECLARATION.finditer(body):
        if match[1] and (name := match[1].lower()) in wanted:
            value, bang, _ = match[2].partition("!important")
            value = value.strip()
            # Names of counters and what they print are the author's own.
            found[name] = (value if name.startswith(("content", "counter")) else value.lower(), bool(bang))
    return found


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else 0
    return chr(code) if 0 < code < 0x110000 else match[2] or ""


def _selector(text: str) -> tuple[tuple[_Compound, ...], tuple[bool, ...], bool] | None:
    """The compounds of a selector, innermost first; None for one with anything else in it."""
    text, at = text.strip(), 0
    chain: list[_Compound] = []
    direct: list[bool] = []
    while True:
        match = _COMPOUND.match(text, at)
        if match is None or match.end() == at or (match["before"] and match.end() < len(text)):
            return None
        parts = _PART.findall(match["rest"])
        attributes = _ATTRIBUTE.findall(match["rest"])
        if len(attributes) != match["rest"].count("["):
            return None
        tag = (match["tag"] or "").lower()
        chain.append(
            _Compound(
                "" if tag == "*" else tag,
                frozenset(name for sign, name in parts if sign == "."),
                frozenset(name for sign, name in parts if sign == "#"),
                tuple((name.lower(), sign, a or b or c) for name, sign, a, b, c, _ in attributes),
            )
        )
        at = match.end()
        if at == len(text):
            break
        step = _STEP.match(text, at)
        if step is None:
            return None
        direct.append(bool(step[1]))
        at = step.end()
    return tuple(reversed(chain)), tuple(reversed(direct)), bool(match["before"])
