from pathlib import Path

import pytest

from eval.reading_table import main

FEES = "# 1 Fees\n\nFive.\n\n## Rates\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


def test_each_file_has_a_row_and_a_refused_one_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(FEES, encoding="utf-8")
    (tmp_path / "b.md").touch()
    assert main([str(tmp_path / "a.md"), str(tmp_path / "b.md")]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| a.md |  | 2 | 1 | 1 | 18 | 100.0% | 0 |",
        "| b.md | refused: b.md: the file is empty; fix: remove it, or write its text |  |  |  |  |  |  |",
    ]
