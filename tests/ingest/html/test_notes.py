"""Footnotes as programs write them: the mark, the note, and no link back."""

import pytest

WORD = """
    <p>Seats<a href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference><sup>[1]</sup></span></a> end</p>
    <div><hr><div id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1"><span
    class=MsoFootnoteReference>[1]</span></a> The note.</p></div></div>"""
LIBREOFFICE = """
    <p>Seats<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a> end</p>
    <div id="sdfootnote1"><p>
    <a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>The note.</p></div>"""
GOOGLE = """
    <p>Seats<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup> end</p>
    <hr><div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;The note.</span></p></div>"""
PANDOC = """
    <p>Seats<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> end</p>
    <section class="footnotes" role="doc-endnotes"><hr/><ol><li id="fn1"><p>The note.<a href="#fnref1"
    class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>"""
KRAMDOWN = """
    <p>Seats<sup id="fnref:1"><a href="#fn:1" class="footnote">1</a></sup> end</p><div class="footnotes"><ol>
    <li id="fn:1"><p>The note. <a href="#fnref:1" class="reversefootnote">&#8617;</a></p></li></ol></div>"""
SPHINX = """
    <p>Seats<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span
    class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> end</p>
    <aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label">
    <span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span>
    <p>The note.</p></aside>"""
OLD_SPHINX = """
    <p>Seats<a class="footnote-reference brackets" href="#id2" id="id1">1</a> end</p><dl class="footnote brackets">
    <dt id="id2"><a class="fn-backref" href="#id1">1</a></dt><dd><p>The note.</p></dd></dl>"""
WIKIPEDIA = """
    <p>Seats<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup> end</p><ol><li id="cite_note-1">
    <b><a href="#cite_ref-1">^</a></b> <span class="reference-text">The note.</span></li></ol>"""
GITHUB = """
    <p>Seats<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup> end</p>
    <section data-footnotes class="footnotes"><h2 class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>The
    note. <a href="#user-content-fnref-1" data-footnote-backref>↩</a></p></li></ol></section>"""
PLAIN = '<p>Seats <sup><a href="#note-1">1</a></sup> end</p><p id="note-1">1. The note.</p>'


@pytest.mark.parametrize(
    "html",
    [WORD, LIBREOFFICE, GOOGLE, PANDOC, KRAMDOWN, SPHINX, OLD_SPHINX, WIKIPEDIA, GITHUB, PLAIN],
    ids=["Word", "LibreOffice", "Google", "pandoc", "kramdown", "Sphinx", "old Sphinx", "Wikipedia", "GitHub", "plain"],
)
def test_marks_and_notes(markdown, html: str) -> None:
    assert markdown(html).replace("Seats [", "Seats[") == "Seats[^1] end\n\n[^1]: The note."


def test_links_back_that_say_something_are_accounted_for(left_out) -> None:
    assert left_out(WORD) == [("duplicate", "[1]")]
    assert left_out(GITHUB) == [("navigation", "Footnotes")]
    assert left_out(PANDOC) == []


def test_a_note_of_several_blocks_and_two_marks(markdown) -> None:
    html = """<p>a<sup><a href="#n">2</a></sup> b<sup><a href="#n">2</a></sup>
        <ol start=2><li id=n><p>One.</p><ul><li>two</ul></li></ol>"""
    assert markdown(html) == "a[^2] b[^2]\n\n[^2]: One.\n    • two"


def test_labels_are_as_shown_and_unique(page) -> None:
    html = """<p>a<sup><a href="#x">*</a></sup><p id=x>* star<h2>B</h2>
        <p>b<sup><a href="#y">1</a></sup><p id=y>one<h2>C</h2><p>c<sup><a href="#z">1</a></sup><p id=z>other"""
    notes = [(block.label, block.text) for block in page(html).blocks if block.label]
    assert notes == [("n1", "star"), ("1", "one"), ("1-2", "other")]


def test_a_note_in_a_cell_stands_below_its_table(markdown) -> None:
    html = '<table><tr><th>a<th>b<tr><td>5<sup><a href="#n1">1</a></sup><td>6</table><p id=n1>Not yet.'
    assert markdown(html).endswith("| 5[^1] | 6 |\n\n[^1]: Not yet.")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<h2 id=s4>4 Fees</h2><p>See <sup><a href="#s4">4</a></sup>', "## 4 Fees\n\nSee [4](#4)"),
        ('<h2>4 Fees</h2><p>See <a href="#i">1</a><ol><li id=i>x</ol>', "## 4 Fees\n\nSee [1](#4)\n\n1. x"),
        ('<p>a<sup><a href="#none">1</a></sup>', "a[1](#none)"),
        ('<p id=a>x<p>b<sup><a href="#a">1</a></sup>', "x\n\nb[1](#a)"),
        ('<p>a<sup><a href="#f">1</a></sup><p>b <a id=f></a>c', "a[1](#f)\n\nb c"),
        ('<p>a<sup><a href="#f">see below</a></sup><p id=f>b', "a[see below](#f)\n\nb"),
    ],
    ids=["heading", "cross-reference", "no target", "above", "middle of a paragraph", "words"],
)
def test_other_links_are_no_marks(markdown, html: str, text: str) -> None:
    assert markdown(html) == text
