"""Pages that are images, where caveat.toml says how they are to be read."""

import pytest

from ingest.blocks import Block, Dropped
from ingest.elements import Kind
from ingest.pdf import recognised
from ingest.pdf.geometry import Word
from ingest.pdf.hires import Layout
from ingest.pdf.ocr import ImageText
from ingest.settings import IngestSettings

OCR, HIRES = IngestSettings(image_pages="ocr"), IngestSettings(image_pages="hi-res")


def line(y: float, *texts: str) -> list[Word]:
    return [Word(text, 72 + 60 * at, y, 122 + 60 * at, y + 10, 10, "image") for at, text in enumerate(texts)]


@pytest.fixture
def seen(monkeypatch):
    """A function that says what is recognised on every page, and of which pages it was asked."""
    asked: list[str] = []

    def see(*words: Word, left_out: tuple[str, ...] = ()) -> list[str]:
        def read_image(page, where: str) -> ImageText:
            asked.append(where)
            return ImageText(words, 91.4, left_out)

        monkeypatch.setattr(recognised, "read_image", read_image)
        return asked

    return see


def test_the_words_of_an_image_are_read_like_others(read, sheet, texts, prose, seen) -> None:
    asked = seen(*line(100, "Fees", "are", "due"), *line(112, "at", "once."), left_out=("~|",))
    page = sheet()
    page.paragraph(72, 100, prose)
    parsed = read(page, sheet().image(0, 0, 595, 842), settings=OCR)
    assert texts(parsed) == [prose, "Fees are due at once."]
    assert asked == ["terms.pdf, page 2"]
    assert [(one.where, one.text) for one in parsed.source][-2:] == [("page 2", "Fees are due"), ("page 2", "at once.")]


def test_what_was_recognised_is_remarked_with_its_confidence(read, sheet, seen) -> None:
    seen(*line(100, "Fees"), left_out=("~|",))
    (remark,) = read(sheet().image(0, 0, 595, 842), settings=OCR).remarks
    assert (remark.code, remark.where) == ("recognised", "page 1")
    assert remark.message == "read from its image, 91% sure; left out as too uncertain: ~|"


def test_a_garbage_text_layer_gives_way_to_the_image(read, sheet, texts, seen) -> None:
    seen(*line(100, "Fees", "are", "due."))
    page = sheet()
    for place in range(8):
        page.text(72, 100 + 14 * place, "nobody knows what this says", font="Unmapped")
    assert texts(read(page, settings=OCR)) == ["Fees are due."]


def test_a_layout_model_gives_blocks_for_the_pages_that_are_images(monkeypatch, read, sheet, texts, prose) -> None:
    block = Block(Kind.HEADING, "2 Seats", page=2, level=1)
    found = Layout({2: [block]}, (Dropped("running head", "page 2", "Handbook"),))
    monkeypatch.setattr("ingest.pdf.hires.layout_of_pages", lambda raw, pages, where: found)
    first, third = sheet(), sheet()
    first.paragraph(72, 100, f"One. {prose}")
    third.paragraph(72, 100, f"Three. {prose}")
    parsed = read(first, sheet().image(0, 0, 595, 842), third, settings=HIRES)
    assert texts(parsed) == [f"One. {prose}", "# 2 Seats", f"Three. {prose}"]
    assert [one.text for one in parsed.source if one.where == "page 2"] == ["2 Seats", "Handbook"]
    assert [remark.code for remark in parsed.remarks] == ["recognised"]
