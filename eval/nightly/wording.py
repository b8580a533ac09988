"""The sentences that all reports share: the answer, what changed, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from eval.nightly.glance import Change, Flip, Glance, Reading, about_recall
from eval.nightly.record import Gate
from eval.pages import pieces

_ANSWERS: Final = {"good": "{} is all right", "bad": "{} is not all right", "unknown": "No verdict on {}"}
_NAMED: Final = 3
_LONGEST_NAME: Final = 80
SIGNS: Final = {"good": "✓", "bad": "✗", "unknown": "?"}
STAGES: Final[Mapping[str, str]] = {
    "not in the index": "the index has no such section",
    "not in force": "the section was not in force on the question's day",
    "not a candidate": "neither vectors nor words found it among the candidates",
    "lost in fusion": "one of the two lists had it, the fused list did not",
    "lost in rerank": "it was among the first, until the reranker put others before it",
    "beyond k": "it was a candidate, behind the passages that are returned",
    "cut by budget": "it was among the first, and the budget of tokens ended before it",
    "left out of its passage": "a subsection for which its passage had no room",
}
"""What each stage that loses a section means."""


def answer(glance: Glance) -> str:
    """Whether recall is all right, and which other gates failed."""
    text = (_ANSWERS[glance.verdict] if glance.recall.figure else "{} was not measured").format(glance.recall.name)
    others = [gate for gate in glance.failed if not about_recall(gate)]
    if not others:
        return text
    return f"{text}, {'but' if glance.verdict == 'good' else 'and'} the night failed: {names(others)}"


def tone(glance: Glance) -> str:
    """Of the whole night: bad where any gate failed, good only where recall is."""
    return "bad" if glance.failed else glance.verdict


def names(gates: Sequence[Gate]) -> str:
    """The first names of some gates."""
    more = f" and {len(gates) - _NAMED} more" if len(gates) > _NAMED else ""
    return ", ".join(pieces.clipped(gate.name, _LONGEST_NAME) for gate in gates[:_NAMED]) + more


def recall_told(glance: Glance) -> str:
    """The recall, its interval, its number of questions and its gate, in a sentence."""
    figure = glance.recall.figure
    about = [gate for gate in glance.night.gates if about_recall(gate)]
    gate = next((gate for gate in about if gate.status == "failed"), about[0] if about else None)
    wanted = f"wanted: {gate.wanted}" if gate else "no gate is on for it"
    if figure is None:
        return f"There is no figure for tonight{f'; {wanted}' if gate else ''}."
    interval = pieces.between(figure.low, figure.high) or "without an interval"
    return f"{pieces.share(figure.mean)} {interval} over {pieces.number(figure.n, 'question')}; {wanted}."


def measured(reading: Reading) -> str:
    """A reading's mean."""
    return pieces.share(reading.figure.mean if reading.figure else None)


def moved(change: Change | None) -> str:
    """A difference with its interval; nothing where there is nothing to compare with."""
    if change is None:
        return ""
    if change.low is None or change.high is None:
        return pieces.signed(change.mean)
    return f"{pieces.signed(change.mean)} [{pieces.signed(change.low)}, {pieces.signed(change.high)}]"


def unmoved(change: Change) -> bool:
    """Whether no question's score moved, as far as is known."""
    return not change.mean and not change.low and not change.high


def weighed(change: Change | None) -> str:
    """A difference with its interval, and whether it may be chance."""
    if change and unmoved(change):
        return "unchanged"
    if change is None or change.low is None:
        return moved(change)
    return f"{moved(change)}, {'more than chance' if change.beyond_chance else 'which may be chance'}"


def since(glance: Glance) -> str:
    """Which night is compared with; empty for a first one."""
    return f"Since run {glance.last.run} ({pieces.day(glance.last.at)}): " if glance.last else ""


def changed(glance: Glance) -> str:
    """What changed since the night before."""
    if not glance.night.figures:
        return "Nothing was measured tonight: nothing to compare."
    if glance.last is None:
        return "The first night of this suite: nothing to compare with yet."
    told = weighed(glance.recall.since_last) or "cannot be compared"
    return f"{glance.recall.name} {told}. {flipped(glance)}."


def flipped(glance: Glance) -> str:
    """How many questions went worse and better, messages apart from their rewrites."""
    if not glance.compared:
        return "Questions cannot be compared one by one"
    if not glance.flips:
        return f"No question flipped, of {glance.compared:,} that both nights asked"
    parts = [_told(glance.flips, noun, message) for noun, message in (("message", True), ("rewrite", False))]
    return "; ".join(part for part in parts if part)


def _told(flips: Sequence[Flip], noun: str, message: bool) -> str:
    chosen = [flip.worse for flip in flips if (flip.ticket.asked == "message") is message]
    worse, better = chosen.count(True), chosen.count(False)
    if worse and better:
        return f"{pieces.number(worse, noun)} went worse, {better:,} better"
    return f"{pieces.number(worse or better, noun)} went {'worse' if worse else 'better'}" if chosen else ""


def against_baseline(glance: Glance) -> str:
    """How recall stands against the accepted baseline; empty where nothing was measured."""
    if not glance.night.figures:
        return ""
    if glance.baseline is None:
        return "No baseline was accepted yet: caveat baseline accept."
    told = weighed(glance.recall.since_baseline) or "not comparable"
    return f"Against the baseline, run {glance.baseline.run} ({pieces.day(glance.baseline.at)}): {told}."


def why(glance: Glance) -> str:
    """The likeliest cause, or that there is none to be seen."""
    if glance.night.causes:
        return glance.night.causes[0]
    if glance.last is None or not glance.night.figures:
        return unexplained(glance)
    if glance.night.handbook or glance.night.configured:
        return "Nothing that changed explains it."
    return "No cause is known." if glance.flips else "Nothing changed: handbook, settings and suite are the same."


def unexplained(glance: Glance) -> str:
    """What is said where nothing is known to have changed."""
    if not glance.night.figures:
        return "Not known: tonight was not measured."
    return "As on the night before." if glance.last else "There is no earlier night to compare with."


def stages(glance: Glance) -> str:
    """Where the questions that went worse lost what they need."""
    counts = glance.losing_stages
    total = sum(counts.values())
    return f"Of the {pieces.number(total, 'section')} lost: {pieces.listed(counts)}." if total else ""


def scores(flip: Flip) -> str:
    """What moved, "Recall@5 1 → 0.5"."""
    return ", ".join(f"{name} {then:.3g} → {now:.3g}" for name, (then, now) in flip.moved.items())
