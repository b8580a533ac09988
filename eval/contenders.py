"""Who is compared by `caveat tickets baseline`: four kinds of windows, and the first stage of the pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from eval.asking import Contender, Windows, pipeline
from eval.baseline import Progress
from eval.policy import Policy
from eval.surroundings import Surroundings
from eval.ticket_check import gold_sections
from eval.tickets import Ticket
from eval.retrievers.windows import WIDE, WindowSearch, widened
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import Encoder, open_encoder
from index.snapshot import Snapshot
from index.state import State
from ingest.errors import GuardError, QueryError
from retrieve.retriever import Retriever

TOP: Final = 3
"""What the incident's retriever returned."""
OVERLAPS: Final = (0, 64)


@contextmanager
def contenders(
    around: Surroundings, handbook: Path, policy: Policy, tickets: tuple[Ticket, ...], progress: Progress | None
) -> Iterator[tuple[Contender, ...]]:
    """The contenders, ready to be asked about these tickets.

    Raises:
        StateError: nothing is indexed, or another handbook is.
        EncoderError: the index was built with another model.
        GuardError: the index lacks a text that the handbook's files hold.
    """
    state = State(around.state)
    state.must_be_published()
    state.check_owner(handbook)
    first_stage = around.config.retrieve.model_copy(update={"reranker": "none"})
    with ExitStack() as stack:
        retriever = Retriever.open(around.state, first_stage, encoder=around.wanted_encoder, clock=around.clock)
        stack.enter_context(retriever)
        check_indexed(retriever, policy, tickets)
        cache = stack.enter_context(EmbeddingCache(state.embeddings.with_name("windows.sqlite")))
        windows = [
            _windows(policy, encoder, cache, overlap) for encoder in _encoders(state, stack) for overlap in OVERLAPS
        ]
        for made in windows:
            told = (lambda done, total, name=made.name: progress(name, done, total)) if progress else None
            made.search.prepare({ticket.day for ticket in tickets}, told)
        linked = pipeline(retriever, 5, linked=first_stage.max_links)
        yield (*windows, pipeline(retriever, 5), linked, pipeline(retriever, TOP))


def _encoders(state: State, stack: ExitStack) -> list[Encoder]:
    """The index's encoder at its own limit, and at 512 where that is more."""
    snapshot = Snapshot.open(state.folder)
    settings = snapshot.manifest.encoder
    snapshot.close()
    default = open_encoder(settings, state.encoder(settings))
    return (
        [default, stack.enter_context(widened(settings, state.encoder(settings)))]
        if default.limit < WIDE
        else [default]
    )


def _windows(policy: Policy, encoder: Encoder, cache: EmbeddingCache, overlap: int) -> Windows:
    name = f"windows, overlap {overlap}, {encoder.limit} read"
    return Windows(name, TOP, WindowSearch(policy, encoder, cache, overlap))


def check_indexed(retriever: Retriever, policy: Policy, tickets: tuple[Ticket, ...]) -> None:
    """Refuse to measure an index that is older than the handbook's files.

    Raises:
        GuardError: a section with gold is not indexed as its file has it.
    """
    for ticket in tickets:
        for section in gold_sections(ticket, policy.on(ticket.day)):
            try:
                held = retriever.section(section.address, as_of=ticket.as_of).text
            except QueryError:
                held = ""
            if section.text not in " ".join(held.split()):
                raise GuardError(
                    "the index does not hold this text as the file has it",
                    where=f"{section.address}, on {ticket.as_of}",
                    fix="caveat index",
                )
