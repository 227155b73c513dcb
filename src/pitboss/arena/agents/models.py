"""The settings of language models, from `models.toml`.

```toml
[models.local]
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3:8b"
```
"""

import math
import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from pitboss.errors import PitbossError

FILE = Path("models.toml")
"""The file in the current folder that is read by default."""
PREFIX = "llm:"
"""The beginning of a model's name on the command line."""
LARGEST_FILE = 1 << 20
MILLION = 1_000_000


class ModelError(PitbossError, ValueError):
    """A model cannot be used; the message says where and why."""


class Model(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of one model, as in its table `[models.NAME]`."""

    base_url: str  #: requests go to `BASE_URL/chat/completions`
    model: str  #: the model's name at the endpoint
    key_env: str | None = None  #: the environment variable with the key
    temperature: float | None = None
    max_tokens: int | None = None  #: the longest answer
    timeout_s: float = 60.0  #: the longest wait for one answer, if the turn is not shorter
    budget_usd: float | None = None  #: when it is spent, the seat checks or folds
    price_in: float = 0.0  #: USD per million tokens of prompts
    price_out: float = 0.0  #: USD per million tokens of answers

    @property
    def address(self) -> str:
        """The address that requests go to."""
        return self.base_url.rstrip("/") + "/chat/completions"

    @property
    def key(self) -> str | None:
        """The key of the endpoint; None if it needs none."""
        return None if self.key_env is None else os.environ.get(self.key_env, "")

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price of a request in USD.

        >>> Model(base_url="http://127.0.0.1/v1", model="m", price_in=3, price_out=15).cost(1_000, 100)
        0.0045
        """
        return (tokens_in * self.price_in + tokens_out * self.price_out) / MILLION


def is_model(spec: str) -> bool:
    """Return whether a bot's name on the command line is a model.

    >>> is_model("llm:local"), is_model("sharp")
    (True, False)
    """
    return spec.startswith(PREFIX)


def find_model(spec: str, file: str | os.PathLike[str] | None = None) -> Model:
    """Return the model that `llm:NAME` names. Raise `ModelError` if it is missing, or if its key is."""
    name, path = spec.removeprefix(PREFIX), Path(file or FILE)
    known = read_models(path)
    if name not in known:
        near = get_close_matches(name, known, 1)
        advice = f"did you mean {near[0]}?" if near else f"it has {', '.join(known) or 'none'}"
        raise ModelError(f"{path}: expected a table [models.{name}]; {advice}")
    model = known[name]
    if model.key_env is not None and not model.key:
        raise ModelError(
            f"{path}: models.{name}.key_env: the environment variable {model.key_env} is not set; "
            f"set it to the endpoint's key, or remove key_env"
        )
    return model


def read_models(path: Path) -> dict[str, Model]:
    """Return the models of a file by name. Raise `ModelError` if it cannot be read or used."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ModelError(
            f"{path}: {error.strerror or error}; give a file with --models, with a table [models.NAME] for each model"
        ) from None
    return parse_models(data, str(path))


def parse_models(data: bytes, path: str) -> dict[str, Model]:
    """Return the models in the text of a file. Raise `ModelError` with the place of what is wrong."""
    if len(data) > LARGEST_FILE:
        raise ModelError(f"{path}: expected at most {LARGEST_FILE:,} bytes")
    try:
        content = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ModelError(f"{path}: not valid TOML: {error}") from None
    tables = content.pop("models", None)
    if content or not isinstance(tables, dict):
        wrong = f", got {', '.join(content)}" if content else ""
        raise ModelError(f"{path}: expected only tables called [models.NAME]{wrong}")
    return {name: _model(f"{path}: models.{name}", table) for name, table in tables.items()}


def _model(where: str, table: object) -> Model:
    if not isinstance(table, Mapping):
        raise ModelError(f"{where}: expected a table with base_url and model, got {table!r:.40}")
    keys = Model.__struct_fields__
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            advice = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(keys)}"
            raise ModelError(f"{where}.{key}: this key is not known; {advice}")
    try:
        model = msgspec.convert(dict(table), Model)
    except msgspec.ValidationError as error:
        sentence, _, at = str(error).partition(" - at `$.")
        raise ModelError(f"{where}{'.' + at.rstrip('`') if at else ''}: {sentence[:1].lower()}{sentence[1:]}") from None
    for key, wanted in _wrong(model):
        raise ModelError(f"{where}.{key}: expected {wanted}, got {getattr(model, key)!r:.80}")
    return model


def _wrong(model: Model) -> list[tuple[str, str]]:
    """Return the keys with values that cannot be used, and what was expected."""
    checks: list[tuple[str, str, bool]] = [
        ("base_url", "an address such as http://127.0.0.1:11434/v1", _is_address(model.base_url)),
        ("model", "a name", bool(model.model)),
        ("temperature", "a number from 0 to 2", _within(model.temperature, 0, 2)),
        ("max_tokens", "a whole number from 1", _within(model.max_tokens, 1, MILLION)),
        ("timeout_s", "seconds, more than 0", 0 < model.timeout_s < math.inf),
        ("budget_usd", "a number from 0", _within(model.budget_usd, 0)),
        ("price_in", "a number from 0", _within(model.price_in, 0)),
        ("price_out", "a number from 0", _within(model.price_out, 0)),
    ]
    return [(key, wanted) for key, wanted, right in checks if not right]


def _within(value: Any, least: float, most: float = 1e12) -> bool:
    return value is None or least <= value <= most


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
