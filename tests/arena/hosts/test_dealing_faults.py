"""Whether a finished hand's cards came from its deck, and were shown and changed by the players who held them."""

from pitboss.arena.hosts.poker import dealing_faults
from pitboss.cards import DECK
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Shown, UpDealt
from tests.support.for_each import for_each

TOP = "cards were not dealt from the top of the deck"
SHOWN = "a player showed cards that were not dealt to them"
CHANGED = "a player changed cards that were not dealt to them"
DEAL = (HoleDealt(0, (DECK[0], DECK[2])), HoleDealt(1, (DECK[1], DECK[3])))


@for_each(
    "events, faults",
    [
        (DEAL, []),
        ((*DEAL, BoardDealt("flop", DECK[4:7]), BoardDealt("turn", DECK[7:8])), []),
        ((*DEAL, BoardDealt("flop", DECK[5:8])), [TOP]),
        ((HoleDealt(0, DECK[0:2]), HoleDealt(1, DECK[2:4])), [TOP]),
        ((HoleDealt(0, DECK[0:1]), UpDealt(0, DECK[1:2]), Shown(0, DECK[0:2])), []),
        ((*DEAL, Shown(1, (DECK[1], DECK[3]))), []),
        ((*DEAL, Shown(0, (DECK[1], DECK[3]))), [SHOWN]),
        ((*DEAL, Shown(1, (DECK[1], DECK[3])), Shown(0, (DECK[0], DECK[3]))), [SHOWN]),
        ((*DEAL, Shown(2, DECK[4:6])), [SHOWN]),
        ((*DEAL, Discarded(0, (DECK[0],)), HoleDealt(0, (DECK[4],)), Shown(0, (DECK[2], DECK[4]))), []),
        ((*DEAL, Discarded(0, (DECK[0],)), HoleDealt(0, (DECK[4],)), Shown(0, (DECK[0], DECK[2]))), [SHOWN]),
        ((*DEAL, Discarded(0, (DECK[1],))), [CHANGED]),
        ((*DEAL, Discarded(0, (DECK[0], DECK[1]))), [CHANGED]),
        ((*DEAL, Discarded(2, (DECK[4],))), [CHANGED]),
        ((*DEAL, Discarded(0, ()), Discarded(1, (DECK[3],))), []),
    ],
)
def test_dealt_cards_follow_from_the_deck(events: tuple[Event, ...], faults: list[str]) -> None:
    assert [*dealing_faults(events, DECK)] == faults
