"""Pins as tests in a repository of somebody else's, which has an `eval`, an `index` and an `ingest` of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.eval.pins.conftest import NOTICE_AT, edit, pin

SEARCH = """
from eval.texts import TEXTS

def find(query, as_of):
    return [{"text": text, "id": name} for name, text in TEXTS]

def nothing(query, as_of):
    return ""
"""
TEXTS = 'TEXTS = [("a", "in writing at least 30 calendar days prior"), ("b", "other")]\n'
OURS = """
import sys

def test_our_own_packages_are_ours():
    import eval, index, ingest
    assert all(one.__file__.startswith(sys.path[0]) for one in (eval, index, ingest)), sys.path
    assert not [name for name in sys.modules if name.startswith(("eval.pins", "retrieve", "numpy", "pydantic"))]
"""
Run = Callable[..., str]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Another team's: packages with our names, a search, two pins."""
    for name in ("eval", "index", "ingest"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "eval" / "texts.py").write_text(TEXTS, encoding="utf-8")
    (tmp_path / "search.py").write_text(SEARCH, encoding="utf-8")
    (tmp_path / "test_ours.py").write_text(OURS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\ncaveat_retriever = search:find\n", encoding="utf-8")
    pins = tmp_path / "data" / "pins"
    pins.mkdir(parents=True)
    (pins / "8841-the-notice.json").write_text(json.dumps(pin(id="8841-the-notice")), encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(repository: Path, root: Path) -> Run:
    """Types `pytest ...` there, as a process; their folder comes first among the packages, Caveat's last."""

    def typed(*arguments: str, status: int = 0) -> str:
        path = os.pathsep.join((str(repository), str(root)))
        loaded = [] if "-p" in arguments else ["-p", "caveat_pytest"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", *loaded, *arguments],
            cwd=repository,
            env={**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    return typed


def test_its_pins_are_tests_against_its_own_function(run: Run) -> None:
    out = run("-v", "data/pins", "test_ours.py")
    assert "8841-the-notice PASSED" in out
    assert "2 passed" in out


def test_a_lost_pin_tells_what_was_lost_where(run: Run, repository: Path) -> None:
    (repository / "eval" / "texts.py").write_text("TEXTS = [('a', 'x'), ('b', 'y')]\n", encoding="utf-8")
    out = run("data/pins", status=1)
    for line in (
        "8841-the-notice: A pin",
        "query      seat downgrade credit calculation table",
        f'expected   "30 calendar days" of {NOTICE_AT}',
        "lost: not returned",
        "came back  1 a",
        "2 b",
    ):
        assert line in out
    assert "Traceback" not in out


def test_open_and_retired_pins_do_not_fail(run: Run, repository: Path) -> None:
    (repository / "eval" / "texts.py").write_text("TEXTS = []\n", encoding="utf-8")
    edit(repository / "data" / "pins" / "8841-the-notice.json", status="open")
    retired = pin(id="gone", status="retired", retired={"at": "2026-01-01", "why": "no longer sold"})
    (repository / "data" / "pins" / "gone.json").write_text(json.dumps(retired), encoding="utf-8")
    out = run("-rxs", "data/pins")
    assert "1 skipped, 1 xfailed" in out
    assert "retired: no longer sold" in out


def test_a_fixture_of_the_same_name_takes_its_place(run: Run, repository: Path) -> None:
    text = "import pytest\n@pytest.fixture\ndef caveat_retriever():\n    return lambda query, as_of: [as_of]\n"
    (repository / "conftest.py").write_text(text, encoding="utf-8")
    assert "came back  1 2026-03-15" in run("data/pins", status=1)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("search:nothing", "the retriever gave str; wanted is a list of passages, best first"),
        ("search.py:gone", "search.py has no function gone; it has: find, nothing"),
        ("nowhere:find", "nowhere cannot be imported (ModuleNotFoundError"),
        ("find", '"find" names no function; allowed: module:function'),
    ],
)
def test_a_retriever_that_is_none_is_named(run: Run, named: str, told: str) -> None:
    assert told in run("-o", f"caveat_retriever={named}", "data/pins", status=1)


@pytest.mark.parametrize("k", ["five", "0", "-1"])
def test_a_number_that_is_none_is_an_error(run: Run, k: str) -> None:
    assert f'caveat_k is "{k}"; allowed: a whole number from 1' in run("-o", f"caveat_k={k}", "data/pins", status=2)


def test_a_hostile_pin_sends_a_terminal_nothing(run: Run, repository: Path) -> None:
    edit(repository / "data" / "pins" / "8841-the-notice.json", title="\x1b[31mred", query="not so\n\x1b]0;owned\x07")
    (repository / "search.py").write_text("def find(query, as_of):\n    return []\n", encoding="utf-8")
    out = run("data/pins", status=1)
    assert "[31mred" in out
    assert "\x1b" not in out


def test_a_file_that_is_no_pin_is_an_error(run: Run, repository: Path) -> None:
    (repository / "data" / "pins" / "b.json").write_text("{}", encoding="utf-8")
    (repository / "data" / "other.json").write_text("{}", encoding="utf-8")
    out = run("data", status=2)
    assert 'b.json: "pin" is null; this Caveat reads 1' in out
    assert "1 error" in out
    (repository / "data" / "pins" / "b.json").write_text(json.dumps(pin(id="8841-the-notice")), encoding="utf-8")
    assert 'id "8841-the-notice" is also that of' in run("data/pins", status=2)


def test_pins_in_folders_within_are_tests_too(run: Run, repository: Path) -> None:
    inner = repository / "data" / "pins" / "team"
    inner.mkdir()
    file = inner / "8841-the-notice.json"
    (inner.parent / file.name).rename(file)
    assert "1 passed" in run("data/pins")
    (inner.parent / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    assert 'id "8841-the-notice" is also that of' in run("data/pins", status=2)


def test_caveat_itself_is_asked_in_a_process_of_its_own(run: Run, repository: Path, demo_folder: Path) -> None:
    (repository / "caveat.toml").write_bytes((demo_folder / "caveat.toml").read_bytes())
    (repository / "test_by_hand.py").write_text(
        "def test_by_hand(caveat_retriever):\n"
        '    found = caveat_retriever("seat downgrade credit calculation table", "2026-03-15")\n'
        '    assert any("30 calendar days" in passage.text for passage in found)\n',
        encoding="utf-8",
    )
    own = ("-o", "caveat_retriever=", "-o", f"caveat_state={demo_folder / '.caveat'}")
    assert "3 passed" in run(*own, "data/pins", "test_by_hand.py", "test_ours.py")
    (repository / "caveat.toml").write_text(
        '[encoder]\nmodel = "hash-384"\n[retrieve]\nreranker = "none"\nk = 1\nmax_links = 0\n', encoding="utf-8"
    )
    edit(repository / "data" / "pins" / "8841-the-notice.json", query="suspended seats of a person on leave")
    out = run(*own, "data/pins", status=1)
    assert "lost: " in out
    assert "(dense " in out


def test_without_an_index_it_says_what_to_run(run: Run) -> None:
    out = run("-o", "caveat_retriever=", "data/pins", status=1)
    assert "nothing was indexed" in out or "caveat index" in out
