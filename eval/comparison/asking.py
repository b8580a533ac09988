"""The same tickets put to a model through each arm: what it answers, how that scores, what it costs, how long it takes.

with calling(endpoint("a-model"), Path("ledger.jsonl"), price, Limits(cap_usd=5)) as caller:
    results = run_arms(cases, ARMS, caller, policy)

Tickets go one after another through all arms, so that a run which stops at its cap has compared whole tickets. `route`
asks what `retrieval` asks, and what `handbook` asks only where the model said that something is missing: beside those
two arms it pays for nothing again, and is charged with what it would have paid. An answer that cannot be read is asked
for once more, then scored as quoting nothing; a call that came to nothing is not scored, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Final, Literal

from eval.comparison.arms import INSTRUCTIONS, NEEDS_GOLD, POSITIONS, Arm, Case, prompt_of
from eval.comparison.calls import Caller, Failed, Stopped
from eval.comparison.ledger import About, Call
from eval.comparison.model import Request, Usage
from eval.comparison.outcomes import (
    FIGURES,
    Outcome,
    confidence,
    estimate,
    latency,
    paired,
)
from eval.comparison.scoring import Decision, Unreadable, parse_decision, score
from eval.measures.bootstrap import Estimate
from eval.measures.grouped import Latency, Separation
from eval.measures.summary import SEED
from eval.policy import Policy

ASKS: Final = 2
"""How often a prompt is asked, where its answer cannot be read."""
Progress = Callable[[str, int, int], None]
State = Literal["answered", "unreadable", "failed", "not asked"]


@dataclass(frozen=True, slots=True)
class ArmResult:
    """One arm over all tickets that it applies to."""

    arm: Arm
    outcomes: tuple[Outcome, ...]
    """In the order of the tickets."""
    figures: Mapping[str, Estimate | None]
    """By name (`FIGURES`); None: not measured."""
    confidence: Separation | None
    """How well the model's own confidence tells what the handbook answers; None without both kinds of tickets."""
    first_token: Latency | None
    """Milliseconds until the first token of the (last) answer; None where no answer was streamed."""
    total: Latency | None
    """Milliseconds until an answer was complete, over both calls of a route."""

    def count(self, state: State) -> int:
        """Tickets of one state."""
        return sum(one.state == state for one in self.outcomes)

    @property
    def usd_per_ticket(self) -> float | None:
        """What one answer costs at the prices of the day it was made; None without an answer."""
        held = [sum(call.usd for call in one.calls) for one in self.outcomes if one.calls]
        return sum(held) / len(held) if held else None

    @property
    def usage(self) -> Usage:
        """Tokens over all its answers."""
        calls = [call.usage for one in self.outcomes for call in one.calls]
        names = ("input", "cached", "written", "output")
        return Usage(**{name: sum(getattr(one, name) for one in calls) for name in names})

    @property
    def estimated(self) -> bool:
        """Whether some of its usage is o200k's count, since the provider said none."""
        return any(call.estimated for one in self.outcomes for call in one.calls)

    @property
    def handed_on(self) -> int:
        """Tickets of a route that went on to the handbook."""
        return sum(one.handed_on for one in self.outcomes)

    def to_dict(self) -> dict[str, object]:
        """As JSON: counts, figures with n and interval, seconds, USD."""
        states: tuple[State, ...] = ("answered", "unreadable", "failed", "not asked")
        told = self.usage
        return {
            "arm": self.arm,
            "tickets": {state.replace(" ", "_"): self.count(state) for state in states},
            "figures": {name: _told(one) for name, one in self.figures.items()},
            "confidence_auroc": _told(self.confidence),
            "first_token_ms": _told(self.first_token),
            "total_ms": _told(self.total),
            "usd_per_ticket": self.usd_per_ticket,
            "usage": {name: getattr(told, name) for name in ("input", "cached", "written", "output")},
            "usage_estimated": self.estimated,
            "handed_on": self.handed_on if self.arm == "route" else None,
        }


@dataclass(frozen=True, slots=True)
class ArmResults:
    """All arms of one run."""

    arms: tuple[ArmResult, ...]
    model: str
    where: str
    """The address that was asked."""
    ledger: str
    bought: int
    """Calls that this run paid for."""
    reused: int
    """Answers that were in the ledger already."""
    spent_usd: float
    """Over the whole ledger, earlier runs and calls that broke off included."""
    stopped: str | None
    """Why some tickets were not asked; None where all were."""
    seed: int = SEED

    def of(self, arm: Arm) -> ArmResult | None:
        """One arm; None where it was not asked for."""
        return next((one for one in self.arms if one.arm == arm), None)

    def curve(self, figure: str = "anchor recall") -> tuple[tuple[Arm, Estimate | None], ...]:
        """The position curve: a figure with the gold first, in the middle and last, of the arms that were asked."""
        return tuple((one.arm, one.figures[figure]) for name in POSITIONS if (one := self.of(name)) is not None)

    def difference(self, arm: Arm, other: Arm, figure: str) -> Estimate | None:
        """A figure of `arm` minus that of `other`, over the tickets that both have a score for; None without any."""
        one, two = self.of(arm), self.of(other)
        return paired(one.outcomes, two.outcomes, figure, self.seed) if one and two else None

    def to_dict(self) -> dict[str, object]:
        """As JSON, with each arm's differences to `retrieval`."""
        others = [one.arm for one in self.arms if one.arm != "retrieval"]
        against = {
            arm: {figure: _told(self.difference(arm, "retrieval", figure)) for figure in FIGURES} for arm in others
        }
        return {
            "model": self.model,
            "where": self.where,
            "ledger": self.ledger,
            "bought": self.bought,
            "reused": self.reused,
            "spent_usd": self.spent_usd,
            "stopped": self.stopped,
            "arms": [one.to_dict() for one in self.arms],
            "minus_retrieval": against,
        }


def run_arms(
    cases: Sequence[Case],
    arms: Sequence[Arm],
    caller: Caller,
    policy: Policy,
    *,
    progress: Progress | None = None,
    seed: int = SEED,
) -> ArmResults:
    """Put every ticket to the model through every arm that applies to it, and score what comes back.

    Args:
        cases: The tickets, in the order in which they are asked.
        arms: In the order of the results.
        caller: Model, ledger and limits.
        policy: What was in force when.
        progress: Called with (stage, done, in all).
        seed: Of every interval.

    Raises:
        ConfigError: the model cannot be asked at all; what was paid for is in the ledger.
        StateError: the ledger cannot be written.
    """
    work = [(arm, case) for case in cases for arm in arms if case.question.gold or arm not in NEEDS_GOLD]
    held: dict[Arm, list[Outcome]] = {arm: [] for arm in arms}
    for (arm, _), outcome in zip(work, _all(work, caller, policy, progress), strict=True):
        held[arm].append(outcome)
    return ArmResults(
        arms=tuple(_result(arm, outcomes, seed) for arm, outcomes in held.items()),
        model=caller.model.at.model,
        where=caller.model.at.where,
        ledger=str(caller.ledger.path),
        bought=caller.bought,
        reused=caller.reused,
        spent_usd=caller.spent,
        stopped=caller.stopped,
        seed=seed,
    )


def _all(work: Sequence[tuple[Arm, Case]], caller: Caller, policy: Policy, progress: Progress | None) -> list[Outcome]:
    with ThreadPoolExecutor(caller.limits.at_once) as pool:
        futures: list[Future[Outcome]] = [pool.submit(_outcome, arm, case, caller, policy) for arm, case in work]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                if progress:
                    progress("model", done, len(work))
        except BaseException:
            # Ctrl-C, or a fault that ends the run: calls that run now are paid for, so their answers are kept.
            caller.stop("interrupted")
            pool.shutdown(cancel_futures=True)
            raise
    return [future.result() for future in futures]


def _outcome(arm: Arm, case: Case, caller: Caller, policy: Policy) -> Outcome:
    calls: list[Call] = []
    question = case.question
    handed_on = False

    def outcome(state: State, why: str = "", decision: Decision | None = None) -> Outcome:
        scored = score(question, decision, policy) if state in ("answered", "unreadable") else None
        return Outcome(question, state, why, decision, scored, tuple(calls), handed_on)

    try:
        decision, why = _asked(arm, case, caller, calls)
        if arm == "route" and decision and decision.missing:
            handed_on = True
            decision, why = _asked("handbook", case, caller, calls)
    except Stopped as reason:
        return outcome("not asked", str(reason))
    except Failed as fault:
        return outcome("failed", str(fault))
    return outcome("answered", decision=decision) if decision else outcome("unreadable", why)


def _asked(arm: Arm, case: Case, caller: Caller, calls: list[Call]) -> tuple[Decision | None, str]:
    """The decision, or None and why it cannot be read; every call that was made for it is added to `calls`."""
    request, about = _request(arm, case), _about(arm, case)
    why = ""
    for ask in range(1, ASKS + 1):
        call = caller.ask(request, about, ask)
        calls.append(call)
        try:
            return parse_decision(call.text), ""
        except Unreadable as fault:
            why = str(fault)
        # The same prompt would be cut off at the same place again.
        if call.finish == "length":
            return None, f"cut off at {caller.model.at.max_tokens} tokens"
    return None, why


def _request(arm: Arm, case: Case) -> Request:
    prompt = prompt_of(arm, case)
    assert prompt is not None
    return Request(INSTRUCTIONS, prompt.prefix, prompt.asked, prompt.tokens)


def _about(arm: Arm, case: Case) -> About:
    return About(arm, case.question.id, case.question.as_of, case.question.query)


def _result(arm: Arm, outcomes: Sequence[Outcome], seed: int) -> ArmResult:
    return ArmResult(
        arm=arm,
        outcomes=tuple(outcomes),
        figures={name: estimate(outcomes, name, seed) for name in FIGURES},
        confidence=confidence(outcomes, seed),
        first_token=latency(_first_tokens(outcomes)),
        total=latency([sum(call.total_ms for call in one.calls) for one in outcomes if one.score]),
    )


def _first_tokens(outcomes: Sequence[Outcome]) -> Iterator[float]:
    """Of an answer that took several calls, what went before its last one counts."""
    for one in outcomes:
        if one.score and one.calls[-1].first_token_ms is not None:
            yield sum(call.total_ms for call in one.calls[:-1]) + one.calls[-1].first_token_ms


def _told(value: Estimate | Separation | Latency | None) -> dict[str, object] | None:
    if value is None:
        return None
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__ if name != "marked"}
