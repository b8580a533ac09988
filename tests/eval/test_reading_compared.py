"""The probes by which readers are compared: this reader keeps what each of them holds, and nothing that is struck."""

import pytest

from eval.reading_compared import Probe, Read, ours, probes, verdict


@pytest.mark.parametrize("probe", probes(), ids=lambda probe: probe.name)
def test_this_reader_is_right_about_every_probe(probe: Probe) -> None:
    assert verdict(probe, ours(f"probe{probe.suffix}", probe.raw)) == "right"


@pytest.mark.parametrize(
    ("texts", "said"),
    [(("in 60", "days"), "right"), (("in 30 days 60 days",), "kept, with what is struck or hidden"), ((), "lost")],
    ids=["right", "struck", "lost"],
)
def test_a_verdict_can_be_each_of_three(texts: tuple[str, ...], said: str) -> None:
    assert verdict(Probe("deletion", ".html", b"", "60 days", "30 days"), Read(texts, (), 0)) == said
