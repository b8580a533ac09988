"""Answers held against gold: by section, by quote, and by the day."""

from pathlib import Path

import pytest

from eval.measures.judging import judge, stale_lines, unanswered
from eval.policy import Policy, read_policy
from eval.retrievers.answer import Answer, Given
from eval.suites.question import Gold, Question
from ingest.settings import IngestSettings
from tests.eval import desk

CREDIT = Gold("04-seats.md#Seats > Credits", quotes=("gets a credit for  the unused days",))
NOTICE = Gold(
    "04-seats.md#Seats > Notice",
    grade=2,
    quotes=("an Enterprise customer gets no credit for seats", "at least 30 calendar days before"),
    twins=frozenset({"copy.md#Notice"}),
)
ASKED = Question("q", "?", (CREDIT, NOTICE), "q", as_of="2026-03-15", kind="exception", ticket="q")
RULE = "## 4.1 Credits\n\nA customer gets a credit for the\nunused days of the term."
LIMIT = "But an Enterprise customer gets no credit for seats. Notice: at least 30 calendar days before renewal."


def given(*texts: str, covers: frozenset[str] = frozenset(), tokens: int = 7) -> Given:
    return Given(None, texts, covers, tokens=tokens)


def ids(*names: str) -> Given:
    return given(covers=frozenset(names), tokens=0)


def test_a_quote_is_where_the_first_passage_holds_it_whole() -> None:
    found = judge(ASKED, Answer((given("nothing"), given(LIMIT), given(RULE)), (given(RULE),)))
    assert found.quotes == (3, 2, 2)
    assert found.sections == (3, 2)
    assert (found.relevant, found.passages, found.grades) == ((False, True, True, True), 3, (1, 2))


def test_a_quote_is_not_put_together_from_two_texts() -> None:
    found = judge(ASKED, Answer((given("gets a credit for", "the unused days"),)))
    assert (found.quotes[0], found.sections[0], found.relevant) == (None, None, (False,))


def test_a_lead_in_counts_and_a_section_needs_all_of_its_quotes() -> None:
    halves = given("an Enterprise customer gets no credit for seats"), given("", "at least 30 calendar days before")
    found = judge(ASKED, Answer((*halves, given(LIMIT.partition(".")[0], LIMIT))))
    assert found.quotes[1:] == (1, 2)
    assert found.sections[1] == 3
    assert found.relevant == (True, True, True)


def test_ids_alone_bring_the_section_its_twin_and_what_is_quoted_of_them() -> None:
    found = judge(ASKED, Answer((ids("other.md#X"), ids("copy.md#Notice")), (ids(CREDIT.id),)))
    assert found.sections == (3, 2)
    assert found.quotes == (3, 2, 2)
    assert found.stale == (None, None, None)


def test_a_text_that_lacks_its_quote_is_not_believed_for_its_id() -> None:
    found = judge(ASKED, Answer((given("cut short", covers=frozenset({CREDIT.id})),)))
    assert (found.sections[0], found.quotes[0]) == (1, None)


def test_without_gold_nothing_is_relevant_and_without_an_answer_nothing_came() -> None:
    nothing = Question("none", "?", (), "none")
    assert judge(nothing, Answer((given(RULE),))).relevant == (False,)
    lost = unanswered(ASKED)
    assert (lost.sections, lost.quotes, lost.unanswered) == ((None, None), (None, None, None), True)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    root: Path = tmp_path_factory.mktemp("handbook")
    for name, text in desk.FILES.items():
        file = root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return read_policy(root, IngestSettings(), desk.NOW)


def notice(days: int) -> str:
    return desk.SEATS.format(days=days).partition("## 4.2")[2].partition("## Words")[0]


def stale(text: str, policy: Policy, as_of: str | None = "2026-03-15") -> bool | None:
    asked = Question("q", "?", (), "q", as_of=as_of)
    return judge(asked, Answer((given(text),)), policy).stale[0]


@pytest.mark.parametrize(
    ("as_of", "days", "expected"),
    [
        ("2025-03-15", 15, False),
        ("2025-03-15", 20, True),
        ("2026-03-15", 15, True),
        ("2026-03-15", 20, False),
        ("2026-03-15", 30, True),
    ],
    ids=["then", "too early", "superseded", "now", "corrected since"],
)
def test_a_text_is_stale_where_another_day_has_it(policy: Policy, as_of: str, days: int, expected: bool) -> None:
    assert stale(f"## 4.2{notice(days)}", policy, as_of) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" ".join(notice(20).split()), False),
        (" ".join(notice(15).split()), True),
        (notice(20).replace("Notwithstanding", "**Notwithstanding**"), False),
        (f"Seats and what becomes of them > Notice\n{notice(20)}", False),
        (f"Seats and what becomes of them > Notice\n{notice(15)}", True),
        ("withstanding 4.1, an Enterprise customer gets no credit for sea", False),
        ("Give me my money back or I shall never come again.", None),
        ("is refunded by the reseller alone", False),
        ("A seat", False),
        ("", None),
    ],
    ids=[
        "in one line",
        "in one line, of another day",
        "marked up",
        "with a title of its own",
        "the same, of another day",
        "cut within words",
        "a text of its own making",
        "six words",
        "short",
        "empty",
    ],
)
def test_staleness_is_judged_by_the_words(policy: Policy, text: str, expected: bool | None) -> None:
    assert stale(text, policy) is expected


def test_what_a_retriever_says_of_its_dates_is_not_believed(policy: Policy) -> None:
    said = Given(None, (notice(15),), effective_from="2026-01-01", superseded_at=None)
    asked = Question("q", "?", (), "q", as_of="2026-03-15")
    assert judge(asked, Answer((said,)), policy).stale == (True,)


def test_without_a_day_or_a_policy_staleness_is_not_known(policy: Policy) -> None:
    assert stale(notice(15), policy, None) is None
    assert judge(ASKED, Answer((given(notice(15)),))).stale == (None,)


def test_stale_lines_are_named(policy: Policy) -> None:
    (line,) = stale_lines([f"A title of the retriever's own, above\n{notice(15)}"], ASKED, policy)
    assert line == "arrives at least 15 calendar days before the renewal date"
    assert stale_lines([notice(20)], ASKED, policy) == ()
