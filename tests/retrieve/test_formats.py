"""The same chapters as Markdown, HTML, Word and PDF: a search over each returns the same sections."""

import shutil
from pathlib import Path

import pytest

from retrieve.retriever import Retriever
from tests.retrieve.conftest import Desk

QUESTIONS = (
    "seat downgrade credit calculation table",
    "may an Enterprise customer give up seats in the middle of a term?",
    "written notice 30 calendar days before the renewal date",
    "who approves a credit memo on a reseller order?",
    "price of the short term of a co-termed order",
    "what may not be bought by card: subscriptions to software",
    "cycle limit in India for a person who travels",
    "grace band of a true-up",
    "a purchase that two colleagues split",
    "evidence pack for goodwill",
)
FORMATS = ("html", "docx", "pdf")


def indexed(folder: Path, chapters: list[Path]) -> Desk:
    desk = Desk(folder / "handbook", folder / "state")
    (desk.root / "2026-07-01").mkdir(parents=True)
    for chapter in chapters:
        shutil.copy(chapter, desk.root / "2026-07-01")
    assert desk.index({}).exit_status == 0
    return desk


@pytest.fixture(scope="module", params=FORMATS)
def pair(request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, Desk]:
    """The chapters as Markdown, and in another format."""
    others = sorted((root / "data" / "formats").glob(f"*.{request.param}"))
    markdown = [root / "data" / "handbook" / "2026-07-01" / f"{other.stem}.md" for other in others]
    folder = tmp_path_factory.mktemp(request.param)
    return indexed(folder / "markdown", markdown), indexed(folder / request.param, others)


def found_by(retriever: Retriever, question: str) -> list[tuple[str, str]]:
    """Chapter and number of every section of an answer and of what is linked from it.

    Sorted, since sections of one score come in the order of their addresses, which hold the ending of the file.
    """
    result = retriever.retrieve(question, as_of="2026-08-01")
    return sorted((Path(one.doc_id).stem, one.section or "") for one in (*result.passages, *result.linked))


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_question_returns_the_same_sections(pair: tuple[Desk, Desk], question: str) -> None:
    markdown, other = pair
    with markdown.open() as expected, other.open() as retriever:
        found = found_by(expected, question)
        assert len(found) > 2
        assert found_by(retriever, question) == found
