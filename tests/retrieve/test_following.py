"""A Retriever follows what is published, also while several threads ask."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from index.settings import EncoderSettings
from ingest.errors import EncoderError, StateError
from retrieve import Retriever, retrieve

TEXT = "# A\n\n## Fees\n\nThe fee is {}.\n\n## Other\n\nWords.\n"


def test_a_new_generation_is_seen_by_the_next_query(desk: Any) -> None:
    desk.index({"2026-01-01/a.md": TEXT.format("five")})
    with desk.open() as retriever:
        before = retriever.retrieve("fee").passages[0]
        desk.index({"2026-06-01/a.md": TEXT.format("nine")})
        after = retriever.retrieve("fee")

    assert "five" in before.text
    assert "nine" in after.passages[0].text
    assert after.generation == 2


def test_threads_share_a_retriever_while_generations_are_published(desk: Any) -> None:
    desk.index({"2026-01-01/a.md": TEXT.format("number 0")})

    with desk.open() as retriever, ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(retriever.retrieve, "fee") for _ in range(20)]
        for number in (1, 2, 3):
            desk.index({f"2026-0{number + 1}-01/a.md": TEXT.format(f"number {number}")})
            asked += [pool.submit(retriever.retrieve, "fee") for _ in range(20)]
        results = [one.result() for one in asked]

    assert all(f"number {result.generation - 1}." in result.passages[0].text for result in results)
    assert {result.generation for result in results} >= {1, 4}


def test_a_closed_retriever_says_so(office: Any) -> None:
    retriever = office.open()
    retriever.close()
    retriever.close()

    with pytest.raises(StateError, match="closed; fix: open another Retriever"):
        retriever.retrieve("seats")


def test_another_encoder_than_the_indexs_is_an_error_that_says_what_to_run(office: Any) -> None:
    with pytest.raises(EncoderError, match="caveat index"):
        Retriever.open(office.state, encoder=EncoderSettings(model="hash-128"))


def test_retrieve_answers_from_the_current_folders_state(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.index({"2026-01-01/a.md": TEXT.format("five")})
    inside = desk.root / "inside"
    inside.mkdir()
    (desk.root.parent / "caveat.toml").write_text('state = "state"\n[retrieve]\nk = 1\nreranker = "none"\n')
    monkeypatch.chdir(inside)

    (passage,) = retrieve("fee", as_of="2026-02-01")

    assert passage.text == "## Fees\n\nThe fee is five."


def test_importing_the_floor_is_cheap(root: Path) -> None:
    import subprocess
    import sys

    heavy = "{'torch', 'onnxruntime', 'qdrant_client', 'sentence_transformers', 'bpe_openai', 'mcp'}"
    code = f"import sys; from retrieve import Retriever, retrieve; print({heavy} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)

    assert found.stdout == "set()\n"
