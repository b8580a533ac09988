"""o200k tokens: the measure of handbook size and budgets."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, Final

_PACKAGE: Final = "bpe_openai"
_BINDINGS: Final = f"{_PACKAGE}._bindings"


def count_tokens(text: str) -> int:
    """Number of o200k tokens of a text of any length; a lone surrogate counts as a replacement character."""
    try:
        return _counter()(text)
    except UnicodeEncodeError:
        return _counter()(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


@cache
def _counter() -> Callable[[str], int]:
    tokenizer: Any = _bindings().tokenizer_for_encoding("o200k_base")
    count: Callable[[str], int] = tokenizer.count
    return count


def _bindings() -> ModuleType:
    """The package's compiled module, without the package around it.

    Importing the package decodes three vocabularies in Python, 0.7 s and 100 MB that a count has no use for, and
    its own front refuses texts of a million characters. The vocabulary that counts is compiled in.
    """
    package = find_spec(_PACKAGE)
    spec = PathFinder.find_spec(_BINDINGS, package.submodule_search_locations) if package else None
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"no module named {_BINDINGS}", name=_BINDINGS)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
