"""Tables of subject experts, as they come out of Excel."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from eval.policy import Policy, read_policy
from eval.suites.opening import open_questions, open_sound
from eval.suites.question import Question
from ingest.errors import DateError, SourceError
from ingest.settings import IngestSettings
from tests.eval import desk

Write = Callable[[Mapping[str, str]], Path]
HEAD = "query,as_of,document,section,quote"
CREDIT = "where is the money,2026-03-15,04-seats.md,4.1,gets a credit for the unused days"
LIMIT = "where is the money,2026-03-15,04-seats.md,4.2,an Enterprise customer gets no credit for seats"


@pytest.fixture
def policy(write_files: Write) -> Policy:
    return read_policy(write_files(desk.FILES), IngestSettings(), desk.NOW)


@pytest.fixture
def opened(policy: Policy, tmp_path: Path) -> Callable[..., tuple[Question, ...]]:
    def read(*lines: str, raw: bytes | None = None) -> tuple[Question, ...]:
        file = tmp_path / "gold.csv"
        file.write_bytes(raw or "\n".join(lines).encode())
        return open_questions(file, policy).questions

    return read


Opened = Callable[..., tuple[Question, ...]]


def test_rows_that_ask_the_same_are_one_question(opened: Opened) -> None:
    [question] = opened(HEAD, CREDIT, LIMIT)
    assert question.id == "row-2"
    assert (question.kind, question.as_of, question.family) == ("question", "2026-03-15", "row-2")
    assert [gold.id for gold in question.gold] == ["04-seats.md#Seats > Credits", "04-seats.md#Seats > Notice"]
    assert question.where.endswith("gold.csv:2")


def test_optional_columns(opened: Opened) -> None:
    head = f"id,{HEAD},kind,family,split,role"
    first, second = opened(
        head,
        f"a,{CREDIT},exception,money,tune,rule",
        f"a,{LIMIT},exception,money,tune,exception",
        "b,bitcoin please,2026-03-15,,,,unanswerable,,tune,",
    )
    assert (first.id, first.kind, first.family, first.split) == ("a", "exception", "money", "tune")
    assert [gold.roles for gold in first.gold] == [("rule",), ("exception",)]
    assert (second.id, second.gold, second.kind) == ("b", (), "unanswerable")


@pytest.mark.parametrize(
    "raw",
    [
        f"\ufeff{HEAD}\r\n{CREDIT}\r\n".encode(),
        f"{HEAD}\n{CREDIT}\n".replace(",", ";").encode(),
        f"{HEAD}\n{CREDIT}\n".replace(",", "\t").encode(),
        ("sep=;\n" + f"{HEAD}\n{CREDIT}\n".replace(",", ";")).encode(),
        f"Query,As of,Document,Section,Quote\n{CREDIT}\n\n,,,,\n".encode(),
    ],
    ids=["byte order mark", "semicolons", "tabs", "sep", "words and blank rows"],
)
def test_what_excel_saves_is_read(opened: Opened, raw: bytes) -> None:
    [question] = opened(raw=raw)
    assert question.gold[0].quotes == ("gets a credit for the unused days",)


def test_cells_may_hold_commas_and_line_breaks(opened: Opened) -> None:
    _, second = opened(HEAD, '"one\ntwo, three",' + CREDIT.partition(",")[2], CREDIT)
    assert second.where.endswith("gold.csv:4")


@pytest.mark.parametrize("sign", ["\u2028", "\x0b", "\x0c", "\x85"], ids=["U+2028", "VT", "FF", "NEL"])
def test_only_line_breaks_end_a_row(opened: Opened, sign: str) -> None:
    first, second = opened(HEAD, CREDIT.replace("is the", f"is{sign}the"), CREDIT)
    assert (first.query, second.where[-5:]) == (f"where is{sign}the money", "csv:3")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["query,as_of,document,section"], "gold.csv:1: no column quote; allowed: at least query"),
        ([f"{HEAD},kynd"], 'gold.csv:1: unknown column "kynd"; allowed: .*; fix: did you mean "kind"'),
        ([HEAD.replace("query", "question")], 'unknown column "question"; .*; fix: did you mean "query"'),
        ([HEAD.replace("as_of", "Day")], 'unknown column "day"; .*; fix: did you mean "as_of"'),
        ([HEAD.replace("quote", "answer")], 'unknown column "answer"; .*; fix: did you mean "quote"'),
        ([HEAD, "x" * 131_073 + CREDIT], "gold.csv:2: not a table .*; fix: close .*; a cell holds up to 131,072 char"),
        ([f"{HEAD},split", f"{CREDIT},tune", f"b{CREDIT},"], "1 question without a side, and others with one: .*csv:3"),
        ([f"{HEAD},quote"], 'the column "quote" is there twice'),
        ([HEAD, f"{CREDIT},more"], "gold.csv:2: 6 cells below 5 columns; fix: put a cell that holds a comma"),
        ([HEAD, "where,2026-03-15,,,"], 'gold.csv:2: 0 quotes in a question of kind question; fix: fill in document'),
        ([HEAD, "where,2026-03-15,04-seats.md,,some words here"], "gold.csv:2: no section; fix: fill in document"),
        ([HEAD, CREDIT, "b" + CREDIT, LIMIT], '"where is the money" has rows from .*gold.csv:2 on, and others between'),
        ([f"id,{HEAD}", f"a,{CREDIT}", f"a,b{LIMIT}"], 'gold.csv:3: query is "bwhere is the money", and "where'),
        ([f"{HEAD},kind", f"{CREDIT},easy"], 'gold.csv:2: kind is "easy"; allowed: exception, plain'),
        ([HEAD, CREDIT.replace("4.1", "4.9")], "gold.csv:2: no section 04-seats.md 4.9 in force, on 2026-03-15"),
        ([HEAD, CREDIT, LIMIT.replace("no credit", "credits")], "gold.csv:3: the quote is not in the own text of"),
        ([HEAD, CREDIT.replace("2026", "2020")], "gold.csv:2: nothing is in force on 2020-03-15"),
        ([HEAD, CREDIT.replace("gets a credit for the unused days", "a credit")], "gold.csv:2: a quote of fewer than"),
        ([HEAD, '"' + CREDIT], "gold.csv:2: not a table"),
        ([HEAD], "no questions"),
        ([""], "gold.csv:1: no header; allowed: the columns query, as_of"),
    ],
    ids=[
        "missing", "unknown", "question", "day name", "answer", "long", "half-dealt",
        "column twice", "cells", "no gold", "half", "apart", "differ", "kind", "section",
        "quote", "day", "short", "quotation mark", "empty", "nothing",
    ],
)  # fmt: skip
def test_faults_are_named_by_file_and_line(opened: Opened, lines: list[str], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        opened(*lines)


def test_a_day_with_two_readings_is_refused_with_both(opened: Opened) -> None:
    with pytest.raises(DateError, match=r"gold.csv:2: .* as 2026-03-04 \(month first\) or as 2026-04-03 \(day first\)"):
        opened(HEAD, CREDIT.replace("2026-03-15", "03.04.2026"))


def test_other_encodings_are_refused(opened: Opened) -> None:
    with pytest.raises(SourceError, match=r"gold.csv: not UTF-8 at byte 35; fix: save it as UTF-8"):
        opened(raw=f"{HEAD}\nä".encode("latin-1"))


def test_broken_rows_can_be_told_apart(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "gold.csv"
    file.write_text(f"{HEAD}\n{CREDIT}\nb{CREDIT.replace('4.1', '4.9')}\n", encoding="utf-8")
    opened = open_sound(file, policy)
    assert [one.id for one in opened.questions.questions] == ["row-2"]
    assert [one.id for one in opened.broken] == ["row-3"]
