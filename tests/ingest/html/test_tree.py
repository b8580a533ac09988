"""Tags to a tree as a browser builds it, however sloppy; expected trees are Chromium's."""

from collections.abc import Iterator

import pytest

from ingest.errors import SourceError
from ingest.html.names import INLINE
from ingest.html.reader import read_html
from ingest.html.tree import Node, parsed
from ingest.settings import IngestSettings


def shape(node: Node) -> Iterator[str]:
    """ "ul(li(a) li(b))", without elements inside words."""
    for child in node.children:
        if isinstance(child, str):
            yield from child.split()
        elif child.tag in INLINE:
            yield from shape(child)
        else:
            yield f"{child.tag}({' '.join(shape(child))})"


def shown(html: str) -> str:
    return " ".join(shape(parsed(html, IngestSettings(), "x.html").body))


@pytest.mark.parametrize(
    ("html", "tree"),
    [
        ("<p>a<p>b<div>c", "p(a) p(b) div(c)"),
        ("<p>a<section>b</section>c", "p(a) section(b) c"),
        ("<p><b>a<p>b</b>c", "p(a) p(b c)"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "ul(li(a ul(li(b))) li(c)) d"),
        ("<ol><li><p>a<li>b</ol>", "ol(li(p(a)) li(b))"),
        ("<dl><dt>a<dd>b<dd><p>c<dt>d</dl>", "dl(dt(a) dd(b) dd(p(c)) dt(d))"),
        ("<table><tr><td>a<td>b<tr><th>c</table>d", "table(tr(td(a) td(b)) tr(th(c))) d"),
        (
            "<table><thead><tr><th>a<tbody><tr><td><table><tr><td>b</table>c</table>",
            "table(thead(tr(th(a))) tbody(tr(td(table(tr(td(b))) c))))",
        ),
        ("<table><caption>a<tr><td>b</table>", "table(caption(a) tr(td(b)))"),
        ("<h2>a<h3>b</h2>c", "h2(a) h3(b) c"),
        ("<select><option>a<option>b</select>c", "select(option(a) option(b)) c"),
        ("<html><body>a</body></html>b<p>c", "a b p(c)"),
        ("a</div></p>b</ul>", "a b"),
        ("<td>a</div>b", "td(a b)"),
        ("<b><p>a</p></b><a href=x><table><tr><td>b</table></a>", "p(a) table(tr(td(b)))"),
        ("<div/>a", "div(a)"),
        ('<div xmlns="http://www.w3.org/1999/xhtml"/>a<p><![CDATA[x<y]]>', "div() a p(x<y)"),
        ("<svg><title>t</title><path/>u</svg>v", "svg(title(t) path() u) v"),
        ("<textarea><b>a</textarea><xmp><i>b</xmp>", "textarea(<b>a) xmp(<i>b)"),
        ("a<!-->b<!--x-->c<!---->d<![if y]>e<?z?>f", "a b c d e f"),
        ("<p title='a > b' class=c>d", "p(d)"),
        ("5 < 6 <3 &lt;p&gt; &amp;c &notit; &#x80;", "5 < 6 <3 <p> &c ¬it; €"),
    ],
    ids=lambda value: value[:24],
)
def test_end_tags_may_be_left_out(html: str, tree: str) -> None:
    assert shown(html) == tree


def test_lines_are_known_beyond_what_sixteen_bits_hold() -> None:
    body = parsed("<p>a\n" * 70_000, IngestSettings(), "x.html").body
    assert [node.line for node in body.nodes[-2:]] == [69_999, 70_000]


@pytest.mark.parametrize(
    ("html", "settings", "found"),
    [
        ("<ul><li>" * 100_000, {}, "elements nest 200,000 levels deep; the first beyond the limit is <ul> in line 1"),
        ("\n".join(["<div>"] * 12), {"max_nesting": 10}, "nest 12 levels deep; .* <div> in line 11"),
        ("<p>a" * 11, {"max_elements": 10}, "more than 10 paragraphs, items and rows by line 1"),
        ("<b>a</b>" * 101, {"max_elements": 10}, "more than 100 tags by line 1"),
    ],
    ids=["deep list", "where", "paragraphs", "tags"],
)
def test_limits_are_told_with_their_place(html: str, settings: dict[str, int], found: str) -> None:
    with pytest.raises(SourceError, match=found):
        read_html(html.encode(), IngestSettings(**settings), "x.html")


def test_nesting_at_the_limit_is_read() -> None:
    read = read_html(("<div>" * 10 + "deep").encode(), IngestSettings(max_nesting=10), "x.html")
    assert [block.text for block in read.blocks] == ["deep"]
