"""Content ids: canonical JSON, and short BLAKE2b digests of it."""

from __future__ import annotations

import json
from hashlib import blake2b


def compact(value: object) -> str:
    """The one JSON spelling of a value that digests and files use: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """128-bit digest of a JSON value, 32 hexadecimal digits."""
    return blake2b(compact(value).encode(), digest_size=16).hexdigest()


def text_digest(text: str) -> str:
    """128-bit digest of a text, 32 hexadecimal digits."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def version_digest(section_id: str, parent_id: str | None, doc_id: str, content: str) -> str:
    """Digest of a version: 32 hexadecimal digits of what makes it one."""
    return text_digest("\0".join((section_id, parent_id or "", doc_id, content)))


def first_section_id(address: str, ordinal: int) -> str:
    """Stable id of the `ordinal`-th section (from 1) that began its life at `address`, 16 hexadecimal digits."""
    return blake2b(f"{address}\0{ordinal}".encode(), digest_size=8).hexdigest()
