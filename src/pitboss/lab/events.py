"""What has happened in a game of the lab: facts, which never fail, the same few for every genome.

Where cards go is said card by card; `seen_by` are the places that saw which cards they were, None is everybody.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

PileName = Literal["deck", "hand", "captured", "discards", "tableau", "pile", "trick", "community"]
"""Where cards can lie; `pile` is what was put face down and claimed to be of some rank."""


class Pile(Struct, frozen=True):
    """Where cards lie; hands and captured cards are somebody's."""

    name: PileName
    place: int | None = None


class DealBegun(Struct, frozen=True, tag="deal_begun"):
    """All cards are gathered and shuffled; who starts, and what is trumps."""

    deal: int  #: from 1
    starter: int
    trump: str | None


class PhaseBegun(Struct, frozen=True, tag="phase_begun"):
    """A phase begins in which something happens, for one place or for everybody."""

    phase: int  #: its number in the genome
    kind: str
    place: int | None


class MoveMade(Struct, frozen=True, tag="move_made"):
    """Somebody has done what he was asked for; a card put `face_down` he alone knows."""

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
    """The deck was empty, so the discards under the top one were shuffled to be the new one."""

    cards: int


class ChipsPut(Struct, frozen=True, tag="chips_put"):
    """Somebody put chips into the middle."""

    place: int
    amount: int


class ChipsTaken(Struct, frozen=True, tag="chips_taken"):
    """Somebody got chips out of the middle: won, or not called."""

    place: int
    amount: int


class CardsShown(Struct, frozen=True, tag="cards_shown"):
    """The cards that somebody claimed were shown to all, since they were doubted."""

    place: int
    cards: tuple[str, ...]


class HandShown(Struct, frozen=True, tag="hand_shown"):
    """Somebody's hand was compared with others, and so shown to all."""

    place: int
    cards: tuple[str, ...]


class DealEnded(Struct, frozen=True, tag="deal_ended"):
    """A deal is over: who won it, and everybody's points."""

    deal: int
    winners: tuple[int, ...]
    score: tuple[int, ...]


class GameEnded(Struct, frozen=True, tag="game_ended"):
    """The game is over; `stopped` where the turn limit decided it."""

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


# --- what people want to be told besides; it follows from the rules, and hosts and records do without


class StepSkipped(Struct, frozen=True):
    """Nothing could be done in a step, so that nobody was asked."""

    phase: int  #: its number in the genome
    place: int | None  #: whose step it was, None where it was everybody's
    why: str


class ClaimMade(Struct, frozen=True):
    """Somebody has put all cards of a claim, and says that they are of this rank."""

    place: int
    count: int
    rank: str


class WentOver(Struct, frozen=True):
    """Somebody has more points in hand than the limit, and so takes no more cards."""

    place: int


class TrickSatOut(Struct, frozen=True):
    """Somebody has no card for this trick."""

    place: int


class TrickTied(Struct, frozen=True):
    """The highest cards of a trick are equal: it stays for whoever takes the next."""


class TurnMissed(Struct, frozen=True):
    """A card has made the turn pass over somebody."""

    place: int


class TurnAgain(Struct, frozen=True):
    """A card has given whoever played it another turn."""

    place: int


class TurnsReversed(Struct, frozen=True):
    """A card has made the turn pass in the other direction from now on."""


class PileCleared(Struct, frozen=True):
    """All others have passed: the pile counts no more, and whoever played last begins anew."""


class DealJudged(Struct, frozen=True):
    """Why a deal is over, and what decided it, by place, in words; nothing of those who were out of it."""

    why: str
    values: tuple[str | None, ...] = ()  #: none where only one was left
    community: tuple[str, ...] = ()  #: where they are part of everybody's hand


class PotPaid(Struct, frozen=True):
    """What everybody got out of a pot; a pot without a name is what nobody had called."""

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
