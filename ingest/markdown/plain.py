"""Markdown as its reader sees it: without comments, tags, link targets and marks of emphasis.

What is blanked here is what counts as markup without words everywhere in `ingest`.
"""

from __future__ import annotations

import re
from typing import Final

from ingest.charrefs import unescaped

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)|\{/\*.*?\*/\}", re.DOTALL)
_TAG: Final = re.compile(r"</?[A-Za-z][A-Za-z0-9.-]*(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?>|<>|</>")
_SPOKEN: Final = re.compile(r"\b(?:alt|title|label|summary|heading)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
# Only tags that steer Liquid; `{% data x %}` stands for words and stays.
_LIQUID: Final = re.compile(
    r"\{%-?\s*(?:end\w*|if\w*|else\w*|elsif|unless|for|case|when|note|tip|warning|danger|comment|raw|capture|assign|include)\b"
    r"[^%\n]*-?%\}|\{\{[#/]\w+\}\}"
)
_MDX: Final = re.compile(
    r"^(?:import\s+(?:[\w*{][^\n'\"]*\sfrom\s+)?['\"][^'\"\n]+['\"]"
    r"|export\s+(?:default\s+\w+|(?:const|let|var)\s+\w+\s*=[^\n]*))[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_LINK: Final = re.compile(
    r"!?\[((?:[^\[\]\n]|\[[^\[\]\n]*\]|\n(?!\s*\n)){0,600})\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+[\"'][^\"'\n]*[\"'])?\)|\[[^\]\n]{0,80}\])"
)
_CODE: Final = re.compile(r"(`+)(?!`)(.{1,400}?)(?<!`)\1(?!`)")
_STRONG: Final = re.compile(r"(?<![\\*])\*\*(?=[^\s*])((?:[^*\n]|\*(?!\*)|\n(?!\s*\n)){1,2000}?)(?<=[^\s\\])\*\*")
_UNDERLINED: Final = re.compile(r"(?<![\w\\])__(?=\S)([^\n]{1,400}?)(?<=\S)__(?!\w)")
_EMPHASIS: Final = re.compile(r"(?<![\w\\*])\*(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s\\])\*(?![\w*])")
_ITALIC: Final = re.compile(r"(?<![\w\\])_(?=[^\s_])([^\n]{1,400}?)(?<=[^\s_\\])_(?!\w)")
# Halves of emphasis that runs on into the next sentence.
_DANGLING: Final = re.compile(
    r"(?<![\w\\*_])(?:\*{1,3}|_{1,3})(?=[\w“\"(])|(?<=[\w.!?,;:)”\"'%])(?:\*{1,3}|_{1,3})(?![\w*_])"
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINE_MARKS: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+|^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_SPACE: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"\w")


def plain(text: str) -> str:
    """`text` without markup, white space normalised; the order of its words is kept.

    Formulas are safe: an asterisk between spaces and an underscore inside a word are not emphasis.
    """
    if "<" in text or "{" in text:
        text = _TAG.sub(_spoken, _LIQUID.sub(" ", _COMMENT.sub(" ", text)))
    if "](" in text or "][" in text:
        text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _LINE_MARKS.sub(" ", text) if ">" in text or "```" in text or "~~~" in text else text
    text = _without_emphasis(text)
    text = unescaped(text)
    return _SPACE.sub(" ", text).strip()


def _without_emphasis(text: str) -> str:
    if "`" in text:
        return "".join(part if number % 2 else _emphasis_off(part) for number, part in enumerate(_code_parts(text)))
    return _emphasis_off(text)


def _code_parts(text: str) -> list[str]:
    """Text and code spans by turns: even places are prose."""
    parts, last = [], 0
    for match in _CODE.finditer(text):
        parts += [text[last : match.start()], match[2]]
        last = match.end()
    return [*parts, text[last:]]


def _emphasis_off(text: str) -> str:
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
    if "_" in text:
        text = _ITALIC.sub(r"\1", _UNDERLINED.sub(r"\1", text))
    if "*" in text or "_" in text:
        text = _DANGLING.sub("", text)
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


def _spoken(tag: re.Match[str]) -> str:
    """What a tag shows: the texts of its attributes that a reader sees (`alt`, `title`)."""
    shown = [a or b for a, b in _SPOKEN.findall(tag[0])] if "=" in tag[0] else []
    return f" {' '.join(shown)} " if shown else _no_gap(tag[0])


def _no_gap(tag: str) -> str:
    # Inline tags do not part words ("<b>S</b>eats"); all others do.
    name = tag.strip("</>").split()[0].lower() if len(tag) > 3 else ""
    return (
        ""
        if name
        in {"a", "abbr", "b", "cite", "code", "em", "i", "mark", "s", "small", "span", "strong", "sub", "sup", "u"}
        else " "
    )


def blank(text: str) -> str:
    """`text` with comments, tags, Liquid tags and MDX lines replaced by spaces, at unchanged offsets."""
    if "<" in text or "{" in text:
        for pattern in (_COMMENT, _LIQUID, _TAG):
            text = pattern.sub(_spaces, text)
    return _MDX.sub(_spaces, text) if "import" in text or "export" in text else text


def _spaces(match: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in match[0])


def has_words(text: str) -> bool:
    """Whether a reader of `text` sees a letter or digit, or more than markup."""
    return bool(_WORD.search(blank(text)))
