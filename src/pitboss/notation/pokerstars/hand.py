"""One PokerStars hand, line by line, from its head to its summary; `pokerstars_record` makes a record of it."""

import re

from pitboss.cards import CardError, check_distinct
from pitboss.notation.pokerstars.actions import DEEDS, infer_blinds
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
from pitboss.notation.pokerstars.transcript import UNKNOWN_HOLE, Deed, Player, Told, learn, told_amount, told_cards

_SECTION = re.compile(r"\*\*\* (?P<title>[A-Z ]+) \*\*\*(?P<cards>.*)")
_BOARD_AFTER = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_COLLECTED = re.compile(r" collected (\S+) from (?:the )?(?:main |side )?pot(?:-[0-9]+)?")
_ME = " [ME]"


def read_lines(lines: list[tuple[int, str]]) -> Told:
    """Read the lines of one hand, each with its number."""
    at = lines[0]
    try:
        head = read_head(at[1])
        told = Told(head, read_stakes(head.stakes))
        for at in lines[1:]:
            _read_line(told, at[1])
        _check_end(told)
    except PokerStarsError as error:
        raise PokerStarsError(error.reason, line=at[0], text=at[1]) from None
    return told


def _read_line(told: Told, text: str) -> None:
    if found := _SECTION.fullmatch(text):
        _open_section(told, found["title"], found["cards"])
    elif told.section == "SUMMARY":
        _read_summary(told, text)
    elif told.section == "seats" and told.button < 0:
        _read_table(told, text)
    elif not (told.section == "seats" and _read_seat(told, text)) and not _read_event(told, text):
        if not is_idle(text):
            raise PokerStarsError("this is no line of a PokerStars hand")
        _mark(told, text)


def _mark(told: Told, text: str) -> None:
    """Note who says before the deal that he does not play."""
    for name, player in told.names:
        if text in (f"{name}: sits out", f"{name}: is sitting out", f"{name} is sitting out") or text == (
            f"{name} will be allowed to play after the button"
        ):
            player.marked |= told.section == "seats"


# --- the table


def _read_table(told: Told, text: str) -> None:
    found = TABLE.fullmatch(text)
    if not found:
        raise PokerStarsError("the second line of a hand names table and button, this does not")
    told.table = found["table"] or None
    told.seat_count = int(found["seats"]) if found["seats"] else None
    told.money, told.button = found["money"] or "", int(found["button"])


def _read_seat(told: Told, text: str) -> bool:
    found = SEAT.fullmatch(text)
    if not found:
        return False
    mark = found["mark"].strip()
    if mark and not mark.startswith(MARKS):
        raise PokerStarsError(f"nobody knows what {mark!r} behind a stack means")
    stack, seat = told_amount(told, found["stack"]), int(found["seat"])
    name = found["name"].removesuffix(_ME)
    if any(seat == player.seat or name == player.name for player in told.players):
        raise PokerStarsError("this seat or name is there already")
    player = Player(seat, name, stack, marked=bool(mark), left=stack)
    told.players.append(player)
    told.names += {(name, player), (found["name"], player)}
    told.names.sort(key=lambda entry: -len(entry[0]))
    return True


def _open_section(told: Told, title: str, cards: str) -> None:
    order = ("seats", "HOLE CARDS", *ROUNDS, "SHOW DOWN", "SUMMARY")
    if title not in order:
        raise PokerStarsError("this part of a hand is not supported")
    if order.index(title) <= order.index(told.section):
        raise PokerStarsError(f"{title} after {told.section}")
    if title == "HOLE CARDS":
        infer_blinds(told)
    elif title in ROUNDS:
        _deal_board(told, title, cards)
    told.section = title


def _deal_board(told: Told, title: str, text: str) -> None:
    cards = told_cards(text.replace("[", "").replace("]", ""))
    before = len(told.board)
    if len(cards) != _BOARD_AFTER[title] or cards[:before] != told.board or len(cards) - before not in (1, 3):
        raise PokerStarsError("the board does not continue the one before")
    told.deeds.append(Deed("db", cards=cards[before:]))
    told.board, told.asked = cards, 0
    for player in told.players:
        player.street = 0


# --- events


def _read_event(told: Told, text: str) -> bool:
    if text.startswith(("Uncalled bet (", "Dealt to ")) and _read_dealer(told, text):
        return True
    for name, player in told.names:
        if not text.startswith(name):
            continue
        rest = text[len(name) :]
        if found := _COLLECTED.fullmatch(rest):
            amount = told_amount(told, found[1])
            player.left += amount
            player.won += amount
            player.involved = True
            return True
        for pattern, read in DEEDS if rest.startswith(": ") else ():
            if found := pattern.fullmatch(rest, 2):
                player.involved = True
                read(told, player, found)
                return True
    return False


def _read_dealer(told: Told, text: str) -> bool:
    for name, player in told.names:
        if text.startswith(f"Dealt to {name} [") and text.endswith("]"):
            hole = told_cards(text.removeprefix(f"Dealt to {name} [").removesuffix("]"))
            if told.section != "HOLE CARDS" or len(hole) != len(UNKNOWN_HOLE):
                raise PokerStarsError("these are no hole cards")
            learn(player, hole)
            player.dealt = player.involved = True
            return True
        if text.endswith(f") returned to {name}"):
            amount = told_amount(told, text.removeprefix("Uncalled bet (").removesuffix(f") returned to {name}"))
            if amount > told.pot:
                raise PokerStarsError("more is returned than was put in")
            player.left += amount
            told.pot -= amount
            return True
    return False


# --- the summary

_TOTAL = re.compile(r"Total pot (\S+)(?: Main pot .*)? \| Rake (\S+)")
_REVEALED = re.compile(r".* (?:mucked|showed) \[([^\]]*)\].*")


def _read_summary(told: Told, text: str) -> None:
    if found := _TOTAL.fullmatch(text):
        told.total, told.rake = told_amount(told, found[1]), told_amount(told, found[2])
        won = sum(player.won for player in told.players)
        if told.pot != told.total or won + told.rake != told.total:
            raise PokerStarsError(f"{told.pot} were put in, {won} collected and {told.rake} raked: that is not the pot")
    elif text.startswith("Seat "):
        _read_outcome(told, text)
    elif text.startswith("Board ["):
        if told_cards(text.removeprefix("Board [").removesuffix("]")) != told.board:
            raise PokerStarsError("this is not the board that was dealt")
    elif not is_idle(text):
        raise PokerStarsError("this is no line of a summary")


def _read_outcome(told: Told, text: str) -> None:
    for name, player in told.names:
        if text.startswith(f"Seat {player.seat}: {name} "):
            if found := _REVEALED.fullmatch(text, len(f"Seat {player.seat}: {name}")):
                learn(player, told_cards(found[1]))
            return
    raise PokerStarsError("nobody of that name sits there")


def _check_end(told: Told) -> None:
    if told.total is None:
        raise PokerStarsError("the hand ends without its total pot")
    if sum(player.involved for player in told.players) < 2:
        raise PokerStarsError("fewer than two players take part in this hand, which ends so")
    try:
        check_distinct([card for player in told.players for card in player.hole] + list(told.board))
    except CardError as error:
        raise PokerStarsError(f"{error} in the hand that ends so") from None
