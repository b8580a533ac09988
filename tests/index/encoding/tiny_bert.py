"""A sentence-transformers model that is made in a moment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORDS = "seat downgrade credit notice renewal plan annual day in writing the a of 30 $ ( ) - . ##s"


@dataclass(frozen=True)
class Shape:
    """The parts of a sentence-transformers model that differ from one to the next."""

    pooling: str = "mean"
    normalize: bool = True
    dense: int = 0


def save_tiny_bert(folder: Path, shape: Shape) -> Path:
    """A one-layer BERT with random weights: dimension 32, limit 24, position embeddings up to 64."""
    import torch
    from sentence_transformers import SentenceTransformer, models
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split(), *"bcdefghijklmnopqrstuvwxyz"]
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64}
    bert = folder / "bert"
    BertModel(BertConfig(vocab_size=len(pieces), max_position_embeddings=64, **sizes)).save_pretrained(bert)
    (bert / "vocab.txt").write_text("\n".join(pieces))
    BertTokenizerFast(vocab=str(bert / "vocab.txt")).save_pretrained(bert)
    modules: list[Any] = [models.Transformer(str(bert), max_seq_length=24), models.Pooling(32, shape.pooling)]
    modules += [models.Dense(32, shape.dense)] if shape.dense else []
    modules += [models.Normalize()] if shape.normalize else []
    SentenceTransformer(modules=modules, device="cpu").save(str(folder / "whole"))
    return folder / "whole"
