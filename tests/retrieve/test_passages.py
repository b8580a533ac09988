from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from index.history.o200k import count_tokens
from ingest.dates import parse_day
from ingest.errors import StateDamaged
from retrieve.answer import check_in_force
from retrieve.passages import Candidate, Draft, draft, gather, passage_of, within
from retrieve.result import Scores
from retrieve.settings import RetrieveSettings
from retrieve.trace import SectionKey
from retrieve.tree import Tree

MakeTree = Callable[..., Tree]


@pytest.fixture
def seats(make_tree: MakeTree) -> Tree:
    return make_tree(
        "seats.md",
        (1, "4 Seats", "Except for Enterprise plans:"),
        (2, "4.1 Adding", "Seats can be added at any time."),
        (2, "4.2 Downgrades", "Downgrades follow these rules."),
        (3, "4.2.1 Formula", "credit_usd = seats * price"),
        (3, "4.2.2 Notice", "Written notice of 30 calendar days."),
        (2, "4.3 Transfers", "Seats can be handed on."),
    )


def candidate(tree: Tree, node: int, *spans: tuple[int, int]) -> Candidate:
    return Candidate(SectionKey(tree.doc_id, tree.version(node).section_id), Scores(dense_rank=node), spans)


def drafted(tree: Tree, node: int, *spans: tuple[int, int], tokens: int = 100) -> Draft:
    return draft(tree, candidate(tree, node, *spans), RetrieveSettings(passage_tokens=tokens))


def test_the_passage_is_verbatim_with_its_matches_and_lead_ins(seats: Tree) -> None:
    text = seats.version(3).text
    start = text.index("credit_usd")
    passage = passage_of(drafted(seats, 3, (start, start + 10)), 1)

    assert passage.text == "".join(seats.version(node).text for node in (2, 3, 4)).rstrip()
    assert (passage.section, passage.address) == ("4.2", "seats.md#Seats > Downgrades")
    assert passage.path == ("4 Seats", "4.2 Downgrades")
    assert passage.inherits == ("Except for Enterprise plans:",)
    assert [match.chunk for match in passage.matches] == ["credit_usd"]
    assert [passage.text[match.start : match.end] for match in passage.matches] == ["credit_usd"]


def test_parts_name_each_section_inside_and_cover_the_text(seats: Tree) -> None:
    passage = passage_of(drafted(seats, 3), 1)

    assert [part.section for part in passage.parts] == ["4.2", "4.2.1", "4.2.2"]
    assert "".join(passage.text[part.start : part.end] for part in passage.parts) == passage.text


def test_a_passage_is_in_force_while_all_of_its_sections_are(seats: Tree, place: Callable[..., Any]) -> None:
    days = [parse_day(day) for day in ("2025-01-01", "2026-01-01", "2026-07-01", "2027-01-01")]
    nodes = list(seats.nodes)
    nodes[3] = place(nodes[3].version, days[1], days[3])
    nodes[4] = place(nodes[4].version, days[0], days[2])

    passage = passage_of(drafted(Tree("seats.md", tuple(nodes), seats.parents), 3), 1)

    assert (passage.effective_from, passage.superseded_at) == ("2026-01-01", "2026-07-01")
    assert (passage.parts[1].effective_from, passage.parts[1].superseded_at) == ("2026-01-01", "2027-01-01")
    assert (passage.parts[0].effective_from, passage.parts[0].superseded_at) == (None, None)


def test_hits_in_one_passage_are_one_passage_with_both_matches(seats: Tree) -> None:
    gathered = gather([drafted(seats, 4, (0, 5)), drafted(seats, 5), drafted(seats, 3, (0, 5))], k=5)

    passages = [passage_of(one, rank) for rank, one in enumerate(gathered.drafts, 1)]
    assert [passage.section for passage in passages] == ["4.2", "4.3"]
    assert len(passages[0].matches) == 2
    assert passages[0].scores.dense_rank == 4
    assert [fate[1] for fate in gathered.fates] == ["returned", "returned", "merged"]


def test_a_wider_passage_takes_over_what_it_covers_at_the_better_rank(seats: Tree) -> None:
    limit = seats.tokens(0, 5)
    narrow, wide = drafted(seats, 1, tokens=limit), drafted(seats, 0, tokens=limit)

    gathered = gather([narrow, drafted(seats, 5, tokens=limit), wide], k=5)

    assert [one.address for one in gathered.drafts] == ["seats.md#Seats", "seats.md#Seats > Transfers"]
    assert "4.1 Adding" in passage_of(gathered.drafts[0], 1).text


def test_a_late_candidate_does_not_widen_a_passage_that_stands(seats: Tree) -> None:
    limit = seats.tokens(0, 5)

    gathered = gather([drafted(seats, 1, tokens=limit), drafted(seats, 0, tokens=limit)], k=1)

    assert [one.address for one in gathered.drafts] == ["seats.md#Seats > Adding"]
    assert [fate[1] for fate in gathered.fates] == ["returned", "cut"]


def test_k_counts_distinct_passages(seats: Tree) -> None:
    drafts = [drafted(seats, node) for node in (3, 4, 1, 5)]

    assert [one.address for one in gather(drafts, k=2).drafts] == [
        "seats.md#Seats > Downgrades",
        "seats.md#Seats > Adding",
    ]


def test_the_same_text_collapses_only_under_the_same_lead_in(make_tree: MakeTree) -> None:
    def tree(doc_id: str, lead_in: str) -> Tree:
        return make_tree(doc_id, (1, "1 A", lead_in), (2, "1.1 Refunds", "No refunds."), (2, "1.2 Other", doc_id))

    drafts = [drafted(tree(*spec), 1) for spec in (("a.md", "For all:"), ("b.md", "For all:"), ("c.md", "Except:"))]

    gathered = gather(drafts, k=5)

    assert [one.tree.doc_id for one in gathered.drafts] == ["a.md", "c.md"]
    assert gathered.fates[1][1:] == ("also-in", "a.md#A > Refunds")


def test_the_budget_counts_lead_ins_and_drops_from_the_end_but_never_the_first(seats: Tree) -> None:
    drafts = [drafted(seats, node) for node in (3, 1, 5)]
    whole = sum(one.tokens for one in drafts) + 3 * count_tokens("Except for Enterprise plans:")

    assert within(drafts, whole) == 3
    assert within(drafts, whole - 1) == 2
    assert within(drafts, 1) == 1
    assert within([], 10) == 0


def test_a_section_outside_its_days_is_an_error_never_an_answer(seats: Tree, place: Callable[..., Any]) -> None:
    since = parse_day("2026-01-01")
    nodes = tuple(place(node.version, since if at == 4 else 0) for at, node in enumerate(seats.nodes))
    whole = drafted(Tree("seats.md", nodes, seats.parents), 3)

    check_in_force(whole, since)
    with pytest.raises(StateDamaged, match=r"Downgrades > Notice, which is not in force on 2025-12-31"):
        check_in_force(whole, since - 1)
