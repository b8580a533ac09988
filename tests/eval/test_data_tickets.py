"""The project's own tickets against its own handbook."""

from pathlib import Path

from eval.policy import Policy
from eval.ticket_check import check
from eval.ticket_files import load_suite


def test_the_tickets_fit_the_handbook(root: Path, demo_policy: Policy) -> None:
    found = check(load_suite(root / "data" / "tickets"), demo_policy, expected=200)
    assert found.findings == ()
    assert found.kinds == {"exception": 120, "plain": 40, "dated": 20, "unanswerable": 20}
    assert found.rewrites == 800
    assert found.cross_section >= 60
    assert found.sides == {"holdout": 100, "tune": 100}


def test_the_page_states_the_figures(root: Path, demo_policy: Policy) -> None:
    found = check(load_suite(root / "data" / "tickets"), demo_policy)
    page = " ".join((root / "data" / "README.md").read_text(encoding="utf-8").split())
    assert f"120 exceptions ({found.cross_section} with rule and limit in different sections)" in page
    assert f"{found.ambiguous} of the {found.rewrites} rewrites lost so much" in page
    assert f"occurs in its gold sections is {found.median_overlap:.2f} " in page
