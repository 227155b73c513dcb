"""`pitboss arena`: hosting, joining and checking matches of bots; one module per command, loaded when it is called."""

import click

from pitboss.cli.lazy import LazyGroup

COMMANDS = {
    "act": "answer a team's open question, from a shell",
    "compare": "find out whether a new version of a bot is better than the old one",
    "compete": "run a competition of many bots, with a report",
    "doctor": "examine a bot and report its mistakes",
    "export": "write the finished hands of a journal as PHH",
    "join": "play a bot at a server's table",
    "new": "write a starter bot",
    "play": "play bots against each other, without a server",
    "report": "sum up what language models won, cost and got wrong",
    "serve": "host tables on a port, for bots in any language and for spectators",
    "wait": "wait for a team's turn and print the question, for programs in a shell",
    "verify": "check the shuffles, chips and hash chain of a match",
}


@click.group(cls=LazyGroup, listed=COMMANDS, prefix="pitboss.cli.arena.", modules={"act": "wait", "export": "verify"})
def arena() -> None:
    """Host matches of bots, join them, and check them.

    \b
    Examples:
      pitboss arena new mybot.py                      # a starter bot
      pitboss arena serve --house tight,equity        # then watch http://127.0.0.1:8765/
      pitboss arena join mybot.py ws://127.0.0.1:8765/ws
      pitboss arena play mybot.py sharp --hands 1000
      pitboss arena compare old.py new.py
      pitboss arena doctor mybot.py
    """
