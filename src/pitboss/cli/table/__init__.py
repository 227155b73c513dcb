"""`pitboss table`: the functions of the table document for people and other languages."""

import click

from pitboss.cli.table.hands import act, auto, deal, next_, view
from pitboss.cli.table.wishes import join, leave, merge, pause, resume, wait


@click.group()
def table() -> None:
    """Keep a table document; every command prints the new document as one line of JSON.

    A file named - is standard input.

    \b
    Examples:
      pitboss table join --author ann --stack 100 server.json
      pitboss table next server.json
      pitboss table deal --seed 7 server.json
      pitboss table act --author ann "cbr 60" server.json
      pitboss table pause --author ann server.json
      pitboss table view --player ann server.json
      pitboss table merge --author ann --grant 75.25 server.json client.json
    """


for command in (act, auto, deal, join, leave, merge, next_, pause, resume, view, wait):
    table.add_command(command)
