"""The schema of tickets, on load, and the sides that they are dealt to."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from eval.split import deal, dealt
from eval.ticket_files import load_suite, of_split, write_entries
from eval.tickets import Kind, Ticket
from ingest.errors import SourceError
from tests.eval import desk


def made(name: str, family: str, kind: str = "plain") -> Ticket:
    gold = [] if kind == "unanswerable" else [desk.CREDIT]
    return Ticket.model_validate(desk.ticket(name, family=family, kind=kind, gold=gold))


def test_a_suite_is_read_with_its_lines(tmp_path: Path) -> None:
    suite = load_suite(desk.write_suite(tmp_path / "t", [desk.ticket(), desk.ticket("exc-2")], [desk.rewrites()]))
    assert [ticket.id for ticket in suite.tickets] == ["exc-1", "exc-2"]
    assert suite.where(suite.tickets[1]).endswith("tickets.jsonl:2")
    assert [rewrite.ambiguous for rewrite in suite.rewrites["exc-1"].rewrites] == [False, False, True, False]


def test_crossing_sections_is_told_from_the_anchors() -> None:
    one_section = desk.anchor("at least 30 calendar days before", "4.2", "condition")
    rule = desk.anchor("an Enterprise customer gets no credit", "4.2")
    assert Ticket.model_validate(desk.ticket()).crosses_sections
    assert not Ticket.model_validate(desk.ticket(gold=[rule, one_section])).crosses_sections


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"split": "train"}, r"tickets\.jsonl:1: split: "),
        ({"colour": "red"}, r':1: unknown field "colour"'),
        ({"message": "  "}, "message: empty: fill it in"),
        ({"as_of": 1_700_000_000}, "as_of: no day such as 2026-03-15"),
        ({"as_of": "2026-02-30"}, "as_of: "),
        ({"id": "Exc 1"}, "id: "),
        ({"kind": "odd"}, "kind: "),
        ({"gold": [desk.CREDIT]}, "quotes a rule, and a clause with another role"),
        ({"gold": [desk.NO_CREDIT, desk.NO_CREDIT]}, "quotes a rule, and a clause with another role"),
        ({"kind": "unanswerable"}, "gold: 2 quotes in a ticket of kind unanswerable"),
        ({"kind": "plain", "gold": []}, "gold: 0 quotes in a ticket of kind plain"),
        ({"gold": [desk.anchor("no credit", "4.2"), desk.CREDIT]}, r"gold\.0\.quote: a quote of fewer than 3 words"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_breaks_the_schema_is_named_with_its_line(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        load_suite(desk.write_suite(tmp_path / "t", [desk.ticket(**changed)]))


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    entry = desk.ticket()
    del entry["answer"]
    with pytest.raises(SourceError, match=r"tickets\.jsonl:2: answer: Field required"):
        load_suite(desk.write_suite(tmp_path / "t", [desk.ticket("exc-2"), entry]))


@pytest.mark.parametrize(
    ("tickets", "rewritten", "message"),
    [
        ([desk.ticket(), desk.ticket()], [], r'tickets\.jsonl:2: id "exc-1" is also that of line 1'),
        (
            [desk.ticket(), desk.plain("b", "gets a credit for", "4.1", family="exc-1")],
            [],
            ':2: family "exc-1" holds exc',
        ),
        ([desk.ticket()], [desk.rewrites("exc-2")], r'rewrites\.jsonl:1: no ticket "exc-2"'),
        ([desk.ticket()], [desk.rewrites(), desk.rewrites()], r'rewrites\.jsonl:2: ticket "exc-1" has rewrites in'),
        ([desk.ticket(message="Keywords  exc-1")], [desk.rewrites()], "a rewrite that is the message itself"),
    ],
    ids=["id", "family", "unknown", "twice", "message"],
)
def test_what_does_not_fit_together_is_named(
    tmp_path: Path, tickets: list[Any], rewritten: list[Any], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        load_suite(desk.write_suite(tmp_path / "t", tickets, rewritten))


def test_each_style_of_rewrite_comes_once(tmp_path: Path) -> None:
    entry = desk.rewrites()
    entry["rewrites"][0]["style"] = "keywords"
    with pytest.raises(SourceError, match=r"rewrites\.jsonl:1: styles keywords, keywords, .*each of dropped-qualifier"):
        load_suite(desk.write_suite(tmp_path / "t", [desk.ticket()], [entry]))


def test_a_folder_without_tickets_says_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file; fix: caveat tickets init FOLDER"):
        load_suite(tmp_path)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    suite = load_suite(desk.write_suite(tmp_path / "t", [desk.ticket(message="zwei\nZeilen – ü")]))
    before = json.loads((tmp_path / "t" / "tickets.jsonl").read_text(encoding="utf-8"))
    write_entries(tmp_path / "t" / "tickets.jsonl", suite.tickets)
    assert load_suite(tmp_path / "t") == suite
    assert json.loads((tmp_path / "t" / "tickets.jsonl").read_text(encoding="utf-8")) == before


def test_families_stay_together_and_kinds_are_halved() -> None:
    tickets = [made(f"{kind}-{n}", f"{kind}-{n // 3}", kind) for kind in ("plain", "unanswerable") for n in range(60)]
    done = dealt(tickets)
    for kind in (Kind.PLAIN, Kind.UNANSWERABLE):
        of_kind = [ticket for ticket in done if ticket.kind is kind]
        assert len(of_split(of_kind, "tune")) == len(of_split(of_kind, "holdout")) == 30
    assert len({(ticket.family, ticket.split) for ticket in done}) == 40


def test_the_deal_depends_on_the_names_of_families_alone() -> None:
    tickets = [made(f"t-{n}", f"f-{n % 17}") for n in range(50)]
    shuffled = [ticket.model_copy(update={"split": "tune"}) for ticket in tickets]
    random.Random(3).shuffle(shuffled)
    assert deal(shuffled) == deal(tickets)
    assert set(deal(tickets).values()) == {"tune", "holdout"}


def test_odd_kinds_do_not_add_up_on_one_side() -> None:
    done = dealt([made("p", "p"), made("u", "u", "unanswerable")])
    assert sorted(str(ticket.split) for ticket in done) == ["holdout", "tune"]
