"""`pitboss sting script`: one hand from given cards and actions, one JSON object per step."""

import sys
from pathlib import Path

import click
import msgspec

from pitboss.cli.output import echo, fail
from pitboss.cli.sting.options import answers_option, cards_option, read_answers, read_cards
from pitboss.sting.script import ScriptError, follow, read_script


@click.command(short_help="play one hand from given cards, as JSON")
@click.argument("file", type=click.Path(), default="-")
@answers_option
@cards_option
def script(file: str, answers: str | None, cards_file: str | None) -> None:
    """Play one hand from a script. Prints one JSON object per line: the deal, then each action.

    FILE is the script; the default, -, is standard input.

    The script is one object: "deal" lists each deck from its top, and "actions" lists the actions. A refused action
    prints "ok": false and the reason, changes nothing, and the script goes on. Exits with 1 if the script is not valid.

    \b
    Examples:
      pitboss sting script deal.json
      echo '{"deal": {"narc": ["Patrol", "Patrol", "Patrol"], "customer": [], "player": ["Weed", "Alibi"]},
             "actions": ["narc check", "player raise Alibi", "player check", "continue"]}' | pitboss sting script
    \b
    Actions: NAME check, NAME raise CARD, NAME fold, where NAME is narc, customer or player; at a decision point
    continue or fold. Optional fields: "heat" and "cash" before the hand, and "answers".
    """
    cards = read_cards("script", cards_file)
    try:
        given = read_script(_read(file), cards)
    except ScriptError as error:
        fail("sting script", error)
    except OSError as error:
        fail("sting script", f"{file} cannot be read: {error.strerror or error}")
    if None not in (answers, given.answers) and answers != given.answers:
        fail(
            "sting script",
            f"answers: the script has {given.answers!r} and --answers has {answers!r}; leave one of them out",
        )
    for line in follow(given, cards, read_answers(answers)):
        echo(msgspec.json.encode(line))


def _read(file: str) -> bytes:
    if file != "-":
        return Path(file).read_bytes()
    return sys.stdin.buffer.read() if sys.stdin else b""
