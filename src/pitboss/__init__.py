"""Betting card games: one exact betting kernel, played, hosted, studied and invented.

**If you write poker software.** A hand starts in one line, is spoken to in words or with values such as `Raise(to=60)`,
and every step gives the next hand and what happened. What is not on offer is refused, with the rule's name.

>>> from pitboss import Hand, Raise
>>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
>>> print(hand)
no-limit hold'em, blinds 10/20, PRE_FLOP, pot 30, price 20
board  -
      stack  bet  cards
  p1    990   10  7c 9s
  p2    980   20  2d 8d
> p3     30       Ks 6c  button
p3 may fold, call 20 or raise to 30
>>> hand, events = hand.act("all in")
>>> hand, events = hand.act(Raise(to=90))
>>> events, hand.pot
((Raised(place=0, amount=80, to=90, opening=False, all_in=False),), 140)
>>> hand.act("raise 100")
Traceback (most recent call last):
...
pitboss.Refused: below_minimum: expected at least 150, got 100

Forty-two games are there by name (`STRUCTURES`), and one's own is a record. `hand.view(place)` is what one may see.

**If you study hands.** Files of recorded hands are read, replayed and written; equities are counted.

>>> from pitboss import read_phh, replay
>>> record = read_phh('''
... variant = "NT"
... antes = [0, 0]
... blinds_or_straddles = [1, 2]
... min_bet = 2
... starting_stacks = [50, 50]
... actions = ["d dh p1 AsAh", "d dh p2 ????", "p2 cbr 6", "p1 cbr 20", "p2 f"]
... ''')
>>> replay(record).finishing_stacks
(56, 44)

`read(path)` finds the format of a file and gives its hands one by one, `replay_steps(record)` every step of one.
`equity("AhAd", "QQ+,AKs", board="Ks7d2c")` says who wins how often; `simulate(1_000_000, seats=6, seed=1)` plays so
many hands on every core, and `Batch` steps many at once for whoever trains agents
(`pip install 'pitboss-cards[fast]'`).

**If you write a bot**, `pitboss.client` is all it imports: a function from what it is asked to its answer.
`pitboss arena play bot.py sharp` lets it meet a house bot here and now, `pitboss arena serve` hosts tables.

**If you invent games**, a card game with betting is a small JSON file: `pitboss lab games` lists twenty-two to begin
from; `pitboss lab play`, `simulate`, `solve` and `evolve` do what they say.

The names, by what they are for:

    one hand        Hand, Stakes, blinds, Rake, PokerType, view, view_event
    looking         write_position, read_position, draw_svg, read_cards, write_cards, DECK, SHORT_DECK, UNKNOWN
    actions         Fold, Check, Call, Bet, Raise, RaiseBy, AllIn, Discard, Show, Muck, DealHole, DealBoard
    events          Posted, Folded, Checked, Called, BroughtIn, Raised, Refunded, HoleDealt, UpDealt, BoardDealt,
                    Discarded, RunBegun, Shown, Mucked, Raked, Won
    written         write_action, read_action, write_event, read_event
    whose turn      PlayersTurn, ChancesTurn, Over; what is on offer: Offer, Bounds
    games           NO_LIMIT_HOLDEM, OMAHA, RAZZ, BADUGI … all in STRUCTURES, found by find_structure
    games as data   Structure, Street, Ranking, Rules, no_limit, pot_limit, fixed_limit, fixed_step, initiative
    betting alone   Round, Post, Pot, pots, share
    tables          Table, TableStakes, Mixed, HORSE, EIGHT_GAME
    recorded hands  read, scan_file, Record, replay, replay_steps, ReplayStep, replay_leniently, read_phh, write_phh
    numbers         equity, Equity, evaluate, simulate, Simulation, Batch
    chance          Chance, the one generator
    errors          PitbossError and its kinds: each says in one sentence what is wrong

Every name is loaded when it is first asked for. The pages are in `docs/`, the commands are `pitboss --help`.
"""

from collections.abc import Iterable
from importlib import import_module

from pitboss.aliases import keep_old_modules
from pitboss.errors import show_later_by_public_name

__version__ = "0.1.0"

RULES_VERSION = "17"
"""Which rules these are: docs/rules.md lists the versions and what changed."""


def _read_homes(stub: Iterable[str]) -> dict[str, str]:
    """The module of each name that the lines of a stub import as itself."""
    homes, module = {}, ""
    for line in stub:
        words = line.replace(",", " ").split()
        if words[:1] == ["from"]:
            module = words[1]
        homes.update((name, module) for name, other in zip(words, words[2:], strict=False) if name == other)
    return homes


with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as _stub:
    _HOME = _read_homes(_stub)
"""The public names by the module that each comes from, which is imported when one of its names is first used."""

__all__ = ["RULES_VERSION", *_HOME]  # noqa: PLE0604  # all of them are text
show_later_by_public_name(__name__, _HOME)
keep_old_modules()


def __getattr__(name: str) -> object:
    """Fetch a public name from its module, once."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
