"""All arms on twenty tickets: what is scored, what is paid for, what stops a run and how it goes on."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval.comparison.arms import ARMS, POSITIONS, Arm
from eval.comparison.asking import ArmResults
from eval.comparison.calls import Limits
from eval.policy import Policy
from eval.replay import read_trace
from ingest.errors import ConfigError
from tests.eval.comparison.server import Body, Server, decision, faithful, serving, text_of
from tests.eval.comparison.twenty import policy_in, run

pytestmark = pytest.mark.enable_socket
TWO: tuple[Arm, ...] = ("retrieval", "handbook")
WHOLE = dict.fromkeys(("handbook", *POSITIONS, "oracle"), 1.0)
# Of 15 tickets 8 get all gold, 3 the rule without its limit, 1 its only section, 3 nothing: 8 + 3/2 + 1 of 15.
ANCHOR_RECALL = WHOLE | {"retrieval": 0.7, "closed book": 0.0, "route": 0.9}
MADE_UP = decision([{"section": "4.1", "quote": "No such clause exists."}])


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return policy_in(tmp_path_factory.mktemp("handbook"))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.jsonl"


def means(results: ArmResults, figure: str) -> dict[str, float | None]:
    found = {one.arm: one.figures[figure] for one in results.arms}
    return {arm: one and round(one.mean, 3) for arm, one in found.items()}


def figures(results: ArmResults) -> object:
    """All but what differs between a run and its repetition."""
    told = results.to_dict()
    return [told[key] for key in ("arms", "minus_retrieval", "spent_usd", "model")]


def test_every_arm_is_scored_and_nothing_is_paid_for_twice(server: Server, policy: Policy, ledger: Path) -> None:
    results = run(policy, server.url, ledger, Limits())
    assert [one.arm for one in results.arms] == list(ARMS)
    assert [one.count("answered") for one in results.arms] == [20, 20, 15, 15, 15, 15, 20, 20]
    assert means(results, "anchor recall") == ANCHOR_RECALL
    assert means(results, "policy-exception recall")["retrieval"] == 0.5
    assert set(means(results, "invented quotes").values()) == {0.0, None}
    route, retrieval = results.of("route"), results.of("retrieval")
    assert route is not None
    assert retrieval is not None
    assert route.handed_on == sum(bool(one.decision and one.decision.missing) for one in retrieval.outcomes) == 8
    assert server.answered == results.bought
    assert results.reused == 0
    assert results.stopped is None
    again = run(policy, server.url, ledger, Limits(cap_usd=0))
    assert (again.bought, again.reused, server.answered) == (0, results.bought, results.bought)
    assert figures(again) == figures(results)


def test_figures_have_n_intervals_and_paired_differences(server: Server, policy: Policy, ledger: Path) -> None:
    results = run(policy, server.url, ledger, Limits())
    assert [(arm, one and one.mean) for arm, one in results.curve()] == [(arm, 1) for arm in POSITIONS]
    difference = results.difference("handbook", "retrieval", "anchor recall")
    assert difference is not None
    assert (round(difference.mean, 3), difference.n) == (0.3, 15)
    assert 0 < difference.low < 0.3 < difference.high
    retrieval = results.of("retrieval")
    assert retrieval is not None
    assert retrieval.confidence is not None
    assert (retrieval.confidence.answerable, retrieval.confidence.unanswerable) == (15, 5)
    assert retrieval.first_token is not None
    assert retrieval.usage.cached > 0
    assert not retrieval.estimated
    json.dumps(results.to_dict(), allow_nan=False)


def test_faults_are_mended_and_what_broke_off_is_counted(server: Server, policy: Policy, ledger: Path) -> None:
    server.faults = [
        "status 429 0",
        "status 500",
        "html",
        "cut-json",
        "cut-stream",
        "bad-event",
        "hang-up",
        "status 503",
    ]
    results = run(policy, server.url, ledger, Limits(at_once=2, attempts=12), TWO)
    assert server.faults == []
    assert [one.count("answered") for one in results.arms] == [20, 20]
    lost = [one for one in read_trace(ledger).envelopes.values() if one.error]
    assert len(lost) == 3
    assert all(one.output["usd"] > 0 for one in lost)


def test_a_time_out_is_tried_again(server: Server, policy: Policy, ledger: Path) -> None:
    server.faults = ["late 6"]
    results = run(policy, server.url, ledger, Limits(), TWO, seconds=3)
    assert sum(one.count("failed") for one in results.arms) == 0
    assert any("no answer after 3 s" in one.error.message for one in read_trace(ledger).envelopes.values() if one.error)


def test_it_stops_at_the_cap_and_goes_on_from_there(server: Server, policy: Policy, ledger: Path) -> None:
    first = run(policy, server.url, ledger, Limits(cap_usd=0.15))
    assert first.stopped is not None
    assert first.stopped.startswith("the cap of 0.15 USD: ")
    assert 0.05 < first.spent_usd <= 0.15
    assert sum(one.count("not asked") for one in first.arms) > 20
    second = run(policy, server.url, ledger, Limits())
    assert second.stopped is None
    assert second.reused == first.bought > 5
    assert server.answered == first.bought + second.bought


def test_a_killed_run_goes_on_without_paying_again(
    server: Server, policy: Policy, ledger: Path, tmp_path: Path, root: Path
) -> None:
    server.slow = 0.02
    program = [sys.executable, "-m", "tests.eval.comparison.twenty", str(tmp_path / "book"), server.url, str(ledger)]
    with subprocess.Popen(program, cwd=root) as killed:
        while server.answered < 12 and killed.poll() is None:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    time.sleep(0.1)
    paid, kept = server.answered, len(read_trace(ledger).envelopes)
    assert paid - 1 <= kept <= paid
    with ledger.open("ab") as file:
        file.write(b'{"boundary": "compare_model", "call_ind')
    server.slow = 0
    results = run(policy, server.url, ledger, Limits())
    assert results.reused == kept
    assert server.answered == paid + results.bought
    assert means(results, "anchor recall") == ANCHOR_RECALL


def test_a_wrong_key_ends_the_run_at_once(server: Server, policy: Policy, ledger: Path) -> None:
    server.faults = ["status 401"] * 1000
    with pytest.raises(ConfigError, match="the model cannot be asked"):
        run(policy, server.url, ledger, Limits(at_once=2))
    assert len(server.bodies) <= 4


def test_a_server_that_always_fails_is_given_up(server: Server, policy: Policy, ledger: Path) -> None:
    server.faults = ["status 503"] * 1000
    results = run(policy, server.url, ledger, Limits(at_once=1, attempts=2))
    assert results.stopped is not None
    assert results.stopped.startswith("5 calls in a row came to nothing; 2 attempts failed, the last: ")
    assert (len(server.bodies), results.spent_usd) == (10, 0)
    assert means(results, "anchor recall") == dict.fromkeys(ARMS)


def test_a_prompt_that_is_too_long_fails_alone(server: Server, policy: Policy, ledger: Path) -> None:
    server.faults = ["status 400"]
    results = run(policy, server.url, ledger, Limits(at_once=1), TWO)
    failed = [one for arm in results.arms for one in arm.outcomes if one.state == "failed"]
    assert [(one.question.id, one.score) for one in failed] == [("t00", None)]
    assert failed[0].why.startswith("refused: ")


@pytest.mark.parametrize(
    ("text", "states", "asked"),
    [
        ("Sorry, no.", "unreadable", 2),
        (decision([{"section": "4.1", "quote": "No such clause exists."}]), "answered", 1),
    ],
    ids=["prose", "made up"],
)
def test_answers_that_are_worth_nothing_score_nothing(
    server: Server, policy: Policy, ledger: Path, text: str, states: str, asked: int
) -> None:
    server.write = lambda _: text
    results = run(policy, server.url, ledger, Limits(cap_usd=50), TWO)
    handbook = results.of("handbook")
    assert handbook is not None
    assert {one.state for one in handbook.outcomes} == {states}
    assert {len(one.calls) for one in handbook.outcomes} == {asked}
    recall, invented = (handbook.figures[name] for name in ("anchor recall", "invented quotes"))
    assert recall is not None
    assert (recall.mean, recall.n) == (0, 15)
    assert (invented and invented.mean) == (None if states == "unreadable" else 1)


def test_nothing_secret_reaches_the_ledger(server: Server, policy: Policy, ledger: Path) -> None:
    def leaky(body: Body) -> str:
        told = json.loads(faithful(body))
        return json.dumps(told | {"decision": f"Tell {text_of(body).rpartition('seats, ')[2][:20]}"})

    server.write = leaky
    results = run(policy, server.url, ledger, Limits(), TWO)
    held = ledger.read_text("utf-8")
    assert "@example.com" not in held
    assert "<EMAIL_" in held
    assert means(results, "anchor recall")["handbook"] == 1
