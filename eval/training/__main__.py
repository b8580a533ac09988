"""A cross-encoder for policy text, from questions to a folder that `retrieve.reranker` can name.

    python -m eval.training prepare --shared ../shared --work DIR
    python -m eval.training overlap --shared ../shared
    python -m eval.training run DIR --pairs 10000 --name short
    python -m eval.training export DIR/runs/NAME OUT

`prepare` finds hard negatives for every question with the pipeline's first stage and writes DIR/lists.jsonl.
`overlap` says how far the questions speak their sections' words.
`run` trains, and goes on where it was stopped. `export` writes the int8 graph and checks it against torch.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from eval.border import guarded

if TYPE_CHECKING:
    from eval.training.trainer import Scorer
    from retrieve.reranking.pairs import Pairs

app = typer.Typer(add_completion=False, rich_markup_mode=None)
SEED = 8841


class Head(StrEnum):
    """The heads that can be compared."""

    INTERACTION = "interaction"
    CLS = "cls"


@app.command()
def prepare(
    work: Annotated[Path, typer.Option(help="Where lists, vectors and runs go.")],
    shared: Annotated[Path, typer.Option(help="The folder that holds train/ and handbooks/.")] = Path("../shared"),
    questions: Annotated[Path, typer.Option(help="Questions, JSON Lines.")] = Path("data/training/questions.jsonl"),
    handbook: Annotated[Path, typer.Option(help="The demo handbook.")] = Path("data/handbook"),
) -> None:
    """Find hard negatives, and write the lists to learn from."""
    from eval.retrievers.firststage import FirstStage
    from eval.training.lists import List, given, mined, write_lists
    from eval.training.material import read_questions, sections_of
    from index.encoding.embeddings import EmbeddingCache
    from index.encoding.encoder import prepare_encoder
    from index.settings import EncoderSettings

    work.mkdir(parents=True, exist_ok=True)
    encoder = prepare_encoder(EncoderSettings(), work / "encoder")
    asked = read_questions(questions)
    lists: list[List] = []
    with EmbeddingCache(work / "vectors.sqlite") as cache:
        for source in sorted({question.source for question in asked}):
            passages = sections_of(source, shared, handbook, time.time_ns() // 1000)
            typer.echo(f"{source}: {len(passages):,} sections")
            stage = FirstStage(passages.values(), encoder, cache)
            own = [question for question in asked if question.source == source]
            lists += mined(own, passages, stage, np.random.default_rng(SEED))
    lists += given(shared / "train" / "lists.jsonl")
    typer.echo(f"{write_lists(work / 'lists.jsonl', lists):,} lists in {work / 'lists.jsonl'}")


@app.command()
def overlap(
    shared: Annotated[Path, typer.Option(help="The folder that holds train/ and handbooks/.")] = Path("../shared"),
    questions: Annotated[Path, typer.Option(help="Questions, JSON Lines.")] = Path("data/training/questions.jsonl"),
    handbook: Annotated[Path, typer.Option(help="The demo handbook.")] = Path("data/handbook"),
) -> None:
    """Say how many of the questions' words occur in their sections."""
    from eval.training.material import overlaps, read_questions, sections_of

    asked = read_questions(questions)
    sources: list[str] = sorted({question.source for question in asked})
    passages = {source: sections_of(source, shared, handbook, time.time_ns() // 1000) for source in sources}
    for kind, shares in overlaps(asked, passages).items():
        above = sum(share > 0.4 for share in shares) / len(shares)
        typer.echo(f"{kind}: median {np.median(shares):.3f}, {above:.1%} above 0.4 (n={len(shares)})")


@app.command()
def run(
    work: Annotated[Path, typer.Argument(help="What prepare was given.")],
    name: Annotated[str, typer.Option(help="Of the run: its folder below WORK/runs.")] = "long",
    pairs: Annotated[int, typer.Option(help="Query-text pairs to learn from.")] = 150_000,
    head: Annotated[Head, typer.Option(help="What scores a pair.")] = Head.INTERACTION,
    scenarios: Annotated[bool, typer.Option(help="Learn from scenarios and rewrites too.")] = True,
    swaps: Annotated[bool, typer.Option(help="Learn from swapped qualifiers.")] = True,
    lists: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the given lists that an epoch draws beside the questions.")
    ] = 1.0,
    teacher: Annotated[
        str, typer.Option(help="A run whose model, blended with the other stages, teaches; none by default.")
    ] = "",
    taught: Annotated[float, typer.Option(min=0, max=1, help="Weight of the teacher's scores in the loss.")] = 0.5,
    rate: Annotated[float, typer.Option(help="Highest learning rate.")] = 4e-5,
    frozen: Annotated[int, typer.Option(help="Layers, from the lowest on, that stay as they are.")] = 0,
    threads: Annotated[int, typer.Option(help="Of torch.")] = 2,
    seed: Annotated[int, typer.Option(help="Of everything that is drawn.")] = SEED,
) -> None:
    """Train one cross-encoder."""
    import torch

    from eval.training.lists import dealt, read_lists
    from eval.training.network import fast_precision, started
    from eval.training.trainer import Recipe, Trainer
    from index.encoding.models import BUNDLED, find_model
    from retrieve.reranking.pairs import Pairs

    recipe = Recipe(
        head="interaction" if head is Head.INTERACTION else "cls",
        scenarios=scenarios,
        swaps=swaps,
        given=lists,
        pairs=pairs,
        rate=rate,
        teacher=teacher,
        taught=taught if teacher else 0.0,
        frozen=frozen,
        precision=fast_precision(),
        threads=threads,
        seed=seed,
    )
    source = find_model(BUNDLED).folder
    pairs_of = Pairs(source / "tokenizer.json")
    # The split is the same for every recipe: a run is compared with another on the same validation lists.
    learn, validate = dealt(read_lists(work / "lists.jsonl"), np.random.default_rng(SEED))
    torch.manual_seed(seed)
    folder = work / "runs" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log.txt").open("a", encoding="utf-8") as file:

        def log(line: str) -> None:
            typer.echo(line)
            file.write(f"{line}\n")
            file.flush()

        log(f"{asdict(recipe)}; {len(learn)} lists to learn from, {len(validate)} to validate on")
        model = started(source / "model.safetensors", recipe.head)
        trainer = Trainer(recipe, model, pairs_of, folder, log, _teacher(work, teacher, pairs_of) if teacher else None)
        score = trainer.run(learn, validate)
        log(f"best: MRR {score.mrr:.4f}, right on top {score.right:.3f}")


def _teacher(work: Path, run: str, pairs: Pairs) -> Scorer:
    from eval.training.teaching import Teacher
    from index.encoding.encoder import prepare_encoder
    from index.settings import EncoderSettings

    return Teacher.of_run(work / "runs" / run, pairs, prepare_encoder(EncoderSettings(), work / "encoder")).scores


@app.command()
def export(
    trained: Annotated[Path, typer.Argument(help="A run's folder.")],
    out: Annotated[Path, typer.Argument(help="Where model and tokenizer go.")],
) -> None:
    """Write the int8 graph and the tokenizer, and compare the graph with torch."""
    from eval.training.exporting import export_model

    for line in export_model(trained, out):
        typer.echo(line)


def main() -> None:
    """The command line of this package."""
    sys.exit(guarded(lambda: app(prog_name="python -m eval.training", standalone_mode=False) or 0))


if __name__ == "__main__":
    main()
