"""Nights as they happen: thirty of them, seeded, with a moved rule, a new library and a few flips in the last."""

import dataclasses
import datetime
import functools
import random
from collections.abc import Callable, Sequence

from eval.nightly.record import (
    Figure,
    Gate,
    HandbookChange,
    Night,
    Pinned,
    SettingChange,
    Slow,
    TicketNight,
)

FIRST = datetime.datetime(2026, 11, 2, 4, 0, tzinfo=datetime.UTC)
MEASURES = (
    "Recall@5",
    "PolicyExceptionRecall@5",
    "PolicyExceptionRecall@5+links",
    "StaleRate@5",
    "StaleRate@5+links",
    "MRR",
    "Tokens@5+links",
)
STAGES = ("not a candidate", "lost in fusion", "lost in rerank", "cut by budget", "not in force")
CHAPTERS = ("4 Seats", "3 Renewals", "7 Refunds and credits", "6 Notice periods", "18 Purchase cards", "13 Taxes")
DOCUMENTS = (
    "04-seats.md",
    "03-renewals.md",
    "07-refunds-and-credits.md",
    "06-notice-periods.md",
    "18-purchase-cards.md",
)
QUERIES = (
    "We gave up 40 of our 120 seats three weeks before the yearly date. What do we get back for the rest of the term?",
    "Our card was charged twice for the October overage. Is the second charge returned by itself, or must we ask?",
    "May a team lead sign off a 4,800 USD laptop order on the purchase card, or is that split into two requests?",
    "We are a public school whose budget starts in July. How late can we say that we leave?",
    "Does the nine percent cap hold when the plan changes at the renewal?",
    "A partner sold us the licence. Who pays the service credit for the outage of 3 November, you or them?",
)
RULES = (
    ("04-seats.md#4 Seats > Downgrades > Credit", "a downgrade during a subscription term gives the customer a credit"),
    (
        "04-seats.md#4 Seats > Downgrades > Notice",
        "must be submitted in writing at least 30 calendar days before the renewal",
    ),
    ("03-renewals.md#3 Renewals > Caps on the uplift", "9 % on Business Annual"),
    ("07-refunds-and-credits.md#7 Refunds > Double charges", "is returned within five business days without a request"),
    ("18-purchase-cards.md#18 Purchase cards > Splitting", "A purchase is not divided to stay below a limit"),
)


@dataclasses.dataclass
class Recipe:
    """What a night is made of."""

    run: int = 1
    messages: int = 60
    rewritten: int = 4
    hit: float = 0.94
    """Chance that a message finds all of its gold."""
    seed: int = 7


def ticket(number: int, style: int, recipe: Recipe) -> TicketNight:
    """One question; which it is depends on its number, how it went on the night's luck."""
    fixed = random.Random(number)
    luck = random.Random(f"{recipe.seed} {number} {style}")
    kind = ("exception", "exception", "plain", "dated", "unanswerable")[number % 5]
    asked = "message" if not style else ("ambiguous rewrite" if (number + style) % 6 == 0 else "rewrite")
    rules = fixed.sample(RULES, 2 if kind == "exception" else 1)
    found = luck.random() < recipe.hit - 0.08 * bool(style)
    lost = {} if found or kind == "unanswerable" else {rules[-1][0]: luck.choices(STAGES, (2, 3, 6, 1, 1))[0]}
    return TicketNight(
        id=f"{kind[:3]}-{100 + number}" + (f"/style-{style}" if style else ""),
        query=fixed.choice(QUERIES),
        asked=asked,
        kind=kind,
        family=f"family-{number // 2}",
        as_of=f"2026-{1 + number % 12:02}-15",
        slices={"chapter": CHAPTERS[number % 6], "document": DOCUMENTS[number % 5]},
        scores={} if kind == "unanswerable" else scores(kind, len(rules), bool(lost)),
        expected=[] if kind == "unanswerable" else [quote for _, quote in rules],
        came=[address for address, _ in RULES if address not in lost],
        ranks=[] if kind == "unanswerable" else [None if address in lost else 1 for address, _ in rules],
        lost=lost,
        confidence=round(luck.uniform(0.3, 0.9), 3),
        milliseconds=round(luck.gammavariate(6, 12), 1),
    )


def scores(kind: str, rules: int, missed: bool) -> dict[str, float]:
    found = {"Recall@5": (rules - missed) / rules, "StaleRate@5": 0.0, "StaleRate@5+links": 0.0}
    found |= {"MRR": 0.5 if missed else 1.0, "Tokens@5+links": 3000.0 + 40 * rules}
    if kind == "exception":
        found |= {"PolicyExceptionRecall@5": float(not missed), "PolicyExceptionRecall@5+links": float(not missed)}
    return found


@functools.cache
def asked(messages: int, rewritten: int, hit: float, seed: int) -> tuple[TicketNight, ...]:
    """All questions of a night; nights of the same luck share them."""
    recipe = Recipe(messages=messages, rewritten=rewritten, hit=hit, seed=seed)
    return tuple(ticket(number, style, recipe) for style in range(1 + rewritten) for number in range(messages))


@functools.cache
def figured(messages: int, rewritten: int, hit: float, seed: int) -> tuple[Figure, ...]:
    """Their figures."""
    return tuple(figures(asked(messages, rewritten, hit, seed)))


def figure(measure: str, over: str, tickets: Sequence[TicketNight]) -> Figure:
    values = [one.scores[measure] for one in tickets if measure in one.scores]
    if not values:
        return Figure(measure=measure, slice=over, mean=None)
    mean = sum(values) / len(values)
    half = 1.96 * (max(mean * (1 - mean), 0.004) / len(values)) ** 0.5 if mean <= 1 else 0.03 * mean
    top = 1.0 if mean <= 1 else mean + half
    return Figure(
        measure=measure, slice=over, mean=mean, low=max(0.0, mean - half), high=min(top, mean + half), n=len(values)
    )


def figures(tickets: Sequence[TicketNight]) -> list[Figure]:
    messages = [one for one in tickets if one.asked == "message"]
    rewrites = [one for one in tickets if one.asked == "rewrite"]
    found = [figure(measure, "all", messages) for measure in MEASURES]
    found += [figure(measure, "rewrites", rewrites) for measure in MEASURES]
    for name, value_of in SLICES.items():
        for value in dict.fromkeys(map(value_of, messages)):
            chosen = [one for one in messages if value_of(one) == value]
            found += [figure(measure, f"{name}: {value}", chosen) for measure in MEASURES]
    return found


SLICES: dict[str, Callable[[TicketNight], str]] = {
    "kind": lambda one: one.kind,
    "chapter": lambda one: one.slices["chapter"],
    "document": lambda one: one.slices["document"],
}


def night(recipe: Recipe) -> Night:
    """A whole night."""
    at = FIRST + datetime.timedelta(days=recipe.run - 1)
    tickets = asked(recipe.messages, recipe.rewritten, recipe.hit, recipe.seed)
    found = list(figured(recipe.messages, recipe.rewritten, recipe.hit, recipe.seed))
    return Night(
        run=recipe.run,
        at=at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        today=at.date().isoformat(),
        suite="data/tickets",
        suite_digest="5f1c",
        split="tune",
        generation=3 + recipe.run // 6,
        configuration="a71e22",
        settings={"retrieve.k": "5", "retrieve.fusion": "rrf", "library onnxruntime": "1.27.0"},
        figures=found,
        tickets=list(tickets),
        gates=gates(found),
        causes=[],
        slowest=slowest(tickets),
        health={
            "sections in force": "1,204",
            "chunks": "3,310",
            "refused files": "none",
            "doctor": "9 of 9 good",
            "room on disk": "118 GB free",
        },
        p95=round(170 + 20 * random.Random(recipe.run).random(), 1),
        holdout_readings=3,
        seconds=214.6,
    )


def gates(found: list[Figure]) -> list[Gate]:
    recall = found[0]
    status = "not measured" if recall.low is None else "passed" if recall.low >= 0.85 else "failed"
    told = "not measured" if recall.mean is None else f"{recall.mean:.3f} [{recall.low:.3f}, {recall.high:.3f}]"
    return [
        Gate(name="recall@5", status=status, found=told, wanted="at least 0.85"),
        Gate(
            name="drop against baseline", status="passed", found="−0.004 [−0.020, +0.011]", wanted="no significant drop"
        ),
        Gate(name="stale text", status="passed", found="0 of 48 questions", wanted="none"),
        Gate(name="lost pins", status="not measured", found="none yet", wanted="none"),
        Gate(name="zero results", status="passed", found="0 of 300 questions", wanted="none"),
    ]


def slowest(tickets: Sequence[TicketNight]) -> list[Slow]:
    ordered = sorted(tickets, key=lambda one: -(one.milliseconds or 0.0))[:5]
    return [
        Slow(
            id=one.id,
            query=one.query,
            milliseconds=one.milliseconds or 0.0,
            stages={"encode": 4.0, "dense": 3.2, "bm25": 1.1, "rerank": (one.milliseconds or 0.0) - 8.3},
        )
        for one in ordered
    ]


def quiet(runs: int = 30) -> list[Night]:
    """Nights on which nothing happens but a little drift."""
    return [night(Recipe(run, hit=0.965, seed=7 + (run > 11) + (run > 19))) for run in range(1, runs + 1)]


def eventful() -> tuple[Night, list[Night]]:
    """A night on which a rule moved and a library was updated, and the 29 before it."""
    before = quiet(29)
    last = night(Recipe(30, hit=0.86, seed=4))
    return last.model_copy(
        update={
            "causes": [
                "The handbook changed: 1 section moved, first 04-seats.md#4 Seats > Downgrades > Notice (to 5).",
                "The library onnxruntime changed from 1.27.0 to 1.28.0.",
            ],
            "generation": 8,
            "handbook": [
                HandbookChange(address=RULES[1][0], change="moved", detail="to 05-downgrades.md#5 Downgrades > Notice"),
                HandbookChange(address="13-taxes.md#13 Taxes > Brazil", change="changed", detail="12 words of 210"),
                HandbookChange(address="03-renewals.md#3 Renewals > Early renewal", change="came into force"),
            ],
            "configured": [SettingChange(name="library onnxruntime", before="1.27.0", after="1.28.0")],
            "pins": [Pinned(id="pin-8841", title="seat downgrade credit table", status="passed")],
        }
    ), before


def unmeasured() -> Night:
    """A night that could not be measured."""
    whole = night(Recipe(30, messages=2, rewritten=0))
    gone = {"suite_digest": "", "generation": 0, "configuration": "", "settings": {}, "figures": [], "tickets": []}
    told = "data/tickets/tickets.jsonl:3: is not JSON"
    gate = Gate(name="run", status="failed", found=told, wanted="a night that can be measured")
    more = {
        "gates": [gate],
        "causes": [f"Nothing could be measured: {told}."],
        "slowest": [],
        "health": {},
        "p95": None,
    }
    return whole.model_copy(update=gone | more)


def hostile() -> Night:
    """A night full of text that would like to be more than text."""
    bad = HOSTILE
    one = TicketNight(
        id=bad,
        query=bad,
        asked="message",
        kind=bad,
        family=bad,
        as_of=bad,
        slices={bad: bad},
        scores={"Recall@5": 0.0, bad: 1.0},
        expected=[bad],
        came=[bad],
        ranks=[None],
        lost={bad: bad},
        broken=None,
    )
    return night(Recipe(2, messages=5, rewritten=0)).model_copy(
        update={
            "suite_digest": bad,
            "settings": {bad: bad},
            "figures": [
                Figure(measure="Recall@5", mean=0.5, low=0.1, high=0.9, n=2),
                Figure(measure=bad, slice=f"kind: {bad}", mean=0.5, low=0.1, high=0.9, n=2),
                Figure(measure="Recall@5", slice=f"kind: {bad}", mean=0.5, low=0.1, high=0.9, n=2),
            ],
            "tickets": [one],
            "gates": [Gate(name=bad, status="failed", found=bad, wanted=bad)],
            "causes": [bad],
            "handbook": [HandbookChange(address=bad, change="changed", detail=bad)],
            "configured": [SettingChange(name=bad, before=bad, after=bad)],
            "slowest": [Slow(id=bad, query=bad, milliseconds=3.0, stages={bad: 3.0})],
            "pins": [Pinned(id=bad, title=bad, status="failed", detail=bad)],
            "health": {bad: bad},
        }
    )


HOSTILE = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}</style></title>]]>&lt;b&gt;"
    "\x1b[31mred\x1b[0m\x00\x07\r\n# head\n| a | b |\u202eright to left\u2066\u200b\ufeff\ufffe "
    "[link](javascript:alert(3)) ![x](https://example.org/x.png) https://example.org www.example.org @team `code` "
    + "w"
    * 5000
)
