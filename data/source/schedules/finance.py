"""Appendices B (approval matrices) and C (travel rates)."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

from schedules.data import (
    CITIES,
    CITY_CHANGES,
)
from schedules.tools import Book, all_currencies, appendix, section, table

ROLES = (
    ("specialist", "Billing Specialist"),
    ("teamlead", "Team lead, Billing"),
    ("director", "Director of Revenue Operations"),
    ("controller", "Controller"),
    ("cfo", "Chief Financial Officer"),
)
SPEND_ROLES = (
    ("budget_owner", "Budget owner"),
    ("department_head", "Department head"),
    ("vp", "Vice President"),
    ("cfo", "Chief Financial Officer"),
)
DISCOUNT_ROLES = (
    ("rep", "Account manager"),
    ("manager", "Sales Manager"),
    ("director", "Sales Director"),
    ("deal_desk", "Deal Desk"),
    ("cfo", "Chief Financial Officer"),
)

MATRICES = (
    (
        "B.1",
        "Credit memos",
        "memo",
        (
            "The row of 8.3 for the Director of Revenue Operations is not available for reseller "
            "orders: there the Controller approves from the "
            "first dollar above the team lead's limit. Seat credits follow 8.4 and not this table."
        ),
    ),
    (
        "B.2",
        "Refunds",
        "refund",
        (
            "A refund leaves the company in cash, so its limits are never above those for credit "
            "memos. Where a refund and a credit memo "
            "settle the same claim, the limit for refunds applies to both together."
        ),
    ),
    (
        "B.3",
        "Write-offs",
        "writeoff",
        (
            "A Billing Specialist has no authority to write off. A settlement for less than the "
            "whole debt counts as a write-off of the difference."
        ),
    ),
)


def limit(book: Book, usd: int, currency: str) -> str:
    """A limit in a currency: at the Book Rate, rounded down to two leading digits, never above the USD limit."""
    amount = book.local(Decimal(usd), currency)
    if currency == "USD" or amount < 10:
        return f"{amount.quantize(Decimal(1), ROUND_DOWN):,}"
    step = Decimal(10) ** (len(str(int(amount))) - 2)
    return f"{(amount / step).quantize(Decimal(1), ROUND_DOWN) * step:,}"


def approvals(book: Book) -> str:
    """Appendix B: approval limits by role, in each billing currency."""
    intro = (
        "The limits in USD stand in the chapters; this appendix restates them in the billing "
        "currencies at the Book Rates of 14.2, rounded down. "
        "The USD limit is the limit: a document in another currency is within it when it is "
        "within the figure printed here, and no day rate changes that. "
        "Where two limits apply, the lower one does (8.2, 22.2)."
    )
    parts = [_matrix(book, *matrix) for matrix in MATRICES]
    return appendix(
        "B", "Approval matrices", intro, [*parts, _discounts(book), _spend(book), _cards(book), _automated(book)]
    )


def _matrix(book: Book, number: str, title: str, prefix: str, note: str) -> str:
    usd = [book.whole("limits", f"{prefix}_{key}") for key, _ in ROLES]
    rows = [[currency, *(limit(book, value, currency) for value in usd)] for currency in all_currencies()]
    caption = f"Table {number} - {title}, limit a document"
    header = ["Currency", *(name for _, name in ROLES)]
    above = "Above the last column the Audit Committee decides."
    half = [[currency, *(limit(book, value // 2, currency) for value in usd)] for currency in all_currencies()]
    delegates = table(f"Table {number}a - {title}, delegates without a written delegation", header, half)
    why = (
        "A delegate without a written delegation has half the limit of the role (8.10), of "
        "which a further delegate has nothing."
    )
    return section(2, f"{number} {title}", f"{note} {above}", table(caption, header, rows), why, delegates)


def _discounts(book: Book) -> str:
    rows = [[name, f"{book.show('discount', key)} %"] for key, name in DISCOUNT_ROLES]
    note = (
        "Measured on the value of the whole order form, not on a line (2.2). Free months "
        "count at list value. For Public Sector Annual the Sales Director's row is not "
        "available, and on monthly plans none is."
    )
    return section(
        2,
        "B.4 Discounts",
        note,
        table("Table B.4 - Largest discount by role", ["Role", "Discount off list price"], rows),
    )


def _spend(book: Book) -> str:
    usd = [book.whole("limits", f"po_{key}") for key, _ in SPEND_ROLES]
    rows = [[currency, *(limit(book, value, currency) for value in usd)] for currency in all_currencies()]
    note = (
        "The amount is spend as defined in 25.18: all option years and tax that cannot be "
        "recovered are counted. A budget owner may not approve a purchase for own use. Above "
        "the last column the Board decides (20.3)."
    )
    return section(
        2,
        "B.5 Purchase orders",
        note,
        table("Table B.5 - Purchase orders", ["Currency", *(name for _, name in SPEND_ROLES)], rows),
    )


def _cards(book: Book) -> str:
    usd = (book.whole("limits", "card_single"), book.whole("limits", "card_cycle"))
    rows = [[currency, *(limit(book, value, currency) for value in usd)] for currency in all_currencies()]
    same = book.whole("limits", "quotes_three") == usd[1]
    alike = ", although in USD it is the same figure as that of 20.4"
    threshold = alike if same else " and does not replace that of 20.4"
    virtual = " Virtual cards have the sum of 18.13 instead." if book.edition >= "2025-07-01" else ""
    note = (
        f"Both limits include tax, delivery and tips. The cycle limit is not a procurement threshold{threshold}. "
        f"Where 18.14 names a lower cycle limit for the cardholder's region, that one holds.{virtual}"
    )
    return section(
        2,
        "B.6 Purchase cards",
        note,
        table("Table B.6 - Card limits", ["Currency", "One purchase", "Billing cycle"], rows),
    )


def _automated(book: Book) -> str:
    if not book.has("limits", "auto_settle"):
        return section(
            2,
            "B.7 Automated settlement",
            "No software may settle a claim in this edition. Each settlement is entered by a person named in 22.3.",
        )
    usd = book.whole("limits", "auto_settle")
    rows = [[currency, limit(book, usd, currency)] for currency in all_currencies()]
    note = (
        "Nothing in this table opens automated settlement for Enterprise plans, reseller "
        "orders, seat credits or open disputes, which 8.5 excludes at any amount."
    )
    return section(
        2,
        "B.7 Automated settlement",
        note,
        table("Table B.7 - Automated settlement", ["Currency", "Limit a document"], rows),
    )


def travel(book: Book) -> str:
    """Appendix C: lodging caps and per diems by city."""
    intro = (
        "Lodging is a cap for one night before local tax; the per diem is for meals and "
        "incidentals and is the most that is paid for them by day (19.7). A place that is not listed takes the "
        "rate of the nearest listed place in the same country, and failing that the lowest "
        "rate of its table. Rates are in USD and are paid in the traveller's "
        "payroll currency at the rate of 14.13."
    )
    parts = [_cities(book, title, text, f"C.{i}") for i, (title, text) in enumerate(CITIES.items(), start=1)]
    return appendix("C", "Travel rates by city", intro, parts)


def _cities(book: Book, title: str, text: str, number: str) -> str:
    changed = {
        city: (lodging, meals) for since, city, lodging, meals in CITY_CHANGES.get(title, ()) if since <= book.edition
    }
    share = book.number("travel", "first_last_percent") / 100
    rows = []
    for entry in text.split(";"):
        city, lodging, meals = entry.strip().rsplit(" ", 2)
        night, day = changed.get(city, (int(lodging), int(meals)))
        cuts = (share, Decimal("0.7"), Decimal("0.2"), Decimal("0.3"))
        rows.append([city, str(night), str(day), *(f"{day * cut:.2f}" for cut in cuts)])
    note = (
        f"Rates of {title} for nights and days from the day the edition takes effect. Long "
        "stay is for more than 30 nights (19.15), what a manager may allow above the cap is not printed "
        "but worked out by 19.8, and the cuts are those of 19.9; in a long stay the cuts and the "
        "first and last day are seven tenths of what is printed."
    )
    header = [
        "City",
        "Lodging cap",
        "Per diem",
        "First and last day",
        "Long stay",
        "Breakfast cut",
        "Lunch or dinner cut",
    ]
    return section(2, f"{number} {title}", note, table(f"Table {number} - {title}, USD", header, rows))
