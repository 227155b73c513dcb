"""Work in plain Python or in compiled code, whatever has been loaded already."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pitboss.fast.switch import Switch


@contextmanager
def forced(compiled: bool) -> Iterator[None]:
    """Within it, every switch without a choice of its own is on (`compiled`) or off."""
    if compiled:
        pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    run = Switch.run

    def run_forced(self: Switch, seconds: float, *forms: Any, **_: Any) -> Any:
        plain, fast, wanted = (*forms, None)[:3]
        return run(self, seconds, plain, fast, compiled if wanted is None else wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Switch, "run", run_forced)
        yield
