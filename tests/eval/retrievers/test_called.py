"""A function of one's own as a retriever."""

from collections.abc import Callable
from pathlib import Path

import pytest

from eval.retrievers.answer import Given
from eval.retrievers.called import Called, called
from eval.suites.question import Gold, Question
from ingest.errors import QueryError

ASKED = Question("q-1", "how early", (Gold("a"),), "f", "2026-03-15")
QUOTED = Question("q-2", "how early", (Gold("a", quotes=("a quote of words",)),), "f")

Make = Callable[[str], Called]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(body: str) -> Called:
        file = tmp_path / "old_search.py"
        file.write_text(f"def search(query, as_of):\n    {body}\n", encoding="utf-8")
        return called(f"{file}:search")

    return make


def test_texts_mappings_and_objects_are_passages(made: Make) -> None:
    body = (
        "from types import SimpleNamespace\n"
        "    yield query\n"
        "    yield {'text': 'b', 'id': 7, 'effective_from': as_of}\n"
        "    yield SimpleNamespace(text='c', address='a', inherits=('lead-in:',), superseded_at=None)"
    )
    answer = made(body).answer(ASKED, 5)
    assert answer.passages == (
        Given(None, ("how early",), tokens=2),
        Given("7", ("b",), frozenset({"7"}), "2026-03-15", tokens=1),
        Given("a", ("c", "lead-in:"), frozenset({"a"}), tokens=answer.passages[2].tokens),
    )
    assert answer.milliseconds["total"] > 0
    assert answer.confidence is None


def test_an_id_alone_is_not_believed_where_there_are_quotes(made: Make) -> None:
    [passage] = made("return [{'text': 'half of it', 'id': 'a'}]").answer(QUOTED, 5).passages
    assert (passage.id, passage.covers) == ("a", frozenset())


def test_more_than_k_is_not_looked_at(made: Make) -> None:
    assert len(made("return iter(lambda: 'again', None)").answer(ASKED, 3).passages) == 3


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise ValueError('no index')", r'search failed \(ValueError: no index\) when asked "q-1"'),
        ("yield 'a'; raise KeyError", r'search failed \(KeyError: no message\) when asked "q-1"'),
        ("return None", 'search gave NoneType when asked "q-1"; allowed: a list of passages, best first'),
        ("return 'text'", 'search gave str when asked "q-1"'),
        ("return {'passages': []}", 'search gave dict when asked "q-1"'),
        ("return ['a', {'body': 'b'}]", 'search gave dict without a text as passage 2 when asked "q-1"; allowed: a te'),
        ("return [4]", "search gave int without a text as passage 1"),
        ("return [{'text': 'a', 'inherits': 5}]", r"search gave a passage 1 that cannot be read \(TypeError: "),
        ("import sys; sys.exit(0)", r"search failed \(SystemExit: 0\)"),
        ("import asyncio; raise asyncio.CancelledError", r"search failed \(CancelledError: no message\) when asked"),
        ("yield 'a'; raise GeneratorExit", r"search failed \(GeneratorExit: no message\) when asked"),
        ("return len(4)", r"search failed \(TypeError: object of type 'int' has no len\(\)\) when asked \"q-1\"$"),
    ],
    ids=[
        "fails",
        "fails late",
        "nothing",
        "a text",
        "a mapping",
        "no text",
        "a number",
        "no lead-ins",
        "leaves",
        "cancelled",
        "generator",
        "type",
    ],
)
def test_faults_of_the_function_name_the_question(made: Make, body: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        made(body).answer(ASKED, 5)


def test_a_function_of_another_signature_is_told_which_it_takes(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def search(query):\n    return []\n", encoding="utf-8")
    with pytest.raises(QueryError, match=r'TypeError: .*"q-1"; allowed: a function that takes \(query, as_of\)'):
        called(f"{tmp_path / 'one.py'}:search").answer(ASKED, 5)


def test_control_c_within_the_function_interrupts(made: Make) -> None:
    with pytest.raises(KeyboardInterrupt):
        made("raise KeyboardInterrupt").answer(ASKED, 5)


def test_what_the_function_prints_is_not_part_of_the_answer(made: Make, capsys: pytest.CaptureFixture[str]) -> None:
    made("print('loading'); return ['a']").answer(ASKED, 5)
    assert capsys.readouterr() == ("", "loading\n")


def test_texts_that_have_no_bytes_can_be_written_all_the_same(made: Make) -> None:
    [passage] = (
        made("return [{'text': 'a\\ud800', 'id': 'b\\udfff', 'inherits': 'one lead-in'}]").answer(ASKED, 5).passages
    )
    assert (passage.id, passage.texts) == ("b?", ("a?", "one lead-in"))


def test_a_changed_file_is_another_contender(made: Make) -> None:
    assert made("return ['a']").key != made("return ['b']").key


def test_modules_are_found_in_the_folder_where_it_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "caveat_old_search_for_test.py").write_text(
        "class Old:\n    find = staticmethod(lambda query, _: [query])"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    found = called("caveat_old_search_for_test:Old.find")
    assert found.answer(ASKED, 5).passages[0].texts == ("how early",)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("search", '"search" names no function; allowed: module:function or path/to/file.py:function'),
        ("nowhere.py:search", "--retriever: no file nowhere.py"),
        ("caveat_nowhere:search", r"caveat_nowhere cannot be imported \(ModuleNotFoundError"),
        ("{file}:serch", "has no serch; allowed: search$"),
        ("{file}:LIMIT", "LIMIT is int; allowed: search$"),
        ("{broken}:search", r"broken.py cannot be imported \(SyntaxError"),
    ],
    ids=["form", "file", "module", "name", "not callable", "syntax"],
)
def test_what_cannot_be_called_is_named(tmp_path: Path, spec: str, message: str) -> None:
    file, broken = tmp_path / "own.py", tmp_path / "broken.py"
    file.write_text("LIMIT = 3\ndef search(query, as_of):\n    return []\n", encoding="utf-8")
    broken.write_text("def search(\n", encoding="utf-8")
    with pytest.raises(QueryError, match=message):
        called(spec.format(file=file, broken=broken))
