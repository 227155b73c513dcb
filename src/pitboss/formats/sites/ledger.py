"""The ledger of a hand that is being read: players, chips and cards, and what the lines of a text do to them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from msgspec import Struct, field

from pitboss.cards import UNKNOWN, Card, CardError, check_distinct, is_known, read_cards
from pitboss.formats.scan import Note, ReadError
from pitboss.formats.sites.words import Clock, read_amount, whole
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure
from pitboss.records.money import Amount

Phase = Literal["seats", "play", "show", "summary"]
_BETWEEN_CARDS = str.maketrans("[],", "   ")

_SEAT_NUMBERS = 1000

CUT_OFF = "the hand is cut off: it ends here without its total pot"


class Player(Struct, eq=False):
    """Somebody in a seat, and all that has been read of him."""

    seat: int
    name: str
    start: Amount
    marked: bool = False  #: said to sit out
    involved: bool = False  #: posts, is dealt cards, acts or wins
    ante: Amount = 0
    blind: Amount = 0  #: as the stakes have it, even where he could not pay it all; below zero: out of turn
    dead: Amount = 0
    left: Amount = 0
    street: Amount = 0  #: live chips of this street
    won: Amount = 0
    cashed_out: Amount = 0  #: what the house paid him for his part of the pot
    folded: bool = False
    shown: bool = False  #: at the showdown
    mucked: bool = False
    first: tuple[Card, ...] = ()  #: the cards of the first street, in games where some are changed
    own: list[Card] = field(default_factory=list)  #: his cards in the order they were dealt
    owed: int = 0  #: how many cards he is still to get for those he has changed
    dealt: bool = False  #: has a line `Dealt to`
    shows: bool = False  #: turns cards up without need


class ActionEntry(Struct):
    """One entry of the record's actions: of a player, or of the dealer, who puts cards on the board.

    Cards that are dealt from one index of a player's own on are looked up when the record is made, because a text
    may show them later.
    """

    verb: str
    player: Player | None = None
    cards: tuple[Card, ...] = ()
    total: Amount = 0
    start: int = -1


class PartialHand(Struct):
    """A hand as far as it has been read."""

    lenient: bool = False
    line: int = 0  #: the number of the line that is being read
    notes: list[Note] = field(default_factory=list)
    # what the head says
    venue: str = ""
    structure: Structure = NO_LIMIT_HOLDEM
    number: int | str = 0
    event: str = ""  #: a tournament with its buy-in
    level: int | None = None
    clock: Clock = Clock()
    symbol: str = ""
    currency: str = ""
    small: Amount = 0  #: the small blind; in limit games the most it can be
    big: Amount = 0  #: the big blind, in limit games and studs the small bet
    big_bet: Amount = 0  #: in limit games
    marks: dict[str, str] = field(default_factory=dict)  #: what only this site says
    # the table
    table: str | None = None
    seat_count: int | None = None
    button: int = -1  #: its seat; below zero where none is named
    players: list[Player] = field(default_factory=list)
    by_name: dict[str, Player] = field(default_factory=dict)
    # the play
    phase: Phase = "seats"
    section: str = "seats"  #: as the text calls it
    street: int = -1
    entries: list[ActionEntry] = field(default_factory=list)
    boards: list[tuple[Card, ...]] = field(default_factory=lambda: [()])
    common: int = -1  #: how many cards all boards share; below zero while there is one board
    later_boards: list[ActionEntry] = field(default_factory=list)  #: the cards of the second board and those after it
    changing: list[Player] = field(default_factory=list)  #: who has changed cards in the present draw
    drawn: int = -1  #: the last street on which cards were changed
    small_posted: bool = False
    big_posted: bool = False
    bring_in: Amount = 0
    price: Amount = 0  #: the highest live total of this street
    pot: Amount = 0
    dropped: Amount = 0  #: what the house put into the pot
    returned: bool = False  #: whether the text says that an uncalled bet came back
    uncalled: Amount = 0  #: what a bet of an earlier street had beyond the next highest
    bettor: Player | None = None  #: whose that was
    open_pair: bool = False  #: whether a pair that lies up makes bets double
    total: Amount | None = None
    rake: Amount = 0


def set_stakes(hand: PartialHand, small: Amount, big: Amount) -> None:
    """Take the two amounts of a head: the blinds, or in limit games the bets."""
    exact = hand.structure.betting.exact
    hand.small, hand.big, hand.big_bet = small, small if exact else big, big if exact else 0


def amount_in(hand: PartialHand, text: str) -> Amount:
    """An amount in the hand's currency."""
    return read_amount(text, hand.symbol)


def mend(hand: PartialHand, sentence: str) -> None:
    """Note what lenient reading passes over or puts right; strict reading refuses it."""
    if not hand.lenient:
        raise ReadError(sentence)
    hand.notes.append(Note(hand.line, sentence))


def add_player(hand: PartialHand, seat: int, name: str, stack: Amount, *, marked: bool = False) -> Player:
    """Seat somebody; `marked` where the text says that he sits out."""
    if name in hand.by_name or any(seat == player.seat for player in hand.players):
        raise ReadError("this seat or name is there already")
    player = Player(seat, name, stack, marked=marked, left=stack)
    player.own = [UNKNOWN] * hand.structure.streets[0].own
    hand.players.append(player)
    hand.by_name[name] = player
    return player


def split_name(hand: PartialHand, text: str, mark: str) -> tuple[Player | None, str]:
    """Whose line this is and what follows his name and the mark, where names may hold the mark themselves.

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
    """At the end of a street, remember what its highest bet had beyond the next: texts of old do not say it."""
    if hand.price and not hand.returned and len(hand.players) > 1:
        *_, second, first = sorted(hand.players, key=lambda player: player.street)
        if first.street > second.street:
            hand.uncalled, hand.bettor = first.street - second.street, first


def usual_bring_in(hand: PartialHand) -> Amount:
    """The bring-in where nobody is seen to pay all of it: three tenths of the small bet, as on PokerStars."""
    return whole(Decimal(hand.big) * 3 / 10)


def in_play(hand: PartialHand) -> list[Player]:
    """Who has cards and has not given them up."""
    return [player for player in hand.players if player.involved and not player.folded]


def clockwise(hand: PartialHand) -> list[Player]:
    """Who takes part, from the button's left on."""
    playing = sorted((player for player in hand.players if player.involved), key=lambda player: player.seat)
    return [p for p in playing if p.seat > hand.button] + [p for p in playing if p.seat <= hand.button]


def known_cards(text: str) -> tuple[Card, ...]:
    """Known cards, none of them twice; brackets and commas between them do not matter."""
    try:
        cards = read_cards(text.translate(_BETWEEN_CARDS))
        check_distinct(cards)
    except CardError as error:
        raise ReadError(str(error)) from None
    if not all(map(is_known, cards)):
        raise ReadError("half a card")
    return cards


# --- streets


def open_street(hand: PartialHand, number: int, title: str) -> None:
    """Turn to a street: bets are swept and, where everybody gets cards, they get them."""
    if number <= hand.street or hand.phase not in ("seats", "play"):
        raise ReadError(f"{title} after {hand.section}")
    if number != hand.street + 1 or number >= len(hand.structure.streets):
        raise ReadError(f"{title} after {hand.section}: a street is missing or one too many")
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
    """Put cards in the middle; they are given together with those that lie there already."""
    board = hand.boards[run] if run < len(hand.boards) else hand.boards[0][: max(hand.common, 0)]
    before = len(board)
    counts = hand.structure.board_by_street
    if len(cards) not in counts or len(cards) <= before or set(cards[:before]) != set(board):
        raise ReadError("the board does not continue the one before")
    (hand.later_boards if run else hand.entries).append(ActionEntry("db", cards=cards[before:]))
    board += cards[before:]
    if run < len(hand.boards):
        hand.boards[run] = board
    else:
        hand.boards.append(board)


def deal_run(hand: PartialHand, run: int, number: int, cards: tuple[Card, ...], title: str) -> None:
    """Deal a street of one of several boards; betting is over by then."""
    if hand.common < 0:
        hand.common = len(hand.boards[0])
    if run > len(hand.boards) or (run and not hand.boards[0][hand.common :]):
        raise ReadError(f"{title} before the board it comes after")
    if run == 0:
        open_street(hand, number, title)
    deal_board(hand, cards, run)
    hand.section = title


# --- a player's own cards


def deal_own(hand: PartialHand, player: Player, cards: tuple[Card, ...]) -> None:
    """All that a player is known to hold now, or of the first street the cards that lie up."""
    faces = hand.structure.faces
    player.involved = True
    if len(cards) == len(player.own):
        learn(hand, player, cards)
    elif faces and len(cards) == sum(faces[: len(player.own)]):
        ups = iter(cards)
        _place(player, [next(ups) if up else UNKNOWN for up in faces[: len(player.own)]])
    else:
        raise ReadError("these are no hole cards")
    if hand.structure.draws and hand.street == 0:
        player.first = tuple(player.own)


def deal_last(player: Player, cards: tuple[Card, ...]) -> None:
    """The last cards that a player got."""
    if not 0 < len(cards) <= len(player.own):
        raise ReadError("these are no hole cards")
    _place(player, [*[UNKNOWN] * (len(player.own) - len(cards)), *cards])


def _place(player: Player, cards: Sequence[Card]) -> None:
    """Put cards where they were dealt; what is known already stays."""
    for at, card in enumerate(cards):
        if card == UNKNOWN:
            continue
        if player.own[at] not in (UNKNOWN, card):
            raise ReadError(f"{player.name} had {' '.join(filter(is_known, player.own))} before")
        player.own[at] = card


def learn(hand: PartialHand, player: Player, cards: tuple[Card, ...]) -> None:
    """Take cards for a player's own; they must agree with what was known of them."""
    own = player.own
    if not 0 < len(cards) <= len(own):
        raise ReadError(f"{len(cards)} cards are no hole cards")
    known = [card for card in own if is_known(card)]
    fewer, more = sorted((known, list(cards)), key=len)
    if not set(fewer) <= set(more):
        raise ReadError(f"{player.name} had {' '.join(known)} before")
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
    """Change so many cards, known or not; none is standing pat."""
    if hand.phase != "play" or not hand.structure.draws:
        raise ReadError("no cards are changed in this part of the hand")
    again = player in hand.changing or (hand.drawn == hand.street and not hand.changing)
    if again or not hand.structure.streets[hand.street].draw:
        open_street(hand, hand.street + 1, "DRAW")
    hand.drawn = hand.street
    if not count <= len(player.own):
        raise ReadError(f"{player.name} cannot change {count} cards")
    if cards and len(cards) != count:
        raise ReadError(f"{count} cards are changed and {len(cards)} named")
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
    """The cards that somebody keeps and those he gets for the others."""
    if len(staying) + len(cards) != len(player.own):
        raise ReadError("these are not as many cards as were changed")
    player.own = [*staying, *cards]


def deal_owed(hand: PartialHand) -> None:
    """Once all have spoken, everybody gets as many cards as he has changed."""
    for player in hand.changing:
        if player.owed:
            cards = tuple(player.own[len(player.own) - player.owed :])
            hand.entries.append(ActionEntry("dh", player, cards))
            player.owed = 0
    hand.changing.clear()


# --- the showdown


def show(hand: PartialHand, player: Player, cards: tuple[Card, ...]) -> None:
    """Turn cards up, at a showdown or freely."""
    player.involved = True
    learn(hand, player, cards)
    if player.mucked or not _is_contested(hand, player):
        player.shows = True
    elif not player.shown:
        hand.entries.append(ActionEntry("sm", player, cards))
        player.shown = True


def muck(hand: PartialHand, player: Player) -> None:
    """Give up at the showdown without showing; a winner who does not show gives up nothing."""
    player.involved |= hand.phase != "summary"
    if _is_contested(hand, player) and not player.shown and not player.mucked:
        player.mucked = True
        hand.entries.append(ActionEntry("sm", player))


def _is_contested(hand: PartialHand, player: Player) -> bool:
    """Whether a player and somebody else are left."""
    return not player.folded and any(other is not player for other in in_play(hand))


def fold(hand: PartialHand, player: Player) -> None:
    """Give up the hand."""
    _act(hand, player)
    player.folded = True
    hand.entries.append(ActionEntry("f", player))


def check(hand: PartialHand, player: Player) -> None:
    """Stay for nothing."""
    _act(hand, player)
    if player.street != hand.price:
        raise ReadError(f"nobody checks while {hand.price - player.street} are to call")
    hand.entries.append(ActionEntry("cc", player))


def call(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Put in what is asked, or the last chip."""
    _act(hand, player)
    if _shows_post_live(hand, player, amount):
        player.blind, player.street, player.dead = -player.dead, player.dead, 0
    pay(hand, player, amount, live=True)
    if player.street > hand.price or (
        player.street < hand.price and player.left and player.street != _top(hand, player)
    ):
        raise ReadError(f"a call makes {hand.price} or puts in the last chip, not {player.street}")
    hand.entries.append(ActionEntry("cc", player))


def _shows_post_live(hand: PartialHand, player: Player, amount: Amount) -> bool:
    """Whether a call says that a post thought dead counted after all: it falls short by just that, with chips left.

    A last chip that falls short says nothing: it may do so by any amount.
    """
    first = hand.street == 0 and player.street == 0
    return first and player.dead > 0 and player.dead + amount == hand.price and player.left > amount


def raise_to(hand: PartialHand, player: Player, to: Amount, by: Amount | None = None) -> None:
    """Bet or raise to so much on this street; `by` is said by some, of whom a few mean what is put in."""
    _act(hand, player)
    if by is not None and to - by not in (hand.price, 0, player.street, _top(hand, player)):
        mend(hand, f"a raise by {by} on {hand.price} does not make {to}")
    if to <= hand.price:
        raise ReadError("a raise by nothing")
    pay(hand, player, to - player.street, live=True)
    hand.price = to
    hand.entries.append(ActionEntry("cbr", player, total=to))


def _top(hand: PartialHand, player: Player) -> Amount:
    """The most that anybody else has put in on this street, which a short blind may leave below what it should be."""
    return max([other.street for other in hand.players if other is not player], default=0)


def bring_in(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Pay what the worst up-card has to."""
    _act(hand, player)
    if hand.price or not hand.structure.betting.bring_in:
        raise ReadError("there is no bring-in to pay")
    pay(hand, player, amount, live=True)
    hand.price = hand.bring_in = amount if player.left else max(amount, usual_bring_in(hand))
    hand.entries.append(ActionEntry("pb", player))


def _act(hand: PartialHand, player: Player) -> None:
    if hand.phase != "play":
        raise ReadError("nobody bets in this part of the hand")
    if player.folded or player.mucked:
        raise ReadError(f"{player.name} has folded")
    player.involved = True
    if hand.changing:
        deal_owed(hand)


def pay(hand: PartialHand, player: Player, amount: Amount, *, live: bool) -> None:
    """Move chips from a stack to the pot."""
    if amount > player.left:
        raise ReadError(f"{player.name} has {player.left} and cannot pay {amount}")
    player.left -= amount
    hand.pot += amount
    player.involved = True
    if live:
        player.street += amount


def check_all_in(hand: PartialHand, player: Player) -> None:
    """Hold a player who is said to be all-in to it."""
    if player.left:
        mend(hand, f"{player.name} is not all-in with {player.left} left")


# --- what comes back


def return_uncalled(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Give back what nobody called."""
    if amount > hand.pot:
        raise ReadError("more is returned than was put in")
    player.left += amount
    hand.pot -= amount
    player.street = max(player.street - amount, 0)
    hand.returned = True


def collect(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Win a pot or a part of one."""
    player.left += amount
    player.won += amount
    player.involved = True


def cash_out(player: Player, amount: Amount) -> None:
    """Take the house's money for one's part of the pot; the hand's own chips go as the cards decide."""
    player.cashed_out += amount


def post_ante(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Everybody's dead money."""
    _check_phase(hand)
    pay(hand, player, amount, live=False)
    player.ante += amount


def post_small(hand: PartialHand, player: Player, amount: Amount) -> None:
    """The small blind, or one that is made up for and so is dead."""
    _check_phase(hand)
    if amount <= hand.small and _is_small_blind(hand, player):
        _post_live(hand, player, amount, amount if hand.structure.betting.exact else hand.small, in_turn=True)
        hand.small_posted = True
    else:
        post_dead(hand, player, amount)


def post_big(hand: PartialHand, player: Player, amount: Amount) -> None:
    """The big blind, or one out of turn."""
    _check_phase(hand)
    _post_live(hand, player, amount, hand.big, in_turn=not hand.big_posted)
    hand.big_posted = True


def post_both(hand: PartialHand, player: Player, amount: Amount) -> None:
    """A big blind out of turn and a dead small one."""
    _check_phase(hand)
    live = min(amount, hand.big)
    _post_live(hand, player, live, hand.big, in_turn=False)
    post_dead(hand, player, amount - live)


def post_straddle(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post a straddle or the button's blind of a short-deck game; the amount includes what the player posted before."""
    _check_phase(hand)
    if amount <= player.street:
        raise ReadError(f"straddle: expected more than the {player.street} that {player.name} posted, got {amount}")
    pay(hand, player, amount - player.street, live=True)
    player.blind, hand.price = amount, max(hand.price, amount)
    hand.big_posted = True


def post_dead(hand: PartialHand, player: Player, amount: Amount) -> None:
    """What does not count toward a call."""
    _check_phase(hand)
    pay(hand, player, amount, live=False)
    player.dead += amount


def drop_money(hand: PartialHand, amount: Amount) -> None:
    """What the house puts into the pot."""
    hand.pot += amount
    hand.dropped += amount


def _check_phase(hand: PartialHand) -> None:
    if hand.phase != "seats":
        raise ReadError("nobody posts in this part of the hand")


def _is_small_blind(hand: PartialHand, player: Player) -> bool:
    """Whether this is the small blind itself: the first post of all, or one between button and big blind.

    Heads-up it is the other player's.
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
    """Who gave his last chips as an ante has no line for his blind, but the others have to call it."""
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
    """Chips that do not add up to the printed pot."""


class DoubledCardError(ReadError):
    """A card that stands twice in a hand."""


def settle(hand: PartialHand, total: Amount, rake: Amount) -> None:
    """Take the printed pot and rake; what was put in, what was collected and they must agree.

    Where somebody cashed out the text says further below what the cards would have won him.
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
        sentence = f"{hand.pot} were put in, {won} collected and {hand.rake} raked: that is not the pot of {hand.total}"
        raise PrintedPotError(sentence)
    if hand.pot != hand.total:
        mend(hand, f"{hand.pot} were put in and taken out, and a pot of {hand.total} is printed")
        hand.total = hand.pot


def check_end(hand: PartialHand) -> None:
    """Refuse a hand that is cut off, and one in which a card stands twice."""
    if hand.total is None:
        raise ReadError(CUT_OFF)
    deal_owed(hand)
    if any(player.cashed_out for player in hand.players):
        _check_chips(hand)
    if sum(player.involved for player in hand.players) < 2:
        raise ReadError("fewer than two players take part in this hand, which ends so")
    check_cards(hand)


def check_cards(hand: PartialHand) -> None:
    """Refuse a card that stands twice in what has been read."""
    gone = hand.structure.draws  # where cards are changed, those of a folded hand may come back
    cards = [card for player in hand.players if not (gone and player.folded) for card in player.own]
    cards += hand.boards[0]
    for board in hand.boards[1:]:
        cards += board[hand.common :]
    try:
        check_distinct(cards)
    except CardError as error:
        raise DoubledCardError(f"{error}, here for the second time") from None
