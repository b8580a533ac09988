"""A function of one's own as a retriever: `(query, as_of) -> passages`, best first.

    def search(query: str, as_of: str | None) -> list[str | dict | object]: ...

    caveat eval data/tickets --retriever old_search.py:search

`as_of` is a day such as "2026-03-15", None in a suite without days. A passage is its text; or a mapping with "text"
and, where they are known, "id" or "address", "inherits" (lead-ins), "effective_from", "superseded_at"; or an object
with such attributes. An answer without ids is scored by the quotes that its texts hold. Links are not known here.
What the function prints goes to stderr.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any, Final

from eval.retrievers.answer import Answer, Given
from eval.retrievers.pipeline import counted
from eval.suites.question import Question
from index.digests import digest
from index.encoding.models import file_digest
from ingest.errors import QueryError

_TAKES: Final = "takes (query, as_of)"
FORM: Final = f"module:function or path/to/file.py:function, which {_TAKES}"
_PASSAGE: Final = 'a text, a mapping with "text", or an object with a text attribute'
_OURS: Final = (QueryError, KeyboardInterrupt)
"""What goes on as it is; all else that foreign code raises is told, asyncio.CancelledError and SystemExit too."""


@dataclass(frozen=True, slots=True)
class Called:
    """A function that is asked."""

    name: str
    key: str
    function: Callable[[str, str | None], Iterable[Any]]
    option: str = "--retriever"
    """What named it, for messages."""

    def answer(self, question: Question, k: int) -> Answer:
        """The first k passages that the function gives.

        Raises:
            QueryError: the function failed, or gave something else than passages; with the question.
        """
        with _theirs():
            start = perf_counter()
            found = self._asked(question, k)
            total = (perf_counter() - start) * 1000
            passages = tuple(self._read(passage, rank, question) for rank, passage in enumerate(found, 1))
        return Answer(passages, milliseconds={"total": round(total, 3)})

    def _asked(self, question: Question, k: int) -> list[Any]:
        try:
            found = self.function(question.query, question.as_of)
            if not isinstance(found, Iterable) or isinstance(found, (str, bytes, Mapping)):
                raise self._fault(f"gave {_kind(found)}", question, "a list of passages, best first")
            return list(islice(found, k))
        except _OURS:
            raise
        except BaseException as error:
            # With no frame below this one, it is the call itself that failed.
            called_wrongly = isinstance(error, TypeError) and error.__traceback__ and not error.__traceback__.tb_next
            allowed = f"a function that {_TAKES}" if called_wrongly else None
            raise self._fault(f"failed ({_kind(error)}: {_first_line(error)})", question, allowed) from error

    def _read(self, passage: Any, rank: int, question: Question) -> Given:
        try:
            return self._given(passage, rank, question)
        except _OURS:
            raise
        except BaseException as error:
            found = f"gave a passage {rank} that cannot be read ({_kind(error)}: {_first_line(error)})"
            raise self._fault(found, question, _PASSAGE) from error

    def _given(self, passage: Any, rank: int, question: Question) -> Given:
        named = _field(passage, "address") or _field(passage, "id")
        text = passage if isinstance(passage, str) else _field(passage, "text")
        inherits = _field(passage, "inherits") or ()
        texts = (text, *((inherits,) if isinstance(inherits, str) else inherits))
        if not all(isinstance(one, str) for one in texts):
            raise self._fault(f"gave {_kind(passage)} without a text as passage {rank}", question, _PASSAGE)
        texts = tuple(map(_whole, texts))
        section = None if named is None else _whole(str(named))
        days = (_field(passage, one) for one in ("effective_from", "superseded_at"))
        since, until = (None if day is None else str(day) for day in days)
        return Given(section, texts, _covered(section, question), since, until, sum(map(counted, texts)))

    def _fault(self, what: str, question: Question, allowed: str | None = None) -> QueryError:
        return QueryError(f'{self.name} {what} when asked "{question.id}"', where=self.option, allowed=allowed)


def _covered(section: str | None, question: Question) -> frozenset[str]:
    """What a passage is taken to hold whole; where quotes are there to tell, the id alone is not believed."""
    quoted = any(gold.quotes for gold in question.gold)
    return frozenset() if section is None or quoted else frozenset({section})


def called(spec: str, option: str = "--retriever") -> Called:
    """The function that a name stands for; `option` is what named it.

    Raises:
        QueryError: it is not in that form, cannot be imported, is not there, or cannot be called.
    """
    place, _, name = spec.rpartition(":")
    if not place or not name:
        raise QueryError(f'"{spec}" names no function', where=option, allowed=FORM)
    module = _imported(place, option)
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        found = f"{place} has no {name}" if function is None else f"{spec} is {_kind(function)}"
        near = ", ".join(_functions(module))
        raise QueryError(found, where=option, allowed=near or "a function", fix=None if near else f"define {name}")
    file = getattr(module, "__file__", None)
    return Called(spec, digest([spec, file_digest(Path(file)) if file else ""]), function, option)


@contextmanager
def _theirs() -> Iterator[None]:
    """Foreign code runs: what it prints must not stand in the midst of the JSON on standard output."""
    with redirect_stdout(sys.stderr):
        yield


def _whole(text: str) -> str:
    """A text that can be written: halves of surrogate pairs have no bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _imported(place: str, option: str) -> ModuleType:
    try:
        with _theirs():
            return _from_file(Path(place), option) if place.endswith(".py") else _by_name(place)
    except _OURS:
        raise
    except BaseException as error:
        found = f"{place} cannot be imported ({_kind(error)}: {_first_line(error)})"
        raise QueryError(found, where=option, allowed=FORM) from error


def _from_file(file: Path, option: str) -> ModuleType:
    if not file.is_file():
        raise QueryError(f"no file {file}", where=option, allowed=FORM)
    name = f"caveat_retriever_{digest([str(file.resolve())])}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise QueryError(f"{file} is no Python file", where=option, allowed=FORM)
    module = module_from_spec(spec)
    # Dataclasses of the module look their own module up while it is run.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _by_name(name: str) -> ModuleType:
    # An installed command does not look into the folder it is typed in; last, so that it hides nothing.
    if "" not in sys.path:
        sys.path.append("")
    return importlib.import_module(name)


def _functions(module: ModuleType) -> Iterator[str]:
    """Functions that the module itself defines."""
    for name, value in sorted(vars(module).items()):
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__ and callable(value):
            yield name


def _field(passage: Any, name: str) -> Any:
    return passage.get(name) if isinstance(passage, Mapping) else getattr(passage, name, None)


def _kind(value: object) -> str:
    return type(value).__name__


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "no message")
