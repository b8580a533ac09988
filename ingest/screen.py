"""Text that a reader does not see, text that speaks to a model instead of a person, and other languages than English.

Patterns of well-known forms, not a defence: what they miss is still only data in a passage, and what they
find is for a person to look at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from ingest.document import Document, Note, Section
from ingest.places import located, place_in

SAMPLE: Final = 20_000
"""Characters of a document that its language is told from."""
FEWEST_WORDS: Final = 40
"""A shorter text says too little about its language."""
FEWEST_KINDS: Final = 5
"""Different small words that a language shows itself by."""

_UNSEEN = re.compile(
    "[\u00ad\u180e\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
    "|(?<=[A-Za-z])[\u200c\u200d]|[\u200c\u200d](?=[A-Za-z])"
)
_COMMENT = re.compile(r"<!--(?P<words>.*?)(?:-->|\Z)", re.DOTALL)
_TOOLING = re.compile(
    r"\s*/?(?:markdownlint|prettier|vale|textlint|cspell|spell-?checker|eslint|more|toc|omit|lint)\b", re.I
)
_HIDING = re.compile(
    r"<[a-zA-Z][^<>]{0,400}?(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])"
    r"|color\s*:\s*(?:white|#fff(?:fff)?)\b|\shidden(?=[\s>/=])|aria-hidden\s*=\s*[\"']?true)[^<>]{0,400}>",
    re.IGNORECASE,
)
_MODEL: Final = (
    r"(?:an?\s+|any\s+|all\s+|the\s+)?(?:AI|A\.I\.|LLM|large\s+language|language|chat\s?bot|GPT|Claude|Gemini|Copilot)"
)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|the\s+|your\s+|of\s+|these\s+|my\s+){0,3}"
    r"(?:previous|prior|above|earlier|preceding|foregoing|system|other)\s+(?:\w+\s+)?"
    r"(?:instructions?|prompts?|rules|guidelines|directions|messages?|context)"
    rf"|\b(?:you\s+are|act\s+as|pretend\s+to\s+be)\s+(?:now\s+)?{_MODEL}\s+(?:assistant|model|agent|bot)\b"
    rf"|\b(?:if\s+you\s+are|note\s+to|instructions?\s+(?:to|for)|attention|dear)\s+{_MODEL}\b"
    r"|\b(?:system|developer)\s+prompt\b|\bnew\s+instructions\s*:"
    r"|\bdo\s+not\s+(?:tell|inform|reveal|mention|disclose)\s+(?:this\s+|it\s+|that\s+)?(?:to\s+)?the\s+user\b"
    r"|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>"
    r"|^[ \t]{0,3}(?:#+[ \t]*)?(?:system|assistant)\s*:\s*\S",
    re.IGNORECASE | re.MULTILINE,
)
_FUNCTION_WORDS: Final = {
    line.split(":")[0]: frozenset(line.split(":")[1].split())
    for line in (
        "English: the of and to is that for it with be by this are or not from which you will may must if",
        "German: der die das und ist nicht mit auf für von dem den des ein eine wird werden oder bei zu sich",
        "French: le la les des et est dans pour que qui une du sur par avec ne pas ou aux ce cette sont",
        "Spanish: el la los las de que en y por con para una del se no es al su como más o lo",
        "Italian: il la le gli di che e per con una del della non è sono nel alla da dei più o si",
        "Portuguese: o a os as de que e do da em um para com não uma dos das por mais ao se é",
        "Dutch: de het een en van is niet met op voor dat die te zijn aan door worden of bij wordt",
    )
}
_WORD = re.compile(r"[^\W\d_]+")


def screen(document: Document) -> list[Note]:
    """A note for each place with hidden text or with orders to a model, at its line or page of the file."""
    notes = (note for section in document.sections for note in _section_notes(document, section))
    return list({(note.code, note.where): note for note in notes}.values())


def _section_notes(document: Document, section: Section) -> Iterator[Note]:
    text = document.text[section.start : section.end]
    for code, offset, message in sorted(_findings(text), key=lambda one: one[1]):
        yield Note(code, located(document.doc_id, place_in(section, offset)), message)


def _findings(text: str) -> Iterator[tuple[str, int, str]]:
    """(code, offset, message) of each finding."""
    if unseen := _UNSEEN.search(text):
        count = len(_UNSEEN.findall(text))
        name = unicodedata.name(unseen[0], f"U+{ord(unseen[0]):04X}").lower()
        message = f"{count} characters that nobody sees ({name} first); delete them, or searches for these words fail"
        yield "zero-width-text", unseen.start(), message
    for match in _COMMENT.finditer(text):
        if len(match["words"].split()) > 4 and not _TOOLING.match(match["words"]):
            message = f'a comment that a passage would carry: "{_quoted(match["words"])}"; remove it, or publish it'
            yield "hidden-text", match.start(), message
    for match in _HIDING.finditer(text):
        yield "hidden-text", match.start(), f"a tag that hides its text: {_quoted(match[0])}; remove it with its text"
    for match in _ORDERS.finditer(text):
        message = (
            f'text that gives orders to a model: "{_quoted(match[0])}"; remove it, or quote it as an example in code'
        )
        yield "orders-to-model", match.start(), message


def _quoted(text: str) -> str:
    squeezed = " ".join(text.split())
    return squeezed if len(squeezed) <= 80 else squeezed[:77] + "..."


def language_note(text: str, *, where: str) -> list[Note]:
    """A note where the text is most likely not English, by its letters or its most frequent small words."""
    sample = text[:SAMPLE]
    letters = [char for char in sample if char.isalpha()]
    foreign = sum(1 for char in letters if char > "\u024f")
    words = [word.lower() for word in _WORD.findall(sample)]
    if len(letters) >= FEWEST_WORDS and foreign > 0.3 * len(letters):
        return [_language("in another script", where)]
    if len(words) < FEWEST_WORDS:
        return []
    shares = {name: sum(word in known for word in words) / len(words) for name, known in _FUNCTION_WORDS.items()}
    likely = max(shares, key=lambda name: (shares[name], name == "English"))
    # A table of names has few and always the same small words ("DE"): it is in no language.
    varied = len(_FUNCTION_WORDS[likely].intersection(words)) >= FEWEST_KINDS
    foreign_enough = shares[likely] > 0.1 and shares[likely] > 1.5 * shares["English"]
    return [_language(likely, where)] if varied and foreign_enough else []


def _language(what: str, where: str) -> Note:
    return Note(
        "not-english", where, f"the text seems to be {what}; it is indexed, but keyword search and links expect English"
    )
