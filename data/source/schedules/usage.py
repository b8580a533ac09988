"""Appendix H: usage and add-on rates."""

from __future__ import annotations

from decimal import Decimal

from schedules.data import CURRENCIES, REGIONS
from schedules.tools import Book, all_currencies, appendix, money, section, table

VOLUMES = (
    ("to 1,000,000", 0),
    ("1,000,001 to 5,000,000", 10),
    ("5,000,001 to 20,000,000", 20),
    ("above 20,000,000", 30),
)


def usage(book: Book) -> str:
    """Appendix H: overage rates, Run Packs, other meters, add-ons."""
    intro = (
        "These rates apply to what is used beyond the allowances of 15.2. They are list rates "
        "in the billing currency of the order form; an "
        "overage already charged is not recalculated when a later edition changes its rate."
    )
    lead = (
        "A rate is for each 1,000 Runs begun. The bands count the Runs above the allowance in "
        "one calendar month; each band's rate "
        "applies to the Runs within it, not to all Runs. Enterprise plans start in the second "
        "band. Overages of reseller orders are billed to the "
        "reseller at these rates less half its margin (15.13)."
    )
    parts = [section(2, "H.1 Overage rates", lead, _overage(book)), _packs(book), _meters(book), _addons(book)]
    return appendix("H", "Usage and add-on rates", intro, parts)


def _overage(book: Book) -> str:
    header = ["Region", "Currency", *(label for label, _ in VOLUMES)]
    rows = [row for region in REGIONS for row in _overage_rows(book, region)]
    return table("Table H.1 - Overage for 1,000 Runs", header, rows)


def _overage_rows(book: Book, region: str) -> list[list[str]]:
    usd = book.number("usage", "overage_usd_1000") * book.number("region", region)
    rows = []
    for currency in CURRENCIES[region]:
        base = book.local(usd, currency)
        rows.append([REGIONS[region], currency, *(money(base * (100 - off) / 100, currency) for _, off in VOLUMES)])
    return rows


def _packs(book: Book) -> str:
    usd = book.number("usage", "pack_usd")
    counts = (1, 5, 10)
    rows = []
    for currency in all_currencies():
        base = book.local(usd, currency)
        rows.append(
            [
                currency,
                *(money(base * n * (100 - off) / 100, currency) for n, off in zip(counts, (0, 5, 10), strict=True)),
            ]
        )
    note = (
        f"A pack holds {book.show('usage', 'pack_runs')} Runs and is valid for "
        f"{book.show('usage', 'pack_months')} months from the day it is bought, "
        "not from first use. Packs are not refunded, except as provided in 7.8. Regional factors do not apply to packs."
    )
    return section(
        2,
        "H.2 Run Packs",
        note,
        table("Table H.2 - Price of Run Packs", ["Currency", "1 pack", "5 packs", "10 packs"], rows),
    )


def _meters(book: Book) -> str:
    meters = (
        ("Storage above the allowance, GB and month", "0.20"),
        ("Text messages, 1,000 sent", "42.00"),
        ("Map calls, 1,000", "3.10"),
        ("Document pages read, 1,000", "9.50"),
    )
    rows = [
        [name, *(money(book.local(Decimal(usd), c), c) for c in ("USD", "EUR", "GBP", "JPY", "BRL"))]
        for name, usd in meters
    ]
    note = (
        "Text messages are charged when handed to a carrier, whether or not they arrive. "
        "Storage is the highest value of the month, not the average."
    )
    return section(
        2,
        "H.3 Other meters",
        note,
        table("Table H.3 - Other meters", ["Meter", "USD", "EUR", "GBP", "JPY", "BRL"], rows),
    )


def _addons(book: Book) -> str:
    addons = (
        ("Sandbox, a year", 2400),
        ("Premium Support, smallest charge a year", 6000),
        ("Regional data hosting, a year", 4800),
        ("Onboarding, fixed scope", 3500),
    )
    rows = [
        [currency, *(money(book.local(Decimal(usd), currency), currency, exact=False) for _, usd in addons)]
        for currency in all_currencies()
    ]
    note = (
        "Add-ons end with the main term (1.12). The smallest charge for Premium Support "
        "applies to the order form, not to each workspace."
    )
    return section(
        2, "H.4 Add-ons", note, table("Table H.4 - Add-ons", ["Currency", *(name for name, _ in addons)], rows)
    )
