from eval.paint import Paint
from eval.render_plan import NOTED, changes, remarks
from index.history.changes import ChangeKind, SectionChange
from ingest.dates import FOREVER_DAY, parse_day
from ingest.document import Note

PLAIN = Paint(False)
DAY = parse_day("2026-07-01")


def change(number: str, title: str, **more: object) -> SectionChange:
    values = {
        "kind": ChangeKind.AMENDED,
        "section_id": number,
        "doc_id": "a.md",
        "address": f"a.md#{title}",
        "number": number,
        "valid_from": DAY,
        "valid_to": FOREVER_DAY,
    }
    return SectionChange(**{**values, **more})  # type: ignore[arg-type]


def test_changes_stand_in_the_order_of_a_table_of_contents() -> None:
    (block,) = changes([change("4.10", "Ten"), change("4.2", "Two"), change("4.2.1", "One")], PLAIN)
    assert block.splitlines() == [
        "from 2026-07-01",
        "  amended    4.2 a.md#Two",
        "  amended    4.2.1 a.md#One",
        "  amended    4.10 a.md#Ten",
    ]


def test_what_ends_moves_or_corrects_says_so() -> None:
    later = parse_day("2026-09-01")
    (block,) = changes([change("1", "A", valid_to=later, old_address="b.md#A", corrects_from=DAY)], PLAIN)
    assert block.endswith("1 a.md#A, was b.md#A, until 2026-09-01, corrects the past")


def test_undated_documents_are_in_force_since_unknown() -> None:
    (block,) = changes([change("1", "A", valid_from=0)], PLAIN)
    assert block.startswith("since unknown\n")


def test_many_changes_of_one_kind_are_counted() -> None:
    (block,) = changes([change(str(n), f"S{n}") for n in range(21)], PLAIN)
    assert block == "from 2026-07-01\n  amended    21 sections (--json lists them)"


def test_many_notes_of_one_code_are_counted() -> None:
    notes = [Note("date-differs", f"{n}.md:1", "differs") for n in range(NOTED + 3)]
    (block,) = remarks((), [Note("outside-editions", "README.md", "skipped"), *notes], PLAIN)
    assert block.startswith("Notes:\n  README.md: skipped [outside-editions]\n  0.md:1: differs [date-differs]\n")
    assert block.endswith("\n  3 more [date-differs] (--json or caveat lint lists them)")
