"""The same hands, played in lockstep by this kernel and by PokerKit in its tournament mode.

At every decision both must agree on who acts, what staying costs and what a raise may be, and at the end on every
stack. Where they do not, a reason with a name must account for it, decided by the situation; all else fails.
`python -m tests.twin.against_pokerkit --hands 10000 --seed 1` plays many; a hand is named by seed and number.
"""

import sys
import warnings
from collections import Counter
from collections.abc import Iterator

import pokerkit
from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Check, Folded, Raised
from pitboss.betting.round import Bounds, Offer
from pitboss.betting.rules import Ceiling, Reopening
from pitboss.cards import write_cards
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, Discard, Event
from pitboss.hand.games import PHH_CODES, STRUCTURES
from tests.support.laws.laws import holds
from tests.support.laws.many import run, table
from tests.support.laws.referee import Referee
from tests.support.laws.tables import TEMPERS, Table, some_action, some_cards, some_table
from tests.support.twin.pokerkit_pots import HABITS, habits_that_matter, payout

REASONS = {
    "free_fold": "Its tournament mode refuses a fold when checking is free; ours takes it (N5).",
    "short_blind_keeps_price": "It takes the largest bet really posted as the price; ours stays the whole blind or "
    "bring-in (N1).",
    "short_blind_still_opens": "It opens left of the largest blind posted; ours left of the highest, paid or not.",
    "heads_up_equal_blinds": "Heads-up with equal blinds it lets the big blind speak first; ours is the button (N8).",
    "last_player_asked": "It still asks the last player with chips, whom nobody can answer; ours does not (N4).",
    "nobody_can_pay_more": "It skips who owes nothing and whom nobody could raise; ours asks while somebody has chips.",
    "first_raise_counts_as_full": "It measures a street's first raise against nothing, so a short all-in bet or raise "
    "reopens raising; pitboss measures it against the big blind (N2, N3).",
    "single_raise_reopens": "Short all-ins that add up to a full raise reopen raising; by default ours judges each "
    "alone (N3).",
    "half_bet_reopens": "In limit it takes an all-in of half a bet or more for short; ours counts it as full.",
    "short_bet_is_completed": "In limit PokerKit adds a whole bet to an all-in below half a bet; pitboss completes it.",
    "cap_counts_the_blind": "In limit it allows four raises above the blind; ours counts the blind as the first bet.",
    "cap_counts_short_all_ins": "In limit every all-in counts toward its cap; ours counts those of half a bet or more.",
    "odd_chips_to_the_first": "PokerKit gives all odd chips of a pot to the first winner; pitboss deals them out (N7).",
    "pots_merged_for_winners": "It joins pots that the same players win before it splits them; pitboss splits each "
    "pot by itself (N7), so other players get odd chips.",
    "low_of_another_pot": "If only a player who cannot win a pot has a low, its low half goes to all claimants alike; "
    "in pitboss it goes to the best high.",
    "mucked_cards_dealt_again": "Where stud's deck is short it deals folded cards again before the last card is one "
    "for all; ours does not.",
    "completion_measured_from_the_bring_in": "In no-limit and pot-limit stud it measures a completion from the "
    "bring-in, ours from nothing, so the least raise after it differs.",
    "bring_in_is_no_price_yet": "It measures the first word against nothing: all-in for no more than the bring-in may "
    "complete, and the pot is without it; ours is measured against the bring-in.",
    "folded_bet_returned": "It gives the uncalled part of a bet back even to a player who has folded; in pitboss "
    "it stays in the pot (N7).",
}

TYPES: dict[str, tuple[type[pokerkit.Hand], ...]] = {
    "T": (pokerkit.StandardHighHand,),
    "S": (pokerkit.ShortDeckHoldemHand,),
    "O": (pokerkit.OmahaHoldemHand,),
    "O5": (pokerkit.OmahaHoldemHand,),
    "O6": (pokerkit.OmahaHoldemHand,),
    "O/8": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand),
    "O5/8": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand),
    "7S": (pokerkit.StandardHighHand,),
    "7S/8": (pokerkit.StandardHighHand, pokerkit.EightOrBetterLowHand),
    "R": (pokerkit.RegularLowHand,),
    "5D": (pokerkit.StandardHighHand,),
    "2L1D": (pokerkit.StandardLowHand,),
    "2L3D": (pokerkit.StandardLowHand,),
    "B": (pokerkit.BadugiHand,),
}
"""What hands are compared by, in a game whatever its betting system."""
OPENINGS = {
    "left": pokerkit.Opening.POSITION,
    "low_card": pokerkit.Opening.LOW_CARD,
    "high_card": pokerkit.Opening.HIGH_CARD,
    "high_hand": pokerkit.Opening.HIGH_HAND,
    "low_hand": pokerkit.Opening.LOW_HAND,
}
AUTOMATIC = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.RUNOUT_COUNT_SELECTION,  # the other mode, which takes free folds, would ask for it
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)


class Dropped(Exception):
    """A difference after which going on means nothing; its reason is the argument."""


def play(seed: int, number: int) -> Counter[str]:
    """Play one hand of a run on both sides, and count the comparisons and the reasons for differences."""
    chance = Chance(seed).fork(number)
    return play_table(some_table(chance, STRUCTURES[PHH_CODES[number % len(PHH_CODES)]]), chance)


def play_table(table: Table, chance: Chance) -> Counter[str]:
    """Play one hand at this table on both sides."""
    pair = Pair(expressible(table), chance)
    pair.counts[f"hands of {table.structure.code}"] += 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it recommends other cards than those that we deal
            pair.play()
    except Dropped as reason:
        pair.counts[f"dropped: {reason}"] += 1
        pair.counts[f"dropped of {table.structure.code}"] += 1
    else:
        pair.counts["hands to the end"] += 1
    return pair.counts


def expressible(table: Table) -> Table:
    """The table in PokerKit's terms: dead posts are antes there, so it cannot have both, and they come first.

    A bring-in is less than the minimum bet there.
    """
    stakes = table.stakes
    if stakes.bring_in >= stakes.min_bet:
        stakes = replace(stakes, min_bet=2 * stakes.min_bet, big_bet=stakes.big_bet and 2 * stakes.big_bet)
    dead = [] if stakes.antes and stakes.equal_antes else [post for post in stakes.posts if not post.live]
    posts = (*dead, *[post for post in stakes.posts if post.live])
    return replace(table, stakes=replace(stakes, posts=posts, dead=0))


def open_state(table: Table) -> pokerkit.State:
    """PokerKit's state for a table, with the forced money posted and no card dealt."""
    n, stakes, betting = len(table.stacks), table.stakes, table.structure.betting
    antes, posts = list(stakes.antes or (0,) * n), [0] * n
    for post in stakes.posts:
        if post.live:
            posts[post.place] = post.amount if post.option else -post.amount
        else:
            antes[post.place] += post.amount
    structure = pokerkit.BettingStructure.NO_LIMIT
    if betting.exact:
        structure = pokerkit.BettingStructure.FIXED_LIMIT
    elif betting.ceiling == Ceiling.POT:
        structure = pokerkit.BettingStructure.POT_LIMIT
    dealt_first = 1 if n > 2 else -1  # heads-up PokerKit wants the small blind first although it is the second place
    return pokerkit.State(
        AUTOMATIC,
        pokerkit.Deck.SHORT_DECK_HOLDEM if len(table.structure.deck) == 36 else pokerkit.Deck.STANDARD,
        TYPES[table.structure.code[1:]],
        tuple(
            pokerkit.Street(
                False,
                (False,) * street.hole + (True,) * street.up,
                street.board,
                street.draw,
                OPENINGS[street.opens],
                stakes.step(street),
                betting.cap if betting.exact else None,
            )
            for street in table.structure.streets
        ),
        structure,
        bool(stakes.antes) and stakes.equal_antes,
        antes[::dealt_first],
        posts[::dealt_first],
        stakes.bring_in,
        table.stacks,
        n,
        mode=pokerkit.Mode.TOURNAMENT,
    )


class Pair:
    """One hand on both sides."""

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table, self.chance = table, chance
        self.counts: Counter[str] = Counter(hands=1)
        self.temper = chance.choice(TEMPERS)
        self.hand, events = table.deal()
        self.referee = Referee(table)
        self.referee.receive(events)
        self.state = open_state(table)
        self.given = [0] * len(table.stacks)  # how many of the cards that were dealt here have been dealt there
        self.raised_above_a_short_blind = -1  # the street on which that happened

    def play(self) -> None:
        """Play to the end, or drop the hand."""
        while True:
            self.deal_there()
            ours = asked.place if isinstance(asked := self.hand.turn, PlayersTurn) else None
            theirs = self.state.actor_index
            if self.hand.phase == "draw" and theirs is None:
                self._compare("who changes cards", ours, self.state.stand_patter_or_discarder_index)
                self._change(ours)
                continue
            if self.hand.phase != "bet":
                ours = None
            if ours is None and theirs is None:
                break
            if ours != theirs or self.hand.street != self.state.street_index:
                self._explain_turn(ours, theirs)
                continue
            assert ours is not None
            self.counts["decisions"] += 1
            self._act(some_action(self._common_offer(ours), self.chance, self.temper))
        self._compare_end()

    def deal_there(self) -> None:
        """Let PokerKit do all that needs no decision, as far as we are: show every hand, deal the same cards."""
        while self.state.status:
            if self.state.showdown_index is not None:
                self.state.show_or_muck_hole_cards(True)
            elif self.state.can_deal_hole():
                if not self._deal_hole_there():
                    break
            elif self.state.can_deal_board():
                dealt, count = len(self.state.board_cards), self.state.board_dealing_count
                board = self.referee.cards.boards[0]
                assert count is not None
                if len(board) < dealt + count:
                    break
                self.state.deal_board(write_cards(tuple(board[dealt : dealt + count])))
            else:
                break

    def _deal_hole_there(self) -> bool:
        """Deal one player their cards, unless they have none to come yet."""
        for p, due in enumerate(map(len, self.state.hole_dealing_statuses)):
            cards = self.referee.cards.dealt[p][self.given[p] : self.given[p] + due]
            if due and len(cards) == due:
                self.given[p] += due
                self.state.deal_hole(write_cards(tuple(cards)), p)
                return True
        if len(self.referee.cards.boards[0]) > self.hand.structure.board_by_street[self.state.street_index or 0]:
            self._because("mucked_cards_dealt_again", drop=True)
        return False

    def _change(self, place: int | None) -> None:
        """Change the same cards on both sides."""
        assert place is not None
        cards = some_cards(self.hand.holes[place], self.chance)
        self.counts["draws"] += 1
        self._act_here(Discard(cards))
        self.state.stand_pat_or_discard(write_cards(cards))

    def _act(self, action: Action) -> None:
        """Do the same on both sides."""
        free, short, street = self.hand.offer.check, self._short_blind(), self.hand.street
        happened = self._act_here(action)
        if isinstance(happened, Raised):
            self.raised_above_a_short_blind = street if short else self.raised_above_a_short_blind
            self.state.complete_bet_or_raise_to(happened.to)
        elif isinstance(happened, BroughtIn):
            self.state.post_bring_in()
        elif not isinstance(happened, Folded):
            self.state.check_or_call()
        elif free:
            self._fold_for_free_there()
        else:
            self.state.fold()

    def _fold_for_free_there(self) -> None:
        """Fold where tournament mode has no folding: the other mode takes it, with a warning."""
        self.state.mode = pokerkit.Mode.CASH_GAME
        self.state.fold()
        self.state.mode = pokerkit.Mode.TOURNAMENT

    # --- differences

    def _because(self, reason: str, *, drop: bool = False) -> None:
        self.counts[reason] += 1
        if drop:
            raise Dropped(reason)

    def _fail(self, what: str, ours: object, theirs: object) -> None:
        holds(f"PokerKit agrees on {what}", False, ours, theirs, self.hand, self.state.operations)

    def _short_blind(self) -> bool:
        """Whether the price is above all bets because a blind or the bring-in was not paid in full."""
        return self.referee.price > max(self.referee.bets) and not self.referee.brings_in()

    def _short_blind_matters(self) -> bool:
        return self._short_blind() or self.raised_above_a_short_blind == self.hand.street

    def _explain_turn(self, ours: int | None, theirs: int | None) -> None:
        """The sides ask different players."""
        referee, state = self.referee, self.state
        if theirs is not None and nobody_can_answer(state, theirs):
            self._because("last_player_asked")
            state.check_or_call()
        elif ours is not None and unraisable(referee, ours):
            self._because("nobody_can_pay_more")
            self._act_here(Check())
        elif equal_blinds_heads_up(self.table) and not self.counts["decisions"] and self.hand.street == 0:
            self._because("heads_up_equal_blinds", drop=True)
        elif self._short_blind_matters():
            self._because("short_blind_keeps_price", drop=True)
        elif highest_blind_is_short(self.table, referee) and not self.counts["decisions"] and self.hand.street == 0:
            self._because("short_blind_still_opens", drop=True)
        else:
            self._fail("who acts", ours, theirs)

    def _act_here(self, action: Action) -> Event:
        self.hand, events = self.hand.act(action)
        self.referee.receive(events)
        return events[0]

    def _common_offer(self, p: int) -> Offer:
        """What both sides offer, every difference accounted for."""
        offer, state = self.hand.offer, self.state
        self._compare("stacks", list(self.hand.stacks), list(state.stacks))
        self._compare("bets", list(self.hand.round.bets), list(state.bets))
        self._compare("the chips in the middle", self.hand.round.chips_in_middle, state.total_pot_amount)
        first = state.bring_in_status
        self._compare("whether this is the bring-in", self.referee.brings_in(), first)
        staying = state.effective_bring_in_amount if first else state.checking_or_calling_amount
        if (offer.call or 0) != staying:
            if self._short_blind():
                self._because("short_blind_keeps_price", drop=True)
            self._fail("what staying costs", offer.call, staying)
        if first:
            self._compare("folding the bring-in", offer.fold, state.can_fold())
        elif not state.can_fold():
            if offer.check:
                self._because("free_fold")
            else:
                self._fail("folding", offer.fold, False)
        return self._common_sizes(p)

    def _compare(self, what: str, ours: object, theirs: object) -> None:
        self.counts["numbers compared"] += 1
        if ours != theirs:
            self._fail(what, ours, theirs)

    def _common_sizes(self, p: int) -> Offer:
        offer, state = self.hand.offer, self.state
        bounds, bet, stack = offer.bet or offer.raise_, self.hand.round.bets[p], self.hand.stacks[p]
        ours = None if bounds is None else (bounds.min_to, bounds.max_to)
        low, high = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
        theirs = None if low is None or high is None else (low, high)
        self.counts["numbers compared"] += 3
        if ours != theirs:
            reason = self._why_sizes(p, ours, theirs)
            self._because(reason, drop=reason == "short_blind_keeps_price")
        common = None
        if ours is not None and theirs is not None and max(ours[0], theirs[0]) <= min(ours[1], theirs[1]):
            low, high = max(ours[0], theirs[0]), min(ours[1], theirs[1])
            common = Bounds(low, high, low - bet, high - bet)
        everything = stack <= (offer.call or 0) or (common is not None and common.max_to == bet + stack)
        return Offer(
            fold=offer.fold,
            check=offer.check,
            call=offer.call,
            bet=common if offer.bet else None,
            raise_=common if offer.raise_ else None,
            all_in=stack if everything else None,
        )

    def _why_sizes(self, p: int, ours: tuple[int, int] | None, theirs: tuple[int, int] | None) -> str:
        """The reason why bets and raises differ in this situation."""
        referee, rules = self.referee, self.referee.rules
        owed, largest = referee.price - referee.bets[p], max(referee.steps, default=0)
        if self._short_blind_matters():
            return "short_blind_keeps_price"
        if referee.brings_in() and theirs == self._sizes_without_a_price(p):
            return "bring_in_is_no_price_yet"
        if self._completed_from_the_bring_in(ours, theirs):
            return "completion_measured_from_the_bring_in"
        if ours is None and p in referee.acted:
            if largest < referee.full:
                return "first_raise_counts_as_full"
            if rules.reopening == Reopening.SINGLE and owed >= referee.full:
                return "single_raise_reopens"
        elif ours is None and referee.raises == rules.cap and len(referee.steps) < rules.cap and self.hand.street == 0:
            return "cap_counts_the_blind"
        elif theirs is None and rules.completes and len(referee.steps) == rules.cap:
            return "cap_counts_short_all_ins"
        elif theirs is None and rules.completes and owed < largest:
            return "half_bet_reopens"
        elif ours is not None and theirs is not None and rules.completes and referee.level < referee.price:
            return "short_bet_is_completed"
        self._fail("what a raise may be", ours, theirs)
        return ""

    def _sizes_without_a_price(self, p: int) -> tuple[int, int]:
        """The bets of the first player to act, if there were no bring-in."""
        referee, total = self.referee, self.referee.bets[p] + self.referee.stacks[p]
        low = min(total, referee.full)
        pot = min(total, max(low, referee.middle))
        return low, low if referee.rules.exact else pot if referee.rules.ceiling == Ceiling.POT else total

    def _completed_from_the_bring_in(self, ours: tuple[int, int] | None, theirs: tuple[int, int] | None) -> bool:
        """Whether the least raises differ by no more than the bring-in, after it was completed by any amount."""
        if ours is None or theirs is None or not self.referee.raises or self.hand.street or self.referee.rules.exact:
            return False
        return theirs[1] == ours[1] and 0 < ours[0] - theirs[0] <= self.table.stakes.bring_in

    def _compare_end(self) -> None:
        """Compare every stack; if one differs, PokerKit's ways to pay must give exactly what it paid."""
        ours, theirs = list(self.hand.stacks), list(self.state.stacks)
        self.counts["numbers compared"] += len(ours)
        if ours == theirs:
            return
        before = [stack - won for stack, won in zip(ours, payout(self.hand, ()), strict=True)]
        predicted = [stack + won for stack, won in zip(before, payout(self.hand, HABITS), strict=True)]
        reasons = habits_that_matter(self.hand)
        if predicted != theirs or not reasons:
            self._fail("the stacks at the end", ours, theirs)
        for reason in reasons:
            self._because(reason)
        self.counts["paid otherwise"] += 1


def nobody_can_answer(state: pokerkit.State, p: int) -> bool:
    """Whether all others in the hand are all-in for no more than p has bet."""
    others = [q for q in state.player_indices if q != p and state.statuses[q]]
    return all(state.stacks[q] == 0 and state.bets[q] <= state.bets[p] for q in others)


def unraisable(referee: Referee, p: int) -> bool:
    """Whether p owes nothing and no live player could put in more than p has bet."""
    others = referee.live - {p}
    return referee.bets[p] >= referee.price and all(
        referee.bets[q] + referee.stacks[q] <= referee.bets[p] for q in others
    )


def highest_blind_is_short(table: Table, referee: Referee) -> bool:
    """Whether the player with the highest blind or straddle could not pay all of it."""
    options = [(post.amount, post.place) for post in table.stakes.posts if post.option]
    return any(referee.bets[place] < amount for amount, place in options if amount == max(options)[0])


def equal_blinds_heads_up(table: Table) -> bool:
    """Whether two players have posted the same blind."""
    options = {post.place: post.amount for post in table.stakes.posts if post.option}
    return len(table.stacks) == 2 and len(options) == 2 and options[0] == options[1]


def reasons_table(counts: Counter[str]) -> Iterator[str]:
    """How often each reason was given, and how many hands were dropped for it, as a Markdown table."""
    yield "| reason | times | hands dropped | why |"
    yield "| --- | ---: | ---: | --- |"
    for reason, sentence in REASONS.items():
        yield f"| `{reason}` | {counts.pop(reason, 0):,} | {counts.pop(f'dropped: {reason}', 0):,} | {sentence} |"


if __name__ == "__main__":
    counts, failures, seconds = run(play, __doc__ or "")
    print("\n".join((*reasons_table(counts), "", *table(counts, failures, seconds))))
    sys.exit(1 if failures else 0)
