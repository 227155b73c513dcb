"""Shared fixtures: the recorded hands next to the repository, and Hypothesis's settings."""

import atexit
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# A background run may ignore interrupts, and the processes that it starts would ignore them too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Codes that `arena join` keeps are not those of the person who runs the tests.
os.environ["PITBOSS_STATE"] = tempfile.mkdtemp(prefix="pitboss-state-")
atexit.register(shutil.rmtree, os.environ["PITBOSS_STATE"], ignore_errors=True)

ROOT = Path(__file__).resolve().parent.parent

# No deadline and no complaint about slowness: a busy machine is not a bug. More with --hypothesis-profile=thorough.
settings.register_profile("ci", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("ci"), max_examples=20)  # for `make test`
settings.register_profile("thorough", settings.get_profile("ci"), max_examples=2000)
# With the profile "same", CI tries the same examples for a commit each time; other machines try new ones.
# Constants of modules that are loaded, which Hypothesis tries too, are left out: they depend on the tests before.
settings.register_profile("same", settings.get_profile("ci"), derandomize=True)
if {"CI", "ORDER"} & os.environ.keys():  # .ci/run sets the order
    settings.load_profile("same")
    vars(providers)["_get_local_constants"] = lambda: vars(providers)["_local_constants"]
else:
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of recorded hands, or skip the test if it is missing."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("recorded hands not here: ../shared/data is absent")
    return folder
