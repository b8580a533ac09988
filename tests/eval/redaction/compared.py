"""Redaction beside libraries that look for the same: `python -m tests.eval.redaction.compared NAME`.

Run from the repository's root in an environment of its own (`pip install presidio-analyzer phonenumbers
detect-secrets scrubadub faker pydantic`); prints one JSON line. What it found is in design/redaction.md.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

Clean = Callable[[str], str]
Spans = Callable[[str], Iterable[tuple[int, int]]]
ROOT = Path(__file__).parent.parent.parent.parent


def ours() -> Clean:
    from eval.redaction import Redactor

    return lambda text: Redactor().text(text)


def presidio(least: float = 0.0) -> Clean:
    from presidio_analyzer import predefined_recognizers as known

    names = ["CreditCard", "Email", "Iban", "Ip", "Phone", "UsSsn"]
    recognizers = [getattr(known, f"{name}Recognizer")() for name in names]

    def spans(text: str) -> Iterable[tuple[int, int]]:
        for recognizer in recognizers:
            for hit in recognizer.analyze(text, recognizer.supported_entities, None):
                if hit.score >= least:
                    yield hit.start, hit.end

    return blotting(spans)


def phonenumbers() -> Clean:
    from phonenumbers import PhoneNumberMatcher

    def spans(text: str) -> Iterable[tuple[int, int]]:
        for region in ("US", "GB"):
            yield from ((hit.start, hit.end) for hit in PhoneNumberMatcher(text, region))

    return blotting(spans)


def detect_secrets() -> Clean:
    from tempfile import NamedTemporaryFile

    from detect_secrets import SecretsCollection
    from detect_secrets.settings import default_settings

    def spans(text: str) -> Iterable[tuple[int, int]]:
        found = SecretsCollection()
        with NamedTemporaryFile("w", suffix=".txt") as file, default_settings():
            file.write(text)
            file.flush()
            found.scan_file(file.name)
        for _, secret in found:
            at = text.find(secret.secret_value or "\x00")
            if at >= 0:
                yield at, at + len(secret.secret_value)

    return blotting(spans)


def scrubadub() -> Clean:
    import scrubadub as library

    names = [library.detectors.EmailDetector, library.detectors.PhoneDetector, library.detectors.CredentialDetector,
             library.detectors.CreditCardDetector]  # fmt: skip
    scrubber = library.Scrubber(detector_list=[name() for name in names])

    def spans(text: str) -> Iterable[tuple[int, int]]:
        return ((filth.beg, filth.end) for filth in scrubber.iter_filth(text))

    return blotting(spans)


CONTENDERS: dict[str, Callable[[], Clean]] = {
    "ours": ours,
    "presidio": presidio,
    "presidio-0.4": lambda: presidio(0.4),
    "phonenumbers": phonenumbers,
    "detect-secrets": detect_secrets,
    "scrubadub": scrubadub,
}


def blotting(spans: Spans) -> Clean:
    """The text with what was found blotted out."""

    def clean(text: str) -> str:
        letters = list(text)
        for start, end in spans(text):
            letters[start:end] = ["\n" if letter == "\n" else "\x00" for letter in letters[start:end]]
        return "".join(letters)

    return clean


def foreign(seed: int, each: int) -> dict[str, list[str]]:
    """Values made by faker, not by us."""
    from faker import Faker

    Faker.seed(seed)
    by_place = {place: Faker(place) for place in ("en_US", "en_GB", "de_DE", "fr_FR", "pt_BR")}
    us = by_place["en_US"]
    made = {
        "faker EMAIL": [us.email() for _ in range(each)],
        "faker CARD": [us.credit_card_number() for _ in range(each)],
        "faker IBAN": [us.iban() for _ in range(each)],
        "faker SSN": [us.ssn() for _ in range(each)],
        "faker IP": [us.ipv4() if at % 2 else us.ipv6() for at in range(each)],
    }
    return made | {f"faker PHONE {place}": [one.phone_number() for _ in range(each)] for place, one in by_place.items()}


def main(name: str) -> None:
    began = time.perf_counter()
    clean = CONTENDERS[name]()
    loaded = time.perf_counter() - began
    from tests.eval.redaction import made

    rng = random.Random(20261201)
    asked, kept = Counter[str](), Counter[str]()
    for kind in made.KINDS:
        for _ in range(100):
            one = made.make(rng, kind)
            asked[kind] += 1
            kept[kind] += not made.readable(one.secret, clean(one.text))
    for kind, values in foreign(1, 100).items():
        for value in values:
            text = f"please write to {value} about the invoice"
            asked[kind] += 1
            kept[kind] += not made.readable(value, clean(text))
    lines = [
        line
        for file in sorted((ROOT / "data/handbook/2026-01-01").glob("*.md"))
        for line in file.read_text("utf-8").split("\n")
    ]
    tickets = [json.loads(line) for line in (ROOT / "data/tickets/tickets.jsonl").read_text("utf-8").splitlines()]
    began = time.perf_counter()
    cleaned = clean("\n".join(lines)).split("\n")
    seconds = time.perf_counter() - began
    wrong = [after for before, after in zip(lines, cleaned, strict=True) if before != after]
    messages = [ticket["message"] for ticket in tickets if ticket["split"] == "tune"]
    print(
        json.dumps(
            {
                "name": name,
                "import_s": round(loaded, 2),
                "recall": {kind: round(kept[kind] / asked[kind], 3) for kind in asked},
                "handbook": len(wrong),
                "lines": len(lines),
                "examples": wrong[:3],
                "tickets": sum(clean(message) != message for message in messages),
                "kB_s": round(sum(map(len, lines)) / 1000 / seconds),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
