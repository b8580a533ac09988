"""Twenty tickets about a small handbook, put to a model; run as a program by the test that kills it."""

import sys
from collections.abc import Sequence
from pathlib import Path

from eval.comparison.arms import ARMS, Arm, Case
from eval.comparison.asking import ArmResults, run_arms
from eval.comparison.calls import Caller, Limits
from eval.comparison.ledger import Ledger
from eval.comparison.model import Endpoint, Model
from eval.comparison.prices import read_prices
from eval.policy import Edition, Policy, read_policy
from eval.redaction import Redactor
from eval.retrievers.answer import Answer, Given
from eval.suites.question import Gold, Question
from ingest.dates import parse_day
from ingest.settings import IngestSettings
from tests.eval import desk

CREDITS, NOTICE, ANNUAL = (
    "04-seats.md#Seats > Credits",
    "04-seats.md#Seats > Notice",
    "07-refunds.md#Refunds > Annual plans",
)
RULE = Gold(CREDITS, quotes=("A customer that gives up seats during the term gets a credit",))
LIMIT = Gold(NOTICE, quotes=("an Enterprise customer gets no credit for seats that it gives up during the term.",))
PLAIN = Gold(ANNUAL, quotes=("An annual plan is refunded within 30 days of its purchase",))


def policy_in(folder: Path) -> Policy:
    for name, text in desk.FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return read_policy(folder, IngestSettings(), desk.NOW)


def question(at: int) -> Question:
    """Ten exception tickets, five plain ones, five that the handbook does not answer."""
    name, day = f"t{at:02}", "2025-06-01" if at % 2 else "2026-03-15"
    if at < 10:
        return Question(name, f"seats, jane{at}@example.com asks", (RULE, LIMIT), name, day, "exception", ticket=name)
    if at < 15:
        return Question(name, f"annual plan {at}?", (PLAIN,), name, day, "plain", ticket=name)
    return Question(name, f"bitcoin {at}?", (), name, day, "unanswerable", ticket=name)


def retrieved(asked: Question, edition: Edition) -> Answer:
    """Of every second ticket all gold, of every fourth its first section alone, of the others nothing."""
    at = int(asked.id[1:])
    wanted = asked.gold if at % 2 == 0 else asked.gold[:1] if at % 4 == 1 else ()
    texts = {one.address: one.section.text for one in edition.sections}
    return Answer(tuple(Given(gold.id, (texts[gold.id],), frozenset({gold.id})) for gold in wanted))


def cases(policy: Policy) -> list[Case]:
    found = []
    for asked in map(question, range(20)):
        edition = policy.on(parse_day(asked.as_of or ""))
        found.append(Case(asked, edition, retrieved(asked, edition)))
    return found


def run(
    policy: Policy, url: str, ledger: Path, limits: Limits, arms: Sequence[Arm] = ARMS, seconds: float = 60
) -> ArmResults:
    model = Model(Endpoint("m", url, timeout_seconds=seconds))
    try:
        with Ledger(ledger, Redactor()) as opened:
            caller = Caller(model, opened, read_prices().model[0], limits, sleep=lambda _: None)
            return run_arms(cases(policy), arms, caller, policy)
    finally:
        model.close()


if __name__ == "__main__":
    run(policy_in(Path(sys.argv[1])), sys.argv[2], Path(sys.argv[3]), Limits(at_once=1))
