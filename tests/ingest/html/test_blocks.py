"""Elements to blocks: what a person sees in a browser, as Markdown."""

import pytest

from ingest.elements import Kind
from ingest.writing import write


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <b>b</b>c <strong>d</strong> <i>e</i>", "a **b**c **d** e"),
        ('<p><span style="font-weight:700">a</span> <b style="font-weight:normal">b</b>', "**a** b"),
        (
            '<p><a href="x y(1).html">a</a> <a href="javascript:b()">b</a> <a href="#">c</a>',
            "[a](x%20y%281%29.html) b c",
        ),
        ("<p>a<br>b<br>\n c", "a\nb\nc"),
        ("<p>one<br><br>two", "one\n\ntwo"),
        ("<p>a <q>b</q> c", "a “b” c"),
        ("<p>H<sub>2</sub>O m<sup>2</sup> 10<sup>6</sup> 1<sup>st</sup>", "H2O m2 10^6 1st"),
        ("<p><code>a_b * c</code> *d* &lt;e&gt; [f](g)", "a\\_b \\* c \\*d\\* &lt;e&gt; &#91;f](g)"),
        ("<p>one&nbsp;&nbsp;two\n\tthree wo<wbr>rd so&shy;ft  ", "one two three word soft"),
        ("<p>s<span>ea</span>ts<div>one</div>two", "seats\n\none\n\ntwo"),
        ('<p style="white-space:pre-line">a\nb', "a\nb"),
        ('<p>a<span style="display:block">b</span>c <div style="display:inline">d</div>', "a\n\nb\n\nc\n\nd"),
        ('See <img src=x alt="the flow"> here <img alt="">', "See the flow here"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    ],
    ids=lambda value: value[:24],
)
def test_words_of_a_paragraph(markdown, html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>4 Seats</h1>a<h3>b<br>c</h3>", "# 4 Seats\n\na\n\n### b c"),
        ("<h2><b>4.2</b> <i>Fees</i></h2>", "## 4.2 Fees"),
        ("<h2><div>4.2</div><div>Fees</div></h2>", "## 4.2 Fees"),
        ('<div role="heading" aria-level="3">a</div><div role=heading>b</div>', "### a\n\n## b"),
        ('<p class="Heading2">a</p><p class="heading">b</p><p class="subheading1">c</p>', "## a\n\nb\n\nc"),
        ("<h2></h2><h2><img alt=''></h2>a", "a"),
        ("<p><b>4.2 Fees</b></p><p>a</p>", "**4.2 Fees**\n\na"),
        ("<details><summary>Exceptions</summary><p>a</p></details>b", "**Exceptions**\n\na\n\nb"),
        ("<details><summary><h3>Exceptions</h3></summary>a</details>", "### Exceptions\n\na"),
    ],
    ids=lambda value: value[:24],
)
def test_headings_and_lines_that_act_as_such(markdown, html: str, text: str) -> None:
    assert markdown(html) == text


def test_large_lines_are_bold_in_a_page_without_headings(markdown) -> None:
    body = "<p>This is a text of the usual size, as most of the page is.</p>"
    html = (
        f"<p>\n<span style='font-size:16pt'>Policy</span><p><font size=5>Fees</font>{body}<p style='font-size:15pt'>No."
    )
    assert markdown(html).startswith("**Policy**\n\n**Fees**\n\nThis is")
    assert markdown(html).endswith("\n\nNo.")
    assert markdown(f"<h1>a</h1>{html}").startswith("# a\n\nPolicy\n\nFees")


def test_classes_name_titles_in_a_page_without_headings(markdown) -> None:
    html = "<div class='section-title'>4 Fees</div><p>a</p><p class=sectionHeading>Terms<p class=titles>b"
    assert markdown(html) == "**4 Fees**\n\na\n\n**Terms**\n\nb"
    assert markdown(f"<h1>x</h1>{html}").endswith("4 Fees\n\na\n\nTerms\n\nb")


def test_a_number_in_a_box_of_its_own_starts_its_paragraph(markdown) -> None:
    html = "<div><b>4.1</b></div><div><b>Fees</b></div><div>(a)</div><h2>x</h2><div>(a)</div>"
    assert markdown(html) == "**4.1 Fees**\n\n(a)\n\n## x\n\n(a)"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<dl><dt>Seat<dd>A right.<dd>Or two.</dl>", "Seat\n: A right.\n: Or two."),
        ("<dl><dt>Seat<dt>Licence<dd><p>One.</p><p>Two.</p></dl>", "Seat\nLicence\n: One.\nTwo."),
        ("<dl><div><dt>Seat</dt><dd>x<ul><li>y</ul></dd></div><dt>Term<dd>z</dl>", "Seat\n: x\n\n- y\n\nTerm\n: z"),
        ("<dl><dt><h3>Seat</h3><dd>A right.</dl>", "### Seat\n\nA right."),
        ("<blockquote><p>a</p>b<ul><li>c</ul></blockquote>", "> a\n\n> b\n\n- c"),
        ("<blockquote><h2>4 Fees</h2>a</blockquote>", "## 4 Fees\n\na"),
        ("<blockquote><p>(a) one</p><p>(b) two</p></blockquote>", "(a) one\n\n(b) two"),
        ("<pre>\n  a &lt;b&gt;\n    *c*\n</pre>", "```\n  a <b>\n    *c*\n```"),
        ("<pre>a<br>b <i>c</i></pre>", "```\na\nb c\n```"),
        ("<figure><img alt='The flow'><figcaption>How</figcaption></figure>", "The flow\n\nHow"),
        ("<address>Quay 1<br>Utrecht</address><hr>a", "Quay 1\nUtrecht\n\na"),
        ("<fieldset><legend>Terms</legend><label>Days <input value=30></label></fieldset>", "Terms\n\nDays 30"),
        ("<select><option>Net 30<option>Net 60</select>a", "Net 30 / Net 60 a"),
        ("<input type=checkbox checked> Yes <input type=radio> No <input type=hidden value=x>", "☑ Yes ○ No"),
        ("a<textarea>b\nc</textarea><button>d</button>", "a b\nc d"),
    ],
    ids=lambda value: value[:24],
)
def test_other_blocks(markdown, html: str, text: str) -> None:
    assert markdown(html) == text


def test_kinds_are_the_spine_s(page) -> None:
    html = "<h2>a</h2><p>b<ol><li>c</ol><dl><dt>d<dd>e</dl><blockquote>f</blockquote><pre>g</pre>"
    html += "<table><tr><td>h<td>i</table>"
    kinds = [element.kind for element in write(page(html).blocks)[1]]
    assert kinds == [Kind.HEADING, Kind.PARAGRAPH, Kind.ITEM, Kind.DEFINITION, Kind.QUOTE, Kind.CODE, Kind.TABLE]


def test_the_title_is_that_of_the_head(page) -> None:
    read = page("<title> Seats\n policy </title><svg><title>drawn</title></svg><p>a")
    assert (read.title, [block.text for block in read.blocks]) == ("Seats policy", ["a"])
    assert page("<p>a").title is None


def test_revisions_are_accepted_and_counted(page, left_out) -> None:
    html = "<p><ins>New</ins> <del>old</del> text <s>struck</s> <span style='text-decoration:line-through'>out</span>"
    read = page(html)
    assert [block.text for block in read.blocks] == ["New text"]
    assert left_out(html) == [("deleted revision", word) for word in ("old", "struck", "out")]
    assert [(one.code, one.message.split(";")[0]) for one in read.remarks] == [
        ("tracked-changes", "1 insertion kept, 3 deletions (struck-out text) left out")
    ]


def test_embedded_pages_are_told(page) -> None:
    read = page('a<iframe src="b.html">c</iframe><object data="d.pdf">e</object>')
    assert [(one.code, one.message.split(",")[0]) for one in read.remarks] == [
        ("embedded-page", '<iframe> shows "b.html"'),
        ("embedded-page", '<object> shows "d.pdf"'),
    ]
    assert [block.text for block in read.blocks] == ["ae"]
