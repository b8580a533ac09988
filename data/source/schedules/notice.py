"""Appendices E (notice periods) and F (service credits)."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from schedules.data import REGIONS
from schedules.tools import Book, appendix, section, table

PERIODS = (10, 15, 30, 45, 60, 75, 90)


def notices(book: Book) -> str:
    """Appendix E: the matrix of notice periods, and last days worked out."""
    intro = (
        "This is the matrix of 6.3. Periods are calendar days before the renewal date unless "
        "a cell says otherwise, and are counted as 6.4 says. "
        "A dash means that the step does not exist on that plan, not that no notice is needed."
    )
    halves = [(year, half) for year in range(2024, 2029) for half in (0, 1)]
    years = [_last_days(year, half, f"E.5.{i}") for i, (year, half) in enumerate(halves, start=1)]
    lead = (
        "The last day is the latest day of receipt, worked out by 6.4: neither the day of "
        "receipt nor the renewal date is counted. "
        "A last day that is a holiday moves to the business day before it (6.4.2), except for "
        "seat reductions under 4.2.2."
    )
    worked = section(2, "E.5 Last days worked out", lead)
    return appendix(
        "E",
        "Notice periods",
        intro,
        [_reductions(book), _nonrenewal(book), _termination(book), _regional(book), worked, *years],
    )


def _days(book: Book, key: str) -> str:
    return f"{book.show('notice', key)} days" if book.has("notice", key) else "-"


def _reductions(book: Book) -> str:
    rows = [
        ["Starter Monthly, Team Monthly", "none", "first day of the next month"],
        [
            "Team Annual, Business Annual",
            "none",
            "day of the request; co-termed with Enterprise Annual as for that plan (4.4.3)",
        ],
        [
            "Enterprise Annual",
            _days(book, "reduce_ea"),
            "renewal date"
            if book.edition >= "2026-01-01"
            else "renewal date; once a term, after six months, on another day (4.2.2)",
        ],
        ["Enterprise Multi-Year", _days(book, "reduce_emy"), "anniversary (3.15)"],
        [
            "Public Sector Annual",
            _days(book, "reduce_psa"),
            "renewal date[^ps]" if book.edition >= "2026-07-01" else "renewal date",
        ],
        ["Pooled reseller orders", _days(book, "reduce_pool"), "renewal date; through the reseller only (9.1(b))"],
        ["Leaving a co-termed group", _days(book, "leave_group"), "common renewal date (4.4.4)"],
    ]
    if book.has("notice", "reduce_em"):
        rows.insert(2, ["Enterprise Monthly", _days(book, "reduce_em"), "next billing date (1.9)"])
    blocks = [
        'Chapter 4 decides; this table repeats it. A period of "none" does not mean that a credit arises.',
        table("Table E.1 - Fewer seats", ["Plan", "Notice", "Takes effect"], rows),
    ]
    if book.edition >= "2026-07-01":
        blocks.append(
            "[^ps]: 10 days, and the first day of the fiscal year, where funds were not appropriated (4.6.3)."
        )
    return section(2, "E.1 Fewer seats", *blocks)


def _nonrenewal(book: Book) -> str:
    keys = (
        ("Team Annual", "ta"),
        ("Business Annual", "ba"),
        ("Enterprise Annual", "ea"),
        ("Enterprise Multi-Year", "emy"),
        ("Public Sector Annual", "psa"),
        ("Reseller orders, by the partner", "reseller"),
    )
    rows = [[name, _days(book, f"nonrenew_{key}")] for name, key in keys]
    note = (
        "Notice not to renew does not reduce seats in the current term. Public Sector Annual "
        "ends by itself; its period is for a body that has agreed to automatic renewal in its "
        "order form."
    )
    return section(2, "E.2 Non-renewal", note, table("Table E.2 - Non-renewal", ["Plan", "Notice"], rows))


def _termination(book: Book) -> str:
    rows = [
        ["Price increase by Quillhaven", _days(book, "uplift_notice"), "before the renewal date"],
        ["Suspension", _days(book, "suspend_notice"), "before suspension; none for security (6.8)"],
        ["Termination for cause", _days(book, "cure_days"), "to cure; ten for non-payment (6.9)"],
        ["Termination for convenience, Enterprise Monthly", _days(book, "convenience_em"), "from receipt"],
    ]
    note = (
        "Where the order form names a longer period for Quillhaven, the longer one holds; a "
        "shorter one in an order form has no effect on suspension."
    )
    return section(
        2,
        "E.3 Increase, suspension and termination",
        note,
        table("Table E.3 - Other notices", ["Step", "Notice", "Counted"], rows),
    )


def _regional(book: Book) -> str:
    kingdom = ", but not in the United Kingdom" if book.edition >= "2026-07-01" else ""
    brazil = "Brazil: plus 5 business days (6.12.3)" if book.edition >= "2025-07-01" else "no change"
    rows = [
        [REGIONS["na"], "no change", "no change"],
        [REGIONS["emea"], f"self-serve: one month at most (6.12.1){kingdom}", "no change"],
        [REGIONS["apac"], "Japan: Enterprise plus 10 days (6.12.2)", "no change"],
        [REGIONS["latam"], "no change", brazil],
    ]
    note = (
        "Regional rules lengthen what Tables E.2 and E.3 say, except that of 6.12.1, which sets a greatest "
        "length; none of them touches Table E.1."
    )
    return section(
        2, "E.4 Regional differences", note, table("Table E.4 - Regions", ["Region", "Non-renewal", "Suspension"], rows)
    )


def _last_days(year: int, half: int, number: str) -> str:
    months = range(1 + 6 * half, 7 + 6 * half)
    renewals = [date(year, month, day) for month in months for day in (1, 8, 15, 22)]
    rows = [[f"{r:%-d %B}", *(f"{r - timedelta(days=p + 1):%Y-%m-%d}" for p in PERIODS)] for r in renewals]
    header = ["Renewal date", *(f"{p} days" for p in PERIODS)]
    span = f"{('January to June', 'July to December')[half]} {year}"
    note = (
        f"For renewal dates from {span}. Take the column of the period that the matrix gives for the plan; "
        "a renewal date between two rows is counted from itself and not from the row above."
    )
    caption = f"Table {number} - Last day of receipt, {span}"
    return section(3, f"{number} Renewal dates, {span}", note, table(caption, header, rows))


def service(book: Book) -> str:
    """Appendix F: availability, credit steps, and minutes worked out."""
    intro = (
        "Percentages of this appendix go into the formula of 16.4; whether a credit is due at "
        "all is decided by 16.6 and 16.8. Availability is measured for a calendar month "
        "and a region, and is never averaged over regions."
    )
    return appendix(
        "F", "Service credits", intro, [_commitments(book), _steps(book), _minutes(), _responses(), _worked(book)]
    )


def _first(book: Book, before: str, since: str) -> str:
    """Public Sector Annual counts as an Enterprise plan for service credits since 2026-07-01."""
    return since if book.edition >= "2026-07-01" else before


def _commitments(book: Book) -> str:
    rows = [
        ["Starter, Team", "none", "no credit"],
        [
            _first(book, "Business Annual, Public Sector Annual", "Business Annual"),
            f"{book.show('sla', 'uptime_business')} %",
            "Table F.2, first column",
        ],
        [
            _first(book, "Enterprise plans", "Enterprise plans, Public Sector Annual (25.1)"),
            f"{book.show('sla', 'uptime_enterprise')} %",
            "Table F.2, second column",
        ],
    ]
    note = (
        "The 99.0 % of 4.6.2 is no commitment of this table: it opens a downgrade, and a credit here does not prove it."
    )
    return section(
        2, "F.1 Commitments", note, table("Table F.1 - Monthly availability", ["Plan", "Commitment", "Credit"], rows)
    )


def _steps(book: Book) -> str:
    cap = book.number("sla", "credit_cap")
    bands = ("commitment to 99.5", "below 99.5 to 99.0", "below 99.0 to 98.0", "below 98.0 to 95.0", "below 95.0")
    steps = ((5, 10), (10, 15), (20, 25), (30, 40), (30, 50))
    rows = [
        [f"{band} %", *(f"{min(Decimal(step), cap)} %" for step in pair)]
        for band, pair in zip(bands, steps, strict=True)
    ]
    columns = (
        _first(book, "Business, Public Sector", "Business"),
        _first(book, "Enterprise", "Enterprise, Public Sector"),
    )
    note = (
        f"Percent of the monthly fee share (16.5). No row gives more than {cap} %, the cap of "
        "16.4, whatever the order form promised before it was capped."
    )
    return section(
        2,
        "F.2 Credit steps",
        note,
        table("Table F.2 - Service credit", ["Availability", *columns], rows),
    )


FEES = (250, 500, 1000, 2000, 3500, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 50_000, 75_000, 100_000)


def _worked(book: Book) -> str:
    cap = book.number("sla", "credit_cap")
    steps = [min(Decimal(step), cap) for step in (5, 10, 15, 20, 25, 30, 40, 50)]
    rows = [[f"{fee:,}", *(f"{fee * step / 100:,.2f}" for step in steps)] for fee in FEES]
    note = (
        "The monthly fee share is in USD, after discount and without add-ons. Columns to the "
        "right of the cap of 16.4 repeat the capped amount, so that an "
        "old order form can be read against this table."
    )
    header = ["Monthly fee share", *(f"{step} %" for step in (5, 10, 15, 20, 25, 30, 40, 50))]
    return section(2, "F.5 Credits worked out", note, table("Table F.5 - Service credit in USD", header, rows))


def _minutes() -> str:
    levels = ("99.95", "99.9", "99.8", "99.5", "99.0", "98.0", "95.0")
    rows = [
        [str(days), *(f"{days * 1440 * (100 - Decimal(level)) / 100:.1f}" for level in levels)]
        for days in (28, 29, 30, 31)
    ]
    note = (
        "Minutes of downtime at which a level is just kept. Planned maintenance within 16.3.1 "
        "is taken out before, and partial outages count by the share of requests that failed."
    )
    return section(
        2,
        "F.3 Minutes of downtime",
        note,
        table("Table F.3 - Minutes a month", ["Days in the month", *(f"{level} %" for level in levels)], rows),
    )


def _responses() -> str:
    rows = [
        ["P1, service down", "8 business hours", "1 hour", "30 minutes"],
        ["P2, main function down", "2 business days", "4 hours", "2 hours"],
        ["P3, fault with a way round", "5 business days", "2 business days", "1 business day"],
        ["P4, question", "10 business days", "5 business days", "3 business days"],
    ]
    note = (
        "First response, not solution. Hours run at all times for Premium Support and in business hours of the selling "
        "entity for everybody else, also where a cell speaks of plain hours."
    )
    return section(
        2,
        "F.4 First response",
        note,
        table("Table F.4 - Targets", ["Priority", "Team", "Business", "Enterprise"], rows),
    )
