"""The sentences that all reports share: the answer, what changed, and why."""

from __future__ import annotations

from typing import Final

from eval.nightly import pieces
from eval.nightly.glance import Change, Glance, Reading

_ANSWERS: Final = {
    "good": "{name} is all right: {figure}",
    "bad": "{name} is not all right: {figure}",
    "unknown": "{name}: no verdict, {figure}",
}


def answer(glance: Glance) -> str:
    """Whether recall is all right, and how many gates failed."""
    text = _ANSWERS[glance.verdict].format(name=glance.recall.name, figure=measured(glance.recall))
    others = len(glance.failed)
    if not others:
        return text
    joint = "but" if glance.verdict == "good" else "and"
    return f"{text}, {joint} {pieces.number(others, 'gate')} failed"


def measured(reading: Reading) -> str:
    """A reading's mean."""
    return pieces.share(reading.figure.mean if reading.figure else None)


def moved(change: Change | None) -> str:
    """A difference with its interval; nothing where there is nothing to compare with."""
    if change is None:
        return ""
    return f"{pieces.signed(change.mean)} {pieces.between(change.low, change.high)}".rstrip()


def changed(glance: Glance) -> str:
    """What changed since last night."""
    if glance.last is None:
        return "The first night of this suite: nothing to compare with yet."
    since = f"Since run {glance.last.run} ({pieces.day(glance.last.at)})"
    recall = moved(glance.recall.since_last)
    told = f"{glance.recall.name} {recall}" if recall else f"{glance.recall.name} cannot be compared"
    if not glance.flips:
        return f"{since}: {told}; no question flipped."
    return f"{since}: {told}; {len(glance.lost):,} went worse, {len(glance.won):,} better."


def why(glance: Glance) -> str:
    """The likeliest cause; "no cause found" where something moved without any."""
    if glance.night.causes:
        return glance.night.causes[0]
    if glance.last is None:
        return "no earlier night"
    return "no cause found" if glance.flips else "nothing changed"
