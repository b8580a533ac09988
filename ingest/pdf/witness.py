"""The lines of a page as PDFium finds them: what losses are measured against."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from ingest.blocks import SourceLine
from ingest.pdf.pieces import ACCENTS

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# PDFium sets the first for a hyphen at a line's end, and runs on.
_HYPHENS: Final = str.maketrans({"\ufffe": "-\n", "\x02": "-\n", "\u00ad": "-", "\x00": None})
_LIGATURE: Final = re.compile("[\ufb00-\ufdff\ufe70-\ufefc]")
_ACCENTED: Final = re.compile(f"([^\\W\\d_])([{''.join(ACCENTS)}])")
_NOTE_MARK: Final = re.compile(r"(?<!\S)(\d{1,3})(?=[A-Z][A-Za-z]*[\s,])")
"""A superscript at the start of a note, which PDFium sets like any digit."""


def source_lines(text: str, page: int) -> Iterator[SourceLine]:
    """The lines of `text` that have words, spelled as the reader spells them."""
    for line in _LINE_END.split(text.translate(_HYPHENS)):
        spelled = _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), line)
        spelled = _ACCENTED.sub(lambda match: match[1] + ACCENTS[match[2]], _NOTE_MARK.sub(r"\1 ", spelled))
        spelled = unicodedata.normalize("NFC", spelled)
        if spelled.strip():
            yield SourceLine(f"page {page}", spelled)
