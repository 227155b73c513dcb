"""Lines that all sites have in common: titles of the parts of a hand, and actions of players."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pitboss.cards import Card
from pitboss.formats.scan import ReadError
from pitboss.formats.sites import ledger
from pitboss.formats.sites.ledger import PartialHand, Player
from pitboss.records.money import Amount

# --- parts of a hand

_BOARDS = {"flop": 1, "turn": 2, "river": 3}
_DRAWS = {"draw": 1, "first draw": 1, "second draw": 2, "third draw": 3}
_STUD = {
    "dealing": 0, "down cards": 0, "3rd street": 0, "4th street": 1, "fourth street": 1, "5th street": 2,
    "fifth street": 2, "6th street": 3, "sixth street": 3, "7th street": 4, "seventh street": 4, "river": 4,
}  # fmt: skip
_FIRST_STREET = ("hole cards", "hands", "down cards", "dealing")
Act: TypeAlias = Callable[[PartialHand, Player, re.Match[str]], object]
Pay: TypeAlias = Callable[[PartialHand, Player, Amount], object]
ActionTable: TypeAlias = Mapping[str, Sequence[tuple[re.Pattern[str], Act]]]
_WORD = re.compile(r"[\w'-]+")
_FIRST_WORDS = re.compile(r"\(\?:([a-z|]+)\)|([\w'-]+)")


def _find_street(hand: PartialHand, title: str) -> int | None:
    """Return the number of the street that a title opens; None if the game has no such street."""
    name, structure = title.lower().removeprefix("dealing "), hand.structure
    if structure.faces:
        return _STUD.get(name)
    if name in _FIRST_STREET:
        return 0
    street = (_DRAWS if structure.draws else _BOARDS).get(name)
    return street if street is not None and street < len(structure.streets) else None


def open_part(
    hand: PartialHand,
    title: str,
    cards: tuple[Card, ...] = (),
    *,
    run: int | None = None,
    printed: str = "",
    before_deal: Callable[[PartialHand], None] = ledger.infer_blinds,
) -> bool:
    """Open a street with its board cards, the showdown or the summary.

    `run` is the number of the board, from 0, and `printed` is the complete title.
    """
    street = _find_street(hand, title)
    if title.upper() == "SUMMARY":
        hand.phase, hand.section = "summary", title
    elif title.upper() in ("SHOW DOWN", "SHOWDOWN"):
        ledger.deal_owed(hand)
        hand.phase, hand.section = "show", title
    elif street is None:
        raise ReadError(f"section {title} is not supported")
    elif run is not None:
        ledger.deal_run(hand, run, street, cards, printed or title)
    else:
        if not street and hand.phase == "seats":
            before_deal(hand)
        ledger.open_street(hand, street, title)
        if hand.structure.streets[street].board or cards:
            ledger.deal_board(hand, cards)
    return True


# --- what players do


def action_table(*lines: tuple[str, Act]) -> ActionTable:
    """Actions by their first word; each pattern begins with that word or with `(?:one|another)`."""
    table = defaultdict(list)
    for words, act in lines:
        first = _FIRST_WORDS.match(words)
        assert first is not None
        for word in (first[1] or first[2]).split("|"):
            table[word].append((re.compile(words), act))
    return table


def do_action(acts: ActionTable, hand: PartialHand, player: Player, text: str) -> bool:
    """Perform the action that a line describes; return False if the action is unknown."""
    known = acts.get(text.partition(" ")[0])
    if known is None and (first := _WORD.match(text)):  # an amount may follow the word without a space
        known = acts.get(first[0])
    for pattern, act in known or ():
        if found := pattern.fullmatch(text):
            act(hand, player, found)
            return True
    return False


def pays(pay: Pay) -> Act:
    """Return an action with an amount, which may be all-in."""

    def act(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
        pay(hand, player, ledger.amount_in(hand, found["amount"]))
        if found["all_in"]:
            ledger.check_all_in(hand, player)

    return act


def plain(act: Callable[[PartialHand, Player], object]) -> Act:
    """Return an action without an amount or cards."""
    return lambda hand, player, _: act(hand, player)


def show_cards(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    """Show the cards that a line names."""
    ledger.show(hand, player, ledger.known_cards(found["cards"]))


def _change_cards(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    """Discard the number of cards that a line gives, with or without their names."""
    ledger.discard(hand, player, int(found["count"]), ledger.known_cards(found["cards"] or ""))


def _stand_pat(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    """Discard nothing; the line may name the cards that the player keeps."""
    if found["cards"]:
        ledger.learn(hand, player, ledger.known_cards(found["cards"]))
    ledger.discard(hand, player, 0)


CHANGES: tuple[tuple[str, Act], ...] = (
    (r"discards (?P<count>[0-9]) cards?(?: \[(?P<cards>[^\]]*)\])?", _change_cards),
    (r"stands pat(?: on \[(?P<cards>[^\]]*)\])?", _stand_pat),
)
"""Patterns of lines about discards."""
