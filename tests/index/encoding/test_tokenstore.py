import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from index.encoding.embeddings import EmbeddingCache, embed
from index.encoding.fourbit import Codes, cosines, packed
from index.encoding.hashing import HashEncoder
from index.encoding.tokenstore import TokenStore, TokenStoreWriter, drop_others
from index.encoding.tokenvectors import TokenVectors, encode_both
from ingest.errors import StateDamaged, StateMissing
from tests.index.encoding.test_embeddings import CountingEncoder

TEXTS = ["Seat downgrades", "A notice of 30 days", ""]
ENCODER = HashEncoder(16)


def filled(folder: Path, texts: list[str] = TEXTS) -> TokenStoreWriter:
    writer = TokenStoreWriter(folder, ENCODER.fingerprint)
    both = encode_both(texts, ENCODER)
    writer.append(texts, both.codes, both.piece_dim)
    return writer


def read(folder: Path, digest: str) -> Codes | None:
    return TokenStore.open(folder, ENCODER.fingerprint).get(digest)


def exact(text: str) -> Codes:
    return packed(ENCODER.token_vectors(text)[0])


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_kept_is_read(tmp_path: Path, text: str) -> None:
    filled(tmp_path)
    np.testing.assert_array_equal(read(tmp_path, text), exact(text))


def test_it_grows_and_known_texts_stay(tmp_path: Path) -> None:
    assert filled(tmp_path).missing(["new", *TEXTS]) == {"new"}
    filled(tmp_path, ["new"])
    np.testing.assert_array_equal(read(tmp_path, TEXTS[1]), exact(TEXTS[1]))
    np.testing.assert_array_equal(read(tmp_path, "new"), exact("new"))
    assert len(TokenStore.open(tmp_path, ENCODER.fingerprint)) == 4


def test_a_reader_knows_what_was_kept_when_it_opened(tmp_path: Path) -> None:
    filled(tmp_path)
    reader = TokenStore.open(tmp_path, ENCODER.fingerprint)
    filled(tmp_path, ["new"])
    assert ("new" in reader, reader.get("new")) == (False, None)
    np.testing.assert_array_equal(reader.get(TEXTS[0]), exact(TEXTS[0]))


def test_a_reader_outlives_the_folder_and_those_that_come_after_it(tmp_path: Path) -> None:
    filled(tmp_path)
    reader = TokenStore.open(tmp_path, ENCODER.fingerprint)
    shutil.rmtree(tmp_path)
    filled(tmp_path, ["A notice of 90 days", *TEXTS])
    np.testing.assert_array_equal(reader.get(TEXTS[0]), exact(TEXTS[0]))


def test_what_a_killed_run_appended_is_cut_off(tmp_path: Path) -> None:
    filled(tmp_path)
    [data] = tmp_path.glob("*.bin")
    whole = data.read_bytes()
    data.write_bytes(whole + b"half of a text")
    np.testing.assert_array_equal(read(tmp_path, TEXTS[0]), exact(TEXTS[0]))
    filled(tmp_path, ["new"])
    assert data.read_bytes() == whole + exact("new").tobytes()
    np.testing.assert_array_equal(read(tmp_path, "new"), exact("new"))


def nothing(folder: Path) -> None:
    shutil.rmtree(folder)


def index_gone(folder: Path) -> None:
    next(folder.glob("*.npz")).unlink()


def data_gone(folder: Path) -> None:
    next(folder.glob("*.bin")).unlink()


def index_cut(folder: Path) -> None:
    path = next(folder.glob("*.npz"))
    path.write_bytes(path.read_bytes()[:100])


def data_cut(folder: Path) -> None:
    path = next(folder.glob("*.bin"))
    path.write_bytes(path.read_bytes()[:-1])


def data_of_another(folder: Path) -> None:
    path = next(folder.glob("*.bin"))
    path.write_bytes(path.read_bytes().replace(ENCODER.fingerprint.encode(), b"f" * 16))


def index_of_another(folder: Path) -> None:
    other = HashEncoder(32)
    writer = TokenStoreWriter(folder / "other", other.fingerprint)
    both = encode_both(TEXTS, other)
    writer.append(TEXTS, both.codes, both.piece_dim)
    next((folder / "other").glob("*.npz")).replace(next(folder.glob("*.npz")))
    shutil.rmtree(folder / "other")


@pytest.mark.parametrize(
    ("hurt", "error", "message"),
    [
        (nothing, StateMissing, "no token vectors are kept"),
        (index_gone, StateMissing, "no token vectors are kept"),
        (data_gone, StateMissing, "no token vectors are kept"),
        (index_cut, StateDamaged, "cannot be read"),
        (data_cut, StateDamaged, "cut short"),
        (data_of_another, StateDamaged, "not the token vectors that its index tells of"),
        (index_of_another, StateDamaged, "the index of something else"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_is_not_whole_is_refused_and_the_next_run_fills_it(
    tmp_path: Path, hurt: Callable[[Path], None], error: type[Exception], message: str
) -> None:
    folder = tmp_path / "kept"
    filled(folder)
    hurt(folder)
    with pytest.raises(error, match=message):
        TokenStore.open(folder, ENCODER.fingerprint)
    assert TokenStoreWriter(folder, ENCODER.fingerprint).missing(TEXTS) == set(TEXTS)
    filled(folder)
    np.testing.assert_array_equal(read(folder, TEXTS[0]), exact(TEXTS[0]))


def test_changed_codes_are_as_good_as_none_also_while_open(tmp_path: Path) -> None:
    filled(tmp_path)
    reader = TokenStore.open(tmp_path, ENCODER.fingerprint)
    [data] = tmp_path.glob("*.bin")
    whole = data.read_bytes()
    with data.open("r+b") as file:
        file.seek(len(whole) - 3)
        file.write(b"\0\0\0")
    assert (reader.get(TEXTS[1]), reader.damaged()) == (None, 1)
    with data.open("r+b") as file:
        file.truncate(len(whole) - len(exact(TEXTS[1]).tobytes()) - 1)
    assert [reader.get(text) is None for text in TEXTS] == [True, True, False]


def test_a_closed_reader_knows_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    reader = TokenStore.open(tmp_path, ENCODER.fingerprint)
    reader.close()
    reader.close()
    assert reader.get(TEXTS[0]) is None


def test_others_are_dropped(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "0123456789abcdef.bin").touch()
    (tmp_path / "0123456789abcdef.npz").touch()
    drop_others(tmp_path, ENCODER.fingerprint)
    assert {path.stem for path in tmp_path.iterdir()} == {ENCODER.fingerprint}
    drop_others(tmp_path / "nowhere", ENCODER.fingerprint)


def test_a_text_is_read_once_for_both(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    tokens = TokenStoreWriter(tmp_path / "tokens", encoder.fingerprint)
    with EmbeddingCache(tmp_path / "e.sqlite") as cache:
        embed([*TEXTS, *TEXTS], encoder, cache, tokens=tokens)
        assert sorted(encoder.asked) == sorted(TEXTS)
        embed(TEXTS, encoder, cache, tokens=tokens)
    kept = TokenVectors(encoder, TokenStore.open(tmp_path / "tokens", encoder.fingerprint)).of(TEXTS)
    assert (len(encoder.asked), kept.computed) == (3, 0)
    np.testing.assert_array_equal(kept.codes[0], exact(TEXTS[0]))


def test_where_they_were_not_kept_a_text_is_read_again_and_its_vector_stays(tmp_path: Path) -> None:
    class Drifting(CountingEncoder):
        def encode_passages(self, *args: object) -> object:  # type: ignore[override]
            return super().encode_passages(*args) + np.float32(len(self.asked))  # type: ignore[arg-type]

    encoder = Drifting()
    with EmbeddingCache(tmp_path / "e.sqlite") as cache:
        before = embed(TEXTS, encoder, cache)
        after = embed(TEXTS, encoder, cache, tokens=TokenStoreWriter(tmp_path / "tokens", encoder.fingerprint))
    assert after.encoded == 3
    np.testing.assert_array_equal(before.vectors, after.vectors)


def test_the_computed_ones_are_remembered_up_to_a_number() -> None:
    encoder = CountingEncoder()
    vectors = TokenVectors(encoder, remembered=2)
    assert [vectors.of([text]).computed for text in ("a", "b", "a", "c", "b", "a")] == [1, 1, 0, 1, 1, 1]
    assert vectors.of(["a", "a"]).computed == 0
    np.testing.assert_allclose(cosines(encoder.query_token_vectors("a"), vectors.of(["a"]).codes[0]), [[1]])
