"""ragas with and without a judge; the judge is a small server on this machine."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import numpy as np
import pytest

from eval.measures.ragas_judged import JUDGED, ragas_judged
from eval.measures.ragas_scores import RagasScore, ragas_scores
from eval.retrievers.answer import Answer, Given
from eval.settings import EvalSettings
from eval.suites.question import Gold, Question
from tests.eval.measures.cases import question

RULE = "A customer that gives up seats during the term gets a credit for the unused days of the term."
OTHER = "Zebras graze."
SUITE = [
    Question("a", "credit?", (Gold("s#1", quotes=(RULE,), twins=frozenset({"t#1"})),), "a", ticket="a"),
    Question("b", "credit!", (Gold("s#1", quotes=(RULE,)), Gold("s#2", quotes=(RULE,))), "b", ticket="b"),
    Question("lost", "?", (Gold("s#1", quotes=(RULE,)),), "c", ticket="lost"),
    Question("none", "?", (), "d", ticket="none"),
    question("a/keywords", asked="rewrite"),
]
ANSWERS = {
    "a": Answer((Given("x", (OTHER,), frozenset({"x#1"})), Given("t", (RULE,), frozenset({"t#1"})))),
    "b": Answer((Given("s", (RULE,), frozenset({"s#1"})),)),
    "lost": Answer(()),
}


def texts(_: Question, gold: Gold) -> str:
    return f"## {RULE}" if gold.id == "s#1" else "Quite another matter altogether."


def means(found: list[RagasScore]) -> dict[str, float | None]:
    return {one.name.removeprefix("ragas "): one.estimate and one.estimate.mean for one in found}


def test_ids_and_texts_are_scored_without_a_model() -> None:
    found = ragas_scores(SUITE, ANSWERS, texts)
    assert means(found) == {
        "IDBasedContextRecall": pytest.approx((1 + 1 / 2 + 0) / 3),
        "IDBasedContextPrecision": pytest.approx((1 / 2 + 1 + 0) / 3),
        "NonLLMContextRecall": pytest.approx((1 + 1 / 2 + 0) / 3),
        "NonLLMContextPrecisionWithReference": pytest.approx((1 / 2 + 1 + 0) / 3),
    }
    assert {one.estimate.n for one in found if one.estimate} == {3}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (Given("s", covers=frozenset({"s#1"})), ["", "the retriever gives no texts"]),
        (Given(None, (RULE,)), ["the retriever names no sections", ""]),
    ],
    ids=["ids alone", "texts alone"],
)
def test_what_is_not_known_is_not_measured(given: Given, why: list[str]) -> None:
    found = ragas_scores(SUITE[:1], {"a": Answer((given,))}, texts)
    assert [one.why for one in found] == [why[0], why[0], why[1], why[1]]
    assert all((one.estimate is None) == bool(one.why) for one in found)


def test_without_gold_or_its_text_nothing_is_measured() -> None:
    assert {one.why for one in ragas_scores(SUITE[3:], {}, texts)} == {"no message with gold"}
    assert ragas_scores(SUITE, ANSWERS, lambda *_: None)[2].why == "the text of some gold section is not known"


def embed(asked: Any) -> Any:
    return np.ones((len(asked), 4), np.float32)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (EvalSettings(), "no judge: set eval.judge_url and eval.judge_model in caveat.toml"),
        (
            EvalSettings(judge_url="http://localhost:1", judge_model="m", judge_key_env="NO_SUCH_KEY"),
            "no key: the environment variable NO_SUCH_KEY is not set",
        ),
    ],
    ids=["not configured", "no key"],
)
def test_without_a_judge_nothing_is_judged(settings: EvalSettings, why: str) -> None:
    found = ragas_judged(SUITE, ANSWERS, settings, embed)
    assert [(one.name, one.estimate, one.why) for one in found] == [(f"ragas {name}", None, why) for name in JUDGED]


class Judge(BaseHTTPRequestHandler):
    """Attributes every second statement, and finds every answer faithful."""

    seen: ClassVar[list[str | None]] = []
    broken = False

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(self.headers["Authorization"])
        said = json.dumps(body["messages"])
        if "response_format" not in body:
            content = "A credit for the unused days."
        elif "noncommittal" in said:
            content = '{"question": "credit?", "noncommittal": 0}'
        elif "attributed" in said:
            both = [{"statement": "s", "reason": "r", "attributed": one} for one in (1, 0)]
            content = json.dumps({"classifications": both})
        elif "verdict" in said:
            content = '{"statements": [{"statement": "s", "reason": "r", "verdict": 1}]}'
        else:
            content = '{"statements": ["s"]}'
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        self.reply(500 if self.broken else 200, json.dumps(reply).encode())

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[EvalSettings]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Judge)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("JUDGE_KEY", "secret")
    url = f"http://127.0.0.1:{server.server_port}/v1"
    yield EvalSettings(judge_url=url, judge_model="m", judge_key_env="JUDGE_KEY", judge_repeats=2)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.enable_socket
def test_a_judge_that_answers_is_asked_as_often_as_configured(settings: EvalSettings) -> None:
    found = ragas_judged(SUITE, ANSWERS, settings, embed)
    assert [one.why for one in found] == ["", "", ""]
    assert means(found) == {"Faithfulness": 1, "ContextRecall": 0.5, "AnswerRelevancy": pytest.approx(1)}
    assert [(one.spread, one.estimate and one.estimate.n) for one in found] == [(0, 2)] * 3
    assert set(Judge.seen) == {"Bearer secret"}


@pytest.mark.enable_socket
def test_a_judge_that_fails_measures_nothing(settings: EvalSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Judge, "broken", True)
    found = ragas_judged(SUITE[:1], ANSWERS, settings, embed)
    assert [one.estimate for one in found] == [None, None, None]
    assert all(one.why.startswith("2 judgements failed, the first: ") for one in found)
