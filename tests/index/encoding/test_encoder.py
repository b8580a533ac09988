"""The contract of an encoder, on the one that needs no model; test_encoder_export.py holds the exported ones to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index.encoding.encoder import Encoder, encoder_key, open_encoder, prepare_encoder
from index.settings import EncoderSettings
from ingest.errors import EncoderError

HASH = EncoderSettings(model="hash-384")
LONG = "seat downgrade notice " * 200


@pytest.fixture
def encoder(tmp_path: Path) -> Encoder:
    return open_encoder(HASH, tmp_path)


def test_rows_are_unit_vectors_in_the_order_of_the_texts(encoder: Encoder) -> None:
    texts = ["Seat downgrades", LONG, "", "?", "notice"]
    rows = encoder.encode_passages(texts)
    assert (rows.shape, rows.dtype) == ((5, 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-6)
    for text, row in zip(texts, rows, strict=True):
        np.testing.assert_array_equal(encoder.encode_passages([text])[0], row)


def test_shared_stems_are_near_and_others_are_not(encoder: Encoder) -> None:
    near, far = encoder.encode_passages(["the seat downgrades", "renewal invoices"]) @ encoder.encode_query(
        "Seat downgrade"
    )
    assert near > 0.8 > 0.2 > far


def test_what_lies_beyond_the_limit_is_not_read(encoder: Encoder) -> None:
    assert encoder.count(LONG) > encoder.limit
    whole, longer = encoder.encode_passages([LONG, LONG + "exception"])
    np.testing.assert_array_equal(whole, longer)
    assert encoder.query_truncated(LONG)
    assert not encoder.query_truncated("seat")


def test_offsets_are_the_pieces_of_the_text(encoder: Encoder) -> None:
    text = "Section 4.2: 30-day"
    assert [text[start:end] for start, end in encoder.offsets(text)] == [
        "Section",
        "4",
        ".",
        "2",
        ":",
        "30",
        "-",
        "day",
    ]
    assert encoder.count(text) == len(encoder.offsets(text)) + 2


def test_token_vectors_stand_for_the_pieces(encoder: Encoder) -> None:
    vectors, spans = encoder.token_vectors("seat seats")
    assert spans == [(0, 4), (5, 10)]
    np.testing.assert_allclose(vectors @ vectors.T, 1, rtol=1e-6)


def test_no_passages_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode_passages([]).shape == (0, 384)


@pytest.mark.parametrize("change", [{"model": "hash-32"}, {"query_prefix": "q: "}, {"passage_prefix": "p: "}])
def test_what_changes_vectors_changes_the_fingerprint(encoder: Encoder, tmp_path: Path, change: dict[str, str]) -> None:
    other = open_encoder(EncoderSettings(**{"model": "hash-384"} | change), tmp_path)
    assert other.fingerprint != encoder.fingerprint


def test_a_passage_prefix_takes_its_share_of_the_limit(encoder: Encoder, tmp_path: Path) -> None:
    prefixed = prepare_encoder(EncoderSettings(model="hash-384", passage_prefix="passage: "), tmp_path)
    assert prefixed.limit == encoder.limit - 2


def test_prefixes_and_batches_share_one_export_and_models_do_not() -> None:
    assert encoder_key(EncoderSettings()) == encoder_key(
        EncoderSettings(query_prefix="q: ", threads=1, batch_tokens=64)
    )
    keys = {encoder_key(EncoderSettings(model=model, precision=p)) for model in ("a", "b") for p in ("fp32", "int8")}
    assert len(keys) == 4


def test_opening_without_an_export_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"the encoder was not exported here yet.* fix: caveat index"):
        open_encoder(EncoderSettings(), tmp_path / "cache")
