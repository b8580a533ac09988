"""What a precision costs: the encoder's fp32 against its int8 export on question sets in BEIR's layout.

    python -m eval.encoders ../shared/ir/orsharc ../shared/ir/handbook_faq_tune

Prints nDCG@10 and recall@5 of dense search over whole texts, how near the vectors are, and processor time as a
ratio. It does not cut texts into chunks, fuse or rerank.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from index.encoding.encoder import Encoder, prepare_encoder
from index.settings import EncoderSettings
from ingest.errors import CaveatError, SourceError

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
    try:
        corpus, queries = _entries(folder / "corpus.jsonl"), _entries(folder / "queries.jsonl")
        gold = _gold(folder / "qrels" / "test.tsv", {entry["_id"]: place for place, entry in enumerate(corpus)})
        asked = [query for query in queries if query["_id"] in gold]
        texts = tuple(f"{entry['title']}\n{entry['text']}" for entry in corpus)
        questions = tuple(query["text"] for query in asked)
    except (OSError, ValueError, KeyError) as error:
        raise SourceError(f"not a question set ({error})", where=str(folder), allowed="BEIR's layout") from error
    return QuestionSet(folder.name, texts, questions, tuple(frozenset(gold[query["_id"]]) for query in asked))


def _entries(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def _gold(path: Path, places: Mapping[str, int]) -> dict[str, set[int]]:
    gold: dict[str, set[int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                gold.setdefault(row["query-id"], set()).add(places[row["corpus-id"]])
    return gold


def encode(encoder: Encoder, questions: QuestionSet) -> Encoded:
    """All texts and questions of a set."""
    start = time.process_time()
    texts = encoder.encode_passages(questions.texts)
    seconds = time.process_time() - start
    return Encoded(texts, np.stack([encoder.encode_query(question) for question in questions.questions]), seconds)


def rank(encoded: Encoded, n: int = 10) -> list[list[int]]:
    """The best `n` texts of each question by (-cosine, position)."""
    return [np.argsort(-(encoded.texts @ question), kind="stable")[:n].tolist() for question in encoded.questions]


def ndcg(ranked: Sequence[int], gold: frozenset[int], k: int = 10) -> float:
    """nDCG@k with gains of 0 and 1 (Jaervelin and Kekaelaeinen 2002), 0 to 1."""
    gain = sum(1 / np.log2(place + 2) for place, text in enumerate(ranked[:k]) if text in gold)
    return float(gain / sum(1 / np.log2(place + 2) for place in range(min(k, len(gold)))))


def recall(ranked: Sequence[int], gold: frozenset[int], k: int = 5) -> float:
    """Share of the gold texts among the first k, 0 to 1."""
    return len(gold & set(ranked[:k])) / len(gold)


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
