"""What is paid for, when, and how often; the model is a function here."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from eval.comparison.calls import Caller, Failed, Limits, Stopped
from eval.comparison.faults import Rejected, Transient
from eval.comparison.ledger import About, Call, Ledger
from eval.comparison.model import Endpoint, Model, Reply, Request, Usage
from eval.comparison.prices import ModelPrice, read_prices
from eval.redaction import Redactor
from eval.replay import read_trace
from ingest.errors import ConfigError, SourceError, StateLocked

ABOUT = About("retrieval", "t1", "2026-03-15", "who pays? jane@example.com asks")
PRICE: ModelPrice = read_prices().model[0]
USAGE = Usage(1000, output=100)
COST = USAGE.usd(PRICE)


def request(asked: str = "who pays?", prefix: str = "", tokens: int = 1000) -> Request:
    return Request("Decide.", prefix, asked, tokens)


@dataclass
class Scripted:
    """Gives what it was told to, then the same answer for ever."""

    script: list[Exception] = field(default_factory=list)
    usage: Usage | None = USAGE
    asked: list[str] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None
    at: Endpoint = field(default_factory=lambda: Endpoint("m", max_tokens=100))

    def ask(self, request: Request) -> Reply:
        self.asked.append(request.asked)
        self.meanwhile()
        if self.script:
            raise self.script.pop(0)
        return Reply(f"answer {len(self.asked)}", "stop", self.usage, "m", 5.0, 10.0)


@dataclass
class Desk:
    """A caller, what it slept, and its clock."""

    model: Scripted
    ledger: Ledger
    limits: Limits
    slept: list[float] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.caller = Caller(
            cast(Model, self.model), self.ledger, PRICE, self.limits, clock=lambda: self.now, sleep=self.sleep
        )

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def ask(self, *asked: Request) -> list[Call]:
        return [self.caller.ask(one, ABOUT) for one in asked]


Opened = Callable[..., Desk]


@pytest.fixture
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Opened:
    def desk(script: Sequence[Exception] = (), usage: Usage | None = USAGE, **limits: Any) -> Desk:
        ledger = Ledger(tmp_path / "ledger.jsonl", Redactor())
        request.addfinalizer(ledger.close)
        return Desk(Scripted(list(script), usage), ledger, Limits(**limits))

    return desk


def test_the_same_prompt_is_paid_for_once(opened: Opened, tmp_path: Path) -> None:
    desk = opened()
    first, second = desk.ask(request(), request())
    assert (first.text, first.fresh, first.usd) == ("answer 1", True, COST)
    assert (second.text, second.fresh) == ("answer 1", False)
    assert (desk.caller.bought, desk.caller.reused, desk.caller.spent) == (1, 0, COST)
    desk.ledger.close()
    later = opened(cap_usd=0)
    assert later.ask(request()) == [second]
    assert (later.caller.bought, later.caller.reused, later.caller.spent) == (0, 1, COST)


def test_what_an_answer_depends_on_is_asked_anew(opened: Opened) -> None:
    desk = opened()
    desk.ask(request("a"), request("b"), request("a", "policy"))
    desk.caller.ask(request("a"), ABOUT, ask=2)
    desk.model.at = Endpoint("other")
    desk.ask(request("a"))
    assert desk.model.asked == ["a", "b", "a", "a", "a"]


def test_two_at_once_with_the_same_prompt_pay_once(opened: Opened) -> None:
    desk = opened()
    both = [threading.Thread(target=desk.ask, args=(request(),)) for _ in range(2)]
    desk.model.meanwhile = lambda: both[1].start() if not both[1].ident else None
    both[0].start()
    for thread in both:
        thread.join()
    assert desk.model.asked == ["who pays?"]


def test_waits_double_with_jitter_and_heed_the_server(opened: Opened) -> None:
    desk = opened([Transient("busy"), Transient("busy", wait=7), Transient("busy", wait=1000), Transient("busy")])
    desk.ask(request())
    waits = [one for one in desk.slept if one]
    assert 0 < waits[0] < 1
    assert 7 < waits[1] < 9
    assert 60 < waits[2] < 64
    assert 0 < waits[3] < 8
    assert desk.caller.spent == COST


def test_a_call_that_broke_off_may_have_been_charged(opened: Opened, tmp_path: Path) -> None:
    desk = opened([Transient("broke off for jane@example.com", sent=True)])
    desk.ask(request())
    lost, kept = read_trace(tmp_path / "ledger.jsonl").envelopes.values()
    assert lost.error is not None
    assert lost.error.message == "broke off for <EMAIL_1>"
    assert lost.output == {"usd": Usage(1000).usd(PRICE)}
    assert desk.caller.spent == pytest.approx(lost.output["usd"] + kept.output["usd"])


def test_an_envelope_says_what_the_call_was_for(opened: Opened, tmp_path: Path) -> None:
    opened(usage=None).ask(request())
    (one,) = read_trace(tmp_path / "ledger.jsonl").envelopes.values()
    assert one.inputs | {"key": ""} == {
        "key": "",
        "arm": "retrieval",
        "question": "t1",
        "as_of": "2026-03-15",
        "query": "who pays? <EMAIL_1> asks",
        "prompt_tokens": 1000,
    }
    assert (one.boundary, one.call_index, one.latency_ms) == ("compare_model", 1, 10)
    assert one.output["estimated"]
    assert one.output["usage"] == {"input": 1000, "cached": 0, "written": 0, "output": 3}


def test_attempts_end(opened: Opened) -> None:
    desk = opened([Transient("busy")] * 3, attempts=3)
    with pytest.raises(Failed, match="3 attempts failed, the last: busy"):
        desk.ask(request())
    assert len(desk.model.asked) == 3
    assert desk.ask(request())[0].text == "answer 4"


def test_what_is_refused_is_not_tried_again(opened: Opened) -> None:
    desk = opened([Rejected("too long")])
    with pytest.raises(Failed, match="refused: too long"):
        desk.ask(request())
    assert desk.caller.stopped is None


def test_a_call_that_may_break_the_cap_is_not_begun(opened: Opened) -> None:
    desk = opened(cap_usd=0.02)
    found = desk.ask(*(request(str(at)) for at in range(4)))
    told = "the cap of 0.02 USD: 0.0180 USD are spent, and the next call may cost 0.0060"
    with pytest.raises(Stopped, match=re.escape(told)):
        desk.ask(request("4"))
    assert len(found) == len(desk.model.asked) == 4
    assert desk.caller.spent <= 0.02
    assert desk.caller.stopped is not None
    assert desk.ask(request("0"))[0].text == "answer 1"


def test_the_cap_holds_for_calls_that_run_at_once(opened: Opened) -> None:
    desk = opened(cap_usd=0.02)
    done: list[object] = []

    def ask(name: str) -> None:
        try:
            done.extend(desk.ask(request(name)))
        except Stopped:
            done.append(None)

    threads = [threading.Thread(target=ask, args=(str(at),)) for at in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(one is not None for one in done) == 4
    assert desk.caller.spent <= 0.02


def test_calls_keep_their_distance(opened: Opened) -> None:
    desk = opened(requests_per_minute=30, tokens_per_minute=10_000)
    desk.ask(request("a", tokens=100), request("b", tokens=1000), request("c", tokens=100))
    assert desk.slept == [0, 2, 6]


def test_the_first_of_a_long_prefix_goes_alone(opened: Opened) -> None:
    desk = opened()
    long = [request(name, "the handbook", 5000) for name in "ab"]
    second = threading.Thread(target=desk.ask, args=(long[1],))
    seen: list[int] = []

    def meanwhile() -> None:
        if not second.ident:
            second.start()
            second.join(0.1)
            seen.append(len(desk.model.asked))

    desk.model.meanwhile = meanwhile
    desk.ask(long[0])
    second.join()
    assert seen == [1]
    assert desk.model.asked == ["a", "b"]


@pytest.mark.parametrize("name", ["cap_usd", "at_once", "attempts", "requests_per_minute"])
def test_limits_that_make_no_sense(name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} is -1"):
        Limits(**{name: -1})


def test_one_process_at_a_time(opened: Opened) -> None:
    opened()
    with pytest.raises(StateLocked, match="another run writes to it"):
        opened()


@pytest.mark.parametrize(
    "text",
    [
        "notes",
        "notes\nmore",
        '{"boundary": "rag", "call_index": 1, "inputs": {}, "output": 1}\n{"bound',
    ],
    ids=["a line", "two lines", "another trace"],
)
def test_another_file_is_refused_and_left_alone(opened: Opened, tmp_path: Path, text: str) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=r"ledger\.jsonl"):
        opened()
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("wanted", "instead"),
    [
        ('"usd": ', '"usd": -'),
        ('"cached": ', '"kept": '),
        ('"finish": ', '"ended": '),
        ('"text": ', '"text": 5, "x": '),
    ],
)
def test_an_answer_that_was_edited_is_refused(opened: Opened, tmp_path: Path, wanted: str, instead: str) -> None:
    desk = opened()
    desk.ask(request())
    desk.ledger.close()
    path = tmp_path / "ledger.jsonl"
    edited = path.read_text("utf-8").replace(wanted, instead)
    path.write_text(edited, encoding="utf-8")
    with pytest.raises(SourceError, match=r"ledger\.jsonl:1: no answer of compare_model as it is written"):
        opened()
    assert path.read_text("utf-8") == edited


def test_half_a_character_of_a_provider_is_paid_for_once(opened: Opened) -> None:
    desk = opened()
    said = Reply('{"decision": "half \ud800"}', "stop", USAGE, "m \ud800", 1.0, 2.0)
    desk.ledger.keep("key", request(), ABOUT, said, USAGE, COST)
    desk.ledger.close()
    found = opened().ledger.find("key")
    assert found is not None
    assert (found.text, found.served_by) == ('{"decision": "half \\ud800"}', "m \\ud800")


def test_what_a_killed_run_left_unfinished_is_cut_off(opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text('{"boundary": "compare_model", "ca', encoding="utf-8")
    desk = opened()
    desk.ask(request("a"))
    desk.ledger.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:70])
    again = opened()
    again.ask(request("a"), request("b"))
    assert again.model.asked == ["b"]
    assert [one.call_index for one in read_trace(path).envelopes.values()] == [1, 2]
