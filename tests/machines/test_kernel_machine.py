"""A hand as a state machine: whatever is tried, in whatever order, chips stay and a refused action changes nothing."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitboss.betting.actions import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.laws.laws import check_offer_is_sound, check_round

WISHES: st.SearchStrategy[BettingAction] = st.one_of(
    st.sampled_from((Fold(), Check(), Call())),
    st.builds(Bet, st.integers(-5, 5000)),
    st.builds(Raise, st.integers(-5, 5000)),
)


class HandMachine(RuleBasedStateMachine):
    """One hand of some game, and anybody trying anything."""

    hand: Hand

    @initialize(
        structure=st.sampled_from(sorted(STRUCTURES)),
        stacks=st.lists(st.integers(1, 2000), min_size=2, max_size=7),
        big=st.integers(1, 40),
        seed=st.integers(0, 2**32),
    )
    def deal(self, structure: str, stacks: list[int], big: int, seed: int) -> None:
        """Deal to some players, rich and poor."""
        found = STRUCTURES[structure]
        big_bet = 2 * big if found.betting.exact else None
        stakes = Stakes(min_bet=big, big_bet=big_bet, posts=blinds(len(stacks), big // 2, big))
        deck = Chance(seed).shuffled(found.deck)
        self.chips = sum(stacks)
        self.hand, events = Hand.start(found, stacks=stacks, stakes=stakes, deck=deck)
        assert events

    @precondition(lambda self: not self.hand.over)
    @rule(at=st.integers(0, 100))
    def act(self, at: int) -> None:
        """Whoever is asked does something on offer."""
        legal = self.hand.legal()
        self.hand, events = self.hand.act(legal[at % len(legal)])
        assert events

    @rule(wish=WISHES, place=st.integers(-1, 7))
    def try_anything(self, wish: BettingAction, place: int) -> None:
        """Anybody tries anything: it is refused and nothing has changed, or it was on offer to him."""
        before = self.hand
        try:
            after, _ = self.hand.act(wish, place)
        except Refused:
            assert self.hand == before
            return
        assert isinstance(before.turn, PlayersTurn)
        assert place == before.turn.place
        assert wish in before.legal() or isinstance(wish, Bet | Raise)
        self.hand = after

    @invariant()
    def chips_stay(self) -> None:
        """Nothing is lost or made, whatever has been done."""
        hand = self.hand
        if hand.over:
            assert sum(hand.stacks) == self.chips
        else:
            check_round(hand.round, self.chips)

    @invariant()
    def the_offer_is_sound(self) -> None:
        """Who is asked has a choice, and what is listed is taken."""
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
        assert sum(self.hand.stacks) == self.chips


TestHandMachine = HandMachine.TestCase
TestHandMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
