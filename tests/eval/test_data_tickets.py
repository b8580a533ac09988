"""The project's own tickets against its own handbook."""

from pathlib import Path

import pytest

from eval.policy import read_policy
from eval.ticket_check import check
from eval.ticket_files import load_suite
from ingest.settings import IngestSettings
from tests.eval import desk


@pytest.fixture
def folder(root: Path) -> Path:
    found = root / "data" / "tickets"
    if not found.exists():
        pytest.skip("data/tickets is not there")
    return found


def test_the_tickets_fit_the_handbook(folder: Path, demo_handbook: Path) -> None:
    policy = read_policy(demo_handbook, IngestSettings(), desk.NOW)
    found = check(load_suite(folder), policy, expected=200)
    assert found.findings == ()
    assert found.kinds == {"exception": 120, "plain": 40, "dated": 20, "unanswerable": 20}
    assert found.rewrites == 800
    assert found.cross_section >= 60
    assert all(90 <= count <= 110 for count in found.sides.values())
