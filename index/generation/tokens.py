"""Token vectors of all texts of the published generation, whatever became of them since."""

from __future__ import annotations

from typing import Final

from index.encoding.encoder import Encoder, Progress
from index.encoding.tokenstore import TokenStoreWriter, drop_others
from index.encoding.tokenvectors import encode_both
from index.generation.texts import Texts
from index.settings import EncoderSettings
from index.state import State

_BLOCK: Final = 512


def are_kept(settings: EncoderSettings, texts: int) -> bool:
    """Whether the token vectors of a generation of so many distinct texts are to be kept."""
    return settings.token_vectors and texts <= settings.token_vectors_limit


def keep_tokens(state: State, encoder: Encoder, settings: EncoderSettings, progress: Progress | None = None) -> None:
    """Keep those that are missing: the folder was deleted, or the settings changed. Usually none is.

    Those of other encoders are deleted.
    """
    texts = Texts.load(state.generation(state.must_be_published()))
    if not are_kept(settings, len(texts)):
        return
    writer = TokenStoreWriter(state.token_vectors, encoder.fingerprint)
    numbers = {digest.decode(): number for number, digest in enumerate(texts.digest.tolist())}
    missing = {digest: texts[numbers[digest]] for digest in writer.missing(numbers)}
    order = sorted(missing, key=lambda digest: (-len(missing[digest]), digest))
    for start in range(0, len(order), _BLOCK):
        block = order[start : start + _BLOCK]
        both = encode_both([missing[digest] for digest in block], encoder)
        writer.append(block, both.codes, both.piece_dim)
        if progress:
            progress(start + len(block), len(order))
    drop_others(state.token_vectors, encoder.fingerprint)
