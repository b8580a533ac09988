"""The cross-encoder in torch: all-MiniLM-L6-v2 over query and text together, and an interaction head.

    logit = a * MaxSim(query pieces, text pieces) + b * cos(mean query, mean text) + linear(tanh(CLS))

A plain classification head starts far below it (MRR .30 against .47 on sections it never saw), since the model was
trained with mean pooling, and is not there yet after 4,096 pairs (.37). MaxSim: Khattab and Zaharia, "ColBERT", SIGIR
2020.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from ingest.errors import EncoderError
from retrieve.reranking.pairs import Batch

LAYERS, HIDDEN, HEADS, INNER, VOCABULARY, POSITIONS = 6, 384, 12, 1536, 30_522, 512
HeadKind = Literal["interaction", "cls"]
Precision = Literal["fp32", "bf16"]
_FAR: Final = -1e4
"""Added where nothing may be seen; within the range of 16-bit floats."""


class _Layer(nn.Module):
    """One layer of BERT (Devlin et al. 2019), its attention spelled out: in bf16 on a CPU three times as fast."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(HIDDEN, 3 * HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.up, self.down = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        self.first, self.second = nn.LayerNorm(HIDDEN, eps=1e-12), nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        texts, pieces, _ = x.shape
        parts = self.qkv(x).view(texts, pieces, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        weights = (query @ key.transpose(-1, -2) / math.sqrt(HIDDEN // HEADS) + bias).softmax(-1)
        seen = (weights @ value).transpose(1, 2).reshape(texts, pieces, HIDDEN)
        x = self.first(x + self.out(seen))
        normed: Tensor = self.second(x + self.down(functional.gelu(self.up(x))))
        return normed


class Body(nn.Module):
    """The encoder: pieces to vectors, `(texts, pieces, 384)`."""

    def __init__(self) -> None:
        super().__init__()
        self.word, self.position = nn.Embedding(VOCABULARY, HIDDEN), nn.Embedding(POSITIONS, HIDDEN)
        self.kind, self.norm = nn.Embedding(2, HIDDEN), nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(_Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """Vectors of the pieces, as `CrossEncoder.forward` takes them."""
        x: Tensor = self.norm(self.word(ids) + self.position.weight[: ids.shape[1]] + self.kind(kinds))
        bias = (1 - mask[:, None, None, :].to(x.dtype)) * _FAR
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Interaction(nn.Module):
    """The head of the module's docstring; `a` and `b` start where a softmax over a list is neither flat nor sharp."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Parameter(torch.tensor(12.0)), nn.Parameter(torch.tensor(6.0))
        self.linear = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, x: Tensor, kinds: Tensor, own: Tensor) -> Tensor:
        """Logits, `(pairs,)`, from vectors `(pairs, pieces, 384)`."""
        query, text = own * (1 - kinds), own * kinds
        unit = functional.normalize(x, dim=-1)
        near = unit @ unit.transpose(1, 2) + (1 - text[:, None, :].to(x.dtype)) * _FAR
        best = (near.amax(-1) * query).sum(1) / query.sum(1).clamp(min=1)
        cosine = (_mean(x, query) * _mean(x, text)).sum(-1)
        logit: Tensor = self.a * best + self.b * cosine + self.linear(torch.tanh(x[:, 0]))[:, 0]
        return logit


class _Cls(nn.Module):
    """A plain classification head, to be compared with."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(HIDDEN, 1)

    def forward(self, x: Tensor, kinds: Tensor, own: Tensor) -> Tensor:
        logit: Tensor = self.linear(x[:, 0])[:, 0]
        return logit


def _mean(x: Tensor, which: Tensor) -> Tensor:
    return functional.normalize((x * which[..., None]).sum(1), dim=-1)


class CrossEncoder(nn.Module):
    """Scores pairs: higher is better, on an unbounded scale."""

    def __init__(self, head: HeadKind = "interaction"):
        super().__init__()
        self.body = Body()
        self.head: nn.Module = Interaction() if head == "interaction" else _Cls()

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor, own: Tensor) -> Tensor:
        """Logits, `(pairs,)`.

        Args:
            ids: WordPieces of `[CLS] query [SEP] text [SEP]`, `(pairs, pieces)`.
            kinds: 0 for the query's, 1 for the text's.
            mask: 1 for pieces, 0 for padding.
            own: 1 for pieces that are words: no specials, no padding.
        """
        logits: Tensor = self.head(self.body(ids, kinds, mask).float(), kinds, own)
        return logits


def started(weights: Path, head: HeadKind = "interaction") -> CrossEncoder:
    """A cross-encoder whose body has the weights of all-MiniLM-L6-v2 (`model.safetensors`)."""
    model = CrossEncoder(head)
    model.body.load_state_dict(_renamed(load_file(weights)))
    return model


def trained(run: Path) -> CrossEncoder:
    """The best model of a run's folder, to score with.

    Raises:
        EncoderError: it has another head than the interaction head.
    """
    model, path = CrossEncoder(), run / "model.pt"
    try:
        model.load_state_dict(torch.load(path, weights_only=True))
    except RuntimeError as error:
        raise EncoderError(
            "the weights are not of a cross-encoder with an interaction head",
            where=str(path),
            fix="export a run with --head interaction, or learn from one; the plain head is there to be compared with",
        ) from error
    return model.eval()


def tensors(batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A batch as `CrossEncoder.forward` takes it."""
    ids, kinds, mask, own = (torch.from_numpy(one) for one in (batch.ids, batch.kinds, batch.mask, batch.own))
    return ids, kinds, mask, own


def fast_precision() -> Precision:
    """bf16 where the processor computes in it; elsewhere it takes thirty times as long as fp32."""
    # torch has no public name for either question.
    known = torch.cpu._is_amx_tile_supported(), torch.cpu._is_avx512_bf16_supported()
    return "bf16" if any(known) else "fp32"


def _renamed(given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """BERT's parameters by their names here; query, key and value are one matrix."""
    found = {
        "word.weight": given["embeddings.word_embeddings.weight"],
        "position.weight": given["embeddings.position_embeddings.weight"],
        "kind.weight": given["embeddings.token_type_embeddings.weight"],
    }
    for part in ("weight", "bias"):
        found[f"norm.{part}"] = given[f"embeddings.LayerNorm.{part}"]
        for number in range(LAYERS):
            theirs, ours = f"encoder.layer.{number}", f"layers.{number}"
            attention = [given[f"{theirs}.attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            found[f"{ours}.qkv.{part}"] = torch.cat(attention)
            for mine, name in _NAMES.items():
                found[f"{ours}.{mine}.{part}"] = given[f"{theirs}.{name}.{part}"]
    return found


_NAMES: Final = {
    "out": "attention.output.dense",
    "first": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "second": "output.LayerNorm",
}
