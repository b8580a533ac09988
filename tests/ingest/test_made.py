"""What a reader makes of its own (numbers, repeated cells) makes up for no word of the file that was lost."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ingest.blocks import Block, Parsed, SourceLine
from ingest.elements import Kind
from ingest.html.reader import read_html
from ingest.loss import kept_texts, measure
from ingest.sections import build_document
from ingest.settings import IngestSettings
from ingest.writing import write
from tests.ingest.docx.conftest import HEADINGS, abstract, level, listed, num, p, read, tbl, tc, tr

NUMBERS = abstract(0, level(0, "decimal", "%1.")) + num(1, 0)
SPAN = tr(tc("Approval", '<w:vMerge w:val="restart"/>'), "EU") + tr(tc("", "<w:vMerge/>"), "UK")
NOTE = f'<w:footnote w:id="1">{p("Less tax.")}</w:footnote>'
MARK = '<w:r><w:footnoteReference w:id="1"/></w:r>'


def word(body: str) -> Parsed:
    return read(body, styles=HEADINGS, numbering=NUMBERS, footnotes=NOTE)


def page(html: str) -> Parsed:
    return read_html(html.encode(), IngestSettings(), "a.html")


def lost(parsed: Parsed, line: str) -> list[tuple[str, ...]]:
    """The words that are reported of a line that the file has besides, and that no block holds."""
    document = build_document("a", "A", *write(parsed.blocks))
    source = (*parsed.source, SourceLine("line 99", line))
    return [one.words for one in measure(source, kept_texts(document, rendered=True), parsed.dropped).lines]


@pytest.mark.parametrize(
    ("reader", "file", "line"),
    [
        (word, listed("Ask us.") + listed("Pay us."), "2"),
        (word, tbl([listed("Ask us.") + listed("Pay us.")], ["End"]), "2"),
        (word, listed("Fees", style="H1") + p("a"), "1"),
        (word, f"<w:tbl>{SPAN}</w:tbl>", "Approval"),
        (word, p("Fees", MARK), "1"),
        (page, "<ol><li>Ask us.<li>Pay us.</ol>", "2"),
        (page, "<ol><li><h2>Ask us</h2>a<li><h2>Pay us</h2>b</ol>", "2"),
        (page, "<table><tr><th>a<th>b<tr><td><ol><li>Ask<li>Pay</ol><td>c</table>", "2"),
        (page, "<table><tr><th>a<th>b<tr><td rowspan=2>Approval<td>c<tr><td>d</table>", "Approval"),
        (page, "<style>h2{counter-increment:n} h2::before{content:counter(n)}</style><h2>Fees</h2><p>a", "1"),
    ],
    ids=[f"DOCX {one}" for one in ("list", "list in a cell", "heading", "span", "note")]
    + [f"HTML {one}" for one in ("list", "list of headings", "list in a cell", "span", "counter")],
)
def test_what_is_made_hides_no_loss(reader: Callable[[str], Parsed], file: str, line: str) -> None:
    parsed = reader(file)
    unmade = replace(parsed, blocks=tuple(replace(one, made=()) for one in parsed.blocks))
    assert lost(unmade, line) == []
    assert lost(parsed, line) == [(line,)]


def test_what_is_made_is_left_out_once_and_in_order() -> None:
    block = Block(Kind.PARAGRAPH, "4 Seats 4 of 14 \\*4\\* Seats", made=("4", "Seats", "9", "4"))
    document = build_document("a", "A", *write([block]))
    assert [one.split() for one in kept_texts(document, rendered=True)] == [["of", "14", "4", "Seats"]]


def test_the_mark_of_a_note_is_not_the_number_of_a_caption() -> None:
    caption = Block(Kind.PARAGRAPH, "Table 1 - Approval limits for memos")
    table = Block(Kind.TABLE, cells=(("Role", "500 USD [^1]"), ("Team 1", "1")), made=("[^1]",))
    document = build_document("a", "A", *write([caption, table]))
    assert kept_texts(document, rendered=True) == ["Table 1 Approval limits for memos Role 500 USD Team 1 1"]
