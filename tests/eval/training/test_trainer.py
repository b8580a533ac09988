"""The training loop on a handful of lists: it learns, it can be stopped, and the same seed gives the same model."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from eval.training.lists import List
from eval.training.network import CrossEncoder, started, tensors
from eval.training.teaching import Teacher
from eval.training.trainer import Recipe, Scorer, Trainer
from index.encoding.encoder import open_encoder
from index.encoding.models import BUNDLED, find_model
from index.settings import EncoderSettings
from retrieve.reranking.pairs import Pairs

WORDS = ("refund", "renewal", "invoice", "travel", "notice", "credit", "seat", "tax")


def a_list(word: str) -> List:
    wrong = tuple(f"The {other} is due." for other in WORDS if other != word)
    return List(f"about a {word}", (f"The {word} is due.",), wrong, (), "short", "dc", word)


LISTS = [a_list(word) for word in WORDS]


@pytest.fixture(scope="module")
def model_folder() -> Path:
    return find_model(BUNDLED).folder


def trainer(folder: Path, model_folder: Path, pairs: int, teacher: Scorer | None = None) -> Trainer:
    torch.manual_seed(1)
    recipe = Recipe(pairs=pairs, every=64, threads=1, rate=1e-4, taught=1.0 if teacher else 0.0)
    model = started(model_folder / "model.safetensors")
    return Trainer(recipe, model, Pairs(model_folder / "tokenizer.json"), folder, lambda _: None, teacher)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    state: dict[str, torch.Tensor] = torch.load(folder / "training.pt", weights_only=True)["model"]
    return state


def test_the_body_is_the_stock_encoder(model_folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    stock = SentenceTransformer(str(model_folder), device="cpu")
    features = stock.tokenizer(["Fees are not refunded.", "Notice"], padding=True, return_tensors="pt")
    with torch.no_grad():
        expected = stock[0](dict(features))["token_embeddings"]
        found = (
            started(model_folder / "model.safetensors")
            .eval()
            .body(features["input_ids"], features["token_type_ids"], features["attention_mask"])
        )
    kept = features["attention_mask"].bool()
    torch.testing.assert_close(found[kept], expected[kept], atol=1e-4, rtol=1e-4)


def test_the_same_seed_gives_the_same_model_and_it_is_scored(tmp_path: Path, model_folder: Path) -> None:
    scores = [trainer(tmp_path / name, model_folder, 128).run(LISTS, LISTS) for name in ("one", "two")]
    assert scores[0] == scores[1]
    assert 0 < scores[0].mrr <= 1
    assert all(torch.equal(one, weights(tmp_path / "two")[name]) for name, one in weights(tmp_path / "one").items())


def test_a_folder_of_another_recipe_is_refused(tmp_path: Path, model_folder: Path) -> None:
    trainer(tmp_path, model_folder, 64).run(LISTS, LISTS[:2])
    with pytest.raises(ValueError, match="of another recipe"):
        trainer(tmp_path, model_folder, 128).run(LISTS, LISTS[:2])


def test_validation_counts_every_wrong_text(tmp_path: Path, model_folder: Path) -> None:
    score = trainer(tmp_path, model_folder, 64).score(LISTS)
    assert score.by_kind.keys() == {"short"}
    assert json.loads(json.dumps(score.by_kind))["short"] == score.mrr


def test_padding_does_not_change_a_score(model_folder: Path) -> None:
    model: CrossEncoder = started(model_folder / "model.safetensors").eval()
    pairs = Pairs(model_folder / "tokenizer.json")
    pair, longer = ("late fees", "Fees are late."), ("late fees", "Fees are late. " * 9)
    with torch.no_grad():
        alone, together = (model(*tensors(pairs.batch(some)))[0] for some in ([pair], [pair, longer]))
    torch.testing.assert_close(alone, together, atol=1e-3, rtol=1e-3)


def test_a_teacher_who_prefers_wrong_texts_is_believed(tmp_path: Path, model_folder: Path) -> None:
    def wrong(query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([query.rsplit(" ", 1)[1] not in text for text in texts], dtype=np.float64)

    # The best model is the untrained one: only the weights that training ended with were taught.
    taught = trainer(tmp_path, model_folder, 640, wrong)
    before = taught.score(LISTS).mrr
    taught.run(LISTS, LISTS)
    assert taught.score(LISTS).mrr < before


def test_a_teacher_blends_three_stages(tmp_path: Path, model_folder: Path) -> None:
    encoder = open_encoder(EncoderSettings(model="hash-384"), tmp_path)
    teacher = Teacher(started(model_folder / "model.safetensors"), Pairs(model_folder / "tokenizer.json"), encoder)
    texts = [f"The {word} is due." for word in WORDS]
    scores = teacher.scores("when is the invoice due", texts)
    assert scores.argmax() == WORDS.index("invoice")
    assert scores.min() >= 0
    assert scores.max() <= 1 + 1e-9
    np.testing.assert_array_equal(scores, teacher.scores("when is the invoice due", texts))
