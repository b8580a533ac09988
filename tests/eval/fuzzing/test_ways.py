"""Each way of rewriting, on words that a test hands in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.fuzzing.drawing import Drawing, chosen, rewrites
from eval.fuzzing.phrases import Table
from eval.fuzzing.query import Query
from eval.fuzzing.vocabulary import Vocabulary
from eval.fuzzing.ways import WAYS, Rewrite, Way
from eval.tickets import plain
from ingest.errors import QueryError

INCIDENT = "seat downgrade annual credit calculation table"
ASKED = "What credit does an Enterprise Annual customer get for seats given up thirty calendar days before renewal?"
WORDS = Vocabulary(
    qualifiers=frozenset({"enterpris", "annual"}),
    subjects=frozenset({"seat", "downgrad", "credit", "enterpris", "annual", "renew", "calcul", "tabl"}),
    numbers=frozenset({"thirty"}),
    units=frozenset({"calendar", "day"}),
    sections={
        "seat": 40,
        "downgrad": 10,
        "credit": 30,
        "enterpris": 20,
        "annual": 25,
        "renew": 15,
        "calcul": 2,
        "tabl": 9,
    },
    count=100,
    tables=(Table(("Table", "Seat", "Pro", "Rata", "Formula"), frozenset({"tabl", "seat", "formula"})),),
    neighbours={("credit",): ("refund", "goodwill credit"), ("seat", "ledger"): ("active seats",)},
)


def all_of(way: Way, text: str, times: int = 40) -> set[Rewrite | None]:
    return {WAYS[way](Query.of(text), WORDS, np.random.default_rng(seed)) for seed in range(times)}


def texts(way: Way, text: str) -> set[str]:
    return {one.text for one in all_of(way, text) if one}


def test_the_incidents_rewrite_is_drawn() -> None:
    assert all_of(Way.DROPPED, INCIDENT) == {Rewrite("seat downgrade credit calculation table", 'without "annual"')}


def test_one_qualifier_or_one_amount_with_its_unit_is_dropped() -> None:
    assert {one.change for one in all_of(Way.DROPPED, ASKED) if one} == {
        'without "Enterprise"',
        'without "Annual"',
        'without "thirty calendar days"',
    }


def test_a_qualifier_goes_wherever_it_stands() -> None:
    assert texts(Way.DROPPED, "annual fee, paid by annual invoice") == {"fee, paid by invoice"}


def test_figures_with_currency_time_and_ordinals_go_whole() -> None:
    assert texts(Way.DROPPED, "at 6:50 on the 30th for $1,200.50 or 34%") == {
        "at on the 30th for $1,200.50 or 34%",
        "at 6:50 on the for $1,200.50 or 34%",
        "at 6:50 on the 30th for or 34%",
        "at 6:50 on the 30th for $1,200.50 or",
    }


def test_keywords_are_subjects_in_their_order() -> None:
    for text in texts(Way.KEYWORDS, ASKED):
        found = text.split()
        assert 3 <= len(found) <= 7
        assert [word for word in ASKED.replace("?", "").split() if word in found] == found


def test_table_speak_ends_with_the_words_over_a_table() -> None:
    assert all(text.endswith((" pro rata table", " seat pro table")) for text in texts(Way.TABLE, INCIDENT))


def test_over_general_has_no_qualifier_left() -> None:
    found = texts(Way.GENERAL, ASKED + " downgrade")
    assert found
    assert not any({"Enterprise", "Annual", "thirty"} & set(text.split()) for text in found)


def test_a_term_becomes_one_that_is_defined_beside_it() -> None:
    assert texts(Way.SYNONYM, "credit on an order") == {"refund on an order", "goodwill credit on an order"}
    assert texts(Way.SYNONYM, "is it credited") == set()
    assert texts(Way.SYNONYM, "the seat ledger, please") == {"the active seats, please"}


def test_a_typo_keeps_the_first_letter_and_changes_one_word() -> None:
    for text in texts(Way.TYPO, "credit of us"):
        assert text.startswith("c")
        assert text.endswith(" of us")
        assert text != "credit of us"
        assert abs(len(text) - len("credit of us")) <= 1


def test_truncated_is_the_beginning() -> None:
    for text in texts(Way.TRUNCATED, ASKED):
        assert ASKED.startswith(text)
        assert len(text.split()) >= 3


@pytest.mark.parametrize("way", list(Way))
def test_a_query_with_nothing_to_rewrite_has_no_rewrite(way: Way) -> None:
    assert all_of(way, "hm ok", 3) == {None}


def test_the_same_seed_draws_the_same_whatever_else_is_drawn() -> None:
    drawing = Drawing(each=3, seed=7)
    found = list(rewrites("exc-1", ASKED, WORDS, drawing))
    assert found == list(rewrites("exc-1", ASKED, WORDS, drawing))
    assert found != list(rewrites("exc-2", ASKED, WORDS, drawing))
    assert found != list(rewrites("exc-1", ASKED, WORDS, Drawing(each=3, seed=8)))
    alone = list(rewrites("exc-1", ASKED, WORDS, Drawing((Way.TYPO,), each=1, seed=7)))
    assert alone == [one for one in found if one[:2] == (Way.TYPO, 1)]


@given(st.text(max_size=300), st.integers(0, 2**32))
def test_no_text_breaks_it_and_every_rewrite_is_another_text(text: str, seed: int) -> None:
    found = [plain(rewrite.text) for _, _, rewrite in rewrites("q", text, WORDS, Drawing(each=2, seed=seed))]
    assert len(found) == len(set(found))
    assert plain(text) not in found
    assert all(found)


def test_an_unknown_way_is_named() -> None:
    assert chosen(["typo"]) == (Way.TYPO,)
    assert chosen([]) == tuple(Way)
    with pytest.raises(QueryError, match='no way "tpyo"; allowed: dropped-qualifier, keywords'):
        chosen(["tpyo"])
