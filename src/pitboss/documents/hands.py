"""Open a table, start its next hand, and add chips between hands."""

import re
from typing import Any

from msgspec.structs import replace

from pitboss.documents.chairs import DocumentChairs, small_blind
from pitboss.documents.fields import (
    LEAVES,
    SMALL_PLAYER,
    UNIT,
    Document,
    DocumentError,
    Source,
    check_unit,
    half_of,
    read_document,
    to_amount,
    total,
)
from pitboss.documents.play import play_actions
from pitboss.errors import PitbossError
from pitboss.hand.game_file import OWN_CODE, GameFileError, game_fields, own_game
from pitboss.hand.games import STRUCTURES, USUAL_GAME, AnyGame, find_game, given_game
from pitboss.hand.structure import Structure
from pitboss.records.money import Amount
from pitboss.records.record import EXPECTED_VARIANT
from pitboss.records.table_fields import BROUGHT, DEAD_PAID, DEAD_POSTS, GAME, OPENER
from pitboss.table.table import Moving, Table

_OF_ONE_HAND = (
    *("winnings", "_smallBlind", "_smallSeat", "_smallAfter", SMALL_PLAYER, "_bigBlind"),
    *(DEAD_POSTS, DEAD_PAID, BROUGHT, OPENER),
)
"""The fields that a document of the next hand does not have."""
_MOST_SEATS = 10


def next_hand(document: Source, *, moving: Moving = "big_blind") -> Document:
    """Return the document of the next hand, before the deal. With fewer than two players, the table waits.

    The current hand must be finished: its actions end it, or `finishingStacks` is given.

    >>> from pitboss.documents import join, next_hand, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> next_hand(table).blinds
    (1, 2)
    """
    document = read_document(document)
    seated = DocumentChairs(
        document, stacks=None if is_waiting(document) else finishing_stacks(document), moving=moving
    )
    table = seated.table.next()
    waits = table.phase == "waiting"
    following = replace(
        seated.document(table),
        hand=document.hand if waits else _next_id(document.hand),
        actions=(),
        author=None,
        finishing_stacks=None,
    )
    rest = _rest(document, table, following)
    if paid := _debts_paid(seated, table):
        old = rest.get(DEAD_PAID, {})
        rest[DEAD_PAID] = old | {who: total((old.get(who, 0), amount)) for who, amount in paid.items()}
    return replace(following, rest=rest)


def _debts_paid(seated: DocumentChairs, table: Table) -> dict[str, Amount]:
    """Return the debts that players paid before this hand. Stacks do not decrease for another reason between hands."""
    before = {chair.who: chair.chips for chair in seated.table.chairs}
    return {
        chair.who: seated.unit.amount(before[chair.who] - chair.chips)
        for chair in table.chairs
        if chair.chips < before[chair.who]
    }


def is_waiting(document: Document) -> bool:
    """Return whether the table waits because fewer than two players can be dealt in."""
    return not document.actions and document.finishing_stacks is None and sum(document.dealt_in) < 2


def finishing_stacks(document: Source) -> tuple[Amount, ...]:
    """Return the stacks of all players after the hand.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import act, deal, finishing_stacks, join, next_hand, open_document, turn
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table = deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))
    >>> table = act(table, turn(table), "f")
    >>> finishing_stacks(table)
    (99, 101)
    """
    document = read_document(document)
    if document.finishing_stacks is not None:
        return document.finishing_stacks
    playback = play_actions(document)
    if not playback.hand.over:
        raise DocumentError("the hand is not finished: play it to its end or give finishingStacks")
    return playback.finishing_stacks()


def _next_id(hand: int | str | None) -> int | str | None:
    """Return the id of the next hand. A number at the end of the id is increased by one.

    >>> _next_id(9), _next_id("H-9"), _next_id("day 2, 0099")
    (10, 'H-10', 'day 2, 0100')
    """
    if hand is None:
        return None
    if isinstance(hand, int):
        return hand + 1
    counted = re.fullmatch(r"(.*?)([0-9]+)", hand, re.DOTALL)
    if counted is None or len(counted[2]) > 400:
        raise DocumentError(f"hand: expected a number, or text that ends with one, got {hand!r:.40}")
    return counted[1] + str(int(counted[2]) + 1).rjust(len(counted[2]), "0")


def _rest(document: Document, table: Table, following: Document) -> dict[str, Any]:
    """Return the other fields of the next hand's document."""
    inherited = (DEAD_PAID,) if table.pot and is_waiting(document) else ()
    rest = {name: value for name, value in following.rest.items() if name not in _OF_ONE_HAND or name in inherited}
    if DEAD_PAID in rest:
        rest[DEAD_PAID] = {who: paid for who, paid in rest[DEAD_PAID].items() if who in following.players}
    if document.has_blinds:
        rest |= _blinds_not_shown(document, table, following)
    left = [name for name, intent in zip(document.players, document.intents, strict=True) if intent == LEAVES]
    if left:
        gone = dict.fromkeys(name for name in rest.get("_left", ()) if name not in left)
        rest["_left"] = (*gone, *left)[-(document.seat_count or _MOST_SEATS) :]
    return rest


def _blinds_not_shown(document: Document, table: Table, following: Document) -> dict[str, Any]:
    """Return the fields for sizes and positions of blinds that the arrays of the next hand do not show."""
    rest: dict[str, Any] = {}
    small, big = small_blind(document), document.big_blind
    if small not in following.blinds or not 0 < small < big:
        rest["_smallBlind"] = small
    if big != document.min_bet:
        rest["_bigBlindSize"] = big
    seats = [chair.seat for chair in table.chairs]
    if not small and table.small in seats:
        rest[SMALL_PLAYER] = seats.index(table.small)
    elif table.small is None and table.small_at is not None and table.chairs:
        if document.seats is not None:
            rest["_smallSeat"] = table.small_at
        else:
            rest["_smallAfter"] = _last_before(table, table.small_at)
    if small == big and big in following.blinds:
        rest["_bigBlind"] = seats.index(table.big) if table.big in seats else -1
    return rest


def _last_before(table: Table, place: int) -> int:
    """Return the index of the last player whose seat is before a place, or -1 if there is none."""
    return sum(chair.seat < place for chair in table.chairs) - 1


def _game(game: AnyGame, variant: str | None) -> Structure:
    """Return the game of a new document, from the arguments of `open_document`."""
    if variant is not None:
        found = STRUCTURES.get(variant) if type(variant) is str else None
        if found is None:
            raise DocumentError(f"variant: {EXPECTED_VARIANT}, got {variant!r:.40}")
        return find_game(given_game(game, found))
    found = find_game(game)
    if found.code == OWN_CODE:
        try:
            return own_game(game_fields(found))
        except GameFileError as error:
            raise DocumentError(f"game: {found.name} cannot be written to a document: {error}") from None
    if STRUCTURES.get(found.code) != found:
        raise DocumentError(f"game: {found.name} differs from the game with its code; expected the code {OWN_CODE}")
    return found


def open_document(
    *,
    small_blind: Amount | float = 0,
    big_blind: Amount | float,
    seat_count: int,
    ante: Amount | float = 0,
    game: AnyGame = USUAL_GAME,
    variant: str | None = None,
    bring_in: Amount | float | None = None,
    unit: Amount | float | None = None,
) -> Document:
    """Return the document of an empty table. In games with a bring-in, `big_blind` is the small bet.

    `game` is given as `find_game` takes it; `variant`, its code, is an older form of the same argument.
    `unit` is the smallest chip, by default 0.01. A float is converted to the shortest decimal that prints the same.

    >>> from pitboss.documents import join, next_hand
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table.blinds, table.hand
    ((1, 2), 1)
    """
    structure = _game(game, variant)
    if type(seat_count) is not int or not 2 <= seat_count <= structure.most_players:
        raise DocumentError(f"seat_count: expected 2 to {structure.most_players} seats, got {seat_count!r:.40}")
    small, big = to_amount("small_blind", small_blind), to_amount("big_blind", big_blind)
    if not big:
        raise DocumentError("big_blind: expected a number of chips, above 0, got 0")
    if small > big:
        raise DocumentError(f"small_blind: expected at most the big blind, {big}, got {small}")
    rest: dict[str, Any] = {"_ante": to_amount("ante", ante)}
    if structure.code == OWN_CODE:
        rest[GAME] = game_fields(structure)
    if unit is not None:
        rest[UNIT] = to_amount("unit", unit)
        if not rest[UNIT]:
            raise DocumentError("unit: expected the size of the smallest chip, above 0, got 0")
    rest |= _forced_bet(structure, small, big, bring_in)
    big_bet = structure.usual_big_bet(big)
    if big_bet is not None:
        rest |= {"small_bet": big, "big_bet": big_bet}
    opened = Document(
        players=(),
        stacks=(),
        blinds=(),
        antes=(),
        inactive=(),
        intents=(),
        dead_blinds=(),
        hand=0,
        seats=(),
        seat_count=seat_count,
        min_bet=big,
        variant=structure.code,
        rest=rest,
    )
    for what, amount in (("small_blind", small), ("big_blind", big), ("ante", rest["_ante"])):
        check_unit(what, amount, opened.unit)
    check_unit("bring_in", rest.get("bring_in", 0), opened.unit)
    return opened


def _forced_bet(structure: Structure, small: Amount, big: Amount, bring_in: Amount | float | None) -> dict[str, Amount]:
    """Return the field of the bring-in or of the small blind. By default the bring-in is half the small bet."""
    if not structure.betting.bring_in:
        if bring_in is not None:
            raise DocumentError(f"bring_in: expected None in {structure.name}, which has blinds, got {bring_in!r:.40}")
        return {"_smallBlind": small}
    amount = half_of(big) if bring_in is None else to_amount("bring_in", bring_in)
    if not 0 < amount <= big:
        raise DocumentError(f"bring_in: expected at most the small bet, {big}, and above 0, got {amount}")
    return {"bring_in": amount}


def top_up(document: Source, name: str, amount: Amount | float) -> Document:
    """Add chips to a stack between hands. A player without chips plays again afterwards.

    >>> from pitboss.documents import join, open_document, top_up
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> top_up(table, "bob", 50).stacks
    (100, 150)
    """
    document = read_document(document)
    document.index(name)
    amount = to_amount("amount", amount)
    if not amount:
        raise DocumentError("amount: expected a number of chips, above 0, got 0")
    check_unit("amount", amount, document.unit)
    finished = bool(document.actions) or document.finishing_stacks is not None
    stacks = finishing_stacks(document) if finished else None
    seated = DocumentChairs(document, stacks=stacks, brings=amount)
    try:
        table = seated.table.top_up(name, seated.unit.chips(amount))
    except PitbossError as error:
        raise DocumentError(str(error)) from None
    richer = seated.document(table)
    if not finished:
        return richer
    brought = dict(document.rest.get(BROUGHT, {}))
    brought[name] = total((brought.get(name, 0), amount))
    rest = {**richer.rest, BROUGHT: brought}
    return replace(
        richer, stacks=document.stacks, finishing_stacks=richer.stacks, dead_money=document.dead_money, rest=rest
    )
