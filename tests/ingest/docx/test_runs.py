"""The words of a paragraph: breaks, looks, links, fields, signs, and what is not shown."""

import pytest

from ingest.docx.reader import read_docx
from ingest.settings import IngestSettings
from tests.ingest.docx.conftest import HEADINGS, p, parts, r, read, said, style, text_of, zipped

BOLD, HIDE, WHITE = "<w:b/>", "<w:vanish/>", '<w:color w:val="FFFFFF"/>'


def shown(*content: str, **others: str) -> str:
    """The text of one paragraph."""
    return "\n".join(said(read(p(*content), **others).blocks))


def field(code: str, *result: str) -> str:
    """A field in its long form."""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{"".join(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<w:tab/>", "a b"),
        ("<w:br/>", "a\nb"),
        ("<w:cr/>", "a\nb"),
        ('<w:br w:type="page"/>', "a\nb"),
        ("<w:noBreakHyphen/>", "a-b"),
        ("<w:softHyphen/>", "ab"),
        ("<w:lastRenderedPageBreak/>", "ab"),
        ("<w:t>\u00ad</w:t>", "ab"),
        ("<w:t>\u00a0</w:t>", "a b"),
        ('<w:sym w:font="Wingdings" w:char="F0FE"/>', "a☑b"),
        ('<w:sym w:font="Symbol" w:char="F0B3"/>', "a≥b"),
        ('<w:sym w:font="Arial" w:char="00A7"/>', "a§b"),
        ("<w:t>\uf0b3</w:t>", "a≥b"),
        ("<w:delText>gone</w:delText>", "ab"),
        ("<w:commentReference/>", "ab"),
    ],
)
def test_what_runs_hold_besides_text(inside: str, expected: str) -> None:
    assert shown(f"<w:r><w:t>a</w:t>{inside}<w:t>b</w:t></w:r>") == expected


def test_a_break_at_either_end_leaves_nothing() -> None:
    assert shown('<w:r><w:br w:type="page"/><w:t>Fees</w:t><w:br/></w:r>') == "Fees"


def test_a_sign_that_no_table_has_is_counted() -> None:
    sign = '<w:r><w:sym w:font="Wingdings 3" w:char="F0AA"/></w:r>' * 2
    (remark,) = read(p("a", sign.replace("Wingdings 3", "Webdings"))).remarks
    assert (remark.code, remark.message) == ("symbol", "Webdings AA is a sign that cannot be read; left out 2 times")


STYLES = (
    style("Strong", f"<w:rPr>{BOLD}</w:rPr>", kind="character")
    + style("Title line", f"<w:rPr>{BOLD}</w:rPr>", identity="Line")
    + style("Below", of="Line")
    + style("Light", '<w:rPr><w:b w:val="0"/></w:rPr>', of="Line")
    + style("Round", f"<w:rPr>{BOLD}</w:rPr>", of="Other")
    + style("Other", of="Round")
)


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        (p("a ", r("b", BOLD), " c"), "a **b** c"),
        (p(r("a", BOLD), r(" "), r("b", BOLD)), "**a b**"),
        (p(r("a", '<w:b w:val="0"/>')), "a"),
        (p(r("a", '<w:rStyle w:val="Strong"/>')), "**a**"),
        (p("a", style="Line"), "**a**"),
        (p("a", style="Below"), "**a**"),
        (p("a", style="Light"), "a"),
        (p(r("a", '<w:rStyle w:val="Strong"/>'), style="Line"), "a"),
        (p(r("a", '<w:b w:val="false"/>'), style="Line"), "a"),
        (p("a", style="Round"), "**a**"),
        (p(r("Fees", "<w:caps/>"), r(" due", "<w:caps/>")), "**Fees due**"),
        (p("Now ", r("fees", "<w:caps/>")), "Now fees"),
        (p(f"<w:r><w:rPr>{BOLD}</w:rPr><w:t>Article IV</w:t><w:br/><w:t>Fees</w:t></w:r>"), "**Article IV Fees**"),
    ],
    ids=[
        "run",
        "blank between",
        "off",
        "character style",
        "paragraph style",
        "based on",
        "off in style",
        "two styles toggle",
        "off in run",
        "ring of styles",
        "capitals",
        "some capitals",
        "two lines",
    ],
)
def test_bold(paragraph: str, expected: str) -> None:
    assert said(read(paragraph, styles=STYLES).blocks) == [expected]


def test_the_default_style_and_the_defaults_count() -> None:
    default = "<w:docDefaults><w:rPrDefault><w:rPr><w:b/></w:rPr></w:rPrDefault></w:docDefaults>"
    normal = style("Normal", f"<w:rPr>{BOLD}</w:rPr>").replace("<w:style ", '<w:style w:default="1" ')
    assert [shown("a", styles=one) for one in (default, normal, "")] == ["**a**", "**a**", "a"]


# Links


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<w:hyperlink r:id="L1">', "[fees](https://example.com/a%20b%28c%29)"),
        ('<w:hyperlink r:id="L1" w:anchor="due">', "[fees](https://example.com/a%20b%28c%29#due)"),
        ('<w:hyperlink w:anchor="due">', "[fees](#due)"),
        ('<w:hyperlink r:id="none">', "fees"),
    ],
    ids=["outside", "outside with place", "inside", "not there"],
)
def test_links(link: str, expected: str) -> None:
    body = p(link + r("fees") + "</w:hyperlink>")
    assert text_of(body, links={"L1": "https://example.com/a b(c)"}) == f"{expected}\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (' HYPERLINK "https://example.com/" \\l "due" \\o "tip" ', "[fees](https://example.com/#due)"),
        (' HYPERLINK \\l "due" ', "[fees](#due)"),
        (" REF _Ref1 \\r \\h ", "fees"),
        (" PAGE ", "fees"),
    ],
)
def test_fields_show_their_result(code: str, expected: str) -> None:
    assert shown(field(code, r("fees"))) == expected
    simple = f"<w:fldSimple w:instr='{code}'>{r('fees')}</w:fldSimple>"
    assert shown(simple) == expected


def test_fields_in_fields_and_across_paragraphs() -> None:
    nested = field(f"IF {'x'}</w:instrText></w:r>{field(' PAGE ', r('7'))}<w:r><w:instrText> = 7 ", r("yes"))
    parsed = read(p("a ", nested))
    assert said(parsed.blocks) == ["a yes"]
    assert [(one.reason, one.text) for one in parsed.dropped] == [("field code", "7")]
    begin, end = field(' HYPERLINK "https://a.example" ', "|").split("|")
    assert said(read(p("a", begin, "b") + p("c", end, "d")).blocks) == [
        "a[b](https://a.example)",
        "[c](https://a.example)d",
    ]


def test_a_field_that_is_never_closed_swallows_nothing() -> None:
    open_only = field(" TOC ", "|").split("|")[0]
    assert said(read(p("a", open_only, "b") + p("c")).blocks) == ["ab", "c"]


def test_fields_nested_without_end_take_no_quadratic_time() -> None:
    begin, end = field(" QUOTE ", "|").split("|")
    body = p(*[begin] * 3000, "deep", *[end] * 3000)
    assert said(read(body).blocks) == ["deep"]


def test_forms_show_what_was_chosen() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{}</w:ffData></w:fldChar></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    entries = '<w:listEntry w:val="monthly"/><w:listEntry w:val="yearly"/>'
    box = begin.format("<w:checkBox><w:checked/></w:checkBox>")
    drop = begin.format(f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>')
    assert shown(box, end, " paid ", drop, end) == "☒ paid yearly"


def test_a_number_that_the_file_does_not_hold_is_noted() -> None:
    (remark,) = read(p("a", field(" LISTNUM \\l 2 "))).remarks
    assert remark.code == "field-number"


# What is not shown


@pytest.mark.parametrize(
    ("content", "styles"),
    [
        (r("secret", HIDE), ""),
        (r("secret", WHITE), ""),
        (r("secret", '<w:color w:val="FEFEFE" w:themeColor="background1"/>'), ""),
        (r("secret", '<w:rStyle w:val="Gone"/>'), style("Gone", f"<w:rPr>{HIDE}</w:rPr>", kind="character")),
        (r("secret", '<w:rStyle w:val="Gone"/>'), style("Gone", f"<w:rPr>{WHITE}</w:rPr>", kind="character")),
        (r("secret", WHITE + '<w:shd w:val="clear" w:color="auto" w:fill="FFFFFF"/>'), ""),
    ],
    ids=["hidden", "white", "nearly white", "hidden by style", "white by style", "white on white"],
)
def test_hidden_text_is_left_out_and_quoted(content: str, styles: str) -> None:
    parsed = read(p("a", content, "b"), styles=styles)
    assert said(parsed.blocks) == ["ab"]
    assert [(one.reason, one.where, one.text) for one in parsed.dropped] == [("hidden text", "paragraph 1", "secret")]
    assert [(one.code, one.message) for one in parsed.remarks] == [("hidden-text", 'hidden text left out: "secret"')]


@pytest.mark.parametrize(
    "paragraph",
    [
        p(r("shown", '<w:vanish w:val="0"/>'), style="Gone"),
        p(r("shown", WHITE + '<w:shd w:val="clear" w:fill="1F3864"/>')),
        p(r("shown", WHITE + '<w:highlight w:val="darkBlue"/>')),
        p(r("shown", WHITE), props='<w:shd w:val="clear" w:fill="1F3864"/>'),
        p(r("shown", "<w:webHidden/>")),
        p(r("shown"), props="<w:rPr><w:vanish/><w:specVanish/></w:rPr>"),
    ],
    ids=["off", "shaded", "highlighted", "shaded paragraph", "hidden on the web", "run-in heading"],
)
def test_what_only_seems_hidden_is_kept(paragraph: str) -> None:
    styles = style("Gone", f"<w:rPr>{HIDE}</w:rPr>")
    parsed = read(paragraph, styles=styles)
    assert (said(parsed.blocks), parsed.dropped) == (["shown"], ())


def test_white_words_are_shown_on_pages_of_a_colour() -> None:
    files = parts(p(r("shown", WHITE)))
    files["word/document.xml"] = files["word/document.xml"].replace(
        "<w:body>", '<w:background w:color="1F3864"/><w:body>'
    )
    assert said(read_docx(zipped(files), IngestSettings(), "a.docx").blocks) == ["shown"]


def test_a_hidden_style_hides_and_neighbours_are_quoted_together() -> None:
    body = p("gone one ", style="Gone") + p("gone two", style="Gone") + p("a") + p("gone " * 40, style="Gone")
    parsed = read(body, styles=style("Gone", f"<w:rPr>{HIDE}</w:rPr>"))
    assert said(parsed.blocks) == ["a"]
    assert [one.where for one in parsed.remarks] == ["paragraph 1", "paragraph 4"]
    assert parsed.remarks[0].message == 'hidden text left out: "gone one gone two"'
    assert len(parsed.remarks[1].message) == len('hidden text left out: "..."') + 80


def test_hidden_words_of_headings_are_no_part_of_them() -> None:
    assert said(read(p("Fees", r(" draft", HIDE), style="H1"), styles=HEADINGS).blocks) == ["# Fees"]


# Wrappers


@pytest.mark.parametrize("tag", ["smartTag", "customXml", "dir", "bdo", "ins", "moveTo"])
def test_wrappers_are_seen_through(tag: str) -> None:
    assert shown("a", f'<w:{tag} w:id="1">{r("b")}</w:{tag}>', "c") == "abc"


def test_ruby_and_equations() -> None:
    ruby = f"<w:r><w:ruby><w:rt>{r('to')}</w:rt><w:rubyBase>{r('東')}</w:rubyBase></w:ruby></w:r>"
    assert shown(ruby) == "東 (to)"
    fraction = "<m:f><m:num><m:r><m:t>unused + late</m:t></m:r></m:num><m:den><m:r><m:t>30</m:t></m:r></m:den></m:f>"
    power = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    assert shown(
        "Credit = ", f"<m:oMath>{fraction}</m:oMath>", " and ", f"<m:oMathPara><m:oMath>{power}</m:oMath></m:oMathPara>"
    ) == ("Credit = (unused + late)/30 and x^2")


def test_markup_by_chance_is_escaped() -> None:
    assert shown("a &lt;b&gt; *c* [d](e)") == "a &lt;b&gt; \\*c\\* &#91;d](e)"
