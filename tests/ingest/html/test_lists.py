"""Lists: the marks that a browser shows, and what lies in which item."""

import pytest


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ol start=3><li>a<li>b</ol>", [("3", 1), ("4", 1)]),
        ("<ol><li>a<li value=7>b<li>c</ol>", [("1", 1), ("7", 1), ("8", 1)]),
        ("<ol reversed><li>a<li>b</ol>", [("2", 1), ("1", 1)]),
        ("<ol reversed start=9><li>a<li>b</ol>", [("9", 1), ("8", 1)]),
        ("<ol type=a><li>a<ol type=i><li>b<li>c</ol></ol>", [("a", 1), ("a.i", 2), ("a.ii", 2)]),
        ("<ol type=A><li>a<li type=I>b</ol>", [("A", 1), ("II", 1)]),
        ('<ol style="list-style-type:lower-roman"><li>a<ol><li>b</ol></ol>', [("i", 1), ("i.1", 2)]),
        ('<ol style="list-style:upper-latin inside"><li>a</ol>', [("A", 1)]),
        ('<ol type=a style="list-style-type:decimal-leading-zero"><li>a</ol>', [("01", 1)]),
        ("<style>ol.x{list-style-type:upper-alpha}</style><ol class=x><li>a</ol>", [("A", 1)]),
        ("<ul><li>a<ol><li>b</ol><li>c</ul>", [(None, 1), ("1", 2), (None, 1)]),
        ("<ul><li>a</li><ul><li>b</li></ul></ul><menu><li>c</menu>", [(None, 1), (None, 2), (None, 1)]),
        ('<ol type=disc><li>a</ol><ul style="list-style-type:decimal"><li>b</ul>', [(None, 1), ("1", 1)]),
        ("<ul><li>(a) one<li>(b) two</ul>", [("(a)", 1), ("(b)", 1)]),
        ('<ol style="list-style:none"><li>(a) one<li>(b) two</ol>', [("(a)", 1), ("(b)", 1)]),
        ("<ol><li><b>(a)</b><p>one</p><li><b>(b)</b><p>two</ol>", [("(a)", 1), ("(b)", 1)]),
        ("<p>(a) one</p><p>(b) two</p>", [("(a)", 1), ("(b)", 1)]),
        ("<div><div>(a)</div><div>one</div></div><div><div>(b)</div><div>two</div></div>", [("(a)", 1), ("(b)", 1)]),
        ("<p>It is:<br>(i) one<br>(ii) two</p>", [("(i)", 1), ("(ii)", 1)]),
        ("<ol><li><ol type=a><li>b</ol></ol>", [("1", 1), ("1.a", 2)]),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_ordinals(items, html: str, expected: list[tuple[str | None, int]]) -> None:
    assert items(html) == expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (
            'li::before{content:"(" counter(c,lower-alpha) ") ";counter-increment:c}',
            [("(a)", 1), ("(b)", 1), ("(c)", 1)],
        ),
        ('li:before{content:counters(c,".") " ";counter-increment:c}', [("1", 1), ("1.1", 2), ("2", 1)]),
        ('ol > li:before{counter-increment:c 2;content:"§" counter(c)}', [("2", 1), ("4", 1), ("6", 1)]),
        ('ul li:before{counter-increment:c;content:counter(c) "."}', []),
    ],
    ids=["brackets", "legal", "steps", "other selector"],
)
def test_counters_in_styles_are_marks(items, style: str, expected: list[tuple[str, int]]) -> None:
    reset = "" if "counters" not in style else "ol{counter-reset:c} "
    nested = "<ol><li>a<ol><li>b</ol><li>c</ol>" if reset else "<ol><li>a<li>b<li>c</ol>"
    found = items(f"<style>ol{{list-style:none}} {reset}{style}</style>{nested}")
    assert found == expected


def test_counters_number_headings(markdown) -> None:
    style = 'h2{counter-reset:s} h2:before{counter-increment:c;content:counter(c) ". "}'
    style += 'h3:before{counter-increment:s;content:counter(c) "." counter(s) " "}'
    html = f"<style>{style}</style><h2>Seats</h2><h3>Fees</h3><h3>Terms</h3><h2>Notice</h2><h3>Days</h3>"
    assert markdown(html).split("\n\n") == [
        "## 1. Seats",
        "### 1.1 Fees",
        "### 1.2 Terms",
        "## 2. Notice",
        "### 2.1 Days",
    ]


def test_an_item_of_several_paragraphs(markdown) -> None:
    html = "<ol><li><p>One.</p><p>More.</p><ul><li>a</ul><p>Last.</p><li>Two<br>lines</ol>after"
    assert markdown(html) == "1. One.\n\n   More.\n\n   - a\n\n   Last.\n\n2. Two\n   lines\n\nafter"


def test_a_list_of_headings_is_an_outline(markdown) -> None:
    html = "<ol><li><h2>Seats</h2><p>a</p><ol type=a><li>b</ol><li><h2>Fees</h2>c</ol>"
    assert markdown(html) == "## 1. Seats\n\na\n\na. b\n\n## 2. Fees\n\nc"


def test_tables_and_code_in_items_keep_their_depth(page) -> None:
    blocks = page("<ol><li>a<table><tr><th>b<th>c<tr><td>d<td>e</table><pre>f</pre></ol>").blocks
    assert [(block.kind.value, block.level) for block in blocks] == [("item", 1), ("table", 1), ("code", 1)]
