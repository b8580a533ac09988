"""What is refused before anything is searched, and what an empty answer says."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from ingest.dates import parse_instant
from ingest.errors import QueryError, StateMissing
from retrieve import Retriever


@pytest.mark.parametrize("query", ["", " \n\t"])
def test_an_empty_query_is_refused(retriever: Retriever, query: str) -> None:
    with pytest.raises(QueryError, match="an empty query"):
        retriever.retrieve(query)


def test_an_over_long_query_is_refused(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match=r"query: 20000 characters; allowed: up to 10000"):
        retriever.retrieve("x" * 20_000)


def test_a_query_that_is_not_utf_8_is_refused(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match=r"query: bytes that are not UTF-8; allowed: text in UTF-8"):
        retriever.retrieve(b"caf\xe9 seats".decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("k", [0, -1, 101])
def test_k_is_bounded(retriever: Retriever, k: int) -> None:
    with pytest.raises(QueryError, match=rf"k = {k}; allowed: 1 to 100"):
        retriever.retrieve("seats", k=k)


def test_k_limits_the_passages(retriever: Retriever) -> None:
    assert [passage.rank for passage in retriever.retrieve("seats", k=2)] == [1, 2]


def test_an_unknown_document_is_refused_with_the_nearest(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match=r'unknown document "04-seat\.md"; fix: did you mean "04-seats\.md"\?'):
        retriever.retrieve("seats", documents=["04-seat.md"])


def test_a_filter_that_names_nothing_is_refused(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match="a filter that names no document"):
        retriever.retrieve("seats", documents=[])


def test_a_document_filter_holds_for_passages_and_links(retriever: Retriever) -> None:
    result = retriever.retrieve("seat credit contract holiday", documents="09-order.md")

    assert {passage.doc_id for passage in [*result.passages, *result.linked]} == {"09-order.md"}


def test_nothing_in_force_says_from_which_day_something_is(retriever: Retriever) -> None:
    result = retriever.retrieve("seats", as_of="2018-01-01")

    assert list(result) == []
    assert result.reason == "nothing was in force on 2018-01-01; the first edition is of 2025-07-01"
    assert (result.confidence, result.low_confidence, result.future) == (None, False, False)
    assert result.to_dict()["passages"] == []


def test_a_filter_whose_documents_are_not_in_force_says_when_they_are(desk: Any) -> None:
    desk.index({"2025-01-01/a.md": "# A\n\nApples.\n", "2025-01-01/b.md": "# B\n\nBeans.\n"})
    desk.index({"2026-01-01/b.md": "# B\n\nBeans.\n"})

    with desk.open() as retriever:
        result = retriever.retrieve("apples", as_of="2026-02-01", documents=["a.md"])

    assert result.reason == (
        "no document of the filter is in force on 2026-02-01: a.md is in force from 2025-01-01 to 2025-12-31"
    )


def test_a_future_day_is_allowed_and_marked(retriever: Retriever) -> None:
    assert retriever.retrieve("seats", as_of="2030-01-01").future
    assert not retriever.retrieve("seats", as_of=date(2026, 9, 1)).future
    assert retriever.retrieve("seats").as_of == "2026-09-01"


def test_a_future_belief_is_refused(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match=r"known_at: .* has not come yet"):
        retriever.retrieve("seats", known_at="2026-09-02")


def test_an_unknown_generation_is_refused_with_the_range(retriever: Retriever) -> None:
    with pytest.raises(QueryError, match="no generation 7; allowed: 1 to 1"):
        retriever.retrieve("seats", known_at=7)


def test_belief_before_the_first_run_is_empty_with_the_reason(retriever: Retriever) -> None:
    result = retriever.retrieve("seats", known_at="2026-08-01T00:00:00Z")

    assert not result.passages
    assert result.reason == "the index knew of no document at 2026-08-01T00:00:00Z"
    assert result.known_at == "2026-08-01T00:00:00Z"


def test_an_earlier_belief_still_answers_after_a_correction(desk: Any) -> None:
    text = "# A\n\n## Fees\n\nThe fee is {}.\n\n## Other\n\nWords.\n"
    desk.index({"2026-01-01/a.md": text.format("five dollars")})
    later = parse_instant("2026-09-02T12:00:00Z", "UTC", end_of_day=False)
    desk.now = later
    desk.index({"2026-01-01/a.md": text.format("nine dollars")}, correct=True)

    with desk.open() as retriever:
        texts = [retriever.retrieve("fee", known_at=at).passages[0].text for at in (None, 2, 1, "2026-09-01")]
        eras = retriever.history("a.md#A > Fees")

    assert [re.findall("five|nine", text) for text in texts] == [["nine"], ["nine"], ["five"], ["five"]]
    assert [("five" in era.text, era.recorded_to is None, era.in_force) for era in eras] == [
        (True, False, False),
        (False, True, True),
    ]


def test_a_folder_without_an_index_says_what_to_do(tmp_path: Any) -> None:
    with pytest.raises(StateMissing, match="caveat index"):
        Retriever.open(tmp_path / "nothing")
