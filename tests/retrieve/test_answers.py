"""Questions to small handbooks, from files to passages."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

import pytest

from index.snapshot import Hit, View
from ingest.errors import StateDamaged
from retrieve import Retriever
from retrieve.settings import RetrieveSettings
from tests.retrieve.conftest import ORDER, SEATS

CREDIT = "seat downgrade credit calculation formula"
KEYS = (
    "query as_of known_at generation future reranked confidence low_confidence reason passages linked"
    " dropped_for_budget query_truncated latency_ms reranking"
)
PASSAGE_KEYS = (
    "rank doc_id section address path text inherits omitted also_in effective_from superseded_at page matches scores"
    " via"
)


def test_the_formula_comes_back_with_the_notice_that_limits_it(retriever: Retriever) -> None:
    first = retriever.retrieve(CREDIT, as_of="2026-03-15").passages[0]

    assert first.section == "4.2"
    assert "credit_usd" in first.text
    assert "at least 30 calendar days" in first.text
    assert first.inherits == ("Except for Enterprise plans:",)
    assert (first.effective_from, first.superseded_at) == ("2026-01-01", None)


def test_another_day_has_another_answer(retriever: Retriever) -> None:
    first = retriever.retrieve(CREDIT, as_of="2025-12-31").passages[0]

    assert "at least 10 calendar days" in first.text
    assert (first.effective_from, first.superseded_at) == ("2025-07-01", "2026-01-01")


def test_matches_are_spans_of_the_passage(retriever: Retriever) -> None:
    passages = retriever.retrieve(CREDIT).passages

    assert all(passage.text[m.start : m.end] == m.chunk for passage in passages for m in passage.matches)
    assert any("credit_usd" in m.chunk for m in passages[0].matches)
    assert all(passage.matches for passage in passages)


def test_the_same_question_has_the_same_answer(office: Any) -> None:
    answers = []
    for _ in range(2):
        with office.open() as retriever:
            answers.append(retriever.retrieve(CREDIT).to_dict() | {"latency_ms": None})

    assert answers[0] == answers[1]


def test_the_json_is_the_documented_one(retriever: Retriever) -> None:
    result = retriever.retrieve(CREDIT, as_of="2026-03-15").to_dict()

    assert list(result) == KEYS.split()
    assert list(result["passages"][0]) == PASSAGE_KEYS.split()
    assert (result["known_at"], result["generation"], result["reranked"], result["reason"]) == (None, 1, False, None)
    assert list(result["latency_ms"]) == ["encode", "dense", "bm25", "late", "cross", "rerank"]


def test_a_limit_elsewhere_is_linked_from_either_side(office: Any) -> None:
    with office.open(k=1) as retriever:
        rule = retriever.retrieve(CREDIT).linked
        limit = retriever.retrieve("signed contract forbids refund names price").linked
        against = retriever.retrieve("hand seat to colleague place for one person").linked

    assert [(one.section, one.via and one.via.phrase) for one in rule] == [("9.1", "subject to Section 9.1(b)")]
    assert [one.section for one in limit] == ["4.2.1"]
    assert [one.section for one in against] == ["9.2"]
    assert rule[0].via is not None
    assert rule[0].via.source == "04-seats.md#Seats > Downgrades > Formula"


def test_links_can_be_switched_off(office: Any) -> None:
    with office.open(k=1, max_links=0) as retriever:
        assert retriever.retrieve(CREDIT).linked == ()


def test_the_hits_own_section_can_be_asked_for(office: Any) -> None:
    with office.open(passage="own") as retriever:
        first = retriever.retrieve("credit_usd prior_seats annual_seat_price").passages[0]

    assert first.section == "4.2.1"
    assert first.inherits == ("Except for Enterprise plans:", "Seats can be taken off on the renewal date.")


def test_the_total_budget_drops_from_the_end_and_says_so(office: Any) -> None:
    with office.open(budget_tokens=1) as retriever:
        result = retriever.retrieve(CREDIT)
        everything = [result.passages[0].address, *result.dropped_for_budget]

    assert len(result.passages) == 1
    assert result.linked == ()
    assert len(everything) == len(set(everything)) > 3


def test_identical_sections_collapse_into_also_in(desk: Any) -> None:
    copy = "# {}\n\n## Refunds\n\nRefunds are paid within ten working days of the request.\n\n## {}\n\nOther words.\n"
    desk.index({f"2026-01-01/{name}.md": copy.format(name, f"About {name}") for name in ("gold", "iron", "zinc")})

    with desk.open() as retriever:
        result = retriever.retrieve("refunds paid within ten working days")
        narrow = retriever.retrieve("refunds paid within ten working days", documents=["gold.md", "zinc.md"])

    assert [passage.address for passage in result if "ten working days" in passage.text] == ["gold.md#gold > Refunds"]
    assert result.passages[0].also_in == ("iron.md#iron > Refunds", "zinc.md#zinc > Refunds")
    assert narrow.passages[0].also_in == ("zinc.md#zinc > Refunds",)


def test_a_flat_folder_without_dates_is_in_force_since_unknown(desk: Any) -> None:
    desk.index({"travel.md": "# Travel\n\n## Trains\n\nTake the train.\n\n## Planes\n\nNever fly.\n"})

    with desk.open() as retriever:
        passage = retriever.retrieve("train", as_of="1999-01-01").passages[0]

    assert (passage.address, passage.effective_from, passage.superseded_at) == ("travel.md#Travel > Trains", None, None)


def test_a_long_section_keeps_its_text_and_names_what_it_omits(desk: Any) -> None:
    parts = "".join(f"### Part {n}\n\n{'padding words here ' * 60}\n\n" for n in range(1, 6))
    desk.index({"2026-01-01/a.md": f"# Book\n\n## Zebra\n\nZebras are striped.\n\n{parts}## Other\n\nMore.\n"})

    with desk.open(passage_tokens=450) as retriever:
        first = retriever.retrieve("zebras striped").passages[0]

    assert [part.address.rsplit(" > ", 1)[-1] for part in first.parts] == ["Zebra", "Part 1", "Part 2"]
    assert first.omitted == tuple(f"a.md#Book > Zebra > Part {n}" for n in (3, 4, 5))


@pytest.mark.parametrize(("limit", "low"), [(0.0, False), (1.1, True)], ids=["sure", "unsure"])
def test_low_confidence_is_a_mark_and_never_empties_a_result(office: Any, limit: float, low: bool) -> None:
    with office.open(low_confidence=limit) as retriever:
        result = retriever.retrieve("zebra crossing")

    assert result.low_confidence is low
    assert result.passages
    assert result.confidence is not None


def test_a_question_longer_than_the_encoder_reads_is_marked(retriever: Retriever) -> None:
    assert retriever.retrieve("credit " * 400).query_truncated
    assert not retriever.retrieve(CREDIT).query_truncated


def test_minmax_fusion_is_a_setting(office: Any) -> None:
    with office.open(fusion="minmax") as retriever:
        first = retriever.retrieve(CREDIT).passages[0]

    assert first.section == "4.2"
    assert first.scores.fused == pytest.approx(2.0, abs=0.5)


class Favours:
    """A reranker that likes one word."""

    def __init__(self, word: str):
        self.word = word

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [3.0 if self.word in text else -3.0 for text in texts]

    def unread(self, query: str, texts: Sequence[str]) -> int:
        return 2


def test_a_reranker_reorders_the_candidates_and_is_said(office: Any) -> None:
    settings = RetrieveSettings(first_weight=0.0, late_weight=0.0, cross_weight=2.0)
    with Retriever.open(office.state, settings, reranker=Favours("holidays"), clock=lambda: office.now) as retriever:
        result = retriever.retrieve(CREDIT)

    first = result.passages[0]
    assert result.reranked
    assert (first.section, first.scores.cross, first.scores.rerank, first.scores.late) == ("9.2", 3.0, 1.0, None)
    assert result.to_dict()["reranking"] == {
        "weights": {"first": 0.0, "late": 0.0, "cross": 2.0},
        "model": "Favours",
        "late_computed": 0,
        "cross_unread": 2,
    }
    assert result.latency_ms["late"] == 0 < result.latency_ms["cross"] <= result.latency_ms["rerank"]


def test_confidence_is_the_best_cosine_reranked_or_not(office: Any, retriever: Retriever) -> None:
    with office.open(reranker="late") as late:
        assert late.retrieve(CREDIT).confidence == retriever.retrieve(CREDIT).confidence


def test_late_interaction_reads_what_is_kept(office: Any) -> None:
    with office.open(reranker="late", first_weight=0.0, passage="own") as late:
        result = late.retrieve("written notice before the renewal date", k=1)

    assert result.passages[0].matches[0].chunk.startswith("Written notice must arrive")
    assert result.reranking is not None
    assert (result.reranking.model, result.reranking.late_computed) == (None, 0)
    assert result.passages[0].scores.late == pytest.approx(1.0, abs=0.01)


def test_without_its_folder_late_interaction_computes_the_same(desk: Any) -> None:
    desk.index({"2026-01-01/a.md": SEATS.format(days=30), "2026-01-01/b.md": ORDER})
    with desk.open(reranker="late") as kept:
        before = kept.retrieve(CREDIT)
        shutil.rmtree(desk.state / "cache" / "token_vectors")
        while_open = kept.retrieve(CREDIT)
    with desk.open(reranker="late") as computing:
        after = computing.retrieve(CREDIT)

    assert [one.reranking.late_computed > 0 for one in (before, while_open, after)] == [False, False, True]
    assert [one.scores for one in before] == [one.scores for one in while_open] == [one.scores for one in after]


def test_rerankers_without_weight_are_switched_off(office: Any) -> None:
    with office.open(reranker="late", late_weight=0.0) as retriever:
        result = retriever.retrieve(CREDIT)

    assert (result.reranked, result.reranking, result.passages[0].scores.rerank) == (False, None, None)


def test_a_day_before_everything_is_not_reranked(office: Any) -> None:
    with office.open(reranker="late") as retriever:
        assert retriever.retrieve(CREDIT, as_of="2001-01-01").reranked is False


def test_a_hit_that_is_not_in_force_is_an_error_never_an_answer(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    stray = Hit(1, "04-seats.md", "0123456789abcdef", 0, 3, 0.9)
    monkeypatch.setattr("index.snapshot.View.dense", lambda *_: [stray])

    with pytest.raises(StateDamaged, match=r"section 0123456789abcdef of 04-seats\.md, which is not in force"):
        retriever.retrieve(CREDIT)


def test_a_hit_outside_the_filter_is_an_error_never_an_answer(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense = View.dense
    monkeypatch.setattr("index.snapshot.View.dense", lambda view, vector, n, _: dense(view, vector, n))

    with pytest.raises(StateDamaged, match=r"returned 04-seats\.md, which the document filter leaves out"):
        retriever.retrieve(CREDIT, documents=["09-order.md"])


def test_a_bare_title_is_no_answer_but_the_sections_under_it_are(desk: Any) -> None:
    desk.index({"refunds.md": "# Refunds\n\n## When\n\nWithin 14 days.\n\n## How\n\nAs it was paid.\n"})

    with desk.open() as retriever:
        found = [passage.address for passage in retriever.retrieve("refunds").passages]

    assert sorted(found) == ["refunds.md#Refunds > How", "refunds.md#Refunds > When"]
