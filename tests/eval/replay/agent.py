"""The incident's agent, mended: it retrieves the condition with the formula, and settles nothing that a clause forbids.

`wire` gives each of its steps a boundary of a session, as a team would do it with its own code.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from eval.replay import CutPointSession

MESSAGE = (
    "We downgraded 40 seats on March 15, before our April 1 annual renewal. Why were we billed for the full 120 seats?"
)
CONDITION = (
    "For Enterprise Annual plans, seat reductions must be submitted in writing at least 30 calendar days prior to the "
    "renewal date. Mid-term or late seat reductions are non-refundable and apply only to the following renewal term."
)
FORMULA = (
    "Table 4.2 - Seat Downgrade Pro-Rata Credit Formula: credit_usd = (prior_seats - new_seats) * annual_seat_price * "
    "(days_remaining / 365)"
)
Step = Callable[..., Any]


@dataclass
class Agent:
    """One ticket's way, step by step."""

    rewrite: Step
    retrieve: Step
    warehouse: Step
    plan: Step
    credit: Step
    reply: Step

    def answer(self, ticket: str, message: str) -> str:
        query = self.rewrite(ticket, message, temperature=0.3)
        passages = self.retrieve(query)
        facts = self.warehouse("SELECT * FROM billing.account_facts WHERE account = 'acct_99201'")["rows"][0]
        plan = self.plan(message, passages, facts)
        credit = self.credit(**plan["arguments"])["credit"] if plan["tool"] == "issue_ledger_credit" else None
        return str(self.reply(ticket, credit)["text"])


def outside(*_: object, **__: object) -> Any:
    """What a replay must not reach: a model, a warehouse, a ledger."""
    raise AssertionError("a call went outside")


def rewrite(ticket: str, message: str, temperature: float) -> Any:
    return outside(ticket, message, temperature)


def warehouse(sql: str) -> Any:
    return outside(sql)


def retrieve(query: str, mode: str = "hybrid", top_k: int = 5) -> list[str]:
    """Whole sections: the formula never comes without its condition."""
    return [f"{CONDITION}\n\n{FORMULA}"]


def plan(message: str, passages: list[str], facts: dict[str, Any]) -> dict[str, Any]:
    """Settles only what was asked for in time."""
    late = facts["notice_window_days_remaining"] < 0
    if any("30 calendar days" in passage for passage in passages) and late:
        return {"tool": "none", "arguments": {}}
    amount = Decimal(facts["annual_seat_price_usd"]) * (facts["seats_under_contract"] - facts["active_seats"])
    return {"tool": "issue_ledger_credit", "arguments": {"account": facts["account"], "amount_usd": str(amount)}}


def credit(account: str, amount_usd: str) -> Any:
    return outside(account, amount_usd)


def reply(ticket: str, credit: str | None) -> dict[str, str]:
    return {"text": f"Entered: {credit}" if credit else "Notice came later than 30 days before the renewal: no credit."}


def wire(session: CutPointSession, **other: Step) -> Agent:
    """The agent with each step a boundary; `other` replaces steps."""
    steps = {
        "rewrite": ("query_rewrite", rewrite),
        "retrieve": ("rag_retrieve", retrieve),
        "warehouse": ("warehouse_mcp_sql", warehouse),
        "plan": ("policy_planner_llm", plan),
        "credit": ("issue_ledger_credit", credit),
        "reply": ("customer_reply", reply),
    }
    return Agent(**{name: session.wrap(place)(other.get(name, step)) for name, (place, step) in steps.items()})
