"""Training lists: a query, its right texts, wrong texts that a search would bring; made once, read at every step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from eval.retrievers.firststage import Candidate, Child, FirstStage
from eval.suites.passage import Passage
from eval.training.material import Question, json_lines
from eval.training.swaps import swapped

NEGATIVES: Final = 15
"""Wrong texts kept for each query; a step draws some of them."""
VALIDATION: Final = 0.1
"""Share of the sections that no step ever sees."""
VALIDATED: Final = 40
"""Lists of each kind that a validation looks at: more would take longer than the steps between two."""


@dataclass(frozen=True, slots=True)
class List:
    """One query to learn from."""

    query: str
    positives: tuple[str, ...]
    """Right texts, as a reranker reads them."""
    negatives: tuple[str, ...]
    """Wrong ones, hardest first."""
    swaps: tuple[str, ...]
    """Right texts made wrong by one qualifier."""
    kind: str
    source: str
    group: str
    """The section: all of its questions stand on one side of the split."""


def mined(
    questions: Iterable[Question], passages: Mapping[str, Passage], stage: FirstStage, rng: np.random.Generator
) -> Iterator[List]:
    """Lists for questions about `passages`; the negatives are what the pipeline itself puts on top."""
    own: dict[str, list[int]] = {}
    for row, child in enumerate(stage.children):
        own.setdefault(child.passage, []).append(row)
    for question in questions:
        right = _right(question, passages[question.section], [stage.children[row] for row in own[question.section]])
        found = stage.candidates(question.query, NEGATIVES + 10)
        wrong = list(_wrong(question.section, found, stage.children))[:NEGATIVES]
        swaps = tuple(text for one in right if (text := swapped(question.query, one, rng)))
        yield List(
            question.query,
            right,
            tuple(wrong),
            swaps,
            question.kind,
            question.source,
            f"{question.source}/{question.section}",
        )


def _right(question: Question, passage: Passage, children: Sequence[Child]) -> tuple[str, ...]:
    """The children that hold the deciding clause; all of a section without one, up to three."""
    if question.clause:
        start, end = question.clause
        holding = [child.text for child in children if child.start < end and start < child.end]
        if holding:
            return tuple(holding[:2])
    return tuple(child.text for child in children[:3])


def _wrong(section: str, found: Iterable[Candidate], children: Sequence[Child]) -> Iterator[str]:
    for candidate in found:
        if candidate.passage != section:
            yield children[candidate.children[0]].text


def given(path: Path) -> Iterator[List]:
    """The lists that were made before: one query, one positive, about five negatives each."""
    for number, row in enumerate(json_lines(path)):
        source = str(row["source"])
        yield List(
            str(row["query"]),
            (str(row["positive"]),),
            tuple(map(str, row["negatives"])),
            (),
            "list",
            source,
            f"{source}/{number}",
        )


def write_lists(path: Path, lists: Iterable[List]) -> int:
    """Write JSON Lines; the number written."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for one in lists:
            file.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_lists(path: Path) -> tuple[List, ...]:
    """What `write_lists` wrote."""
    return tuple(_list(row) for row in json_lines(path))


def _list(row: Mapping[str, object]) -> List:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return List(**values)  # type: ignore[arg-type]


def dealt(lists: Sequence[List], rng: np.random.Generator) -> tuple[list[List], list[List]]:
    """(to learn from, to validate on), by section; of the latter up to VALIDATED of each kind."""
    groups = sorted({one.group for one in lists})
    held = {groups[place] for place in rng.permutation(len(groups))[: round(VALIDATION * len(groups))].tolist()}
    unseen: dict[str, list[List]] = {}
    for one in lists:
        if one.group in held:
            unseen.setdefault(one.kind, []).append(one)
    return [one for one in lists if one.group not in held], [
        one for some in unseen.values() for one in some[:VALIDATED]
    ]
