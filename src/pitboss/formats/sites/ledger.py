"""A hand that is being read: its players, chips and cards, and functions that change it for each line of text."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from msgspec import Struct, field

from pitboss.cards import UNKNOWN, Card, CardError, check_distinct, is_known, read_cards
from pitboss.formats.scan import Note, ReadError
from pitboss.formats.sites.values import Clock, read_amount, whole
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure
from pitboss.records.money import Amount
from pitboss.records.record import MOST_PLAYERS

Phase = Literal["seats", "play", "show", "summary"]
_BETWEEN_CARDS = str.maketrans("[],", "   ")

_SEAT_NUMBERS = 1000

CUT_OFF = "the hand is cut off: it ends here without a total pot"


class Player(Struct, eq=False):
    """A player, and everything that has been read about them."""

    seat: int
    name: str
    start: Amount
    marked: bool = False  #: whether the text marks the player as sitting out
    involved: bool = False  #: whether the player posts, is dealt cards, acts or wins
    ante: Amount = 0
    blind: Amount = 0  #: the full blind, also if the player was all-in for less; negative if posted out of turn
    dead: Amount = 0
    left: Amount = 0
    street: Amount = 0  #: the player's live chips on this street
    won: Amount = 0
    cashed_out: Amount = 0  #: what the house paid for a share of the pot
    folded: bool = False
    shown: bool = False  #: whether the player showed at the showdown
    mucked: bool = False
    first: tuple[Card, ...] = ()  #: in draw games, the cards of the first street
    own: list[Card] = field(default_factory=list)  #: the player's cards, in the order in which they were dealt
    owed: int = 0  #: the number of cards that replace discards and are not dealt yet
    dealt: bool = False  #: whether the text has a line `Dealt to` for the player
    shows: bool = False  #: whether the player shows cards without having to


class ActionEntry(Struct):
    """One action of the record, by a player or by the dealer.

    `start` is the index in `player.own` of the first card that was dealt. The cards are filled in when the record is
    made, because a text may show them later.
    """

    verb: str
    player: Player | None = None
    cards: tuple[Card, ...] = ()
    total: Amount = 0
    start: int = -1


class PartialHand(Struct):
    """A hand that is being read."""

    lenient: bool = False
    line: int = 0  #: the number of the line that is being read
    notes: list[Note] = field(default_factory=list)
    # the first line
    venue: str = ""
    structure: Structure = NO_LIMIT_HOLDEM
    number: int | str = 0
    event: str = ""  #: the name of the tournament, with its buy-in
    level: int | None = None
    clock: Clock = Clock()
    symbol: str = ""
    currency: str = ""
    small: Amount = 0  #: the small blind; in limit games, the small bet
    big: Amount = 0  #: the big blind; in limit and stud games, the small bet
    big_bet: Amount = 0  #: the big bet of limit games
    marks: dict[str, str] = field(default_factory=dict)  #: details that only this site prints
    # the table
    table: str | None = None
    seat_count: int | None = None
    button: int = -1  #: the seat with the button; negative if the text has none
    players: list[Player] = field(default_factory=list)
    by_name: dict[str, Player] = field(default_factory=dict)
    # the play
    phase: Phase = "seats"
    section: str = "seats"  #: the title of the current section of the text
    street: int = -1
    entries: list[ActionEntry] = field(default_factory=list)
    boards: list[tuple[Card, ...]] = field(default_factory=lambda: [()])
    common: int = -1  #: the number of cards that all boards share; negative if there is one board
    later_boards: list[ActionEntry] = field(default_factory=list)  #: the cards of the second and later boards
    changing: list[Player] = field(default_factory=list)  #: players who have discarded in this draw
    drawn: int = -1  #: the last street with discards
    small_posted: bool = False
    big_posted: bool = False
    bring_in: Amount = 0
    price: Amount = 0  #: the highest live total on this street
    pot: Amount = 0
    dropped: Amount = 0  #: chips that the house put into the pot
    returned: bool = False  #: whether the text has a line for the return of an uncalled bet
    uncalled: Amount = 0  #: the uncalled part of the highest bet on an earlier street
    bettor: Player | None = None  #: the player who made that bet
    open_pair: bool = False  #: whether an open pair allows the big bet early
    total: Amount | None = None
    rake: Amount = 0


def set_stakes(hand: PartialHand, small: Amount, big: Amount) -> None:
    """Set the stakes from the two amounts in the first line: the blinds, or in a limit game the bets."""
    exact = hand.structure.betting.exact
    hand.small, hand.big, hand.big_bet = small, small if exact else big, big if exact else 0


def amount_in(hand: PartialHand, text: str) -> Amount:
    """Read an amount in the currency of the hand."""
    return read_amount(text, hand.symbol)


def mend(hand: PartialHand, sentence: str) -> None:
    """Add a note in lenient reading, or raise `ReadError` in strict reading."""
    if not hand.lenient:
        raise ReadError(sentence)
    hand.notes.append(Note(hand.line, sentence))


def add_player(hand: PartialHand, seat: int, name: str, stack: Amount, *, marked: bool = False) -> Player:
    """Add a player; `marked` means that the text says they sit out."""
    if name in hand.by_name or any(seat == player.seat for player in hand.players):
        raise ReadError(f"seat {seat} or name {name!r} is already taken")
    if len(hand.players) == MOST_PLAYERS:
        raise ReadError(f"expected at most {MOST_PLAYERS} players")
    player = Player(seat, name, stack, marked=marked, left=stack)
    player.own = [UNKNOWN] * hand.structure.streets[0].own
    hand.players.append(player)
    hand.by_name[name] = player
    return player


def split_name(hand: PartialHand, text: str, mark: str) -> tuple[Player | None, str]:
    """Split a line into the player at its beginning and the text after `mark`. Names can contain the mark.

    >>> hand = PartialHand()
    >>> split_name(hand, "a: b: folds", ": ")[1], add_player(hand, 1, "a: b", 5).name
    ('', 'a: b')
    >>> split_name(hand, "a: b: folds", ": ")[1]
    'folds'
    """
    best = ""
    at = text.find(mark)
    while at >= 0:
        if text[:at] in hand.by_name:
            best = text[:at]
        at = text.find(mark, at + 1)
    return (hand.by_name[best], text[len(best) + len(mark) :]) if best else (None, "")


def note_uncalled(hand: PartialHand) -> None:
    """Store the uncalled part of the highest bet of a street. Old texts do not print its return."""
    if hand.price and not hand.returned and len(hand.players) > 1:
        *_, second, first = sorted(hand.players, key=lambda player: player.street)
        if first.street > second.street:
            hand.uncalled, hand.bettor = first.street - second.street, first


def usual_bring_in(hand: PartialHand) -> Amount:
    """Return 30 % of the small bet, which is the usual bring-in, for hands in which no player pays it in full."""
    return whole(Decimal(hand.big) * 3 / 10)


def in_play(hand: PartialHand) -> list[Player]:
    """Return the players who have cards and have not folded."""
    return [player for player in hand.players if player.involved and not player.folded]


def clockwise(hand: PartialHand) -> list[Player]:
    """Return the players in the hand, starting left of the button."""
    playing = sorted((player for player in hand.players if player.involved), key=lambda player: player.seat)
    return [p for p in playing if p.seat > hand.button] + [p for p in playing if p.seat <= hand.button]


def known_cards(text: str) -> tuple[Card, ...]:
    """Read different known cards. Brackets and commas between them are ignored."""
    try:
        cards = read_cards(text.translate(_BETWEEN_CARDS))
        check_distinct(cards)
    except CardError as error:
        raise ReadError(str(error)) from None
    if not all(map(is_known, cards)):
        raise ReadError(f"expected known cards, got {text!r}")
    return cards


# --- streets


def open_street(hand: PartialHand, number: int, title: str) -> None:
    """Open a street: start a new betting round, and deal each player the cards of this street."""
    if number <= hand.street or hand.phase not in ("seats", "play"):
        raise ReadError(f"{title} cannot follow {hand.section}")
    if number != hand.street + 1 or number >= len(hand.structure.streets):
        raise ReadError(f"{title} after {hand.section}: expected the next street of the game")
    deal_owed(hand)
    hand.phase, hand.section, hand.street = "play", title, number
    if not number:
        return
    note_uncalled(hand)
    hand.price = 0
    street = hand.structure.streets[number]
    for player in hand.players:
        player.street = 0
        if street.own and player.involved and not player.folded:
            hand.entries.append(ActionEntry("dh", player, start=len(player.own)))
            player.own += [UNKNOWN] * street.own


def deal_board(hand: PartialHand, cards: tuple[Card, ...], run: int = 0) -> None:
    """Deal board cards. The text prints them after the earlier ones."""
    board = hand.boards[run] if run < len(hand.boards) else hand.boards[0][: max(hand.common, 0)]
    before = len(board)
    counts = hand.structure.board_by_street
    if len(cards) not in counts or len(cards) <= before or set(cards[:before]) != set(board):
        raise ReadError(f"board: expected {' '.join(board) or 'nothing'} and the new cards, got {' '.join(cards)}")
    (hand.later_boards if run else hand.entries).append(ActionEntry("db", cards=cards[before:]))
    board += cards[before:]
    if run < len(hand.boards):
        hand.boards[run] = board
    else:
        hand.boards.append(board)


def deal_run(hand: PartialHand, run: int, number: int, cards: tuple[Card, ...], title: str) -> None:
    """Deal a street of one of several boards, after betting is over."""
    if hand.common < 0:
        hand.common = len(hand.boards[0])
    if run > len(hand.boards) or (run and not hand.boards[0][hand.common :]):
        raise ReadError(f"{title} before the board that it follows")
    if run == 0:
        open_street(hand, number, title)
    deal_board(hand, cards, run)
    hand.section = title


# --- a player's own cards


def deal_own(hand: PartialHand, player: Player, cards: tuple[Card, ...]) -> None:
    """Set the cards that a player holds now, or the face-up cards of the first street."""
    faces = hand.structure.faces
    player.involved = True
    if len(cards) == len(player.own):
        learn(hand, player, cards)
    elif faces and len(cards) == sum(faces[: len(player.own)]):
        ups = iter(cards)
        _place(player, [next(ups) if up else UNKNOWN for up in faces[: len(player.own)]])
    else:
        raise ReadError(f"expected {len(player.own)} hole cards, got {len(cards)}")
    if hand.structure.draws and hand.street == 0:
        player.first = tuple(player.own)


def deal_last(player: Player, cards: tuple[Card, ...]) -> None:
    """Set the cards that a player received last."""
    if not 0 < len(cards) <= len(player.own):
        raise ReadError(f"expected 1 to {len(player.own)} hole cards, got {len(cards)}")
    _place(player, [*[UNKNOWN] * (len(player.own) - len(cards)), *cards])


def _place(player: Player, cards: Sequence[Card]) -> None:
    """Replace unknown cards at these positions by known ones."""
    for at, card in enumerate(cards):
        if card == UNKNOWN:
            continue
        if player.own[at] not in (UNKNOWN, card):
            raise ReadError(f"{player.name}: expected {player.own[at]}, as shown before, got {card}")
        player.own[at] = card


def learn(hand: PartialHand, player: Player, cards: tuple[Card, ...]) -> None:
    """Replace unknown cards of a player by those in a line. Raise `ReadError` if known cards differ."""
    own = player.own
    if not 0 < len(cards) <= len(own):
        raise ReadError(f"expected 1 to {len(own)} hole cards, got {len(cards)}")
    known = [card for card in own if is_known(card)]
    fewer, more = sorted((known, list(cards)), key=len)
    if not set(fewer) <= set(more):
        raise ReadError(f"{player.name}: expected {' '.join(known)}, as shown before, got {' '.join(cards)}")
    if len(cards) <= len(known):
        return
    if not known:
        player.own = [*cards, *own[len(cards) :]]
    elif len(cards) == len(own) and all(a in (UNKNOWN, b) for a, b in zip(own, cards, strict=True)):
        player.own = list(cards)
    elif hand.structure.faces or hand.structure.draws:
        new = iter([card for card in cards if card not in known])
        player.own = [next(new, UNKNOWN) if card == UNKNOWN else card for card in own]
    else:
        player.own = [*cards, *[UNKNOWN] * (len(own) - len(cards))]


# --- changing cards


def discard(hand: PartialHand, player: Player, count: int, cards: tuple[Card, ...] = ()) -> None:
    """Discard a number of cards, which may be unknown. With 0 the player stands pat."""
    if hand.phase != "play" or not hand.structure.draws:
        raise ReadError(f"discards are not possible after {hand.section}")
    again = player in hand.changing or (hand.drawn == hand.street and not hand.changing)
    if again or not hand.structure.streets[hand.street].draw:
        open_street(hand, hand.street + 1, "DRAW")
    hand.drawn = hand.street
    if not count <= len(player.own):
        raise ReadError(f"{player.name}: expected at most {len(player.own)} discards, got {count}")
    if cards and len(cards) != count:
        raise ReadError(f"expected the names of {count} discards, got {len(cards)}")
    left = list(player.own)
    for card in cards or (UNKNOWN,) * count:
        if card in left or UNKNOWN in left:
            left.remove(card if card in left else UNKNOWN)
        else:
            left.pop()
    hand.entries.append(ActionEntry("sd", player, cards or (UNKNOWN,) * count))
    player.own = [*left, *[UNKNOWN] * count]
    player.owed = count
    hand.changing.append(player)


def deal_changed(player: Player, staying: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    """Set the cards that a player keeps, and the new ones."""
    if len(staying) + len(cards) != len(player.own):
        raise ReadError(f"expected {len(player.own) - len(staying)} new cards, got {len(cards)}")
    player.own = [*staying, *cards]


def deal_owed(hand: PartialHand) -> None:
    """Deal new cards for all discards of this draw."""
    for player in hand.changing:
        if player.owed:
            cards = tuple(player.own[len(player.own) - player.owed :])
            hand.entries.append(ActionEntry("dh", player, cards))
            player.owed = 0
    hand.changing.clear()


# --- the showdown


def show(hand: PartialHand, player: Player, cards: tuple[Card, ...]) -> None:
    """Show cards, at the showdown or voluntarily."""
    player.involved = True
    learn(hand, player, cards)
    if player.mucked or not _is_contested(hand, player):
        player.shows = True
    elif not player.shown:
        hand.entries.append(ActionEntry("sm", player, cards))
        player.shown = True


def muck(hand: PartialHand, player: Player) -> None:
    """Muck at the showdown. This changes nothing for the last player in the hand."""
    player.involved |= hand.phase != "summary"
    if _is_contested(hand, player) and not player.shown and not player.mucked:
        player.mucked = True
        hand.entries.append(ActionEntry("sm", player))


def _is_contested(hand: PartialHand, player: Player) -> bool:
    """Return whether this player and at least one other have not folded."""
    return not player.folded and any(other is not player for other in in_play(hand))


def fold(hand: PartialHand, player: Player) -> None:
    """Fold."""
    _act(hand, player)
    player.folded = True
    hand.entries.append(ActionEntry("f", player))


def check(hand: PartialHand, player: Player) -> None:
    """Check."""
    _act(hand, player)
    if player.street != hand.price:
        raise ReadError(
            f"{player.name} cannot check: expected a call of {hand.price - player.street}, a raise or a fold"
        )
    hand.entries.append(ActionEntry("cc", player))


def call(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Call, or go all-in for less."""
    _act(hand, player)
    if _shows_post_live(hand, player, amount):
        player.blind, player.street, player.dead = -player.dead, player.dead, 0
    pay(hand, player, amount, live=True)
    if player.street > hand.price or (
        player.street < hand.price and player.left and player.street != _top(hand, player)
    ):
        raise ReadError(f"call: expected a total of {hand.price} or all-in, got {player.street}")
    hand.entries.append(ActionEntry("cc", player))


def _shows_post_live(hand: PartialHand, player: Player, amount: Amount) -> bool:
    """Return whether a post that was read as dead must be live, because the call is smaller by exactly its amount.

    The result is False for an all-in call, because it can be smaller for another reason.
    """
    first = hand.street == 0 and player.street == 0
    return first and player.dead > 0 and player.dead + amount == hand.price and player.left > amount


def raise_to(hand: PartialHand, player: Player, to: Amount, by: Amount | None = None) -> None:
    """Bet, or raise to a total on this street.

    Some texts also print `by`, the size of the raise. In a few texts, `by` is the number of chips added.
    """
    _act(hand, player)
    if by is not None and to - by not in (hand.price, 0, player.street, _top(hand, player)):
        mend(hand, f"a raise by {by} over {hand.price} is not a raise to {to}")
    if to <= hand.price:
        raise ReadError(f"raise: expected more than {hand.price}, got {to}")
    pay(hand, player, to - player.street, live=True)
    hand.price = to
    hand.entries.append(ActionEntry("cbr", player, total=to))


def _top(hand: PartialHand, player: Player) -> Amount:
    """Return the highest total of another player on this street. After a short blind it can be below the price."""
    return max([other.street for other in hand.players if other is not player], default=0)


def bring_in(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Pay the bring-in."""
    _act(hand, player)
    if hand.price or not hand.structure.betting.bring_in:
        raise ReadError("a bring-in is not possible here")
    pay(hand, player, amount, live=True)
    hand.price = hand.bring_in = amount if player.left else max(amount, usual_bring_in(hand))
    hand.entries.append(ActionEntry("pb", player))


def _act(hand: PartialHand, player: Player) -> None:
    if hand.phase != "play":
        raise ReadError(f"betting is not possible after {hand.section}")
    if player.folded or player.mucked:
        raise ReadError(f"{player.name} has already folded")
    player.involved = True
    if hand.changing:
        deal_owed(hand)


def pay(hand: PartialHand, player: Player, amount: Amount, *, live: bool) -> None:
    """Move chips from a stack to the pot."""
    if amount > player.left:
        raise ReadError(f"{player.name}: expected at most {player.left}, the rest of the stack, got {amount}")
    player.left -= amount
    hand.pot += amount
    player.involved = True
    if live:
        player.street += amount


def check_all_in(hand: PartialHand, player: Player) -> None:
    """Raise `ReadError` if a player who is all-in according to the text has chips left."""
    if player.left:
        mend(hand, f"{player.name} is all-in according to the text, but has {player.left} left")


# --- what comes back


def return_uncalled(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Return an uncalled bet."""
    if amount > hand.pot:
        raise ReadError(f"returned bet: expected at most the pot of {hand.pot}, got {amount}")
    player.left += amount
    hand.pot -= amount
    player.street = max(player.street - amount, 0)
    hand.returned = True


def collect(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Collect a pot or a part of it."""
    player.left += amount
    player.won += amount
    player.involved = True


def cash_out(player: Player, amount: Amount) -> None:
    """Record a payment by the house for a share of the pot. In the record, the pot still goes to the winning cards."""
    player.cashed_out += amount


def post_ante(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post an ante."""
    _check_phase(hand)
    pay(hand, player, amount, live=False)
    player.ante += amount


def post_small(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post the small blind, or a missed small blind, which is dead money."""
    _check_phase(hand)
    if amount <= hand.small and _is_small_blind(hand, player):
        _post_live(hand, player, amount, amount if hand.structure.betting.exact else hand.small, in_turn=True)
        hand.small_posted = True
    else:
        post_dead(hand, player, amount)


def post_big(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post the big blind, in turn or out of turn."""
    _check_phase(hand)
    _post_live(hand, player, amount, hand.big, in_turn=not hand.big_posted)
    hand.big_posted = True


def post_both(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post a big blind out of turn and a dead small blind."""
    _check_phase(hand)
    live = min(amount, hand.big)
    _post_live(hand, player, live, hand.big, in_turn=False)
    post_dead(hand, player, amount - live)


def post_straddle(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post a straddle, or the button's blind of a short-deck game. The amount includes earlier posts of the player."""
    _check_phase(hand)
    if amount <= player.street:
        raise ReadError(f"straddle: expected more than the {player.street} that {player.name} posted, got {amount}")
    pay(hand, player, amount - player.street, live=True)
    player.blind, hand.price = amount, max(hand.price, amount)
    hand.big_posted = True


def post_dead(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post dead money, which does not count toward a call."""
    _check_phase(hand)
    pay(hand, player, amount, live=False)
    player.dead += amount


def drop_money(hand: PartialHand, amount: Amount) -> None:
    """Add money from the house to the pot."""
    hand.pot += amount
    hand.dropped += amount


def _check_phase(hand: PartialHand) -> None:
    if hand.phase != "seats":
        raise ReadError(f"posts are not possible after {hand.section}")


def _is_small_blind(hand: PartialHand, player: Player) -> bool:
    """Return whether a post is the small blind: it is the first post, or its seat is between button and big blind.

    Heads-up, it is the post of the player without the big blind.
    """
    posted = [one for one in hand.players if one.blind]
    if hand.small_posted or not hand.big_posted:
        return not posted
    big = next((one for one in posted if one.blind > 0), None)
    if big is None:
        return False
    if sum(not one.marked for one in hand.players) == 2:
        return player is not big
    return 0 < (player.seat - hand.button) % _SEAT_NUMBERS < (big.seat - hand.button) % _SEAT_NUMBERS


def _post_live(hand: PartialHand, player: Player, amount: Amount, due: Amount, *, in_turn: bool) -> None:
    pay(hand, player, amount, live=True)
    due = amount if player.left else max(amount, due)
    player.blind += due if in_turn else -due
    hand.price = max(hand.price, due)


def infer_blinds(hand: PartialHand) -> None:
    """Set the blind of a player whose ante was all-in. The text has no line for it, but other players must call it."""
    around = clockwise(hand)
    if len(around) < 2 or hand.structure.betting.bring_in:
        return
    first, second = (around[1], around[0]) if len(around) == 2 else around[:2]
    posted = [place for place, player in enumerate(around) if player.blind > 0]
    after = [around[(place + 1) % len(around)] for place in posted] or [second, first]
    big = None if hand.big_posted else next((player for player in after if _is_broke(player)), None)
    if big:
        big.blind = hand.big
        hand.price = max(hand.price, hand.big)
    if _is_broke(first) and (hand.big_posted or not posted):
        first.blind = hand.small


def _is_broke(player: Player) -> bool:
    return not player.left and not player.blind


class PrintedPotError(ReadError):
    """An error: the chips do not add up to the printed pot."""


class DoubledCardError(ReadError):
    """An error: a card occurs twice in a hand."""


def settle(hand: PartialHand, total: Amount, rake: Amount) -> None:
    """Set the printed pot and rake, and check that the chips add up.

    After a cash-out this is checked at the end of the hand, because later lines contain what the cards would have won.
    """
    hand.total, hand.rake = total, rake
    if not any(player.cashed_out for player in hand.players):
        _check_chips(hand)


def _check_chips(hand: PartialHand) -> None:
    won = sum(player.won for player in hand.players)
    out = won + hand.rake
    note_uncalled(hand)
    if hand.bettor is not None and not hand.returned and hand.pot - hand.uncalled == out:
        hand.pot -= hand.uncalled
        hand.bettor.left += hand.uncalled
    if hand.pot != out or (hand.pot != hand.total and not hand.lenient):
        sentence = f"pot: expected {hand.total}, got {hand.pot} put in, and {won} collected with a rake of {hand.rake}"
        raise PrintedPotError(sentence)
    if hand.pot != hand.total:
        mend(hand, f"pot: expected {hand.total}, got {hand.pot} put in and collected")
        hand.total = hand.pot


def check_end(hand: PartialHand) -> None:
    """Raise `ReadError` if a hand is incomplete, does not add up, or has a card twice."""
    if hand.total is None:
        raise ReadError(CUT_OFF)
    deal_owed(hand)
    if any(player.cashed_out for player in hand.players):
        _check_chips(hand)
    playing = sum(player.involved for player in hand.players)
    if playing < 2:
        raise ReadError(f"expected at least two players who take part, got {playing}")
    check_cards(hand)


def check_cards(hand: PartialHand) -> None:
    """Raise `DoubledCardError` if a card occurs twice in the lines so far."""
    gone = hand.structure.draws  # in draw games, cards of folded hands can be dealt again
    cards = [card for player in hand.players if not (gone and player.folded) for card in player.own]
    cards += hand.boards[0]
    for board in hand.boards[1:]:
        cards += board[hand.common :]
    try:
        check_distinct(cards)
    except CardError as error:
        raise DoubledCardError(f"{error} a second time") from None
