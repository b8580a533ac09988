"""Gates: what fails, what passes, and what could not be measured."""

import pytest

from eval.nightly.gates import EXCEPTIONS, RECALL, STALE, Evidence, gates_of, sign_test
from eval.nightly.record import Figure, Night, Pinned, TicketNight
from eval.settings import GateSettings
from tests.eval.nightly.test_history import night


def figure(measure: str, mean: float | None, low: float = 0, high: float = 1, n: int = 90) -> Figure:
    return Figure(measure=measure, mean=mean, low=None if mean is None else low, high=high, n=n)


def ticket(name: str, score: float = 1.0, **more: object) -> TicketNight:
    return TicketNight.model_validate(
        {"id": name, "query": "q", "asked": "message", "kind": "plain", "family": name, "as_of": "2026-03-15"}
        | {"scores": {RECALL: score}, "ranks": [1]}
        | more
    )


def went(name: str, evidence: Evidence, **settings: object) -> str:
    gates = {gate.name: gate.status for gate in gates_of(GateSettings.model_validate(settings), evidence)}
    return gates[name]


def evidence(*figures: Figure, tickets: tuple[TicketNight, ...] = (ticket("t"),), **more: object) -> Evidence:
    return Evidence(**{"figures": figures, "tickets": tickets, "baseline": None} | more)  # type: ignore[arg-type]


def test_an_empty_run_never_passes() -> None:
    assert went("questions", evidence(tickets=())) == "failed"
    assert went("recall@5", evidence(tickets=())) == "not measured"
    assert went("questions", evidence(tickets=(ticket("t", broken="gone"),))) == "failed"


@pytest.mark.parametrize(
    ("mean", "high", "n", "status"),
    [
        (0.85, 0.9, 90, "passed"),
        (0.84, 0.9, 90, "failed"),
        (0.70, 0.9, 20, "passed"),
        (0.70, 0.84, 20, "failed"),
        (None, 1.0, 0, "not measured"),
    ],
    ids=["at-the-floor", "below", "few-may-be-chance", "few-and-sure", "nothing"],
)
def test_recall_is_held_to_its_floor(mean: float | None, high: float, n: int, status: str) -> None:
    found = evidence(figure(RECALL, mean, 0.6, high, n))
    assert went("recall@5", found) == status


def test_a_floor_of_zero_is_no_gate() -> None:
    names = [gate.name for gate in gates_of(GateSettings(recall_at_5=0), evidence())]
    assert "recall@5" not in names
    assert "exceptions@5" not in names


def test_exceptions_have_a_floor_where_one_is_set() -> None:
    assert went("exceptions@5", evidence(figure(EXCEPTIONS, 0.8)), exceptions_at_5=0.9) == "failed"


@pytest.mark.parametrize(
    ("mean", "limit", "status"),
    [(0.0, 0.0, "passed"), (0.01, 0.0, "failed"), (0.01, 0.02, "passed"), (None, 0.0, "not measured")],
    ids=["none", "any", "allowed", "unknown"],
)
def test_stale_text_fails(mean: float | None, limit: float, status: str) -> None:
    assert went("stale text", evidence(figure(STALE, mean)), stale_rate=limit) == status


def test_staleness_that_cannot_be_told_is_not_measured() -> None:
    found = evidence(figure(STALE, 0.0), unknown_stale="files were refused")
    assert went("stale text", found) == "not measured"


def test_counted_things_fail_beyond_their_limit() -> None:
    empty = ticket("t", scores={"ZeroResults": 1.0})
    assert went("zero results", evidence(tickets=(empty,))) == "failed"
    assert went("zero results", evidence(tickets=(empty,)), zero_results=1) == "passed"
    unanswerable = ticket("t", scores={"ZeroResults": 1.0}, ranks=[])
    assert went("zero results", evidence(tickets=(unanswerable,))) == "passed"
    assert went("files refused", evidence(refused=["a.md"])) == "failed"
    assert went("gold out of place", evidence(tickets=(ticket("t", broken="gone"),))) == "failed"


def test_a_stopped_index_run_fails() -> None:
    assert went("index run", evidence(stopped="--correct")) == "failed"


def test_pins_that_do_not_come_back_fail() -> None:
    lost = Pinned(id="p", title="the notice", status="failed")
    assert went("lost pins", evidence(pins=[lost])) == "failed"
    assert went("lost pins", evidence()) == "passed"


@pytest.mark.parametrize(
    ("lost", "still", "found"),
    [(0, 8, "0, 8 open"), (1, 1, "1: p0; 1 open"), (1, 0, "1: p0"), (0, 0, "0")],
    ids=["open", "both", "lost", "neither"],
)
def test_open_pins_are_counted_beside_the_lost_ones(lost: int, still: int, found: str) -> None:
    pins = [Pinned(id="p", title="", status="passed")]
    pins += [Pinned(id=f"p{at}", title="", status="failed") for at in range(lost)]
    pins += [Pinned(id=f"o{at}", title="", status="open") for at in range(still)]
    gates = gates_of(GateSettings(), evidence(pins=pins))
    assert next(gate.found for gate in gates if gate.name == "lost pins") == found


def test_slow_searches_fail_where_a_limit_is_set() -> None:
    assert went("p95", evidence(p95=120.0), p95_milliseconds=100) == "failed"
    assert went("p95", evidence(p95=None), p95_milliseconds=100) == "not measured"
    assert "p95" not in [gate.name for gate in gates_of(GateSettings(), evidence(p95=1e6))]


def baseline(scores: list[float]) -> Night:
    return night(1).model_copy(update={"tickets": [ticket(f"t{at}", score) for at, score in enumerate(scores)]})


@pytest.mark.parametrize(
    ("now", "then", "status"),
    [
        ([1.0] * 60, [1.0] * 60, "passed"),
        ([1.0] * 50 + [0.0] * 10, [1.0] * 60, "failed"),
        ([1.0] * 59 + [0.0], [1.0] * 60, "passed"),
        ([0.0] * 3, [1.0] * 3, "passed"),
        ([0.0] * 8, [1.0] * 8, "failed"),
        ([1.0] * 8, [0.0] * 8, "passed"),
    ],
    ids=["same", "dropped", "one-of-many", "too-few-to-tell", "few-but-all", "better"],
)
def test_a_significant_drop_fails(now: list[float], then: list[float], status: str) -> None:
    tickets = tuple(ticket(f"t{at}", score) for at, score in enumerate(now))
    assert went(f"{RECALL} against the baseline", evidence(tickets=tickets, baseline=baseline(then))) == status


def test_questions_that_were_reworded_are_not_compared() -> None:
    found = evidence(tickets=(ticket("t0", 0.0, query="other words"),), baseline=baseline([1.0]))
    assert went(f"{RECALL} against the baseline", found) == "not measured"
    assert went(f"{RECALL} against the baseline", evidence()) == "not measured"


@pytest.mark.parametrize(("gains", "losses", "p"), [(0, 0, 1.0), (0, 5, 0.0625), (0, 6, 0.03125), (3, 3, 1.0)], ids=str)
def test_the_sign_test_is_exact(gains: int, losses: int, p: float) -> None:
    then = {f"t{at}": 0.5 for at in range(gains + losses)}
    now = {f"t{at}": 1.0 if at < gains else 0.0 for at in range(gains + losses)}
    assert sign_test(now, then) == pytest.approx(p)
