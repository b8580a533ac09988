"""Answers that are kept: what makes another answer, what is never written, and a damaged file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from eval.retrievers.answer import Answer, Given
from eval.retrievers.kept import AnswerStore, Kept, answers_file
from eval.suites.question import Gold, Question
from ingest.errors import StateDamaged

QUESTION = Question("q-1", "may I have a secret refund", (Gold("a#A"),), "q-1", "2026-03-15")
PASSAGE = Given("a#A", ("text", "lead-in"), frozenset({"a#A", "b#B"}), "2026-01-01", None, 7)
ANSWER = Answer((PASSAGE,), (replace(PASSAGE, id="c#C"),), 0.5, False, {"total": 1.5}, {"d#D": "beyond k"})


class Counting:
    name = "counting"
    key = "key"

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, question: Question, k: int) -> Answer:
        self.asked += 1
        return ANSWER


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    with AnswerStore(answers_file(tmp_path)) as opened:
        yield opened


def test_an_answer_comes_back_as_it_was_also_from_another_process(tmp_path: Path) -> None:
    contender = Counting()
    for _ in range(2):
        with AnswerStore(tmp_path / "answers.sqlite") as store:
            assert Kept(contender, store, "2026-11-30").answer(QUESTION, 5) == ANSWER
    assert contender.asked == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"query": "another"},
        {"as_of": "2026-03-16"},
        {"as_of": None},
        {"gold": (Gold("a#A", twins=frozenset({"z#Z"})),)},
    ],
    ids=["query", "day", "today", "gold"],
)
def test_what_an_answer_depends_on_makes_another(store: AnswerStore, changed: dict[str, object]) -> None:
    contender = Counting()
    kept = Kept(contender, store, "2026-11-30")
    kept.answer(QUESTION, 5)
    kept.answer(replace(QUESTION, **changed), 5)
    assert contender.asked == 2


def test_k_the_contender_and_the_day_it_is_make_another(store: AnswerStore) -> None:
    undated, contender, other = replace(QUESTION, as_of=None), Counting(), Counting()
    other.key = "other"
    Kept(contender, store, "2026-11-30").answer(undated, 5)
    Kept(contender, store, "2026-11-30").answer(undated, 6)
    Kept(contender, store, "2026-12-01").answer(undated, 5)
    Kept(other, store, "2026-11-30").answer(undated, 5)
    assert (contender.asked, other.asked) == (3, 1)


def test_it_says_which_questions_were_really_asked(store: AnswerStore) -> None:
    first, second = (Kept(Counting(), store, "2026-11-30") for _ in range(2))
    first.answer(QUESTION, 5)
    second.answer(QUESTION, 5)
    assert (first.fresh, second.fresh) == ({"q-1"}, set())


def test_no_query_is_written(tmp_path: Path) -> None:
    with AnswerStore(tmp_path / "answers.sqlite") as store:
        Kept(Counting(), store, "2026-11-30").answer(QUESTION, 5)
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"lead-in" in held
    assert b"secret" not in held


def test_a_file_that_is_something_else_is_named(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_text("no database, but longer than the header of one would be" * 20)
    with pytest.raises(StateDamaged, match=r"answers\.sqlite: holds no answers .*fix: delete it"):
        AnswerStore(tmp_path / "answers.sqlite")
