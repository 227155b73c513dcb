"""How a run went, hand by hand: what each came to, from the events of the run."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pitboss.sting.events import Insured, Outcome, Resolved
from pitboss.sting.run import Run
from pitboss.sting.run_events import Banked, Bought, HandBegun, RunEvent
from pitboss.sting.saves import replay_save, write_save
from pitboss.sting.words import amount


class HandSummary(Struct, frozen=True, kw_only=True):
    """What a hand came to, and how the run stood after it."""

    number: int
    outcome: Outcome | None = None  #: None while it is played
    saved_by: str | None = None  #: the insurance that turned a bust
    profit: int = 0
    heat: int
    cash: int
    bought: tuple[str, ...] = ()  #: in the shop after it


def history(run: Run) -> tuple[RunEvent, ...]:
    """All that has happened in a run so far, played again from its seed and the Player's actions."""
    return tuple([event for _, events in replay_save(write_save(run)) for event in events])


def summaries(events: Iterable[RunEvent]) -> tuple[HandSummary, ...]:
    """Every hand of a run in a line."""
    hands: list[HandSummary] = []
    for event in events:
        match event:
            case HandBegun(number=number, heat=heat, cash=cash):
                hands.append(HandSummary(number=number, heat=heat, cash=cash))
            case Insured(card=card):
                hands[-1] = replace(hands[-1], saved_by=card)
            case Resolved(outcome=outcome, profit=profit):
                hands[-1] = replace(hands[-1], outcome=outcome, profit=profit)
            case Banked(heat=heat, cash=cash):
                hands[-1] = replace(hands[-1], heat=heat, cash=cash)
            case Bought(card=card, cash=cash):
                hands[-1] = replace(hands[-1], cash=cash, bought=(*hands[-1].bought, card))
    return tuple(hands)


OUTCOME: dict[Outcome | None, str] = {"success": "got away", "bust": "busted", "fold": "folded", None: "playing"}


def summary_line(hand: HandSummary) -> str:
    """A hand in one line.

    >>> summary_line(HandSummary(number=2, outcome="success", profit=45, heat=17, cash=95, bought=("Alibi",)))
    'Hand 2: got away, profit 45; cash 95, Heat 17; bought Alibi'
    """
    how = f"saved by {hand.saved_by}" if hand.saved_by else OUTCOME[hand.outcome]
    profit = f", profit {amount(hand.profit)}" if hand.outcome == "success" else ""
    bought = f"; bought {', '.join(hand.bought)}" if hand.bought else ""
    return f"Hand {hand.number}: {how}{profit}; cash {amount(hand.cash)}, Heat {hand.heat}{bought}"
