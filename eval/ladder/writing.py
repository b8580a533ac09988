"""`--out`: runs and qrels for other tools, and a table with one row for each question and rung."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from eval.ladder.climbing import Climbed
from eval.ladder.evaluation import Evaluation
from eval.pages.cells import harmless_cell
from eval.redaction import Redactor
from eval.retrievers.trec import qrels_text, run_text
from eval.settings import RedactSettings
from eval.suites.question import Question, check_names
from index.state import write_atomically

_HEADS = ("rung", "id", "asked", "kind", "family", "as_of", "query", "expected", "came", "lost", "milliseconds")


def write_out(found: Evaluation, folder: Path, redact: RedactSettings) -> list[Path]:
    """Writes qrels, the run of each rung and questions.csv; the files, in that order. Queries are redacted.

    Raises:
        OSError: the folder cannot be written.
        QueryError: a question's id or family holds what is taken out of queries.
    """
    redactor = Redactor(redact)
    check_names(found.questions.questions, redactor)
    files = {folder / "qrels": qrels_text(found.questions)}
    for one in found.climbed:
        files[folder / f"{_file_name(one.rung.name)}.run"] = run_text(one.rung.name, one.answers)
    files[folder / "questions.csv"] = questions_csv(found, redactor)
    for file, text in files.items():
        write_atomically(file, text)
    return list(files)


def questions_csv(found: Evaluation, redactor: Redactor) -> str:
    """One row for each question and rung; what is not measured is empty, and no cell is a formula."""
    names = list(dict.fromkeys(str(measure) for one in found.climbed for measure in one.rung.measures()))
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow([*_HEADS, *names])
    for one in found.climbed:
        scores = {str(measure): measure.scores(one.questions, one.judged) for measure in one.rung.measures()}
        for question in one.questions:
            given = (scores.get(name, {}).get(question.id) for name in names)
            values = ("" if score is None else f"{score:g}" for score in given)
            rows.writerow([*_cells(one, question, redactor), *values])
    return out.getvalue()


def _cells(one: Climbed, question: Question, redactor: Redactor) -> Iterator[str]:
    answer = one.answers[question.id]
    came = " / ".join(given.id or "a window" for given in (*answer.passages, *answer.linked))
    lost = " / ".join(f"{section}: {stage}" for section, stage in answer.lost.items())
    expected = " / ".join(quote for gold in question.gold for quote in (gold.quotes or (gold.id,)))
    said = (one.rung.name, question.id, question.asked, question.kind, question.family, question.as_of or "")
    yield from map(harmless_cell, (*said, redactor.text(question.query), expected, came, lost))
    yield f"{answer.milliseconds['total']:.1f}" if "total" in answer.milliseconds else ""


def _file_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
