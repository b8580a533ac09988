"""Judged questions as a pandas frame, one row a question: to be grouped, filtered and compared where one likes.

    table = frame(questions, judged, answers)
    table.groupby("kind")["PolicyExceptionRecall@5+links"].agg(["mean", "count"])
    flips(before, after, "PolicyExceptionRecall@5+links")

A mean over rows counts questions of one family as if they were independent, and has no interval; what is reported
comes from `eval.measures.summary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from eval.measures.definitions import Measure, standard
from eval.measures.judged import Judged
from eval.redaction import Redactor
from eval.retrievers.answer import Answer
from eval.suites.question import Question
from ingest.errors import QueryError

if TYPE_CHECKING:
    from pandas import DataFrame

SLICES: Final = ("document", "chapter", "style")
"""What of a question's slices has a column; empty where a question lacks it."""


def frame(
    questions: Iterable[Question],
    judged: Mapping[str, Judged],
    answers: Mapping[str, Answer],
    measures: Sequence[Measure] | None = None,
    redactor: Redactor | None = None,
) -> DataFrame:
    """One row for each question, by its id; what is not measured is NaN, never 0.

    `expected`, `came`, `linked` and `lost` hold tuples (quotes, ids of passages, stages), to be taken apart with
    `explode`. Queries are redacted, since frames are saved and shown.

    Args:
        questions: In the order of the rows.
        judged: By question id; a question that it lacks scores the default.
        answers: By question id.
        measures: A column each; None: the standard ones at 5.
        redactor: None: one with the default settings.
    """
    import pandas

    chosen = standard() if measures is None else measures
    clean = redactor or Redactor()
    rows = [
        _told(one, clean) | _came(judged.get(one.id), answers.get(one.id)) | _scores(one, judged.get(one.id), chosen)
        for one in questions
    ]
    empty = Question("", "", (), "")
    columns = [*_told(empty, clean), *_came(None, None), *map(str, chosen)]
    table = pandas.DataFrame(rows, columns=columns).set_index("id")
    # Without any value a column would be of objects, which no mean can be taken of.
    numbers = ["confidence", "tokens", "milliseconds", *map(str, chosen)]
    return table.astype(dict.fromkeys(numbers, "float64"))


def flips(before: DataFrame, after: DataFrame, measure: str) -> DataFrame:
    """The questions whose score changed between two frames, worst first, with what each lost afterwards.

    Questions that only one of them scores are left out.

    Raises:
        QueryError: a frame lacks the measure.
    """
    for table in (before, after):
        if measure not in table:
            raise QueryError(f'no column "{measure}" in a frame', fix="frame(..., measures=[...]) makes it")
    both = after.join(before[[measure]].add_suffix(" before"), how="inner")
    change = both[measure] - both[f"{measure} before"]
    told = both.assign(change=change)[["asked", "kind", "family", f"{measure} before", measure, "change", "lost"]]
    return told[change.notna() & (change != 0)].sort_values("change", kind="stable")


def _told(question: Question, redactor: Redactor) -> dict[str, Any]:
    return {
        "id": question.id,
        "ticket": question.ticket,
        "asked": question.asked,
        "kind": question.kind,
        "family": question.family,
        "as_of": question.as_of,
        "split": question.split,
        "sections": len(question.gold),
        **{name: question.slices.get(name) for name in SLICES},
        "query": redactor.text(question.query),
        "expected": tuple(quote for gold in question.gold for quote in (gold.quotes or (gold.id,))),
    }


def _came(judged: Judged | None, answer: Answer | None) -> dict[str, Any]:
    return {
        "came": tuple(given.id or "a text without id" for given in answer.passages) if answer else (),
        "linked": tuple(given.id or "a text without id" for given in answer.linked) if answer else (),
        "lost": tuple(judged.lost.values()) if judged else (),
        "confidence": judged.confidence if judged else None,
        "tokens": sum(judged.tokens) if judged and all(judged.tokens) else None,
        "milliseconds": judged.milliseconds.get("total") if judged else None,
    }


def _scores(question: Question, judged: Judged | None, measures: Sequence[Measure]) -> dict[str, float | None]:
    return {str(measure): measure.score(question, judged) for measure in measures}
