"""A function of one's own as a retriever: `(query, as_of) -> passages`, best first; how it is named, asked and read."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from .form import Pin
from .outcome import Outcome, judged
from .quotes import Came, shortened

FORM: Final = "module:function or path/to/file.py:function, which takes (query, as_of)"

Function = Callable[[str, str], Iterable[Any]]


class BadRetriever(ValueError):
    """A retriever that cannot be found, or gives something else than passages."""


def run_foreign(pin: Pin, function: Function, k: int) -> Outcome:
    """Ask a function a pin's query and judge its first k passages.

    Raises:
        BadRetriever: it gave something else than passages. What it raises itself is passed on.
    """
    start = perf_counter()
    found = function(pin.query, pin.as_of)
    if not isinstance(found, Iterable) or isinstance(found, (str, bytes, Mapping)):
        raise BadRetriever(f"the retriever gave {type(found).__name__}; wanted is a list of passages, best first")
    first = list(islice(found, k))
    spent = round((perf_counter() - start) * 1000, 3)
    return judged(pin, [came(passage, rank) for rank, passage in enumerate(first, 1)], milliseconds=spent)


def came(passage: Any, rank: int = 1) -> Came:
    """A passage as any retriever gives it: a text, a mapping with "text", or an object with a text.

    Raises:
        BadRetriever: it has no text.
    """
    text = passage if isinstance(passage, str) else _field(passage, "text")
    texts = (text, *(_field(passage, "inherits") or ()))
    if not all(isinstance(one, str) for one in texts):
        raise BadRetriever(f"the retriever gave {type(passage).__name__} without a text as passage {rank}")
    named = _field(passage, "address") or _field(passage, "id")
    if named is None:
        return Came(shortened(texts[0]), texts)
    return Came(str(named), texts, frozenset({str(named)}))


def found(spec: str, folder: Path) -> Function:
    """The function that a name stands for; files and modules are looked for from `folder`, too.

    Raises:
        BadRetriever: there is none, or it cannot be imported or called.
    """
    place, _, name = spec.rpartition(":")
    if not place or not name:
        raise BadRetriever(f'"{spec}" names no function; allowed: {FORM}')
    try:
        module = _from_file(folder / place) if place.endswith(".py") else _by_name(place, folder)
    except BadRetriever:
        raise
    except Exception as error:
        raise BadRetriever(f"{place} cannot be imported ({type(error).__name__}: {error})") from error
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        near = ", ".join(_functions(module)) or "none"
        raise BadRetriever(f"{place} has no function {name}; it has: {near}")
    return function  # type: ignore[no-any-return]


def _from_file(file: Path) -> Any:
    if not file.is_file():
        raise BadRetriever(f"no file {file}")
    name = f"caveat_retriever_{file.stem}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise BadRetriever(f"{file} is no Python file")
    module = module_from_spec(spec)
    # Dataclasses of the module look their own module up while it is run.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _by_name(name: str, folder: Path) -> Any:
    # Last, so that it hides nothing that is installed.
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return importlib.import_module(name)


def _functions(module: Any) -> Iterator[str]:
    for name, value in sorted(vars(module).items()):
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__ and callable(value):
            yield name


def _field(passage: Any, name: str) -> Any:
    if isinstance(passage, str):
        return None
    return passage.get(name) if isinstance(passage, Mapping) else getattr(passage, name, None)
