"""The pins of a night: queries frozen from incidents, with what must come back of each, for ever."""

from __future__ import annotations

from pathlib import Path

from eval.nightly.record import Pinned


def pins_of(folder: Path) -> list[Pinned]:
    """How each pin in a folder went; none yet, since nothing writes pins."""
    return []
