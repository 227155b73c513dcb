"""Plays hands of every game at random, at every kind of table, and holds each of their moments against the laws.

`python -m tests.laws.random_play --hands 100000 --seed 1` plays many, of every game as many; a hand is named by seed
and number.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from msgspec.msgpack import encode
from msgspec.structs import replace

from pitboss.betting.events import Fold, Raise, Refunded
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Offer
from pitboss.cards import UNKNOWN, Card
from pitboss.chance import Chance
from pitboss.game import ChancesTurn, Over, PlayersTurn
from pitboss.hand.events import (
    Action,
    BoardDealt,
    ChooseRuns,
    DealBoard,
    DealHole,
    Discard,
    Event,
    HoleDealt,
    Muck,
    Mucked,
    Show,
    Shown,
    UpDealt,
)
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.state import boards
from pitboss.hand.view import view_event
from tests.support.laws.laws import check_offer, check_round, holds
from tests.support.laws.many import run, table
from tests.support.laws.payouts import check_pots_paid
from tests.support.laws.poker_games import poker_elsewhere, poker_other_world
from tests.support.laws.referee import Referee
from tests.support.laws.tables import TEMPERS, Table, some_answer, some_table

GAMES = tuple(STRUCTURES.values())


def play(seed: int, number: int) -> Counter[str]:
    """Play one hand of a run under all laws, and count the events."""
    chance = Chance(seed).fork(number)
    return play_table(some_table(chance, GAMES[number % len(GAMES)], house=True), chance)


def play_table(table: Table, chance: Chance) -> Counter[str]:
    """Play one hand at this table under all laws, and count the events."""
    counts: Counter[str] = Counter(hands=1)
    counts[f"hands of {table.structure.code}"] += 1
    watch = Watch(table, chance, counts)
    temper = chance.choice(TEMPERS)
    while not watch.hand.over:
        watch.check_decision()
        watch.act(some_answer(watch.hand, chance, temper))
    watch.check_end()
    return counts


class Watch:
    """One hand in play, and an account of it."""

    def __init__(self, table: Table, chance: Chance, counts: Counter[str]) -> None:
        self.table, self.chance, self.counts = table, chance, counts
        self.hand, events = table.deal()
        self.referee = Referee(table)
        self.trail, self.actions, self.heard = [self.hand], list[Action](), [events]
        self._note(events)

    # --- one step

    def act(self, action: Action) -> None:
        """Carry an action out."""
        place = place_to_act(self.hand)
        if isinstance(action, Fold) and self.hand.offer.check:
            self.counts["free folds"] += 1
        self.hand, events = self.hand.act(action, place)
        self.actions.append(action)
        self.trail.append(self.hand)
        self.heard.append(events)
        self._note(events)

    def _note(self, events: tuple[Event, ...]) -> None:
        self.counts["events"] += len(events)
        self.referee.receive(events)
        self.counts["refunds"] += sum(isinstance(event, Refunded) for event in events)
        self.counts["mucked"] += sum(isinstance(event, Mucked) for event in events)
        self._check_cards()

    def _check_cards(self) -> None:
        """Every player has the cards they were dealt, and every card is in one place."""
        hand, cards = self.hand, self.referee.cards
        cards.check_every_card()
        holds("everybody has his cards", [*map(list, hand.holes)] == cards.holes, cards.holes, hand)
        holds("the boards lie there", [*map(list, boards(hand))] == cards.boards, cards.boards, hand)
        known = set(cards.undealt())
        holds("the rest is the deck", sorted(hand.deck or ()) == sorted(known | cards.back), hand)
        discards = sorted(hand.draw.discards) if hand.draw else []
        holds("what was thrown lies apart", discards == sorted([*cards.discards, *cards.gone]), cards.discards, hand)
        holds("what was thrown face up lies open", [*(hand.draw.open if hand.draw else ())] == cards.gone_up, hand)
        for p in range(hand.round.n):
            holds("everybody's up-cards are up", list(hand.up_cards(p)) == cards.ups[p], p, hand)

    # --- at a decision

    def check_decision(self) -> None:
        """Everything that must hold while a player has to act."""
        hand, referee, round = self.hand, self.referee, self.hand.round
        self.counts["decisions"] += 1
        check_round(round, referee.brought)
        holds("events tell the stacks", list(round.stacks) == referee.stacks, referee.stacks, hand)
        holds("hands end", len(self.actions) < referee.most_steps(), hand)
        p = place_to_act(hand)
        if hand.phase == "show":
            holds("the right player shows or mucks", p == referee.showing(), referee.showing(), hand)
            holds("showing and mucking are on offer", hand.offer == Offer(show=True, muck=True), hand)
        else:
            holds("the right player is asked", p == referee.turn(), referee.turn(), hand)
            holds("what the rules allow is on offer", hand.offer == referee.offer(p), referee.offer(p), hand)
        if hand.phase == "bet":
            holds("events tell the bets", list(round.bets) == referee.bets, referee.bets, hand)
            holds("events tell the price", round.price == referee.price, referee.price, hand)
            self._check_claims()
            self.counts["offers tried"] += check_offer(round, referee.brought)
        self._check_refusals(p)
        self._check_secrecy()

    def _check_claims(self) -> None:
        """A player who is all-in claims only what they have paid for; a player with chips claims everything."""
        hand, round = self.hand, self.hand.round
        for p in round.live:
            claimed = sum(pot.amount for pot in hand.pots if p in pot.places)
            if round.stacks[p]:
                holds("who can still pay claims every pot", claimed == round.chips_in_middle, p, hand)
            else:
                holds("who is all-in claims what he has paid for", claimed == self.referee.paid_for(p), p, hand)

    def _check_refusals(self, p: int) -> None:
        """The whole hand refuses too what is not possible now, and stays unchanged."""
        hand, n = self.hand, self.hand.round.n
        before, tried = encode(hand), 0
        other = (p + 1 + self.chance.below(n - 1)) % n
        for action, place, rule in refusals(hand, p, other):
            refused(hand, action, place, rule)
            tried += 1
        self.counts["offers tried"] += tried
        holds("a refused action changes nothing", encode(hand) == before, hand)

    def _check_secrecy(self) -> None:
        """Cards that a place cannot see may be any: its view is the same, and so is the spectator's."""
        hand = self.hand
        for eyes in (None, self.chance.below(hand.round.n)):
            other = poker_other_world(hand, eyes, self.chance)
            holds("a view does not change when a hidden card does", other.view(eyes) == hand.view(eyes), eyes, hand)

    # --- at the end

    def check_end(self) -> None:
        """Everything that must hold of a hand that is over."""
        hand, referee = self.hand, self.referee
        holds("what came in goes out", sum(hand.stacks) + hand.house == referee.brought, hand)
        holds("events tell the stacks", list(hand.stacks) == referee.stacks, referee.stacks, hand)
        holds("events tell the rake", hand.house == referee.house, referee.raked, hand)
        holds("nothing stays in the middle", hand.round.chips_in_middle == 0, hand)
        holds("nobody is asked any more", hand.turn == Over() and hand.offer == Offer(), hand)
        holds("hands end", len(self.actions) <= referee.most_steps(), hand)
        for action, rule in ((Fold(), "betting_over"), (Show(), "no_showdown"), (Discard(), "no_draw")):
            refused(hand, action, None, rule)
        self._count_pots()
        check_pots_paid(referee, hand.paid_pots)
        check_nothing_more_is_shown(hand, referee)
        self._check_replay()
        self._check_two_worlds()
        self._check_recording()

    def _count_pots(self) -> None:
        referee, pots = self.referee, self.hand.paid_pots
        winners = Counter(event.pot for _, event in referee.won)
        self.counts += referee.cards.counts
        self.counts["pots"] += len(pots)
        self.counts["side pots"] += len(pots[1:])
        self.counts["split pots"] += sum(number > 1 for number in winners.values())
        self.counts["orphaned layers"] += max(referee.claims) > max(referee.claims[p] for p in referee.live)
        self.counts["bomb pots"] += referee.stakes.bomb
        self.counts["raked hands"] += referee.house > 0

    def _check_replay(self) -> None:
        """The same actions give the very same states."""
        hand, _ = self.table.deal()
        for action, state in zip([*self.actions, None], self.trail, strict=True):
            holds("a replay goes through the same states", hand == state, state)
            if action is not None:
                hand, _ = hand.act(action)

    def _check_two_worlds(self) -> None:
        """After the same actions, a player sees the same until the showdown, wherever the unseen cards are."""
        eyes = self.chance.below(self.hand.round.n)
        last = self._seen_alike()
        seen = {
            card
            for events in self.heard[:last]
            for event in events
            if isinstance(event, UpDealt | BoardDealt) or (isinstance(event, HoleDealt) and event.place == eyes)
            for card in event.cards
        }
        others = iter(self.chance.shuffled([card for card in self.table.deck if card not in seen]))
        deck = tuple([card if card in seen else next(others) for card in self.table.deck])
        hand, events = replace(self.table, deck=deck).deal()
        for number in range(last):
            if number:
                action = poker_elsewhere(self.actions[number - 1], self.trail[number - 1], hand)
                hand, events = hand.act(action)
            one = self.trail[number]
            for looks in (eyes, None):
                learnt = [view_event(event, looks) for event in self.heard[number]]
                other = [view_event(event, looks) for event in events]
                holds("events show no hidden card", learnt == other, looks, learnt, other)
                holds("no view tells a hidden card", one.view(looks) == hand.view(looks), looks, one, hand)
            holds("no offer tells a hidden card", one.offer == hand.offer, one, hand)
        self.counts["moments in two worlds"] += last

    def _seen_alike(self) -> int:
        """The number of moments before a hand is shown or discards come back, whose order depends on all cards."""
        for number, (events, state) in enumerate(zip(self.heard, self.trail, strict=True)):
            before = self.trail[number - 1].draw if number else None
            back = state.draw and before and before.order != state.draw.order
            if back or any(isinstance(event, Shown) for event in events):
                return number
        return len(self.heard)

    def _check_recording(self) -> None:
        """The hand has the same result if the cards are dealt and shown by actions."""
        hand, _ = self.table.deal(by_itself=False)
        actions, final, record = iter(self.actions), self.hand, Record(self.referee)
        while not hand.over:
            match hand.turn:
                case ChancesTurn():
                    hand, _ = hand.act(record.next_deal(hand))
                case PlayersTurn(place) if hand.phase == "show":
                    holds("at showdown showing and mucking are on offer", hand.offer.show and hand.offer.muck, hand)
                    holds("both are listed", hand.legal() == (Show(), Muck()), hand)
                    hand.act(Muck(), place)
                    hand, _ = hand.act(next(actions, Show()) if hand.stacks[place] else Show(), place)
                case PlayersTurn(place):
                    if hand.phase == "draw" and record.waiting(hand) and self.chance.below(2):
                        hand, _ = hand.act(record.next_deal(hand))
                    else:
                        hand, _ = hand.act(next(actions), place)
        same = replace(hand, deck=final.deck, draw=final.draw, shown=final.shown, holes=final.holes)
        holds("dealt by hand it comes out the same", same == final, hand, final)
        holds("the same are shown", sorted(hand.shown) == sorted(final.shown), hand, final)
        held = [[*map(sorted, holes)] for holes in (hand.holes, final.holes)]
        holds("everybody has the same cards", held[0] == held[1], hand, final)


class Record:
    """What was dealt in a hand, to be dealt again by actions."""

    def __init__(self, referee: Referee) -> None:
        cards = referee.cards
        self.own = [list(dealt) for dealt in cards.dealt]
        self.boards = [*cards.to_boards]

    def waiting(self, hand: Hand) -> list[int]:
        """The places that have fewer cards than they should."""
        if hand.phase == "draw" and hand.structure.streets[hand.street].discard:
            return []
        due = hand.structure.hole_by_street[hand.street]
        return [p for p in hand.round.live if len(hand.holes[p]) < due and self.own[p]]

    def next_deal(self, hand: Hand) -> Action:
        """The cards due now."""
        waiting = self.waiting(hand)
        if waiting:
            p = waiting[0]
            due = hand.structure.hole_by_street[hand.street] - len(hand.holes[p])
            cards, self.own[p] = self.own[p][:due], self.own[p][due:]
            return DealHole(p, tuple(cards))
        full = hand.structure.board_by_street[hand.street]
        due = next((full - len(board) for board in (hand.board, *hand.more_boards) if len(board) < full), 1)
        cards, self.boards = self.boards[:due], self.boards[due:]
        return DealBoard(tuple(cards))


def place_to_act(hand: Hand) -> int:
    """Whose turn it is."""
    assert isinstance(hand.turn, PlayersTurn), hand
    return hand.turn.place


def refusals(hand: Hand, p: int, other: int) -> Iterator[tuple[Action, int | None, str]]:
    """Actions that are not possible now, the player who tries each, and the rule that it breaks."""
    held = hand.holes[p]
    yield DealHole(p, held), None, "not_dealing"
    yield DealBoard(held), None, "not_dealing"
    if hand.phase == "bet":
        yield Fold(), other, "out_of_turn"
        yield Raise(-1), p, "whole_chips"
        yield Raise(True), p, "whole_chips"
        if not hand.offer.fold:
            yield Fold(), p, "bring_in"
    else:
        yield Fold(), p, "betting_over"
        yield Raise(1), None, "betting_over"
    if hand.phase == "draw":
        strange = next(card for card in hand.structure.deck if card not in held)
        yield Discard(), other, "out_of_turn"
        yield Discard((strange,)), p, "not_held"
        yield Discard((UNKNOWN,)), p, "not_held"
        yield Discard((held[0], held[0])), p, "card_twice"
        yield Discard((*held, strange)), p, "too_many_cards"
        if hand.offer.discard is not None:
            yield Discard(), p, "wrong_discard"
            yield Discard(held), p, "wrong_discard"
    else:
        yield Discard(), p, "no_draw"
        yield Discard(held[:1]), None, "no_draw"
    if hand.phase == "runs":
        yield ChooseRuns(1), other, "out_of_turn"
        yield ChooseRuns(0), p, "wrong_runs"
        yield ChooseRuns((hand.offer.runs or 0) + 1), p, "wrong_runs"
    else:
        yield ChooseRuns(1), p, "no_choice_of_runs"
    if hand.phase == "show":
        yield Show(), other, "out_of_turn"
        yield Muck(), other, "out_of_turn"
    else:
        yield Show(), p, "no_showdown"
        yield Muck(), other, "no_showdown"


def refused(hand: Hand, action: Action, place: int | None, rule: str) -> None:
    """State that the hand refuses an action, by this rule."""
    try:
        hand.act(action, place)
    except Refused as refusal:
        holds("a refusal names the rule", refusal.rule == rule, rule, refusal, hand)
        holds("a refusal is one sentence", "\n" not in str(refusal) and len(str(refusal)) < 200, refusal)
    else:
        holds("what nobody may do is refused", False, action, place, hand)


def check_nothing_more_is_shown(hand: Hand, referee: Referee) -> None:
    """At the end a spectator sees up-cards and the cards of those who showed or were compared, and no others."""
    compared = set(hand.round.live) if len(hand.round.live) > 1 else set()
    open_ = compared | referee.shown
    for p, hole in enumerate(hand.view(None).holes):
        down: list[Card] = [card for card in hole if card not in referee.cards.ups[p]]
        holds("only compared cards are shown", (UNKNOWN in down) == (p not in open_), p, hand)


if __name__ == "__main__":
    counts, failures, seconds = run(play, __doc__ or "")
    print("\n".join(table(counts, failures, seconds)))
    sys.exit(1 if failures else 0)
