"""`caveat compare`: the same tickets through every arm, as far as it goes without asking a model.

Sizes, bills and traces are counted; what retrieval puts into a prompt is judged against the gold. What a model makes of
a prompt is not known here, and nothing stands in for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from statistics import median
from typing import Final

from eval.comparison.arms import ARMS, Arm, Case, Prompt, prompt_of
from eval.comparison.bills import Bills, Sides, bills_of
from eval.comparison.costs import Size
from eval.comparison.prices import Hosting, ModelPrice, Month, named, read_prices
from eval.comparison.traceability import Change, changes_measured
from eval.ladder.evaluation import readings_file
from eval.ladder.handbook import opened_handbook
from eval.ladder.readings import Reading, log_reading
from eval.measures.definitions import Measure
from eval.measures.judging import judge
from eval.measures.summary import Summary, summarise
from eval.policy import Edition, Policy, read_policy
from eval.progress import Told
from eval.retrievers.kept import Kept
from eval.retrievers.pipeline import counted
from eval.suites.beir import is_beir
from eval.suites.opening import default_split, open_questions
from eval.suites.question import Question
from eval.surroundings import Surroundings
from index.digests import compact, digest
from ingest.dates import parse_day, show_instant
from ingest.errors import QueryError

INSIDE: Final = ("PolicyExceptionRecall", "AnchorRecall", "Recall", "StaleRate")
"""Measures of what retrieval puts into a prompt."""


@dataclass(frozen=True, slots=True)
class Order:
    """What was typed."""

    suite: Path
    handbook: Path | None = None
    split: str | None = None
    """None: the tune side, where questions have sides."""
    k: int | None = None
    prices: Path | None = None
    price: str | None = None
    hosting: str | None = None
    tickets: int | None = None
    """A month; None: as the prices say."""


@dataclass(frozen=True, slots=True)
class ArmSize:
    """o200k tokens that one arm sends."""

    arm: Arm
    n: int
    """Tickets; those without gold have no oracle and no position."""
    mean: float
    least: int
    most: int
    prefix: float
    """Of the mean: what tickets of one edition share, where they share anything."""


@dataclass(frozen=True, slots=True)
class Logged:
    """o200k tokens to log for one answer that can be replayed, mean over tickets, without the answer itself."""

    arm: Arm
    whole: float
    """The prompt as it was sent."""
    named: float
    """The ticket, and names of what was sent, where editions and index are archived: then they give the prompt back."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that is known without a model."""

    suite: str
    split: str | None
    tickets: int
    readings: int | None
    """Of the holdout side so far, this one included; None where it was not read."""
    k: int
    price: ModelPrice
    hosting: Hosting
    month: Month
    handbook_tokens: float
    """Of the handbook's own text, mean over tickets."""
    sizes: tuple[ArmSize, ...]
    bills: Bills
    inside: tuple[Summary, ...]
    """Of what retrieval puts into the prompt."""
    milliseconds: float | None
    """Median of one search; None where nothing was timed."""
    logged: tuple[Logged, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison, and the tickets that a model can be asked."""

    comparison: Comparison
    cases: tuple[Case, ...]
    policy: Policy


def compare(around: Surroundings, order: Order, told: Told | None = None) -> Compared:
    """Search for every message of the suite, put all prompts together, and reckon.

    Raises:
        ConfigError: the prices cannot be read, or have no such row.
        SourceError: the suite is not sound, or empty.
        QueryError: no such side, or a suite without a handbook.
        StateError, EncoderError, GuardError: nothing is indexed, or something else, or something older.
    """
    prices = read_prices(order.prices)
    price = named(prices.model, order.price, "--price")
    hosting = named(prices.hosting, order.hosting, "--hosting")
    month = prices.month.model_copy(update={"tickets": order.tickets}) if order.tickets else prices.month
    if is_beir(order.suite):
        fix = "name a folder of tickets or a table about a handbook"
        raise QueryError("a corpus of passages has no handbook to paste in", where=str(order.suite), fix=fix)
    policy = read_policy(around.handbook(order.handbook), around.config.ingest, around.now, state=around.state)
    split = order.split or default_split(order.suite, policy)
    opened = open_questions(order.suite, policy, split)
    k = order.k or around.config.retrieve.k
    with ExitStack() as stack:
        book = opened_handbook(around, around.handbook(order.handbook), policy, opened, k, told, stack)
        search = book.kept(book.pipelines.under(around.config.retrieve, "caveat"))
        questions = tuple(_dated(one, book.today) for one in opened.of("message"))
        cases = tuple(_cases(questions, policy, search, k, told))
        tell = partial(told, "edits") if told else None
        changes = changes_measured(policy, questions, lambda question: search.answer(question, k), tell)
        generation = book.pipelines.generation
    readings = _logged(around, opened.name, opened.digest, search.key) if split == "holdout" else None
    prompts = {arm: _prompts(arm, cases) for arm in ARMS}
    sides = _sides(prompts, cases, month)
    comparison = Comparison(
        suite=opened.name,
        split=split,
        tickets=len(cases),
        readings=readings,
        k=k,
        price=price,
        hosting=hosting,
        month=month,
        handbook_tokens=_mean([_handbook_tokens(case) for case in cases]),
        sizes=tuple(_size(arm, found) for arm, found in prompts.items() if found and arm != "route"),
        bills=bills_of(price, hosting, month, sides),
        inside=_inside(questions, cases, policy, k),
        milliseconds=_milliseconds(cases),
        logged=tuple(_logs(prompts, cases, generation)),
        changes=changes,
    )
    return Compared(comparison, cases, policy)


def _dated(question: Question, today: str) -> Question:
    return question if question.as_of else replace(question, as_of=today)


def _cases(questions: Sequence[Question], policy: Policy, search: Kept, k: int, told: Told | None) -> Iterator[Case]:
    for number, question in enumerate(questions, 1):
        yield Case(question, policy.on(parse_day(question.as_of or "")), search.answer(question, k))
        if told:
            told("ask", number, len(questions))


def _prompts(arm: Arm, cases: Sequence[Case]) -> tuple[Prompt, ...]:
    return tuple(prompt for case in cases if (prompt := prompt_of(arm, case)) is not None)


def _size(arm: Arm, prompts: Sequence[Prompt]) -> ArmSize:
    tokens = [prompt.tokens for prompt in prompts]
    prefix = _mean([prompt.prefix_tokens for prompt in prompts])
    return ArmSize(arm, len(tokens), _mean(tokens), min(tokens), max(tokens), prefix)


def _sides(prompts: dict[Arm, tuple[Prompt, ...]], cases: Sequence[Case], month: Month) -> Sides:
    retrieval, handbook = (_sent(prompts[arm], month) for arm in ("retrieval", "handbook"))
    editions = Counter(id(case.edition) for case in cases)
    shares = tuple(count / len(cases) for _, count in editions.most_common())
    embedded = _mean([counted(case.question.query) for case in cases])
    return Sides(retrieval, handbook, shares, embedded)


def _sent(prompts: Sequence[Prompt], month: Month) -> Size:
    prefix = _mean([prompt.prefix_tokens for prompt in prompts])
    return Size(prefix, _mean([prompt.tokens for prompt in prompts]) - prefix, month.output_tokens)


def _handbook_tokens(case: Case) -> int:
    return sum(counted(section.section.text) for section in case.edition.sections)


def _inside(questions: Sequence[Question], cases: Sequence[Case], policy: Policy, k: int) -> tuple[Summary, ...]:
    judged = {case.question.id: judge(case.question, case.given, policy) for case in cases}
    found = summarise(questions, judged, [Measure(name, k, links=True) for name in INSIDE])
    shown = ("all", "kind: exception", "kind: plain", "kind: dated", "sections: one", "sections: several")
    return tuple(one for one in found if one.slice in shown)


def _milliseconds(cases: Sequence[Case]) -> float | None:
    timed = [total for case in cases if (total := case.given.milliseconds.get("total")) is not None]
    return median(timed) if timed else None


def _logs(prompts: dict[Arm, tuple[Prompt, ...]], cases: Sequence[Case], generation: int) -> Iterator[Logged]:
    """Of the two arms that are chosen between; what is archived once is not counted for each answer."""
    named: dict[Arm, Callable[[Case], str]] = {
        "retrieval": lambda case: _named_passages(case, generation),
        "handbook": lambda case: compact({"as_of": case.question.as_of, "edition": _edition_name(case.edition)}),
    }
    for arm, name in named.items():
        whole = _mean([prompt.tokens for prompt in prompts[arm]])
        tickets = [
            counted(name(case)) + counted(prompt.asked) for case, prompt in zip(cases, prompts[arm], strict=True)
        ]
        yield Logged(arm, whole, _mean(tickets))


def _named_passages(case: Case, generation: int) -> str:
    given = [one.id for one in (*case.given.passages, *case.given.linked)]
    return compact({"as_of": case.question.as_of, "generation": generation, "passages": given})


@lru_cache(maxsize=32)
def _edition_name(edition: Edition) -> str:
    return digest([document.text for document in edition.documents])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _logged(around: Surroundings, suite: str, suite_digest: str, key: str) -> int:
    measures = digest([str(Measure(name)) for name in INSIDE])
    at = show_instant(around.now) or ""
    reading = Reading(
        at=at, suite=suite, suite_digest=suite_digest, configuration=key, measures=measures, command="compare"
    )
    return log_reading(readings_file(around), reading)
