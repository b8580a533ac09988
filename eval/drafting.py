"""`caveat tickets draft`: pairs of sections of which one limits the other, as half-filled tickets for experts.

A machine can tell where an exception stands, not what people ask about it: message and answer stay empty, and
`caveat tickets check` refuses them until they are filled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from eval.policy import Edition, InForce
from eval.tickets import Kind, Role, Ticket, normal
from index.history.skeleton import body_words
from index.lint.links import versions_of
from index.targets import Targets
from ingest.dates import Day
from ingest.document import Link, Relation
from ingest.elements import Kind as ElementKind

LONGEST_QUOTE: Final = 40
"""Words of a proposed quote; a longer sentence is cut, which leaves it verbatim."""

_LIMITING: Final = {Relation.LIMITS: Role.EXCEPTION, Relation.CONDITION: Role.CONDITION}
_PROSE: Final = (ElementKind.PARAGRAPH, ElementKind.ITEM)
_SENTENCE_END: Final = re.compile(r"(?<=[.;:!?])\s+(?=[A-Z(*])")


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule, what limits it, and the phrase that says so."""

    rule: InForce
    limit: InForce
    source: InForce
    """The one of both that holds the phrase."""
    link: Link

    def to_dict(self, number: int, day: Day) -> dict[str, Any]:
        """A ticket as a line of tickets.jsonl has it, with an empty message and answer."""
        phrase = normal(self.source.section.text[self.link.start : self.link.end])
        filled = {
            "id": f"draft-{number:03}",
            "message": "",
            "as_of": date.fromordinal(day).isoformat(),
            "kind": Kind.EXCEPTION.value,
            "family": f"draft-{number:03}",
            "gold": [self._anchor(self.rule, Role.RULE), self._anchor(self.limit, _LIMITING[self.link.relation])],
            "answer": "",
            "split": None,
            "notes": f'{self.limit.address} limits {self.rule.address}: "{phrase}"',
        }
        return {name: filled[name] for name in Ticket.model_fields}

    def _anchor(self, section: InForce, role: Role) -> dict[str, str]:
        quote = sentence_at(section, self.link.start) if section is self.source else first_sentence(section)
        name = section.section.number or section.section.address_path
        return {"quote": quote, "document": section.doc_id, "section": name, "role": role.value}


def drafts(edition: Edition) -> Iterator[Draft]:
    """Every limiting link that names exactly one other section, in document order; each pair once."""
    targets = Targets(version for document in edition.documents for version in versions_of(document))
    by_address = {section.address: section for section in edition.sections}
    seen: set[frozenset[str]] = set()
    for section in edition.sections:
        for link in section.section.links:
            found = targets.resolve(link.target, section.doc_id) if link.relation in _LIMITING else ()
            pair = frozenset({section.address, *(version.address for version in found)})
            if len(found) != 1 or len(pair) != 2 or pair in seen:
                continue
            seen.add(pair)
            other = by_address[found[0].address]
            rule, limit = (section, other) if link.limiter == "target" else (other, section)
            if _has_words(rule) and _has_words(limit):
                yield Draft(rule, limit, section, link)


def draft_lines(edition: Edition, day: Day) -> Iterator[str]:
    """The drafts as JSON Lines."""
    for number, draft in enumerate(drafts(edition), 1):
        yield json.dumps(draft.to_dict(number, day), ensure_ascii=False)


def first_sentence(section: InForce) -> str:
    """The first sentence of a section's prose, or of whatever it holds."""
    text, elements = section.section.text, section.section.elements
    for element in elements:
        if element.kind in _PROSE:
            return _cut(text[element.start : element.end], 0)
    return _cut(" ".join(body_words(text, elements)), 0)


def sentence_at(section: InForce, at: int) -> str:
    """The sentence that holds an offset of a section's text."""
    text = section.section.text
    for element in section.section.elements:
        if element.start <= at < element.end:
            return _cut(text[element.start : element.end], at - element.start)
    return first_sentence(section)


def _cut(text: str, at: int) -> str:
    start = max((found.end() for found in _SENTENCE_END.finditer(text) if found.end() <= at), default=0)
    end = min((found.start() for found in _SENTENCE_END.finditer(text) if found.start() > at), default=len(text))
    return " ".join(text[start:end].split()[:LONGEST_QUOTE])


def _has_words(section: InForce) -> bool:
    return bool(body_words(section.section.text, section.section.elements))
