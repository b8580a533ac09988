"""What the readers of a PDF page share: words and tables by their place, in points, y downward from the top."""

from __future__ import annotations

from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""(x0, top, x1, bottom)."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as printed."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    """Of its font, in points."""
    font: str
    bold: bool = False
    raised: bool = False
    """A superscript, such as the mark of a footnote."""

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of its box."""
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2


Cell = tuple[Word, ...]
"""Words of a cell in reading order."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table on one page."""

    box: Box
    rows: tuple[tuple[Cell, ...], ...]
    """Rectangular; a cell spanning rows stands in each, one spanning columns in the first."""
    header_rows: int
    columns: tuple[float, ...]
    """Left edges of its columns."""
    ruled: bool
    """Found by lines; else by the gaps between words."""
