"""Which call is which, and what is said of one that is not the recorded call."""

import pickle
from typing import Any

import pytest

from eval.replay import CutPointSession, ModelDrift, ReplayDivergence
from ingest.errors import QueryError
from tests.eval.replay.conftest import Open, WriteTrace, envelope


def live(**inputs: Any) -> str:
    return "live"


def call(session: CutPointSession, boundary: str = "rewrite", model: str | None = None, **inputs: Any) -> Any:
    return session.wrap(boundary, model)(live)(**inputs)


# Retries


def test_a_retry_at_one_boundary_shifts_no_other(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("rewrite", 1, "r1", q="x"), envelope("sql", 1, "s1", q="y"), envelope("sql", 2, "s2", q="z"))
    session = replay("rewrite", "sql")
    session.stub("sql", 2)
    given = [("rewrite", "x"), ("rewrite", "x"), ("sql", "y"), ("sql", "z")]
    assert [call(session, boundary, q=q) for boundary, q in given] == ["r1", "live", "s1", "s2"]
    assert list(session.captured_live) == [("rewrite", 2)]


def test_a_retry_within_a_boundary_shifts_none_of_its_calls(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(*(envelope("sql", n, f"s{n}", q=n) for n in (1, 2, 3)))
    session = replay("sql")
    session.stub("sql", 2)
    session.stub("sql", 3)
    assert [call(session, "sql", q=q) for q in (1, 1, 2, 2, 3)] == ["s1", "live", "s2", "live", "s3"]


def test_after_a_retry_a_changed_call_still_diverges(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("sql", 1, "s1", q="x"), envelope("sql", 2, "s2", q="y"))
    session = replay("sql")
    session.stub("sql", 2)
    assert [call(session, "sql", q="x"), call(session, "sql", q="x")] == ["s1", "live"]
    with pytest.raises(ReplayDivergence, match=r'sql call 3 .*\(compared with call 2\) in q: q was "y" and now is "z"'):
        call(session, "sql", q="z")


def test_a_retry_of_a_live_call_shifts_none_either(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("sql", 1, "s1", q="x"), envelope("sql", 2, "s2", q="y"))
    session = replay()
    session.stub("sql", 2)
    assert [call(session, "sql", q=q) for q in ("changed", "changed", "y")] == ["live", "live", "s2"]


def test_a_boundary_that_is_frozen_whole_never_runs(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("credit", 1, "c1", usd=1), envelope("credit", 2, "c2", usd=2))
    session = replay()
    session.stub("credit", None)
    assert [call(session, "credit", usd=usd) for usd in (1, 1, 2, 2)] == ["c1", "c1", "c2", "c2"]
    with pytest.raises(
        ReplayDivergence, match=r"credit call 5 was never recorded; .* \(recorded: 1 to 2\); fix: stub "
    ):
        call(session, "credit", usd=3)
    assert session.captured_live == {}


def test_a_frozen_failure_may_be_retried_live(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("sql", 1, None, q="x") | {"error": {"type": "TimeoutError", "message": "busy"}})
    session = replay("sql")
    with pytest.raises(TimeoutError, match="busy"):
        call(session, "sql", q="x")
    assert call(session, "sql", q="x") == "live"


def test_equal_calls_are_told_apart_by_their_index(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("sql", 1, "s1", q="x"), envelope("sql", 2, "s2", q="x"))
    session = replay()
    session.stub("sql", 2)
    assert [call(session, "sql", q="x"), call(session, "sql", q="x")] == ["live", "s2"]


def test_what_nothing_asked_for_is_listed(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("sql", 1, q="x"), envelope("sql", 2, q="y"), envelope("rewrite", 1))
    session = replay("sql", "rewrite")
    call(session, "sql", q="x")
    assert session.unserved == (("rewrite", 1),)


# Divergence


def test_a_changed_prompt_diverges_by_its_name(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(prompt="Rewrite the message as a query.", temperature=0.3))
    session = replay("rewrite")
    with pytest.raises(ReplayDivergence) as caught:
        call(session, prompt="Rewrite the message as a query. Keep every plan name.", temperature=0.3)
    assert (caught.value.boundary, caught.value.call_index, caught.value.fields) == ("rewrite", 1, ("prompt",))
    assert session.divergences == (caught.value,)
    assert caught.value.exit_status == 1
    where, found = str(caught.value).split(": ", 1)
    assert where.endswith("trace.jsonl:1")
    assert found == (
        'rewrite call 1 differs from the recorded one in prompt: prompt was "... message as a query." and now is '
        '"... message as a query. Keep every plan name."; fix: record it again if the change is meant, or do not stub '
        "this call: then it runs live"
    )


@pytest.mark.parametrize(
    ("recorded", "now", "fields", "shown"),
    [
        ({"a": 1}, {"a": 2}, ("a",), "a was 1 and now is 2"),
        ({"a": 1, "b": 1}, {"a": 1}, ("b",), "b was 1 and now is missing"),
        ({}, {"k": 5}, ("k",), "k was not recorded and now is 5"),
        ({"f": {"s": [1, 2]}}, {"f": {"s": [1, 3]}}, ("f",), r"f.s\[1\] was 2 and now is 3"),
        ({"f": {"s": 1}}, {"f": {}}, ("f",), 'f.s was 1 and now is "nothing"'),
        ({"a": "x", "b": 1}, {"a": "y", "b": 2}, ("a", "b"), 'a was "x" and now is "y"; b was 1 and now is 2'),
        ({"a": True}, {"a": 1}, ("a",), "a was true and now is 1"),
        ({"a": "x" * 90}, {"a": "y" * 90}, ("a",), 'a was "x{59}... and now is "y{59}...'),
    ],
    ids=["value", "gone", "added", "nested", "nested, gone", "two", "type", "long"],
)
def test_every_changed_field_is_named(
    write_trace: WriteTrace,
    replay: Open,
    recorded: dict[str, Any],
    now: dict[str, Any],
    fields: tuple[str, ...],
    shown: str,
) -> None:
    write_trace(envelope(**recorded))
    with pytest.raises(ReplayDivergence, match=shown) as caught:
        call(replay("rewrite"), **now)
    assert caught.value.fields == fields


def test_a_call_that_diverged_diverges_again(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(q="x"))
    session = replay("rewrite")
    for _ in range(3):
        with pytest.raises(ReplayDivergence):
            call(session, q="y")
    assert len(session.divergences) == 3
    assert session.captured_live == {}


def test_a_divergence_comes_out_of_another_process(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(q="x"))
    with pytest.raises(ReplayDivergence) as caught:
        call(replay("rewrite"), q="y")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.fields, again.call_index) == (str(caught.value), ("q",), 1)


def test_redacted_values_compare_by_kind(trace_with_mail: None, replay: Open) -> None:
    session = replay("rewrite")
    assert call(session, message="I am john.smith@example.org, call me") == "live"
    assert session.captured_live == {}


def test_another_kind_of_secret_is_a_difference(trace_with_mail: None, replay: Open) -> None:
    with pytest.raises(ReplayDivergence, match=r"message was .*<EMAIL>.* and now is .*<IP>"):
        call(replay("rewrite"), message="I am 203.0.113.77, call me")


def test_a_foreign_trace_that_was_not_redacted_compares_the_same(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(message="I am jane.doe@example.com"))
    assert call(replay("rewrite"), message="I am jane.doe@example.com") == "out"


@pytest.fixture
def trace_with_mail(recording: CutPointSession) -> None:
    call(recording, message="I am jane.doe@example.com, call me")
    recording.close()


def test_whole_floats_and_tuples_are_no_difference(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(k=5, ids=[1, 2]))
    assert call(replay("rewrite"), k=5.0, ids=(1, 2)) == "out"


def test_a_live_call_says_where_it_differs(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(mode="dense", k=3))
    session = replay()
    call(session, mode="hybrid", k=3)
    assert session.captured_live[("rewrite", 1)].differs == ("mode",)


def test_what_a_wrap_says_beside_the_inputs_is_compared(write_trace: WriteTrace, replay: Open, trace: Any) -> None:
    trace.unlink(missing_ok=True)
    with CutPointSession(trace, "record") as session:
        session.wrap("rewrite", prompt="Rewrite.", sampling={"temperature": 0.3})(live)(q="x")
    for options, fields in (
        ({"prompt": "Rewrite!", "sampling": {"temperature": 0.3}}, ("prompt",)),
        ({"prompt": "Rewrite.", "sampling": {"temperature": 0}}, ("sampling.temperature",)),
    ):
        with pytest.raises(ReplayDivergence) as caught:
            replay("rewrite").wrap("rewrite", **options)(live)(q="x")
        assert caught.value.fields == fields
    assert replay("rewrite").wrap("rewrite")(live)(q="x") == "live"


# Models


@pytest.fixture
def recorded_model(recording: CutPointSession) -> None:
    call(recording, model="rewriter-3", q="x")
    recording.close()


@pytest.mark.parametrize("stubs", [(), ("rewrite",)], ids=["live", "frozen"])
def test_another_model_is_refused(recorded_model: None, replay: Open, stubs: tuple[str, ...]) -> None:
    fix = r'fix: if that is meant, spell both: allow_model_drift=\("rewriter-3", "rewriter-4"\)'
    for allowed in ((), ("rewriter-4", "rewriter-3"), ("rewriter-3", "rewriter-5")):
        session = replay(*stubs, allow_model_drift=allowed)
        with pytest.raises(ModelDrift, match=fix) as caught:
            call(session, model="rewriter-4", q="x")
        assert caught.value.fields == ("model_version",)
        with pytest.raises(ModelDrift):
            call(session, model="rewriter-4", q="x")
        assert session.captured_live == {}


@pytest.mark.parametrize(
    "allowed",
    [("rewriter-3", "rewriter-4"), [("a", "b"), ("rewriter-3", "rewriter-4")]],
    ids=["one pair", "several"],
)
def test_another_model_is_let_through_once_both_are_spelled(recorded_model: None, replay: Open, allowed: Any) -> None:
    assert call(replay("rewrite", allow_model_drift=allowed), model="rewriter-4", q="x") == "live"


def test_a_model_among_the_inputs_is_a_model(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(model="gpt-a", q="x"))
    with pytest.raises(ModelDrift, match='model "gpt-b", was recorded from "gpt-a"'):
        replay("rewrite").wrap("rewrite")(live)(model="gpt-b", q="x")
    allowed = replay("rewrite", allow_model_drift=("gpt-a", "gpt-b"))
    assert allowed.wrap("rewrite")(live)(model="gpt-b", q="x") == "out"


def test_drift_hides_no_other_difference(recorded_model: None, replay: Open) -> None:
    with pytest.raises(ReplayDivergence, match="in q: q was"):
        call(replay("rewrite", allow_model_drift=("rewriter-3", "rewriter-4")), model="rewriter-4", q="y")
    with pytest.raises(ModelDrift, match='"rewriter-3"; q was "x" and now is "y"'):
        call(replay("rewrite"), model="rewriter-4", q="y")


@pytest.mark.parametrize("drift", ["rewriter-3", ("a",), ("a", "b", "c"), [("a", "")], ("a", 3)], ids=str)
def test_a_drift_is_two_names(write_trace: WriteTrace, replay: Open, drift: Any) -> None:
    write_trace(envelope())
    with pytest.raises(QueryError, match=r'allow_model_drift .*; allowed: \("recorded model", "model of now"\)'):
        replay(allow_model_drift=drift)


# Stubs


@pytest.mark.parametrize(
    ("boundary", "index", "found"),
    [
        ("sql", 1, r"trace.jsonl: no recorded call sql 1; allowed: rewrite 1 to 3, credit 1$"),
        ("rewrite", 4, r"trace.jsonl: no recorded call rewrite 4; allowed: rewrite 1 to 3$"),
        ("rewrite", 0, r"no recorded call rewrite 0; allowed: rewrite 1 to 3$"),
        ("sql", None, r"no recorded call sql; allowed: rewrite 1 to 3, credit 1$"),
    ],
    ids=["boundary", "index", "zero", "whole boundary"],
)
def test_a_stub_of_what_was_never_recorded(
    write_trace: WriteTrace, replay: Open, boundary: str, index: int | None, found: str
) -> None:
    write_trace(*(envelope("rewrite", n) for n in (1, 2, 3)), envelope("credit"))
    with pytest.raises(QueryError, match=found):
        replay().stub(boundary, index)
