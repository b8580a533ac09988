"""The recorded incident: what each call was given and what it gave back, and that the handbook forbade the credit."""

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from eval.policy import Policy
from ingest.dates import parse_day

BOUNDARIES = [
    "query_rewrite",
    "rag_retrieve",
    "warehouse_mcp_sql",
    "policy_planner_llm",
    "issue_ledger_credit",
    "customer_reply",
]
CREDIT = {"account": "acct_99201", "amount_usd": "48000.00", "auto_settle": True}


@pytest.fixture(scope="module")
def calls(root: Path) -> dict[str, dict[str, Any]]:
    """The envelopes by boundary."""
    lines = (root / "data" / "incidents" / "8841.jsonl").read_text(encoding="utf-8").splitlines()
    return {envelope["boundary"]: envelope for envelope in map(json.loads, lines)}


def test_each_boundary_was_crossed_once_and_in_order(calls: dict[str, dict[str, Any]]) -> None:
    assert list(calls) == BOUNDARIES
    assert all(set(one) == {"boundary", "call_index", "inputs", "output", "recorded_at"} for one in calls.values())
    assert {one["call_index"] for one in calls.values()} == {0}
    instants = [datetime.fromisoformat(one["recorded_at"]) for one in calls.values()]
    assert instants == sorted(instants)


def test_the_rewrite_lost_the_word_annual(calls: dict[str, dict[str, Any]]) -> None:
    rewrite = calls["query_rewrite"]
    assert rewrite["inputs"]["message"] == (
        "We downgraded 40 seats on March 15, before our April 1 annual renewal. "
        "Why were we billed for the full 120 seats?"
    )
    assert rewrite["inputs"]["temperature"] == 0.3
    assert rewrite["output"] == "seat downgrade credit calculation table"


def test_the_formula_came_back_and_the_condition_did_not(calls: dict[str, dict[str, Any]]) -> None:
    given, found = calls["rag_retrieve"]["inputs"], calls["rag_retrieve"]["output"]
    assert given["query"] == calls["query_rewrite"]["output"]
    assert (given["mode"], given["top_k"], len(found["passages"])) == ("dense", 3, 3)
    assert (found["passages"][0]["cosine"], found["next_below"]["cosine"]) == (0.86, 0.71)
    assert "credit_usd = (prior_seats - new_seats)" in found["passages"][0]["text"]
    assert "at least 30 calendar days prior to the renewal date" in found["next_below"]["text"]
    assert calls["policy_planner_llm"]["inputs"]["passages"] == [one["chunk"] for one in found["passages"]]


def test_the_warehouse_was_read_in_mid_refresh(calls: dict[str, dict[str, Any]]) -> None:
    output = calls["warehouse_mcp_sql"]["output"]
    (row,) = output["rows"]
    assert output["refresh"]["state"] == "running"
    assert (row["active_seats"], row["seats_under_contract"]) == (80, 120)
    asked, renewal = (date.fromisoformat(row[name]) for name in ("notice_received", "renewal_date"))
    assert (renewal - asked).days == 17
    assert row["notice_window_days_remaining"] == 17 - 30


def test_the_planner_settled_what_the_formula_gave(calls: dict[str, dict[str, Any]]) -> None:
    (row,) = calls["warehouse_mcp_sql"]["output"]["rows"]
    seats = row["seats_under_contract"] - row["active_seats"]
    assert Decimal(CREDIT["amount_usd"]) == seats * Decimal(row["annual_seat_price_usd"])
    assert calls["policy_planner_llm"]["output"]["arguments"] == CREDIT
    assert calls["issue_ledger_credit"]["inputs"] == CREDIT
    assert calls["issue_ledger_credit"]["output"]["status"] == "posted"


def test_its_texts_are_the_handbooks(calls: dict[str, dict[str, Any]], demo_policy: Policy) -> None:
    sections = {one.section.number: one.text for one in demo_policy.on(parse_day("2026-03-15")).sections}
    assert calls["rag_retrieve"]["output"]["next_below"]["text"] in sections["4.2.2"]
    caption, formula = calls["rag_retrieve"]["output"]["passages"][0]["text"].split(": ")
    assert caption in sections["4.2.1"]
    assert f"| Enterprise Annual | {formula} |" in sections["4.2.1"]
