"""One PokerStars hand, line by line, from its head to its summary; `record` makes a record of it."""

import re

from pitboss.cards import CardError, check_distinct
from pitboss.notation.pokerstars.actions import PLAYER_LINES, infer_blinds
from pitboss.notation.pokerstars.state import (
    UNKNOWN_HOLE,
    ActionEntry,
    HandSoFar,
    Player,
    amount_in,
    known_cards,
    learn,
)
from pitboss.notation.pokerstars.text import (
    MARKS,
    ROUNDS,
    SEAT,
    TABLE,
    PokerStarsError,
    is_idle,
    read_head,
    read_stakes,
)

_SECTION = re.compile(r"\*\*\* (?P<title>[A-Z ]+) \*\*\*(?P<cards>.*)")
_BOARD_AFTER = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_COLLECTED = re.compile(r" collected (\S+) from (?:the )?(?:main |side )?pot(?:-[0-9]+)?")
_ME = " [ME]"


def read_lines(lines: list[tuple[int, str]]) -> HandSoFar:
    """Read the lines of one hand, each with its number."""
    at = lines[0]
    try:
        head = read_head(at[1])
        hand = HandSoFar(head, read_stakes(head.stakes))
        for at in lines[1:]:
            _read_line(hand, at[1])
        _check_end(hand)
    except PokerStarsError as error:
        raise PokerStarsError(error.reason, line=at[0], text=at[1]) from None
    return hand


def _read_line(hand: HandSoFar, text: str) -> None:
    if found := _SECTION.fullmatch(text):
        _open_section(hand, found["title"], found["cards"])
    elif hand.section == "SUMMARY":
        _read_summary(hand, text)
    elif hand.section == "seats" and hand.button < 0:
        _read_table(hand, text)
    elif not (hand.section == "seats" and _read_seat(hand, text)) and not _read_event(hand, text):
        if not is_idle(text):
            raise PokerStarsError("this is no line of a PokerStars hand")
        _mark(hand, text)


def _mark(hand: HandSoFar, text: str) -> None:
    """Note who says before the deal that he does not play."""
    for name, player in hand.names:
        if text in (f"{name}: sits out", f"{name}: is sitting out", f"{name} is sitting out") or text == (
            f"{name} will be allowed to play after the button"
        ):
            player.marked |= hand.section == "seats"


# --- the table


def _read_table(hand: HandSoFar, text: str) -> None:
    found = TABLE.fullmatch(text)
    if not found:
        raise PokerStarsError("the second line of a hand names table and button, this does not")
    hand.table = found["table"] or None
    hand.seat_count = int(found["seats"]) if found["seats"] else None
    hand.money, hand.button = found["money"] or "", int(found["button"])


def _read_seat(hand: HandSoFar, text: str) -> bool:
    found = SEAT.fullmatch(text)
    if not found:
        return False
    mark = found["mark"].strip()
    if mark and not mark.startswith(MARKS):
        raise PokerStarsError(f"nobody knows what {mark!r} behind a stack means")
    stack, seat = amount_in(hand, found["stack"]), int(found["seat"])
    name = found["name"].removesuffix(_ME)
    if any(seat == player.seat or name == player.name for player in hand.players):
        raise PokerStarsError("this seat or name is there already")
    player = Player(seat, name, stack, marked=bool(mark), left=stack)
    hand.players.append(player)
    hand.names += {(name, player), (found["name"], player)}
    hand.names.sort(key=lambda entry: -len(entry[0]))
    return True


def _open_section(hand: HandSoFar, title: str, cards: str) -> None:
    order = ("seats", "HOLE CARDS", *ROUNDS, "SHOW DOWN", "SUMMARY")
    if title not in order:
        raise PokerStarsError("this part of a hand is not supported")
    if order.index(title) <= order.index(hand.section):
        raise PokerStarsError(f"{title} after {hand.section}")
    if title == "HOLE CARDS":
        infer_blinds(hand)
    elif title in ROUNDS:
        _deal_board(hand, title, cards)
    hand.section = title


def _deal_board(hand: HandSoFar, title: str, text: str) -> None:
    cards = known_cards(text.replace("[", "").replace("]", ""))
    before = len(hand.board)
    if len(cards) != _BOARD_AFTER[title] or cards[:before] != hand.board or len(cards) - before not in (1, 3):
        raise PokerStarsError("the board does not continue the one before")
    hand.entries.append(ActionEntry("db", cards=cards[before:]))
    hand.board, hand.asked = cards, 0
    for player in hand.players:
        player.street = 0


# --- events


def _read_event(hand: HandSoFar, text: str) -> bool:
    if text.startswith(("Uncalled bet (", "Dealt to ")) and _read_dealer(hand, text):
        return True
    for name, player in hand.names:
        if not text.startswith(name):
            continue
        rest = text[len(name) :]
        if found := _COLLECTED.fullmatch(rest):
            amount = amount_in(hand, found[1])
            player.left += amount
            player.won += amount
            player.involved = True
            return True
        for pattern, read in PLAYER_LINES if rest.startswith(": ") else ():
            if found := pattern.fullmatch(rest, 2):
                player.involved = True
                read(hand, player, found)
                return True
    return False


def _read_dealer(hand: HandSoFar, text: str) -> bool:
    for name, player in hand.names:
        if text.startswith(f"Dealt to {name} [") and text.endswith("]"):
            hole = known_cards(text.removeprefix(f"Dealt to {name} [").removesuffix("]"))
            if hand.section != "HOLE CARDS" or len(hole) != len(UNKNOWN_HOLE):
                raise PokerStarsError("these are no hole cards")
            learn(player, hole)
            player.dealt = player.involved = True
            return True
        if text.endswith(f") returned to {name}"):
            amount = amount_in(hand, text.removeprefix("Uncalled bet (").removesuffix(f") returned to {name}"))
            if amount > hand.pot:
                raise PokerStarsError("more is returned than was put in")
            player.left += amount
            hand.pot -= amount
            return True
    return False


# --- the summary

_TOTAL = re.compile(r"Total pot (\S+)(?: Main pot .*)? \| Rake (\S+)")
_REVEALED = re.compile(r".* (?:mucked|showed) \[([^\]]*)\].*")


def _read_summary(hand: HandSoFar, text: str) -> None:
    if found := _TOTAL.fullmatch(text):
        hand.total, hand.rake = amount_in(hand, found[1]), amount_in(hand, found[2])
        won = sum(player.won for player in hand.players)
        if hand.pot != hand.total or won + hand.rake != hand.total:
            raise PokerStarsError(f"{hand.pot} were put in, {won} collected and {hand.rake} raked: that is not the pot")
    elif text.startswith("Seat "):
        _read_outcome(hand, text)
    elif text.startswith("Board ["):
        if known_cards(text.removeprefix("Board [").removesuffix("]")) != hand.board:
            raise PokerStarsError("this is not the board that was dealt")
    elif not is_idle(text):
        raise PokerStarsError("this is no line of a summary")


def _read_outcome(hand: HandSoFar, text: str) -> None:
    for name, player in hand.names:
        if text.startswith(f"Seat {player.seat}: {name} "):
            if found := _REVEALED.fullmatch(text, len(f"Seat {player.seat}: {name}")):
                learn(player, known_cards(found[1]))
            return
    raise PokerStarsError("nobody of that name sits there")


def _check_end(hand: HandSoFar) -> None:
    if hand.total is None:
        raise PokerStarsError("the hand ends without its total pot")
    if sum(player.involved for player in hand.players) < 2:
        raise PokerStarsError("fewer than two players take part in this hand, which ends so")
    try:
        check_distinct([card for player in hand.players for card in player.hole] + list(hand.board))
    except CardError as error:
        raise PokerStarsError(f"{error} in the hand that ends so") from None
