"""The questions to learn from: what data/training says of them holds."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from eval.ticket_files import load_suite
from eval.tickets import normal
from eval.training.material import Question, overlaps, read_questions, sections_of
from ingest.errors import SourceError

NOW = 2_000_000_000_000_000


@pytest.fixture(scope="module")
def questions(root: Path) -> tuple[Question, ...]:
    return read_questions(root / "data/training/questions.jsonl")


@pytest.fixture(scope="module")
def demo(root: Path) -> dict[str, str]:
    sections = sections_of("demo", root / "none", root / "data/handbook", NOW)
    return {one.id: one.text for one in sections.values()}


def test_a_third_of_each_kind_and_one_of_each_for_a_section(questions: tuple[Question, ...]) -> None:
    assert len(questions) >= 2000
    asked = Counter((question.source, question.section, question.kind) for question in questions)
    assert set(asked.values()) == {1}
    assert len(set(Counter(question.kind for question in questions).values())) == 1


def test_every_rewrite_says_in_which_way_it_is_bad(questions: tuple[Question, ...]) -> None:
    ways = Counter(question.way for question in questions if question.kind == "rewrite")
    assert set(ways) == {"dropped", "keywords", "tablespeak", "general", "synonym", "formal"}
    assert min(ways.values()) > 100


def test_sections_and_clauses_of_the_demo_are_there(questions: tuple[Question, ...], demo: dict[str, str]) -> None:
    for question in (one for one in questions if one.source == "demo"):
        start, end = question.clause or (0, 1)
        assert demo[question.section][start:end].strip()


def test_no_section_that_is_learned_from_holds_a_quote_of_a_ticket(
    questions: tuple[Question, ...], demo: dict[str, str], root: Path
) -> None:
    quotes = {normal(one.quote) for ticket in load_suite(root / "data/tickets").tickets for one in ticket.gold}
    texts = {demo[question.section] for question in questions if question.source == "demo"}
    assert [quote for quote in quotes if any(quote in text for text in texts)] == []


def test_questions_speak_few_words_of_their_sections(questions: tuple[Question, ...], root: Path) -> None:
    own = [question for question in questions if question.source == "demo"]
    sections = {"demo": sections_of("demo", root / "none", root / "data/handbook", NOW)}
    assert all(np.median(shares) < 0.4 for shares in overlaps(own, sections).values())


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"id": "a", "kind": "long"}\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"questions.jsonl:1: no question \(kind: Input should be 'short'"):
        read_questions(path)
