"""Exported models: the same vectors as torch gives, without torch."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.encoding.encoder import open_encoder, prepare_encoder
from index.encoding.exported import RECORD
from index.encoding.models import BUNDLED, find_model
from index.settings import EncoderSettings
from ingest.errors import EncoderError
from tests.index.encoding.tiny_bert import Shape, save_tiny_bert

TEXTS = ["seat downgrade credit", "a notice of 30 days in writing " * 10, "", "The renewal (annual plan) - $ 30"]


@pytest.fixture(scope="module")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Shape], Path]:
    """A function that saves a one-layer BERT with random weights, dimension 32 and limit 24."""

    def make(shape: Shape) -> Path:
        with warnings.catch_warnings():
            # transformers warns of its own deprecated parts while it is imported.
            warnings.simplefilter("ignore")
            return save_tiny_bert(tmp_path_factory.mktemp("model"), shape)

    return make


def _torch_vectors(folder: Path, texts: list[str]) -> np.ndarray:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return np.asarray(model.encode(texts, normalize_embeddings=True, show_progress_bar=False))


@pytest.fixture(scope="module")
def tiny(make_model: Callable[[Shape], Path]) -> Path:
    return make_model(Shape())


@pytest.fixture(scope="module")
def tiny_export(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    prepare_encoder(EncoderSettings(model=str(tiny)), folder)
    return folder


@pytest.fixture
def export(tiny_export: Path, tmp_path: Path) -> Path:
    """The tiny model's export, to be damaged."""
    return shutil.copytree(tiny_export, tmp_path / "export")


@pytest.fixture(scope="module")
def bundled_export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("minilm")
    prepare_encoder(EncoderSettings(), folder)
    return folder


def test_mean_pooling_gives_torchs_vectors(tiny: Path, tiny_export: Path) -> None:
    encoder = open_encoder(EncoderSettings(model=str(tiny)), tiny_export)
    assert np.sum(encoder.encode_passages(TEXTS) * _torch_vectors(tiny, TEXTS), axis=1).min() >= 0.9999


def test_another_pooling_with_a_dense_layer_gives_torchs_vectors(
    make_model: Callable[[Shape], Path], tmp_path: Path
) -> None:
    folder = make_model(Shape("cls", normalize=False, dense=16))
    encoder = prepare_encoder(EncoderSettings(model=str(folder)), tmp_path)
    assert (encoder.dim, encoder.limit) == (16, 24)
    assert np.sum(encoder.encode_passages(TEXTS) * _torch_vectors(folder, TEXTS), axis=1).min() >= 0.9999
    np.testing.assert_allclose(encoder.encode_query(TEXTS[0]), encoder.encode_passages(TEXTS)[0], atol=1e-6)


def test_the_bundled_model_is_torchs_and_answers_the_incident_alike(bundled_export: Path) -> None:
    encoder = open_encoder(EncoderSettings(), bundled_export)
    texts = [
        "seat downgrade credit calculation table",
        "Seat reductions must be submitted in writing at least 30 calendar days prior to the renewal date.",
        "Table 4.2 - Seat Downgrade Credit: credit_usd = (prior_seats - new_seats) * annual_seat_price " * 20,
        "é ﬁ 日本 \u200b",
        "",
    ]
    rows = encoder.encode_passages(texts)
    cosines = np.sum(rows * _torch_vectors(find_model(BUNDLED).folder, texts), axis=1)
    assert cosines.min() >= 0.999
    assert (encoder.dim, encoder.limit) == (384, 256)


def test_searching_imports_neither_torch_nor_transformers(bundled_export: Path, root: Path) -> None:
    script = """
import sys
from pathlib import Path
from typing import Any
from index.encoding.encoder import open_encoder
from index.settings import EncoderSettings
encoder = open_encoder(EncoderSettings(), Path(sys.argv[1]))
assert encoder.encode_query("seat downgrade").shape == (384,)
print([name for name in ("torch", "transformers", "sentence_transformers", "onnx") if name in sys.modules])
"""
    command = [sys.executable, "-c", script, str(bundled_export)]
    done = subprocess.run(command, cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_eight_bit_weights_give_near_vectors_and_are_another_encoder(
    make_model: Callable[[Shape], Path], export: Path, tmp_path: Path
) -> None:
    folder = make_model(Shape("lasttoken"))
    small = prepare_encoder(EncoderSettings(model=str(folder), precision="int8"), tmp_path)
    assert np.sum(small.encode_passages(TEXTS) * _torch_vectors(folder, TEXTS), axis=1).min() > 0.98
    assert small.fingerprint != open_encoder(EncoderSettings(model=str(folder)), export).fingerprint


def test_prefixes_are_part_of_what_is_read(tiny: Path, tiny_export: Path) -> None:
    plain = open_encoder(EncoderSettings(model=str(tiny)), tiny_export)
    settings = EncoderSettings(model=str(tiny), query_prefix="the seat ", passage_prefix="a notice of ")
    prefixed = open_encoder(settings, tiny_export)
    np.testing.assert_allclose(prefixed.encode_query("day"), plain.encode_query("the seat day"), atol=1e-6)
    np.testing.assert_allclose(prefixed.encode_passages(["day"]), plain.encode_passages(["a notice of day"]), atol=1e-6)
    assert prefixed.limit == plain.limit - 3
    assert prefixed.fingerprint != plain.fingerprint


def test_a_prefix_that_leaves_no_room_is_refused(tiny: Path, tiny_export: Path) -> None:
    settings = EncoderSettings(model=str(tiny), passage_prefix="seat " * 22)
    with pytest.raises(EncoderError, match=r"passage_prefix: the prefix fills the model's 24 WordPieces"):
        open_encoder(settings, tiny_export)


def test_pieces_limit_and_truncation_agree(tiny: Path, tiny_export: Path) -> None:
    encoder = open_encoder(EncoderSettings(model=str(tiny)), tiny_export)
    fits, longer = "seat " * 22, "seat " * 22 + "notice"
    assert (encoder.count(fits), encoder.count(longer)) == (24, 25)
    assert not encoder.query_truncated(fits)
    assert encoder.query_truncated(longer)
    np.testing.assert_allclose(*encoder.encode_passages([fits, longer]), atol=1e-6)
    assert encoder.offsets("seats day") == [(0, 4), (4, 5), (6, 9)]


def test_token_vectors_leave_out_prefix_and_specials(tiny: Path, tiny_export: Path) -> None:
    encoder = open_encoder(EncoderSettings(model=str(tiny), passage_prefix="the "), tiny_export)
    vectors, spans = encoder.token_vectors("seats day")
    assert (vectors.shape, spans) == ((3, 32), [(0, 4), (4, 5), (6, 9)])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_one_reading_gives_vectors_and_token_vectors(tiny: Path, tiny_export: Path) -> None:
    encoder = open_encoder(EncoderSettings(model=str(tiny), passage_prefix="the "), tiny_export)
    texts = ["seats day", "seat downgrade credit notice renewal plan annual day in writing " * 4, "", "day"]
    kept: dict[int, Any] = {}

    vectors = encoder.encode_passages(texts, keep=kept.__setitem__)

    np.testing.assert_allclose(vectors, encoder.encode_passages(texts), atol=1e-6)
    assert sorted(kept) == [0, 1, 2, 3]
    for position, text in enumerate(texts):
        np.testing.assert_allclose(kept[position], encoder.token_vectors(text)[0], atol=1e-6)


def test_a_querys_token_vectors_leave_out_its_own_prefix(tiny: Path, tiny_export: Path) -> None:
    plain = open_encoder(EncoderSettings(model=str(tiny), passage_prefix="the "), tiny_export)
    asking = open_encoder(EncoderSettings(model=str(tiny), query_prefix="the "), tiny_export)

    np.testing.assert_allclose(asking.query_token_vectors("seats"), plain.token_vectors("seats")[0], atol=1e-6)
    assert plain.query_token_vectors("seats").shape == asking.query_token_vectors("seats").shape == (2, 32)


def test_small_batches_give_the_same_vectors(tiny: Path, tiny_export: Path) -> None:
    calls: list[tuple[int, int]] = []
    one_by_one = open_encoder(EncoderSettings(model=str(tiny), batch_tokens=1), tiny_export)
    together = open_encoder(EncoderSettings(model=str(tiny)), tiny_export)
    rows = one_by_one.encode_passages(TEXTS, lambda *call: calls.append(call))
    np.testing.assert_allclose(rows, together.encode_passages(TEXTS), atol=1e-6)
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert one_by_one.fingerprint == together.fingerprint


def test_a_prepared_encoder_is_exported_again_only_when_its_files_change(
    make_model: Callable[[Shape], Path], export: Path
) -> None:
    folder = make_model(Shape())
    settings = EncoderSettings(model=str(folder))
    first = prepare_encoder(settings, export).fingerprint
    written = (export / RECORD).stat().st_mtime_ns
    assert prepare_encoder(settings, export).fingerprint == first
    assert (export / RECORD).stat().st_mtime_ns == written
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"layer_norm_eps": 1e-12', '"layer_norm_eps": 1e-06'))
    assert prepare_encoder(settings, export).fingerprint != first
    assert len(list(export.iterdir())) == 4


@pytest.mark.parametrize("part", ["*.onnx", "*.data", "tokenizer*", RECORD])
@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_damaged_export_says_what_to_run(tiny: Path, export: Path, part: str, damage: str) -> None:
    for path in export.glob(part):
        path.unlink() if damage == "gone" else path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(EncoderError, match=r"the (exported )?encoder (was not|cannot be|is cut).* fix: caveat index"):
        open_encoder(EncoderSettings(model=str(tiny)), export)


def test_a_graph_of_another_content_is_refused(tiny: Path, export: Path) -> None:
    graph = next(export.glob("*.onnx"))
    graph.write_bytes(b"\xff" * graph.stat().st_size)
    with pytest.raises(EncoderError, match=r"onnxruntime [\d.]+ cannot load the graph .* fix: caveat index"):
        open_encoder(EncoderSettings(model=str(tiny)), export)


def test_weights_that_are_no_weights_are_named(make_model: Callable[[Shape], Path], tmp_path: Path) -> None:
    folder = make_model(Shape())
    (folder / "model.safetensors").write_bytes(b"not safetensors")
    with pytest.raises(EncoderError, match="sentence-transformers cannot load the model"):
        prepare_encoder(EncoderSettings(model=str(folder)), tmp_path)


@contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """No file can grow beyond `size` bytes: a write fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [1_000, 20_000], ids=["at the tokenizer", "at the graph"])
def test_a_full_disk_leaves_the_last_export_valid(make_model: Callable[[Shape], Path], export: Path, size: int) -> None:
    before = sorted(path.name for path in export.iterdir())
    settings = EncoderSettings(model=str(make_model(Shape("cls"))))
    with _largest_file(size), pytest.raises(EncoderError, match=r"the encoder cannot be exported .* make room"):
        prepare_encoder(settings, export)
    assert sorted(path.name for path in export.iterdir()) == before


def test_a_folder_that_cannot_be_made_is_named(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    with pytest.raises(EncoderError, match="cache/encoder: the encoder cannot be exported"):
        prepare_encoder(EncoderSettings(model=str(tiny)), tmp_path / "cache" / "encoder")
