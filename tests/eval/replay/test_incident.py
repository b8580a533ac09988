"""The recorded incident, with what came from outside frozen and the mended code behind it."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eval.replay import CutPointSession, ModelDrift, NetworkRefused, ReplayDivergence
from tests.eval.replay import agent
from tests.eval.replay.agent import MESSAGE, wire


@pytest.fixture
def incident(root: Path) -> Iterator[CutPointSession]:
    """The trace, with the bad rewrite and the state of the warehouse frozen."""
    with CutPointSession(root / "data" / "incidents" / "8841.jsonl", mode="replay") as session:
        session.stub("query_rewrite", call_index=1)
        session.stub("warehouse_mcp_sql", call_index=1)
        yield session


def test_the_bad_query_is_at_hand(incident: CutPointSession) -> None:
    assert incident.envelopes[("query_rewrite", 1)].output == "seat downgrade credit calculation table"


def test_the_mended_agent_enters_no_credit(incident: CutPointSession) -> None:
    answer = wire(incident).answer("8841", MESSAGE)
    assert answer == "Notice came later than 30 days before the renewal: no credit."
    live = [("rag_retrieve", 1), ("policy_planner_llm", 1), ("customer_reply", 1)]
    assert list(incident.captured_live) == live
    assert incident.captured_live["policy_planner_llm", 1].output["tool"] == "none"
    assert incident.envelopes["policy_planner_llm", 1].output["tool"] == "issue_ledger_credit"
    assert incident.captured_live["rag_retrieve", 1].differs == ("chunk_tokens", "mode", "top_k")
    assert incident.unserved == ()


def test_the_agent_as_it_was_would_enter_it_again(incident: CutPointSession) -> None:
    entered: list[str] = []

    def credit(account: str, amount_usd: str) -> dict[str, str]:
        entered.append(amount_usd)
        return {"credit": "cr_1"}

    wire(incident, retrieve=lambda query: [agent.FORMULA], credit=credit).answer("8841", MESSAGE)
    assert entered == ["48000.00"]


def test_a_retry_added_to_the_rewrite_leaves_the_warehouse_matching(incident: CutPointSession) -> None:
    wired = wire(incident, rewrite=lambda ticket, message, temperature: "annual seat downgrade credit")
    wired.rewrite("8841", MESSAGE, temperature=0.3)
    assert "no credit" in wired.answer("8841", MESSAGE)
    assert incident.captured_live["query_rewrite", 2].output == "annual seat downgrade credit"


def test_a_changed_message_diverges_by_its_name(incident: CutPointSession) -> None:
    with pytest.raises(ReplayDivergence, match=r"8841.jsonl:1: query_rewrite call 1 differs .* in message: ") as caught:
        wire(incident).answer("8841", MESSAGE.replace("40 seats", "20 seats"))
    assert caught.value.fields == ("message",)


def test_a_model_upgrade_is_refused_until_both_are_spelled(trace: Path) -> None:
    with CutPointSession(trace, "record") as session:
        session.wrap("query_rewrite", model_version="rewriter-3")(str.lower)("Seats")
    with CutPointSession(trace, "replay") as session, pytest.raises(ModelDrift):
        session.wrap("query_rewrite", model_version="rewriter-4")(str.lower)("Seats")
    with CutPointSession(trace, "replay", allow_model_drift=("rewriter-3", "rewriter-4")) as session:
        assert session.wrap("query_rewrite", model_version="rewriter-4")(str.lower)("Seats") == "seats"


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_undeclared_network_call_is_refused(incident: CutPointSession) -> None:
    class Traced(agent.Agent):
        def answer(self, ticket: str, message: str) -> str:
            socket.create_connection(("127.0.0.1", 9), timeout=1)
            return super().answer(ticket, message)

    wired: Any = Traced(**vars(wire(incident)))
    with pytest.raises(NetworkRefused, match=r"127.0.0.1:9 in a replay"):
        wired.answer("8841", MESSAGE)


def test_the_mended_run_can_be_recorded_and_replayed_whole(trace: Path, incident: CutPointSession) -> None:
    with CutPointSession(trace, "record") as session:
        frozen: dict[str, Any] = {
            "rewrite": lambda ticket, message, temperature: incident.envelopes["query_rewrite", 1].output,
            "warehouse": lambda sql: incident.envelopes["warehouse_mcp_sql", 1].output,
        }
        before = wire(session, **frozen).answer("8841", MESSAGE)
    with CutPointSession(trace, "replay") as session:
        for boundary, _ in session.envelopes:
            session.stub(boundary, None)
        assert wire(session).answer("8841", MESSAGE) == before
        assert session.captured_live == {}
