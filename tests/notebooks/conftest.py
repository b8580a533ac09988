"""Runs a notebook's code in this process, with other parameters: no kernel, no second start of Python."""

import ast
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib import pyplot

matplotlib.use("Agg")
Cells = list[dict[str, Any]]
Execute = Callable[[str, Mapping[str, Any]], dict[str, Any]]


def read_cells(root: Path, name: str) -> Cells:
    """All cells of a notebook."""
    cells: Cells = json.loads((root / "notebooks" / name).read_text(encoding="utf-8"))["cells"]
    return cells


@pytest.fixture
def execute(root: Path, monkeypatch: pytest.MonkeyPatch) -> Execute:
    """Runs all code cells in their order, and draws what they end with; the values by name."""
    # A notebook's own kernel draws a figure and closes it; here it is drawn into nothing.
    monkeypatch.setattr(pyplot, "show", _draw)

    def run(name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {"__name__": "__main__"}
        for at, cell in enumerate(read_cells(root, name)):
            if cell["cell_type"] == "code":
                _run("".join(cell["source"]), f"{name}, cell {at}", values)
                if "parameters" in cell["metadata"].get("tags", ()):
                    assert set(parameters) <= set(values)
                    values.update(parameters)
        return values

    return run


def _draw() -> None:
    pyplot.gcf().canvas.draw()
    pyplot.close("all")


def _run(source: str, where: str, values: dict[str, Any]) -> None:
    body = ast.parse(source, where)
    last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
    exec(compile(body, where, "exec"), values)
    if isinstance(last, ast.Expr):
        ended = eval(compile(ast.Expression(last.value), where, "eval"), values)
        assert not hasattr(ended, "_repr_html_") or ended._repr_html_()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own whose index is made without a model."""
    (tmp_path / "caveat.toml").write_text('[encoder]\nmodel = "hash-384"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Path(os.curdir)
