"""A hand of Sting as one place sees it, as data: hands, face-down and face-up cards, totals and moves.

Everything is made from `StingHand.view`, which has no hidden information.
"""

from collections.abc import Iterator, Sequence

import msgspec

from pitboss.game import SeatStatus, TableFact, TableMove, TableSeat, TableView, TableZone, ZoneCard
from pitboss.sting.cards import HIDDEN, ROLES
from pitboss.sting.events import (
    Continued,
    Drawn,
    Flipped,
    Insured,
    Resolved,
    StingAction,
    StingChecked,
    StingEvent,
    StingFolded,
    StingRaise,
    StingRaised,
    format_action,
)
from pitboss.sting.hand import StingHand
from pitboss.sting.text import describe_card, margin_words, raises_left, signed

ROLE_NAMES = tuple([f"the {role.capitalize()}" for role in ROLES])


def table_view(hand: StingHand, viewer: int | None) -> TableView:
    """Return what a place, or a spectator if it is None, sees of the hand."""
    seen = hand.view(viewer)
    acts = seen.to_act >= 0 and seen.to_act == viewer
    zones = tuple(_zones(seen))
    return TableView(
        game="sting",
        title="Sting",
        turn=seen.to_act if seen.to_act >= 0 else None,
        seats=tuple([_seat(seen, place) for place in range(len(ROLES))]),
        zones=zones,
        pots=(),
        facts=tuple(_facts(seen)),
        prompt=_prompt(seen) if acts else None,
        moves=tuple([_move(index, action) for index, action in enumerate(seen.legal())]) if acts else None,
        winners=_winners(seen) if seen.banked is not None else None,
        legend=_legend(seen, zones),
    )


def _seat(hand: StingHand, place: int) -> TableSeat:
    status: SeatStatus = "folded" if place in hand.out else "in"
    if status == "in" and hand.state == "Betting" and not hand.hands[place]:
        status = "all_in"
    holds = hand.state == "Betting" and place == hand.holder
    return TableSeat(
        seat=place,
        role=ROLES[place],
        status=status,
        stack=None,
        bet=None,
        score=None,
        facts=("has the initiative",) if holds else (),
    )


def _zones(hand: StingHand) -> Iterator[TableZone]:
    for place in range(len(ROLES)):
        held = tuple([_face(card) for card in sorted(hand.hands[place])])
        yield TableZone(name="hand", title="Hand", seat=place, layout="fan", cards=held, count=len(held))
        up = tuple([card for player, card in hand.table if player == place])
        yield TableZone(name="table", title="Played", seat=place, layout="row", cards=up, count=len(up))
        left = len(hand.decks[place])
        yield TableZone(name="deck", title="Deck", seat=place, layout="pile", cards=(None,) * min(left, 1), count=left)
    down = tuple([ZoneCard(_face(card), place) for place, card in hand.down])
    yield TableZone(name="trick", title="Face down", seat=None, layout="trick", cards=down, count=len(down))


def _face(card: str) -> str | None:
    return None if card == HIDDEN else card


def _facts(hand: StingHand) -> Iterator[TableFact]:
    totals = hand.totals
    yield TableFact("Round", f"{hand.number} of {hand.variation.rounds}")
    if hand.state == "Betting":
        yield TableFact("Raises left", str(raises_left(hand)))
    yield TableFact("Evidence", str(totals.evidence))
    yield TableFact("Cover", str(totals.cover))
    yield TableFact("Margin", margin_words(totals.margin))
    yield TableFact("Heat", signed(hand.heat))
    yield TableFact("Profit", signed(totals.profit))
    if hand.outcome is not None:
        yield TableFact("Outcome", hand.outcome)


def _prompt(hand: StingHand) -> str:
    if hand.state == "DecisionPoint":
        return "Go on to the next round, or fold."
    verbs = ["raise with a card"] if hand.offer.raise_ else []
    verbs += ["check"] if hand.offer.check else []
    return f"{', '.join(verbs)} or fold.".capitalize()


def _move(index: int, action: StingAction) -> TableMove:
    cards = (action.card,) if isinstance(action, StingRaise) else ()
    text = f"play {action.card}" if isinstance(action, StingRaise) else format_action(action)
    move = msgspec.to_builtins(action)
    return TableMove(
        index=index, text=text, cards=cards, zone="hand" if cards else None, move=move, least=None, most=None
    )


def _winners(hand: StingHand) -> tuple[int, ...]:
    """Return the Player if they made a profit, the Narc if there was a loss, and no place at zero."""
    made = (hand.banked or 0) - hand.cost
    return (2,) if made > 0 else (0,) if made < 0 else ()


def _legend(hand: StingHand, zones: Sequence[TableZone]) -> tuple[TableFact, ...]:
    """Return what each visible card does."""
    shown = [card.card if isinstance(card, ZoneCard) else card for zone in zones for card in zone.cards]
    names = sorted({card for card in shown if card})
    return tuple([TableFact(name, describe_card(hand.cards.cards[name])) for name in names])


class StingNarrator:
    """Tells a hand to one place, or to spectators. The names default to the roles."""

    def __init__(self, place: int | None, names: Sequence[str]) -> None:
        self._place, self._names = place, names or ROLE_NAMES

    def tell(self, happened: Sequence[StingEvent]) -> list[tuple[int, str]]:
        """Return sentences about new events, each with the index of its event."""
        lines = [(at, self._sentence(event)) for at, event in enumerate(happened)]
        return [(at, line) for at, line in lines if line]

    def _sentence(self, event: StingEvent) -> str:
        match event:
            case Drawn(place, cards):
                return f"{self._did(place, 'draw')} {self._listed(cards)}." if cards else ""
            case StingChecked(place):
                return f"{self._did(place, 'check')}."
            case StingRaised(place, card, all_in):
                what = "a card face down" if card == HIDDEN else f"{card} face down"
                return f"{self._did(place, 'play')} {what}{', the last one' if all_in else ''}."
            case StingFolded(place):
                return f"{self._did(place, 'fold')}."
            case Flipped(cards):
                played = ", ".join([f"{card} ({self._name(place)})" for place, card in cards])
                return f"Cards are turned up: {played or 'none was played'}."
            case Continued():
                return "The next round begins."
            case Insured(card, cost, heat):
                return f"{card} prevents a bust, for {cost} cash and Heat {signed(heat)}."
            case Resolved(outcome, profit, heat):
                return f"The hand is over: {outcome}, profit {signed(profit)}, Heat {signed(heat)}."

    def _name(self, place: int) -> str:
        return "you" if place == self._place else self._names[place]

    def _did(self, place: int, verb: str) -> str:
        name = self._name(place)
        return f"{name[:1].upper()}{name[1:]} {verb}{'' if place == self._place else 's'}"

    def _listed(self, cards: Sequence[str]) -> str:
        return f"{len(cards)} card{'s' * (len(cards) > 1)}" if HIDDEN in cards else ", ".join(cards)
