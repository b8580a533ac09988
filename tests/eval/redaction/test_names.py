"""Names are written as they are, so one that holds a secret is refused where it would be written."""

from pathlib import Path
from typing import Any

import pytest

from eval.redaction.redactor import Redactor
from ingest.errors import QueryError

ROW = "{id},late notice,2026-03-15,04-seats.md,4.2.2,at least 30 calendar days prior,{family}\n"


@pytest.mark.parametrize("name", ["exc-105", "incident-2026-03-15", "acct_99201", ""])
def test_plain_names_pass(name: str) -> None:
    Redactor().check_name(name, "suite.csv:2")


def test_a_name_that_is_a_secret_is_refused_without_saying_it() -> None:
    with pytest.raises(QueryError, match=r'suite.csv:2: the name "<EMAIL_1>" would be written as it is') as raised:
        Redactor().check_name("jane.doe@example.com", "suite.csv:2")
    assert "jane" not in str(raised.value)


@pytest.mark.parametrize(
    ("row", "kind"),
    [({"id": "jane.doe@example.com", "family": "f"}, "EMAIL"), ({"id": "q", "family": "4111 1111 1111 1111"}, "CARD")],
    ids=["id", "family"],
)
@pytest.mark.parametrize("command", [["eval"], ["nightly", "--no-index", "--suite"]], ids=["eval", "nightly"])
def test_no_report_holds_a_secret_that_names_a_question(
    ask: Any, demo_folder: Path, tmp_path: Path, command: list[str], row: dict[str, str], kind: str
) -> None:
    suite = tmp_path / "suite.csv"
    suite.write_text("id,query,as_of,document,section,quote,family\n" + ROW.format(**row), encoding="utf-8")
    settings = f'handbook = "{demo_folder / "handbook"}"\n[encoder]\nmodel = "hash-384"\n'
    (tmp_path / "caveat.toml").write_text(settings, encoding="utf-8")
    done = ask(*command, str(suite), "--out", "out")
    assert done.status == 2
    assert f'suite.csv:2: the name "<{kind}_1>" would be written as it is' in done.err
    written = [path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file() and path != suite]
    assert not [text for text in written if "jane.doe" in text or "4111 1111" in text]
