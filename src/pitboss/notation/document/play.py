"""Playing the hand of a document: acting, dealing, playing for whoever's time is up, and what one player may see."""

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card, write_cards
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
    """The document after its author's action, written as in PHH but for the name: `cc`, `f`, `cbr 60`, `sm AsKd`."""
    player = document.index(author)
    text = f"p{player + 1} {action.partition('#')[0].strip()}"
    try:
        move = read_move(text, len(document.players))
    except MoveError as error:
        raise DocumentError(str(error)) from None
    if move.verb not in ("f", "cc", "cbr", "sm"):
        raise DocumentError(f"{action!r} is no action of a player: say f, cc, cbr AMOUNT or sm CARDS")
    if document.inactive[player]:
        raise DocumentError(f"{author!r} sits out")
    return _played(document, text, move)


def auto(document: Document, *, check_when_free: bool = False) -> Document:
    """Play for whoever's time is up: fold, and at showdown muck; or check where it is free, if the house likes it."""
    playback = play_actions(document)
    hand = playback.hand
    if hand.phase == "bet":
        name = playback.name(hand.round.turn)
        text = f"{name} cc" if check_when_free and hand.offer.check else f"{name} f"
    elif hand.phase == "show":
        name = playback.name(next(place for place in hand.round.live if place not in hand.shown))
        text = f"{name} sm"
    else:
        raise DocumentError("the hand is over" if hand.over else "nobody is asked: cards have to be dealt")
    return _played(document, text, read_move(text, len(document.players)))


def deal(document: Document, deck: Sequence[Card]) -> Document:
    """Deal what is due now from the top of a deck: hole cards to everybody dealt in, or the next board cards.

    The deck is the whole hand's, in dealing order, or what is left of it: cards on the table already are skipped.
    """
    playback = play_actions(document)
    hand = playback.hand
    if hand.phase != "deal":
        raise DocumentError("no cards are due")
    on_the_table = [card for cards in (*hand.holes, hand.board) for card in cards]
    pile = [card for card in deck if card not in on_the_table][on_the_table.count(UNKNOWN) :]
    n, street = hand.round.n, hand.structure.streets[hand.street]
    due = street.hole * n + street.board
    if len(pile) < due:
        raise DocumentError(f"{due} cards are due, and the deck has {len(pile)} more")
    texts = []
    if street.hole:
        texts += [
            f"d dh p{player + 1} {write_cards(pile[place : street.hole * n : n])}"
            for player, place in sorted((player, place) for place, player in enumerate(playback.lineup.players))
        ]
    if street.board:
        texts.append(f"d db {write_cards(pile[street.hole * n : due])}")
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
    actions = []
    for text in document.actions:
        move = read_move(text, len(document.players))
        hidden = move.verb == "dh" and move.place != own
        spoken = text.partition("#")[0].strip()  # commentary may tell what its author knew
        actions.append(f"d dh p{(move.place or 0) + 1} {UNKNOWN * len(move.cards)}" if hidden else spoken)
    return replace(document, actions=tuple(actions), author=player)


def _played(document: Document, text: str, move: Move) -> Document:
    playback = play_actions(document)
    try:
        playback.play(move)
    except Refused as refusal:
        raise DocumentError(f"{text!r}: {playback.format_refusal(refusal)}") from None
    return replace(document, actions=(*document.actions, text))
