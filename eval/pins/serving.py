"""Caveat's own search for `caveat_pytest`, in a process of its own, so that none of our packages meets another one of
its name. One JSON object a line on standard input, one answer a line on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from eval.pins.plain.form import read_text
from eval.pins.searching import PinSearch
from eval.surroundings import surroundings
from ingest.errors import CaveatError


def main() -> None:
    """Answer until standard input ends. The first argument is the state folder, or empty."""
    # Whatever a library prints must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        around = surroundings(Path(sys.argv[1]) if sys.argv[1] else None)
        settings = around.config.retrieve
        with PinSearch(around.state, settings, encoder=around.wanted_encoder, clock=around.clock) as search:
            search.retriever.prepare()
            _say(answers, {"ready": search.retriever.generation})
            for line in sys.stdin:
                _say(answers, _answer(search, json.loads(line)))
    except CaveatError as error:
        _say(answers, {"error": str(error)})


def _answer(search: PinSearch, asked: Mapping[str, Any]) -> dict[str, Any]:
    try:
        if "pin" in asked:
            return {"outcome": search.run(read_text(asked["pin"], "pin")).to_dict()}
        result = search.retriever.retrieve(asked["query"], as_of=asked["as_of"], k=asked.get("k"))
        return {"passages": [one.to_dict() for one in (*result.passages, *result.linked)]}
    except CaveatError as error:
        return {"error": str(error)}


def _say(answers: IO[str], values: Mapping[str, Any]) -> None:
    answers.write(json.dumps(values, ensure_ascii=False) + "\n")
    answers.flush()
