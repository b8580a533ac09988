"""Unit vectors in 4 bits a dimension: 192 bytes for 384 dimensions.

A vector is scaled so that its largest entry is 7 and rounded; its length is lost, but it is known to be 1. Two
entries share a byte: entry i with entry i + half, so that unpacking is one join of two halves.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8]
"""(n, width(dim))."""
_LARGEST: Final = 7
_ZERO: Final = 8
"""Code of 0: codes run from 1 to 15."""
_ALONE: Final = 1 << 18
"""Multiplications up to which OpenBLAS starts no threads: on a busy machine they wait for each other, 30 ms for 3."""


def width(dim: int) -> int:
    """Bytes of one vector."""
    return (dim + 1) // 2


def packed(rows: NDArray[np.float32]) -> Codes:
    """Codes of rows (n, dim); a row of zeros stays one."""
    largest = np.maximum(np.abs(rows).max(axis=1, keepdims=True, initial=0), np.float32(1e-12))
    codes = np.full((len(rows), 2 * width(rows.shape[1])), _ZERO, dtype=np.uint8)
    codes[:, : rows.shape[1]] = np.rint(rows * (_LARGEST / largest)) + _ZERO
    half = width(rows.shape[1])
    joined: Codes = codes[:, :half] | codes[:, half:] << np.uint8(4)
    return joined


def cosines(queries: NDArray[np.float32], codes: Codes) -> NDArray[np.float32]:
    """Cosine of every packed vector with every unit row of `queries` (m, dim), as (n, m)."""
    halves = np.concatenate((codes & 15, codes >> 4), axis=1)[:, : queries.shape[1]]
    rows = halves.astype(np.float32) - _ZERO
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    step = max(_ALONE // max(rows.size, 1), 1)
    parts = [rows @ queries[start : start + step].T for start in range(0, len(queries), step)]
    found: NDArray[np.float32] = np.concatenate([rows[:, :0], *parts], axis=1) / np.maximum(lengths, 1)[:, None]
    return found
