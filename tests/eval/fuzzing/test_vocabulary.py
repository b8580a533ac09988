"""What a handbook's text says of its words: a small one that shows each kind of evidence."""

from pathlib import Path

import pytest

from eval.fuzzing import phrases
from eval.fuzzing.vocabulary import Vocabulary
from eval.policy import Edition, Policy, read_policy
from ingest.dates import parse_day
from ingest.settings import IngestSettings
from tests.eval import desk

PLANS = """# 1 Plans

## 1.1 Notice on Silver plans

A customer in Ruritania that holds Silver Yearly tells us thirty (30) days before, one in Graustark 45 days.
After thirty (30) days it may be late, and a customer in Ruritania pays; so does one on Silver Yearly in Ruritania.

## 1.2 Notice on Copper plans

Nothing is to be said on Copper Yearly, and for Silver Yearly see above. It may be 10 days, or 20 days.

Table 1.1 - Prices by plan

| Plan | Price |
|---|---|
| Silver Yearly | 10 |
| Silver Monthly | 20 |
| Copper Yearly | 30 |

## 1.3 Words

A **yearly order** is one for a year, and a **monthly order** one for a month. A **copper order** is another.
"""


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Edition:
    folder: Path = tmp_path_factory.mktemp("plans")
    (folder / "2026-01-01").mkdir()
    (folder / "2026-01-01" / "01-plans.md").write_text(PLANS, encoding="utf-8")
    return read_policy(folder, IngestSettings(), desk.NOW).on(parse_day("2026-03-15"))


def test_labels_are_what_the_rows_of_a_table_differ_by(edition: Edition) -> None:
    assert phrases.labels(edition) == {"silver", "copper", "year", "month"}


def test_titles_are_what_siblings_with_a_word_in_common_differ_by(edition: Edition) -> None:
    assert phrases.titles(edition) == {"silver", "copper"}


def test_terms_of_a_section_stand_together(edition: Edition) -> None:
    assert phrases.terms(edition) == (("yearly order", "monthly order", "copper order"),)
    assert phrases.modifiers(phrases.terms(edition)) == {"year", "month", "copper"}


def test_what_several_terms_end_in_is_what_they_are_about(edition: Edition) -> None:
    assert phrases.heads_of_terms(phrases.terms(edition)) == {"order"}


def test_names_are_capitalised_within_a_sentence(edition: Edition) -> None:
    assert phrases.names(edition)["ruritania"] == 3
    assert phrases.names(edition)["noth"] == 0


def test_a_word_qualifies_by_two_kinds_of_evidence(edition: Edition) -> None:
    # "year" stands in most of the sections here, and so tells none from another.
    assert Vocabulary.of(edition).qualifiers == {"silver", "copper", "month"}


def test_numbers_in_letters_and_units_are_those_of_the_text(edition: Edition) -> None:
    words = Vocabulary.of(edition)
    assert words.numbers == {"thirty"}
    assert words.units == {"day"}


def test_a_caption_is_known_with_its_header_row(edition: Edition) -> None:
    [table] = phrases.tables(edition)
    assert table.caption == ("Table", "Prices", "by", "plan")
    assert {"price", "plan"} <= table.stems


def test_what_is_defined_beside_a_term_is_its_neighbour(edition: Edition) -> None:
    assert Vocabulary.of(edition).neighbours["yearly", "order"] == ("monthly order", "copper order")


def test_the_demo_handbook_names_its_plans_regions_and_terms(demo_policy: Policy) -> None:
    words = Vocabulary.of(demo_policy.on(parse_day("2026-03-15")))
    assert {"enterpris", "annual", "month", "starter", "brazil", "emea", "resel", "public"} <= words.qualifiers
    assert not {"not", "may", "the", "day", "seat", "credit"} & words.qualifiers
