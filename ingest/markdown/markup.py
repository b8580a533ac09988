"""Markdown text with everything that is not prose blanked out, at unchanged offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST_LABEL: Final = 400
"""Characters of a link's label; keeps a text of brackets from costing quadratic time."""

_CODE = re.compile(r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"(?<!`)(`++)([^`\n]{1,400}|(?:(?!\1)[^\n]){1,400})\1(?!`)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(
    rf"(?P<image>!?)\[(?P<label>[^\[\]]{{0,{LONGEST_LABEL}}})\]"
    r"\(\s*(?P<dest><[^<>\n]*>|[^()\s<>]+(?:\([^()\s]*\)[^()\s]*)*)(?:\s+[\"'(][^\"\n]*[\"')])?\s*\)"
)
_HTML_LINK = re.compile(
    r"<a\s[^<>]{0,400}?href\s*=\s*[\"'](?P<dest>[^\"'<>]{1,400})[\"'][^<>]{0,400}>(?P<label>[^<]{0,400})</a>",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,400}>")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t][^\n]*", re.MULTILINE)
_URL = re.compile(r"<?\b(?:https?|ftp|mailto):[^\s<>]+>?")
_SIGNS = re.compile(r"[\[\]*_~>|]")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A Markdown or HTML link: the span of all of it and of its label, and where it leads."""

    start: int
    end: int
    label_start: int
    label_end: int
    destination: str


def anchors(text: str) -> tuple[Anchor, ...]:
    """The links of `text` in order; images and links inside code are none."""
    prose = _without_code(text)
    found = [
        _anchor(match) for pattern in (_LINK, _HTML_LINK) for match in pattern.finditer(prose) if not _is_image(match)
    ]
    return tuple(sorted(found, key=lambda anchor: anchor.start))


def _is_image(match: re.Match[str]) -> bool:
    return bool(match.groupdict().get("image"))


def _anchor(match: re.Match[str]) -> Anchor:
    destination = match["dest"].strip("<>").strip()
    return Anchor(match.start(), match.end(), match.start("label"), match.end("label"), destination)


def prose(text: str) -> str:
    """`text`, as long as before, with spaces for code, comments, headings, tags, addresses and marks of emphasis."""
    bare = _LINK.sub(_label_only, _without_code(text))
    for pattern in (_HEADING, _TAG, _URL, _SIGNS):
        bare = pattern.sub(_spaces, bare)
    return bare


def _without_code(text: str) -> str:
    for pattern in (_CODE, _COMMENT, _INLINE_CODE):
        text = pattern.sub(_spaces, text)
    return text


def _spaces(match: re.Match[str]) -> str:
    # Line ends stay: they still tell where a paragraph stops.
    return "".join("\n" if char == "\n" else " " for char in match[0])


def _label_only(match: re.Match[str]) -> str:
    if _is_image(match):
        return _spaces(match)
    before, after = match.start("label") - match.start(), match.end() - match.end("label")
    return " " * before + match["label"] + " " * after
