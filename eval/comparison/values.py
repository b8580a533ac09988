"""A comparison as plain values, ready for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eval.comparison.comparing import Comparison

if TYPE_CHECKING:
    from eval.comparison.asking import ArmResults


def values(found: Comparison, results: ArmResults | None, command: str) -> dict[str, Any]:
    """Everything that table and page show; `model` is null where none was asked."""
    rows = {name: getattr(found, name).model_dump(mode="json") for name in ("price", "hosting", "month")}
    told = asdict(found) | rows
    told["bills"].pop("scene")
    told["inside"] = [
        {"measure": str(one.measure), "slice": one.slice, "estimate": asdict(one.estimate) if one.estimate else None}
        for one in found.inside
    ]
    return told | {"model": results.to_dict() if results else None, "to_measure": None if results else command}
