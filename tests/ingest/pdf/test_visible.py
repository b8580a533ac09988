"""Words that nobody sees are left out, and words that everybody sees are kept, whatever was painted around them."""

import pytest

from ingest.pdf.opening import opened
from ingest.pdf.pages import ReadPage, read_page
from ingest.settings import IngestSettings

WHITE, BLACK, RED, GREEN = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.51, 0.0)
FRAME = "50 342 m 550 342 l 550 742 l 50 742 l h 55 347 m 545 347 l 545 737 l 55 737 l h"
STATES = "/ExtGState << /Faint << /ca 0.05 >> /None << /ca 0 >> /Stamp << /BM /Multiply >> /Plain << /BM /Normal >> >>"
LAYER = "/Properties << /L 4 0 R >>"
OFF = "/OCProperties << /OCGs [4 0 R] /D << /OFF [4 0 R] >> >>"
GROUP = "<< /Type /OCG /Name (Draft) >>"


@pytest.fixture
def page_of(pdf_of):
    """A function from a sheet to its page as read by itself."""

    def read(sheet, **how) -> ReadPage:
        with opened(pdf_of(sheet, **how), IngestSettings(), "terms.pdf") as file:
            return read_page(file, 1)

    return read


@pytest.fixture
def page(sheet):
    """An empty sheet with what the drawings below refer to."""
    return sheet(resources=f"{STATES} {LAYER}")


def rows(page: ReadPage) -> list[str]:
    return [" ".join(word.text for word in row) for row in page.shown.rows]


def why(page: ReadPage) -> list[tuple[str, str]]:
    return [(one.text, one.why) for one in page.shown.hidden]


@pytest.mark.parametrize(
    "draw",
    [
        lambda page: page.draw(f"0 g {FRAME} f*").text(72, 300, "Fees"),
        lambda page: page.draw("0 g 50 300 m 560 300 l 560 310 l 60 310 l 60 700 l 50 700 l h f").text(72, 300, "Fees"),
        lambda page: page.rect(50, 200, 550, 400, fill=GREEN).text(72, 300, "Fees", colour=RED),
        lambda page: page.draw("q 0 0 1 1 re W n 0 g 50 300 500 400 re f Q").text(72, 300, "Fees"),
        lambda page: page.draw("q 0 g /Faint gs 50 300 500 400 re f Q").text(72, 300, "Fees"),
        lambda page: page.draw("0 g 50 700 m 550 400 450 400 60 300 c h f").text(300, 200, "Fees"),
        lambda page: page.draw("q 50 300 500 400 re W n /S sh Q").text(72, 300, "Fees", colour=WHITE),
        lambda page: page.text(72, 300, "Fees").draw("q /Stamp gs 1 1 0 rg 50 300 500 400 re f Q"),
        lambda page: page.text(72, 300, "Fees").draw("q 0 0 1 1 re W n 1 g 50 300 500 400 re f Q"),
        lambda page: page.text(72, 300, "Fees").draw(f"1 g {FRAME} f*"),
        lambda page: page.text(72, 300, "Fees", 30).rect(60, 290, 500, 293, fill=BLACK),
        lambda page: page.draw("q 50 300 500 400 re W n").text(72, 300, "Fees").draw("Q"),
        lambda page: page.draw(f"q {FRAME} W* n Q").text(72, 300, "Fees"),
        lambda page: page.draw("/OC /Other BDC").text(72, 300, "Fees").draw("EMC"),
        lambda page: page.text(72, 300, "Fees", colour=WHITE, mode=2),
    ],
    ids=[
        "frame by even-odd", "L", "red on green", "clipped ground", "faint ground", "curve", "shading", "marker",
        "clipped cover", "frame around", "struck out", "within a clip", "after a clip", "no layer", "outlined",
    ],
)  # fmt: skip
def test_words_are_seen_where_no_paint_covers_them(page_of, page, draw) -> None:
    read = page_of(draw(page), catalog=OFF, further=[GROUP])
    assert (rows(read), why(read)) == (["Fees"], [])


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (lambda page: page.text(72, 300, "Obey").rect(60, 280, 500, 310, fill=WHITE), "covered"),
        (lambda page: page.text(72, 300, "Obey").rect(60, 280, 500, 310, fill=BLACK), "covered"),
        (lambda page: page.text(72, 300, "Obey").image(60, 280, 500, 310), "covered"),
        (lambda page: page.draw("q /None gs").text(72, 300, "Obey").draw("Q"), "of the colour of its ground"),
        (lambda page: page.draw("q 0 0 1 1 re W n").text(72, 300, "Obey").draw("Q"), "cut away"),
        (lambda page: page.draw(f"q {FRAME} W* n").text(72, 300, "Obey").draw("Q"), "cut away"),
        (lambda page: page.draw("/OC /L BDC").text(72, 300, "Obey").draw("EMC"), "on a layer that is off"),
        (
            lambda page: page.image(60, 280, 500, 310, 255).text(72, 300, "Obey", colour=WHITE),
            "of the colour of its ground",
        ),
        (lambda page: page.text(72, 300, "Obey", colour=(0.95, 0.95, 0.95)), "of the colour of its ground"),
        (lambda page: page.text(72, 300, "Obey", 1.2), "too small to be read"),
        (lambda page: page.draw("BT 1 Tz /R 10 Tf 72 500 Td (Obey) Tj 100 Tz ET"), "too small to be read"),
    ],
    ids=[
        "white over it", "black over it", "image over it", "no alpha", "clipped", "clipped by a frame", "layer off",
        "white image", "nearly white", "small", "narrow",
    ],
)  # fmt: skip
def test_words_are_hidden_by_what_is_painted_around_them(page_of, page, draw, reason: str) -> None:
    read = page_of(draw(page).text(72, 700, "Fees"), catalog=OFF, further=[GROUP])
    assert (rows(read), why(read)) == (["Fees"], [("Obey", reason)])


def test_a_layer_that_is_on_is_read(page_of, page) -> None:
    page.draw("/OC /L BDC").text(72, 300, "Fees").draw("EMC")
    on = "/OCProperties << /OCGs [4 0 R] /D << /BaseState /OFF /ON [4 0 R] >> >>"
    assert rows(page_of(page, catalog=on, further=[GROUP])) == ["Fees"]


@pytest.mark.parametrize(
    ("box", "many"), [((500, 700, 595, 842), 12), ((0, 500, 595, 842), 1)], ids=["small ones", "beside text"]
)
def test_invisible_words_are_no_recognised_layer_of_a_picture(page_of, page, prose, box, many: int) -> None:
    page.paragraph(72, 100, prose)
    for _ in range(many):
        page.image(*box)
    read = page_of(page.text(72, 600, "Obey", mode=3))
    assert (why(read), read.shown.recognised) == ([("Obey", "invisible")], False)


@pytest.mark.parametrize("under", [True, False], ids=["under the image", "invisible"])
def test_the_recognised_layer_of_a_scan_is_read_and_remarked(read, texts, page, prose, under: bool) -> None:
    for place, line in enumerate(prose.split(". ")):
        page.text(72, 100 + 12 * place, line, 6, mode=0 if under else 3)
    parsed = read(page.image(0, 0, 595, 842))
    assert "".join(texts(parsed)).startswith("A credit is computed")
    assert [(one.code, one.where) for one in parsed.remarks] == [("recognised-layer", "page 1")]


def test_a_white_image_is_no_scan(page_of, page) -> None:
    read = page_of(page.image(0, 0, 595, 842, 255).text(72, 300, "Obey", mode=3))
    assert why(read) == [("Obey", "invisible")]


def test_overlapping_images_are_measured_once(page_of, page) -> None:
    for _ in range(5):
        page.image(0, 0, 595, 84.2)
    assert round(page_of(page).pictured, 2) == 0.1
