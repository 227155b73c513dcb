"""Spots and solutions as files: SPOT.toml, and `.npz` archives that contain numbers and JSON but no Python objects."""

import json
import tomllib
import warnings
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from os import PathLike
from tokenize import TokenError
from typing import Any, BinaryIO, NamedTuple

from pitboss.cards import write_cards
from pitboss.solver.engine import STORAGES, Engine
from pitboss.solver.sizes import Sizes, SpotError
from pitboss.solver.spot import Prizes, Spot

VERSION = 1
MOST_TEXT = 1 << 20
MOST_HEADER = 1 << 10
"""The most bytes that NumPy writes before the numbers of an array."""
SPOT_KEYS = ("oop", "ip", "board", "pot", "stack", "sizes", "game", "rake", "icm", "locks")
SIZES_KEYS = ("flop", "turn", "river", "donk", "max_raises", "all_in_threshold")

NEW_SPOT = """\
# A spot for `pitboss solve`. Two players have seen the board; out of position acts first.
# docs/solver.md explains every key.

board = "Qs Jh 2h 8d 3c"  # three to five cards: on the flop and turn the other cards are dealt
pot = 180                 # chips that are in the pot now
stack = 910               # chips that each player has behind (the smaller stack)

# Ranges: QQ+, AKs, A5s-A2s, 76s+, AhKd, [50]AKo[/50] (half of the time), 15%, random
oop = "22-JJ, A2s+, KTs+, QTs+, JTs, T9s, 98s, 87s, AQo, KQo, [50]QJo[/50]"
ip = "99+, AJs+, KQs, [50]A5s-A4s[/50], AQo+"

[sizes]
# Bets, a slash, raises: % of the pot, 94c (chips), 2.5x (raises), a (all-in), e (geometric). One text for both players,
# or one for each: flop = { oop = "33%", ip = "33%, 75%/50%" }. A street without bets is "".
river = "50%, 100%/60%"
# max_raises = 3            # the most raises on a street
# all_in_threshold = 0.85   # a bet of at least this share of the stack becomes all-in

# [locks."check, bet 90"]   # what hands do at a decision, "" for the first: a hand, a class or "*"
# AQo = { call = 1.0 }
"""


def write_spot(spot: Spot) -> str:
    """Return SPOT.toml for a spot, with the comments of a new one."""
    fields = spot_fields(spot)
    lines = ["# A spot for `pitboss solve`. docs/solver.md explains every key."]
    lines += [f"{name} = {_toml(fields[name])}" for name in SPOT_KEYS if name in fields and name != "sizes"]
    lines += [
        "",
        "[sizes]",
        "# Bets, a slash, raises: % of the pot, 94c (chips), 2.5x (raises), a (all-in), e (geometric)",
    ]
    lines += [f"{name} = {_toml(value)}" for name, value in fields["sizes"].items() if value != {}]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Return a value as TOML, whose texts, numbers and lists are those of JSON."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join([f'{json.dumps(key)} = {_toml(part)}' for key, part in value.items()])} }}"
    return json.dumps(value)


def read_spot(text: str | bytes) -> Spot:
    """Read SPOT.toml."""
    if len(text) > MOST_TEXT:
        raise SpotError(f"spot: expected at most {MOST_TEXT:,} bytes, got {len(text):,}")
    try:
        return spot_from(tomllib.loads(text.decode() if isinstance(text, bytes) else text))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SpotError(f"spot: expected TOML, got {error}") from None


def spot_from(fields: Mapping[str, Any]) -> Spot:
    """Return the spot with these fields, as in SPOT.toml."""
    known = _known(fields, SPOT_KEYS, "spot")
    for name in ("oop", "ip", "board", "pot", "stack", "sizes"):
        if name not in known:
            raise SpotError(f"spot: expected the key {name}; `pitboss solve --new SPOT.toml` writes an example")
    if isinstance(known["sizes"], str):
        known["sizes"] = {"river": known["sizes"]}
    known["sizes"] = Sizes(**_known(known["sizes"], SIZES_KEYS, "sizes"))
    if known.get("icm") is not None:
        prizes = _known(known["icm"], ("stacks", "payouts"), "icm")
        if set(prizes) != {"stacks", "payouts"} or not all(isinstance(part, list) for part in prizes.values()):
            raise SpotError("icm: expected a list of stacks and a list of payouts")
        known["icm"] = Prizes(tuple(prizes["stacks"]), tuple(prizes["payouts"]))
    for seat in ("oop", "ip"):
        if not isinstance(known[seat], str | Mapping):
            raise SpotError(f"{seat}: expected a range as text, such as QQ+, AKs, got {known[seat]!r:.40}")
    return Spot(**known)


def _known(fields: Any, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(fields, Mapping):
        raise SpotError(f"{where}: expected a table, got {fields!r:.40}")
    for name in fields:
        if name not in names:
            raise SpotError(f"{where}: expected one of {', '.join(names)}, got {name!r:.40}")
    return dict(fields)


def spot_fields(spot: Spot) -> dict[str, Any]:
    """Return the fields of a spot as JSON can hold them."""
    fields: dict[str, Any] = {
        "board": write_cards(spot.cards),
        "pot": spot.pot,
        "stack": spot.stack,
        "game": spot.game,
        "sizes": {name: getattr(spot.sizes, name) for name in SIZES_KEYS if getattr(spot.sizes, name) is not None},
    }
    for seat in ("oop", "ip"):
        given = getattr(spot, seat)
        held = spot.ranges[seat == "ip"]
        fields[seat] = given if isinstance(given, str) else {hand: str(Fraction(w)) for hand, w in held.items()}
    if spot.locks:
        fields["locks"] = spot.locks
    if spot.rake is not None:
        fields["rake"] = list(spot.rake)
    if spot.icm is not None:
        fields["icm"] = {"stacks": list(spot.icm.stacks), "payouts": list(spot.icm.payouts)}
    return fields


class SavedFigures(NamedTuple):
    """What a file says about a solution besides its arrays."""

    iterations: int
    seconds: float
    exploitability: float
    resume: bool  #: whether the regrets are in the file, so that the solve can continue
    locks: Sequence[tuple[str, Any]] = ()  #: lines and the hands that are locked there


def save_engine(engine: Engine, figures: SavedFigures, path: str | PathLike[str]) -> None:
    """Write what an engine has learned."""
    import numpy as np

    about = {
        "format": "pitboss solution",
        "version": VERSION,
        "spot": spot_fields(engine.spot),
        "storage": engine.storage,
        "isomorphism": engine.isomorphism,
        **figures._asdict(),
    }
    arrays = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    for player, side in enumerate(engine.sides):
        arrays[f"sums{player}"] = side.store.sums
        if figures.resume:
            arrays[f"regrets{player}"] = side.store.regrets
            arrays[f"scales{player}"] = side.store.scales
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def read_engine(file: BinaryIO, name: str, threads: int = 1) -> tuple[Engine, SavedFigures]:
    """Read what `save_engine` wrote; `name` is for errors."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _read_archive(archive, name, threads)
    except (
        zipfile.BadZipFile,
        EOFError,
        NotImplementedError,
        RuntimeError,
        zlib.error,
    ) as error:
        raise SpotError(f"{name}: expected a solution saved by pitboss, got {error}") from None


def _read_archive(archive: zipfile.ZipFile, name: str, threads: int) -> tuple[Engine, SavedFigures]:
    import numpy as np

    about = _read_about(archive, name)
    storage = about.get("storage")
    if not isinstance(storage, str) or storage not in STORAGES or not isinstance(about.get("isomorphism"), bool):
        raise SpotError(f"{name}: expected a solution saved by pitboss, got the storage {storage!r:.20}")
    engine = Engine(spot_from(about.get("spot", {})), storage, about["isomorphism"], threads)
    kinds = ("sums", "regrets", "scales") if about.get("resume") else ("sums",)
    least = sum(info.file_size for info in archive.infolist())
    if least < engine.least_bytes():
        raise SpotError(f"{name}: the file does not contain all strategies of its spot")
    engine.allocate()
    for player, side in enumerate(engine.sides):
        for kind in kinds:
            into = getattr(side.store, kind)
            found = _read_array(archive, f"{kind}{player}", into.nbytes, name)
            if found.dtype != into.dtype or found.shape != into.shape:
                raise SpotError(f"{name}: expected {into.size:,} numbers in {kind}{player}, got {found.size:,}")
            if into.dtype == np.float32 and not np.isfinite(found).all():
                raise SpotError(f"{name}: expected finite numbers in {kind}{player}")
            into[:] = found
    numbers: list[Any] = [about.get(key) for key in ("iterations", "seconds", "exploitability")]
    if not all(isinstance(number, int | float) and number >= 0 for number in numbers) or type(numbers[0]) is not int:
        raise SpotError(f"{name}: expected numbers for iterations, seconds and exploitability")
    locks = about.get("locks", [])
    whole = isinstance(locks, list) and all(isinstance(lock, list) and len(lock) == 2 for lock in locks)
    if not whole or not all(isinstance(line, str) for line, _ in locks):
        raise SpotError(f"{name}: expected a line and hands for each lock")
    engine.iterations = numbers[0]
    return engine, SavedFigures(numbers[0], numbers[1], numbers[2], bool(about.get("resume")), locks)


def _read_about(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    text = _read_array(archive, "about", MOST_TEXT, name).tobytes()
    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or about.get("format") != "pitboss solution":
        raise SpotError(f"{name}: expected a solution saved by pitboss, got another file")
    if about.get("version") != VERSION:
        raise SpotError(
            f"{name}: expected version {VERSION} of the format, got {about.get('version')!r:.20}: solve the spot again"
        )
    return about


def _read_array(archive: zipfile.ZipFile, member: str, most: int, name: str) -> Any:
    """Read an array of at most this many bytes. Pickled objects are refused."""
    import numpy as np

    try:
        info = archive.getinfo(f"{member}.npy")
    except KeyError:
        raise SpotError(f"{name}: expected a solution saved by pitboss, got a file without {member}") from None
    if info.file_size > most + MOST_HEADER:
        raise SpotError(f"{name}: expected at most {most:,} bytes in {member}, got {info.file_size:,}")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise SpotError(f"{name}: expected a solution saved by pitboss, got {member} in another compression")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # NumPy warns about old headers, which pitboss never writes
            return np.lib.format.read_array(BytesIO(archive.read(info)), allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, TypeError, MemoryError, OverflowError, TokenError, Warning) as error:
        raise SpotError(f"{name}: expected numbers in {member}, got {error!s:.80}") from None
