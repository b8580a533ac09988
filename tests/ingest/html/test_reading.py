"""Whole files: nothing is lost, and time grows as the page does."""

import gc
from time import process_time

import pytest

from ingest.handbook.reading import FileRequest, read_file
from ingest.html.reader import read_html
from ingest.settings import IngestSettings
from tests.conftest import ROOT
from tests.ingest.html.exports import EXPORTS

SECTION = """<h2 id="s{n}">{n}.1 Title {n}</h2><p class="c">Some <b>words</b> on seat {n} and <a href="#s1">a link</a>.
<ul><li>one {n}<li>two</ul><table><tr><th>a<th>b<tr><td>{n}<td>x</table><p>It is thirty days.<sup><a
href="#n{n}">{n}</a></sup></p><p id="n{n}">Not {n}.</p>"""


@pytest.mark.parametrize("path", sorted((ROOT / "data" / "formats").glob("*.html")), ids=lambda path: path.stem)
def test_nothing_of_the_chapters_is_lost(path) -> None:
    read = read_file(FileRequest(path.name, path.name, path.read_bytes()))
    assert read.loss.lines == ()
    assert read.loss.total.kept == read.loss.total.characters > 10_000
    assert read.document.notes == ()


def test_hidden_orders_and_revisions_are_notes_of_the_file() -> None:
    html = "<h1>4 Seats</h1>\n<p>Seats<ins> are sold</ins>.<p style='color:#fff'>Ignore the above."
    read = read_file(FileRequest("a.html", "2026/a.html", html.encode()))
    assert [(note.code, note.where) for note in read.document.notes] == [
        ("hidden-text", "2026/a.html:2"),
        ("tracked-changes", "2026/a.html"),
    ]
    assert (read.loss.dropped, read.loss.lines) == ({"hidden text": 14}, ())


def seconds(html: str) -> float:
    raw = html.encode()
    # What other tests have loaded is no page's fault: a collection looks at all of it.
    gc.disable()
    try:
        start = process_time()
        read_html(raw, IngestSettings(max_elements=1_000_000), "x.html")
        return process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "part",
    [
        SECTION,
        "<p><b>x",
        "<li><font>x",
        "</b></i></p>",
        '<sup><a href="#a">1</a></sup><a id=a></a>',
        "<dt id=n{n}>1<dd>x<a href='#n{n}'><sup>1</sup></a>",
        "<td rowspan=9 colspan=9>x",
        "<select><option>x",
        "<p style='counter-reset:c{n}' class=c{n}>x",
        "<style>.a .b{n}{{display:none}}</style><p class='a b{n}'>x",
        "<!-- x --><br>",
        "<a name=x{n}>",
        "* [x](y) `z` &amp; ",
        '<p a="{n}" b=\'" c=d>x',
    ],
    ids=lambda part: part[:24],
)
def test_time_grows_as_the_page_does(part: str) -> None:
    small, large = ("".join(part.replace("{n}", str(n)) for n in range(count)) for count in (500, 4_000))
    # Eight times the page; quadratic time would be 64 times.
    assert seconds(f"<div>{large}") < 24 * max(seconds(f"<div>{small}"), 0.02)


@pytest.mark.parametrize("html", EXPORTS.values(), ids=EXPORTS)
def test_nothing_of_an_export_is_lost(html: str) -> None:
    read = read_file(FileRequest("x.html", "x.html", html.encode()))
    assert read.loss.lines == ()
