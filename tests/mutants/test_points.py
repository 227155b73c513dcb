"""Faults are at the places they name, and a fault that matters is noticed."""

from tests.mutants.points import find_mutants

SOURCE = '''"""Nothing to change here: 1 < 2."""

LIMIT = 500


def pay(stack: int, owed: int) -> int:
    """Pay."""
    log.info("paid %d", owed + 1)
    if owed > stack and not stack == 0:
        raise ValueError(f"{owed - stack} short")
    stack -= min(owed, stack)
    return stack
'''


def test_every_fault_is_at_its_line_and_compiles() -> None:
    found = find_mutants("pay.py", SOURCE)
    for mutant in found:
        changed = mutant.put_into(SOURCE)
        assert changed != SOURCE
        compile(changed, mutant.name, "exec")
    assert {mutant.kind for mutant in found} >= {
        "comparison",
        "and-or",
        "sign",
        "number",
        "condition",
        "gone",
        "function",
    }


def test_texts_annotations_and_log_messages_are_not_changed() -> None:
    lines = {mutant.line for mutant in find_mutants("pay.py", SOURCE)}
    assert lines == {3, 9, 10, 11}


def test_a_limit_is_changed_by_much_and_a_small_number_by_one() -> None:
    numbers = {mutant.before: mutant.after for mutant in find_mutants("pay.py", SOURCE) if mutant.kind == "number"}
    assert numbers == {"500": "8000", "0": "1"}


def test_tuned_constants_and_class_settings_are_not_changed() -> None:
    source = """PATIENCE = 2.5
LIMIT = 5


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    size: int = 0


def wait() -> None:
    gc.freeze()
    select(timeout=3, most=3)
"""
    assert [(mutant.line, mutant.before) for mutant in find_mutants("wait.py", source)] == [
        (2, "5"),
        (5, "True"),
        (6, "0"),
        (11, "select(timeout=3, most=3)"),
        (11, "3"),
    ]


def test_a_fault_has_as_many_lines_as_the_code_it_replaces() -> None:
    source = "def f():\n    g(\n        1,\n    )\n\n\ndef h():\n    return 0\n"
    gone = next(mutant for mutant in find_mutants("f.py", source) if mutant.kind == "gone")
    assert gone.put_into(source) == "def f():\n    pass\n\n\n\n\ndef h():\n    return 0\n"
