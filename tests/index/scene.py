"""A small handbook that is revised again and again, and what a search must find after each revision.

Shared by the tests of crashes and of concurrent searching, and by the soak (tests/soak.py).
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from index.encoding.tokenstore import TokenStore
from index.generation.manifest import KEYWORDS, POINTS, VECTORS, Manifest
from index.generation.points import Points
from index.generation.texts import Texts
from index.history.o200k import count_tokens
from index.lexical.postings import Postings
from index.run import IndexRequest, index_run
from index.settings import EncoderSettings, IndexSettings, Settings
from index.snapshot import Snapshot
from index.state import State
from index.stores.edge import EdgeStore
from ingest.dates import parse_day
from ingest.errors import CaveatError

NOW = 1_796_000_000_000_000
"""2026-11-30, in microseconds."""
SECOND = 1_000_000
DAY = parse_day("2026-08-01")
SETTINGS = Settings(encoder=EncoderSettings(model="hash-64"), index=IndexSettings(keep_generations=1))
"""One generation kept: readers meet deletion as soon as can be."""
count_tokens("")  # Loaded here once, and not in every process that is forked from this one.
_PAUSE = 0.002
TOPICS = ("Upgrades", "Credits", "Refunds", "Invoices", "Renewals", "Disputes")


def write_handbook(root: Path, revision: int) -> None:
    """Two editions; `revision` is a word of the newest one's notice clause."""
    for edition, word in (("2026-01-01", "zero"), ("2026-07-01", f"revision{revision}")):
        folder = root / edition
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "04-seats.md").write_text(_seats(word), encoding="utf-8")
        for number, topic in enumerate(TOPICS, 1):
            (folder / f"{number:02}-{topic.lower()}.md").write_text(_other(number, topic), encoding="utf-8")


def _seats(word: str) -> str:
    return (
        "# 4 Seats\n\nSeats are counted daily.\n\n## 4.1 Terms\n\nA seat is one named user.\n\n"
        f"## 4.2 Downgrades\n\nSeat reductions must be announced in writing, {word}, before the renewal date.\n"
    )


def _other(number: int, topic: str) -> str:
    rules = "\n\n".join(
        f"## {number}.{rule} Rule {rule}\n\n{topic} follow rule {rule} of their own." for rule in (1, 2, 3)
    )
    return f"# {number} {topic}\n\n{rules}\n"


def request(folder: Path, revision: int) -> IndexRequest:
    """The run that publishes a revision; one second after the one before."""
    return IndexRequest(folder / "handbook", folder / "state", NOW + revision * SECOND, SETTINGS)


def publish(folder: Path, revision: int) -> None:
    """Revise the handbook and index it."""
    write_handbook(folder / "handbook", revision)
    index_run(request(folder, revision))


@dataclass(frozen=True)
class Expected:
    """What every search finds, whichever revision is published."""

    chunks: int
    """In force on DAY."""
    sections: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, snapshot: Snapshot) -> Expected:
        hits = snapshot.view(DAY).dense(snapshot.encoder.encode_query("seat"), 1000)
        return cls(len(hits), frozenset((hit.doc_id, hit.section_id) for hit in hits))


def fault_in(snapshot: Snapshot, expected: Expected) -> str | None:
    """ "wrong", "partial", or None for a right and whole answer."""
    view = snapshot.view(DAY)
    dense = view.dense(snapshot.encoder.encode_query("seat reductions announced in writing"), 1000)
    word = f"revision{(snapshot.recorded - NOW) // SECOND}"
    found = view.keywords(word, 10)
    if len(dense) != expected.chunks or len(found) != 1:
        return "partial"
    [named] = view.find("04-seats.md#4.2")
    texts = {view.section(hit.doc_id, hit.section_id).version.text for hit in dense}
    told = {text for text in texts if "announced" in text}
    right = told == {named.version.text} and word in named.version.text
    same = frozenset((hit.doc_id, hit.section_id) for hit in dense) == expected.sections
    return None if right and same and found[0].section_id == named.version.section_id else "wrong"


def search_until(state: Path, stop: Path, expected: Expected, reopen: bool, answers: Any) -> None:
    """Search until the file `stop` exists; puts a Counter of answers and of generations seen."""
    counts: Counter[str] = Counter()
    snapshot: Snapshot | None = None
    # One more round after the stop: the last generation is searched too.
    for last in _until(stop):
        try:
            if snapshot is None or reopen or last or snapshot.stale():
                snapshot = Snapshot.open(state)
                counts[f"generation {snapshot.generation}"] += 1
            counts[fault_in(snapshot, expected) or "right"] += 1
        except CaveatError as error:
            counts["failed"] += 1
            counts[f"failed: {error}"] += 1
        time.sleep(_PAUSE)
    answers.put(dict(counts))


def _until(stop: Path) -> Any:
    while not stop.exists():
        yield False
    yield True


def run_with_fault(wish: IndexRequest, fault: str) -> None:
    """A run in a process of its own that ends at a crash point."""
    os.environ["CAVEAT_FAULT"] = fault
    index_run(wish)


def content(folder: Path) -> dict[str, Any]:
    """All that a state folder says, for comparing two of them."""
    state = State(folder / "state")
    number = state.must_be_published()
    generation = state.generation(number)
    points = Points.load(generation / POINTS)
    store = EdgeStore.open_to_read(generation / VECTORS)
    manifest = replace(Manifest.load(generation), files={}, generation=0, published=())
    postings = Postings.load(generation / KEYWORDS)
    texts = Texts.load(generation)
    tokens = TokenStore.open(state.token_vectors, manifest.encoder_fingerprint)
    return {
        "catalog": _dump(state.catalog),
        "copy": _dump(generation / "catalog.sqlite"),
        "points": {
            name: getattr(points, name).tolist() for name in ("row_id", "rec_to", "id", "start", "end", "digest")
        },
        "payloads": store.payloads(),
        "vectors": store.vectors(points.id.tolist()).tolist(),
        "manifest": manifest,
        "postings": len(postings),
        "texts": [texts[number] for number in points.text.tolist()],
        "tokens": [tokens.get(digest.decode()).tolist() for digest in texts.digest.tolist()],
    }


def _dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()
