"""Answers are parsed strictly, and what they quote is looked up as of the ticket's day."""

import json
from typing import Any

import pytest

from eval.comparison.scoring import Clause, Decision, Unreadable, parse_decision, score
from eval.policy import Policy, read_policy
from eval.suites.question import Gold, Question
from ingest.settings import IngestSettings
from tests.eval import desk

CREDITS, NOTICE = "04-seats.md#Seats > Credits", "04-seats.md#Seats > Notice"
RULE = "A customer that gives up seats during the term gets a credit for the unused days of the term."
LIMIT = "an Enterprise customer gets no credit for seats that it gives up during the term."
DAYS = "A notice arrives at least {} calendar days before the renewal date."


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    root = tmp_path_factory.mktemp("handbook")
    for name, text in desk.FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return read_policy(root, IngestSettings(), desk.NOW)


def answer(**changed: Any) -> str:
    clauses = [{"section": CREDITS, "quote": RULE}]
    return json.dumps({"decision": "No.", "clauses": clauses, "confidence": 0.5, "missing": None} | changed)


def test_an_answer_is_read() -> None:
    expected = Decision("No.", (Clause(CREDITS, RULE),), 0.5, None)
    assert parse_decision(answer()) == expected
    assert parse_decision(f"```json\n{answer()}\n```\n") == expected
    assert parse_decision(answer(missing=" ", more=1)) == expected
    assert parse_decision(answer(missing="7.1")).missing == "7.1"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (answer()[:-20], "not JSON"),
        (f"Here it is: {answer()}", "not JSON"),
        (f"{answer()} {answer()}", "not JSON"),
        ("[]", "list instead of an object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"decision": "a", "decision": "b"}', '"decision" twice'),
        (answer().replace("0.5", "NaN"), "NaN is no JSON number"),
        (answer(confidence=1.5), "confidence 1.5 is not within 0 and 1"),
        (answer(confidence=True), "confidence True"),
        (f'{{"confidence": {"9" * 5000}}}', "a number of more digits than can be read"),
        (answer(decision="half \ud800"), "half a character"),
        (answer(confidence="high"), '"confidence" is str'),
        (answer(decision=" "), '"decision" is empty'),
        (answer(clauses=None), '"clauses" is NoneType'),
        (answer(clauses=["4.1"]), "a clause is str"),
        (answer(clauses=[{"section": "4.1"}]), 'without "quote"'),
        (answer(clauses=[{"section": "4.1", "quote": "..."}]), "quotes no word"),
        (answer(missing=False), '"missing" is bool'),
        ("{}", 'without "clauses"'),
    ],
)
def test_nothing_is_repaired(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why.replace(".", "[.]")):
        parse_decision(text)


def ask(as_of: str = "2026-03-15", kind: str = "exception", **changed: Any) -> Question:
    gold = (Gold(CREDITS, quotes=(RULE,)), Gold(NOTICE, quotes=(LIMIT,)))
    return Question("q", "who?", changed.get("gold", gold), "q", as_of, kind)


def said(*quotes: tuple[str, str]) -> Decision:
    return Decision("No.", tuple(Clause(*one) for one in quotes), 0.5, None)


def test_rule_and_limit_quoted_whole(policy: Policy) -> None:
    scored = score(ask(), said((f"[{CREDITS}]", RULE), (NOTICE, f"Notwithstanding 4.1, **{LIMIT.upper()}**")), policy)
    assert (scored.anchor_recall, scored.exception_recall, scored.traceable) == (1, 1, 1)
    assert (scored.invented, scored.stale) == (0, 0)


def test_a_rule_without_its_limit_is_half_of_the_anchors_and_no_exception(policy: Policy) -> None:
    scored = score(ask(), said((CREDITS, RULE)), policy)
    assert (scored.anchor_recall, scored.exception_recall) == (0.5, 0)


def test_quotes_side_by_side_make_an_anchor_whole(policy: Policy) -> None:
    first, second = RULE.split(" gets ")
    scored = score(
        ask(), said((CREDITS, first), (CREDITS, f"gets {second}"), (NOTICE, LIMIT.partition(" for ")[0])), policy
    )
    assert scored.anchors[0] == 1
    assert 0.3 < scored.anchors[1] < 0.7
    assert scored.anchor_words == pytest.approx(sum(scored.anchors) / 2)


@pytest.mark.parametrize(
    ("quote", "cited", "standing", "located"),
    [
        (DAYS.format(20), NOTICE, "in force", True),
        (DAYS.format(15), NOTICE, "not in force", False),
        (DAYS.format(99), NOTICE, "nowhere", False),
        (DAYS.format(20), CREDITS, "in force", False),
        (DAYS.format(20), "04-seats.md#Seats", "in force", True),
        ("A notice arrives ... before the renewal date", NOTICE, "in force", True),
        ("A notice arrives [...] before the last day", NOTICE, "nowhere", False),
        (f"{RULE}\n\n## 4.2 Notice\n\nNotwithstanding 4.1", "04-seats.md#Seats", "in force", True),
        (RULE, "4.1", "in force", False),
    ],
    ids=["good", "old", "made up", "elsewhere", "its parent", "ellipsis", "half made up", "over two", "by number"],
)
def test_a_quote_is_looked_up(policy: Policy, quote: str, cited: str, standing: str, located: bool) -> None:
    scored = score(ask(), said((cited, quote)), policy)
    assert [(one.standing, one.located) for one in scored.quoted] == [(standing, located)]
    assert scored.traceable == located
    assert scored.invented == (standing == "nowhere")
    assert scored.stale == (standing == "not in force")


def test_what_is_in_force_depends_on_the_day(policy: Policy) -> None:
    decision = said((NOTICE, DAYS.format(15)))
    assert score(ask("2025-06-01"), decision, policy).stale == 0
    assert score(ask("2026-03-15"), decision, policy).stale == 1


def test_words_end_where_they_end(policy: Policy) -> None:
    assert score(ask(), said((NOTICE, "a notice arrives at least 3")), policy).invented == 1


def test_an_identical_section_counts(policy: Policy) -> None:
    copies = "07-refunds.md#Refunds > Copies"
    gold = Gold("11-payment.md#Payment > Invoices", quotes=(desk.COPY,), twins=frozenset({copies}))
    scored = score(ask(kind="plain", gold=(gold,)), said((copies, desk.COPY)), policy)
    assert (scored.anchor_recall, scored.exception_recall, scored.traceable) == (1, None, 1)


def test_an_unreadable_answer_quotes_nothing(policy: Policy) -> None:
    scored = score(ask(), None, policy)
    assert (scored.anchor_recall, scored.exception_recall, scored.traceable, scored.invented) == (0, 0, 0, None)


def test_an_unanswerable_ticket_wants_no_clause(policy: Policy) -> None:
    scored = score(ask(kind="unanswerable", gold=()), said(), policy)
    assert (scored.anchor_recall, scored.traceable, scored.invented) == (None, None, None)
