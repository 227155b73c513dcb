"""Old module names: `pitboss.notation` is now `pitboss.records`, `pitboss.formats` and `pitboss.documents`."""

import sys
import warnings
from importlib import import_module

MOVED = {
    "acpc": "pitboss.formats.acpc",
    "document": "pitboss.documents",
    "ohh": "pitboss.formats.ohh",
    "phh": "pitboss.formats.phh",
    "recording": "pitboss.records.record",
}
"""The modules that the documentation named."""

warnings.warn(
    "pitboss.notation is deprecated: import pitboss.records, pitboss.formats or pitboss.documents",
    DeprecationWarning,
    stacklevel=2,
)
for _old, _new in MOVED.items():
    sys.modules[f"{__name__}.{_old}"] = globals()[_old] = import_module(_new)
