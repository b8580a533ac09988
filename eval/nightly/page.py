"""report.html: one self-contained page, without scripts, that answers before it explains."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from eval.nightly import pieces, wording
from eval.nightly.glance import Glance


def page(glance: Glance) -> str:
    """The whole page; every foreign text in it is cleaned, then escaped."""
    style = _read("report.css")
    return (
        _environment()
        .from_string(_read("report.html.jinja"))
        .render(glance=glance, night=glance.night, style=style, pieces=pieces, wording=wording)
    )


def _read(name: str) -> str:
    return files("eval.nightly").joinpath(name).read_text(encoding="utf-8")


def _environment() -> Environment:
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
