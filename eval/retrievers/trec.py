"""Qrels and runs in TREC's form, for trec_eval, ir_measures and their kin.

    qrels   QUESTION 0 SECTION GRADE
    run     QUESTION Q0 SECTION RANK SCORE NAME

Ids that hold white space or a percent sign are written percent-encoded, and read back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from eval.retrievers.answer import Answer
from eval.suites.question import Questions
from eval.ticket_files import text_of
from ingest.errors import SourceError

FORM: Final = "QUESTION Q0 SECTION RANK SCORE NAME, white space between"
_AWKWARD: Final = re.compile(r"[\s%]+")


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of a run."""

    section: str
    score: float
    rank: int
    where: str


def qrels_text(questions: Questions) -> str:
    """The gold of every question, identical sections too; unanswerable questions have no line."""
    return "".join(
        f"{encoded(question.id)} 0 {encoded(section)} {gold.grade}\n"
        for question in questions.questions
        for gold in question.gold
        for section in (gold.id, *sorted(gold.twins))
    )


def run_text(name: str, answers: Mapping[str, Answer]) -> str:
    """What came back for each question, best first, without what is linked.

    TREC knows sections, not passages: one that holds several takes as many ranks, its own id first, so that a cut at k
    is a stricter one there. A passage of unknown id holds none (windows, a retriever that knows no sections), and has
    no line.
    """
    tag = _AWKWARD.sub("-", name) or "run"
    return "".join(
        f"{encoded(question)} Q0 {encoded(section)} {rank} {1 / rank:.6f} {tag}\n"
        for question, answer in answers.items()
        for rank, section in enumerate(_sections(answer), 1)
    )


def _sections(answer: Answer) -> Iterator[str]:
    """Ids of the sections that passages hold, each once, where it first comes."""
    held = ((given.id, *sorted(given.covers)) for given in answer.passages)
    return iter(dict.fromkeys(section for sections in held for section in sections if section is not None))


def encoded(name: str) -> str:
    """An id without white space."""
    return _AWKWARD.sub(lambda found: quote(found[0], safe=""), name)


def decoded(name: str, known: Iterable[str] = ()) -> str:
    """The id that was encoded; one that is known as it stands is left alone."""
    return name if name in known else unquote(name)


def read_run(file: Path, questions: Questions) -> dict[str, tuple[Hit, ...]]:
    """Hits by question id, by score and, among equal ones, by rank; ranks alone do not count, as in trec_eval.

    Args:
        file: Lines in TREC's form; empty ones do not count.
        questions: What may stand in it: questions of the suite, those of its other side too, and its sections.

    Raises:
        SourceError: no line, one that is not in that form, an unknown question or section, a section that is there
            twice for one question; with file and line.
    """
    asked = questions.others | {question.id for question in questions.questions}
    found: dict[str, dict[str, Hit]] = {}
    for number, line in enumerate(text_of(file).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{file}:{number}"
        question, hit = _hit(line.split(), where, asked, questions.sections)
        before = found.setdefault(question, {}).setdefault(hit.section, hit)
        if before is not hit:
            raise SourceError(f'"{hit.section}" came back for "{question}" at {before.where} too', where=where)
    if not found:
        raise SourceError("an empty run", where=str(file), allowed=FORM)
    return {name: tuple(sorted(hits.values(), key=lambda hit: (-hit.score, hit.rank))) for name, hits in found.items()}


def _hit(cells: list[str], where: str, asked: Iterable[str], sections: frozenset[str]) -> tuple[str, Hit]:
    if len(cells) != 6:
        raise SourceError(f"{len(cells)} cells", where=where, allowed=FORM, fix="write blanks within an id as %20")
    question, section = decoded(cells[0], asked), decoded(cells[2], sections)
    if question not in asked:
        raise SourceError(f'no question "{question}"', where=where, allowed="the ids of the suite")
    if sections and section not in sections:
        raise SourceError(f'no section "{section}"', where=where, allowed="addresses, or ids of the corpus")
    return question, Hit(section, _number(cells[4], "score", where), int(_number(cells[3], "rank", where)), where)


def _number(cell: str, name: str, where: str) -> float:
    try:
        found = float(cell)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise SourceError(f'the {name} is "{cell}"', where=where, allowed="a number")
    return found
