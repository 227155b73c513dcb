"""What a fuzzer has found is tried again with every run, and every target has something to begin with."""

from tests.fuzz.corpus import read_corpus
from tests.fuzz.first import first_inputs
from tests.fuzz.targets import TARGETS, try_target
from tests.support.for_each import for_each


@for_each("target", TARGETS)
def test_kept_inputs_do_not_break_their_targets(target: str) -> None:
    corpus = read_corpus(target)
    assert len(corpus) >= 3
    for data in corpus:
        try_target(target, data)


@for_each("target, inputs", first_inputs().items())
def test_own_output_is_readable(target: str, inputs: list[bytes]) -> None:
    assert inputs
    for data in inputs:
        TARGETS[target](data)
