"""What the words around a reference say about it: its relation, its direction, whether it leads outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ingest.document import Relation

LAW_NAME: Final = 80
"""Characters before a reference in which a law is named; the search costs by length."""

# Between a cue and its reference stand a few words of one noun phrase; a verb, a comma or the end of
# the sentence means that the cue speaks of something else ("Subject to payment, we act under Section 4").
_STOP: Final = r"(?!(?:will|shall|may|must|can|is|are|was|were|has|have|under|by|that|which|who|where|if)\b)"
_FILLER: Final = rf"(?:\s+{_STOP}[\w'’\"“”-]+){{0,8}}"
_VERB: Final = (
    r"(?:provided|set\s+forth|set\s+out|specified|stated|permitted|described|allowed|authorized|required|agreed|noted|"
    r"listed|indicated|contemplated|outlined)"
)
_AS: Final = r"(?:\s+as)?(?:\s+(?:otherwise|expressly|specifically|is|are|may\s+be))*"
_BY: Final = rf"{_AS}\s+{_VERB}(?:\s+(?:in|by|under|at|for\s+in))?"
_IN: Final = rf"(?:of|in|under|{_VERB}(?:\s+(?:in|by|under))?)(?:\s+the)?"

_BACK: Final = (
    r"notwithstanding|despite|in\s+spite\s+of|regardless\s+of|irrespective\s+of|prevails?\s+over"
    r"|takes?\s+precedence\s+over|overrid(?:es?|ing)|supersedes?|exceptions?\s+to|in\s+derogation\s+of"
)
_LIMITS: Final = (
    rf"except(?:ed|ing)?(?:\s+(?:for|in|where|under|to\s+the\s+extent))?(?:{_BY})?|unless(?:{_BY})"
    rf"|other\s+than(?:{_BY})?|save\s+(?:as|for)(?:{_BY})?|limited\s+by"
)
_CONDITION: Final = (
    r"subject(?:\s+always)?\s+to|condition(?:al|ed)\s+(?:up)?on|contingent\s+(?:up)?on|provided\s+that"
    r"|only\s+(?:if|when)|on\s+condition\s+that|(?:as|so)\s+long\s+as"
)
_DEFINITION: Final = (
    rf"defined\s+(?:in|by|under|at)|meanings?(?:\s+(?:given|ascribed|assigned|{_VERB}))?"
    r"(?:\s+to\s+(?:it|them|that\s+term))?(?:\s+(?:in|by|under))?"
)
_REFERENCE: Final = (
    r"see(?:\s+also)?|(?:pursuant|according)\s+to|in\s+accordance\s+with|under|per"
    rf"|(?:as\s+)?{_VERB}\s+(?:in|by|under|at|for\s+in)"
)
# A noun that says what stands there must stand right before it ("the conditions set out in 4.2").
_CUE = re.compile(
    rf"\b(?:(?:(?P<back>{_BACK})|(?P<limits>{_LIMITS})|(?P<condition>{_CONDITION})|(?P<definition>{_DEFINITION})"
    rf"|(?P<reference>{_REFERENCE}))(?P<filler>{_FILLER})"
    rf"|(?:(?<!with\sthe\s)exceptions?|limits?|limitations?)\s+(?P<limits_in>{_IN})"
    rf"|(?:(?<!terms\sand\s)conditions?|requirements?)\s+(?P<condition_in>{_IN})|definitions?\s+(?P<definition_in>{_IN})"
    r")\s*[(\"“]?\s*$",
    re.IGNORECASE,
)
_STRENGTH: Final = ("back", "limits", "condition", "definition", "reference")
_NOT_APPLIED = re.compile(
    r"\s*(?:(?:above|below|hereof)\s*)?,?\s*(?:(?:do|does|shall|will|must)\s+not\s+apply|no\s+longer\s+appl(?:y|ies)"
    r"|(?:is|are|shall\s+be|will\s+be)\s+(?:not\s+applicable|inapplicable|waived|suspended|overridden|replaced|amended))",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;)]\s|[.;!?:][\"”’)]*\s+(?=[A-Z(“\"•-])|\n[ \t]*\n|\n[ \t]*(?:[-*+]|\(?[0-9a-z]{1,3}[.)])[ \t]"
)

_OUTSIDE_BEFORE = re.compile(
    r"(?:\bU\.\s?S\.\s?C\.?|\bC\.\s?F\.\s?R\.?|\b(?:USC|CFR)|\bCode|\bAct|\bRegulations?|\bDirective|\bStatutes?|\bConvention"
    r"|\bTreaty|\bOrdinance|\bConstitution|\bLaw|\bTitle\s+[0-9IVX]+|\bStat\.|\bCode\s+Ann\.|\bRev\.|\bPub\.\s?L\."
    r"|\b(?:GDPR|CCPA|CPRA|HIPAA|DMCA|ECPA|COPPA|FCPA|TFEU|UCC|FAR|DFARS|ERISA|FLSA|FMLA|SCCs?|ISO|NIST|RFC|PCI|SOC)"
    r"|[0-9]{4}/[0-9]{1,4}|\b(?:its|their))[\s,()]*"
    r"(?:(?:Title|Chapter|Subchapter|Part|Section|Article|§)\s*[\w.()-]+[\s,]*){0,3}(?:at\s+|under\s+)?$"
)
_THIS_ONE: Final = r"(?:this|these|our|the|your|its|said|such)"
_EUROPEAN = re.compile(r"\b(?:GDPR|General\s+Data\s+Protection\s+Regulation|TFEU|\(EU\)|Directive\s+[0-9])")
_CONTINUED = re.compile(
    r"(?:(?:\s*,|\s+(?:and|or|to))\s+(?:(?:Sections?|Articles?|Art\.|§+)\s*)?(?:\([0-9a-z]{1,4}\)|[0-9]{1,4}(?:\.[0-9]{1,3})*)"
    r"(?:\([0-9a-z]{1,4}\))*)*"
)
_GENERIC: Final = (
    r"(?:present\s+)?(?:agreement|policy|policies|handbook|document|guide|guidelines|terms(?:\s+of\s+(?:service|use))?"
    r"|contract|addendum|schedule|appendix|annex|exhibit|statement|notice|manual|code\s+of\s+conduct|chapter|section|part|article)s?"
)
_INSIDE_AFTER = re.compile(
    rf"\s*(?:of|in|to|under)\s+(?:{_THIS_ONE}\s+{_GENERIC}(?![\w-]|\s+[A-Z])|(?:this|these)\s+[A-Z]\w+|the\s+same\b|part\s)",
    re.IGNORECASE,
)
_TITLE: Final = (
    r"(?:\s*,?\s*[(“\"]{1,2}[^()\n]{2,60}[”\")]{1,2}|\s*,(?:\s+(?:[A-Z][\w’'-]*|of|on|and|for|to|the|in)){1,7}?)?"
)
_OF_OTHER = re.compile(rf"{_TITLE}\s*,?\s*\bof\s+(?P<what>[^\n,.;:]{{2,80}})")
_NAMED_AFTER = re.compile(
    r"\s*(?:thereto|thereof|therein)\b|\s*,?\s*(?:of\s+)?(?:the\s+)?(?:(?:UK|EU|U\.S\.|US|Swiss|California|Federal)\s+)?(?:(?:GDPR|CCPA|CPRA|HIPAA|DMCA|SCCs?|TFEU|ECPA|Regulations?|Directive)\b"
    r"|[A-Z][\w.-]*(?:\s+(?:[A-Z][\w.-]*|of|and|on|for|the|to))*\s+(?:Act|Code|Regulation|Directive|Convention|Law)\b)"
)


@dataclass(frozen=True, slots=True)
class Sense:
    """What a reference means: its relation, which end limits which, and how far back its phrase starts."""

    relation: Relation
    limiter: Literal["target", "self"]
    start: int
    """Offset in `lead` at which the cue starts; its length where there is no cue."""
    adjacent: bool
    """A cue stands right before the reference: enough for a bare number ("see 4.2")."""


def clause_before(lead: str) -> int:
    """Offset in `lead` of the clause that its end belongs to: no cue reaches over a comma."""
    return max((match.end() for match in _CLAUSE_END.finditer(lead)), default=0)


def sense(lead: str, tail: str) -> Sense:
    """Read the words before (`lead`, one clause) and after (`tail`) a reference."""
    cues = list(_cues(lead))
    start = min((cue.start for cue in cues), default=len(lead))
    said = min((cue.name for cue in cues), key=_STRENGTH.index, default="reference")
    adjacent = any(cue.adjacent for cue in cues)
    if said == "back" or _NOT_APPLIED.match(tail):
        return Sense(Relation.LIMITS, "self", start, adjacent)
    return Sense(Relation(said), "target", start, adjacent)


@dataclass(frozen=True, slots=True)
class _Cue:
    start: int
    name: str
    adjacent: bool


def _cues(lead: str) -> Iterator[_Cue]:
    """Each cue that reaches the end of `lead`: "except as | provided in" has two, and the stronger counts."""
    at = 0
    while match := _CUE.search(lead, at):
        name = next(name for name, said in match.groupdict().items() if said).removesuffix("_in")
        words = (match["filler"] or "").split()
        yield _Cue(match.start(), name, not words or words[-1].lower() in ("of", "in"))
        at = match.start() + 1


def leads_outside(lead: str, tail: str) -> bool:
    """True where the reference is to a law, a standard or somebody else's contract."""
    tail = tail[_CONTINUED.match(tail).end() :]  # type: ignore[union-attr]  # it can match nothing
    if _OUTSIDE_BEFORE.search(lead[-LAW_NAME:]) or _NAMED_AFTER.match(tail):
        return True
    return not _INSIDE_AFTER.match(tail) and bool(_OF_OTHER.match(tail))


def names_european_law(text: str) -> bool:
    """True where "Article 28" in the same text is more likely the law's than the handbook's."""
    return _EUROPEAN.search(text) is not None
