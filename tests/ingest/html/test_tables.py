"""Tables: rows and columns as a browser lays them out, and tables that are none."""

import pytest

from ingest.errors import SourceError
from ingest.html.reader import read_html
from ingest.settings import IngestSettings

ROWS = "<tr><td>a<td>b<tr><td>c<td>d"


def rows(page, html: str) -> tuple[list[str], int]:
    (table,) = page(f"<table>{html}</table>").blocks
    return ["|".join(row) for row in table.cells], table.header_rows


@pytest.mark.parametrize(
    ("html", "expected", "header_rows"),
    [
        (ROWS, ["a|b", "c|d"], 1),
        ("<tr><td><td>b<tr><td>c<td>d", ["|b", "c|d"], 1),
        ("<tr><td>a<td>5 days<tr><td>c<td>6 days", ["a|5 days", "c|6 days"], 1),
        ("<tr><td>a<td>5,000 USD<tr><td>c<td>d", ["a|5,000 USD", "c|d"], 0),
        ("<tr><td>a<td>It is so.<tr><td>c<td>d", ["a|It is so.", "c|d"], 0),
        ("<tr><td>a:<td>b<tr><td>c:<td>d", ["a:|b", "c:|d"], 0),
        ("<tr><td><b>a</b><td>b<tr><td><b>c</b><td>d", ["**a**|b", "**c**|d"], 0),
        (f"<tr><th>x<th>y{ROWS}", ["x|y", "a|b", "c|d"], 1),
        (f"<thead><tr><td>x<td>y<tr><td>z<td></thead>{ROWS}", ["x|y", "z|", "a|b", "c|d"], 2),
        (f"<tr><td><b>x</b><td><b>y</b>{ROWS}", ["x|y", "a|b", "c|d"], 1),
        ("<tr><th>x<td>a<tr><th>y<td>b", ["x|a", "y|b"], 0),
        ("<tr><th>x<th>y<tr><th>z<th>w", ["x|y", "z|w"], 1),
        (f"<tfoot><tr><td>e<td>f</tfoot><tbody>{ROWS}", ["a|b", "c|d", "e|f"], 1),
        ("<tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e", ["a|b", "a|c", "d|e"], 0),
        ("<tr><td rowspan=0>a<td>b<tr><td>c", ["a|b", "a|c"], 0),
        ("<tbody><tr><td rowspan=9>a<td>b</tbody><tbody><tr><td>c<td>d", ["a|b", "c|d"], 0),
        ("<tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e", ["a||b", "c|d|e"], 1),
        ("<tr><td colspan=3>a<td>b<tr><td colspan=3>c<td>d", ["a|b", "c|d"], 1),
        ("<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d<td>e<td>f", ["a||b", "a||c", "d|e|f"], 0),
        ("<tr><td>a<td>b<td>c<tr><td>d", ["a|b|c", "d||"], 1),
        ("<tr><td>a<td>b<tr><td><td>&nbsp;<tr><td>c<td>d", ["a|b", "c|d"], 1),
        ("<tr><td>a<form><td>b</form><tr><td>c<td>d", ["a|b", "c|d"], 1),
        ("<td>a<td>b<tr><td>c<td>d", ["a|b", "c|d"], 1),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_rows_and_columns(page, html: str, expected: list[str], header_rows: int) -> None:
    assert rows(page, html) == (expected, header_rows)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("<p>x</p><p>y</p>", "x\ny"),
        ("x<br>y", "x\ny"),
        ("<ol type=a><li>x<li>y<ul><li>z</ul></ol>", "a. x\nb. y\n• z"),
        ("w<table><tr><td>x<td>y<tr><td>z</table>", "w\nx; y\nz"),
        ("<b>x</b> <a href=y.html>z</a>", "**x** [z](y.html)"),
        ("<pre>x\n  y</pre>", "x\ny"),
        ("<dl><dt>x<dd>y</dl>", "x\n: y"),
        ("<h4>x</h4>y", "x\ny"),
    ],
    ids=["paragraphs", "break", "lists", "table", "words", "code", "definitions", "heading"],
)
def test_what_cells_hold(page, cell: str, text: str) -> None:
    (table,) = page(f"<table border=1><tr><th>h<th>i<tr><td>{cell}<td>b</table>").blocks
    assert table.cells[1] == (text, "b")


def test_captions(markdown) -> None:
    table = f"<table><caption><b>Table 4.1</b> Plans</caption>{ROWS}</table>"
    assert markdown(table).startswith("**Table 4.1** Plans\n\n| a | b |")
    figure = f"<figure><table>{ROWS}</table><figcaption>Plans</figcaption></figure>"
    assert markdown(figure).startswith("Plans\n\n| a | b |")


def test_text_between_rows_goes_before_the_table(markdown) -> None:
    assert markdown("<table>x<tr><td>a<td>b</tr>y</table>") == "x\n\ny\n\n| a | b |"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<table role=presentation>{ROWS}</table>", "a\n\nb\n\nc\n\nd"),
        ("<table><tr><td>a<tr><td><ul><li>b</ul></table>", "a\n\n- b"),
        ("<table><tr><td><h2>4 Fees</h2>a<td>b</table>", "## 4 Fees\n\na\n\nb"),
        ("<table><tr><td><ul><li>a</ul><td><p>b<p>c</table>", "- a\n\nb\n\nc"),
        ("<table><tr><td><table><tr><td><h2>Fees</h2></table><td>b</table>", "## Fees\n\nb"),
        ("<table><tr><td>(a)<td>one<tr><td>(b)<td>two<br>lines</table>", "(a) one\n\n(b) two\nlines"),
        ("<table><tr><td>•<td>one<td></td><tr><td>•<td>two</table>", "- one\n- two"),
        (f"<table><tr><td>x<table>{ROWS}</table><td>y</table>", "x\n\n| a | b |\n|---|---|\n| c | d |\n\ny"),
    ],
    ids=["role", "one column", "headings", "one row of blocks", "inner headings", "clauses", "bullets", "inner table"],
)
def test_tables_for_layout_are_read_as_blocks(markdown, html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.parametrize(
    "html",
    [
        "<tr><td>a<td><ul><li>b<li>c</ul><tr><td>d<td>e",
        "<tr><th>a<td><h3>b</h3><tr><th>c<td>d",
        "<caption>x</caption><tr><td>a<td><p>b<p>c",
    ],
    ids=["lists", "header cells", "caption"],
)
def test_tables_with_rich_cells_stay_tables(page, html: str) -> None:
    (table,) = page(f"<table>{html}</table>").blocks
    assert len(table.cells[0]) == 2


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<tr><td>a<td rowspan=65534 colspan=1000>b" * 300, r"x.html:1: a table of more than 20,000 cells"),
        ("<tr>" + "<td>a" * 300 + "<tr><td>b" * 300, r"a table of 301 rows and 300 columns"),
        ("<tr><td rowspan=0>" + "word " * 50_000 + "<td>a" + "<tr><td>b" * 100, "spans repeat more than 20,000,000"),
    ],
    ids=["spans", "wide", "repeated text"],
)
def test_spans_cannot_blow_up_a_table(html: str, found: str) -> None:
    with pytest.raises(SourceError, match=found):
        read_html(f"<table>{html}</table>".encode(), IngestSettings(max_elements=2_000), "x.html")
