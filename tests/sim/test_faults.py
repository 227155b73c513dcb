"""The simulation finds faults: each of a dozen, put into the arena on purpose, is noticed within a few seeds."""

import pytest

from tests.sim.faults import FAULTS, Fault
from tests.support.sim.many import play

WITHIN = 100
"""Seeds; CI plays five hundred."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    assert any(play([seed]).failures for seed in range(WITHIN))
