"""Parts of a page that are no text of the handbook, and parts that only look so."""

import pytest

HEADINGS = "<h2 id=a>Seats</h2>x<h2 id=b>Fees</h2>y<h2 id=c>Terms</h2>z"
LINKS = '<li><a href="#a">Seats</a><li><a href="#b">Fees</a><li><a href="#c">Terms</a>'


@pytest.mark.parametrize(
    ("html", "reasons"),
    [
        ("<nav><a href=a.html>Home</a></nav>", ["navigation"]),
        ('<nav><a href="#a">Seats</a></nav>', ["table of contents"]),
        ("<div role=navigation><a href=a.html>Home</a></div>", ["navigation"]),
        ("<ul class=breadcrumb><li><a href=a.html>Home</a></ul>", ["navigation"]),
        (
            "<div class=toc><p>Contents</p><ul><li><a href='#a'>Seats and all that</a></ul></div>",
            ["table of contents"] * 2,
        ),
        (f"<h2>Contents</h2><ul>{LINKS}</ul>{HEADINGS}", ["table of contents"] * 4),
        ("<p class=MsoToc1><a href='#_Toc1'>Seats 3</a>", ["table of contents"]),
        ("<header><a href=a.html>Home</a></header>", ["header"]),
        ("<div id=header role=banner><a href=a.html>Home</a></div>", ["header"]),
        ("<footer><p>© 2026 Quillhaven</p></footer>", ["footer"]),
        ('<div title="footer"><p>Page 3</p></div><div title=header>Seats</div>', ["footer", "header"]),
        ("<div style='mso-element:comment-list'>By Ann: why?</div>", ["comment"]),
        ("<!-- why? --><script>var a</script><style>p{color:red}</style>", ["comment", "script", "style"]),
        ("<noscript>Enable scripts</noscript>", ["script"]),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_furniture_is_left_out(page, html: str, reasons: list[str]) -> None:
    read = page(f"{html}<p>Kept.</p>")
    assert [one.reason for one in read.dropped] == reasons
    assert read.blocks[-1].text == "Kept."
    assert len(read.blocks) == (7 if "<h2" in html else 1)


@pytest.mark.parametrize(
    "html",
    [
        "<header><h1>4 Seats</h1><p>By Ann</p></header>",
        "<header><p>Effective 1 January 2026</p></header>",
        "<footer><p>Exceptions need the consent of the board.</p></footer>",
        "<main><footer>Approved by the board, © Ann</footer></main>",
        "<aside>Not for resellers.</aside>",
        "<div class=contents><p>All of the text is in here.</p></div>",
        f"<nav>{'Seats may be reduced. ' * 30}</nav>",
        f"<h2>Contents</h2>It is wide.{HEADINGS}",
        f"<p>Subject to</p><ul><li><a href='#a'>Seats</a><li><a href='#b'>Fees</a></ul>{HEADINGS}",
        f"<ul>{LINKS}</ul>" + HEADINGS + "".join(f"<h2 id=d{number}>More {number}</h2>z" for number in range(9)),
        f"<ul>{LINKS}<li>and what is fair</ul>{HEADINGS}",
    ],
    ids=lambda html: html[:40],
)
def test_text_is_kept(page, html: str) -> None:
    assert page(html).dropped == ()


def test_a_footer_with_footnotes_is_kept(markdown) -> None:
    html = '<p>a<sup><a href="#n">1</a></sup></p><footer>© Ann<ol><li id=n>Not yet.</ol></footer>'
    assert markdown(html) == "a[^1]\n\n© Ann\n\n[^1]: Not yet."
