"""The second readers that the settings choose; a cross-encoder is loaded when it is first needed, and once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from retrieve.reranking.late import LateInteraction
from retrieve.reranking.reranker import Reranker
from retrieve.reranking.stages import Stages
from retrieve.settings import RetrieveSettings

if TYPE_CHECKING:
    from index.snapshot import Snapshot


BUNDLED: Final = "bundled"
"""What `retrieve.reranker` calls the cross-encoder that comes with Caveat."""
MODEL: Final = Path(__file__).parents[1] / "models" / "cross-encoder"
"""Its folder; model_card.md there says what it is, and how good."""


class Chosen:
    """Makes the stages of a search over a snapshot. Not for several threads at once."""

    def __init__(self, settings: RetrieveSettings, own: Reranker | None = None):
        """`own` takes the cross-encoder's place, whatever the settings name."""
        self._weights, self._named, self._cross = settings.weights, settings.reranker, own
        if own:
            self._weights, self._named = self._weights._replace(cross=settings.cross_weight), type(own).__name__

    def stages(self, snapshot: Snapshot) -> Stages:
        """Who reads the candidates of a search again.

        Raises:
            EncoderError: an exported cross-encoder is damaged.
            ConfigError: the cross-encoder that is named cannot be loaded.
        """
        late = LateInteraction(snapshot.token_vectors) if self._weights.late else None
        if not self._weights.cross:
            return Stages(self._weights, late)
        self._cross = self._cross or cross_encoder(self._named, snapshot.encoder_settings.threads)
        return Stages(self._weights, late, self._cross, self._named)


def folder_of(named: str) -> Path:
    """Where the files of a named cross-encoder would lie; a hub name gives a folder that is not there."""
    return MODEL if named == BUNDLED else Path(named).expanduser()


def cross_encoder(named: str, threads: int = 0) -> Reranker:
    """The cross-encoder that `retrieve.reranker` names: the bundled one, an exported folder, or anything that
    sentence-transformers loads.

    Raises:
        EncoderError: an exported cross-encoder is damaged.
        ConfigError: it cannot be loaded.
    """
    # Imported here: one leads to the runtime, the other to torch.
    from retrieve.reranking import exported

    folder = folder_of(named)
    if exported.is_exported(folder):
        return exported.open_exported(folder, threads)
    from retrieve.reranking.hub import CrossEncoderReranker

    return CrossEncoderReranker(named)
