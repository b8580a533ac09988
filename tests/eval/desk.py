"""A small handbook in three editions, and tickets about it, as values that tests bend."""

import json
from pathlib import Path
from typing import Any

from ingest.dates import parse_instant

NOW = parse_instant("2026-11-30T12:00:00Z", "UTC", end_of_day=False)

SEATS = """# 4 Seats

## 4.1 Credits

A customer that gives up seats during the term gets a credit for the unused days of the term.

## 4.2 Notice

Notwithstanding 4.1, an Enterprise customer gets no credit for seats that it gives up during the term. A notice
arrives at least {days} calendar days before the renewal date.

## Words

A **seat** is the right of one named person to use the service.
"""
REFUNDS = """# 7 Refunds

## 7.1 Annual plans

An annual plan is refunded within 30 days of its purchase, subject to 7.2.

## 7.2 Resellers

An order that came through a reseller is refunded by the reseller alone.

## 7.3 Copies

{copy}
"""
COPY = "Copies of an invoice are free of charge for seven years after the invoice was issued."
FILES = {
    "2025-01-01/04-seats.md": SEATS.format(days=15),
    "2025-01-01/07-refunds.md": REFUNDS.format(copy=COPY),
    "2026-01-01/04-seats.md": SEATS.format(days=30),
    "2026-01-01/07-refunds.md": REFUNDS.format(copy=COPY),
    "2026-01-01/11-payment.md": f"# 11 Payment\n\n## 11.1 Invoices\n\n{COPY}\n",
    "2026-01-01@2026-09-14/04-seats.md": SEATS.format(days=20),
}

Entry = dict[str, Any]


def anchor(quote: str, section: str, role: str = "rule", document: str = "04-seats.md") -> Entry:
    return {"quote": quote, "document": document, "section": section, "role": role}


CREDIT = anchor("gets a credit for the unused days", "4.1")
NO_CREDIT = anchor("an Enterprise customer gets no credit for seats", "4.2", "exception")


def ticket(name: str = "exc-1", **changed: Any) -> Entry:
    return {
        "id": name,
        "message": f"we sacked forty folks, where is the money {name}",
        "as_of": "2026-03-15",
        "kind": "exception",
        "family": name,
        "gold": [CREDIT, NO_CREDIT],
        "answer": "Nothing is credited.",
        "split": None,
        "notes": "",
    } | changed


def plain(name: str, quote: str, section: str, document: str = "04-seats.md", **changed: Any) -> Entry:
    return ticket(name, kind="plain", gold=[anchor(quote, section, document=document)], **changed)


def dated(name: str, as_of: str, days: int, **changed: Any) -> Entry:
    gold = [anchor(f"arrives at least {days} calendar days before", "4.2")]
    return ticket(name, kind="dated", as_of=as_of, gold=gold, **{"family": "notice", "message": "how early"} | changed)


def rewrites(name: str = "exc-1") -> Entry:
    styles = ("dropped-qualifier", "keywords", "over-general", "wrong-synonym")
    texts = ({"style": style, "text": f"{style} {name}", "lost": "the plan"} for style in styles)
    return {"ticket": name, "rewrites": [text | {"ambiguous": text["style"] == "over-general"} for text in texts]}


def write_suite(folder: Path, tickets: list[Entry], rewritten: list[Entry] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    for name, entries in (("tickets.jsonl", tickets), ("rewrites.jsonl", rewritten or [])):
        text = "".join(json.dumps(entry) + "\n" for entry in entries)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
