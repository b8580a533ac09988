"""The search as a contender: what it gives, what its key depends on, and the stage that lost a section."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from eval.retrievers.pipeline import Pipelines
from eval.suites.question import Gold, Question
from ingest.dates import parse_instant
from ingest.errors import QueryError
from retrieve.settings import RetrieveSettings

SETTINGS = RetrieveSettings(reranker="none")
NOW = parse_instant("2026-11-30T12:00:00Z", "UTC", end_of_day=False)


@pytest.fixture(scope="module")
def pipelines(demo_folder: Path) -> Iterator[Pipelines]:
    with Pipelines(demo_folder / ".caveat", clock=lambda: NOW) as opened:
        yield opened


def question(query: str, *gold: str, as_of: str = "2026-03-15") -> Question:
    return Question("q", query, tuple(map(Gold, gold)), "q", as_of)


def sections(pipelines: Pipelines, as_of: str = "2026-03-15") -> list[str]:
    found = pipelines.under(SETTINGS).retriever.retrieve("seats", as_of=as_of, k=50)
    return [part.address for passage in found for part in passage.parts]


def test_an_answer_holds_texts_tokens_dates_and_times(pipelines: Pipelines) -> None:
    answer = pipelines.under(SETTINGS).answer(question("seat downgrade credit calculation table"), 2)
    first = answer.passages[0]
    assert len(answer.passages) == 2
    assert first.id in first.covers
    assert first.tokens > len(first.texts[0].split())
    assert first.effective_from == "2026-01-01"
    assert answer.milliseconds["total"] >= answer.milliseconds["dense"]
    assert answer.lost == {}


def test_a_query_that_is_too_long_is_named(pipelines: Pipelines) -> None:
    asked = Question("q-7", "seat " * 2001, (), "q", "2026-03-15", where="gold.csv:8")
    told = (
        r'^gold.csv:8: the query "q-7" has 10,005 characters; allowed: up to 10,000 \(retrieve.max_query_chars\); fix: '
    )
    with pytest.raises(QueryError, match=told):
        pipelines.under(SETTINGS).answer(asked, 2)


def test_the_key_follows_settings_and_not_names_or_k(pipelines: Pipelines) -> None:
    key = pipelines.under(SETTINGS).key
    assert pipelines.under(SETTINGS.model_copy(update={"k": 9}), "other").key == key
    assert pipelines.under(SETTINGS.model_copy(update={"max_links": 0})).key != key
    assert pipelines.under(SETTINGS, mark="a reader").key != key


def test_a_section_beyond_k_is_told(pipelines: Pipelines) -> None:
    asked = question("seat downgrade credit calculation table", *sections(pipelines))
    answer = pipelines.under(SETTINGS.model_copy(update={"max_links": 0})).answer(asked, 1)
    assert answer.lost
    assert set(answer.lost.values()) <= {"beyond k", "not a candidate", "lost in fusion"}
    assert "beyond k" in answer.lost.values()


def test_sections_behind_the_candidates_are_lost_before(pipelines: Pipelines) -> None:
    asked = question("seat downgrade credit calculation table", *sections(pipelines))
    narrow = SETTINGS.model_copy(update={"section_candidates": 1, "max_links": 0})
    lost = pipelines.under(narrow).answer(asked, 1).lost
    assert "not a candidate" in lost.values()
    assert "beyond k" not in lost.values()


def test_a_list_without_weight_loses_nothing_in_fusion(pipelines: Pipelines) -> None:
    asked = question("seat downgrade credit calculation table", *sections(pipelines))
    bm25 = SETTINGS.model_copy(update={"dense_weight": 0.0, "section_candidates": 3, "max_links": 0})
    lost = set(pipelines.under(bm25).answer(asked, 1).lost.values())
    assert "not a candidate" in lost
    assert "lost in fusion" not in lost


def test_a_small_budget_is_named(pipelines: Pipelines) -> None:
    asked = question("seat downgrade credit calculation table", *sections(pipelines))
    small = SETTINGS.model_copy(update={"budget_tokens": 1})
    assert "cut by budget" in pipelines.under(small).answer(asked, 5).lost.values()


def test_what_is_not_in_force_or_not_indexed_is_named(pipelines: Pipelines) -> None:
    later = set(sections(pipelines, "2026-08-01")) - set(sections(pipelines, "2025-08-01"))
    asked = question("seats", sorted(later)[0], "04-seats.md#No such", as_of="2025-08-01")
    lost = pipelines.under(SETTINGS).answer(asked, 5).lost
    assert lost == {sorted(later)[0]: "not in force", "04-seats.md#No such": "not in the index"}


def test_a_day_before_all_editions_loses_all(pipelines: Pipelines) -> None:
    known = sections(pipelines)[0]
    answer = pipelines.under(SETTINGS).answer(question("seats", known, as_of="2001-01-01"), 5)
    assert (answer.passages, answer.low_confidence, answer.lost) == ((), True, {known: "not in force"})
