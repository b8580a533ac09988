"""Automatic numbers as Word displays them."""

import pytest

from ingest.docx.numerals import numeral
from tests.ingest.docx.conftest import HEADINGS, abstract, level, listed, num, p, read, said, style

LEGAL = abstract(
    0,
    level(0, "decimal", "%1."),
    level(1, "lowerLetter", "(%2)"),
    level(2, "lowerRoman", "(%3)"),
    level(3, "upperLetter", "%4)"),
)
DOTTED = abstract(1, level(0, "decimal", "%1"), level(1, "decimal", "%1.%2"), level(2, "decimal", "%1.%2.%3"))
ARTICLES = abstract(
    2,
    level(0, "upperRoman", "Article %1"),
    level(1, "decimal", "%1.%2", "<w:isLgl/>"),
    level(2, "lowerLetter", "%1.%2(%3)"),
)
RESTART = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
NUMS = num(1, 0) + num(2, 1) + num(3, 2)


def marks(*levels: int, of: int = 1, numbering: str = LEGAL + DOTTED + ARTICLES + NUMS) -> list[str]:
    """The marks of paragraphs at these levels of a list."""
    body = "".join(listed("x", ilvl, of) for ilvl in levels)
    return [one.mark or "-" for one in read(body, numbering=numbering).blocks]


@pytest.mark.parametrize(
    ("of", "levels", "expected"),
    [
        (1, (0, 1, 1, 2, 2, 3, 0, 1), "1. (a) (b) (i) (ii) A) 2. (a)"),
        (2, (0, 1, 1, 2, 0, 1, 2), "1 1.1 1.2 1.2.1 2 2.1 2.1.1"),
        (3, (0, 1, 2, 0, 1), "Article I|1.1|I.1(a)|Article II|2.1"),
        (2, (1, 1, 0, 1), "1.1 1.2 2 2.1"),
        (2, (0, 2), "1 1.1.1"),
        (2, (0, 1, 2, 1, 2), "1 1.1 1.1.1 1.2 1.2.1"),
        (9, (0, 0), ""),
    ],
    ids=[
        "legal",
        "dotted",
        "roman made decimal",
        "a level before its parent",
        "a level skipped",
        "back",
        "no such list",
    ],
)
def test_levels(of: int, levels: tuple[int, ...], expected: str) -> None:
    found = [mark for mark in marks(*levels, of=of) if mark != "-"]
    assert found == expected.split("|" if "|" in expected else None)


@pytest.mark.parametrize(
    ("form", "values", "expected"),
    [
        ("decimal", (0, 1, 10), "0 1 10"),
        ("decimalZero", (1, 10), "01 10"),
        ("lowerLetter", (1, 26, 27, 53), "a z aa aaa"),
        ("upperLetter", (2, 28), "B BB"),
        ("lowerRoman", (4, 9, 14, 40), "iv ix xiv xl"),
        ("upperRoman", (4, 1999), "IV MCMXCIX"),
        ("ordinal", (1, 2, 3, 11, 22), "1st 2nd 3rd 11th 22nd"),
        ("cardinalText", (1, 21), "One Twenty-one"),
        ("ordinalText", (1, 12, 23), "First Twelfth Twenty-third"),
        ("001", (1, 12), "001 012"),
        ("lowerLetter", (100_000,), "100000"),
    ],
)
def test_formats(form: str, values: tuple[int, ...], expected: str) -> None:
    assert [numeral(value, form) for value in values] == expected.split()


def test_no_format_and_unknown_formats() -> None:
    assert (numeral(3, "none"), numeral(3, "klingon")) == ("", None)
    numbering = abstract(0, level(0, "klingon", "%1.")) + num(1, 0)
    parsed = read(listed("Fees"), numbering=numbering)
    assert said(parsed.blocks) == ["1. Fees"]
    assert parsed.remarks[0].message == 'numbers of the format "klingon" are read as 1, 2, 3'


def test_a_list_goes_on_after_a_paragraph_and_in_another_list_of_its_definition() -> None:
    body = listed("a") + p("between") + listed("b") + listed("c", num=2)
    assert said(read(body, numbering=LEGAL + num(1, 0) + num(2, 0)).blocks) == ["1. a", "between", "2. b", "3. c"]


def test_a_list_may_start_anew_and_the_other_goes_on() -> None:
    body = listed("a") + listed("b") + listed("c", num=2) + listed("d", num=2) + listed("e")
    found = read(body, numbering=LEGAL + num(1, 0) + num(2, 0, RESTART)).blocks
    assert [one.mark for one in found] == ["1.", "2.", "1.", "2.", "3."]


def test_an_override_may_change_the_start_and_the_look() -> None:
    own = f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/>{level(0, "upperLetter", "%1:")}</w:lvlOverride>'
    assert marks(0, 0, numbering=LEGAL + num(1, 0, own)) == ["G:", "H:"]


@pytest.mark.parametrize(
    ("restart", "expected"),
    [("", "1 1.1 a b 1.2 a 2 2.1 a"), ("0", "1 1.1 a b 1.2 c 2 2.1 d"), ("1", "1 1.1 a b 1.2 c 2 2.1 a")],
    ids=["by default", "never", "after level 1"],
)
def test_restarts(restart: str, expected: str) -> None:
    more = f'<w:lvlRestart w:val="{restart}"/>' if restart else ""
    levels = level(0, "decimal", "%1"), level(1, "decimal", "%1.%2"), level(2, "lowerLetter", "%3", more)
    assert marks(0, 1, 2, 2, 1, 2, 0, 1, 2, numbering=abstract(0, *levels) + num(1, 0)) == expected.split()


def test_a_level_without_a_start_starts_at_0() -> None:
    bare = '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    assert marks(0, 0, numbering=abstract(0, bare) + num(1, 0)) == ["0.", "1."]


def test_a_list_style_lends_its_definition() -> None:
    linked = '<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Clauses"/></w:abstractNum>'
    styles = style("Clauses", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>', kind="numbering")
    body = listed("a", num=5) + listed("b", 1, num=5) + listed("c", num=1)
    numbering = LEGAL + linked + num(1, 0) + num(5, 5)
    assert said(read(body, numbering=numbering, styles=styles).blocks) == ["1. a", "  (a) b", "2. c"]


def test_list_styles_that_lend_from_each_other_in_a_ring_number_nothing() -> None:
    ring = "".join(
        f'<w:abstractNum w:abstractNumId="{n}"><w:numStyleLink w:val="S{n}"/></w:abstractNum>' for n in (1, 2)
    )
    styles = "".join(
        style(f"S{n}", f'<w:pPr><w:numPr><w:numId w:val="{3 - n}"/></w:numPr></w:pPr>', kind="numbering")
        for n in (1, 2)
    )
    assert said(read(listed("a"), numbering=ring + num(1, 1) + num(2, 2), styles=styles).blocks) == ["a"]


def test_a_custom_format_of_newer_files() -> None:
    form = (
        '<mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/>'
        '</mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
    )
    custom = f'<w:lvl w:ilvl="0"><w:start w:val="1"/>{form}<w:lvlText w:val="Rule %1"/></w:lvl>'
    assert marks(0, 0, numbering=abstract(0, custom) + num(1, 0)) == ["Rule 001", "Rule 002"]


def test_bullets_have_no_mark_and_empty_levels_are_no_items() -> None:
    levels = level(0, "bullet", "\uf0b7"), level(1, "none", ""), level(2, "none", "Note:"), level(3, "bullet", "")
    body = listed("a") + listed("b", 1) + listed("c", 2) + listed("d", 3)
    assert said(read(body, numbering=abstract(0, *levels) + num(1, 0)).blocks) == ["- a", "  b", "  Note: c", "d"]


def test_0_takes_the_number_of_a_style_away() -> None:
    styles = style("Clause", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    body = p("a", style="Clause") + listed("b", num=0, style="Clause") + p("c", style="Clause")
    assert said(read(body, styles=styles, numbering=LEGAL + NUMS).blocks) == ["1. a", "b", "2. c"]


def test_a_level_is_found_by_the_style_that_belongs_to_it() -> None:
    levels = [level(n, "decimal", text, f'<w:pStyle w:val="H{n + 1}"/>') for n, text in enumerate(("%1", "%1.%2"))]
    numbered = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    styles = style("heading 1", numbered, identity="H1") + style("heading 2", numbered, identity="H2")
    body = p("Seats", style="H1") + p("Downgrades", style="H2") + p("Upgrades", style="H2") + p("Fees", style="H1")
    found = said(read(body, styles=styles, numbering=abstract(0, *levels) + num(1, 0)).blocks)
    assert found == ["# 1 Seats", "## 1.1 Downgrades", "## 1.2 Upgrades", "# 2 Fees"]


def test_a_style_based_on_a_numbered_one_may_change_the_level() -> None:
    base = style("Clause", '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>')
    below = style("Sub", '<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>', of="Clause")
    body = (
        p("a", style="Clause")
        + p("b", style="Sub")
        + p("c", props='<w:numPr><w:ilvl w:val="2"/></w:numPr>', style="Sub")
    )
    assert said(read(body, styles=base + below, numbering=LEGAL + NUMS).blocks) == ["1. a", "  (a) b", "    (i) c"]


def test_headings_and_paragraphs_share_one_list() -> None:
    body = listed("Seats", style="H1", num=3) + listed("Terms apply.", 1, num=3) + listed("more", 2, num=3)
    body += listed("Fees", style="H1", num=3) + listed("Fees apply.", 1, num=3)
    found = said(read(body, styles=HEADINGS, numbering=ARTICLES + NUMS).blocks)
    assert found == ["# Article I Seats", "1.1 Terms apply.", "  I.1(a) more", "# Article II Fees", "2.1 Fees apply."]


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        ("Fees", "nothing", "# Section 1 Fees"),
        (". Fees", "nothing", "# Section 1. Fees"),
        ("Fees", "space", "# Section 1 Fees"),
    ],
    ids=["nothing", "nothing before a dot", "space"],
)
def test_a_number_is_parted_from_the_title(text: str, suffix: str, expected: str) -> None:
    numbering = abstract(0, level(0, "decimal", "Section %1", f'<w:suff w:val="{suffix}"/>')) + num(1, 0)
    assert said(read(listed(text, style="H1"), styles=HEADINGS, numbering=numbering).blocks) == [expected]


def test_empty_and_hidden_paragraphs() -> None:
    gone = "<w:rPr><w:vanish/></w:rPr>"
    hidden = f'<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>{gone}</w:pPr>'
    hidden += f"<w:r>{gone}<w:t>gone</w:t></w:r></w:p>"
    body = listed("a") + listed("") + hidden + listed("b")
    # Word numbers an empty paragraph, and passes over one that is hidden.
    assert said(read(body, numbering=LEGAL + NUMS).blocks) == ["1. a", "3. b"]


def test_numbers_of_deleted_paragraphs_do_not_count() -> None:
    deleted = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>'
        '<w:del w:id="2"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>'
    )
    assert said(read(listed("a") + deleted + listed("b"), numbering=LEGAL + NUMS).blocks) == ["1. a", "2. b"]


@pytest.mark.parametrize("ilvl", ["-1", "99", "x", ""])
def test_levels_that_are_none_do_no_harm(ilvl: str) -> None:
    body = p("a", props=f'<w:numPr><w:ilvl w:val="{ilvl}"/><w:numId w:val="1"/></w:numPr>')
    assert len(read(body, numbering=LEGAL + NUMS).blocks) == 1
