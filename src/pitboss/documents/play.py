"""Play the hand of a document: act, deal, act for a player whose time is up, and show what one player may see."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.events import Called, Checked, Folded, Raised
from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card, is_known, write_cards
from pitboss.documents.fields import LEAVES, Document, DocumentError
from pitboss.documents.record import to_record
from pitboss.game import PlayersTurn
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, UpDealt
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand, replacements, start_draws
from pitboss.hand.state import own_due
from pitboss.records.moves import Move, MoveError, read_move
from pitboss.records.replay import Playback, ReplayError, house_cap, play_out


def _cards_due(
    hand: Hand, events: Iterable[Event], deck: Sequence[Card]
) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...]]:
    """What everybody gets, by place, and what the board gets; nothing where nothing is due.

    `events` are all that happened in the hand.
    """
    if hand.phase not in ("deal", "draw"):
        return {}, ()
    due = {place: own_due(hand, place) for place in hand.round.live if own_due(hand, place) > 0}
    if hand.phase == "draw":
        return _replacements(hand, events, deck, due), ()
    pile, street, n = _pile(hand, deck), hand.structure.streets[hand.street], len(due)
    common = hand.structure.board_by_street[hand.street] - len(hand.board)
    total = sum(due.values()) + common
    last = hand.street == len(hand.structure.streets) - 1
    if len(pile) < total and last and street.own and not common and len(pile) >= street.own:
        return {}, tuple(pile[: street.own])  # one for all
    if len(pile) < total:
        raise DocumentError(f"{total} cards are due, and the deck has {len(pile)} more")
    if len(set(due.values())) > 1 or (due and min(due.values()) < street.own):
        raise DocumentError("some have been dealt this street's cards and others not: say who gets which")
    down, up = street.hole * n, street.own * n
    own = {place: tuple(pile[k:down:n] + pile[down + k : up : n]) for k, place in enumerate(due)}
    return own, tuple(pile[up if due else 0 :][:common])


def _pile(hand: Hand, deck: Sequence[Card]) -> list[Card]:
    """The deck without what was dealt from it."""
    gone = [card for cards in (*hand.holes, hand.board) for card in cards]
    return [card for card in deck if card not in gone][gone.count(UNKNOWN) :]


class _Change(Struct):
    """Cards that were dealt: to a place for those it gave away in a draw, or, where place is -1, to anybody else."""

    draw: int = 0  #: which draw of the hand it is
    place: int = -1
    given_away: tuple[Card, ...] = ()
    dealt: tuple[Card, ...] = ()


def _changes(events: Iterable[Event]) -> list[_Change]:
    """All that was dealt, and in each draw everybody's new cards with those that he gave away, whenever they came."""
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
    """New cards for those given away, the same as where everybody gets his at once.

    Where the deck runs out, what was given away before is shuffled: never one's own of that draw.
    """
    changes, held = _changes(events), {card for cards in hand.holes for card in cards}
    pile, draw, unknown, new = tuple(deck), start_draws(deck), 0, dict[int, tuple[Card, ...]]()
    for change in changes:
        if any(card in draw.discards for card in change.dealt):
            pile, rest, draw = replacements(pile[unknown:], draw, len(pile) + 1)  # more than there were: shuffled then
            pile, unknown = pile + rest, 0
        pile = tuple([card for card in pile if card not in change.dealt])
        unknown += change.dealt.count(UNKNOWN)
        if change.draw == changes[-1].draw and change.place in due:
            count, free = due[change.place], [card for card in draw.discards if card not in held]
            pile = tuple([card for card in pile[unknown:] if card not in held])
            new[change.place], pile, draw = replacements(pile, replace(draw, discards=tuple(free)), count)
            unknown = 0
            if len(new[change.place]) < count:
                raise DocumentError(f"{count} cards are due, and the deck has {len(new[change.place])} more")
        known = [card for card in change.given_away if is_known(card) and card not in draw.discards]
        draw = replace(draw, discards=(*draw.discards, *known))
    return new


def play_actions(document: Document) -> Playback:
    """The document's hand, played as far as its actions go, under the house's cap on raises; who left is folded when
    his turn comes."""
    try:
        return play_out(to_record(document), house_cap(document.variant))
    except ReplayError as error:
        raise DocumentError(f"actions: {error}") from None


def act(document: Document, author: str, action: str) -> Document:
    """The document after its author's action, written as in PHH but for the name: `cc`, `f`, `cbr 60`, `sd 7c2d`."""
    player = document.index(author)
    text = f"p{player + 1} {action.partition('#')[0].strip()}"
    try:
        move = read_move(text, len(document.players))
    except MoveError as error:
        raise DocumentError(str(error)) from None
    if move.verb not in ("f", "cc", "cbr", "sm", "pb", "sd"):
        raise DocumentError(f"{action!r} is no action of a player: say f, cc, cbr AMOUNT, sm CARDS, pb or sd CARDS")
    if document.inactive[player]:
        raise DocumentError(f"{author!r} sits out")
    return _played(document, text, move)


def auto(document: Document, *, check_when_free: bool = False) -> Document:
    """Play for whoever's time is up: fold, and at showdown muck; or check where it is free, if the house likes it.

    Who has to bring in does, and who may change cards stands pat.
    """
    playback = play_actions(document)
    hand = playback.hand
    if hand.phase == "bet":
        name = playback.name(_asked(hand))
        text = f"{name} f" if hand.offer.fold else f"{name} pb"
        if check_when_free and hand.offer.check:
            text = f"{name} cc"
    elif hand.phase == "draw" and hand.offer.draw is not None:
        text = f"{playback.name(_asked(hand))} sd"
    elif hand.phase == "show":
        text = f"{playback.name(_asked(hand))} sm"
    else:
        raise DocumentError("the hand is over" if hand.over else "nobody is asked: cards have to be dealt")
    return _played(document, text, read_move(text, len(document.players)))


def _asked(hand: Hand) -> int:
    assert isinstance(hand.turn, PlayersTurn), "somebody is asked"
    return hand.turn.place


def deal(document: Document, deck: Sequence[Card]) -> Document:
    """Deal what is due now from the top of a deck: everybody's cards, new ones for those given away, or the board's.

    The deck is the whole hand's, in dealing order, or what is left of it: cards on the table already are skipped.
    """
    playback = play_actions(document)
    own, board = _cards_due(playback.hand, playback.events, deck)
    if not own and not board:
        raise DocumentError("no cards are due")
    players = playback.lineup.players
    texts = [
        f"d dh p{player + 1} {write_cards(cards)}"
        for player, cards in sorted((players[place], cards) for place, cards in own.items())
    ]
    if board:
        texts.append(f"d db {write_cards(board)}")
    after = replace(document, actions=(*document.actions, *texts))
    play_actions(after)
    return after


def personalize(document: Document, player: str | None) -> Document:
    """What one player may see: everybody else's hole cards are `????`. None, or a stranger, is a spectator."""
    own = -1
    if player is not None and player in document.players:
        own = document.index(player)
    if (own >= 0 and document.intents[own] == LEAVES) or player in document.rest.get("_left", ()):
        raise DocumentError(f"{player!r} has left the table and is sent nothing more")
    game = STRUCTURES.get(document.variant, NO_LIMIT_HOLDEM)
    eyes = _Viewer(own, game.faces, len(document.players))
    actions = tuple([eyes.seen(text) for text in document.actions])
    return replace(document, actions=actions, author=player)


class _Viewer:
    """One player's eyes on the actions of a hand, in order."""

    def __init__(self, own: int, faces: Sequence[bool], players: int) -> None:
        self._own, self._faces, self._players = own, faces, players
        self._dealt = [0] * players
        self._shown: set[int] = set()

    def seen(self, text: str) -> str:
        """An action as these eyes see it: others' cards that lie face down, and those they give away, are hidden."""
        move = read_move(text, self._players)
        place = -1 if move.place is None else move.place
        spoken = text.partition("#")[0].strip()  # commentary may tell what its author knew
        if move.verb == "sm" and not move.muck:
            self._shown.add(place)
        if move.verb == "dh":
            first = self._dealt[place]
            self._dealt[place] += len(move.cards)
            if place == self._own or place in self._shown:
                return spoken
            up = [*self._faces[first : first + len(move.cards)], *[False] * len(move.cards)]
            cards = [card if lies_up else UNKNOWN for card, lies_up in zip(move.cards, up, strict=False)]
            return f"d dh p{place + 1} {write_cards(cards)}"
        if move.verb == "sd" and place != self._own and move.cards:
            return f"p{place + 1} sd {UNKNOWN * len(move.cards)}"
        return spoken


def _played(document: Document, text: str, move: Move) -> Document:
    playback = play_actions(document)
    hand = playback.hand
    if move.verb == "cc" and hand.phase == "bet" and core.brings_in(hand.structure.betting, hand.round):
        text = text.replace(" cc", " pb")  # other programs know no other word for it
    try:
        playback.play(move)
    except Refused as refusal:
        raise DocumentError(f"{text!r}: {playback.format_refusal(refusal)}") from None
    return replace(document, actions=(*document.actions, text))
