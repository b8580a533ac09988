from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ingest.errors import ConfigError
from retrieve.rerank import CrossEncoderReranker, section_scores, squashed
from retrieve.trace import SectionKey


class Lengths:
    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def test_a_section_is_as_good_as_its_best_child() -> None:
    texts = {SectionKey("a.md", "x"): ["1", "333"], SectionKey("a.md", "y"): ["22"]}

    assert section_scores(Lengths(), "q", texts) == {SectionKey("a.md", "x"): 3.0, SectionKey("a.md", "y"): 2.0}


def test_a_logit_becomes_a_confidence_without_overflow() -> None:
    assert squashed(0.0) == 0.5
    assert squashed(1e9) == pytest.approx(1.0)
    assert squashed(-1e9) == pytest.approx(0.0)


def test_a_model_that_is_not_there_is_an_error_not_a_silence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"retrieve\.reranker: .* cannot be loaded as a CrossEncoder"):
        CrossEncoderReranker(str(tmp_path / "nothing"))


@pytest.fixture
def tiny_model(tmp_path: Path) -> Callable[[int], str]:
    """A cross-encoder of a few thousand random weights, saved in a folder."""

    def make(outputs: int) -> str:
        from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "seat", "credit", "notice"]
        (tmp_path / "vocab.txt").write_text("\n".join(words))
        sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
        config = BertConfig(vocab_size=len(words), num_labels=outputs, **sizes)
        BertForSequenceClassification(config).save_pretrained(tmp_path / "model")
        BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path / "model")
        return str(tmp_path / "model")

    return make


def test_any_cross_encoder_in_a_folder_scores_texts(tiny_model: Callable[[int], str]) -> None:
    reranker = CrossEncoderReranker(tiny_model(1))

    first, again, other = reranker.scores("seat credit", ["notice", "notice", "credit credit"])

    assert first == pytest.approx(again)
    assert first != pytest.approx(other)


def test_a_model_with_several_outputs_is_refused(tiny_model: Callable[[int], str]) -> None:
    with pytest.raises(ConfigError, match="has 3 outputs; allowed: a cross-encoder with one output"):
        CrossEncoderReranker(tiny_model(3))
