from itertools import pairwise

import pytest

from ingest.chunks import SPECIALS, cut
from ingest.settings import IngestSettings

SETTINGS = IngestSettings()


@pytest.fixture
def chunks(document, word_pieces):
    """A function from Markdown to the texts of the chunks of its last section."""

    def texts(markdown: str, **settings: int) -> list[str]:
        section = document(markdown).sections[-1]
        return [chunk.text for chunk in cut(section, "Handbook", word_pieces, IngestSettings(**settings), 256)]

    return texts


def sentence(word: str, count: int = 12) -> str:
    return f"{word.capitalize()} {' '.join([word] * (count - 2))} end."


def test_the_context_has_titles_without_numbers(document, word_pieces) -> None:
    section = document("# 4 Seats\n\n## 4.2 Downgrades\n\nText.\n").sections[1]
    (chunk,) = cut(section, "Handbook", word_pieces, SETTINGS, 256)
    assert chunk.embed_text == "Handbook > Seats > Downgrades\nText."
    assert section.text[chunk.start : chunk.end] == "Text."


@pytest.mark.parametrize("title", ["Seats", "4 Seats"])
def test_a_document_titled_by_its_first_heading_is_named_once(document, word_pieces, title: str) -> None:
    (chunk,) = cut(document("# 4 Seats\n\nText.\n").sections[0], title, word_pieces, SETTINGS, 256)
    assert chunk.context == "Seats"


def test_a_renumbering_changes_no_chunk(document, word_pieces) -> None:
    before, after = (document(f"# {n} Seats\n\n## {n}.2 Fees\n\nText.\n").sections[1] for n in (4, 5))
    assert [one.embed_text for one in cut(before, "H", word_pieces, SETTINGS, 256)] == [
        one.embed_text for one in cut(after, "H", word_pieces, SETTINGS, 256)
    ]


def test_a_heading_without_a_body_is_found_by_its_title(document, word_pieces) -> None:
    section = document("# Seats\n\n## Fees\n\nText.\n").sections[0]
    (chunk,) = cut(section, "Handbook", word_pieces, SETTINGS, 256)
    assert (chunk.text, chunk.context) == ("Seats", "Handbook > Seats")


def test_a_blank_document_has_no_chunk(document, word_pieces) -> None:
    assert cut(document(" \n").sections[0], "Handbook", word_pieces, SETTINGS, 256) == ()


def test_short_paragraphs_share_a_chunk_and_long_ones_are_cut_between_sentences(chunks) -> None:
    assert len(chunks("# A\n\nOne.\n\nTwo.\n")) == 1
    made = chunks("# A\n\n" + " ".join(sentence(word) for word in ("seat", "plan", "term") * 6))
    assert len(made) > 1
    assert all(text.endswith("end.") for text in made)


def test_chunks_of_prose_have_the_wished_size(document, word_pieces) -> None:
    text = "# A\n\n" + "\n\n".join(sentence(word, 20) for word in ("seat", "plan", "term") * 20)
    sizes = [word_pieces.count(one.text) for one in cut(document(text).sections[0], "H", word_pieces, SETTINGS, 256)]
    assert all(60 <= size <= 120 for size in sizes[:-1])


def test_a_lead_in_comes_again_with_later_items(chunks) -> None:
    items = "\n".join(f"- {sentence(word, 30)}" for word in ("seat", "plan", "term", "fee", "tax"))
    made = chunks(f"# A\n\nGeneral text first. Credits are not given if:\n\n{items}\n")
    assert len(made) > 1
    assert made[0].startswith("General text first. Credits are not given if:")
    assert all(text.startswith("Credits are not given if:\n") for text in made[1:])


def test_a_nested_item_carries_the_item_above(chunks) -> None:
    inner = "\n".join(
        f"   ({letter}) {sentence(word, 40)}"
        for letter, word in zip("abcd", ("seat", "plan", "fee", "tax"), strict=True)
    )
    made = chunks(f"# A\n\nUnless:\n\n1. for Enterprise plans:\n{inner}\n")
    assert made[1].startswith("Unless:\n1. for Enterprise plans:\n(")


@pytest.mark.parametrize("before", ["General rules apply to all.", "**Redress**"], ids=["sentence", "title"])
def test_what_is_whole_by_itself_is_no_lead_in(chunks, before: str) -> None:
    items = "\n".join(f"- {sentence(word, 50)}" for word in ("seat", "plan", "term", "fee"))
    assert not any(before.strip("*") in text for text in chunks(f"# A\n\n{before}\n\n{items}\n")[1:])


def test_a_lead_in_does_not_end_a_chunk(chunks) -> None:
    made = chunks(f"# A\n\n{sentence('seat', 100)}\n\nOnly if:\n\n- {sentence('plan', 60)}\n- {sentence('fee', 60)}\n")
    assert not any(text.endswith("Only if:") for text in made)


def test_each_table_child_has_caption_and_header_and_whole_rows(chunks) -> None:
    rows = "\n".join(f"| Plan {number} | {'credit ' * 12}|" for number in range(12))
    made = chunks(f"# A\n\nTable 4.2 - Credit\n\n| Plan | Credit |\n|---|---|\n{rows}\n\nText after the table.\n")
    tables = [text for text in made if "Plan 1" in text or "Plan 5" in text]
    assert all(text.startswith("Table 4.2 - Credit\nPlan | Credit\nPlan ") for text in tables)
    assert made[-1] == "Text after the table."


def test_an_overlong_item_is_searched_through_overlapping_windows(document, word_pieces) -> None:
    words = [f"word{number}" for number in range(400)]
    section = document(f"# A\n\nOnly if:\n\n- {' '.join(words)}\n- short\n").sections[0]
    made = cut(section, "H", word_pieces, SETTINGS, 256)
    assert all(word_pieces.count(one.embed_text) + SPECIALS <= 256 for one in made)
    assert {word for one in made for word in one.text.split()} >= set(words)
    windows = [one for one in made if "word" in one.text]
    assert all(second.start < first.end for first, second in pairwise(windows))


def test_an_overlong_row_keeps_its_header_and_first_cell_in_each_window(chunks) -> None:
    made = chunks(f"# A\n\n| Plan | Credit |\n|---|---|\n| Team | {'credit note ' * 250}|\n")
    assert len(made) > 1
    assert all(text.startswith("Plan | Credit\nTeam | ") for text in made)


def test_a_header_too_long_to_repeat_is_searched_once(chunks) -> None:
    head = " | ".join(f"Column{number} of the table" for number in range(40))
    made = chunks(f"# A\n\n| {head} |\n|{'---|' * 40}\n| Team |\n| Free |\n")
    assert "Column0" in made[0]
    assert "Column39" in " ".join(made)
    assert made[-1].endswith("Team\nFree")


def test_code_is_searched_verbatim_without_its_fence(chunks) -> None:
    assert chunks("# A\n\n```py\ncredit_usd = (a - b) * c\n```\n") == ["py credit_usd = (a - b) * c"]


def test_a_long_title_leaves_room_for_the_text(document, word_pieces) -> None:
    section = document(f"# {'very long title ' * 60}\n\nText of the section.\n").sections[0]
    (chunk,) = cut(section, "Handbook", word_pieces, SETTINGS, 64)
    assert chunk.text == "Text of the section."
    assert word_pieces.count(chunk.embed_text) + SPECIALS <= 64


def test_the_incident_stays_together(chunks) -> None:
    made = chunks(
        """\
        ## 4.2.1 Credit

        Subject to 4.2.2:

        Table 4.2 - Seat Downgrade Credit Formula

        | Plan | Credit |
        |---|---|
        | Annual | credit_usd = (prior_seats - new_seats) * annual_seat_price * (days_remaining / 365) |
        """
    )
    header = "Subject to 4.2.2:\nTable 4.2 - Seat Downgrade Credit Formula\nPlan | Credit\n"
    formula = "Annual | credit_usd = (prior_seats - new_seats) * annual_seat_price * (days_remaining / 365)"
    assert made == [header + formula]
