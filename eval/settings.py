"""Settings of the evaluation floor; the sections `[eval]`, `[gates]` and `[redact]` of caveat.toml."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


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
