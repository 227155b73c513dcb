"""Plays hands at random at every kind of table and holds each of their moments against the laws.

`python -m tests.laws.random_play --hands 100000 --seed 1` plays many; a hand is named by seed and number.
"""

import sys
from collections import Counter
from collections.abc import Sequence

from msgspec.msgpack import encode
from msgspec.structs import replace

from pitboss.betting.actions import BettingAction, Fold, Raise
from pitboss.betting.events import Refunded
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card
from pitboss.chance import Chance
from pitboss.game import ChancesTurn, Over, PlayersTurn
from pitboss.hand.actions import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.events import Event, Shown, Won
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Ranking
from pitboss.hand.view import view_event
from pitboss.ranks import from_two, high, low, short
from tests.support.laws.laws import check_offer, check_round, holds
from tests.support.laws.many import run, table
from tests.support.laws.referee import Referee
from tests.support.laws.tables import TEMPERS, Table, some_action, some_table, with_other_cards


def play(seed: int, number: int) -> Counter[str]:
    """Play one hand of a run under all laws, and count what was done."""
    chance = Chance(seed).fork(number)
    return play_table(some_table(chance), chance)


def play_table(table: Table, chance: Chance) -> Counter[str]:
    """Play one hand at this table under all laws, and count what was done."""
    counts: Counter[str] = Counter(hands=1)
    counts[f"hands of {table.structure.code}"] += 1
    watch = Watch(table, chance, counts)
    temper = chance.choice(TEMPERS)
    while not watch.hand.over:
        watch.check_decision()
        watch.act(some_action(watch.hand.offer, chance, temper))
    watch.check_end()
    return counts


class Watch:
    """One hand in play, an account of it, and the same hand as it would be with other hidden cards."""

    def __init__(self, table: Table, chance: Chance, counts: Counter[str]) -> None:
        self.table, self.chance, self.counts = table, chance, counts
        self.hand, events = table.deal()
        self.referee = Referee(table)
        self.eyes: int | None = chance.below(len(table.stacks))
        self.shadow, shadowed = with_other_cards(table, self.eyes, chance).deal()
        self.trail, self.actions = [self.hand], list[BettingAction]()
        self._note(events, shadowed)

    # --- one step

    def act(self, action: BettingAction) -> None:
        """Carry an action out, in the hand and in its shadow."""
        place = self.hand.round.turn
        if isinstance(action, Fold) and self.hand.offer.check:
            self.counts["free folds"] += 1
        self.hand, events = self.hand.act(action, place)
        self.shadow, shadowed = self.shadow.act(action, place)
        self.actions.append(action)
        self.trail.append(self.hand)
        self._note(events, shadowed)

    def _note(self, events: tuple[Event, ...], shadowed: tuple[Event, ...]) -> None:
        self.counts["events"] += len(events)
        self.referee.hear(events)
        self.counts["refunds"] += sum(isinstance(event, Refunded) for event in events)
        self.paid = [event for event in events if isinstance(event, Won)]
        if not any(isinstance(event, Shown) for event in events):
            for eyes in (self.eyes, None):
                seen = [view_event(event, eyes) for event in events]
                other = [view_event(event, eyes) for event in shadowed]
                holds("events show no hidden card", seen == other, eyes, events)
                holds("no view tells a hidden card", self.hand.view(eyes) == self.shadow.view(eyes), eyes, self.hand)

    # --- at a decision

    def check_decision(self) -> None:
        """Everything that must hold where somebody is asked."""
        hand, referee, round = self.hand, self.referee, self.hand.round
        self.counts["decisions"] += 1
        check_round(round, referee.brought)
        p = round.turn
        holds("the hand waits for who is asked", hand.turn == PlayersTurn(p), hand)
        holds("the right player is asked", p == referee.turn(), referee.turn(), hand)
        holds("events tell the stacks", list(round.stacks) == referee.stacks, referee.stacks, hand)
        holds("events tell the bets", list(round.bets) == referee.bets, referee.bets, hand)
        holds("events tell the price", round.price == referee.price, referee.price, hand)
        holds("what the rules allow is on offer", hand.offer == referee.offer(p), referee.offer(p), hand)
        holds("hands end", len(self.actions) < referee.most_steps(), hand)
        self._check_claims()
        self.counts["offers tried"] += check_offer(round, referee.brought)
        self._check_refusals(p)
        self._check_secrecy()

    def _check_claims(self) -> None:
        """Who is all-in claims just what he has paid for; who can still pay claims everything."""
        hand, round = self.hand, self.hand.round
        for p in round.live:
            claimed = sum(pot.amount for pot in hand.pots if p in pot.places)
            if round.stacks[p]:
                holds("who can still pay claims every pot", claimed == round.chips_in_middle, p, hand)
            else:
                holds("who is all-in claims what he has paid for", claimed == self.referee.paid_for(p), p, hand)

    def _check_refusals(self, p: int) -> None:
        """What nobody may do now is refused by the whole hand too, and leaves it as it is."""
        hand, n = self.hand, self.hand.round.n
        before, other = encode(hand), (p + 1 + self.chance.below(n - 1)) % n
        wrong: list[tuple[Action, int | None, str]] = [
            (Fold(), other, "out_of_turn"),
            (Raise(-1), p, "whole_chips"),
            (Raise(True), p, "whole_chips"),
            (DealHole(p, hand.holes[p]), None, "not_dealing"),
            (DealBoard(hand.holes[p]), None, "not_dealing"),
            (Show(), p, "no_showdown"),
            (Muck(), p, "no_showdown"),
        ]
        for action, place, rule in wrong:
            refused(hand, action, place, rule)
        self.counts["offers tried"] += len(wrong)
        holds("a refused action changes nothing", encode(hand) == before, hand)

    def _check_secrecy(self) -> None:
        """Cards that a place cannot see may be any: its view is the same, and so is the spectator's."""
        hand, n = self.hand, self.hand.round.n
        for eyes in (None, self.chance.below(n)):
            hidden = [card for q, hole in enumerate(hand.holes) if q != eyes for card in hole]
            cards = iter(self.chance.shuffled([*hidden, *(hand.deck or ())]))
            holes = tuple(
                [hole if q == eyes else tuple([next(cards) for _ in hole]) for q, hole in enumerate(hand.holes)]
            )
            other = replace(hand, holes=holes, deck=tuple(cards))
            holds("a view does not change when a hidden card does", other.view(eyes) == hand.view(eyes), eyes, hand)

    # --- at the end

    def check_end(self) -> None:
        """Everything that must hold of a hand that is over."""
        hand, referee = self.hand, self.referee
        holds("what came in goes out", sum(hand.stacks) == referee.brought, hand)
        holds("events tell the stacks", list(hand.stacks) == referee.stacks, referee.stacks, hand)
        holds("nothing stays in the middle", hand.round.chips_in_middle == 0, hand)
        holds("nobody is asked any more", hand.turn == Over(), hand)
        holds("hands end", len(self.actions) <= referee.most_steps(), hand)
        refused(hand, Fold(), None, "betting_over")
        refused(hand, Show(), None, "no_showdown")
        self._check_pots_paid()
        check_nothing_more_is_shown(hand)
        self._check_replay()
        self._check_recording()

    def _check_pots_paid(self) -> None:
        """Every pot is paid in full to the best of its claimants, who paid for it."""
        hand, referee = self.hand, self.referee
        referee.middle += referee.won  # as it was before the pots were paid
        beyond = max(referee.claims) > max(referee.claims[p] for p in referee.live)
        winners = Counter(event.pot for event in self.paid)
        self.counts["pots"] += len(hand.paid_pots)
        self.counts["side pots"] += len(hand.paid_pots[1:])
        self.counts["split pots"] += sum(number > 1 for number in winners.values())
        self.counts["orphaned layers"] += beyond
        holds("the pots are what was won", sum(pot.amount for pot in hand.paid_pots) == referee.won, hand)
        for p in hand.round.live:
            claimed = sum(pot.amount for pot in hand.paid_pots if p in pot.places)
            holds("everybody claims what he has paid for", claimed == referee.can_win(p), p, referee.can_win(p), hand)
        for number, pot in enumerate(hand.paid_pots):
            won = dict.fromkeys(pot.places, 0)
            for event in self.paid:
                if event.pot == number:
                    holds("only claimants win a pot", event.place in won, event, hand)
                    won[event.place] += event.amount
            holds("shares sum to the pot", sum(won.values()) == pot.amount, number, hand)
            holds("the best hands share a pot", won == fair_shares(hand, pot), number, won, hand)

    def _check_replay(self) -> None:
        """The same actions give the very same states."""
        hand, _ = self.table.deal()
        for action, state in zip([*self.actions, None], self.trail, strict=True):
            holds("a replay goes through the same states", hand == state, state)
            if action is not None:
                hand, _ = hand.act(action)

    def _check_recording(self) -> None:
        """The hand comes out the same where the cards are dealt and shown by actions."""
        hand, _ = self.table.deal(by_itself=False)
        betting, final = iter(self.actions), self.hand
        while True:
            match hand.turn:
                case Over():
                    break
                case ChancesTurn():
                    hand, _ = hand.act(next_deal(hand, final))
                case PlayersTurn(place) if hand.phase == "bet":
                    hand, _ = hand.act(next(betting), place)
                case PlayersTurn(place):
                    holds("at showdown showing and mucking are on offer", hand.offer.show and hand.offer.muck, hand)
                    holds("both are listed", hand.legal() == (Show(), Muck()), hand)
                    hand.act(Muck(), place)
                    hand, _ = hand.act(Show(), place)
        holds("dealt by hand it comes out the same", replace(hand, deck=final.deck) == final, hand, final)


def refused(hand: Hand, action: Action, place: int | None, rule: str) -> None:
    """State that the hand refuses an action, by this rule."""
    try:
        hand.act(action, place)
    except Refused as refusal:
        holds("a refusal names the rule", refusal.rule == rule, rule, refusal, hand)
    else:
        holds("what nobody may do is refused", False, action, place, hand)


def next_deal(hand: Hand, final: Hand) -> Action:
    """The cards due now, as they are known from the finished hand."""
    streets = hand.structure.streets[: hand.street + 1]
    for p in range(hand.round.n):
        if len(hand.holes[p]) < sum(street.hole for street in streets):
            return DealHole(p, final.holes[p])
    return DealBoard(final.board[len(hand.board) : sum(street.board for street in streets)])


def check_nothing_more_is_shown(hand: Hand) -> None:
    """At the end a spectator sees the cards of those who were compared, and no others."""
    compared = hand.round.live if len(hand.round.live) > 1 else ()
    for p, hole in enumerate(hand.view(None).holes):
        holds("only compared cards are shown", (UNKNOWN in hole) == (p not in compared), p, hand)


def fair_shares(hand: Hand, pot: Pot) -> dict[int, int]:
    """Who gets how much of a pot: equal parts for the rankings that somebody makes, odd chips one by one clockwise."""
    won = dict.fromkeys(pot.places, 0)
    if len(pot.places) == 1:
        return {pot.places[0]: pot.amount}
    ways: list[list[int]] = []
    for ranking in hand.structure.showdown:
        strengths = [strength(ranking, hand.holes[place], hand.board) for place in pot.places]
        if max(strengths):
            ways.append([p for p, mine in zip(pot.places, strengths, strict=True) if mine == max(strengths)])
    for part, winners in zip(one_by_one(pot.amount, len(ways)), ways, strict=True):
        for place, amount in zip(winners, one_by_one(part, len(winners)), strict=True):
            won[place] += amount
    return won


def strength(ranking: Ranking, hole: Sequence[Card], board: Sequence[Card]) -> int:
    """How strong a holding is under one ranking; greater wins, 0 is nothing at all."""
    rank = {"high": high, "short": short, "low": low}[ranking.order]
    return from_two(rank, hole, board) if ranking.from_two else rank((*hole, *board))


def one_by_one(amount: int, parts: int) -> Sequence[int]:
    """An amount dealt out chip by chip."""
    return [len(range(k, amount, parts)) for k in range(parts)]


if __name__ == "__main__":
    counts, failures, seconds = run(play, __doc__ or "")
    print("\n".join(table(counts, failures, seconds)))
    sys.exit(1 if failures else 0)
