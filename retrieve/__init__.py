"""Questions to whole sections: `from retrieve import Retriever, retrieve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieve.here import retrieve

if TYPE_CHECKING:
    from retrieve.retriever import Retriever

__all__ = ["Retriever", "retrieve"]


def __getattr__(name: str) -> object:
    # `import retrieve` alone stays cheap: the Retriever's own imports wait until it is asked for.
    if name == "Retriever":
        from retrieve.retriever import Retriever

        return Retriever
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
