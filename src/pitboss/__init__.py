"""Play, host, study and invent betting card games.

**If you write poker software.** A hand is a value. An action is a text or a value such as `Raise(to=60)`; it gives the
next hand and the events. An action that the rules do not allow is refused with the name of the rule.

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

`STRUCTURES` has forty-two games by name, and your own game is a record. `hand.view(place)` is what a player may see.

**If you study hands.** Read, replay and write files of recorded hands; compute equities.

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

`read(path)` recognises the format of a file and yields its hands; `replay_steps(record)` yields the steps of a hand.
`equity("AhAd", "QQ+,AKs", board="Ks7d2c")` computes each player's share of the pot.
`simulate(1_000_000, seats=6, seed=1)` plays a million hands on all cores, and `Batch` plays many in step, to train
agents (the extra `fast`).

**If you write a bot**, import `pitboss.client`: a bot is a function from a question to an answer.
`pitboss arena play bot.py sharp` plays it against a house bot on this machine; `pitboss arena serve` starts a server.

**If you invent games**, a card game with betting is a small JSON file. `pitboss lab games` lists twenty-two known
games; `pitboss lab play`, `simulate`, `solve` and `evolve` work with each of them and with yours.

The names, by what they are for:

    one hand        Hand, Stakes, blinds, Rake, PokerType, view, view_event
    showing         write_position, read_position, draw_svg, read_cards, write_cards, DECK, SHORT_DECK, UNKNOWN
    actions         Fold, Check, Call, Bet, Raise, RaiseBy, AllIn, Discard, Show, Muck, DealHole, DealBoard
    events          Posted, Folded, Checked, Called, BroughtIn, Raised, Refunded, HoleDealt, UpDealt, BoardDealt,
                    Discarded, RunBegun, Shown, Mucked, Raked, Won
    written         write_action, read_action, write_event, read_event
    turns           PlayersTurn, ChancesTurn, Over; what is on offer: Offer, Bounds
    games           NO_LIMIT_HOLDEM, OMAHA, RAZZ, BADUGI … all in STRUCTURES; find_structure finds one by name
    your own game   find_game, read_game, write_game
    games as data   Structure, Street, Ranking, Rules, no_limit, pot_limit, fixed_limit, fixed_step, initiative
    betting alone   Round, Post, Pot, pots, share
    tables          Table, TableStakes, Mixed, HORSE, EIGHT_GAME
    files and text  read, write (files and folders), parse, to_text (text), scan_file
    recorded hands  Record, replay, replay_steps, ReplayStep, replay_leniently, read_phh, write_phh
    numbers         equity, Equity, evaluate, simulate, Simulation, Batch, warmup
    chance          Chance, the random generator
    errors          PitbossError and its kinds

Every name is loaded when it is first used. The pages are in `docs/`, the commands are `pitboss --help`.
"""

from pitboss.aliases import keep_old_modules
from pitboss.homes import load_later, read_homes

__version__ = "0.1.0"

RULES_VERSION = "17"
"""The version of the rules; docs/rules.md lists the changes."""

_HOME = read_homes(__path__[0])
"""The module of each public name, imported when one of its names is first used."""

__all__ = ["RULES_VERSION", *_HOME]  # noqa: PLE0604  # all items are strings
__getattr__, __dir__ = load_later(__name__, _HOME, globals())
keep_old_modules()
