"""Run one test over many cases: every case that fails is reported by name, and the others still run."""

import functools
import inspect
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest

Test = Callable[..., None]
Case = tuple[str, dict[str, Any]]  #: its label, and its arguments by name
Param = type(pytest.param())


def for_each(
    names: str, cases: Iterable[Any], ids: Callable[[Any], object] | Iterable[object] | None = None
) -> Callable[[Test], Test]:
    """Decorate a cheap check of files, names or errors: it becomes one test, with a subtest per failing case.

    The arguments are those of `pytest.mark.parametrize`, and decorators can be stacked in the same way. Each case
    has its own `tmp_path` and shares the other fixtures of the test. A test without cases fails.
    """
    arguments = [name.strip() for name in names.split(",")]
    labels = None if ids is None or callable(ids) else list(ids)

    def name_case(number: int, case: Any) -> Case:
        label = None if labels is None else labels[number]
        if isinstance(case, Param):
            assert not case.marks, "a case has no marks"
            row, label = case.values, case.id
        else:
            row = tuple(case) if len(arguments) > 1 else (case,)
        if label is None:
            label = "-".join(str(ids(value)) if callable(ids) else repr(value) for value in row)
        return str(label), dict(zip(arguments, row, strict=True))

    here = [name_case(number, case) for number, case in enumerate(cases)]

    def decorate(decorated: Test) -> Test:
        test, below = vars(decorated).get("cases", (decorated, [("", {})]))
        every = [(f"{inner} {outer}".strip(), given | more) for (outer, given), (inner, more) in product(here, below)]

        @functools.wraps(test)
        def run(*case: Any, subtests: pytest.Subtests | None = None, **fixtures: Any) -> None:
            if subtests is None:  # called by another test, for one case
                test(*case, **fixtures)
                return
            assert every, "there are no cases"
            for number, (label, given) in enumerate(every):
                own = {"tmp_path": fixtures["tmp_path"] / str(number)} if "tmp_path" in fixtures else {}
                for folder in own.values():
                    folder.mkdir()
                try:
                    test(**{**fixtures, **own, **given})
                except (Exception, pytest.fail.Exception, pytest.skip.Exception):
                    with subtests.test(label):  # only if there is something to report: a report costs time
                        raise

        taken = every[0][1] if every else arguments
        left = [one for one in inspect.signature(test).parameters.values() if one.name not in taken]
        added = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        vars(run)["__signature__"] = inspect.Signature([*left, added])  # what pytest takes the fixtures from
        vars(run)["cases"] = (test, every)
        return run

    return decorate
