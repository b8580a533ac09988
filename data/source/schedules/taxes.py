"""Appendix D: tax rates and related country lists."""

from __future__ import annotations

from schedules.data import APAC_TAX, EMEA_TAX, HIGH_INFLATION, LATAM_TAX, US_TAX, WITHHOLDING
from schedules.tools import Book, appendix, plain, records, section, table


def taxes(book: Book) -> str:
    """Appendix D: tax rates and related country lists."""
    intro = (
        "The rates are those that the billing system applies; they inform, and the law of the "
        "day prevails where it differs. Which table is used depends on the place "
        "of supply (13.2), not on the selling entity."
    )
    # 13.6, taxes in LATAM, exists since 2025-07-01.
    early = book.edition < "2025-07-01"
    rates = [
        _rates(number, title, text, note.replace(" (13.6)", "") if early else note)
        for number, title, text, note in RATE_TABLES
    ]
    parts = [_evidence(), _states(), *rates, _withholding(), _inflation(book)]
    return appendix("D", "Taxes by country", intro, parts)


RATE_TABLES = (
    (
        "D.3",
        "VAT in EMEA",
        EMEA_TAX,
        (
            "Reverse charge applies between businesses where the customer's number is valid (13.4.1). Where "
            "Quillhaven is registered it charges the tax itself."
        ),
    ),
    (
        "D.4",
        "Taxes in APAC",
        APAC_TAX,
        "Registration under a simplified scheme does not allow Quillhaven to issue a full tax invoice in that country.",
    ),
    (
        "D.5",
        "Taxes in LATAM",
        LATAM_TAX,
        "Where Quillhaven is not registered the customer accounts for the tax itself, and no gross-up is due (13.6).",
    ),
)


def _evidence() -> str:
    rows = (
        ("Billing address", "yes", "yes"),
        ("Country of the bank or card", "yes", "no"),
        ("Network address at order", "yes", "no"),
        ("Tax number", "no", "yes"),
        ("Place of use stated in the order form", "no", "yes"),
    )
    note = (
        "Two items that do not conflict are needed. For a business customer a valid tax "
        "number alone is enough; for anybody else it proves nothing."
    )
    return section(
        2,
        "D.1 Evidence of the place of supply",
        note,
        table("Table D.1 - Accepted evidence", ["Evidence", "Self-serve", "Order form"], rows),
    )


def _states() -> str:
    rows = [
        [
            plain(state),
            taxed,
            f"{rate} %" if taxed == "yes" else "-",
            f"{int(threshold):,} USD" if threshold != "0" else "-",
        ]
        for state, taxed, rate, threshold in records(US_TAX)
    ]
    note = (
        "State rates only; local rates are added by address. A state that does not tax the "
        "service is listed so that nobody looks for its rate; an exemption certificate is not "
        "needed there."
    )
    return section(
        2,
        "D.2 United States",
        note,
        table("Table D.2 - Sales tax by state", ["State", "Service taxed", "State rate", "Economic nexus"], rows),
    )


def _rates(number: str, title: str, text: str, note: str) -> str:
    rows = [[plain(country), plain(tax), f"{rate} %", registered] for country, tax, rate, registered in records(text)]
    return section(
        2,
        f"{number} {title}",
        note,
        table(f"Table {number} - {title}", ["Country", "Tax", "Standard rate", "Quillhaven registered"], rows),
    )


def _withholding() -> str:
    rows = [[plain(country), f"{statutory} %", f"{treaty} %"] for country, statutory, treaty in records(WITHHOLDING)]
    note = (
        "The treaty rate needs a certificate of residence for the year of payment. A customer "
        "that withholds more than the statutory rate owes the difference."
    )
    return section(
        2,
        "D.6 Withholding tax",
        note,
        table("Table D.6 - Withholding on software fees", ["Country", "Statutory", "With certificate"], rows),
    )


def _inflation(book: Book) -> str:
    limit_text = "20" if book.edition >= "2026-07-01" else "15"
    early = book.edition < "2025-07-01"
    since = "The list serves credit reviews" if early else "The list is reviewed in each edition"
    effect = "no effect on prices or renewals" if early else "effect for renewals under 14.9 only"
    body = (
        f"{since}. A country is listed while its yearly consumer price inflation is above "
        f"{limit_text} %: {', '.join(HIGH_INFLATION)}. Listing has {effect}."
    )
    return section(2, "D.7 High-inflation countries", body)
