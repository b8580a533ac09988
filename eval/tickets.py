"""Tickets: questions as people ask them, each with its date and the quotes that must come back.

A folder holds two JSON Lines files: tickets.jsonl, and rewrites.jsonl with four frozen rewrites of each
message. Both are validated as they are loaded; whether the quotes stand in the handbook is another check's
matter (`eval.ticket_check`).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, field_validator, model_validator

from ingest.dates import Day

LEAST_QUOTED: Final = 3
"""Words of the shortest quote that can name one place."""
_NAME: Final = r"^[a-z0-9][a-z0-9-]*$"
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

Split = Literal["tune", "holdout"]


class Kind(StrEnum):
    """What a ticket tries."""

    EXCEPTION = "exception"
    PLAIN = "plain"
    DATED = "dated"
    UNANSWERABLE = "unanswerable"


class Role(StrEnum):
    """What a quote is to the answer."""

    RULE = "rule"
    EXCEPTION = "exception"
    CONDITION = "condition"
    DEFINITION = "definition"


class Style(StrEnum):
    """How a rewriting model spoiled a query."""

    DROPPED_QUALIFIER = "dropped-qualifier"
    KEYWORDS = "keywords"
    OVER_GENERAL = "over-general"
    WRONG_SYNONYM = "wrong-synonym"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Anchor(_Entry):
    """A quote that must come back in its own section's text, or in an identical section."""

    quote: str = Field(
        description="Verbatim from the section's own text, without its subsections; only white space is normalised."
    )
    document: str = Field(min_length=1, description='The document: its path below the edition folder, "04-seats.md".')
    section: str = Field(
        min_length=1, description='The section: its number, "4.2.2", or its title path, "Seats > Downgrades > Notice".'
    )
    role: Role = Field(description="What the quote is to the answer: rule, exception, condition or definition.")

    @field_validator("quote")
    @classmethod
    def _long_enough(cls, quote: str) -> str:
        if len(quote.split()) < LEAST_QUOTED:
            raise ValueError(f"a quote of fewer than {LEAST_QUOTED} words")
        return quote


class Ticket(_Entry):
    """One question, its date, and what a good answer rests on."""

    id: str = Field(pattern=_NAME, description="Unique in the file: lower case, digits and hyphens.")
    message: str = Field(description="What the customer or colleague wrote, in their words, not the handbook's.")
    as_of: datetime.date = Field(description="The day whose policy is asked about, such as 2026-03-15.")
    kind: Kind = Field(
        description="exception: needs the rule and the clause that limits it; plain: one clause answers it; "
        "dated: the answer depends on the day; unanswerable: the handbook does not say."
    )
    family: str = Field(
        pattern=_NAME,
        description="Tickets about the same clause, or the same question on several days; of one kind, never split.",
    )
    gold: tuple[Anchor, ...] = Field(description="The quotes that an answer needs; none where it is unanswerable.")
    answer: str = Field(description="The answer in a sentence; of an unanswerable ticket, why there is none.")
    split: Split | None = Field(description="tune or holdout, dealt by `caveat tickets split`; null until then.")
    notes: str = Field(description="For maintainers: the trap, and what a bad retriever returns. May be empty.")

    @field_validator("as_of", mode="before")
    @classmethod
    def _iso_day(cls, day: object) -> object:
        # Left alone, the model would take a number for seconds since 1970.
        if isinstance(day, datetime.date) or (isinstance(day, str) and _DAY.fullmatch(day)):
            return day
        raise ValueError("no day such as 2026-03-15")

    @field_validator("message", "answer")
    @classmethod
    def _filled(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("empty: fill it in")
        return text

    @model_validator(mode="after")
    def _gold_fits_kind(self) -> Self:
        roles = {anchor.role for anchor in self.gold}
        if bool(self.gold) == (self.kind is Kind.UNANSWERABLE):
            raise ValueError(f"gold: {len(self.gold)} quotes in a ticket of kind {self.kind}")
        if self.kind is Kind.EXCEPTION and (Role.RULE not in roles or len(roles) < 2):
            raise ValueError("gold: an exception ticket quotes a rule, and a clause with another role that limits it")
        return self

    @property
    def day(self) -> Day:
        """`as_of` as the handbook's timeline counts days."""
        return self.as_of.toordinal()

    @property
    def crosses_sections(self) -> bool:
        """Whether its quotes stand in more than one section."""
        return len({(anchor.document, anchor.section) for anchor in self.gold}) > 1


class Rewrite(_Entry):
    """A message as a rewriting model might send it on."""

    style: Style = Field(description="dropped-qualifier, keywords, over-general or wrong-synonym; each once a ticket.")
    text: str = Field(description="The query as the retriever gets it.")
    lost: str = Field(description='What it lost or got wrong, in a few words: "Enterprise Annual".')
    ambiguous: StrictBool = Field(description="Whether that makes the question ambiguous for any reader; scored apart.")

    @field_validator("text", "lost")
    @classmethod
    def _filled(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("empty: fill it in")
        return text


class Rewrites(_Entry):
    """The four rewrites of one ticket."""

    ticket: str = Field(pattern=_NAME, description="The id of the ticket.")
    rewrites: tuple[Rewrite, ...] = Field(description="Four, one of each style.")

    @model_validator(mode="after")
    def _each_style_once(self) -> Self:
        styles = sorted(rewrite.style for rewrite in self.rewrites)
        if styles != sorted(Style):
            raise ValueError(f"styles {', '.join(styles) or 'none'}; wanted is each of {', '.join(Style)} once")
        if len({plain(rewrite.text) for rewrite in self.rewrites}) < len(Style):
            raise ValueError("two of the texts are the same")
        return self


def plain(text: str) -> str:
    """A text as it is compared: white space and case do not count."""
    return normal(text).casefold()


def normal(text: str) -> str:
    """A quote or a text that may hold it, white space normalised."""
    return " ".join(text.split())


def families(tickets: Iterable[Ticket]) -> dict[str, tuple[Ticket, ...]]:
    """Tickets by family, in their order."""
    found: dict[str, list[Ticket]] = {}
    for ticket in tickets:
        found.setdefault(ticket.family, []).append(ticket)
    return {family: tuple(members) for family, members in found.items()}


def field_comments(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Name and meaning of each field."""
    for name, field in model.model_fields.items():
        yield name, field.description or ""
