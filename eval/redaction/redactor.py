"""Takes values out of texts and of nested data, and puts placeholders in their place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from eval.redaction import checked, contacts, credentials, people
from eval.redaction.folding import Folded, fold
from eval.redaction.found import Detector, Found
from eval.redaction.keys import holds_password, led_by
from eval.redaction.placeholders import PLACEHOLDER, Placeholders, kind_of

if TYPE_CHECKING:
    from eval.settings import RedactSettings

DETECTORS: Final[tuple[tuple[str, Detector], ...]] = (
    ("PRIVATE_KEY", credentials.private_keys),
    ("JWT", credentials.web_tokens),
    ("API_KEY", credentials.vendor_keys),
    ("PASSWORD", credentials.url_passwords),
    ("BEARER", credentials.bearers),
    ("PASSWORD", credentials.named_passwords),
    ("API_KEY", credentials.named_keys),
    ("EMAIL", contacts.emails),
    ("IBAN", checked.ibans),
    ("CARD", checked.cards),
    ("SSN", checked.social_security),
    ("IP", contacts.addresses_of_hosts),
    ("PHONE", contacts.phones),
)
"""In the order in which they look: what one has found the next does not see."""
_NEED_DIGITS: Final = frozenset(("IBAN", "CARD", "SSN", "IP", "PHONE"))
_SHORTEST: Final = 6
"""Characters of the shortest text that can hold any of them, "a@b.co"."""
_TAKEN: Final = "\x00"
_JSON: Final = re.compile(r'\s*[\[{"]')


class Redactor:
    """Redacts what is written to one file: the same value gets the same placeholder.

    Example:
        >>> redactor = Redactor()
        >>> redactor.text("Jane <jane@example.com>, again jane@example.com, from 192.0.2.7")
        'Jane <<EMAIL_1>>, again <EMAIL_1>, from <IP_1>'

    Account ids, amounts, dates, numbers of sections and versions stay. It does not look into base64, images
    or other languages' words for a password; design/redaction.md says what else it misses.
    """

    def __init__(self, settings: RedactSettings | None = None):
        self._settings = settings or _defaults()
        self._detectors = tuple(_chosen(self._settings))
        self._allowed = frozenset(entry.lower() for entry in self._settings.allow)
        self._placeholders = Placeholders()

    def text(self, text: str) -> str:
        """A text with placeholders; JSON stays JSON, also where it is a string within JSON."""
        if not self._settings.enabled:
            return text
        return self._string(text, "")

    def value(self, value: Any) -> Any:
        """JSON's kinds of values, and tuples, with placeholders in all strings, keys and long numbers.

        Raises:
            TypeError: bytes or another kind of value, by its place.
            ValueError: nested too deep, or within itself.
        """
        if not self._settings.enabled:
            return value
        try:
            return self._value(value, "", "value")
        except RecursionError:
            raise ValueError("nested too deep to be redacted, or within itself") from None

    def check_name(self, name: str, where: str) -> None:
        """Refuse a name that is written as it is, such as a question's id, where it holds what is taken out of texts.

        Raises:
            QueryError: it does.
        """
        from ingest.errors import QueryError

        if (shown := self.text(name)) != name:
            fix = "rename it, or add the value to redact.allow"
            raise QueryError(f'the name "{shown}" would be written as it is', where=where, fix=fix)

    @staticmethod
    def kind_of(placeholder: str) -> str | None:
        """The kind, "EMAIL", of a text that is one placeholder; None for any other text."""
        return kind_of(placeholder)

    def _value(self, value: Any, key: str, place: str) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._string(value, key)
        if isinstance(value, (int, float)):
            written = str(value)
            redacted = self._string(written, key)
            return value if redacted == written else redacted
        if isinstance(value, Mapping):
            return self._mapping(value, key, place)
        if isinstance(value, (list, tuple)):
            return type(value)(self._value(one, key, f"{place}[{at}]") for at, one in enumerate(value))
        raise TypeError(f"{place} is {type(value).__name__}; only JSON's kinds of values and tuples can be redacted")

    def _mapping(self, value: Mapping[Any, Any], key: str, place: str) -> dict[Any, Any]:
        redacted: dict[Any, Any] = {}
        for name, one in value.items():
            shown = self._value(name, "", f"a key of {place}")
            unique, tries = shown, 1
            # Two spellings of one value as keys: neither may replace the other.
            while unique in redacted:
                tries += 1
                unique = f"{shown} ({tries})"
            redacted[unique] = self._value(one, name if isinstance(name, str) else key, f"{place}.{shown}")
        return redacted

    def _string(self, text: str, key: str) -> str:
        if holds_password(key) and text.strip() and not kind_of(text):
            return self._give("PASSWORD", text)
        if _JSON.match(text):
            return self._json(text, key)
        return self._scan(text, key)

    def _json(self, text: str, key: str) -> str:
        """A text that may be JSON: its spelling is kept where that leaves it valid and hides as much."""
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            return self._scan(text, key)
        redacted = self._value(parsed, key, "value")
        if redacted == parsed:
            return self._scan(text, key)
        scanned = self._scan(text, key)
        try:
            if json.loads(scanned) == redacted:
                return scanned
        except (ValueError, RecursionError):
            pass
        return json.dumps(redacted, ensure_ascii=False)

    def _scan(self, text: str, key: str) -> str:
        if len(text) < _SHORTEST and not key:
            return text
        self._placeholders.skip(text)
        lead = led_by(key)
        folded = fold(text)
        pieces, at = [], 0
        for start, end, placeholder in self._found(folded, lead):
            # Two finds may share one character that folds into several.
            pieces += [text[at : max(at, start)], placeholder]
            at = max(at, end)
        return "".join(pieces) + text[at:]

    def _found(self, folded: Folded, lead: str) -> Iterable[tuple[int, int, str]]:
        """Spans of the original, in order and apart, with their placeholders."""
        seen, hits = lead + PLACEHOLDER.sub(_hidden, folded.text), []
        digits = any(map(str.isdigit, seen))
        for kind, detector in self._detectors:
            if kind in _NEED_DIGITS and not digits:
                continue
            last, pieces = 0, []
            for found in sorted(detector(seen), key=lambda one: (one.start, -one.end)):
                start = max(found.start, len(lead), last)
                if start >= found.end:
                    continue
                if not self._allows(found.value):
                    hits.append((*folded.span(start - len(lead), found.end - len(lead)), kind, found.value))
                pieces += [seen[last:start], _TAKEN * (found.end - start)]
                last = found.end
            seen = "".join(pieces) + seen[last:] if pieces else seen
        return [(start, end, self._give(kind, value)) for start, end, kind, value in sorted(hits)]

    def _allows(self, value: str) -> bool:
        low = value.lower()
        return low in self._allowed or ("@" in low and f"@{low.rpartition('@')[2]}" in self._allowed)

    def _give(self, kind: str, value: str) -> str:
        return self._placeholders.give(kind, value)


def _defaults() -> RedactSettings:
    # Here, so that a recorder that imports this module does not wait for pydantic.
    from eval.settings import RedactSettings

    return RedactSettings()


def _hidden(match: re.Match[str]) -> str:
    return _TAKEN * len(match[0])


def _chosen(settings: RedactSettings) -> Iterator[tuple[str, Detector]]:
    """The detectors that settings ask for: one's own first."""
    for name, pattern in settings.patterns.items():
        yield name, _own(re.compile(pattern))
    for kind, detector in DETECTORS:
        if kind not in settings.leave:
            yield kind, detector
    if settings.names:
        yield "NAME", people.names
    if settings.addresses:
        yield "ADDRESS", people.addresses


def _own(pattern: re.Pattern[str]) -> Detector:
    def find(text: str) -> Iterator[Found]:
        return (Found(*match.span(), match[0]) for match in pattern.finditer(text) if match[0].strip(_TAKEN))

    return find
