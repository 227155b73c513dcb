"""Playing the hand of a document: acting, dealing, playing for whoever's time is up, and what one player may see."""

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card, write_cards
from pitboss.game import PlayersTurn
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.notation.document.dealing import cards_due
from pitboss.notation.document.fields import LEAVES, Document, DocumentError
from pitboss.notation.document.recorded import play_out
from pitboss.notation.document.records import to_record
from pitboss.notation.moves import Move, MoveError, read_move
from pitboss.notation.playback import Playback, ReplayError, house_cap


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
    own, board = cards_due(playback.hand, playback.events, deck)
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
    eyes = _Eyes(own, game.faces, len(document.players))
    actions = tuple([eyes.seen(text) for text in document.actions])
    return replace(document, actions=actions, author=player)


class _Eyes:
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
