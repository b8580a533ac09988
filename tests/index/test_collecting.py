from __future__ import annotations

import gc

import pytest

from index.collecting import no_cycle_search


def test_the_search_for_cycles_goes_on_afterwards() -> None:
    def fail() -> None:
        with no_cycle_search():
            raise KeyError(gc.isenabled())

    with pytest.raises(KeyError, match="False"):
        fail()
    assert gc.isenabled()


def test_a_search_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with no_cycle_search():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
