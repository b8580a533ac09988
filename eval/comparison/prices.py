"""What tokens, hosting and a month are reckoned at: `prices.toml`, replaceable, each row with its date and source.

Prices are USD per million tokens. What a row's source does not say is named in `assumed`, and shown as assumed.
"""

from __future__ import annotations

import tomllib
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ingest.errors import ConfigError

MILLION: Final = 1_000_000
SHIPPED: Final = "prices.toml"
MOST_TICKETS: Final = 10_000_000
"""A month, whose arrivals are drawn one by one."""
_MOST_USD: Final = 1e9
_MOST_MINUTES: Final = 1e6
_MOST_TOKENS: Final = 1_000_000_000
# Strict, so that `true` is no number; a whole number may stand for a fraction all the same.
Usd = Annotated[float, Field(strict=True, ge=0, le=_MOST_USD, allow_inf_nan=False)]
Tokens = Annotated[int, Field(strict=True, ge=0, le=_MOST_TOKENS)]


class _Row(BaseModel):
    """Figures with where they come from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    date: date
    """When they were written down."""
    source: str = Field(min_length=1)
    assumed: tuple[str, ...] = ()
    """Keys that the source does not say."""
    note: str = ""

    @model_validator(mode="after")
    def _assumes_its_own(self) -> Self:
        strange = [key for key in self.assumed if key not in type(self).model_fields]
        if strange:
            raise ValueError(f'"assumed" names "{strange[0]}", which is no key of the row')
        return self


class ModelPrice(_Row):
    """One model's prices."""

    name: str = Field(min_length=1)
    input: Usd
    cached_read: Usd
    cache_write: Usd
    output: Usd
    cache_from_tokens: Tokens
    """A shorter prefix is not cached."""
    cache_minutes: float = Field(strict=True, gt=0, le=_MOST_MINUTES, allow_inf_nan=False)
    """So long a prefix stays cached after it was last read."""


class Hosting(_Row):
    """What retrieval costs beside the model's tokens."""

    name: str = Field(min_length=1)
    usd_per_month: Usd
    embedding: Usd
    """USD per million tokens that are embedded: queries, and sections that changed."""


class Month(_Row):
    """How many tickets come, and when."""

    tickets: int = Field(strict=True, ge=1, le=MOST_TICKETS)
    days: int = Field(strict=True, ge=1, le=31)
    hours: float = Field(strict=True, ge=0.1, le=24, allow_inf_nan=False)
    """A day, in which all of its tickets come."""
    output_tokens: Tokens
    """Of one answer; the same in every arm."""

    @property
    def minutes(self) -> float:
        """Of one day."""
        return self.hours * 60


class Prices(BaseModel):
    """A whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: tuple[ModelPrice, ...] = Field(min_length=1)
    hosting: tuple[Hosting, ...] = Field(min_length=1)
    month: Month


Named = TypeVar("Named", ModelPrice, Hosting)


def read_prices(file: Path | None = None) -> Prices:
    """The prices of a file; of the one that ships with the program where none is named.

    Raises:
        ConfigError: unreadable, not TOML, or a key is missing, unknown or out of bounds.
    """
    where = str(file) if file else SHIPPED
    try:
        text = file.read_text("utf-8") if file else files(__package__).joinpath(SHIPPED).read_text("utf-8")
        return Prices.model_validate(tomllib.loads(text))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=where) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"is not TOML: {error}", where=where) from error
    except ValidationError as error:
        raise _fault(error, where) from error


def named(rows: tuple[Named, ...], name: str | None, flag: str) -> Named:
    """The row of that name; the first where none is asked for.

    Raises:
        ConfigError: no such row.
    """
    found = [row for row in rows if name in (None, row.name)]
    if not found:
        raise ConfigError(f'no row "{name}"', where=flag, allowed=", ".join(row.name for row in rows))
    return found[0]


def _fault(error: ValidationError, where: str) -> ConfigError:
    fault: Any = error.errors()[0]
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault["loc"])
    return ConfigError(
        f"{key}: {fault['msg']}", where=where, fix="see the prices.toml that ships beside eval/comparison/prices.py"
    )
