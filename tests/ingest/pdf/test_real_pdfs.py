"""The reader on real files that are hard to read, where they lie beside the project."""

from functools import cache
from pathlib import Path

import pytest

from ingest.document import Document, Section
from ingest.elements import Kind
from ingest.errors import SourceError
from ingest.handbook.reading import FileReading, FileRequest, read_file

DOCS = Path(__file__).parents[4] / "shared" / "docs"
TERMS, CONTRACT = "bonterms_cloud_terms_1.0.pdf", "contract_maintenance_69p_telkom.pdf"
REGISTER, MANUAL = "federal_register_2020-17221_3col.pdf", "faa_amt_handbook_sample.pdf"
TABLE = "senate_expenditures_1p_table.pdf"

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the shared documents are not beside the project")


@cache
def read(name: str) -> FileReading:
    return read_file(FileRequest(name, name, (DOCS / name).read_bytes(), dated=True))


def numbered(document: Document) -> dict[str, Section]:
    """The first section of each number."""
    return {section.number: section for section in reversed(document.sections) if section.number}


@pytest.mark.parametrize("name", [TERMS, CONTRACT, REGISTER, MANUAL, TABLE])
def test_no_line_is_lost(name: str) -> None:
    loss = read(name).loss
    assert loss.lines == ()
    assert loss.total.kept > 0.9 * loss.total.characters


def test_clauses_of_terms_have_their_numbers_titles_and_texts() -> None:
    sections = numbered(read(TERMS).document)
    assert len(sections) == 77
    assert (sections["22.5"].title, sections["22.5"].page) == ("Order of Precedence", 5)
    assert sections["14.4"].text.startswith("### 14.4 Data Export & Deletion\n\n(a) During a Subscription Term")
    assert [section.title for section in read(TERMS).document.sections[:2]] == [
        "Bonterms Cloud Terms (Version 1.0)",
        "The Agreement",
    ]


def test_deep_clauses_of_a_contract_that_spaces_its_numbers() -> None:
    sections = numbered(read(CONTRACT).document)
    deep = sections["2.3.8.2.1"]
    assert "is, or becomes, publicly available through no act or failure of the other party; or" in deep.text
    assert deep.path == ("2 INTERPRETATION AND DEFINITIONS", "2.3", "2.3.8", "2.3.8.2", "2.3.8.2.1")
    assert {f"{chapter}" for chapter in range(1, 25)} <= set(sections)
    assert sections["15"].title == "DOMICILIA AND NOTICES"


def test_three_columns_are_read_in_order_with_their_footnotes() -> None:
    document = read(REGISTER).document
    text = " ".join(document.text.split())
    assert "installing new MAX display system (MDS) software, changing the horizontal stabilizer trim wire" in text
    assert "Lion Air Flight 610 accident on October 29, 2018, data from the flight data recorder" in text
    notes = [one for section in document.sections for one in section.elements if one.kind is Kind.FOOTNOTE]
    assert len({document.text[one.start : one.start + 40] for one in notes}) >= 14
    assert {"Background", "Proposed AD Requirements", "Regulatory Findings"} <= {one.title for one in document.sections}


def test_what_nobody_sees_in_the_register_is_remarked() -> None:
    codes = {note.code for note in read(REGISTER).document.notes}
    assert {"hidden-text", "image-page"} <= codes
    assert "VerDate" not in read(REGISTER).document.text


def test_two_columns_with_figures_keep_their_sections_and_captions() -> None:
    document = read(MANUAL).document
    assert [section.title for section in document.sections if section.title] == [
        "Boots Self-Locking Nut", "Stainless Steel Self-Locking Nut", "Elastic Stop Nut",
    ]  # fmt: skip
    assert "The wing type that is the most common ranges in size for No. 6 up to 1⁄4 inch" in document.text
    assert "**Figure 7-26.** Self-locking nuts." in document.text


def test_a_scan_is_refused_with_its_pages() -> None:
    with pytest.raises(SourceError, match=r"^scanned_no_text_4p\.pdf: pages 1-4 are images without text"):
        read("scanned_no_text_4p.pdf")
