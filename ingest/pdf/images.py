"""What images hide and show: which are opaque, which are one colour, how much of a page they cover."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psexceptions import PSException
from pdfminer.psparser import PSLiteral

from ingest.pdf.geometry import Box
from ingest.pdf.paints import Ink

_MOST_SAMPLES: Final = 1_000_000
"""Pixels of an image that is looked at."""
_EVEN: Final = 16
"""Of 255, between the samples of one colour."""
_PLAIN_FILTERS: Final = frozenset(
    {"FlateDecode", "Fl", "LZWDecode", "LZW", "ASCII85Decode", "A85", "ASCIIHexDecode", "AHx"}
)
_CHANNELS: Final = {"DeviceGray": 1, "G": 1, "CalGray": 1, "DeviceRGB": 3, "RGB": 3, "CalRGB": 3}
_BANDS: Final = 200
"""Lines of a page on which it is measured how much is covered."""


def is_opaque(image: PDFStream) -> bool:
    """Whether nothing below an image can be seen: it is no stencil and has no mask."""
    return all(resolve1(image.get_any(keys)) in (None, False) for keys in (("ImageMask", "IM"), ("SMask",), ("Mask",)))


def ink_of_image(image: PDFStream) -> Ink | None:
    """The colour of an image that has one only; None: it has several, or it is not known."""
    width, height, bits = (
        resolve1(image.get_any(keys)) for keys in (("Width", "W"), ("Height", "H"), ("BitsPerComponent", "BPC"))
    )
    channels = _channels(resolve1(image.get_any(("ColorSpace", "CS"))))
    if bits != 8 or not channels or not isinstance(width, int) or not isinstance(height, int):
        return None
    if not is_opaque(image) or image.get_any(("Decode", "D")) is not None or width * height > _MOST_SAMPLES:
        return None
    data = _samples(image)
    if not data or len(data) < width * height * channels:
        return None
    parts = [data[channel::channels] for channel in range(channels)]
    if any(max(part) - min(part) > _EVEN for part in parts):
        return None
    means = [(max(part) + min(part)) / 510 for part in parts]
    return means[0], means[-1 if channels == 1 else 1], means[-1]


def _channels(space: Any) -> int:
    if isinstance(space, list) and len(space) == 2:
        profile = resolve1(space[1])
        return {1: 1, 3: 3}.get(resolve1(profile.get("N")), 0) if isinstance(profile, PDFStream) else 0
    return _CHANNELS.get(str(space.name), 0) if isinstance(space, PSLiteral) else 0


def _samples(image: PDFStream) -> bytes:
    """Its samples; nothing of one that is compressed as a photograph, or damaged."""
    try:
        if any(str(getattr(name, "name", name)) not in _PLAIN_FILTERS for name, _ in image.get_filters()):
            return b""
        return image.get_data()
    except (PSException, ValueError, TypeError, LookupError):
        return b""


def covered(boxes: Iterable[Box], width: float, height: float) -> float:
    """Share of a page that boxes cover, measured on lines across it: where they overlap they count once."""
    held = list(boxes)
    total = 0.0
    for band in range(_BANDS):
        y = (band + 0.5) * height / _BANDS
        reached = 0.0
        for x0, x1 in sorted((max(box[0], 0.0), min(box[2], width)) for box in held if box[1] <= y <= box[3]):
            total += max(0.0, x1 - max(x0, reached))
            reached = max(reached, x1)
    return min(1.0, total / (_BANDS * width or 1))
