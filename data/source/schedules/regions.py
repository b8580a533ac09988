"""Appendix J: closing days, closing calendar and country annexes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from schedules.data import APAC_TAX, EMEA_TAX, LATAM_TAX
from schedules.tools import Book, appendix, plain, records, section, table

YEARS = (2025, 2026, 2027)
ENTITIES = (
    "Quillhaven, Inc.",
    "Quillhaven Europe B.V.",
    "Quillhaven Asia Pacific Pte. Ltd.",
    "Quillhaven Brasil Ltda.",
)
SHORT = ("Inc.", "B.V.", "Pte. Ltd.", "Ltda.")

# (name, days from Easter Sunday or (month, day), entities that close)
CLOSING_DAYS = (
    ("New Year's Day", (1, 1), (0, 1, 2, 3)),
    ("Good Friday", -2, (1, 2, 3)),
    ("Easter Monday", 1, (1,)),
    ("King's Day", (4, 27), (1,)),
    ("Labour Day", (5, 1), (2, 3)),
    ("Ascension Day", 39, (1,)),
    ("Whit Monday", 50, (1,)),
    ("Corpus Christi", 60, (3,)),
    ("Juneteenth", (6, 19), (0,)),
    ("Independence Day", (7, 4), (0,)),
    ("National Day", (8, 9), (2,)),
    ("Founders' Day", (9, 14), (0, 1, 2, 3)),
    ("Republic Day", (11, 15), (3,)),
    ("Christmas Eve", (12, 24), (3,)),
    ("Christmas Day", (12, 25), (0, 1, 2, 3)),
    ("Second day of Christmas", (12, 26), (1,)),
)

EURO = frozenset(
    {
        "Austria",
        "Belgium",
        "Bulgaria",
        "Croatia",
        "Cyprus",
        "Estonia",
        "Finland",
        "France",
        "Germany",
        "Greece",
        "Ireland",
        "Italy",
        "Latvia",
        "Lithuania",
        "Luxembourg",
        "Malta",
        "Netherlands",
        "Portugal",
        "Slovakia",
        "Slovenia",
        "Spain",
    }
)
OWN = {
    "Denmark": "DKK",
    "Poland": "PLN",
    "Sweden": "SEK",
    "United-Kingdom": "GBP",
    "Switzerland": "CHF",
    "Norway": "NOK",
    "South-Africa": "ZAR",
    "United-Arab-Emirates": "AED",
    "Saudi-Arabia": "AED",
    "Singapore": "SGD",
    "Australia": "AUD",
    "New-Zealand": "NZD",
    "India": "INR",
    "Japan": "JPY",
    "South-Korea": "KRW",
    "Hong-Kong": "HKD",
    "Brazil": "BRL",
    "Mexico": "MXN",
    "Chile": "CLP",
    "Colombia": "COP",
}
E_INVOICE = frozenset(
    {
        "Italy",
        "Mexico",
        "Brazil",
        "Chile",
        "Colombia",
        "India",
        "Poland",
        "France",
        "Saudi-Arabia",
        "Türkiye",
        "Peru",
        "Argentina",
        "Costa-Rica",
        "Ecuador",
    }
)
ORDER_LANGUAGE = {
    "Japan": "Japanese or English",
    "Brazil": "Portuguese or English",
    "France": "French or English",
    "Germany": "German or English",
}


def easter(year: int) -> date:
    """Easter Sunday (Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def closing_day(rule: int | tuple[int, int], year: int) -> date:
    """A closing day of one year."""
    return easter(year) + timedelta(days=rule) if isinstance(rule, int) else date(year, *rule)


def business_days(entity: int, year: int, month: int) -> Iterator[date]:
    """Business days of an entity from the first of a month on, within 31 days."""
    closed = {closing_day(rule, year) for _, rule, entities in CLOSING_DAYS if entity in entities}
    first = date(year, month, 1)
    return (d for d in (first + timedelta(days=i) for i in range(31)) if d.weekday() < 5 and d not in closed)


def regions(book: Book) -> str:
    """Appendix J: closing days, closing calendar, countries."""
    intro = (
        "This annex holds what differs by selling entity and by country. It gives no right "
        "and sets no limit of its own: where a cell and a chapter differ, the chapter holds."
    )
    lead = (
        "Business day n of a month is the n-th day on which the entity is open; the books of "
        "the month before are closed on it (17.12). The column that counts is the one that "
        "17.12 names in the edition in force."
    )
    calendars = [_calendar(year, f"J.2.{i}") for i, year in enumerate(YEARS, start=1)]
    countries = [_countries(*part) for part in COUNTRY_TABLES]
    return appendix(
        "J",
        "Entities, calendars and countries",
        intro,
        [_closed(), section(2, "J.2 Closing calendar", lead), *calendars, *countries],
    )


def _closed() -> str:
    rows = []
    for name, rule, entities in CLOSING_DAYS:
        rows.append(
            [
                name,
                *(f"{closing_day(rule, year):%a %-d %b %Y}" for year in YEARS),
                ", ".join(SHORT[e] for e in entities),
            ]
        )
    note = (
        "A closing day that falls on a Saturday or Sunday is not moved. The calendar of the "
        "entity that issued the order form counts, not that of the customer (6.4.1)."
    )
    return section(
        2, "J.1 Closing days", note, table("Table J.1 - Closing days", ["Day", *map(str, YEARS), "Closed at"], rows)
    )


def _calendar(year: int, number: str) -> str:
    rows = [_calendar_row(year, month) for month in range(1, 13)]
    header = ["Month", *(f"{short}, day {n}" for short in SHORT for n in (5, 6, 7))]
    note = (
        f"Closing in {year} of the month before the one named. Group reporting follows the latest of the four entities."
    )
    return section(
        3, f"{number} Closing in {year}", note, table(f"Table {number} - Business days 5 to 7, {year}", header, rows)
    )


def _calendar_row(year: int, month: int) -> list[str]:
    cells = [f"{date(year, month, 1):%B}"]
    for entity in range(len(ENTITIES)):
        days = list(business_days(entity, year, month))
        cells += [f"{days[n - 1]:%-d %b}" for n in (5, 6, 7)]
    return cells


COUNTRY_TABLES = (
    (
        "J.3",
        "Countries of EMEA",
        EMEA_TAX,
        1,
        (
            "Quillhaven Europe B.V. sells in all of them, and issues invoices under its own "
            "registrations (13.13). A euro price may be chosen in each country (14.1)."
        ),
    ),
    (
        "J.4",
        "Countries of APAC",
        APAC_TAX,
        2,
        (
            "Quillhaven Asia Pacific Pte. Ltd. sells in all of them; an Indian order above 50 full "
            "seats is taken by its branch in Bengaluru, which signs for it (1.1)."
        ),
    ),
    (
        "J.5",
        "Countries of LATAM",
        LATAM_TAX,
        3,
        (
            "Quillhaven Brasil Ltda. sells in Brazil; everywhere else in the region Quillhaven, "
            "Inc. sells, and the table names the currencies in which it does."
        ),
    ),
)


def _countries(number: str, title: str, text: str, entity: int, note: str) -> str:
    rows = [_country(row[0], entity) for row in records(text)]
    header = ["Country", "Selling entity", "Billing currency", "Electronic invoice", "Language of notices"]
    return section(2, f"{number} {title}", note, table(f"Table {number} - {title}", header, rows))


def _country(country: str, entity: int) -> list[str]:
    seller = 0 if entity == 3 and country != "Brazil" else entity
    currency = "EUR" if country in EURO else OWN.get(country, "EUR" if entity == 1 else "USD")
    invoice = "required" if country in E_INVOICE else "on request"
    language = "Spanish or English" if entity == 3 else "English"
    return [plain(country), ENTITIES[seller], currency, invoice, ORDER_LANGUAGE.get(country, language)]
