"""Ids that authors gave sections, ids that programs made, and links within a page."""

import pytest

from ingest.html.anchors import is_generated

POSITIONS = """_Toc123456 _Ref7 h.x1y2z3a4b5 heading-3 section-5 sec4-2 id12 idm45678 toc_4 toc-h2-1 4.2 7-1 p12 d0e123
    0f8fad5b-d9cb-469f-a165-70867728950e title-text content fn1 kix.abc"""
WORDS = "late-fees 42-late-fees late-fees-1 LateFees Seatpolicy-4.2LateFees user-content-late-fees"


@pytest.mark.parametrize("name", [*POSITIONS.split(), *WORDS.split(), "has space"])
def test_generated_ids(name: str) -> None:
    assert is_generated(name, "4.2 Late fees", "HB : Seat policy")


@pytest.mark.parametrize(
    "name", ["seat-downgrades", "fees", "REQ-late", "policy.refunds", "sec-refunds", "p-and-l", "x-late-charges"]
)
def test_ids_of_authors(name: str) -> None:
    assert not is_generated(name, "4.2 Late charges", "HB : Seat policy")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<h2 id="seat-dg">Downgrades</h2>', "seat-dg"),
        ('<h2><a name="seat-dg"></a>Downgrades</h2>', "seat-dg"),
        ('<p>x</p><a id="seat-dg"></a><h2>Downgrades</h2>', "seat-dg"),
        ('<section id="seat-dg"><h2>Downgrades</h2></section>', "seat-dg"),
        ('<section id="downgrades"><span id="seat-dg"></span><h2>Downgrades</h2></section>', "seat-dg"),
        ('<h2 id="h-2"><a id="_Toc1"></a><span id="seat-dg">Downgrades</span></h2>', "seat-dg"),
        ('<div id="seat-dg"><h2>Downgrades</h2></div>', None),
        ('<h2 id="downgrades">Downgrades</h2>', None),
        ('<a id="seat-dg"></a><p>x</p><h2>Downgrades</h2>', None),
        ('<p>x<sup id="mark-a"><a href="#n">1</a></sup></p><h2>Downgrades</h2><p id=n>y', None),
    ],
)
def test_explicit_ids(page, html: str, expected: str | None) -> None:
    (heading,) = (block for block in page(html).blocks if block.kind == "heading")
    assert heading.explicit_id == expected


@pytest.mark.parametrize(
    ("target", "href"),
    [
        ("#_Toc1", "#4.2"),
        ("#late", "#4.2"),
        ("#para", "#4.2"),
        ("#terms", "#Terms%20and%20days"),
        ("#bold", "#4.4"),
        ("seats.html#late", "seats.html#4.2"),
        ("#top-of-page", "#top-of-page"),
        ("other.html#_Toc1", "other.html#_Toc1"),
        ("#before", "#before"),
    ],
)
def test_links_within_the_page_name_the_section_they_lead_into(page, target: str, href: str) -> None:
    html = f"""<p id=before>See <a href="{target}">it</a>.</p><h2 id=late><a name="_Toc1"></a>4.2 Late fees</h2>
        <p id=para>x</p><h2 id=terms>Terms and days</h2><p>y<p><a id=bold></a><b>4.4 More</b><p>z"""
    assert page(html).blocks[0].text == f"See [it]({href})."


def test_a_number_that_comes_twice_is_no_name(page) -> None:
    html = "<p><a href='#x'>it</a><h2>1 Seats</h2>a<h2 id=x>1 Fees</h2>b"
    assert page(html).blocks[0].text == "[it](#Fees)"


def test_the_sign_of_a_heading_s_own_link_is_no_word_of_it(markdown) -> None:
    html = '<h2 id=fees>4.2 Fees<a class="headerlink" href="#fees" title="Permalink">¶</a></h2>'
    assert markdown(html) == "## 4.2 Fees"
