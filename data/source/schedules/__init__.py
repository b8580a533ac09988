"""The appendices of the demo handbook: rate cards, matrices and calendars, as files of one edition.

Values come from values.toml, which the chapters share, and from data.py (cities, tax rates).
"""

from __future__ import annotations

from handbook_source import Values

from schedules.finance import approvals, travel
from schedules.notice import notices, service
from schedules.prices import partners, prices
from schedules.regions import regions
from schedules.taxes import taxes
from schedules.tools import Book
from schedules.usage import usage

APPENDICES = (
    ("appendix-a-list-prices.md", prices),
    ("appendix-b-approval-matrices.md", approvals),
    ("appendix-c-travel-rates.md", travel),
    ("appendix-d-taxes.md", taxes),
    ("appendix-e-notice-periods.md", notices),
    ("appendix-f-service-credits.md", service),
    ("appendix-g-partner-margins.md", partners),
    ("appendix-h-usage-rates.md", usage),
    ("appendix-j-entities-and-countries.md", regions),
)


def schedules(values: Values, edition: str) -> dict[str, str]:
    """File name -> Markdown of each appendix as it stands in an edition."""
    book = Book(values, edition)
    return {name: write(book) for name, write in APPENDICES}
