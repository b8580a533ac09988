"""A run made elsewhere, as a retriever: what a file says came back, with no text, no time and no confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eval.retrievers.answer import Answer, Given
from eval.retrievers.trec import Hit, read_run
from eval.suites.question import Question, Questions
from index.encoding.models import file_digest


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """Answers on record; a question that is not among them is marked as unanswered."""

    name: str
    key: str
    hits: Mapping[str, tuple[Hit, ...]]

    def answer(self, question: Question, k: int) -> Answer:
        """The first k sections on record."""
        if question.id not in self.hits:
            return Answer((), unanswered=True)
        best = self.hits[question.id][:k]
        return Answer(tuple(Given(hit.section, covers=frozenset({hit.section})) for hit in best))


def run_file(file: Path, questions: Questions) -> RecordedRun:
    """The run in a file of TREC's form.

    Raises:
        SourceError: it is missing, empty, not in that form, or names what the suite does not have; with file and line.
    """
    hits = read_run(file, questions)
    return RecordedRun(file.name, file_digest(file), hits)
