"""The events of a game of the lab. Hosts store and send them. All genomes have the same types of events.

`seen_by` lists the places that saw which cards were moved. None means all places.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

PileName = Literal["deck", "hand", "captured", "discards", "tableau", "pile", "trick", "community"]
"""Places for cards. `pile` has the cards that were claimed face down."""


class Pile(Struct, frozen=True):
    """Where cards are. Hands and captured cards belong to a place."""

    name: PileName
    place: int | None = None


class DealBegun(Struct, frozen=True, tag="deal_begun"):
    """The cards are shuffled and a deal begins."""

    deal: int  #: the number of the deal, counted from 1
    starter: int
    trump: str | None


class PhaseBegun(Struct, frozen=True, tag="phase_begun"):
    """A phase in which something happens begins, for one place or for all places."""

    phase: int  #: the index of the phase in the genome
    kind: str
    place: int | None


class MoveMade(Struct, frozen=True, tag="move_made"):
    """A player has made a move. A card put `face_down` is known only to that player."""

    place: int
    move: str
    face_down: bool = False


class CardsMoved(Struct, frozen=True, tag="cards_moved"):
    """Cards moved from one pile to another, in this order."""

    source: Pile
    target: Pile
    cards: tuple[str, ...]
    seen_by: tuple[int, ...] | None


class DeckMade(Struct, frozen=True, tag="deck_made"):
    """The deck was empty. The discards below the top card were shuffled and are now the deck."""

    cards: int


class ChipsPut(Struct, frozen=True, tag="chips_put"):
    """A player put chips into the pot."""

    place: int
    amount: int


class ChipsTaken(Struct, frozen=True, tag="chips_taken"):
    """A player received chips from the pot: chips won, or chips returned because they were not called."""

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
    """A deal is over, with its winners and the points of all players."""

    deal: int
    winners: tuple[int, ...]
    score: tuple[int, ...]


class GameEnded(Struct, frozen=True, tag="game_ended"):
    """The game is over. `stopped` is true if the turn limit ended it."""

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


# --- remarks for people

# They follow from the rules, so hosts and records do not need them.


class StepSkipped(Struct, frozen=True):
    """A step was skipped because nothing could be done in it. No player was prompted."""

    phase: int  #: the index of the phase in the genome
    place: int | None  #: None if the step is for all players
    why: str


class ClaimMade(Struct, frozen=True):
    """A player has put down all cards of a claim. The claim is that the cards are of this rank."""

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
    """The highest cards of a trick are equal, so the trick stays for the winner of the next trick."""


class TurnMissed(Struct, frozen=True):
    """A card has made a player miss a turn."""

    place: int


class TurnAgain(Struct, frozen=True):
    """A card has given its player another turn."""

    place: int


class TurnsReversed(Struct, frozen=True):
    """A card has reversed the direction of play."""


class PileCleared(Struct, frozen=True):
    """All others have passed. The pile no longer counts, and the last player to play may play any card."""


class DealJudged(Struct, frozen=True):
    """Why a deal is over, and the value of each place's hand in words. A place that was out has None."""

    why: str
    values: tuple[str | None, ...] = ()  #: empty if only one player was left
    community: tuple[str, ...] = ()  #: the community cards, if they are part of every hand


class PotPaid(Struct, frozen=True):
    """Each place's share of a pot. A pot without a name has the chips that were not called."""

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
