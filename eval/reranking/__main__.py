"""What reranking brings, on the same candidates of the first stage.

    python -m eval.reranking ../shared/ir/orsharc ../shared/ir/handbook_faq_tune --tickets

Prints for each set and blend: recall@5, MRR and nDCG@10 over sections with the gain over the first stage, as a
paired 95 % bootstrap interval over questions (families of tickets), and the reranker's own milliseconds; weights that
were chosen with each fold held back, and measured on it; and the average of the sets. Folders are in
BEIR's layout; of the tickets only the tune side is asked. Vectors are kept in WORK, so that a second table is quick.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from eval.border import guarded
from eval.policy import read_policy
from eval.reranking.contest import Scorer, played
from eval.reranking.sets import QuestionSet, beir_sets, ticket_set
from eval.reranking.table import CROSS, LATE, Table
from eval.retrievers.firststage import FirstStage
from eval.ticket_files import load_suite, of_split
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import Encoder, prepare_encoder
from index.encoding.tokenvectors import TokenVectors
from index.settings import EncoderSettings
from ingest.settings import IngestSettings
from retrieve.reranking import exported
from retrieve.reranking.late import LateInteraction

_REMEMBERED: Final = 50_000
"""Texts whose token vectors a table keeps: all children of a set, some hundred MB."""


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
    table = Table(list(scorers))
    with EmbeddingCache(asked.work / "vectors.sqlite") as vectors:
        for one in sets_of(asked.folders, asked.tickets):
            result = played(one, stages(one, encoder, vectors), scorers)
            print("\n".join(table.of_set(result)), end="\n\n", flush=True)
    print("\n".join(table.of_average()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
