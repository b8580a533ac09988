"""The arithmetic, and what counts as a loss."""

import math
import shlex

import pytest

from eval.fuzzing.chances import Chance, Runs, chances, exact, missed, needed
from eval.fuzzing.pinning import pin_command
from eval.fuzzing.tried import Anchor, Tried, tried, worst_first
from eval.fuzzing.ways import Rewrite, Way
from eval.policy import Policy
from eval.retrievers.answer import Answer, Given
from eval.suites.question import Gold, Question
from ingest.dates import parse_day

DEFAULT = Runs()
RULE, LIMIT = "gives the customer a credit", "no credit is given for it"
ASKED = Question(
    "exc-1",
    "credit for annual seats",
    (Gold("a.md#Rule", quotes=(RULE,), roles=("rule",)), Gold("a.md#Limit", quotes=(LIMIT,), roles=("exception",))),
    "credits",
    "2026-03-15",
    "exception",
)
BOTH = Answer((Given("a.md#Rule", (RULE,)), Given("a.md#Limit", (LIMIT,))))
RULE_ALONE = Answer((Given("a.md#Rule", (RULE,)),), lost={"a.md#Limit": "beyond k"})
NOTHING = Answer((), lost={"a.md#Rule": "not a candidate", "a.md#Limit": "not a candidate"})


def one(number: int, after: Answer, before: Answer = BOTH, query: str = "credit for seats") -> Tried:
    return tried(ASKED, before, Way.DROPPED, number, Rewrite(query, 'without "annual"'), after)


def chance(*after: Answer, runs: Runs = DEFAULT) -> Chance:
    [found] = chances([one(number, answer) for number, answer in enumerate(after)], runs, 0)
    assert found.exception
    return found.exception


def test_the_incidents_arithmetic() -> None:
    assert missed(0.25 * 0.12, 5) == pytest.approx(0.859, abs=0.0005)
    assert missed(0.03, 5) == pytest.approx(0.97**5)


@pytest.mark.parametrize(("branch", "runs"), [(0.03, 99), (0.5, 5), (1.0, 1), (0.0, None)])
def test_runs_until_it_is_seen(branch: float, runs: int | None) -> None:
    assert needed(branch) == runs
    if runs and branch < 1:
        assert missed(branch, runs) <= 0.05 < missed(branch, runs - 1)


def test_a_share_of_nought_has_an_exact_interval() -> None:
    low, high = exact(60, all_of_them=False)
    assert low == 0
    assert high == pytest.approx(1 - 0.025 ** (1 / 60))
    assert exact(60, all_of_them=True) == pytest.approx((1 - high, 1.0))


def test_a_way_that_loses_half_is_missed_by_that_chance() -> None:
    found = chance(BOTH, RULE_ALONE, NOTHING, BOTH, runs=Runs(5, 0.12))
    assert (found.loses.mean, found.losses, found.loses.n, found.loses.families) == (0.5, 2, 4, 1)
    assert found.branch == pytest.approx(0.06)
    assert found.missed == pytest.approx(0.94**5)
    assert found.needed == math.ceil(math.log(0.05) / math.log(0.94))


def test_a_way_that_loses_nothing_may_still_be_dangerous() -> None:
    found = chance(BOTH)
    assert (found.missed, found.needed) == (1.0, None)
    assert found.missed_low == pytest.approx((1 - 0.25 * 0.975) ** 5)


def test_a_query_that_lacks_an_anchor_itself_does_not_count() -> None:
    [found] = chances([one(1, NOTHING, before=RULE_ALONE)], Runs(), 0)
    assert (found.rewrites, found.anchor, found.exception) == (1, None, None)


def test_a_rule_that_comes_back_alone_is_told_apart() -> None:
    assert one(1, RULE_ALONE).rule_alone
    assert not one(1, NOTHING).rule_alone
    assert one(1, RULE_ALONE).lost == (Anchor("a.md#Limit", LIMIT, "exception"),)


def test_the_rule_alone_is_worse_than_nothing_and_the_smaller_change_worse_than_the_larger() -> None:
    every = [one(1, BOTH), one(2, NOTHING), one(3, RULE_ALONE, query="credit"), one(4, RULE_ALONE)]
    assert [found.id for found in worst_first(every)] == [f"exc-1/dropped-qualifier-{n}" for n in (4, 3, 2)]


def test_a_loss_is_offered_as_a_command(demo_policy: Policy) -> None:
    quote = "a downgrade during a subscription term gives the customer a credit"
    gold = (Gold("04-seats.md#Seats > Downgrades > Pro-rata credit", quotes=(quote,), roles=("rule",)),)
    asked = Question("exc-9", "what's back?", gold, "f", "2026-03-15", "exception")
    found = tried(
        asked, Answer((Given(None, (quote,)),)), Way.TYPO, 1, Rewrite("what's bakc?", '"back" as "bakc"'), NOTHING
    )
    assert shlex.split(pin_command(found, demo_policy, parse_day("2026-11-30")) or "") == [
        *("caveat", "pin", "add", "--query", "what's bakc?", "--expect", quote),
        *("--section", "04-seats.md#Seats > Downgrades > Pro-rata credit", "--as-of", "2026-03-15"),
        *("--title", 'exc-9: typo, "back" as "bakc"', "--open"),
    ]
