"""A handbook made by arithmetic, for benchmarks: any number of children, the same at every run.

Its words follow Zipf's law as real text does, and each of its sections holds a rule, a condition and an
exception with numbers. It says nothing true; recall on it means nothing.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

CHILDREN_PER_SECTION: Final = 3
SECTIONS_PER_DOCUMENT: Final = 20
SEED: Final = 8841
EDITION: Final = "2026-01-01"
_WORDS_PER_PARAGRAPH: Final = 66
_VOCABULARY: Final = (
    "the of to and in a for is or by on with be may must any under before after from that each not no at as its "
    "customer account seat plan term renewal notice credit invoice payment order contract region price amount day "
    "month year date request approval limit manager finance refund charge fee tax currency usage service reseller "
    "partner discount dispute memo schedule table section rule condition exception clause agreement subscription "
    "annual monthly enterprise business team starter upgrade downgrade reduction transfer period calendar writing "
    "written received sent signed effective applies unless except where provided subject within prior following "
    "remaining unused paid unpaid late early full partial rate card travel expense hotel flight meal receipt vendor "
    "purchase quote tender supplier onboarding audit record retention deletion backup access review quarterly owner "
    "administrator director officer committee desk team lead employee contractor legal entity subsidiary bank "
    "transfer wire cheque reminder dunning suspension termination interest penalty waiver threshold band tier "
    "volume minimum maximum commitment overage meter reading report statement reconciliation ledger revenue "
    "recognition deferred accrual adjustment correction reversal settlement escalation appeal decision evidence "
    "attachment form template portal console ticket call message address confirmation counterparty country office"
)
_WORDS: Final = tuple(_VOCABULARY.split())


def write_handbook(root: Path, children: int) -> int:
    """Write one edition of about `children` children below `root`.

    Returns:
        The number of sections written, chapters included.
    """
    rng = np.random.default_rng(SEED)
    folder = root / EDITION
    folder.mkdir(parents=True)
    sections = -(-children // CHILDREN_PER_SECTION)
    starts = [*range(0, sections, SECTIONS_PER_DOCUMENT), sections]
    for chapter, (first, last) in enumerate(pairwise(starts), 1):
        title = _title(rng)
        body = "".join(_section(rng, f"{chapter}.{n}") for n in range(1, last - first + 1))
        (folder / f"{chapter:04d}.md").write_text(f"# {chapter} {title}\n\n{body}", encoding="utf-8")
    return sections + len(starts) - 1


def edit_one_sentence(root: Path) -> None:
    """Put one changed sentence into the first section of the chapter in the middle."""
    files = sorted((root / EDITION).iterdir())
    file = files[len(files) // 2]
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace("calendar days' notice.", "business days' notice.", 1), encoding="utf-8")


def questions(count: int, words: int) -> list[str]:
    """`count` queries of `words` words each, drawn like the text."""
    rng = np.random.default_rng(SEED + words)
    return [" ".join(_draw(rng, words)) for _ in range(count)]


def _section(rng: np.random.Generator, number: str) -> str:
    return f"## {number} {_title(rng)}\n\n" + "".join(f"{_paragraph(rng)}\n\n" for _ in range(CHILDREN_PER_SECTION))


def _paragraph(rng: np.random.Generator) -> str:
    text = " ".join(_draw(rng, _WORDS_PER_PARAGRAPH)).capitalize()
    return f"{text}. This wants {rng.integers(2, 120)} calendar days' notice."


def _title(rng: np.random.Generator) -> str:
    return " ".join(_draw(rng, 3, rare=True)).capitalize()


def _draw(rng: np.random.Generator, count: int, *, rare: bool = False) -> list[str]:
    """Words by Zipf's law, one in twelve replaced by a number or an amount as policy text has them."""
    weights = 1 / (np.arange(len(_WORDS)) + (60 if rare else 3))
    drawn = [str(word) for word in rng.choice(_WORDS, size=count, p=weights / weights.sum())]
    if not rare:
        for place in range(5, count, 12):
            drawn[place] = f"{rng.integers(1, 9999):,} USD" if place % 24 == 5 else f"{rng.integers(1, 365)}-day"
    return drawn
