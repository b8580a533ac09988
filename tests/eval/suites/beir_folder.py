"""A small folder in BEIR's layout, as values that tests bend."""

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]
CORPUS: list[Row] = [
    {"_id": "p1", "title": "Seats", "text": "A seat is the right of one named person to use the service."},
    {"_id": "p2", "title": "Notice", "text": "A notice arrives at least thirty days before the renewal date."},
    {"_id": "p3", "title": "", "text": "Copies of an invoice are free of charge for seven years."},
]
QUERIES: list[Row] = [
    {"_id": "q1", "text": "how early must a notice arrive before the renewal"},
    {"_id": "q2", "text": "what is a seat"},
    {"_id": "q3", "text": "not judged, not asked"},
]
QRELS = ["query-id\tcorpus-id\tscore", "q1\tp2\t2", "q1\tp1\t1", "q1\tp3\t0", "q2\tp1\t1"]


def dated(row: Row, **days: str) -> Row:
    return row | {"metadata": row.get("metadata", {}) | days}


def write_beir(
    folder: Path, corpus: list[Row] = CORPUS, queries: list[Row] = QUERIES, qrels: list[str] = QRELS
) -> Path:
    (folder / "qrels").mkdir(parents=True)
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    return folder
