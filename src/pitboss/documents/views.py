"""A document as one player may see it: their view, whose turn it is, their actions, new events, and their chips."""

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pitboss.betting.round import NO_OFFER, Bounds, Offer
from pitboss.cards import UNKNOWN, write_cards
from pitboss.documents.fields import LEAVES, Document, DocumentError, Source, read_document
from pitboss.documents.play import play_actions
from pitboss.game import PlayersTurn
from pitboss.hand.events import Event
from pitboss.hand.structure import Structure
from pitboss.records.money import Unit, events_in_money
from pitboss.records.moves import read_move
from pitboss.records.replay import Playback, house_cap, start_playback


def personalize(document: Source, player: str | None) -> Document:
    """Return the document as a player can see it. Hidden cards of other players are `????`.

    None, or a name that is not at the table, is a spectator. A player who has left is refused.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import deal, join, next_hand, open_document, personalize
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table = deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))
    >>> [action[-4:] == "????" for action in personalize(table, "ann").actions]
    [False, True]
    """
    document = read_document(document)
    if player is not None and _has_left(document, player):
        raise DocumentError(f"{player!r} has left the table and receives nothing more")
    return replace(document, actions=tuple(actions_for(document, player)), author=player)


def actions_for(document: Document, player: str | None) -> list[str]:
    """Return the actions as a player can see them. A player who has left sees the same as a spectator."""
    own = document.index(player) if player in document.players and not _has_left(document, player) else -1
    viewer = _Viewer(own, document.game, len(document.players))
    return [viewer.seen(text) for text in document.actions]


def _has_left(document: Document, player: str) -> bool:
    if player in document.players:
        return document.intents[document.index(player)] == LEAVES
    return player in document.rest.get("_left", ())


class _Viewer:
    """The actions of a hand as one player can see them. Actions are added in order."""

    def __init__(self, own: int, game: Structure, players: int) -> None:
        self._own, self._faces, self._players = own, game.faces, players
        self._discards_up = [street.discard_up for street in game.streets if street.discard]
        self._dealt, self._discarded = [0] * players, [0] * players
        self._shown: set[int] = set()

    def seen(self, text: str) -> str:
        """Return an action in which face-down cards and discards of other players are hidden."""
        move = read_move(text, self._players)
        place = -1 if move.place is None else move.place
        plain = text.partition("#")[0].strip()  # a comment can reveal what its author knew
        if move.verb == "sm" and not move.muck:
            self._shown.add(place)
        if move.verb == "dh":
            first = self._dealt[place]
            self._dealt[place] += len(move.cards)
            if place == self._own or place in self._shown:
                return plain
            up = [*self._faces[first : first + len(move.cards)], *[False] * len(move.cards)]
            cards = [card if face_up else UNKNOWN for card, face_up in zip(move.cards, up, strict=False)]
            return f"d dh p{place + 1} {write_cards(cards)}"
        if move.verb == "sd":
            self._discarded[place] += 1
            if place == self._own or self._is_up(self._discarded[place]) or not move.cards:
                return plain
            return f"p{place + 1} sd {UNKNOWN * len(move.cards)}"
        return plain

    def _is_up(self, number: int) -> bool:
        """Return whether all players see a player's first, second or later discard without new cards."""
        return number <= len(self._discards_up) and self._discards_up[number - 1]


# --- the hand


def turn(document: Source) -> str | None:
    """Return the name of the player to act. The result is None if cards are due, the hand is over, or the table waits.

    >>> from pitboss import NO_LIMIT_HOLDEM
    >>> from pitboss.documents import deal, join, next_hand, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> turn(table), turn(deal(table, NO_LIMIT_HOLDEM.deck))
    (None, 'ann')
    """
    document = read_document(document)
    playback = _play(document)
    return None if playback is None else _name_to_act(document, playback)


def offer(document: Source, player: str) -> Offer:
    """Return a player's legal actions, with amounts in the document's money. If another player is to act, it is empty.

    >>> from pitboss import NO_LIMIT_HOLDEM
    >>> from pitboss.documents import deal, join, next_hand, open_document
    >>> table = open_document(small_blind=0.5, big_blind=1, seat_count=6)
    >>> table = deal(next_hand(join(join(table, "ann", 100), "bob", 100)), NO_LIMIT_HOLDEM.deck)
    >>> offer(table, "ann").call, offer(table, "ann").raise_.min_to, offer(table, "bob").fold
    (Decimal('0.5'), 2, False)
    """
    document = read_document(document)
    document.index(player)
    playback = _play(document)
    if playback is None or _name_to_act(document, playback) != player:
        return NO_OFFER
    return _in_money(playback.hand.offer, playback.unit)


def _in_money(given: Offer, unit: Unit) -> Offer:
    """Return an offer with its chips converted to money."""

    def money(chips: int | None) -> Any:
        return None if chips is None else unit.amount(chips)

    def bounds(chips: Bounds | None) -> Bounds | None:
        if chips is None:
            return None
        return Bounds(money(chips.min_to), money(chips.max_to), money(chips.min_by), money(chips.max_by))

    return replace(
        given, call=money(given.call), all_in=money(given.all_in), bet=bounds(given.bet), raise_=bounds(given.raise_)
    )


def events_since(document: Source, number: int) -> tuple[Event, ...]:
    """Return the events after the first `number` actions, with amounts in the document's money.

    With 0 they include the forced bets. Personalize the document first, so that hidden cards stay hidden. Places in
    events count from the button's left.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import deal, events_since, join, next_hand, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table = deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))
    >>> [type(event).__name__ for event in events_since(table, 0)]
    ['Posted', 'Posted', 'HoleDealt', 'HoleDealt']
    """
    document = read_document(document)
    if type(number) is not int or not 0 <= number <= len(document.actions):
        raise DocumentError(f"number: expected 0 to {len(document.actions)}, the number of actions, got {number!r:.40}")
    playback = _play(document)
    if playback is None:
        return ()
    before = start_playback(playback.record, house_cap(document.variant))
    seen = 0
    for move in before.moves[:number]:
        before.play(move)
        seen = len(before.events)
    return events_in_money(playback.events[seen:], playback.unit)


def cash_out(document: Source, player: str) -> Decimal:
    """Return the chips that a player can take away now.

    A player who is still in the hand is refused, because the end of the hand changes their chips.

    >>> from pitboss.documents import join, open_document
    >>> cash_out(join(open_document(small_blind=1, big_blind=2, seat_count=6), "ann", 75.25), "ann")
    Decimal('75.25')
    """
    document = read_document(document)
    at = document.index(player)
    if document.finishing_stacks is not None:
        return Decimal(document.finishing_stacks[at])
    playback = _play(document) if document.actions and document.dealt_in[at] else None
    if playback is None:
        return Decimal(document.stacks[at])
    if not playback.hand.over and not playback.hand.round.folded[playback.lineup.place(at)]:
        raise DocumentError(f"{player!r} is still in the hand: finish it first")
    return Decimal(playback.finishing_stacks()[at])


def _play(document: Document) -> Playback | None:
    """Play the hand of a document. Return None if the document has no hand."""
    return None if document.finishing_stacks is not None or sum(document.dealt_in) < 2 else play_actions(document)


def _name_to_act(document: Document, playback: Playback) -> str | None:
    now = playback.hand.turn
    return document.players[playback.lineup.players[now.place]] if isinstance(now, PlayersTurn) else None
