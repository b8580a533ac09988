"""Footnotes and endnotes: labels as shown, in the section that marks them."""

import pytest

from ingest.elements import Kind
from tests.ingest.docx.conftest import HEADINGS, abstract, level, listed, num, p, r, read, tbl, text_of

LINES = (
    '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p/></w:footnote>'
)


def mark(note: int, kind: str = "footnote", more: str = "") -> str:
    return f'<w:r><w:{kind}Reference w:id="{note}"{more}/></w:r>'


def note(number: int, *content: str, kind: str = "footnote") -> str:
    return f'<w:{kind} w:id="{number}">{p(*content)}</w:{kind}>'


def labels(body: str, **others: str) -> list[tuple[str, str]]:
    return [(one.label, one.text) for one in read(body, **others).blocks if one.kind is Kind.FOOTNOTE]


def test_footnotes_are_numbered_in_the_order_of_their_marks() -> None:
    notes = LINES + note(7, r("", "", "footnoteRef"), " Not for resellers.") + note(2, "Net of tax.")
    body = p("Fees", style="H1") + p("Due", mark(2), " now", mark(7), ".") + p("Seats", style="H1") + p("a")
    found = text_of(body, footnotes=notes, styles=HEADINGS)
    assert found == "# Fees\n\nDue[^1] now[^2].\n\n[^1]: Net of tax.\n\n[^2]: Not for resellers.\n\n# Seats\n\na\n"


def test_endnotes_have_roman_labels_beside_footnotes() -> None:
    body = p("a", mark(1), mark(1, "endnote"), mark(2, "endnote"))
    ends = note(1, "End.", kind="endnote") + note(2, "Last.", kind="endnote")
    assert labels(body, footnotes=note(1, "Foot."), endnotes=ends) == [("1", "Foot."), ("i", "End."), ("ii", "Last.")]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ('<w:footnotePr><w:numFmt w:val="lowerLetter"/></w:footnotePr>', ["a", "b"]),
        ('<w:footnotePr><w:numFmt w:val="decimal"/><w:numStart w:val="5"/></w:footnotePr>', ["5", "6"]),
        ('<w:footnotePr><w:numFmt w:val="chicago"/></w:footnotePr>', ["1", "2"]),
    ],
    ids=["letters", "start", "signs"],
)
def test_settings_change_the_labels(settings: str, expected: list[str]) -> None:
    body, notes = p("x", mark(1), mark(2)), note(1, "One.") + note(2, "Two.")
    assert [label for label, _ in labels(body, footnotes=notes, settings=settings)] == expected
    assert [label for label, _ in labels(f"{body}<w:sectPr>{settings}</w:sectPr>", footnotes=notes)] == expected


def test_labels_are_unique() -> None:
    decimal = '<w:endnotePr><w:numFmt w:val="decimal"/></w:endnotePr>'
    body = p("a", mark(1), mark(1, "endnote"))
    found = labels(body, footnotes=note(1, "Foot."), endnotes=note(1, "End.", kind="endnote"), settings=decimal)
    assert [label for label, _ in found] == ["1", "1-endnote"]


def test_a_mark_that_the_author_typed_is_not_counted() -> None:
    custom = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>*</w:t></w:r>'
    notes = note(1, "* Net.") + note(2, "Gross.")
    assert labels(p("a", custom, mark(2)), footnotes=notes) == [("note1", "* Net."), ("1", "Gross.")]


def test_a_note_without_a_mark_is_kept_and_a_mark_without_a_note_is_not() -> None:
    parsed = read(p("a", mark(9)), footnotes=note(1, "Lonely."))
    assert [(one.label, one.text) for one in parsed.blocks] == [("", "a"), ("note1", "Lonely.")]


def test_a_note_whose_mark_was_deleted_is_left_out() -> None:
    body = p("a", f'<w:del w:id="1">{mark(1)}</w:del>', mark(2))
    parsed = read(body, footnotes=note(1, "Gone.") + note(2, "Kept."))
    assert [one.text for one in parsed.blocks] == ["a[^1]", "Kept."]
    assert [(one.where, one.text) for one in parsed.dropped] == [("footnote 1", "Gone.")]


def test_notes_hold_paragraphs_lists_links_tables_and_changes() -> None:
    more = f'<w:ins w:id="1">{r("more")}</w:ins>'
    inside = p("Two:") + listed("one") + tbl(["Role", "Limit"], ["Lead", "5"]) + p(more)
    numbering = abstract(0, level(0, "decimal", "%1.")) + num(1, 0)
    parsed = read(p("a", mark(1)), footnotes=f'<w:footnote w:id="1">{inside}</w:footnote>', numbering=numbering)
    assert parsed.blocks[1].text == "Two:\n1. one\nRole | Limit\nLead | 5\nmore"
    assert "1 insertion" in parsed.remarks[0].message


def test_marks_in_tables_and_headings() -> None:
    body = p("Fees", mark(1), style="H1") + tbl(["Role", "Limit"], ["Lead", p("5", mark(2))])
    found = text_of(body, footnotes=note(1, "One.") + note(2, "Two."), styles=HEADINGS)
    assert found.startswith("# Fees[^1]\n\n| Role | Limit |\n|---|---|\n| Lead | 5[^2] |\n\n[^2]: Two.")
