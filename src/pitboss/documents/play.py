"""Play the hand of a document: deal cards, play actions, and act for a player whose time has run out."""

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.events import Called, Checked, Folded, Raised
from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card, is_known, write_cards
from pitboss.documents.fields import Document, DocumentError, Source, check_unit, read_document
from pitboss.documents.record import to_record
from pitboss.game import PlayersTurn
from pitboss.hand.events import BoardDealt, ChooseRuns, Discard, Discarded, Event, HoleDealt, UpDealt
from pitboss.hand.hand import Hand, replacements, start_draws
from pitboss.hand.state import idle_choice, own_due
from pitboss.records.moves import Move, MoveError, read_move
from pitboss.records.replay import Playback, ReplayError, house_cap, play_record


def _cards_due(
    hand: Hand, events: Iterable[Event], deck: Sequence[Card]
) -> tuple[dict[int, tuple[Card, ...]], tuple[tuple[Card, ...], ...]]:
    """Return the cards due to each place and to each board; `events` are all events of the hand."""
    if hand.phase not in ("deal", "draw"):
        return {}, ()
    street = hand.structure.streets[hand.street]
    if hand.phase == "draw" and street.discard:
        return {}, ()
    due = {place: own_due(hand, place) for place in hand.round.live if own_due(hand, place) > 0}
    if hand.phase == "draw":
        return _replacements(hand, events, deck, due), ()
    pile, n = _pile(hand, deck), len(due)
    full = hand.structure.board_by_street[hand.street]
    missing = [full - len(board) for board in (hand.board, *hand.more_boards) if len(board) < full]
    common = sum(missing)
    total = sum(due.values()) + common
    last = hand.street == len(hand.structure.streets) - 1
    if len(pile) < total and last and street.own and not common and len(pile) >= street.own:
        return {}, (tuple(pile[: street.own]),)  # one common card
    if len(pile) < total:
        raise DocumentError(f"deck: expected at least {total} more cards, got {len(pile)}")
    if len(set(due.values())) > 1 or (due and min(due.values()) < street.own):
        raise DocumentError("actions: some players already have cards of this street; deal the others by actions")
    down, up = street.hole * n, street.own * n
    own = {place: tuple(pile[k:down:n] + pile[down + k : up : n]) for k, place in enumerate(due)}
    rest = iter(pile[up if due else 0 :])
    return own, tuple([tuple(islice(rest, count)) for count in missing])


def _pile(hand: Hand, deck: Sequence[Card]) -> list[Card]:
    """Return the deck without cards that are already dealt."""
    earlier = () if hand.runs is None else hand.runs.boards
    discards = () if hand.draw is None else (hand.draw.discards, hand.draw.open)
    gone = {card for cards in (*hand.holes, hand.board, *hand.more_boards, *earlier, *discards) for card in cards}
    return [card for card in deck if card not in gone]


class _Change(Struct):
    """Cards dealt to a place to replace those that it discarded in a draw. Other dealt cards have the place -1."""

    draw: int = 0  #: the number of the draw in the hand
    place: int = -1
    given_away: tuple[Card, ...] = ()
    dealt: tuple[Card, ...] = ()


def _changes(events: Iterable[Event]) -> list[_Change]:
    """Return the dealt cards. Each change of a draw is an entry; all other cards are in the first entry."""
    changes, draw, drawing = [_Change()], 0, dict[int, _Change]()
    for event in events:
        if isinstance(event, Discarded):
            if not drawing or event.place in drawing:
                draw, drawing = draw + 1, {}
            drawing[event.place] = _Change(draw, event.place, event.cards)
            changes.append(drawing[event.place])
        elif isinstance(event, HoleDealt | UpDealt | BoardDealt):
            place = -1 if isinstance(event, BoardDealt) else event.place
            drawing.get(place, changes[0]).dealt += event.cards
        elif isinstance(event, Called | Checked | Folded | Raised):
            drawing = {}
    return changes


def _replacements(
    hand: Hand, events: Iterable[Event], deck: Sequence[Card], due: dict[int, int]
) -> dict[int, tuple[Card, ...]]:
    """Return the new cards of each place in a draw. They are the same as if all players drew at the same time.

    If the deck runs out, earlier discards are shuffled, except the player's own discards in this draw.
    """
    changes, held = _changes(events), {card for cards in hand.holes for card in cards}
    pile, draw, new = tuple(deck), start_draws(deck), dict[int, tuple[Card, ...]]()
    for change in changes:
        if any(card in draw.discards for card in change.dealt):
            pile, rest, draw = replacements(
                pile, draw, len(pile) + 1
            )  # asks for one card too many, so that the discards are shuffled
            pile += rest
        pile = tuple([card for card in pile if card not in change.dealt])
        if change.draw == changes[-1].draw and change.place in due:
            count, free = due[change.place], [card for card in draw.discards if card not in held]
            pile = tuple([card for card in pile if card not in held])
            new[change.place], pile, draw = replacements(pile, replace(draw, discards=tuple(free)), count)
            if len(new[change.place]) < count:
                raise DocumentError(f"deck: expected at least {count} more cards, got {len(new[change.place])}")
        known = [card for card in change.given_away if is_known(card) and card not in draw.discards]
        draw = replace(draw, discards=(*draw.discards, *known))
    return new


def play_actions(document: Document) -> Playback:
    """Play the hand of a document up to its last action. Players who left are folded when it is their turn.

    Limit games have the usual cap on raises.
    """
    try:
        return play_record(to_record(document), house_cap(document.variant))
    except ReplayError as error:
        raise DocumentError(f"actions: {error}") from None


def act(document: Source, author: str, action: str) -> Document:
    """Play an action of a player. It is written as in PHH, but without the player: `cc`, `f`, `cbr 60`, `sd 7c2d`.

    `runs 2` chooses to deal the rest of the board twice, in games that ask for it.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import act, deal, join, next_hand, open_document, turn
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table = deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))
    >>> table = act(table, turn(table), "f")
    >>> table.actions[-1]
    'p1 f'
    """
    document = read_document(document)
    player = document.index(author)
    text = f"p{player + 1} {action.partition('#')[0].strip()}"
    try:
        move = read_move(text, len(document.players))
    except MoveError as error:
        raise DocumentError(str(error)) from None
    if move.verb not in ("f", "cc", "cbr", "sm", "pb", "sd", "runs"):
        words = "f, cc, cbr AMOUNT, sm CARDS, pb, sd CARDS or runs NUMBER"
        raise DocumentError(f"action: expected {words}, got {action!r:.40}")
    if document.inactive[player]:
        raise DocumentError(f"{author!r} sits out and cannot act")
    if move.amount is not None:
        check_unit("action", move.amount, document.unit)
    return _played(document, text, move)


def auto(document: Source, *, check_when_free: bool = False) -> Document:
    """Act for the player whose time has run out. The player folds, mucks, stands pat, or pays a bring-in that is due.

    With `check_when_free` the player checks instead of folding if that costs nothing.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import auto, deal, join, next_hand, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> auto(deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))).actions[-1]
    'p1 f'
    """
    document = read_document(document)
    playback = play_actions(document)
    hand = playback.hand
    if hand.phase == "bet":
        name = playback.name(_place_to_act(hand))
        text = f"{name} f" if hand.offer.fold else f"{name} pb"
        if check_when_free and hand.offer.check:
            text = f"{name} cc"
    elif (choice := idle_choice(hand)) is not None:
        text = f"{playback.name(_place_to_act(hand))} {_written(choice)}"
    elif hand.phase == "show":
        text = f"{playback.name(_place_to_act(hand))} sm"
    else:
        raise DocumentError("the hand is over" if hand.over else "no player is to act: deal cards first")
    return _played(document, text, read_move(text, len(document.players)))


def _written(choice: Discard | ChooseRuns) -> str:
    return f"runs {choice.runs}" if isinstance(choice, ChooseRuns) else f"sd {write_cards(choice.cards)}".rstrip()


def _place_to_act(hand: Hand) -> int:
    assert isinstance(hand.turn, PlayersTurn), "a player is to act"
    return hand.turn.place


def deal(document: Source, deck: Sequence[Card]) -> Document:
    """Deal the cards that are due from the top of a deck: hole cards, new cards after a draw, or board cards.

    The deck is in dealing order, and may include cards that are already dealt. A document with hidden cards is refused,
    because these cards could be dealt again.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import deal, join, next_hand, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> [action[:7] for action in deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck)).actions]
    ['d dh p1', 'd dh p2']
    """
    document = read_document(document)
    if any(UNKNOWN in read_move(text, len(document.players)).cards for text in document.actions):
        raise DocumentError("actions: expected known cards, got hidden ones; use the server's document")
    playback = play_actions(document)
    own, boards = _cards_due(playback.hand, playback.events, deck)
    if not own and not boards:
        raise DocumentError("expected a hand in which cards are due; now a player must act, or the hand is over")
    players = playback.lineup.players
    texts = [
        f"d dh p{player + 1} {write_cards(cards)}"
        for player, cards in sorted((players[place], cards) for place, cards in own.items())
    ]
    texts += [f"d db {write_cards(cards)}" for cards in boards]
    after = replace(document, actions=(*document.actions, *texts))
    play_actions(after)
    return after


def _played(document: Document, text: str, move: Move) -> Document:
    playback = play_actions(document)
    hand = playback.hand
    if move.verb == "cc" and hand.phase == "bet" and core.brings_in(hand.structure.betting, hand.round):
        text = text.replace(" cc", " pb")  # other programs know only pb
    try:
        playback.play(move)
    except Refused as refusal:
        raise DocumentError(f"{text!r}: {playback.format_refusal(refusal)}") from None
    return replace(document, actions=(*document.actions, text))
