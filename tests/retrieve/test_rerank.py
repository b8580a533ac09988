from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.encoding.hashing import HashEncoder
from index.encoding.tokenvectors import TokenVectors
from ingest.errors import ConfigError, EncoderError
from retrieve.fusion import by_score
from retrieve.reranking.choosing import cross_encoder
from retrieve.reranking.exported import PINS, open_exported
from retrieve.reranking.hub import CrossEncoderReranker
from retrieve.reranking.late import LateInteraction
from retrieve.reranking.reranker import best_of, flat, nearest
from retrieve.reranking.stages import Stages
from retrieve.settings import RetrieveSettings, Weights
from retrieve.trace import SectionKey, Trace

X, Y, Z = (SectionKey("a.md", name) for name in "xyz")


class Says:
    """A reranker that knows its scores; for any other text it fails."""

    def __init__(self, **scores: float):
        self._scores = scores

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [self._scores[text] for text in texts]

    def unread(self, query: str, texts: Sequence[str]) -> int:
        return sum(len(text) > 1 for text in texts)


def test_a_section_is_as_good_as_its_best_child() -> None:
    texts = {X: ["a", "b"], Y: ["c"]}

    assert flat(texts) == ["a", "b", "c"]
    assert best_of(texts, [1.0, 3.0, 2.0]) == {X: 3.0, Y: 2.0}


def test_of_a_section_the_best_child_stays() -> None:
    texts = {X: ["a", "b"], Y: ["c", "d", "e"], Z: []}

    assert nearest(texts, [1.0, 3.0, 2.0, 0.0, 2.0]) == {X: ["b"], Y: ["c"], Z: []}


TRACE = Trace(ranked=by_score({X: 0.03, Y: 0.02, Z: 0.01}))
ENCODER = HashEncoder(64)
TEXTS = {X: ["a"], Y: ["b", "bb"], Z: ["c"]}


def test_stages_blend_by_weight_and_keep_everyones_scores() -> None:
    cross = Says(a=-9.0, b=0.0, bb=11.0, c=1.0)
    trace, told = Stages(Weights(1, 0, 1), None, cross, "says").rerank("q", TEXTS, TRACE, lambda _: nullcontext())

    assert [(one.key, one.score) for one in trace.cross] == [(Y, 11.0), (Z, 1.0), (X, -9.0)]
    assert [(one.key, one.score) for one in trace.rerank] == [(Y, 0.75), (X, 0.5), (Z, 0.25)]
    assert (trace.ranked, trace.late) == (trace.rerank, ())
    assert (told.model, told.cross_unread, told.weights) == ("says", 1, {"first": 1, "late": 0, "cross": 1})


def test_a_cross_encoder_reads_what_late_interaction_likes_best() -> None:
    late = LateInteraction(TokenVectors(ENCODER))
    texts = {X: ["seat plan", "notice of a seat"], Y: ["refund", "notice"], Z: ["credit"]}
    cross = Says(**{"notice of a seat": 1.0, "notice": 3.0, "credit": 2.0})
    trace, _ = Stages(Weights(0, 1, 1), late, cross).rerank("notice of a seat", texts, TRACE, lambda _: nullcontext())

    assert [(one.key, one.score) for one in trace.cross] == [(Y, 3.0), (Z, 2.0), (X, 1.0)]


@pytest.mark.parametrize(
    ("choice", "weights"),
    [
        ("none", (0.5, 0, 0)),
        ("late", (0.5, 0.2, 0)),
        ("cross-encoder/ms-marco-MiniLM-L6-v2", (0.5, 0.2, 0.3)),
    ],
)
def test_the_choice_decides_whose_weights_count(choice: str, weights: tuple[float, float, float]) -> None:
    settings = RetrieveSettings(reranker=choice, first_weight=0.5, late_weight=0.2, cross_weight=0.3)
    assert settings.weights == weights


def exact(query: str, text: str) -> float:
    return float((ENCODER.token_vectors(query)[0] @ ENCODER.token_vectors(text)[0].T).max(axis=1).mean())


@given(st.lists(st.text("seat notice annual plan".replace(" ", "") + " ", min_size=1), min_size=1, max_size=5))
def test_late_interaction_is_the_mean_of_the_best_cosines(texts: list[str]) -> None:
    query, texts = texts[0] + " seat", [text + " notice" for text in texts]
    scores = LateInteraction(TokenVectors(ENCODER)).scores(query, texts)
    np.testing.assert_allclose(scores, [exact(query, text) for text in texts], atol=0.02)


def test_late_interaction_tells_a_clause_from_its_twin() -> None:
    twins = ["an annual plan is refunded within 30 days", "a monthly plan is refunded within 30 days"]
    annual, monthly = LateInteraction(TokenVectors(ENCODER)).scores("refund of an annual plan", twins)
    assert annual > monthly + 0.1


def test_late_interaction_of_nothing_is_0() -> None:
    late = LateInteraction(TokenVectors(ENCODER))
    assert late.scores(" ", ["seat"]) == [0.0]
    assert late.scores("seat", [""]) == [0.0]
    assert late.read("seat", []) == ([], 0)
    assert late.unread("seat", ["seat"]) == 0


def test_a_model_that_is_not_there_is_an_error_not_a_silence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"retrieve\.reranker: .* cannot be loaded as a CrossEncoder.*name a folder"):
        CrossEncoderReranker(str(tmp_path / "nothing"))


Make = Callable[..., str]


@pytest.fixture
def tiny_model(tmp_path: Path) -> Make:
    """A cross-encoder of a few thousand random weights, saved in a folder."""

    def make(outputs: int = 1, limit: int = 512) -> str:
        import torch
        from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

        torch.manual_seed(7)
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "seat", "credit", "notice"]
        (tmp_path / "vocab.txt").write_text("\n".join(words))
        sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
        config = BertConfig(vocab_size=len(words), num_labels=outputs, **sizes)
        BertForSequenceClassification(config).save_pretrained(tmp_path / "model")
        tokenizer = BertTokenizerFast(str(tmp_path / "vocab.txt"), model_max_length=limit)
        tokenizer.save_pretrained(tmp_path / "model")
        return str(tmp_path / "model")

    return make


def test_any_cross_encoder_in_a_folder_scores_texts(tiny_model: Make) -> None:
    reranker = CrossEncoderReranker(tiny_model())

    first, again, other = reranker.scores("seat credit", ["notice", "notice", "credit credit"])

    assert first == pytest.approx(again)
    assert first != pytest.approx(other)
    assert reranker.unread("seat", ["credit " * 508, "credit " * 510]) == 1


def test_a_search_goes_through_the_model_in_a_folder(office: Any, tiny_model: Make) -> None:
    model = tiny_model()
    with office.open(reranker=model, late_weight=0.0) as retriever:
        retriever.prepare()
        result = retriever.retrieve("seat credit notice")

    assert result.reranked
    assert result.reranking is not None
    assert (result.reranking.model, result.reranking.cross_unread) == (model, 0)
    assert all(passage.scores.cross is not None for passage in result)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"outputs": 2}, "has 2 outputs; allowed: a cross-encoder with one output"),
        ({"limit": 32}, "reads 32 pieces of a question and a text together; allowed: at least 128"),
    ],
    ids=["two outputs", "little room"],
)
def test_a_model_that_does_not_fit_is_refused_by_name(tiny_model: Make, made: dict[str, int], message: str) -> None:
    model = tiny_model(**made)
    with pytest.raises(ConfigError, match=f'"{model}" {message}'):
        CrossEncoderReranker(model)


def test_an_exported_file_that_is_missing_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / PINS).write_text(json.dumps({"model.onnx": "0" * 64}))
    with pytest.raises(
        EncoderError, match=r'model.onnx: a file of .* is missing; fix: install or export it again .*"late"'
    ):
        open_exported(tmp_path)


def test_an_exported_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_text("changed")
    (tmp_path / PINS).write_text(json.dumps({"model.onnx": "0" * 64}))
    with pytest.raises(EncoderError, match=r"the file has sha256 d67e2e94.*allowed: 0{64}"):
        open_exported(tmp_path)


def test_a_damaged_model_stops_a_search_and_nothing_else(office: Any, tmp_path: Path) -> None:
    (tmp_path / PINS).write_text(json.dumps({"model.onnx": "0" * 64}))
    with office.open(reranker=str(tmp_path)) as retriever:
        assert retriever.section("4.2").section == "4.2"
        with pytest.raises(EncoderError, match=r"model\.onnx: a file of the cross-encoder is missing"):
            retriever.retrieve("seat")


def test_the_bundled_cross_encoder_is_whole_and_orders_by_sense() -> None:
    reranker = cross_encoder("bundled", threads=1)

    right, wrong = reranker.scores(
        "how long before renewal must we tell you that we need fewer seats?",
        [
            "Seats > Notice\nSeat reductions must be submitted in writing at least 30 calendar days prior to renewal.",
            "Travel > Hotels\nA hotel above the rate of the city is approved before it is booked.",
        ],
    )

    assert right > wrong + 1


def test_a_search_with_the_bundled_model_says_so(office: Any) -> None:
    with office.open(reranker="bundled") as retriever:
        result = retriever.retrieve("seat credit notice")

    assert result.reranking is not None
    assert (result.reranking.model, result.reranking.cross_unread) == ("bundled", 0)
    assert all(passage.scores.cross is not None for passage in result)
