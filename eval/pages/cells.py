"""Cells of a table for spreadsheets."""

from __future__ import annotations

from typing import Final

from eval.pages.pieces import shown

# What a spreadsheet takes for the start of a formula (OWASP, "CSV Injection"), full-width forms included.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def harmless_cell(text: str) -> str:
    """A cell's text that no spreadsheet takes for a formula: one that could be starts with an apostrophe."""
    clean = shown(text)
    return f"'{clean}" if text.startswith(_FORMULA) or clean.lstrip().startswith(_FORMULA) else clean
