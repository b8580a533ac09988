"""Pages that are images of text, and text layers that say nothing."""

import pytest

from ingest.errors import SourceError
from ingest.pdf.trust import named

CIPHER = "Wkh fuhglw lv frpsxwhg rq wkh gdb rq zklfk wkh uhtxhvw lv uhfhlyhg dqg lv qhyhu sdlg rxw lq fdvk. "


def scan(sheet):
    return sheet().image(0, 0, 595, 842)


def told(sheet, prose: str):
    page = sheet()
    page.paragraph(72, 300, prose)
    return page


def test_images_without_text_are_refused_by_page(read, sheet, prose) -> None:
    with pytest.raises(
        SourceError, match=r"^terms.pdf: pages 1-2, 4 are images without text; allowed: pages with a text"
    ):
        read(scan(sheet), scan(sheet), told(sheet, prose), scan(sheet))


def test_the_way_out_is_named(read, sheet) -> None:
    fix = r'page 1 is an image without text; .*fix: set image_pages = "ocr" .*caveat.toml \(needs: pip install'
    with pytest.raises(SourceError, match=fix):
        read(scan(sheet))


def test_a_stamp_or_a_page_number_makes_no_text(read, sheet, prose) -> None:
    pages = [scan(sheet).text(260, 820, f"Page {number} of 4 - ID 7781 2026") for number in range(1, 5)]
    with pytest.raises(SourceError, match="pages 1-4 are images without text"):
        read(*pages)


def test_a_blank_page_is_no_error(read, sheet, texts, prose) -> None:
    assert texts(read(sheet(), told(sheet, prose), sheet())) == [prose]


def test_a_scan_with_recognised_text_is_read(read, sheet, texts, prose) -> None:
    page = scan(sheet)
    for place, line in enumerate(prose.split(". ")):
        page.text(72, 100 + 30 * place, line, mode=3)
    assert len(texts(read(page))) == 3


def test_a_figure_on_a_page_of_its_own_is_remarked(read, sheet, texts, prose) -> None:
    pages = [told(sheet, prose).text(72, 30, "Handbook of Fees and Credits") for _ in range(6)]
    pages[2] = sheet().image(60, 100, 540, 780).text(72, 30, "Handbook of Fees and Credits")
    parsed = read(*pages)
    assert [(remark.code, remark.where) for remark in parsed.remarks] == [("image-page", "page 3")]


def test_a_logo_is_no_image_page(read, sheet, texts) -> None:
    assert texts(read(sheet().image(400, 30, 500, 80).text(72, 100, "Fees"))) == ["Fees"]


def test_glyphs_without_characters_are_garbage(read, sheet, prose) -> None:
    page = sheet()
    for place in range(8):
        page.text(72, 100 + 14 * place, "nobody knows what this says", font="Unmapped")
    with pytest.raises(
        SourceError, match=r"the text layer of page 2 is garbage \(100% of its characters are not known\)"
    ):
        read(told(sheet, prose), page)


def test_a_shifted_alphabet_is_garbage(read, sheet) -> None:
    with pytest.raises(SourceError, match=r"page 1 is garbage \(\d+% of the letters of its words are vowels\)"):
        read(told(sheet, CIPHER * 4))


def test_one_character_again_and_again_is_garbage(read, sheet) -> None:
    with pytest.raises(SourceError, match=r'garbage \(100% of its letters are "a"\)'):
        read(told(sheet, "aaaa " * 60))


def test_some_unknown_glyphs_are_remarked(read, sheet, prose) -> None:
    page = told(sheet, prose).text(72, 300, "abcdefghij", font="Unmapped")
    (remark,) = read(page).remarks
    assert (remark.code, remark.where) == ("garbage-text", "page 1")
    assert "of its characters are not known" in remark.message


@pytest.mark.parametrize(
    "words",
    [
        "El crédito se calcula el día en que se recibe la solicitud y nunca se paga en efectivo por nadie. " * 3,
        "Die Gutschrift wird an dem Tag berechnet, an dem der Antrag eingeht, und nie bar ausgezahlt werden. " * 3,
        "Dobropis se vypočte ke dni, kdy byla žádost přijata, a nikdy se nevyplácí v hotovosti ani jinak. " * 3,
        "DHAW20190001 05/03/2019 CITIBANK TRAVEL CBA CARD STAFF TRANSPORTATION 920.68 USD JFK LHR CDG " * 3,
    ],
    ids=["Spanish", "German", "Czech", "codes"],
)
def test_other_languages_and_codes_are_no_garbage(read, sheet, words: str) -> None:
    known = words.encode("cp1252", "ignore").decode("cp1252")
    assert not read(told(sheet, known)).remarks


@pytest.mark.parametrize(
    ("pages", "shown"), [([3], "page 3"), ([1, 2, 3], "pages 1-3"), ([4, 1, 2, 7], "pages 1-2, 4, 7")]
)
def test_pages_are_named_in_runs(pages: list[int], shown: str) -> None:
    assert named(pages) == shown
