"""Sections by name, their history, and why one was or was not returned."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.errors import QueryError
from retrieve import Retriever

CREDIT = "seat downgrade credit calculation formula"


@pytest.mark.parametrize(
    "name",
    ["4.2", "04-seats.md#4.2", "04-seats.md#Seats > Downgrades", "Seats > Downgrades", "downgrades", "Section 4.2"],
)
def test_a_section_is_found_by_any_of_its_names(retriever: Retriever, name: str) -> None:
    passage = retriever.section(name, as_of="2025-12-31")

    assert passage.address == "04-seats.md#Seats > Downgrades"
    assert "at least 10 calendar days" in passage.text
    assert passage.inherits == ("Except for Enterprise plans:",)


def test_a_section_asked_for_by_name_is_not_widened(retriever: Retriever) -> None:
    assert retriever.section("4.2.1").text.startswith("### 4.2.1 Formula")
    assert "4.2.2" not in retriever.section("4.2.1").text


def test_a_section_that_is_not_in_force_says_when_it_is(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match="not in force on 2024-01-01: it is in force from 2025-07-01 without end"):
        retriever.section("4.2", as_of="2024-01-01")


def test_an_unknown_section_is_refused_with_the_nearest(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match=r"did you mean 04-seats\.md#Seats > Downgrades"):
        retriever.section("04-seats.md#Seats > Downgrade")


def test_an_ambiguous_name_lists_what_it_can_mean(desk: Any) -> None:
    text = "# {0}\n\n## 1.1 Fees\n\nWords on {0}.\n\n## 1.2 More\n\nMore.\n"
    desk.index({f"2026-01-01/{name}.md": text.format(name) for name in ("a", "b")})

    with (
        desk.open() as retriever,
        pytest.raises(QueryError, match=r"several sections .*a\.md#a > Fees; b\.md#b > Fees"),
    ):
        retriever.section("1.1")


def test_history_marks_the_version_in_force_on_a_day(retriever: Retriever) -> None:
    eras = retriever.history("4.2.2", as_of="2025-08-01")

    assert [(era.effective_from, era.superseded_at, era.in_force) for era in eras] == [
        ("2025-07-01", "2026-01-01", True),
        ("2026-01-01", None, False),
    ]
    assert "10 calendar days" in eras[0].text
    assert all(era.recorded_to is None for era in eras)


def test_documents_are_listed_with_their_dates(retriever: Retriever) -> None:
    assert [entry.to_dict() for entry in retriever.documents(as_of="2025-07-01")] == [
        {"doc_id": "04-seats.md", "title": "Seats", "effective_from": "2025-07-01", "superseded_at": None},
        {
            "doc_id": "09-order.md",
            "title": "Order of precedence",
            "effective_from": "2025-07-01",
            "superseded_at": None,
        },
    ]
    assert retriever.documents(as_of="2020-01-01") == ()


def test_explain_ranks_what_was_returned(retriever: Retriever) -> None:
    why = retriever.explain("4.2.1", CREDIT)

    assert (why.outcome, why.rank, why.passage) == ("merged", 1, "04-seats.md#Seats > Downgrades")
    assert why.in_force
    assert None not in (why.dense_rank, why.bm25_rank, why.fused_rank, why.fused)
    assert retriever.explain("4.2", CREDIT).outcome == "returned"


def test_explain_says_when_a_section_is_not_in_force(retriever: Retriever) -> None:
    why = retriever.explain("4.2", CREDIT, as_of="2020-01-01")

    assert (why.outcome, why.why, why.in_force) == ("not-in-force", "not in force on 2020-01-01", False)


def test_explain_says_that_the_filter_left_it_out(retriever: Retriever) -> None:
    assert retriever.explain("4.2", CREDIT, documents=["09-order.md"]).outcome == "filtered"


@pytest.mark.parametrize(
    ("settings", "section", "outcome"),
    [
        ({"k": 1}, "4.1", "beyond-k"),
        ({"k": 1}, "9.1", "linked"),
        ({"budget_tokens": 1}, "4.1", "over-budget"),
        ({"k": 1, "section_candidates": 1}, "4.1", "beyond-candidates"),
        ({"k": 1, "chunk_candidates": 1}, "9.2", "not-found"),
    ],
    ids=lambda value: str(value),
)
def test_explain_says_where_a_section_was_lost(
    office: Any, settings: dict[str, Any], section: str, outcome: str
) -> None:
    with office.open(**settings) as retriever:
        why = retriever.explain(section, CREDIT)

    assert why.outcome == outcome
    assert why.rank is None


def test_explain_an_unknown_section_is_an_error(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match=r'no section was ever called "77\.7"'):
        retriever.explain("77.7", CREDIT)
