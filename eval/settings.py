"""Settings of the evaluation floor; the sections `[eval]`, `[gates]` and `[redact]` of caveat.toml."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Kind = Literal["EMAIL", "PHONE", "CARD", "IBAN", "SSN", "IP", "API_KEY", "BEARER", "JWT", "PRIVATE_KEY", "PASSWORD"]
"""What redaction looks for unless told otherwise."""


class EvalSettings(BaseModel):
    """What is measured, and where it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    suite: str = Field("data/tickets", min_length=1, description="The suite of `caveat nightly` and `caveat tune`.")
    history: str = Field(
        "data/history/nights.jsonl", min_length=1, description="Where nights are recorded; small, to be committed."
    )
    readings: str = Field(
        "data/history/holdout.jsonl", min_length=1, description="Where each reading of the holdout side is logged."
    )
    baseline: str = Field(
        "data/history/baseline.json", min_length=1, description="The night to compare with; `caveat baseline accept`."
    )
    reports: str = Field("reports", min_length=1, description="Where `caveat nightly` writes its reports.")
    ragas: bool = Field(True, description="Whether ragas's metrics are measured too, which takes some seconds.")
    judge_url: str = Field(
        "",
        description="Where an OpenAI-compatible model answers, such as http://localhost:8000/v1, for the measures that "
        "need one; it gets queries and passages. Empty: those are not measured.",
    )
    judge_model: str = Field("", description="The model's name there.")
    judge_key_env: str = Field("", description="Name of the environment variable with its key; empty: none is sent.")
    judge_repeats: int = Field(3, ge=1, le=20, description="How often each question is judged; the spread is shown.")
    judge_questions: int = Field(50, ge=1, description="Of so many messages at most, evenly spread over the suite.")
    notify: tuple[str, ...] = Field(
        (), description="A command and its arguments, run when a night fails; it reads the summary on standard input."
    )
    notify_always: bool = Field(False, description="Run it after every night.")
    notify_seconds: float = Field(60, gt=0, description="After so many seconds the command is ended.")


class GateSettings(BaseModel):
    """What must hold for a night to pass."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    recall_at_5: float = Field(0.85, ge=0, le=1, description="Recall@5 at least; 0: no gate.")
    exceptions_at_5: float = Field(
        0, ge=0, le=1, description="PolicyExceptionRecall@5+links at least, over the exception tickets; 0: no gate."
    )
    small_n: int = Field(
        50,
        ge=0,
        description="Of fewer questions a mean fails only where its whole interval is below, and a drop only where the "
        "sign test agrees.",
    )
    significant_drop: bool = Field(
        True, description="Whether a drop against the baseline fails whose whole interval is below 0."
    )
    stale_rate: float = Field(0, ge=0, le=1, description="Answers with any text not in force, at most; 1: no gate.")
    zero_results: int = Field(0, ge=0, description="Answerable questions without any passage, at most.")
    broken_gold: int = Field(
        0, ge=0, description="Questions whose quotes no longer stand in force where they should, at most."
    )
    refused: int = Field(0, ge=0, description="Files of the handbook that cannot be read, at most.")
    lost_pins: int = Field(0, ge=0, description="Pins that do not come back, at most.")
    p95_milliseconds: float = Field(0, ge=0, description="95 % of the searches take no longer; 0: no gate.")


class RedactSettings(BaseModel):
    """What is taken out of queries before anything is written to disk."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: bool = Field(True, description="Take them out; false writes queries as they are.")
    names: bool = Field(False, description="People's names too, as far as a title or a greeting tells them.")
    addresses: bool = Field(False, description="Postal addresses too: streets with house numbers, post office boxes.")
    leave: tuple[Kind, ...] = Field((), description='Kinds that stay, such as ["IP"].')
    allow: tuple[str, ...] = Field(
        (), description='Values that stay, in any case: "support@example.com", or "@example.com" for a whole domain.'
    )
    patterns: dict[str, str] = Field(
        {}, description='More kinds, each with its regular expression: { ACCOUNT = "acct_[0-9]+" }.'
    )

    @field_validator("patterns")
    @classmethod
    def _usable(cls, patterns: dict[str, str]) -> dict[str, str]:
        for name, pattern in patterns.items():
            if not re.fullmatch(r"[A-Z][A-Z_]*", name):
                raise ValueError(f'a name in capitals, such as ACCOUNT, not "{name}"')
            _check_pattern(name, pattern)
        return patterns


def _check_pattern(name: str, pattern: str) -> None:
    try:
        empty = re.search(pattern, "") is not None
    except re.error as error:
        raise ValueError(f"a regular expression; {name}: {error}") from None
    if empty:
        raise ValueError(f"a regular expression that does not match nothing; {name} does")
