"""A cross-encoder from torch to a folder that a search can name: the same scores, pinned, without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from eval.training.exporting import export_model
from eval.training.network import started
from index.encoding.models import BUNDLED, find_model
from ingest.errors import EncoderError
from retrieve.reranking.exported import open_exported, pins
from retrieve.reranking.onnx import GRAPH, TOKENIZER, OnnxReranker
from retrieve.reranking.pairs import LIMIT, QUERY_LIMIT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of the network as it starts, untrained."""
    run = tmp_path_factory.mktemp("run")
    torch.save(started(find_model(BUNDLED).folder / "model.safetensors").state_dict(), run / "model.pt")
    told = list(export_model(run, run / "out"))
    assert "correlation of its scores with torch's" in told[-1]
    return run / "out"


@pytest.fixture(scope="module")
def exported(folder: Path) -> OnnxReranker:
    return open_exported(folder, threads=1)


def test_its_files_are_pinned(folder: Path) -> None:
    assert set(pins(folder)) == {GRAPH, TOKENIZER}


def test_it_prefers_the_clause_that_answers(exported: OnnxReranker) -> None:
    texts = ["Travel > Trains\nTake the train.", "Seats > Notice\nWritten notice arrives 30 days before renewal."]
    train, notice = exported.scores("how many days of notice before a renewal", texts)
    assert notice > train


def test_the_order_of_texts_does_not_change_their_scores(exported: OnnxReranker) -> None:
    texts = ["seat " * n for n in (3, 40, 7, 120)]
    forth, back = exported.scores("seats", texts), exported.scores("seats", texts[::-1])
    assert forth == pytest.approx(back[::-1], abs=0.2)


def test_what_it_does_not_read_is_counted(exported: OnnxReranker) -> None:
    assert exported.unread("seat", ["seat", "seat " * (LIMIT - 4), "seat " * (LIMIT - 3)]) == 1
    assert exported.unread("seat " * (QUERY_LIMIT + 1), ["seat", "notice"]) == 2


def test_a_plain_head_is_refused(tmp_path: Path) -> None:
    torch.save(started(find_model(BUNDLED).folder / "model.safetensors", "cls").state_dict(), tmp_path / "model.pt")
    with pytest.raises(EncoderError, match=r"model\.pt: .*interaction head; fix: export a run with --head interaction"):
        list(export_model(tmp_path, tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_changed_graph_is_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("sha256.json", TOKENIZER):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / GRAPH).write_bytes(b"other")
    with pytest.raises(EncoderError, match="the file has sha256"):
        open_exported(tmp_path)


CODE = """
import sys
from pathlib import Path
from retrieve.reranking.exported import open_exported
open_exported(Path(sys.argv[1])).scores("notice", ["Notice is due."])
print("torch" in sys.modules, "transformers" in sys.modules)
"""


def test_it_needs_no_torch(folder: Path, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(folder)], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False False\n"
