"""The organiser's list of teams, from the command line, a TOML file, or a file with one NAME:CODE per line."""

import json
import os
import re
import secrets
import tomllib
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct, field

from pitboss.arena.wire.fields import Code, Name
from pitboss.arena.wire.team_names import are_alike, fault_of

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of generated codes, without those that look alike, such as 0 and O."""
CODE_LENGTH = 10
MINE_ALONE = 0o600
_ENTRY = re.compile(r"^[ \t]*\[\[\s*team\s*\]\]", re.MULTILINE)


class TeamList(Struct):
    """Teams and their codes; generated codes must be saved before a team needs them."""

    teams: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)  #: codes that were generated now
    codes: Path | None = None  #: the file for generated codes
    known: dict[str, str] = field(default_factory=dict)  #: the codes in that file

    def write(self) -> str | None:
        """Save generated codes in a file that only the organiser can read; return a sentence to print, or None."""
        if self.codes is None:
            return None
        if self.made:
            _write_codes(self.codes, {**self.known, **self.made})
            many = "code was" if len(self.made) == 1 else "codes were"
            return f"{len(self.made)} {many} generated and saved in {self.codes}, which only you can read"
        if self.known and self.codes.stat().st_mode & 0o077:
            self.codes.chmod(MINE_ALONE)
            return f"{self.codes}: other users could read this file; its permissions were changed, and only you can now"
        return None


def read_teams(texts: Iterable[str], file: Path | None, *, toml: bool = False) -> TeamList | None:
    """Return the listed teams; None if there are none. A file is TOML if its name ends in .toml or `toml` is set.

    Raises `click.UsageError` for an entry that is not valid.
    """
    listed = TeamList()
    entries = {f"--team number {number}": text for number, text in enumerate(texts, 1)}
    is_toml = file is not None and (toml or file.suffix.lower() == ".toml")
    if file is not None and not is_toml:
        entries |= _read_lines(file)
    for where, text in entries.items():
        name, separator, code = text.rpartition(":")
        if not separator or not name or not code:  # the error leaves out the text, which may contain a code
            raise click.UsageError(f"{where}: expected NAME:CODE")
        _add(listed.teams, where, name, code)
    if file is not None and is_toml:
        _read_toml(listed, file)
    return listed if listed.teams else None


def _read_lines(file: Path) -> dict[str, str]:
    """Return the lines of a file, or of standard input for `-`, by their place; skip empty lines and comments."""
    try:
        with click.open_file(str(file), encoding="utf-8") as opened:
            lines = [line.strip() for line in opened]
    except OSError as error:
        raise click.UsageError(f"--teams: {file} cannot be read: {error.strerror}") from None
    except UnicodeError:
        raise click.UsageError("--teams: the file is not text in UTF-8") from None
    return {f"--teams, line {number}": line for number, line in enumerate(lines, 1) if line and line[0] != "#"}


def _add(teams: dict[str, str], where: str, name: object, code: object) -> None:
    try:
        known, secret = msgspec.convert(name, Name), msgspec.convert(code, Code)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"{where}: team {str(name)[:80]!r}: name or code not valid: {error}") from None
    if known in teams:
        raise click.UsageError(f"{where}: team {known!r} is given twice")
    teams[known] = secret


# --- the TOML file


def _read_toml(listed: TeamList, path: Path) -> None:
    listed.codes = path.with_suffix(".codes.toml")
    listed.known = _entries(listed.codes, need_codes=True) if listed.codes.exists() else {}
    found = _entries(path)
    if not found:
        raise click.UsageError(
            f'{path}: expected at least one team: write [[team]], and name = "Alpha" on the next line'
        )
    for number, (name, code) in enumerate(found.items(), 1):
        if not code and not (code := listed.known.get(name, "")):
            code = listed.made[name] = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        _add(listed.teams, f"{path}, team {number}", name, code)


def _entries(path: Path, *, need_codes: bool = False) -> dict[str, str]:
    """Return the codes of the teams in a TOML file by name; an empty text for a team without a code."""
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeError:
        raise click.UsageError(f"{path}: the file is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{path}: not valid TOML: {error}") from None
    if content.keys() - {"team"} or not isinstance(content.get("team", []), list):
        strange = ", ".join(map(repr, sorted(content.keys() - {"team"}))) or "team"
        raise click.UsageError(f"{path}: expected only [[team]] entries, got {strange}")
    starts = [text.count("\n", 0, match.start()) + 1 for match in _ENTRY.finditer(text)]
    found: dict[str, str] = {}
    for number, entry in enumerate(content.get("team", []), 1):
        line = f"line {starts[number - 1]}" if number <= len(starts) else f"team {number}"
        _add_entry(found, f"{path}, {line}", entry, need_codes=need_codes)
    return found


def _add_entry(found: dict[str, str], where: str, entry: Any, *, need_codes: bool) -> None:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise click.UsageError(f'{where}: expected the name of the team: name = "Alpha"')
    name, code = entry["name"], entry.get("code", "")
    if strange := sorted(entry.keys() - {"name", "code"}):
        raise click.UsageError(f"{where}: expected name and code, got {strange[0]!r}")
    if not isinstance(code, str) or (("code" in entry or need_codes) and not code):
        raise click.UsageError(f'{where}: expected a text as the code of {name!r}: code = "KF7Q9C", or leave it out')
    if name in found:
        raise click.UsageError(f"{where}: team {name!r} is given twice")
    if (fault := fault_of(name)) is not None:
        raise click.UsageError(f"{where}: team {name!r} {fault}")
    for one, other in combinations((*found, name), 2):
        if other == name and are_alike(one, name):
            raise click.UsageError(f"{where}: team {name!r} looks like {one!r}")
    found[name] = code


def _write_codes(path: Path, codes: Mapping[str, str]) -> None:
    """Replace the file in one step; only this user can read the new file."""
    text = "# Codes that pitboss arena serve has generated. Give each team only its own code.\n" + "".join(
        f"\n[[team]]\nname = {json.dumps(name, ensure_ascii=False)}\ncode = {json.dumps(code)}\n"
        for name, code in codes.items()
    )
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MINE_ALONE), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
