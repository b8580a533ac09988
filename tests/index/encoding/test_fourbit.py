import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from index.encoding.fourbit import cosines, packed, width


def unit_rows(seed: int, shape: tuple[int, int], heavy: bool = False) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    rows = rng.standard_t(3, shape) if heavy else rng.standard_normal(shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 400), st.booleans())
def test_a_cosine_is_off_by_no_more_than_rounding_allows(seed: int, n: int, dim: int, heavy: bool) -> None:
    rows, queries = unit_rows(seed, (n, dim), heavy), unit_rows(seed + 1, (3, dim))
    codes = packed(rows)
    assert codes.shape == (n, width(dim))
    # Each entry moves by at most half a step of a seventh of the largest; unit vectors then turn by twice that at most.
    moved = np.abs(rows).max(axis=1) / 14 * np.sqrt(dim)
    assert (np.abs(cosines(queries, codes) - rows @ queries.T).max(axis=1) <= 2 * moved + 1e-6).all()


def test_at_the_size_of_the_default_encoder_it_is_off_by_a_hundredth() -> None:
    rows, queries = unit_rows(1, (500, 384)), unit_rows(2, (20, 384))
    assert np.std(cosines(queries, packed(rows)) - rows @ queries.T) < 0.01


def test_a_vector_is_nearest_to_itself() -> None:
    rows = unit_rows(3, (40, 384))
    found = cosines(rows, packed(rows))
    assert found.argmax(axis=1).tolist() == list(range(40))
    assert found.diagonal() == pytest.approx(np.ones(40), abs=0.02)


def test_nothing_and_zeros_are_no_accident() -> None:
    assert packed(np.empty((0, 6), np.float32)).shape == (0, 3)
    assert cosines(unit_rows(1, (2, 6)), np.empty((0, 3), np.uint8)).shape == (0, 2)
    assert cosines(np.empty((0, 6), np.float32), packed(unit_rows(1, (2, 6)))).shape == (2, 0)
    assert cosines(unit_rows(1, (2, 6)), packed(np.zeros((1, 6), np.float32))).tolist() == [[0, 0]]
