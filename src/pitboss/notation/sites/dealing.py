"""Cards of a hand that is being read: what is dealt, changed, shown and mucked, on one board or several."""

from collections.abc import Sequence

from pitboss.cards import UNKNOWN, Card, CardError, check_distinct, is_known, read_cards
from pitboss.notation.found import ReadError
from pitboss.notation.sites.state import ActionEntry, HandSoFar, Player, in_play, note_uncalled


def known_cards(text: str) -> tuple[Card, ...]:
    """Known cards, none of them twice."""
    try:
        cards = read_cards(text)
        check_distinct(cards)
    except CardError as error:
        raise ReadError(str(error)) from None
    if not all(map(is_known, cards)):
        raise ReadError("half a card")
    return cards


# --- streets


def open_street(hand: HandSoFar, number: int, title: str) -> None:
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
    hand.asked = 0
    street = hand.structure.streets[number]
    for player in hand.players:
        player.street = 0
        if street.own and player.involved and not player.folded:
            hand.entries.append(ActionEntry("dh", player, start=len(player.own)))
            player.own += [UNKNOWN] * street.own


def deal_board(hand: HandSoFar, cards: tuple[Card, ...], run: int = 0) -> None:
    """Put cards in the middle; they are given together with those that lie there already."""
    board = hand.boards[run] if run < len(hand.boards) else hand.boards[0][: max(hand.common, 0)]
    before = len(board)
    counts = hand.structure.common_by
    if len(cards) not in counts or len(cards) <= before or set(cards[:before]) != set(board):
        raise ReadError("the board does not continue the one before")
    (hand.again if run else hand.entries).append(ActionEntry("db", cards=cards[before:]))
    board += cards[before:]
    if run < len(hand.boards):
        hand.boards[run] = board
    else:
        hand.boards.append(board)


def deal_run(hand: HandSoFar, run: int, number: int, cards: tuple[Card, ...], title: str) -> None:
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


def deal_own(hand: HandSoFar, player: Player, cards: tuple[Card, ...]) -> None:
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


def learn(hand: HandSoFar, player: Player, cards: tuple[Card, ...]) -> None:
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


def discard(hand: HandSoFar, player: Player, count: int, cards: tuple[Card, ...] = ()) -> None:
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


def deal_owed(hand: HandSoFar) -> None:
    """Once all have spoken, everybody gets as many cards as he has changed."""
    for player in hand.changing:
        if player.owed:
            cards = tuple(player.own[len(player.own) - player.owed :])
            hand.entries.append(ActionEntry("dh", player, cards))
            player.owed = 0
    hand.changing.clear()


# --- the showdown


def show(hand: HandSoFar, player: Player, cards: tuple[Card, ...]) -> None:
    """Turn cards up, at a showdown or freely."""
    learn(hand, player, cards)
    if player.mucked or not _is_contested(hand, player):
        player.shows = True
    elif not player.shown:
        hand.entries.append(ActionEntry("sm", player, cards))
        player.shown = True


def muck(hand: HandSoFar, player: Player) -> None:
    """Give up at the showdown without showing; a winner who does not show gives up nothing."""
    if _is_contested(hand, player) and not player.shown and not player.mucked:
        player.mucked = True
        hand.entries.append(ActionEntry("sm", player))


def _is_contested(hand: HandSoFar, player: Player) -> bool:
    """Whether a player and somebody else are left."""
    return not player.folded and any(other is not player for other in in_play(hand))
