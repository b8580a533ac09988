"""Questions and judged answers made by hand or drawn."""

from typing import Any

import numpy as np

from eval.measures.judged import Judged, Ranks
from eval.suites.question import Gold, Question


def question(name: str = "q", gold: int = 1, **changed: Any) -> Question:
    sections = tuple(Gold(f"{name}-{at}", quotes=(f"quote {at} of {name}",)) for at in range(gold))
    fields: dict[str, Any] = {"id": name, "query": name, "gold": sections, "family": name, "ticket": name}
    return Question(**(fields | {"kind": "exception"} | changed))


def judged(name: str = "q", sections: Ranks = (1,), passages: int = 5, linked: int = 0, **changed: Any) -> Judged:
    given = passages + linked
    fields: dict[str, Any] = {
        "question": name,
        "sections": sections,
        "quotes": sections,
        "grades": (1,) * len(sections),
        "relevant": tuple(rank in sections for rank in range(1, given + 1)),
        "stale": (False,) * given,
        "tokens": (100,) * given,
        "passages": passages,
    }
    return Judged(**(fields | changed))


def drawn(count: int, hits: int, rng: np.random.Generator) -> tuple[list[Question], dict[str, Judged]]:
    """Questions with two gold sections each, and answers of `hits` passages."""
    questions = [question(f"q{at}", gold=2) for at in range(count)]
    ranks = rng.integers(1, 2 * hits, size=(count, 2)).tolist()
    found = {
        one.id: judged(one.id, tuple(rank if rank <= hits else None for rank in pair), hits)
        for one, pair in zip(questions, ranks, strict=True)
    }
    return questions, found
