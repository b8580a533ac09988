"""Choosing settings on made-up scores: climbs, ties, folds, and what a choice is worth where it has not looked."""

from collections.abc import Callable

import numpy as np
import pytest

from eval.measures.folds import deal
from eval.tuning.choosing import Asked, Climb, Outcome, Trial
from eval.tuning.nested import Plan, nested
from eval.tuning.space import Axis, axes, changed, difference, work
from ingest.errors import SourceError
from retrieve.settings import RetrieveSettings

START = RetrieveSettings()
TICKETS = [f"t{number}" for number in range(40)]
FAMILIES = {ticket: f"f{number // 2}" for number, ticket in enumerate(TICKETS)}
LINKS = Axis("links", tuple({"max_links": n} for n in range(5)))
FUSION = Axis("fusion", ({"fusion": "rrf"}, {"fusion": "minmax"}))


def trial_of(score: Callable[[RetrieveSettings, int], float], tokens: Callable[[RetrieveSettings], float]) -> Trial:
    def trial(settings: RetrieveSettings) -> Outcome:
        scores = {ticket: score(settings, number) for number, ticket in enumerate(TICKETS)}
        return Outcome(scores, dict.fromkeys(TICKETS, tokens(settings)))

    return trial


def by_links(settings: RetrieveSettings) -> float:
    return 100.0 * settings.max_links


def climb(trial: Trial, tie: float = 0.0) -> Climb:
    return Climb(START, trial, Asked(tuple(TICKETS), FAMILIES), tie)


def test_a_climb_finds_what_is_better_on_every_axis() -> None:
    trial = trial_of(lambda s, n: (s.max_links == 4) + (s.fusion == "minmax"), lambda s: 1.0)
    chosen = climb(trial).choice([LINKS, FUSION])
    assert difference(chosen, START) == {"fusion": "minmax", "max_links": 4}


def test_equal_scores_go_to_fewer_tokens() -> None:
    assert climb(trial_of(lambda s, n: 1.0, by_links)).choice([LINKS]).max_links == 0


def test_equal_scores_and_tokens_go_to_less_reading_again() -> None:
    axis = Axis("candidates", ({"section_candidates": 10}, {"section_candidates": 50}))
    assert climb(trial_of(lambda s, n: 1.0, lambda s: 1.0)).choice([axis]).section_candidates == 10


def test_what_lies_within_a_standard_error_is_as_good() -> None:
    def score(settings: RetrieveSettings, number: int) -> float:
        return (
            float(number < 20)
            + (settings.max_links == 4) * (number in (30, 33))
            - (settings.max_links == 4) * (number == 3)
        )

    trial = trial_of(score, by_links)
    assert climb(trial, tie=0.0).choice([LINKS]).max_links == 4
    assert climb(trial, tie=1.0).choice([LINKS]).max_links == 0


def test_a_cheaper_choice_is_never_worse_than_what_is_in_force() -> None:
    trial = trial_of(lambda s, n: 1.0 - 0.5 * (s.max_links < 3) * (n == 0), by_links)
    assert climb(trial, tie=5.0).choice([LINKS]).max_links == 3


def test_a_real_gain_is_found_again_on_unseen_folds() -> None:
    trial = trial_of(lambda s, n: float(n % 2 or s.max_links == 4), by_links)
    found = nested(START, trial, Plan(FAMILIES, dict.fromkeys(TICKETS, "exception"), (LINKS,)))
    assert found.chosen.max_links == 4
    assert found.beyond_noise
    assert found.unseen.mean == pytest.approx(0.5)
    assert sum(fold.tickets for fold in found.folds) == len(TICKETS)


def test_noise_looks_like_a_gain_only_where_it_was_chosen() -> None:
    axis = Axis("rrf_k", tuple({"rrf_k": k} for k in range(1, 60)))
    drawn = np.random.default_rng(5).integers(0, 2, size=(61, len(TICKETS)))
    trial = trial_of(lambda s, n: float(drawn[s.rrf_k, n]), lambda s: 1.0)
    found = nested(START, trial, Plan(FAMILIES, dict.fromkeys(TICKETS, "exception"), (axis,), tie=0.0))
    assert found.seen.mean > 0.1
    assert not found.beyond_noise


def test_a_standard_error_counts_families_whole() -> None:
    off = np.array([1.0, -1.0] * 20)
    together, apart = Asked(tuple(TICKETS), FAMILIES), Asked(tuple(TICKETS), {t: t for t in TICKETS})
    assert together.standard_error(off) == 0
    assert apart.standard_error(off) == pytest.approx(off.std(ddof=1) / np.sqrt(40))
    assert Asked(("t0",), FAMILIES).standard_error(np.ones(1)) == float("inf")


def test_folds_hold_families_whole_and_deal_every_kind() -> None:
    kinds = {ticket: "exception" if number < 20 else "plain" for number, ticket in enumerate(TICKETS)}
    dealt = deal(FAMILIES, kinds, 5)
    assert set(dealt) == set(FAMILIES.values())
    for kind in ("exception", "plain"):
        folds = [dealt[FAMILIES[ticket]] for ticket in TICKETS if kinds[ticket] == kind]
        assert {folds.count(fold) for fold in range(5)} == {4}


def test_too_few_families_are_an_error() -> None:
    with pytest.raises(SourceError, match="3 families that the measure scores; allowed: at least 5"):
        deal({"a": "a", "b": "b", "c": "c"}, dict.fromkeys("abc", "plain"), 5)


@pytest.mark.parametrize(
    ("reranker", "blends"), [("none", None), ("late", 5), ("folder", 15)], ids=["none", "late", "cross"]
)
def test_blends_are_of_the_stages_that_there_are(reranker: str, blends: int | None) -> None:
    found = {axis.name: axis for axis in axes(RetrieveSettings(reranker=reranker), 5)}
    assert (len(found["rerank"].changes) if "rerank" in found else None) == blends
    for change in found["rerank"].changes if blends else ():
        assert sum(change.values()) == pytest.approx(1)


def test_more_passages_than_the_measure_counts_are_not_asked_for() -> None:
    ks = {axis.name: [change.get("k") for change in axis.changes] for axis in axes(START, 5)}["k"]
    assert ks == [3, 5]


def test_keys_that_have_no_say_are_no_difference() -> None:
    assert difference(changed(START, {"fusion": "minmax", "rrf_k": 10}), START) == {"fusion": "minmax"}


def test_reading_again_costs_by_candidates_and_stages() -> None:
    late, none = RetrieveSettings(), RetrieveSettings(reranker="none")
    assert work(late) == 40
    assert work(none) == 0
    assert work(RetrieveSettings(reranker="folder")) > 10 * work(late)
