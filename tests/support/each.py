"""Run one test over many cases: every case that fails is reported by name, and the others still run."""

import functools
import inspect
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest

Test = Callable[..., None]
Case = tuple[str, dict[str, Any]]  #: its label, and its arguments by name


def each(
    names: str, cases: Iterable[Any], ids: Callable[[Any], object] | Iterable[object] | None = None
) -> Callable[[Test], Test]:
    """Decorate a cheap check of files, names or errors: it becomes one test with one subtest per case.

    The arguments are those of `pytest.mark.parametrize`, and decorators can be stacked in the same way. All cases share
    the fixtures of the test. A test without cases fails.
    """
    arguments = [name.strip() for name in names.split(",")]
    rows = [tuple(case) if len(arguments) > 1 else (case,) for case in cases]
    labels = ["-".join(str(ids(value)) for value in row) for row in rows] if callable(ids) else ids
    named = [", ".join(map(repr, row)) for row in rows] if labels is None else list(map(str, labels))
    own: list[Case] = [(label, dict(zip(arguments, row, strict=True))) for label, row in zip(named, rows, strict=True)]

    def decorate(decorated: Test) -> Test:
        test, below = vars(decorated).get("cases", (decorated, [("", {})]))
        every = [(f"{inner} {outer}".strip(), given | more) for (outer, given), (inner, more) in product(own, below)]

        @functools.wraps(test)
        def run(*, subtests: pytest.Subtests, **fixtures: Any) -> None:
            assert every, "there are no cases"
            for label, given in every:
                with subtests.test(label):
                    test(**fixtures, **given)

        taken = every[0][1] if every else arguments
        left = [one for one in inspect.signature(test).parameters.values() if one.name not in taken]
        added = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        vars(run)["__signature__"] = inspect.Signature([*left, added])  # what pytest takes the fixtures from
        vars(run)["cases"] = (test, every)
        return run

    return decorate
