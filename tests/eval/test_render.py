import pytest

from eval.paint import Paint
from eval.render import Look, answer, dates, quoted
from retrieve.result import Match, Part, Passage, Result, Via

FORMULA = "credit_usd = (prior_seats - new_seats)"
NOTICE = "at least 30 calendar days prior"
TEXT = f"## 4.2 Downgrades\n\n### 4.2.1 Credit\n\n{FORMULA}\n\n### 4.2.2 Notice\n\n{NOTICE}\n"


def match(chunk: str) -> Match:
    start = TEXT.index(chunk)
    return Match(chunk, start, start + len(chunk))


def part(address: str, number: str, head: str, until: str | None = None) -> Part:
    start = TEXT.index(head)
    following = TEXT.find("### ", start + 4)
    return Part(address, number, start, len(TEXT) if following < 0 else following, "2026-01-01", until)


PASSAGE = Passage(
    rank=1,
    doc_id="04-seats.md",
    section="4.2",
    address="04-seats.md#Seats > Downgrades",
    path=("4 Seats", "4.2 Downgrades"),
    text=TEXT,
    inherits=("Except for Monthly plans:",),
    omitted=("04-seats.md#Seats > Downgrades > Example",),
    also_in=("05.md#Same",),
    effective_from="2026-01-01",
    superseded_at="2026-07-01",
    matches=(match(NOTICE), match(FORMULA)),
    parts=(
        part("04-seats.md#Seats > Downgrades > Credit", "4.2.1", "### 4.2.1"),
        part("04-seats.md#Seats > Downgrades > Notice", "4.2.2", "### 4.2.2", "2026-07-01"),
    ),
)


def result(**changes: object) -> Result:
    values = {
        "query": "seat credit",
        "as_of": "2026-03-15",
        "known_at": None,
        "generation": 7,
        "future": False,
        "reranked": False,
        "confidence": 0.71,
        "low_confidence": False,
        "reason": None,
        "passages": (PASSAGE,),
    }
    return Result(**{**values, **changes})  # type: ignore[arg-type]


def shown(full: bool = False, **changes: object) -> str:
    return answer(result(**changes), Look(Paint(False), full))


EXPECTED = """\
"seat credit"
as of 2026-03-15, generation 7, confidence 0.71

 1 4.2 Downgrades
   in force 2026-01-01 until 2026-07-01, 04-seats.md > 4 Seats
   the same text: 05.md#Same

   ^ Except for Monthly plans:
   4.2.1 Credit, in force since 2026-01-01
   | credit_usd = (prior_seats - new_seats)
   4.2.2 Notice, in force 2026-01-01 until 2026-07-01
   | at least 30 calendar days prior
   Not shown here:
     04-seats.md#Seats > Downgrades > Example

Only the matching parts are shown: --full prints whole sections, --json everything."""


def test_an_answer_shows_the_day_and_each_sections_dates() -> None:
    assert shown() == EXPECTED


def test_a_lead_in_is_shown_once() -> None:
    assert shown(passages=(PASSAGE, PASSAGE)).count("Except for Monthly plans:") == 1


def test_full_shows_every_line_of_the_section() -> None:
    text = shown(full=True)
    assert all(f"   | {line}" in text for line in TEXT.split("\n") if line)
    assert "--full" not in text


def test_an_empty_answer_says_why() -> None:
    assert "Nothing found: nothing was in force on 2018-01-01" in shown(
        passages=(), reason="nothing was in force on 2018-01-01"
    )


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"future": True}, "as of 2026-03-15 (in the future: later editions may change this)"),
        ({"known_at": "2026-01-05T00:00:00Z"}, "known at 2026-01-05T00:00:00Z"),
        ({"low_confidence": True}, "Low confidence: nothing here may answer this question."),
        ({"query_truncated": True}, "The question is longer than the model reads"),
        ({"dropped_for_budget": ("a.md#B",)}, "Left out, over the budget for one answer:\n  a.md#B"),
    ],
    ids=["future", "known-at", "low-confidence", "truncated", "budget"],
)
def test_what_qualifies_an_answer_is_said(changes: dict[str, object], line: str) -> None:
    assert line in shown(**changes)


def test_a_linked_section_names_its_link() -> None:
    via = Via("limits", "09.md#Late", PASSAGE.address, "notwithstanding 4.2")
    linked = Passage(1, "09.md", "9.1", "09.md#Late", ("9.1 Late",), "Late.", via=via)
    assert 'limits: "notwithstanding 4.2" in 09.md#Late' in shown(linked=(linked,))


def test_dates_in_words() -> None:
    assert dates(None, None) == "in force since unknown"
    assert dates("2026-01-01", "2026-07-01") == "in force 2026-01-01 until 2026-07-01"


def test_a_handbook_cannot_write_on_the_screen() -> None:
    assert quoted("a\x1b[2J\n\nb", Paint(False)) == "   | a[2J\n   |\n   | b"
