"""The events of a game of the lab: facts that hosts store and send, the same types for every genome.

`seen_by` lists the places that saw which cards were moved; None means everyone.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

PileName = Literal["deck", "hand", "captured", "discards", "tableau", "pile", "trick", "community"]
"""Places for cards; `pile` holds the cards that were claimed face down."""


class Pile(Struct, frozen=True):
    """Where cards are; hands and captured cards belong to a place."""

    name: PileName
    place: int | None = None


class DealBegun(Struct, frozen=True, tag="deal_begun"):
    """The cards are shuffled and a deal begins."""

    deal: int  #: from 1
    starter: int
    trump: str | None


class PhaseBegun(Struct, frozen=True, tag="phase_begun"):
    """A phase in which something happens begins, for one place or for all."""

    phase: int  #: its number in the genome
    kind: str
    place: int | None


class MoveMade(Struct, frozen=True, tag="move_made"):
    """A player has made a move; a card put `face_down` is known only to that player."""

    place: int
    move: str
    face_down: bool = False


class CardsMoved(Struct, frozen=True, tag="cards_moved"):
    """Cards went from one pile to another, in this order."""

    source: Pile
    target: Pile
    cards: tuple[str, ...]
    seen_by: tuple[int, ...] | None


class DeckMade(Struct, frozen=True, tag="deck_made"):
    """The deck was empty, and the discards below the top card were shuffled as the new deck."""

    cards: int


class ChipsPut(Struct, frozen=True, tag="chips_put"):
    """A player put chips into the pot."""

    place: int
    amount: int


class ChipsTaken(Struct, frozen=True, tag="chips_taken"):
    """A player received chips from the pot: won, or returned because they were not called."""

    place: int
    amount: int


class CardsShown(Struct, frozen=True, tag="cards_shown"):
    """The claimed cards of a player were shown to all because another player doubted the claim."""

    place: int
    cards: tuple[str, ...]


class HandShown(Struct, frozen=True, tag="hand_shown"):
    """A player's hand was compared with others and shown to all."""

    place: int
    cards: tuple[str, ...]


class DealEnded(Struct, frozen=True, tag="deal_ended"):
    """A deal is over, with its winners and everyone's points."""

    deal: int
    winners: tuple[int, ...]
    score: tuple[int, ...]


class GameEnded(Struct, frozen=True, tag="game_ended"):
    """The game is over; `stopped` if the turn limit ended it."""

    winners: tuple[int, ...]
    stopped: bool


LabEvent: TypeAlias = (
    DealBegun
    | PhaseBegun
    | MoveMade
    | CardsMoved
    | DeckMade
    | ChipsPut
    | ChipsTaken
    | CardsShown
    | HandShown
    | DealEnded
    | GameEnded
)


# --- remarks: explanations for people; they follow from the rules, so hosts and records do not need them


class StepSkipped(Struct, frozen=True):
    """Nothing could be done in a step, so no player was prompted."""

    phase: int  #: its number in the genome
    place: int | None  #: None if the step is for all players
    why: str


class ClaimMade(Struct, frozen=True):
    """A player has put down all cards of a claim that they are of this rank."""

    place: int
    count: int
    rank: str


class WentOver(Struct, frozen=True):
    """A player's points in hand exceed the limit, so the player takes no more cards."""

    place: int


class TrickSatOut(Struct, frozen=True):
    """A player has no card for this trick."""

    place: int


class TrickTied(Struct, frozen=True):
    """The highest cards of a trick are equal, so the trick stays for the winner of the next one."""


class TurnMissed(Struct, frozen=True):
    """A card has made a player miss a turn."""

    place: int


class TurnAgain(Struct, frozen=True):
    """A card has given its player another turn."""

    place: int


class TurnsReversed(Struct, frozen=True):
    """A card has reversed the direction of play."""


class PileCleared(Struct, frozen=True):
    """All others have passed: the pile no longer counts, and the last player to play may play anything."""


class DealJudged(Struct, frozen=True):
    """Why a deal is over, and the value of each place's hand in words, None for places that were out."""

    why: str
    values: tuple[str | None, ...] = ()  #: empty if only one player was left
    community: tuple[str, ...] = ()  #: if they are part of every hand


class PotPaid(Struct, frozen=True):
    """Each place's share of a pot; a pot without a name is chips that were not called."""

    name: str
    shares: tuple[int, ...]


Remark: TypeAlias = (
    StepSkipped
    | ClaimMade
    | WentOver
    | TrickSatOut
    | TrickTied
    | TurnMissed
    | TurnAgain
    | TurnsReversed
    | PileCleared
    | DealJudged
    | PotPaid
)
