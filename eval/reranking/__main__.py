"""What reranking brings, on the same candidates of the first stage.

    python -m eval.reranking ../shared/ir/orsharc ../shared/ir/handbook_faq_tune --tickets

Prints for each set and blend: recall@5, MRR and nDCG@10 over sections with the gain over the first stage, as a
paired 95 % bootstrap interval over questions (families of tickets), and the reranker's own milliseconds. Folders are in
BEIR's layout; of the tickets only the tune side is asked. Vectors are kept in WORK, so that a second table is quick.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from eval.border import guarded
from eval.policy import read_policy
from eval.reranking.contest import FIRST, MEASURES, Blend, Played, Scorer, played
from eval.reranking.sets import QuestionSet, beir_sets, ticket_set
from eval.retrievers.firststage import FirstStage
from eval.ticket_files import load_suite, of_split
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import Encoder, prepare_encoder
from index.encoding.tokenvectors import TokenVectors
from index.settings import EncoderSettings
from ingest.settings import IngestSettings
from retrieve.reranking import exported
from retrieve.reranking.late import LateInteraction

LATE: Final = "late"
CROSS: Final = "cross"
_REMEMBERED: Final = 50_000
"""Texts whose token vectors a table keeps: all children of a set, some hundred MB."""


def blends(names: Sequence[str]) -> dict[str, Blend]:
    """What is compared, for the rerankers there are."""
    alone = {name: {name: 1.0} for name in names}
    halves = {f"{name} and first stage": {name: 0.5, FIRST: 0.5} for name in names}
    every = {"all three": {FIRST: 0.4, LATE: 0.3, CROSS: 0.3}} if len(names) > 1 else {}
    return {FIRST: {FIRST: 1.0}, **alone, **halves, **every}


def lines(result: Played, compared: Mapping[str, Blend]) -> Iterator[str]:
    """One set's part of the table."""
    yield f"{result.name}, n={len(result.questions)}"
    yield "| order by | " + " | ".join(MEASURES) + " | ms (p50) |"
    yield "|---|" + "---|" * (len(MEASURES) + 1)
    for name, blend in compared.items():
        cells = [_cell(result, blend, measure) for measure in MEASURES]
        spent = sum(float(np.median(result.milliseconds[one])) for one in blend if one != FIRST)
        yield f"| {name} | " + " | ".join(cells) + f" | {f'{spent:.0f}' if spent else ''} |"


def _cell(result: Played, blend: Blend, measure: str) -> str:
    mean = result.mean(blend, measure)
    if mean is None:
        return ""
    gain = result.gain(blend, measure)
    if gain is None or set(blend) == {FIRST}:
        return f"{mean.mean:.3f}"
    return f"{mean.mean:.3f} ({gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}])"


def rerankers(encoder: Encoder, model: Path | None) -> dict[str, Scorer]:
    """By name; the cross-encoder where there is one."""
    found: dict[str, Scorer] = {LATE: LateInteraction(TokenVectors(encoder, remembered=_REMEMBERED)).scores}
    if model:
        found[CROSS] = exported.open_exported(model).scores
    return found


def sets_of(folders: Sequence[Path], tickets: bool) -> list[QuestionSet]:
    """The sets to ask."""
    found = [one for folder in folders for one in beir_sets(folder)]
    if tickets:
        policy = read_policy(Path("data/handbook"), IngestSettings(), time.time_ns() // 1000)
        tune = of_split(load_suite(Path("data/tickets")).tickets, "tune")
        found.append(ticket_set("tickets, tune side", tune, policy))
    return found


def stages(questions: QuestionSet, encoder: Encoder, vectors: EmbeddingCache) -> Callable[[int], FirstStage]:
    """The first stage over the passages of each group, made when it is asked for."""

    @cache
    def of(group: int) -> FirstStage:
        return FirstStage(questions.groups[group].passages, encoder, vectors)

    return of


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    about = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m eval.reranking", description=about)
    parser.add_argument("folders", type=Path, metavar="FOLDER", nargs="*", help="a set in BEIR's layout")
    parser.add_argument("--tickets", action="store_true", help="ask the tune side of data/tickets as well")
    parser.add_argument("--work", type=Path, default=Path(".caveat-reranking"), help="where vectors are kept")
    parser.add_argument("--model", type=Path, help="the folder of an exported cross-encoder")
    asked = parser.parse_args(arguments)
    return guarded(lambda: _print_table(asked))


def _print_table(asked: argparse.Namespace) -> int:
    asked.work.mkdir(parents=True, exist_ok=True)
    encoder = prepare_encoder(EncoderSettings(), asked.work / "encoder")
    scorers = rerankers(encoder, asked.model)
    with EmbeddingCache(asked.work / "vectors.sqlite") as vectors:
        for one in sets_of(asked.folders, asked.tickets):
            result = played(one, stages(one, encoder, vectors), scorers)
            print("\n".join(lines(result, blends(list(scorers)))), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
