"""A game of the lab as one place sees it, as data: seats, zones of cards, pots and moves.

Everything is made from `LabGame.view`, which has no hidden information.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pitboss.betting.pots import pots as share_pots
from pitboss.cards import UNKNOWN
from pitboss.game import (
    SeatStatus,
    TableFact,
    TableMove,
    TablePot,
    TableSeat,
    TableView,
    TableZone,
    ZoneCard,
    ZoneLayout,
)
from pitboss.lab.english import SUIT_NAMES, capital, title
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Deck, Genome
from pitboss.lab.narrator import SYMBOLS, count, place
from pitboss.lab.piles import next_live
from pitboss.lab.rulebook import points_matter, speaks_of, takes_cards, uses_deck

Cards = Sequence[str]


class LabLayout(Struct, frozen=True, kw_only=True):
    """What a table of this genome has, whatever the cards are."""

    title: str
    chips: bool
    points: bool
    sorts: bool  #: whether a hand is drawn in order of suits and ranks; if not, its own order matters
    captures: bool
    tricks: bool
    board: bool
    tableau: bool
    discards: bool
    deck: bool

    @classmethod
    def of(cls, genome: Genome) -> "LabLayout":
        """Return the layout of a genome."""
        phases = genome.turn_structure.phases
        traits = [phase.traits for phase in phases]
        return cls(
            title=title(genome.name),
            chips=genome.setup.starting_chips > 0,
            points=points_matter(genome),
            sorts=not any(trait.ordered for trait in traits),
            captures=takes_cards(genome),
            tricks=any(phase.tricks for phase in phases),
            board=any(trait.turned_up for trait in traits),
            tableau=speaks_of(genome, "table"),
            discards=any(trait.discards for trait in traits),
            deck=uses_deck(genome),
        )


def table_view(game: LabGame, viewer: int | None, layout: LabLayout) -> TableView:
    """Return what a place, or a spectator if it is None, sees of the game."""
    seen = game.view(viewer)
    acts = seen.player is not None and seen.player == viewer
    return TableView(
        game=seen.genome.name,
        title=layout.title,
        turn=seen.player,
        seats=tuple([_seat(seen, seat, layout) for seat in range(len(seen.held))]),
        zones=tuple(_zones(seen, layout)),
        pots=_pots(seen),
        facts=tuple(_facts(seen)),
        prompt=step_line(seen) if acts else None,
        moves=_moves(seen) if acts else None,
        winners=seen.winners if seen.over else None,
    )


def step_line(view: LabGame) -> str:
    """Return the current step and its prompt."""
    phases, at = view.genome.turn_structure.phases, view.state.phase
    text = phases[at].prompt(view.genome, view.state)
    return f"Step {at + 1} of {len(phases)}: {text}." if len(phases) > 1 else f"{capital(text)}."


def _seat(view: LabGame, seat: int, layout: LabLayout) -> TableSeat:
    folded, broke = view.folded[seat], layout.chips and not view.chips[seat]
    status: SeatStatus = "in"
    if not view.over and (folded or broke):
        status = "all_in" if not folded else "out" if broke else "folded"
    return TableSeat(
        seat=seat,
        role="starter" if seat == view.starter else None,
        status=status,
        stack=view.chips[seat] if layout.chips else None,
        bet=view.bets[seat] if layout.chips else None,
        score=view.score[seat] if layout.points else None,
        facts=(count(view.tricks[seat], "trick"),) if view.tricks[seat] else (),
    )


# --- zones


def _zones(view: LabGame, layout: LabLayout) -> Iterator[TableZone]:
    captured = view.captured
    for seat, cards in enumerate(view.hands):
        yield _zone("hand", "Hand", seat, "fan", _in_order(view.deck, cards) if layout.sorts else cards)
        if layout.captures or captured[seat]:
            yield _zone("captured", "Won", seat, "pile", captured[seat])
    if layout.tricks or view.trick:
        yield _trick(view)
    if layout.board or view.community:
        yield _zone("board", "Board", None, "row", view.community)
    if layout.tableau or view.tableau:
        yield _zone("tableau", "Table", None, "row", view.tableau)
    if view.due is not None:
        yield _top("pile", "Claimed cards", view.pile)
    if layout.discards or view.discards:
        yield _top("discards", "Discards", view.discards)
    if layout.deck or view.deck_left:
        yield _top("deck", "Deck", (UNKNOWN,) * view.deck_left)


def _in_order(deck: Deck, cards: Cards) -> Cards:
    """Return a hand sorted by suit and rank. Hidden cards come last."""
    known = sorted([card for card in cards if card != UNKNOWN], key=lambda card: place(deck, card)[::-1])
    return (*known, *[card for card in cards if card == UNKNOWN])


def _zone(name: str, heading: str, seat: int | None, layout: ZoneLayout, cards: Cards) -> TableZone:
    shown = tuple([None if card == UNKNOWN else card for card in cards])
    return TableZone(name=name, title=heading, seat=seat, layout=layout, cards=shown, count=len(cards))


def _top(name: str, heading: str, cards: Cards) -> TableZone:
    """Return a pile of which only the top card is drawn."""
    shown = tuple([None if card == UNKNOWN else card for card in cards[-1:]])
    return TableZone(name=name, title=heading, seat=None, layout="pile", cards=shown, count=len(cards))


def _trick(view: LabGame) -> TableZone:
    shown = tuple([ZoneCard(None if card == UNKNOWN else card, seat) for card, seat in trick_seats(view)])
    return TableZone(name="trick", title="Trick", seat=None, layout="trick", cards=shown, count=len(shown))


def trick_seats(view: LabGame) -> list[tuple[str, int | None]]:
    """Return the cards of the trick with the places that played them.

    The place is None for cards of tied tricks before it, and if a player has no card for the trick.
    """
    s, cards, live = view.state, view.trick, view.folded.count(False)
    seats: list[int | None] = [None] * len(cards)
    if s.played and s.awaited == live:
        at = next_live(s, s.lead - 1, 1)
        for played in range(len(cards) - s.played, len(cards)):
            seats[played], at = at, next_live(s, at, 1)
    return list(zip(cards, seats, strict=True))


# --- chips, facts and moves


def _pots(view: LabGame) -> tuple[TablePot, ...]:
    if not view.pot:
        return ()
    live = tuple([seat for seat, folded in enumerate(view.folded) if not folded])
    if view.genome.setup.pots == "side":
        paid = [put + bet for put, bet in zip(view.state.paid, view.bets, strict=False)]
        if sum(paid) == view.pot:
            return tuple([TablePot(pot.amount, pot.places) for pot in share_pots(paid, view.folded)])
    return (TablePot(view.pot, live),)


def _facts(view: LabGame) -> Iterator[TableFact]:
    setup, rounds = view.genome.setup, view.genome.turn_structure.rounds
    if setup.deals > 1:
        yield TableFact("Deal", f"{view.deal} of {setup.deals}")
    if rounds > 1:
        yield TableFact("Round", f"{min(view.state.round + 1, rounds)} of {rounds}")
    if view.trump is not None:
        yield TableFact("Trumps", SUIT_NAMES[view.trump])
    if view.due is not None:
        yield TableFact("Rank due", view.due)
    if view.state.direction < 0:
        yield TableFact("Direction", "reversed")


def _moves(view: LabGame) -> tuple[TableMove, ...]:
    deck, hand = view.deck, view.hands[view.state.to_act]
    return tuple([_move(deck, hand, at, move) for at, move in enumerate(view.moves)])


def _move(deck: Deck, hand: Cards, index: int, move: str) -> TableMove:
    """Return a move with the cards that it uses, or the pile that it takes a card from.

    >>> _move(Deck(), ("8h", "8s", "Kd"), 2, "play 2 8").cards
    ('8h', '8s')
    """
    verb, *details = move.split()
    cards: tuple[str, ...] = ()
    zone = "discards" if details == ["discard"] else "deck" if move == "draw" else None
    if details and is_card(deck, details[-1]):
        cards, zone = (details[-1],), "hand"
    elif len(details) == 2:  # a number of cards of one rank
        cards, zone = tuple([card for card in hand if card[0] == details[1]][: int(details[0])]), "hand"
    words = [spell(word) if is_card(deck, word) else word.replace("_", "-") for word in details]
    text = " ".join([verb.replace("_", "-"), *words])
    return TableMove(index=index, text=text, cards=cards, zone=zone, move=move, least=None, most=None)


def is_card(deck: Deck, word: str) -> bool:
    """Return whether a word of a move is a card."""
    return len(word) == 2 and word[0] in deck.ranks and word[1] in deck.suits


def spell(card: str) -> str:
    """Return a card with the symbol of its suit.

    >>> spell("Ts")
    '10♠'
    """
    return f"{'10' if card[0] == 'T' else card[0]}{SYMBOLS[card[1]]}"
