"""A hand as a state machine: whatever is tried, in whatever order, chips stay and a refused action changes nothing."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitboss.betting.events import AllIn, Bet, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused
from pitboss.cards import DECK, UNKNOWN
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, Discard, Muck, Show
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from tests.support.laws.laws import check_offer_is_sound, check_round
from tests.support.laws.tables import some_table

CARDS = st.lists(st.sampled_from((*DECK, UNKNOWN)), max_size=6)
WISHES: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from((Fold(), Check(), Call(), AllIn(), Show(), Muck(), Discard())),
    st.builds(lambda cards: Discard(tuple(cards)), CARDS),
    st.builds(Bet, st.integers(-5, 5000)),
    st.builds(Raise, st.integers(-5, 5000)),
)


class HandMachine(RuleBasedStateMachine):
    """One hand of some game, with any attempts at actions."""

    hand: Hand

    @initialize(code=st.sampled_from(sorted(STRUCTURES)), seed=st.integers(0, 2**32))
    def deal(self, code: str, seed: int) -> None:
        """Deal to some players, rich and poor, at a table of some house."""
        table = some_table(Chance(seed), STRUCTURES[code], house=True)
        self.chips = sum(table.stacks) + table.stakes.dead
        self.hand, events = table.deal()
        assert events

    @precondition(lambda self: not self.hand.over)
    @rule(at=st.integers(0, 100))
    def act(self, at: int) -> None:
        """The player to act does something on offer."""
        legal = self.hand.legal()
        self.hand, events = self.hand.act(legal[at % len(legal)])
        assert events

    @rule(wish=WISHES, place=st.integers(-1, 9))
    def try_anything(self, wish: Action, place: int) -> None:
        """A player tries anything: either it is refused and nothing has changed, or it was on offer to them."""
        before = self.hand
        try:
            after, _ = self.hand.act(wish, place)
        except Refused:
            assert self.hand == before
            return
        assert isinstance(before.turn, PlayersTurn)
        assert place == before.turn.place
        assert wish in before.legal() or isinstance(wish, Bet | Raise | AllIn | Discard)
        self.hand = after

    @invariant()
    def chips_stay(self) -> None:
        """Nothing is lost or made, whatever has been done."""
        hand = self.hand
        if hand.over:
            assert sum(hand.stacks) + hand.house == self.chips
        else:
            check_round(hand.round, self.chips)

    @invariant()
    def the_offer_is_sound(self) -> None:
        """The player to act has a choice, and every listed action is accepted."""
        if not self.hand.over and self.hand.round.turn >= 0:
            check_offer_is_sound(self.hand.round)
            assert self.hand.legal()

    @invariant()
    def nobody_sees_too_much(self) -> None:
        """A spectator's view holds no card that is not public, nor does it change what is public."""
        view = self.hand.view(None)
        assert view.stacks == self.hand.stacks
        assert view.view(None) == view

    def teardown(self) -> None:
        """Every hand comes to its end."""
        if not hasattr(self, "hand"):
            return
        for _ in range(500):
            if self.hand.over:
                break
            self.hand, _ = self.hand.act(self.hand.legal()[0])
        assert self.hand.over
        assert sum(self.hand.stacks) + self.hand.house == self.chips


TestHandMachine = HandMachine.TestCase
TestHandMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
