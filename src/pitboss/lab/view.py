"""What a seat may see of a game: the one door through which people, pages and logs look at it.

Its own cards, all that lies face up, how many cards lie where, chips, bets and points. Never another hand, the deck's
order or a claimed card; nor its own cards where a game only ever turns them up blindly.
"""

from msgspec import Struct

from pitboss.lab.base import codes
from pitboss.lab.game import Game
from pitboss.lab.genome.facts import only_blind
from pitboss.lab.phases.claim import DOUBTING, ClaimPhase


class View(Struct, frozen=True, kw_only=True):
    """A game as one seat sees it. What is said by seat has an entry for everybody."""

    seat: int
    asked: int | None  #: whose decision it is; None once the game is over
    moves: tuple[str, ...]  #: what this seat may do, if it is asked
    phase: str
    deal: int  #: from 1
    starter: int  #: who started this deal
    hand: tuple[str, ...]  #: this seat's own cards, as far as it may look at them
    held: tuple[int, ...]  #: how many cards everybody holds
    captured: tuple[tuple[str, ...], ...]  #: what lies before everybody
    discards: tuple[str, ...]  #: the top card last
    tableau: tuple[str, ...]
    trick: tuple[str, ...]
    community: tuple[str, ...]
    deck: int  #: how many cards it has
    pile: int  #: how many claimed cards lie face down
    due: str | None  #: the rank that is to be claimed
    claim: tuple[int, int] | None  #: who has claimed it, and of how many cards, while others may doubt that
    trump: str | None
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    pot: int  #: all chips in the middle, bets too
    folded: tuple[bool, ...]  #: who is out of the deal
    score: tuple[int, ...]
    tricks: tuple[int, ...]


def view(game: Game, seat: int) -> View:
    """The game as this seat sees it.

    >>> from pitboss.lab.files import load
    >>> seen = view(Game(load("kuhn"), deck=("Qs", "Ks", "Js")), 1)
    >>> seen.hand, seen.held, seen.moves
    (('Ks',), (1, 1), ())
    """
    state, genome, players = game.state, game.genome, game.genome.player_count
    claims = any(isinstance(phase, ClaimPhase) for phase in genome.turn_structure.phases)
    return View(
        seat=seat,
        asked=game.player,
        moves=game.moves if game.player == seat else (),
        phase=game.phase,
        deal=state.deal if game.over else state.deal + 1,
        starter=state.starter,
        hand=() if only_blind(genome) else game.hands[seat],
        held=tuple(state.held[:players]),
        captured=game.captured,
        discards=game.discards,
        tableau=game.tableau,
        trick=game.trick,
        community=game.community,
        deck=game.deck_left,
        pile=state.piled,
        due=game.deck.ranks[state.due] if claims else None,
        claim=(state.claimer, state.put) if game.phase == "ClaimPhase" and state.sub == DOUBTING else None,
        trump=None if state.trump == codes.NO_TRUMP else game.deck.suits[state.trump],
        chips=game.chips,
        bets=game.bets,
        pot=game.pot,
        folded=game.folded,
        score=game.score,
        tricks=game.tricks,
    )
