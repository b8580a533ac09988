"""Measures by their definitions, on tickets small enough to count by hand."""

import pytest

from eval.measure import Measure, find, parse_measure
from eval.tickets import Ticket
from ingest.errors import QueryError
from tests.eval import desk

TICKET = Ticket.model_validate(
    desk.ticket(gold=[desk.CREDIT, desk.NO_CREDIT, desk.anchor("at least 30 calendar days", "4.2", "condition")])
)
RULE = ("A customer gets a credit for the\nunused  days of the term.",)
LIMIT = ("But:", "an Enterprise customer gets no credit for seats it gives up")
OTHER = ("Something else.",)


@pytest.mark.parametrize("name", ["AnchorRecall@3", "PolicyExceptionRecall@5", "Recall@10"])
def test_names_read_back(name: str) -> None:
    assert str(parse_measure(name)) == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AnchorRecal@3", r'no measure "AnchorRecal@3"; allowed: AnchorRecall@k, .*did you mean "AnchorRecall@5"'),
        ("Recall", 'no measure "Recall"'),
        ("Recall@0", 'no measure "Recall@0"'),
        ("nDCG@10", "allowed: AnchorRecall@k"),
    ],
)
def test_another_name_is_an_error(name: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_measure(name)


def test_a_quote_is_where_the_first_passage_holds_it_whole() -> None:
    found = find(TICKET.gold, [OTHER, LIMIT, RULE, LIMIT])
    assert found.ranks == (3, 2, None)
    assert find(TICKET.gold, [("gets a credit for", "the unused days")]).ranks == (None, None, None)


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("AnchorRecall@1", 0),
        ("AnchorRecall@2", 1 / 3),
        ("AnchorRecall@3", 2 / 3),
        ("Recall@2", 1 / 2),
        ("Recall@3", 1),
        ("PolicyExceptionRecall@3", 0),
    ],
)
def test_scores_by_hand(name: str, score: float) -> None:
    assert parse_measure(name).of(find(TICKET.gold, [OTHER, LIMIT, RULE])) == pytest.approx(score)


def test_an_exception_counts_only_whole() -> None:
    gold = TICKET.gold[:2]
    assert parse_measure("PolicyExceptionRecall@2").of(find(gold, [RULE, LIMIT])) == 1
    assert parse_measure("PolicyExceptionRecall@1").of(find(gold, [RULE, LIMIT])) == 0
    assert parse_measure("PolicyExceptionRecall@1").of(find(gold, [(*RULE, *LIMIT)])) == 1


def test_a_ticket_without_an_answer_scores_the_default_and_one_without_gold_nothing() -> None:
    nothing = Ticket.model_validate(desk.ticket("none-1", kind="unanswerable", gold=[]))
    lost = TICKET.model_copy(update={"id": "lost"})
    found = {"exc-1": find(TICKET.gold, [RULE]), "none-1": find((), [RULE])}
    assert Measure("AnchorRecall", 1).scores([TICKET, lost, nothing], found) == {"exc-1": 1 / 3, "lost": 0.0}
