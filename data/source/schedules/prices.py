"""Appendices A (list prices) and G (partner margins)."""

from __future__ import annotations

from decimal import Decimal

from schedules.data import CURRENCIES, PLANS, REGIONS
from schedules.tools import Book, appendix, money, section, table

BANDS = (("volume_250", "250 to 999"), ("volume_1000", "1,000 to 4,999"), ("volume_5000", "5,000 and more"))

PLAN_RULES = {
    "sm_m": "Starter Monthly is billed in advance on the day of the month on which it was first "
    "bought. Volume bands do not apply to "
    "it: the three right-hand prices are shown as list price so that quotes compare, not because a discount is due.",
    "tm_m": "Team Monthly is billed in advance. The band is tested anew on each billing date, "
    "because a monthly plan has no seats under "
    "contract beyond the month.",
    "ta": (
        "Team Annual is billed once for twelve months. A discount under 2.8 is taken from the "
        "price of the band, not from list price (2.3)."
    ),
    "ba": "Business Annual is billed once for twelve months. Viewer seats are free within the "
    "limits of Table 4.1; beyond them each is "
    "charged as a full seat.",
    "em_m": "Enterprise Monthly is billed in advance and has no volume band of its own from 5,000 full "
    "seats on: there the price of the band "
    "below applies, notwithstanding 2.4. No seat credit arises on this plan (1.9).",
    "ea": "Enterprise Annual is billed once for twelve months. These are list prices; the "
    "annual_seat_price of Table 4.2 is the price on "
    "the order form, which may be lower (25.20).",
    "emy": "Enterprise Multi-Year is billed yearly in advance at a price for each seat and year "
    "of the commitment. The discount of 2.6 is "
    "already part of these prices and is not taken again.",
    "psa": "Public Sector Annual is sold to the bodies named in 1.10 only. A purchase order that "
    "renews it names the price of the current price book (3.11), even where the body's fiscal "
    "year began under an earlier one.",
}

# Until 2025-12-31 the nonprofit discount could not be combined with a volume band.
NO_STACKING = (
    "Team Annual is billed once for twelve months. A discount under 2.8 is taken from list price "
    "and not from the price of the band: of the two, the order has the higher (2.3)."
)

REGION_RULES = {
    "na": "Prices in CAD are for customers billed in Canada; a United States customer with Canadian users pays in USD.",
    "emea": (
        "A customer may choose between EUR and the currency of its billing country, once, when it first orders (14.1)."
    ),
    "apac": "Prices in JPY and KRW have no decimals and are rounded for each line, not for the invoice (14.5).",
    "latam": (
        "USD is the rule. A local currency is offered only where the billing country is the country of that currency."
    ),
}


def prices(book: Book) -> str:
    """Appendix A: list prices by plan, region and currency."""
    plans = [plan for plan in PLANS if book.has("prices", plan[0])]
    intro = (
        "Prices are for one full seat, before tax and before any discount of Chapter 2. The "
        "price of the day on which the order form is "
        "countersigned holds (1.5). Local prices follow from the USD list price, the regional "
        "factor and the Book Rate, and are "
        "rounded; where a printed price and the calculation differ, the printed price holds."
    )
    return appendix("A", "List prices", intro, [_plan(book, plan, PLANS.index(plan) + 1) for plan in plans])


def _plan(book: Book, plan: tuple[str, str, int, str], index: int) -> str:
    key, name = plan[0], plan[1]
    regions = [_region(book, plan, region, f"A.{index}.{i}") for i, region in enumerate(REGIONS, start=1)]
    rule = NO_STACKING if key == "ta" and book.edition < "2026-01-01" else PLAN_RULES[key]
    return "\n\n".join([section(2, f"A.{index} {name}", rule), *regions])


def _region(book: Book, plan: tuple[str, str, int, str], region: str, number: str) -> str:
    key, name, months, smallest = plan
    price = book.number("prices", key) * book.number("region", region)
    seats = book.whole("seats", smallest)
    rows = [_price_row(book, key, price, currency, seats) for currency in CURRENCIES[region]]
    step = "month" if months == 1 else "year"
    header = [
        "Currency",
        f"List price a seat and {step}",
        *(label for _, label in BANDS),
        f"Smallest order ({seats:,} full seats)" if seats > 1 else "Smallest order (one full seat)",
    ]
    caption = f"Table {number} - {name}, {REGIONS[region]}"
    blocks = [REGION_RULES[region], table(caption, header, rows)]
    if months == 12:
        blocks += [DAILY_RULE, _daily(book, key, price, region, f"{number}a")]
    return section(3, f"{number} {name} in {REGIONS[region]}", *blocks)


DAILY_RULE = (
    "The price of a day is the yearly price divided by 365, also in a leap year. It "
    "serves quotes for added seats (4.1.3) and short terms (4.4.2), which are charged at the price of "
    "the order form; a credit, too, is calculated from the order form, never from this table."
)


def _daily(book: Book, key: str, usd: Decimal, region: str, number: str) -> str:
    rows = []
    for currency in CURRENCIES[region]:
        base = book.local(usd, currency)
        days = (base, *(_band_price(book, key, base, band) for band, _ in BANDS))
        rows.append([currency, *(f"{day / 365:,.4f}" for day in days)])
    header = ["Currency", "List", *(label for _, label in BANDS)]
    return table(f"Table {number} - Price of a day", header, rows)


def _price_row(book: Book, key: str, usd: Decimal, currency: str, seats: int) -> list[str]:
    base = book.local(usd, currency)
    bands = [_band_price(book, key, base, band) for band, _ in BANDS]
    return [currency, *(money(value, currency) for value in (base, *bands, base * seats))]


def _band_price(book: Book, key: str, base: Decimal, band: str) -> Decimal:
    if key == "sm_m":
        return base
    capped = "volume_1000" if key == "em_m" and band == "volume_5000" else band
    return base * (100 - book.number("discount", capped)) / 100


NOT_RESOLD = frozenset({"sm_m", "tm_m", "em_m"})
TIERS = (("authorized", "Authorized"), ("silver", "Silver"), ("gold", "Gold"), ("platinum", "Platinum"))


def partners(book: Book) -> str:
    """Appendix G: partner margins and net prices."""
    intro = (
        "What a partner pays follows from its tier (9.2) and the list price on the day of its "
        "order (9.4). These tables serve quotes; an order "
        "placed at a price of another edition is corrected to the price of its own day."
    )
    return appendix(
        "G",
        "Partner margins and net prices",
        intro,
        [_tiers(book), _net_prices(book), *_local_prices(book), _rebates(book)],
    )


def _tiers(book: Book) -> str:
    extra = book.number("partner", "deal_registration")
    rows = [[name, f"{book.show('partner', key)} %", f"{book.number('partner', key) + extra} %"] for key, name in TIERS]
    note = (
        "A registered deal adds its percentage to the margin, not to the discount of the end "
        "customer. In LATAM a Platinum partner has "
        "only the Gold margin in its first year (9.2)."
    )
    return section(
        2,
        "G.1 Margins by tier",
        note,
        table("Table G.1 - Margin off list price", ["Tier", "Margin", "With a registered deal"], rows),
    )


def _net_prices(book: Book) -> str:
    rows = [row for region in REGIONS for row in _net_rows(book, region)]
    note = (
        "Monthly plans are not sold through partners (1.3). Prices are in "
        "USD at the regional factor; an order in another "
        "currency takes the local list price of Appendix A less the same margin. Credits to a "
        "reseller use these prices (9.1(b))."
    )
    header = ["Region", "Plan", *(name for _, name in TIERS)]
    return section(2, "G.2 Net prices", note, table("Table G.2 - Net price a seat in USD", header, rows))


def _net_rows(book: Book, region: str) -> list[list[str]]:
    rows = []
    for key, name, _, _ in PLANS:
        if key in NOT_RESOLD:
            continue
        usd = book.number("prices", key) * book.number("region", region)
        net = [money(usd * (100 - book.number("partner", tier)) / 100, "USD") for tier, _ in TIERS]
        rows.append([REGIONS[region], name, *net])
    return rows


def _local_prices(book: Book) -> list[str]:
    plans = [plan for plan in PLANS if plan[0] not in NOT_RESOLD]
    return [_local_plan(book, plan[0], plan[1], f"G.2.{i}") for i, plan in enumerate(plans, start=1)]


def _local_plan(book: Book, key: str, name: str, number: str) -> str:
    rows = []
    for region, currencies in CURRENCIES.items():
        for currency in currencies[1:] if region in {"na", "latam"} else currencies:
            base = book.local(book.number("prices", key) * book.number("region", region), currency)
            net = [money(base * (100 - book.number("partner", tier)) / 100, currency) for tier, _ in TIERS]
            rows.append([currency, *net])
    note = (
        f"What a partner pays for one full seat of {name} and a year when its order is not in "
        "USD, before the rebates of G.3."
    )
    header = ["Currency", *(tier for _, tier in TIERS)]
    caption = f"Table {number} - {name}, net price in local currency"
    return section(3, f"{number} {name}", note, table(caption, header, rows))


def _rebates(book: Book) -> str:
    steps = (
        ("below 250,000", "0", "0"),
        ("250,000 to 999,999", "1.0", "0.5"),
        ("1,000,000 to 2,999,999", "1.5", "1.0"),
        ("3,000,000 and more", "2.0", "1.0"),
    )
    rows = [[f"{band} USD", f"{new} %", f"{renewed} %"] for band, new, renewed in steps]
    note = (
        "Rebates are paid yearly on net orders of the calendar year and are claimed within "
        f"{book.show('partner', 'claims_days')} calendar days after "
        "its end (9.10). A claim that is late by one day is lost; the rate of the higher band "
        "applies to all orders of the year."
    )
    return section(
        2,
        "G.3 Yearly rebates",
        note,
        table("Table G.3 - Rebate by orders of the year", ["Net orders", "New business", "Renewals"], rows),
    )
