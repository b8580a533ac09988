from textwrap import dedent

import pytest

from ingest.elements import Kind
from ingest.markdown.htmlblocks import written
from ingest.markdown.reader import read_markdown


def items(markdown: str) -> list[tuple[str | None, int]]:
    return [(one.ordinal, one.level) for one in read_markdown(dedent(markdown)) if one.kind is Kind.ITEM]


def test_html_lists_count_as_a_browser_shows_them() -> None:
    markdown = """
        <ol style="list-style-type:lower-alpha">
          <li>One:
            <ol style="list-style-type:lower-roman"><li>first</li><li>second</li></ol>
            and so on</li>

          <li>Two</li>
        </ol>
        """
    assert items(markdown) == [("a", 1), ("a.i", 2), ("a.ii", 2), ("b", 1)]


def test_start_value_and_bullets_are_respected() -> None:
    assert items('<ol start="3"><li>a</li><li value="7">b</li></ol>') == [("3", 1), ("7", 1)]
    assert items("<ul><li>a</li></ul>") == [(None, 1)]


def test_html_headings_are_headings() -> None:
    (heading,) = read_markdown('<p id="appendixA"><h1>Appendix A</h1></p>')
    assert (heading.kind, heading.level) == (Kind.HEADING, 1)


def test_an_html_table_keeps_header_and_rows_across_blank_lines() -> None:
    text = "<table><caption>Fees</caption><tr><th>Plan</th></tr>\n\n<tr><td>A</td></tr>\n<tr><td>B</td></tr></table>"
    (table,) = read_markdown(text)
    assert text[slice(*table.header)].startswith("<table><caption>Fees")
    assert len(table.rows) == 2


def test_text_around_tags_is_kept() -> None:
    text = "<div>\nBefore <ul><li>one</li></ul> after\n</div>"
    assert [one.kind for one in read_markdown(text)] == [Kind.HTML, Kind.ITEM, Kind.HTML]


def test_a_commented_out_list_is_no_list() -> None:
    assert read_markdown("<!-- <ol><li>a</li></ol> -->\n") == []


@pytest.mark.parametrize(
    ("style", "count", "expected"),
    [
        ("a", 1, "a"),
        ("a", 28, "ab"),
        ("A", 3, "C"),
        ("i", 4, "iv"),
        ("I", 1990, "MCMXC"),
        ("1", 12, "12"),
        ("i", 0, "0"),
    ],
)
def test_written_ordinals(style: str, count: int, expected: str) -> None:
    assert written(style, count) == expected
