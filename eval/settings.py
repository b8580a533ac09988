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


class GateSettings(BaseModel):
    """What must hold for a night to pass."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RedactSettings(BaseModel):
    """What is taken out of queries before anything is written to disk."""

    model_config = ConfigDict(extra="forbid", frozen=True)
