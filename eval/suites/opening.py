"""Opening a suite, whatever its form: a folder of tickets, a folder in BEIR's layout, or a table of subject experts.

    questions = open_questions(Path("data/tickets"), lambda: read_policy(...), split="tune")

All that is wrong with its files is named by file and line before anything is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from eval.pages.pieces import number
from eval.split import SIDES
from eval.suites import beir, table, ticketed
from eval.suites.question import Question, Questions
from eval.suites.read import Broken, PolicyOrLoader, Read, policy_of
from eval.ticket_files import TICKETS
from ingest.errors import QueryError, SourceError

FORMS: Final = (
    "a folder with tickets.jsonl, a folder in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/), a .csv file"
)

_SHOWN: Final = 3
"""Places of a fault that many questions share."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A suite, and what of it cannot be asked."""

    questions: Questions
    """Those whose gold is in place; there may be none."""
    broken: tuple[Broken, ...]


def open_questions(path: Path, policy: PolicyOrLoader = None, split: str | None = None) -> Questions:
    """The questions of a suite, all of them sound.

    Args:
        path: What holds it.
        policy: The handbook that is quoted, or what reads it; not needed for BEIR's layout.
        split: tune or holdout: that side alone.

    Raises:
        SourceError: no suite, an empty one, or a fault in it: gold that is not in force on its day, an answerable
            question without gold, an id that is used twice, a day before the first edition; with file and line.
        DateError: a date that cannot be read, or with two readings.
        QueryError: no such side.
    """
    opened = open_sound(path, policy, split)
    for broken in opened.broken:
        raise broken.faults[0]
    if not opened.questions.questions:
        raise SourceError("no questions", where=str(path), fix="an empty suite measures nothing; add questions")
    return opened.questions


def open_sound(path: Path, policy: PolicyOrLoader = None, split: str | None = None) -> Opened:
    """The same, but questions whose gold is no longer in place are told apart instead of being an error.

    Raises:
        SourceError: no suite, a line of it breaks its form, or some questions have a side and others have none; with
            file and line.
        DateError: a date that cannot be read, or with two readings.
        QueryError: no such side.
    """
    if split is not None and split not in SIDES:
        raise QueryError(f'no side "{split}"', where="--split", allowed=", ".join(SIDES))
    read = _read(path, policy)
    _check_dealt(path, read)
    if split and not any(side == split for side, _ in read.said):
        fix = "caveat tickets split deals tickets to sides; other suites are asked whole"
        raise SourceError(f"no question is on the side {split}", where=str(path), fix=fix)
    name = path.stem if path.suffix else path.resolve().name
    kept = tuple(one for one in read.questions if split in (None, one.split))
    _check_ids(kept)
    said = (text for side, text in read.said if split in (None, side))
    broken = tuple(one for one in read.broken if split in (None, one.split))
    every = {one.id for one in read.questions} | {one.id for one in read.broken}
    others = frozenset(every - {one.id for one in kept})
    return Opened(Questions(name, kept, read.features, _digest(said), others, read.sections), broken)


def default_split(path: Path, policy: PolicyOrLoader = None) -> str | None:
    """The side that is asked unless another is named: tune, or None where no question has a side.

    Raises:
        SourceError, DateError: as `open_sound`.
    """
    sides = {one.split for one in open_sound(path, policy).questions.questions}
    return "tune" if sides - {None} else None


def _read(path: Path, policy: PolicyOrLoader) -> Read:
    if beir.is_beir(path):
        return beir.read_beir(path)
    if (path / TICKETS).is_file():
        return ticketed.read_tickets(path, policy_of(policy, str(path)))
    if path.is_file() and path.suffix.lower() == ".csv":
        return table.read_table(path, policy_of(policy, str(path)))
    raise SourceError("no suite" if path.exists() else "no such file or folder", where=str(path), allowed=FORMS)


def _check_dealt(path: Path, read: Read) -> None:
    """All have a side, or none: what had none beside others would not be asked, and nobody would know."""
    without = [one.where for one in read.questions if one.split is None and one.asked == "message"]
    without += [str(one.faults[0].where) for one in read.broken if one.split is None]
    if without and any(side for side, _ in read.said):
        places = ", ".join(without[:_SHOWN]) + (" and more" if len(without) > _SHOWN else "")
        found = f"{number(len(without), 'question')} without a side, and others with one: {places}"
        fix = "give each a split, or none; caveat tickets split deals tickets to sides"
        raise SourceError(found, where=str(path), allowed=", ".join(SIDES), fix=fix)


def _check_ids(questions: Iterable[Question]) -> None:
    first: dict[str, str] = {}
    for question in questions:
        if question.id in first:
            raise SourceError(f'id "{question.id}" is used at {first[question.id]} too', where=question.where)
        first[question.id] = question.where


def _digest(said: Iterable[str]) -> str:
    digest = blake2b(digest_size=16)
    for text in said:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()
