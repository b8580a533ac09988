"""A quote is brought by its section or by words that stand nowhere else, never by the same words elsewhere."""

from hypothesis import given
from hypothesis import strategies as st

from eval.pins.plain.form import Anchor
from eval.pins.plain.quotes import Came, brings, first_rank, in_words, wordings

NOTICE = "Seat reductions must be submitted at least 30 calendar days prior to the renewal date."
LEAVING = "A member that leaves the group says so at least 30 calendar days before it leaves."
QUOTE = "30 calendar days"
ANCHOR = Anchor(QUOTE, ("a.md#Notice",), wordings(QUOTE, NOTICE, in_words(LEAVING)))


def test_a_quote_is_widened_until_it_stands_alone() -> None:
    assert ANCHOR.wordings == (
        "submitted at least 30 calendar days",
        "30 calendar days prior",
        "least 30 calendar days prior",
    )


def test_a_quote_that_stands_alone_is_its_own_wording() -> None:
    assert wordings("renewal date", NOTICE, in_words(LEAVING)) == ("renewal date",)


def test_a_text_without_ids_brings_it_wherever_it_was_cut() -> None:
    for text in (NOTICE, "30 calendar days prior to the", "must be submitted at least 30 calendar days"):
        assert brings(ANCHOR, Came("x", (text,)))
    assert brings(ANCHOR, Came("x", ("| **30** calendar\ndays | prior to |",)))


def test_the_same_words_of_another_section_do_not() -> None:
    assert not brings(ANCHOR, Came("x", (LEAVING,)))
    assert not brings(ANCHOR, Came("x", (LEAVING,), frozenset({"a.md#Leaving"})))


def test_the_section_brings_it_only_if_it_says_so() -> None:
    covers = frozenset({"a.md#Notice"})
    assert brings(ANCHOR, Came("x", ("at least 30\ncalendar days",), covers))
    assert not brings(ANCHOR, Came("x", ("at least 45 calendar days prior",), covers))


def test_a_lead_in_counts_and_the_first_passage_is_told() -> None:
    passages = [Came("a", ("nothing",)), Came("b", ("a leaf", NOTICE)), Came("c", (NOTICE,))]
    assert first_rank(ANCHOR, passages) == 2
    assert first_rank(ANCHOR, passages[:1]) is None


WORDS = st.lists(st.sampled_from(["ab", "cd", "ef", "30", "days", ",", "|"]), min_size=1, max_size=30).map(" ".join)


@given(WORDS, WORDS, st.data())
def test_wordings_hold_the_quote_and_stand_in_their_text(text: str, other: str, data: st.DataObject) -> None:
    words = text.split()
    start = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    found = wordings(quote, text, in_words(other))
    assert bool(found) == bool(in_words(quote).strip())
    for wording in found:
        assert in_words(wording) in in_words(text)
        assert in_words(quote) in in_words(wording)
