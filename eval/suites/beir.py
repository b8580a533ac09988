"""Questions in BEIR's layout: corpus.jsonl, queries.jsonl and qrels/NAME.tsv, each passage a section.

Beyond that layout, a passage's metadata may say `effective_from` and `effective_to` (the first day on which it holds
no more), a query's `as_of`, `family`, `kind` ("unanswerable") and `split` (tune or holdout). Where qrels/ has several
files, test.tsv counts, or the one that is named itself: FOLDER/qrels/NAME.tsv, with queries_NAME.jsonl where there is
one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from eval.split import SIDES
from eval.suites.passage import Passage
from eval.suites.placing import one_of
from eval.suites.question import Feature, Gold, Question
from eval.suites.read import Read
from eval.ticket_files import text_of
from eval.tickets import Kind
from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, Day, parse_day, show_day
from ingest.errors import SourceError

CORPUS: Final = "corpus.jsonl"
QUERIES: Final = "queries.jsonl"
_COLUMNS: Final = ("query-id", "corpus-id", "score")
_HIGHEST: Final = 1_000_000
"""A grade; what lies far above cannot be multiplied as a float."""
_SLICES: Final = ("document", "chapter", "source")
"""Names in a passage's metadata by which its questions are grouped."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages by id, in the order of the file."""

    passages: Mapping[str, Passage]
    metadata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def dated(self) -> bool:
        """Whether a passage says when it is in force."""
        return any((one.valid_from, one.valid_to) != (UNKNOWN_DAY, FOREVER_DAY) for one in self.passages.values())


def is_beir(path: Path) -> bool:
    """Whether `path` is such a folder, or a file in its qrels/."""
    return (_folder(path) / CORPUS).is_file()


def _folder(path: Path) -> Path:
    return path.parent.parent if path.suffix == ".tsv" and path.parent.name == "qrels" else path


def read_corpus(path: Path) -> Corpus:
    """The passages of a folder in BEIR's layout, or of the folder of one of its qrels.

    Raises:
        SourceError: corpus.jsonl is missing, or a line is not a passage, or repeats an id; with file and line.
        DateError: a passage has a date that cannot be read.
    """
    passages: dict[str, Passage] = {}
    metadata: dict[str, Mapping[str, Any]] = {}
    for where, row in _rows(_folder(path) / CORPUS):
        name, text = _id(row, where), _string(row, "text", where)
        if name in passages:
            raise SourceError(f'a second passage "{name}"', where=where, fix="give each its own _id")
        said = _metadata(row, where)
        passages[name] = Passage(name, _string(row, "title", where, ""), text, None, "", *_days(said, where))
        metadata[name] = said
    if not passages:
        raise SourceError("no passages", where=str(_folder(path) / CORPUS))
    return Corpus(passages, metadata)


def read_beir(path: Path) -> Read:
    """Every query with qrels, and those of kind "unanswerable"; other queries are not asked.

    Raises:
        SourceError: a file is missing, or a line breaks the layout or names what is not there; with file and line.
        DateError: a date that cannot be read.
    """
    corpus = read_corpus(path)
    qrels = _qrels_file(path)
    judged = _judged(qrels, corpus)
    questions = tuple(_questions(_queries_file(qrels), qrels, judged, corpus))
    features: set[Feature] = {"dates"} if corpus.dated and any(one.as_of for one in questions) else set()
    said = tuple((one.split, json.dumps(_as_said(one), sort_keys=True)) for one in questions)
    return Read(questions, frozenset(features), (), said, frozenset(corpus.passages))


def _questions(
    file: Path, qrels: Path, judged: dict[str, dict[str, tuple[int, str]]], corpus: Corpus
) -> Iterator[Question]:
    first: dict[str, str] = {}
    for where, row in _rows(file):
        name = _id(row, where)
        if name in first:
            raise SourceError(f'a second query "{name}"', where=where, fix=f"the first is {first[name]}")
        first[name] = where
        said = _metadata(row, where)
        if name in judged or said.get("kind") == Kind.UNANSWERABLE:
            yield _question(name, _string(row, "text", where), said, judged.get(name, {}), corpus, where)
    for name in judged.keys() - first.keys():
        where = next(iter(judged[name].values()))[1]
        raise SourceError(f'no query "{name}"', where=where, allowed=f"the _id values in {file.name}")


def _question(
    name: str,
    query: str,
    said: Mapping[str, Any],
    judged: Mapping[str, tuple[int, str]],
    corpus: Corpus,
    where: str,
) -> Question:
    if not query.strip():
        raise SourceError(f'query "{name}" has no text', where=where)
    kind, split = str(said.get("kind", "question")), _side(said.get("split"), where)
    day = parse_day(str(said["as_of"]), where=where) if "as_of" in said else None
    gold = tuple(Gold(passage, grade) for passage, (grade, _) in judged.items() if grade > 0)
    if bool(gold) == (kind == Kind.UNANSWERABLE):
        fix = 'grade a passage above 0, or give the query kind "unanswerable" in its metadata'
        raise SourceError(f'query "{name}" of kind {kind} has {len(gold)} gold passages', where=where, fix=fix)
    if day is not None:
        _check_day(day, gold, judged, corpus, where)
    return Question(
        name,
        query,
        gold,
        str(said.get("family", name)),
        show_day(day) if day is not None else None,
        kind,
        ticket=name,
        split=split,
        where=where,
        slices=_slices(gold, corpus),
    )


def _check_day(
    day: Day, gold: tuple[Gold, ...], judged: Mapping[str, tuple[int, str]], corpus: Corpus, where: str
) -> None:
    if not any(one.in_force(day) for one in corpus.passages.values()):
        raise SourceError(f"no passage is in force on {show_day(day)}", where=where, fix="change as_of")
    for one in gold:
        passage = corpus.passages[one.id]
        if not passage.in_force(day):
            since, until = (show_day(passage.valid_from) or "ever"), (show_day(passage.valid_to) or "for ever")
            found = f'gold passage "{one.id}" is not in force on {show_day(day)}, the day of its query'
            raise SourceError(found, where=judged[one.id][1], allowed=f"days from {since} until {until}")


def _side(split: object, where: str) -> str | None:
    """A side; None for what public sets call their own parts ("dev", "test"): they are asked whole."""
    if split in SIDES:
        return str(split)
    if str(split).strip().lower() in SIDES:
        raise SourceError(f"split is {json.dumps(split)}", where=where, allowed=", ".join(SIDES))
    return None


def _slices(gold: tuple[Gold, ...], corpus: Corpus) -> dict[str, str]:
    values = {name: {str(corpus.metadata[one.id].get(name, "")) for one in gold} for name in _SLICES}
    return {name: one_of(found) for name, found in values.items() if found and found != {""}}


def _as_said(question: Question) -> list[Any]:
    gold = sorted((one.id, one.grade) for one in question.gold)
    return [question.id, question.query, question.as_of, question.kind, question.family, gold]


def _qrels_file(path: Path) -> Path:
    if path.suffix == ".tsv":
        return path
    found = sorted((path / "qrels").glob("*.tsv"))
    for file in found:
        if file.name == "test.tsv" or len(found) == 1:
            return file
    held = (
        f"{len(found)} files (" + ", ".join(file.name for file in found) + ") and no test.tsv" if found else "no .tsv"
    )
    raise SourceError(f"holds {held}", where=str(path / "qrels"), fix="name one of its files itself")


def _queries_file(qrels: Path) -> Path:
    own = qrels.parent.parent / f"queries_{qrels.stem}.jsonl"
    return own if own.is_file() else qrels.parent.parent / QUERIES


def _judged(file: Path, corpus: Corpus) -> dict[str, dict[str, tuple[int, str]]]:
    """Grade and place by query and passage."""
    found: dict[str, dict[str, tuple[int, str]]] = {}
    for number, line in enumerate(text_of(file).split("\n"), 1):
        cells, where = line.split("\t"), f"{file}:{number}"
        if not line.strip() or (number == 1 and cells[-1].strip() == _COLUMNS[-1]):
            continue
        query, passage, grade = _judgement(cells, where)
        if grade > _HIGHEST:
            raise SourceError(f"a grade of {len(str(grade))} digits", where=where, allowed=f"up to {_HIGHEST:,}")
        if passage not in corpus.passages:
            raise SourceError(f'no passage "{passage}"', where=where, allowed=f"the _id values in {CORPUS}")
        if passage in found.setdefault(query, {}):
            raise SourceError(f'passage "{passage}" is graded twice for query "{query}"', where=where)
        found[query][passage] = grade, where
    return found


def _judgement(cells: list[str], where: str) -> tuple[str, str, int]:
    try:
        query, passage, grade = (cell.strip() for cell in cells)
        return query, passage, int(grade)
    except ValueError:
        allowed = "three cells with tabs between them: " + ", ".join(_COLUMNS) + " (a whole number)"
        raise SourceError(f"{len(cells)} cells, or no grade", where=where, allowed=allowed) from None


def _rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each object of a JSON Lines file with its place."""
    for number, line in enumerate(text_of(file).split("\n"), 1):
        if line.strip():
            where = f"{file}:{number}"
            try:
                row = json.loads(line)
                # Escapes may name halves of surrogate pairs, which no file can hold.
                json.dumps(row, ensure_ascii=False).encode()
            except (ValueError, RecursionError) as error:
                raise SourceError(f"not JSON ({error})", where=where) from None
            if not isinstance(row, dict):
                raise SourceError("not a JSON object", where=where)
            yield where, row


def _id(row: dict[str, Any], where: str) -> str:
    name = row.get("_id")
    if isinstance(name, int):
        return str(name)
    if not isinstance(name, str) or not name.strip():
        raise SourceError(f"_id is {json.dumps(name)}", where=where, allowed="a text that is not empty")
    return name


def _string(row: dict[str, Any], name: str, where: str, default: str | None = None) -> str:
    found = row.get(name, default)
    if not isinstance(found, str):
        raise SourceError(f'"{name}" is {json.dumps(found)}', where=where, allowed="a text")
    return found


def _metadata(row: dict[str, Any], where: str) -> Mapping[str, Any]:
    found = row.get("metadata") or {}
    if not isinstance(found, dict):
        raise SourceError("metadata is no object", where=where)
    return {name: value for name, value in found.items() if value is not None}


def _days(said: Mapping[str, Any], where: str) -> tuple[Day, Day]:
    first = parse_day(str(said["effective_from"]), where=where) if "effective_from" in said else UNKNOWN_DAY
    last = parse_day(str(said["effective_to"]), where=where) if "effective_to" in said else FOREVER_DAY
    if first >= last:
        found = f"effective_from {show_day(first)} is not before effective_to {show_day(last)}"
        raise SourceError(found, where=where, fix="effective_to is the first day on which it holds no more")
    return first, last
