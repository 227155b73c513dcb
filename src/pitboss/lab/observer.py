"""Turns steps of the engine into events, by comparing the state of the game before and after. Also adds remarks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pitboss.fast import payout
from pitboss.lab import codes, events
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.sight import compares_hands, is_secret, mark_seen
from pitboss.lab.engine.state import GameState
from pitboss.lab.english import card_word, some
from pitboss.lab.genome import Genome, Phase
from pitboss.lab.phases import kinds as phases
from pitboss.lab.piles import live_count, next_live
from pitboss.lab.wins import kinds as wins

MOMENTS = frozenset({"moved", "chance", "stage", "deal"})
DECK = events.Pile("deck")


def why_skipped(genome: Genome, g: Any, s: GameState, at: int, place: int) -> str:
    """Return why nothing happened in a place's phase; empty if there was nothing to do."""
    phase = genome.turn_structure.phases[at]
    if phase.everybodys:
        return _why_without_all(g, s, phase)
    return "" if s.folded[place] else phase.why_not(g, s, at, place)


def _why_without_all(g: Any, s: GameState, phase: Phase) -> str:
    """Return why a step for all players did not take place."""
    live = [place for place in range(g.n) if not s.folded[place]]
    if phase.traits.turned_up:
        return "the deck is empty"
    what, able = ("chips", s.stacks) if phase.bets else ("cards", s.held)
    count = sum(able[place] > 0 for place in live)
    return f"{'no player has' if count == 0 else 'only one player has'} {what} left"


def payments(g: Any, s: GameState, taken: Sequence[int]) -> tuple[events.PotPaid, ...]:
    """Return each place's share of each pot of the deal just settled. `taken` is what each place received in all."""
    if not any(taken):
        return ()
    if not g.side:
        return (events.PotPaid("pot", tuple(taken)),)
    pots = _layers(g, s)
    back = [amount - sum(shares[place] for shares in pots) for place, amount in enumerate(taken)]
    names = ["pot"] if len(pots) == 1 else ["main pot", *_side_pots(len(pots) - 1)]
    paid = [events.PotPaid(name, shares) for name, shares in zip(names, pots, strict=True)]
    return (*([events.PotPaid("", tuple(back))] if any(back) else []), *paid)


def _side_pots(count: int) -> list[str]:
    return ["side pot"] if count == 1 else [f"side pot {number}" for number in range(1, count + 1)]


def _layers(g: Any, s: GameState) -> list[tuple[int, ...]]:
    """Return the chips that each place wins from each pot. The chips of the deal are paid again, pot by pot."""
    replay, pots = s.copy(), list[tuple[int, ...]]()
    replay.pot = sum(s.paid[: g.n])
    ceiling, counted = -1, payout.uncounted(replay)
    while replay.pot > 0:
        before = replay.stacks[: g.n]
        ceiling, amount, counted = payout.next_layer(replay, ceiling, counted)
        payout.share(replay, replay.tally, ceiling, amount, replay.starter)
        pots.append(tuple([now - then for now, then in zip(replay.stacks, before, strict=False)]))
    return pots


def why_over(genome: Genome, g: Any, s: GameState) -> str:
    """Return why the deal that was just settled is over."""
    if live_count(s) < 2:
        return "all others have folded"
    ended = engine.end_of_deal(g, s)
    if ended >= 0 and (reason := genome.win_conditions[ended].ends(genome)):
        return reason  # without a reason, the final points reached the target
    if ended == engine.GOES_ON:
        return "the limit of moves is reached"
    rounds = genome.turn_structure.rounds
    if 0 < rounds <= s.round:
        return "the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played"
    if s.idle < 0:
        return "no card or chip moves any more"
    return "all cards are played" if any(s.held[place] for place in range(g.n)) else "no player has a card left"


class WatchedState(GameState):
    """A state that calls a function when an important value changes."""

    __slots__ = ("watch",)

    @classmethod
    def of(cls, state: GameState, watch: Callable[[str], None]) -> "WatchedState":
        """Return a copy of the state. The function `watch` is called for its changes."""
        watched = cls.__new__(cls)
        object.__setattr__(watched, "watch", None)
        for name in GameState.__slots__:
            value = getattr(state, name)
            setattr(watched, name, value[:] if isinstance(value, list) else value)
        object.__setattr__(watched, "watch", watch)
        return watched

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if name in MOMENTS and value and self.watch is not None:
            self.watch(name)


class Observer:
    """Turns one step of the engine into events."""

    def __init__(self, genome: Genome, g: Any, state: GameState, *, begun: bool) -> None:
        self.genome, self.g = genome, g
        self.events: list[events.LabEvent] = []
        self.remarks: list[tuple[int, events.Remark]] = []  #: each remark with the number of events before it
        self.state = WatchedState.of(state, self._moment)
        self._deal_is_due, self._phase_is_due = not begun, False
        self._at, self._fresh = (state.phase, state.player), state.fresh
        self._skip, self._again, self._direction = state.skip, state.again, state.direction
        self._claimed = self._is_claimed()
        self._stale: set[tuple[int, events.Pile]] = set()
        self._piles = tuple(_piles(g.n))
        self._chips = list(state.stacks[: g.n]) if begun else [g.chips] * g.n
        self._where = self._locate([DECK] * g.cards) if begun else [DECK] * g.cards
        self._seen = self._sights()

    def move_made(self, place: int, move: int, words: str) -> None:
        """Record a move before it is made. Also record face-down cards that it shows."""
        g, s = self.g, self.state
        self._add(events.MoveMade(place, words, is_secret(g, s, move)))
        if count := phases.revealed(g, s, move):
            self._add(events.CardsShown(s.claimer, self._words(s.pile[s.piled - count : s.piled])))

    def settle(self) -> None:
        """Record what has happened since the last call."""
        s = self.state
        if self._deal_is_due and not s.over:
            self._begin_deal()
        self._compare()
        if s.direction != self._direction:
            self._add_remark(events.TurnsReversed())
        claimed, self._claimed = self._claimed, self._is_claimed()
        if self._claimed and not claimed:
            self._add_remark(events.ClaimMade(s.claimer, s.put, self.genome.setup.deck.ranks[s.due]))
        self._skip, self._again, self._direction = s.skip, s.again, s.direction

    def end(self) -> tuple[events.LabEvent, ...]:
        """Return all events. Call this when the engine waits for the next decision."""
        self.settle()
        s = self.state
        if s.over:
            self.events.append(events.GameEnded(_places(s.winners, self.g.n), bool(s.stopped)))
        elif self._phase_is_due:
            self._begin_phase()
        return tuple(self.events)

    # --- moments

    def _moment(self, name: str) -> None:
        self._remark(name)
        if name == "deal":
            before = self._chips[:]
            self._compare()
            self._end_deal([max(0, now - then) for now, then in zip(self._chips, before, strict=True)])
        elif self._deal_is_due:
            if name != "chance":  # "chance" is the shuffle; the deal begins after it
                self._begin_deal()
                self._compare()
        else:
            if name == "chance" and self.state.drawn == 0 and self._where.count(DECK) < self.state.undrawn:
                self._make_deck()
            self._compare()
        if name == "stage":
            self._phase_is_due = True

    def _add_remark(self, remark: events.Remark) -> None:
        self.remarks.append((len(self.events), remark))

    def _remark(self, name: str) -> None:
        """Record remarks about the phase that is over and the phase that begins."""
        s = self.state
        if name in ("chance", "moved") and self._deal_is_due:
            return
        cleared, self._fresh = s.fresh and not self._fresh, s.fresh
        if name in ("stage", "deal") or (cleared and self._phase_is_due):
            self._end_phase()
        if name == "stage":
            self._pass_turn()
            self._sit_out()
        if name == "stage" or cleared:
            self._at = s.phase, s.player
        if cleared:
            self._add_remark(events.PileCleared())

    def _end_phase(self) -> None:
        """Record a remark about the phase that is over."""
        (at, place), s = self._at, self.state
        phase = self.genome.turn_structure.phases[at]
        if self._phase_is_due:
            self._phase_is_due = False  # nothing more happens in this phase
            if why := why_skipped(self.genome, self.g, s, at, place):
                self._add_remark(events.StepSkipped(at, None if phase.everybodys else place, why))
        elif phase.tricks and s.tricked and not s.played:
            self._add_remark(events.TrickTied())
        elif phase.traits.grows and not s.folded[place] and wins.went_over(self.g, s, 0, place):
            self._add_remark(events.WentOver(place))

    def _is_claimed(self) -> bool:
        """Return whether there is a claim that others may doubt."""
        phase = self.genome.turn_structure.phases[self.state.phase]
        return phase.claims and bool(phases.under_way(self.g, self.state))

    def _pass_turn(self) -> None:
        """When a turn is over, record that a card has made a player miss a turn or take another turn."""
        s, before = self.state, self._at[1]
        if s.phase or self.g.order == codes.ROUNDS:
            return
        if self._again:
            self._add_remark(events.TurnAgain(before))
        elif self._skip:
            self._add_remark(events.TurnMissed(next_live(s, before, s.direction)))
        self._skip, self._again = 0, 0

    def _sit_out(self) -> None:
        """Record the players who have no card for the trick that begins."""
        s = self.state
        if not self.genome.turn_structure.phases[s.phase].tricks:
            return
        live = [place for place in range(self.g.n) if not s.folded[place]]
        without = [place for place in live if not s.held[place]]
        if len(live) - len(without) > 1:
            for place in without:
                self._add_remark(events.TrickSatOut(place))

    def _begin_deal(self) -> None:
        s = self.state
        self._deal_is_due, self._phase_is_due = False, False
        self._at, self._fresh = (s.phase, s.player), s.fresh
        self._skip, self._again, self._direction = s.skip, s.again, s.direction
        self._where, self._stale = [DECK] * self.g.cards, set()
        self._seen = [[0] * self.g.cards for _ in range(self.g.n + 1)]
        trump = None if s.trump == codes.NO_TRUMP else self.genome.setup.deck.suits[s.trump]
        self.events.append(events.DealBegun(s.deal + 1, s.starter, trump))

    def _end_deal(self, taken: list[int]) -> None:
        """Record why the deal is over, the hands that were compared, the payments and the winners."""
        s, n = self.state, self.g.n
        why, win = why_over(self.genome, self.g, s), self.genome.win_conditions[s.judge]
        values, community = tuple[str | None, ...](), tuple[str, ...]()
        if live_count(s) > 1:
            values = tuple([None if s.folded[p] else win.words(s.strengths[p], self.genome) for p in range(n)])
            community = self._words(s.community[: s.shared]) if win.counts_community else ()
        self._add_remark(events.DealJudged(why, values, community))
        if compares_hands(self.g, s):
            for place in [place for place in range(n) if not s.folded[place]]:
                first = place * codes.MOST_CARDS
                self.events.append(events.HandShown(place, self._words(s.hands[first : first + s.held[place]])))
        for paid in payments(self.g, s, taken):
            self._add_remark(paid)
        self.events.append(events.DealEnded(s.deal, _places(s.winners, n), tuple(s.score[:n])))
        self._deal_is_due, self._phase_is_due = True, False

    def _begin_phase(self) -> None:
        self._phase_is_due = False
        phase = self.genome.turn_structure.phases[self.state.phase]
        place = None if phase.everybodys else self.state.player
        self.events.append(events.PhaseBegun(self.state.phase, type(phase).__name__, place))

    def _make_deck(self) -> None:
        """Record that the discards are the deck again. Their places are unknown from now on."""
        where = self._locate(self._where)
        gone = [card for card, pile in enumerate(where) if pile == DECK and self._where[card] != DECK]
        for card in gone:
            self._where[card] = DECK
            for seen in self._seen:
                seen[card] = 0
        self._add(events.DeckMade(len(gone)))

    # --- changes

    def _compare(self) -> None:
        """Record moved cards and changed chips."""
        for place, chips in enumerate(self.state.stacks[: self.g.n]):
            had, self._chips[place] = self._chips[place], chips
            if chips < had:
                self._add(events.ChipsPut(place, had - chips))
            elif chips > had:
                self._add(events.ChipsTaken(place, chips - had))
        before, self._where = self._where, self._locate(self._where)
        moved = [card for card, pile in enumerate(self._where) if pile != before[card]]
        if not moved:
            return
        known, self._seen = self._seen, self._sights()
        for card in moved:
            seen_by = tuple([p for p in range(self.g.n) if known[p][card] or self._seen[p][card]])
            public = known[-1][card] or self._seen[-1][card]
            words = self._words([card])
            self._move(events.CardsMoved(before[card], self._where[card], words, None if public else seen_by))

    def _locate(self, before: list[events.Pile]) -> list[events.Pile]:
        """Return the pile of every card. A card that is in two piles during a move counts as part of the new pile."""
        found: list[events.Pile | None] = [None] * self.g.cards
        stale = set()
        for pile, cards in self._cards():
            for card in cards:
                if (card, pile) in self._stale:
                    stale.add((card, pile))
                elif (other := found[card]) is None:
                    found[card] = pile
                else:  # it is in the new pile and still in the old pile
                    old, new = (pile, other) if pile == before[card] else (other, pile)
                    stale.add((card, old))
                    found[card] = new
        self._stale = stale
        return [was if now is None else now for now, was in zip(found, before, strict=True)]

    def _cards(self) -> Iterator[tuple[events.Pile, list[int]]]:
        s = self.state
        shared, hands, captured = self._piles
        rows = [(s.deck, s.drawn, s.undrawn), (s.discards, 0, s.discarded), (s.tableau, 0, s.tabled)]
        rows += [(s.pile, 0, s.piled), (s.trick, 0, s.tricked), (s.community, 0, s.shared)]
        for pile, (cards, first, end) in zip(shared, rows, strict=True):
            yield pile, cards[first:end]
        for p, first in enumerate(range(0, self.g.n * codes.MOST_CARDS, codes.MOST_CARDS)):
            yield hands[p], s.hands[first : first + s.held[p]]
            yield captured[p], s.captured[first : first + s.won[p]]

    def _sights(self) -> list[list[int]]:
        """Return the cards that each place sees now. The spectator is last."""
        found = []
        for place in (*range(self.g.n), codes.NO_PLAYER):
            seen = [0] * self.g.cards
            mark_seen(self.g, self.state, place, seen)
            found.append(seen)
        return found

    # --- events

    def _add(self, event: events.LabEvent) -> None:
        if self._phase_is_due:
            self._begin_phase()
        self.events.append(event)

    def _move(self, event: events.CardsMoved) -> None:
        """Add a moved card. Join it with cards that moved the same way just before; join dealt cards by hand."""
        for at in range(len(self.events) - 1, -1, -1):
            other = self.events[at]
            if not isinstance(other, events.CardsMoved) or self._phase_is_due:
                break
            if (other.source, other.target, other.seen_by) == (event.source, event.target, event.seen_by):
                cards = (*other.cards, *event.cards)
                self.events[at] = events.CardsMoved(event.source, event.target, cards, event.seen_by)
                return
            if not other.source == event.source == DECK:
                break
        self._add(event)

    def _words(self, cards: list[int]) -> tuple[str, ...]:
        return tuple([card_word(self.genome.setup.deck, card) for card in cards])


def _piles(n: int) -> Iterator[list[events.Pile]]:
    yield [DECK, *[events.Pile(name) for name in ("discards", "tableau", "pile", "trick", "community")]]
    yield [events.Pile("hand", place) for place in range(n)]
    yield [events.Pile("captured", place) for place in range(n)]


def _places(bits: int, n: int) -> tuple[int, ...]:
    return tuple([place for place in range(n) if (bits >> place) & 1])
