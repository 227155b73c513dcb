"""Module paths that the documentation named before records, formats and documents were apart still work."""

import subprocess
import sys


def test_old_module_names_work_and_warn() -> None:
    code = """
import warnings
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    from pitboss.notation.document import join
    from pitboss.notation.acpc import read_acpc
    from pitboss.notation.ohh import write_ohh
    from pitboss.notation.phh import foreign_words
    import pitboss.notation.recording
    pitboss.notation.recording.record_hand
import pitboss.documents
assert join is pitboss.documents.join
print([(each.category.__name__, each.filename) for each in found])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[('DeprecationWarning', '<string>')]\n"
