from eval.paint import Paint
from eval.render_plan import LISTED, NOTED, changes, lost, lost_values, remarks
from index.history.changes import ChangeKind, SectionChange
from index.history.plan import LostText
from ingest.dates import FOREVER_DAY, parse_day
from ingest.document import Note
from ingest.loss import Loss, LostLine, Tally

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


def test_thousands_of_notes_are_summed_by_file_and_none_is_forgotten() -> None:
    notes = [Note("hidden-text", f"{n % 7}.pdf, page {n}", "hidden: x") for n in range(7, 1407)]
    (block,) = remarks((), [*notes, Note("lost-line", "a.pdf, page 1", "told of elsewhere")], PLAIN)
    assert block.splitlines() == [
        "Notes:",
        *(f"  {n}.pdf, page {n + 7}: hidden: x (and 199 more in this file) [hidden-text]" for n in range(NOTED)),
        "  400 more in 2 files [hidden-text] (--json or caveat lint lists them)",
    ]


def lossy(file: str, *lines: LostLine) -> LostText:
    size = sum(len(word) for line in lines for word in line.words)
    return LostText(file, Loss((Tally("", 1000, 1000 - size, 0, size),), {}, lines))


def test_lost_text_is_told_by_file_with_its_first_line() -> None:
    one = LostLine("page 3", "Notice of \x1b[31mdowngrades", ("Notice", "of", "downgrades"))
    (block,) = lost([lossy("a.pdf", one, one), lossy("b.docx", LostLine("paragraph 4", "unless", ("unless",)))], PLAIN)
    assert block.splitlines() == [
        "Lost; no section holds this text, so no search will find it:",
        "  a.pdf: 2 lines, 36 letters and digits; the first on page 3: Notice of [31mdowngrades",
        "  b.docx: 1 line, 6 letters and digits; in paragraph 4: unless",
        "  `caveat read FILE` lists every lost line of a file.",
    ]


def test_many_files_with_lost_text_are_counted() -> None:
    found = [lossy(f"{n}.pdf", LostLine("page 1", "a", ("a",))) for n in range(LISTED + 2)]
    (block,) = lost(found, PLAIN)
    assert block.splitlines()[-2] == "  and 2 more files (--json lists them)"
    assert len(lost_values(found)) == LISTED + 2
    assert list(lost([], PLAIN)) == []
