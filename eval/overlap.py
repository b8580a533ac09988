"""How far a message speaks the handbook's words, and whether two messages say the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import Final

from eval.tickets import Kind, Ticket
from index.lexical.words import stem

NEARLY_EQUAL: Final = 0.8
"""Share of words in common (Jaccard) from which two messages are one question asked twice."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# The English stop words of Snowball's own list, https://snowballstem.org/algorithms/english/stop.txt
_FUNCTION: Final = """
    i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves what which who whom this that these those am is are was were be
    been being have has had having do does did doing will would shall should can could may might must ought i'm you're
    he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll
    we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't
    shouldn't can't cannot couldn't mustn't let's that's who's what's here's there's when's where's why's how's a an
    the and but if or because as until while of at by for with about against between into through during before after
    above below to from up upon down in out on off over under again further then once here there when where why how
    all any both each few more most other some such no nor not only own same so than too very
"""
_STOP_WORDS: Final = frozenset(_FUNCTION.split())


def content_words(text: str) -> frozenset[str]:
    """Stems of the words and numbers of a text that are no stop words."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return frozenset(stem(word) for word in words if word not in _STOP_WORDS)


def overlap(message: str, texts: Iterable[str]) -> float:
    """Share of a message's content words that occur in the texts, 0 to 1; 0 where it has none."""
    asked = content_words(message)
    return len(asked & content_words(" ".join(texts))) / len(asked) if asked else 0.0


def nearly_equal(tickets: Collection[Ticket]) -> Iterator[tuple[Ticket, Ticket]]:
    """Pairs of tickets whose messages share most of their words; a dated family asks the same by design."""
    words = {ticket.id: content_words(ticket.message) for ticket in tickets}
    for one, other in combinations(tickets, 2):
        if _asks_again(one, other):
            continue
        mine, theirs = words[one.id], words[other.id]
        if len(mine & theirs) >= NEARLY_EQUAL * len(mine | theirs):
            yield one, other


def _asks_again(one: Ticket, other: Ticket) -> bool:
    return one.kind is Kind.DATED and one.family == other.family and one.as_of != other.as_of
