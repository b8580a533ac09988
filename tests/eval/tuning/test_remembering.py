"""A Retriever that asks nothing twice gives what a plain one gives."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from eval.tuning.remembering import Memory, RememberedCross, Rerun
from ingest.dates import parse_instant
from retrieve.retriever import Retriever
from retrieve.settings import RetrieveSettings
from retrieve.shelf import Shelf

NOW = parse_instant("2026-11-30T12:00:00Z", "UTC", end_of_day=False)
QUERIES = ("seat downgrade credit calculation table", "may a refund be paid after thirty days")
SETTINGS = (
    {},
    {"fusion": "minmax", "dense_weight": 0.5},
    {"first_weight": 0.0, "late_weight": 1.0},
    {"section_candidates": 5, "k": 8},
    {"section_candidates": 5, "k": 3},
    {"passage": "own", "max_links": 0},
    {"reranker": "none", "max_links": 6},
)


@pytest.fixture(scope="module")
def shelf(demo_folder: Path) -> Iterator[Shelf]:
    opened = Shelf(demo_folder / ".caveat", None)
    yield opened
    opened.close()


def test_every_setting_gives_what_a_plain_search_gives(shelf: Shelf) -> None:
    memory = Memory()
    for values in (*SETTINGS, *SETTINGS[:3]):
        settings = RetrieveSettings.model_validate(values)
        quick = Rerun(shelf, settings, memory, lambda: NOW)
        plain = Retriever(shelf, settings, clock=lambda: NOW)
        for query in QUERIES:
            for day in ("2026-03-15", "2025-03-15"):
                found, wanted = (one.retrieve(query, as_of=day).to_dict() for one in (quick, plain))
                for told in (found, wanted):
                    told.pop("latency_ms")
                    (told["reranking"] or {}).pop("late_computed", None)
                assert found == wanted, values


def test_a_pair_is_read_once() -> None:
    asked: list[str] = []

    class Reader:
        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            asked.extend(texts)
            return [float(len(text)) for text in texts]

        def unread(self, query: str, texts: Sequence[str]) -> int:
            return 0

    reader = RememberedCross(Reader())
    assert reader.scores("q", ["a", "bb", "a"]) == [1.0, 2.0, 1.0]
    assert reader.scores("q", ["bb", "ccc"]) == [2.0, 3.0]
    assert asked == ["a", "bb", "ccc"]
    assert reader.scores("another", ["a"]) == [1.0]
    assert asked == ["a", "bb", "ccc", "a"]
