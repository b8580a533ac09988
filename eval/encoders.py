"""What a precision costs: the encoder's fp32 against its int8 export on question sets in BEIR's layout.

    python -m eval.encoders ../shared/ir/orsharc ../shared/ir/handbook_faq_tune

Prints nDCG@10 and recall@5 of dense search over whole texts, how near the vectors are, and processor time as a
ratio. It does not cut texts into chunks, fuse or rerank.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from eval.reranking.measures import ndcg, recall
from eval.reranking.sets import beir
from index.encoding.encoder import Encoder, prepare_encoder
from index.settings import EncoderSettings
from ingest.errors import CaveatError

Vectors = NDArray[np.float32]
Precision = Literal["fp32", "int8"]
PRECISIONS: tuple[Precision, ...] = ("fp32", "int8")


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A corpus, questions with a gold answer, and which texts those are."""

    name: str
    texts: tuple[str, ...]
    questions: tuple[str, ...]
    gold: tuple[frozenset[int], ...]
    """For each question, positions in `texts`."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A set as one encoder sees it."""

    texts: Vectors
    questions: Vectors
    seconds: float
    """Processor time of all threads, for the texts."""


def read_set(folder: Path) -> QuestionSet:
    """Read corpus.jsonl, queries.jsonl and qrels/test.tsv.

    Raises:
        SourceError: one of them is missing or not in BEIR's layout.
    """
    read, _ = beir(folder)
    places = {passage.id: place for place, passage in enumerate(read.passages)}
    return QuestionSet(
        folder.name,
        tuple(f"{passage.title}\n{passage.text}" for passage in read.passages),
        tuple(asked.query for asked in read.questions),
        tuple(frozenset(places[name] for name in asked.gold) for asked in read.questions),
    )


def encode(encoder: Encoder, questions: QuestionSet) -> Encoded:
    """All texts and questions of a set."""
    start = time.process_time()
    texts = encoder.encode_passages(questions.texts)
    seconds = time.process_time() - start
    return Encoded(texts, np.stack([encoder.encode_query(question) for question in questions.questions]), seconds)


def rank(encoded: Encoded, n: int = 10) -> list[list[int]]:
    """The best `n` texts of each question by (-cosine, position)."""
    return [np.argsort(-(encoded.texts @ question), kind="stable")[:n].tolist() for question in encoded.questions]


def compare(questions: QuestionSet, encoders: Mapping[Precision, Encoder]) -> Iterator[str]:
    """Lines of a table, one for each encoder; the first is what the others are held against."""
    first: Encoded | None = None
    for name, encoder in encoders.items():
        encoded = encode(encoder, questions)
        first = first or encoded
        ranked = list(zip(rank(encoded), questions.gold, strict=True))
        near = np.sum(encoded.texts * first.texts, axis=1)
        yield (
            f"| {questions.name} | {name} | {np.mean([ndcg(*pair) for pair in ranked]):.4f} "
            f"| {np.mean([recall(*pair) for pair in ranked]):.4f} | {near.mean():.4f} / {near.min():.4f} "
            f"| {encoded.seconds / first.seconds:.2f} |"
        )


def main(folders: Sequence[str]) -> int:
    """Print the table for each set; the exit status."""
    try:
        sets = [read_set(Path(folder)) for folder in folders]
        with tempfile.TemporaryDirectory() as temporary:
            encoders = {name: _prepared(name, Path(temporary) / name) for name in PRECISIONS}
            print("| set | precision | nDCG@10 | recall@5 | cosine to fp32, mean / least | processor time |")
            print("|---|---|---:|---:|---:|---:|")
            for line in (line for questions in sets for line in compare(questions, encoders)):
                print(line, flush=True)
    except CaveatError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    return 0


def _prepared(precision: Precision, folder: Path) -> Encoder:
    return prepare_encoder(EncoderSettings(precision=precision), folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
