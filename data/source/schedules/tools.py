"""Money, tables and sections in Markdown for the schedules of the demo handbook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from handbook_source import Values

from schedules.data import CURRENCIES, WHOLE_UNITS


@dataclass(frozen=True, slots=True)
class Book:
    """The shared values as one edition sees them."""

    values: Values
    edition: str

    def whole(self, table: str, key: str) -> int:
        """An integer value."""
        return int(self.values.get(table, key, self.edition))

    def number(self, table: str, key: str) -> Decimal:
        """A value with decimals, or a percentage."""
        return Decimal(str(self.values.get(table, key, self.edition)))

    def show(self, table: str, key: str) -> str:
        """The value as prose prints it."""
        return self.values.show(table, key, self.edition)

    def has(self, table: str, key: str) -> bool:
        """True when the value is in force."""
        return self.values.has(table, key, self.edition)

    def local(self, usd: Decimal, currency: str) -> Decimal:
        """USD at the Book Rate."""
        return usd if currency == "USD" else usd * self.number("fx", currency)


def money(amount: Decimal, currency: str, *, exact: bool = True) -> str:
    """An amount as printed. `exact` keeps cents where the currency has them; else a round figure."""
    if exact and currency not in WHOLE_UNITS:
        return f"{amount.quantize(Decimal('0.01'), ROUND_HALF_UP):,}"
    if exact:
        return f"{amount.quantize(Decimal(1), ROUND_HALF_UP):,}"
    step = Decimal(5) if amount < 1000 else Decimal(50) if amount < 100_000 else Decimal(500)
    return f"{(amount / step).quantize(Decimal(1), ROUND_HALF_UP) * step:,}"


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A captioned Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]
    return "\n".join([caption, "", *lines])


def section(level: int, heading: str, *blocks: str) -> str:
    """A heading and its blocks, separated by blank lines."""
    return "\n\n".join([f"{'#' * level} {heading}", *blocks])


def appendix(letter: str, title: str, intro: str, parts: Iterable[str]) -> str:
    """One appendix file; its front matter says that a script wrote it."""
    return "\n\n".join(["---\ngenerated: true\n---", section(1, f"Appendix {letter} {title}", intro), *parts]) + "\n"


def all_currencies() -> list[str]:
    """Each billing currency once, in the order of the regions."""
    return list(dict.fromkeys(c for region in CURRENCIES.values() for c in region))


def records(text: str) -> list[list[str]]:
    """Rows of `a b c; d e f` data; a hyphen inside a field stands for a blank."""
    return [row.split() for row in text.split(";")]


def plain(word: str) -> str:
    """A data field as printed."""
    return word.replace("-", " ")
