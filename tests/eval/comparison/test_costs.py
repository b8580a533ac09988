"""The post-mortem's arithmetic, and what a cache's lifetime makes of it."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from eval.comparison.arrivals import drawn, expected_hits
from eval.comparison.breakeven import Scene, cheaper, in_size, in_tickets
from eval.comparison.costs import Size, call_usd, mixed_usd, scaled
from eval.comparison.prices import Hosting, ModelPrice, Prices, named, read_prices
from ingest.errors import ConfigError

ROW = {"date": date(2026, 12, 1), "source": "a test"}
PRICE = ModelPrice(
    name="m",
    input=3.0,
    cached_read=0.3,
    cache_write=3.0,
    output=15.0,
    cache_from_tokens=1024,
    cache_minutes=5,
    **ROW,
)
FREE = Hosting(name="h", usd_per_month=0, embedding=0, **ROW)
HANDBOOK = Size(prefix=175_000, asked=0)


@pytest.fixture(scope="module")
def prices() -> Prices:
    return read_prices()


def scene(prices: Prices, **changed: object) -> Scene:
    whole = Scene(PRICE, prices.hosting[0], prices.month, Size(3_000, 100, 300), Size(175_000, 100, 300), (1.0,))
    return Scene(**{name: changed.get(name, getattr(whole, name)) for name in Scene.__dataclass_fields__})


def test_the_post_mortems_arithmetic(prices: Prices) -> None:
    price = prices.model[0]
    assert call_usd(price, HANDBOOK) == pytest.approx(0.525)
    assert prices.month.tickets * call_usd(price, HANDBOOK) == pytest.approx(23_625)
    assert prices.month.tickets * call_usd(price, HANDBOOK, "read") == pytest.approx(2_362.50)


def test_what_five_minutes_make_of_many_tickets(prices: Prices) -> None:
    """45,000 a month are 4.3 a minute: the cache is cold once a morning, and the discount is had."""
    found = drawn(prices.month, 45_000, (1.0,), 5, np.random.default_rng(8841))
    assert found.hits == pytest.approx(1 - 22 / 45_000, abs=1e-5)
    assert 45_000 * mixed_usd(PRICE, HANDBOOK, found.hits) == pytest.approx(2_362.50 + 22 * 0.4725, abs=1)


def test_what_five_minutes_make_of_few_tickets(prices: Prices) -> None:
    """1,000 a month are one in ten minutes: most find the cache gone, and the discount is mostly lost."""
    found = drawn(prices.month, 1_000, (1.0,), 5, np.random.default_rng(8841))
    assert (round(found.hits, 3), round(found.expected, 3)) == (0.373, 0.375)
    assert found.lowest < found.hits < found.highest
    assert mixed_usd(PRICE, HANDBOOK, found.hits) == pytest.approx(0.525 - found.hits * 0.4725)
    assert 1_000 * mixed_usd(PRICE, HANDBOOK, found.hits) == pytest.approx(350, abs=5)


def test_each_edition_has_a_cache_of_its_own(prices: Prices) -> None:
    one = expected_hits(prices.month, 1_000, (1.0,), 5)
    assert expected_hits(prices.month, 1_000, (0.5, 0.5), 5) < one
    assert expected_hits(prices.month, 1_000, (1.0, 0.0), 5) == pytest.approx(one)


@pytest.mark.parametrize("tickets", [30, 1_000, 5_000, 45_000])
@pytest.mark.parametrize("shares", [(1.0,), (0.7, 0.2, 0.1)], ids=["one edition", "three"])
@pytest.mark.parametrize("minutes", [5, 60, 900])
def test_the_formula_is_what_is_drawn(prices: Prices, tickets: int, shares: tuple[float, ...], minutes: float) -> None:
    found = drawn(prices.month, tickets, shares, minutes, np.random.default_rng(1))
    assert found.hits == pytest.approx(found.expected, abs=0.5 / tickets**0.5)


def test_the_same_seed_draws_the_same(prices: Prices) -> None:
    first, second = (drawn(prices.month, 500, (0.5, 0.5), 5, np.random.default_rng(2)) for _ in range(2))
    assert first == second


def test_a_short_prefix_is_not_cached() -> None:
    assert call_usd(PRICE, Size(1_023, 0), "read") == call_usd(PRICE, Size(1_023, 0))
    assert call_usd(PRICE, Size(1_024, 0), "read") == pytest.approx(0.1 * call_usd(PRICE, Size(1_024, 0)))


def test_the_ticket_and_the_output_are_never_cached() -> None:
    assert call_usd(PRICE, Size(1e6, 1e6, 1e6), "read") == pytest.approx(0.3 + 3 + 15)
    assert call_usd(scaled(PRICE, 2), Size(1e6, 1e6, 1e6), "read") == pytest.approx(2 * (0.3 + 3 + 15))


def test_break_even_without_a_cache_is_where_hosting_is_saved(prices: Prices) -> None:
    [found] = in_tickets(scene(prices), "none")
    assert (found.at, found.above) == (pytest.approx(600 / (172_000 * 3e-6)), "retrieval")


def test_break_even_with_a_warm_cache_needs_far_more_tickets(prices: Prices) -> None:
    [found] = in_tickets(scene(prices), "always")
    assert found.at == pytest.approx(600 / (175_000 * 0.3e-6 - 3_000 * 3e-6))


def test_every_crossing_is_told(prices: Prices) -> None:
    """With hosting cheap enough, the handbook loses while its cache is cold, wins warm, and loses for good."""
    found = in_tickets(scene(prices, hosting=FREE.model_copy(update={"usd_per_month": 450})), "arrivals")
    assert [one.above for one in found] == ["retrieval", "handbook", "retrieval"]
    assert found[0].at < found[1].at < found[2].at
    for one in found:
        above = cheaper(
            scene(prices, hosting=FREE.model_copy(update={"usd_per_month": 450})), "arrivals", one.at * 1.01
        )
        assert above == one.above


def test_without_hosting_retrieval_always_costs_less(prices: Prices) -> None:
    assert in_tickets(scene(prices, hosting=FREE), "always") == ()
    assert cheaper(scene(prices, hosting=FREE), "always", 10) == "retrieval"


def test_break_even_in_size(prices: Prices) -> None:
    [found] = in_size(scene(prices), "none")
    assert found.at == pytest.approx(3_000 + 600 / 45_000 / 3e-6)
    [warm] = in_size(scene(prices), "always")
    assert warm.at == pytest.approx(10 * found.at)


def test_rows_say_what_they_assume(prices: Prices) -> None:
    assert "output" in prices.model[0].assumed
    assert all(row.source and row.date for row in (*prices.model, *prices.hosting, prices.month))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("input = 3.00", 'input = "three"'), r"own.toml: model\.1\.input: .*number"),
        (("input = 3.00", "input = -1"), r"model\.1\.input: .*greater than or equal to 0"),
        (("input = 3.00", "input = nan"), r"model\.1\.input: .*finite"),
        (("output = 15.00\n", ""), r"model\.1\.output: Field required"),
        (("tickets = 45000", "tickets = 0"), r"month\.tickets: .*greater than or equal to 1"),
        (("tickets = 45000", "tickets = 99999999999"), r"month\.tickets: .*less than or equal to 10000000"),
        (("input = 3.00", "input = 1e308"), r"model\.1\.input: .*less than or equal to 1000000000"),
        (("tickets = 45000", "tickets = true"), r"month\.tickets: .*valid integer"),
        (("input = 3.00", "input = true"), r"model\.1\.input: .*valid number"),
        (("hours = ", "hours = nan #"), r"month\.hours: .*finite"),
        (("hours = ", "hours = 1e-300 #"), r"month\.hours: .*greater than or equal to 0\.1"),
        (("tickets = 45000", "tikcets = 45000"), r"month\.tickets: Field required"),
        (('assumed = ["days"', 'assumed = ["weeks"'), r'names "weeks", which is no key'),
        (("[month]", "[month"), "is not TOML"),
    ],
)
def test_a_wrong_file_is_told_by_key(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    shipped = (Path(__file__).parents[3] / "eval" / "comparison" / "prices.toml").read_text("utf-8")
    assert change[0] in shipped
    (tmp_path / "own.toml").write_text(shipped.replace(*change), "utf-8")
    with pytest.raises(ConfigError, match=told):
        read_prices(tmp_path / "own.toml")


def test_a_missing_file_or_row_is_told(tmp_path: Path, prices: Prices) -> None:
    with pytest.raises(ConfigError, match=r"none.toml: cannot be read"):
        read_prices(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match='no row "gpt"; allowed: post-mortem'):
        named(prices.model, "gpt", "--price")
    assert named(prices.model, None, "--price") is prices.model[0]
