"""Pins as tests: `pytest data/pins` runs every pin of the folder, named by its incident; no code is written.

Whom the pins ask is the fixture `caveat_retriever`: Caveat's own search over the nearest caveat.toml's state, or any
function `(query, as_of) -> passages`, named in the configuration or given by a fixture of the same name.

    [pytest]
    caveat_retriever = ourbot.search:find

None of Caveat's packages is imported here: a tested repository may have an `eval` of its own. What a pin is comes from
a folder that needs the standard library alone, and Caveat's own search runs in a process of its own.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import pytest

_ROOT: Final = Path(__file__).resolve().parent
_PLAIN: Final = "caveat_pytest_plain"
_DIGITS: Final = 10
_START: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); from eval.pins.serving import main; main()"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings, in pytest's own configuration."""
    parser.addini("caveat_pins", "Folders of pins, from the root folder on.", "args", ["data/pins"])
    parser.addini(
        "caveat_retriever", "Whom pins ask: module:function or file.py:function; default: Caveat.", default=""
    )
    parser.addini("caveat_state", "Caveat's state folder; default: as in caveat.toml.", default="")
    parser.addini("caveat_k", "Passages of a function that count.", default="5")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PinFile | None:
    """Every JSON file in a folder of pins, or in one within, is a pin."""
    if file_path.suffix != ".json" or file_path.name.startswith("."):
        return None
    if _folder(file_path, parent.config) is None:
        return None
    collected: PinFile = PinFile.from_parent(parent, path=file_path)
    return collected


def _folder(file: Path, config: pytest.Config) -> Path | None:
    """The folder of pins that a file lies in."""
    folders, inner = _folders(config), file.parent.resolve()
    return next((folder for folder in (inner, *inner.parents) if folder in folders), None)


def _folders(config: pytest.Config) -> set[Path]:
    # Without a configuration file, pytest takes the folder that it is given for the root folder.
    places = (config.rootpath, config.invocation_params.dir)
    return {(place / name).resolve() for place in places for name in config.getini("caveat_pins")}


def _plain(name: str) -> ModuleType:
    """A module of what a pin is, under a name that no other package has."""
    if _PLAIN not in sys.modules:
        folder = _ROOT / "eval" / "pins" / "plain"
        spec = importlib.util.spec_from_file_location(
            _PLAIN, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        if spec is None or spec.loader is None:
            raise ImportError(f"Caveat is not whole: {folder} is missing")
        package = importlib.util.module_from_spec(spec)
        sys.modules[_PLAIN] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{_PLAIN}.{name}")


class PinFile(pytest.File):
    """One pin's file."""

    def collect(self) -> Iterator[PinTest]:
        """Its test; a file that is no pin, or has another one's id, is an error of the collection."""
        form = _plain("form")
        k = self.config.getini("caveat_k")
        if not (k.isascii() and k.isdecimal() and 0 < len(k.lstrip("0")) < _DIGITS):
            raise self.CollectError(f'caveat_k is "{k}"; allowed: a whole number from 1')
        try:
            filed = form.read_file(self.path)
            form.check_alone(filed, _folder(self.path, self.config))
        except form.BadPin as error:
            raise self.CollectError(_plain("quotes").one_line(str(error))) from None

        def test(caveat_retriever: Any) -> None:
            _run(filed.pin, caveat_retriever, int(k))

        yield PinTest.from_parent(self, name=filed.pin.id, callobj=test)


class PinTest(pytest.Function):
    """The test of one pin."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **more: Any) -> Any:
        """A lost pin tells what was lost where, and no code."""
        if isinstance(excinfo.value, (PinLost, Unusable)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *args, **more)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, None, self.name


class PinLost(AssertionError):
    """A pin did not come back."""


class Unusable(Exception):
    """A retriever cannot be asked."""


def _run(pin: Any, retriever: Any, k: int) -> None:
    if pin.status == "retired":
        pytest.skip(_plain("quotes").one_line(f"retired: {pin.retired['why']}"))
    outcome = retriever.run(pin) if isinstance(retriever, OwnSearch) else _foreign(pin, retriever, k)
    if outcome.passed:
        return
    told = _plain("outcome").told(pin, outcome)
    if pin.status == "open":
        pytest.xfail(f"open\n{told}")
    raise PinLost(told)


def _foreign(pin: Any, function: Any, k: int) -> Any:
    foreign = _plain("foreign")
    if not callable(function):
        raise Unusable(f"caveat_retriever is {type(function).__name__}; wanted is a function of (query, as_of)")
    try:
        return foreign.run_foreign(pin, function, k)
    except foreign.BadRetriever as error:
        raise Unusable(f"{pin.id}: {error}") from None


@pytest.fixture(scope="session")
def caveat_retriever(pytestconfig: pytest.Config) -> Iterator[Callable[[str, str], Any]]:
    """Whom pins ask: the function that the configuration names, else Caveat's own search."""
    named = pytestconfig.getini("caveat_retriever")
    if named:
        foreign = _plain("foreign")
        try:
            function = foreign.found(named, pytestconfig.rootpath)
        except foreign.BadRetriever as error:
            pytest.fail(f"caveat_retriever: {error}", pytrace=False)
        yield function
        return
    own = OwnSearch(pytestconfig.rootpath, pytestconfig.getini("caveat_state"))
    try:
        yield own
    finally:
        own.close()


class OwnSearch:
    """Caveat's own search, in a process of its own; called like any other retriever, and it tells its stages."""

    def __init__(self, folder: Path, state: str = ""):
        """Start it in a folder: the nearest caveat.toml says where the state is. The models are loaded here."""
        self._told = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        # -P: no folder of the tested repository comes before the libraries.
        command = [sys.executable, "-P", "-c", _START, str(_ROOT), state]
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._told, encoding="utf-8"
        )
        try:
            self._answer()
        except BaseException:
            self.close()
            raise

    def __call__(self, query: str, as_of: str | None = None, k: int | None = None) -> list[SimpleNamespace]:
        """The passages in force on a day, best first, linked ones last; each with `text`, `address` and its dates."""
        found = self._ask({"query": query, "as_of": as_of, "k": k})["passages"]
        return [SimpleNamespace(**passage) for passage in found]

    def run(self, pin: Any) -> Any:
        """How a pin goes."""
        return _plain("outcome").outcome_of(self._ask({"pin": pin.to_text()})["outcome"])

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._told.close()

    def _ask(self, values: dict[str, Any]) -> Any:
        if self._process.stdin is None or self._process.poll() is not None:
            raise Unusable(f"Caveat's search ended: {self._last_words()}")
        self._process.stdin.write(json.dumps(values) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            self._process.wait()
            raise Unusable(f"Caveat's search ended: {self._last_words()}")
        values = json.loads(line)
        if "error" in values:
            raise Unusable(values["error"])
        return values

    def _last_words(self) -> str:
        self._told.seek(0)
        return self._told.read()[-2000:].strip() or f"exit status {self._process.returncode}"
