"""A limit for what one stream of a PDF may become when it is unzipped.

pdfminer.six inflates a stream in one call without a limit, so that a megabyte of a file can ask for a gigabyte of
memory, and it returns nothing at all for a damaged stream. Its two modules reach zlib and LZW by name: those names
are bound here to versions that obey a limit while one is set, and are the originals while none is.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from pdfminer import pdftypes
from pdfminer.lzw import LZWDecoder

_RAW: Final = -15
"""Window bits for deflate data without its frame (RFC 1950): a wrong checksum is no loss."""


class StreamTooLarge(Exception):
    """A stream unzips to more than the limit."""


@dataclass(slots=True)
class Inflation:
    """What happened to the streams that were read under one limit, in bytes."""

    limit: int
    damaged: int = 0
    """Streams of which only a part could be read."""
    exceeded: bool = False
    """A parser may swallow the exception; this stays."""

    def refuse(self) -> StreamTooLarge:
        """The exception to raise, remembered."""
        self.exceeded = True
        return StreamTooLarge(f"more than {self.limit:,} bytes")


_CURRENT: ContextVar[Inflation | None] = ContextVar("inflation", default=None)


@contextmanager
def limited(limit: int) -> Iterator[Inflation]:
    """Within the block no stream that pdfminer.six reads gets larger than `limit` bytes."""
    state = Inflation(limit)
    token = _CURRENT.set(state)
    try:
        yield state
    finally:
        _CURRENT.reset(token)


class _Zlib:
    """The module zlib as pdfminer's stream decoder sees it."""

    error = zlib.error
    decompressobj = staticmethod(zlib.decompressobj)

    @staticmethod
    def decompress(data: bytes) -> bytes:
        """As zlib's; under a limit, what can be read of damaged data instead of an error."""
        state = _CURRENT.get()
        return zlib.decompress(data) if state is None else _inflated(data, state)


def _inflated(data: bytes, state: Inflation) -> bytes:
    engine = zlib.decompressobj()
    try:
        found = engine.decompress(data, state.limit + 1)
    except zlib.error:
        return _salvaged(data, state)
    if len(found) > state.limit:
        raise state.refuse()
    return found if engine.eof else _salvaged(data, state)


def _salvaged(data: bytes, state: Inflation) -> bytes:
    """All that comes out before the damage."""
    engine = zlib.decompressobj(_RAW)
    parts: list[bytes] = []
    size = 0
    try:
        for at in range(2, len(data), 256):
            parts.append(engine.decompress(data[at : at + 256], state.limit + 1 - size))
            size += len(parts[-1])
            if size > state.limit:
                raise state.refuse()
    except zlib.error:
        pass
    state.damaged += not engine.eof
    return b"".join(parts)


def _lzw(data: bytes) -> bytes:
    state = _CURRENT.get()
    parts: list[bytes] = []
    size = 0
    for part in LZWDecoder(BytesIO(data)).run():
        parts.append(part)
        size += len(part)
        if state and size > state.limit:
            raise state.refuse()
    return b"".join(parts)


_stream_decoder: Any = pdftypes
_stream_decoder.zlib = _Zlib
_stream_decoder.lzwdecode = _lzw
