"""Turns the steps of the engine into events: compares a game's state before and after, and adds remarks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pitboss.fast import payout
from pitboss.lab import codes
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.sight import compares_hands, is_secret, mark_seen
from pitboss.lab.engine.state import GameState
from pitboss.lab.english import card_word, some
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    ChipsTaken,
    ClaimMade,
    DealBegun,
    DealEnded,
    DealJudged,
    DeckMade,
    GameEnded,
    HandShown,
    LabEvent,
    MoveMade,
    PhaseBegun,
    Pile,
    PileCleared,
    PotPaid,
    Remark,
    StepSkipped,
    TrickSatOut,
    TrickTied,
    TurnAgain,
    TurnMissed,
    TurnsReversed,
    WentOver,
)
from pitboss.lab.genome import Genome, Phase
from pitboss.lab.phases import kinds as phases
from pitboss.lab.piles import live_count, next_live
from pitboss.lab.wins import kinds as wins

MOMENTS = frozenset({"moved", "chance", "stage", "deal"})
DECK = Pile("deck")


def why_skipped(genome: Genome, g: Any, s: GameState, at: int, place: int) -> str:
    """Why nothing has happened in this phase of that place; nothing where there was nothing to be done."""
    phase = genome.turn_structure.phases[at]
    if phase.everybodys:
        return _why_without_all(g, s, phase)
    return "" if s.folded[place] else phase.why_not(g, s, at, place)


def _why_without_all(g: Any, s: GameState, phase: Phase) -> str:
    """Why a step that is everybody's did not take place."""
    live = [place for place in range(g.n) if not s.folded[place]]
    if phase.traits.turned_up:
        return "the deck is empty"
    what, able = ("chips", s.stacks) if phase.bets else ("cards", s.held)
    count = sum(able[place] > 0 for place in live)
    return f"{'nobody has' if count == 0 else 'only one player has'} {what} left"


def payments(g: Any, s: GameState, taken: Sequence[int]) -> tuple[PotPaid, ...]:
    """Who was paid what out of which pot when this deal was settled; `taken` is what everybody got in all."""
    if not any(taken):
        return ()
    if not g.side:
        return (PotPaid("pot", tuple(taken)),)
    pots = _layers(g, s)
    back = [amount - sum(shares[place] for shares in pots) for place, amount in enumerate(taken)]
    names = ["pot"] if len(pots) == 1 else ["main pot", *_side_pots(len(pots) - 1)]
    paid = [PotPaid(name, shares) for name, shares in zip(names, pots, strict=True)]
    return (*([PotPaid("", tuple(back))] if any(back) else []), *paid)


def _side_pots(count: int) -> list[str]:
    return ["side pot"] if count == 1 else [f"side pot {number}" for number in range(1, count + 1)]


def _layers(g: Any, s: GameState) -> list[tuple[int, ...]]:
    """What everybody gets out of each layer, by paying once more what was paid in, pot by pot."""
    again, pots = s.copy(), list[tuple[int, ...]]()
    again.pot = sum(s.paid[: g.n])
    ceiling, counted = -1, payout.uncounted(again)
    while again.pot > 0:
        before = again.stacks[: g.n]
        ceiling, amount, counted = payout.next_layer(again, ceiling, counted)
        payout.share(again, again.tally, ceiling, amount, again.starter)
        pots.append(tuple([now - then for now, then in zip(again.stacks, before, strict=False)]))
    return pots


def why_over(genome: Genome, g: Any, s: GameState) -> str:
    """Why the deal that was just settled is over."""
    if live_count(s) < 2:
        return "all others have folded"
    ended = engine.end_of_deal(g, s)
    if ended >= 0 and (said := genome.win_conditions[ended].ends(genome)):
        return said  # else it is a target that the deal's own points have reached, and not why it is over
    if ended == engine.GOES_ON:
        return "the limit of moves is reached"
    rounds = genome.turn_structure.rounds
    if 0 < rounds <= s.round:
        return "the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played"
    if s.idle < 0:
        return "nothing has moved any more"
    return "all cards are played" if any(s.held[place] for place in range(g.n)) else "nobody has a card left"


class WatchedState(GameState):
    """A state that calls somebody at the telling moments."""

    __slots__ = ("watch",)

    @classmethod
    def of(cls, state: GameState, watch: Callable[[str], None]) -> "WatchedState":
        """The same state, watched from now on."""
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
    """Turns one act of the engine into events."""

    def __init__(self, genome: Genome, g: Any, state: GameState, *, begun: bool) -> None:
        self.genome, self.g = genome, g
        self.events: list[LabEvent] = []
        self.remarks: list[tuple[int, Remark]] = []  #: each after so many events
        self.state = WatchedState.of(state, self._moment)
        self._deal_is_due, self._phase_is_due = not begun, False
        self._at, self._fresh = (state.phase, state.player), state.fresh
        self._skip, self._again, self._direction = state.skip, state.again, state.direction
        self._claimed = self._is_claimed()
        self._stale: set[tuple[int, Pile]] = set()
        self._piles = tuple(_piles(g.n))
        self._chips = list(state.stacks[: g.n]) if begun else [g.chips] * g.n
        self._where = self._locate([DECK] * g.cards) if begun else [DECK] * g.cards
        self._seen = self._sights()

    def move_made(self, place: int, move: int, words: str) -> None:
        """Somebody is about to do this; it may show cards that lie face down."""
        g, s = self.g, self.state
        self._add(MoveMade(place, words, is_secret(g, s, move)))
        if count := phases.revealed(g, s, move):
            self._add(CardsShown(s.claimer, self._words(s.pile[s.piled - count : s.piled])))

    def settle(self) -> None:
        """Say what has happened since the last telling moment."""
        s = self.state
        if self._deal_is_due and not s.over:
            self._begin_deal()
        self._compare()
        if s.direction != self._direction:
            self._say(TurnsReversed())
        claimed, self._claimed = self._claimed, self._is_claimed()
        if self._claimed and not claimed:
            self._say(ClaimMade(s.claimer, s.put, self.genome.setup.deck.ranks[s.due]))
        self._skip, self._again, self._direction = s.skip, s.again, s.direction

    def end(self) -> tuple[LabEvent, ...]:
        """All that has happened, once the engine waits for the next decision."""
        self.settle()
        s = self.state
        if s.over:
            self.events.append(GameEnded(_places(s.winners, self.g.n), bool(s.stopped)))
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
            if name != "chance":  # the cards are being shuffled; the deal begins with the first that is given
                self._begin_deal()
                self._compare()
        else:
            if name == "chance" and self.state.drawn == 0 and self._where.count(DECK) < self.state.undrawn:
                self._make_deck()
            self._compare()
        if name == "stage":
            self._phase_is_due = True

    def _say(self, remark: Remark) -> None:
        self.remarks.append((len(self.events), remark))

    def _remark(self, name: str) -> None:
        """Say what is remarkable about the phase that is over, and about the one that begins."""
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
            self._say(PileCleared())

    def _end_phase(self) -> None:
        """Say of the phase that is over what no event tells."""
        (at, place), s = self._at, self.state
        phase = self.genome.turn_structure.phases[at]
        if self._phase_is_due:
            self._phase_is_due = False  # nothing more happens in it
            if why := why_skipped(self.genome, self.g, s, at, place):
                self._say(StepSkipped(at, None if phase.everybodys else place, why))
        elif phase.tricks and s.tricked and not s.played:
            self._say(TrickTied())
        elif phase.traits.grows and not s.folded[place] and wins.went_over(self.g, s, 0, place):
            self._say(WentOver(place))

    def _is_claimed(self) -> bool:
        """Whether somebody has claimed cards to be of a rank, and others may doubt it."""
        phase = self.genome.turn_structure.phases[self.state.phase]
        return phase.claims and bool(phases.under_way(self.g, self.state))

    def _pass_turn(self) -> None:
        """Say whom a card has made miss a turn, or have another, once the turn is over."""
        s, before = self.state, self._at[1]
        if s.phase or self.g.order == codes.ROUNDS:
            return
        if self._again:
            self._say(TurnAgain(before))
        elif self._skip:
            self._say(TurnMissed(next_live(s, before, s.direction)))
        self._skip, self._again = 0, 0

    def _sit_out(self) -> None:
        """Say who has no card for the trick that begins, if there is one."""
        s = self.state
        if not self.genome.turn_structure.phases[s.phase].tricks:
            return
        live = [place for place in range(self.g.n) if not s.folded[place]]
        without = [place for place in live if not s.held[place]]
        if len(live) - len(without) > 1:
            for place in without:
                self._say(TrickSatOut(place))

    def _begin_deal(self) -> None:
        s = self.state
        self._deal_is_due, self._phase_is_due = False, False
        self._at, self._fresh = (s.phase, s.player), s.fresh
        self._skip, self._again, self._direction = s.skip, s.again, s.direction
        self._where, self._stale = [DECK] * self.g.cards, set()
        self._seen = [[0] * self.g.cards for _ in range(self.g.n + 1)]
        trump = None if s.trump == codes.NO_TRUMP else self.genome.setup.deck.suits[s.trump]
        self.events.append(DealBegun(s.deal + 1, s.starter, trump))

    def _end_deal(self, taken: list[int]) -> None:
        """Say why it is over, show the hands that were compared, and say who was paid what and who has won."""
        s, n = self.state, self.g.n
        why, win = why_over(self.genome, self.g, s), self.genome.win_conditions[s.judge]
        values, community = tuple[str | None, ...](), tuple[str, ...]()
        if live_count(s) > 1:
            values = tuple([None if s.folded[p] else win.words(s.strengths[p], self.genome) for p in range(n)])
            community = self._words(s.community[: s.shared]) if win.counts_community else ()
        self._say(DealJudged(why, values, community))
        if compares_hands(self.g, s):
            for place in [place for place in range(n) if not s.folded[place]]:
                first = place * codes.MOST_CARDS
                self.events.append(HandShown(place, self._words(s.hands[first : first + s.held[place]])))
        for paid in payments(self.g, s, taken):
            self._say(paid)
        self.events.append(DealEnded(s.deal, _places(s.winners, n), tuple(s.score[:n])))
        self._deal_is_due, self._phase_is_due = True, False

    def _begin_phase(self) -> None:
        self._phase_is_due = False
        phase = self.genome.turn_structure.phases[self.state.phase]
        place = None if phase.everybodys else self.state.player
        self.events.append(PhaseBegun(self.state.phase, type(phase).__name__, place))

    def _make_deck(self) -> None:
        """The discards are the deck again; whoever saw them there does not know them any more."""
        where = self._locate(self._where)
        gone = [card for card, pile in enumerate(where) if pile == DECK and self._where[card] != DECK]
        for card in gone:
            self._where[card] = DECK
            for seen in self._seen:
                seen[card] = 0
        self._add(DeckMade(len(gone)))

    # --- what has changed

    def _compare(self) -> None:
        """Say which cards lie elsewhere now, and who has more or fewer chips."""
        for place, chips in enumerate(self.state.stacks[: self.g.n]):
            had, self._chips[place] = self._chips[place], chips
            if chips < had:
                self._add(ChipsPut(place, had - chips))
            elif chips > had:
                self._add(ChipsTaken(place, chips - had))
        before, self._where = self._where, self._locate(self._where)
        moved = [card for card, pile in enumerate(self._where) if pile != before[card]]
        if not moved:
            return
        known, self._seen = self._seen, self._sights()
        for card in moved:
            seen_by = tuple([p for p in range(self.g.n) if known[p][card] or self._seen[p][card]])
            public = known[-1][card] or self._seen[-1][card]
            words = self._words([card])
            self._move(CardsMoved(before[card], self._where[card], words, None if public else seen_by))

    def _locate(self, before: list[Pile]) -> list[Pile]:
        """Where every card lies. One on its way still lies where it was; of two places the new one counts."""
        found: list[Pile | None] = [None] * self.g.cards
        stale = set()
        for pile, cards in self._cards():
            for card in cards:
                if (card, pile) in self._stale:
                    stale.add((card, pile))
                elif (other := found[card]) is None:
                    found[card] = pile
                else:  # it has been given, and is not yet taken away
                    old, new = (pile, other) if pile == before[card] else (other, pile)
                    stale.add((card, old))
                    found[card] = new
        self._stale = stale
        return [was if now is None else now for now, was in zip(found, before, strict=True)]

    def _cards(self) -> Iterator[tuple[Pile, list[int]]]:
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
        """Which cards everybody sees now, the spectator last."""
        found = []
        for place in (*range(self.g.n), codes.NOBODY):
            seen = [0] * self.g.cards
            mark_seen(self.g, self.state, place, seen)
            found.append(seen)
        return found

    # --- events

    def _add(self, event: LabEvent) -> None:
        if self._phase_is_due:
            self._begin_phase()
        self.events.append(event)

    def _move(self, event: CardsMoved) -> None:
        """Add a card to those that went the same way just before; those dealt in turn are put together by hand."""
        for at in range(len(self.events) - 1, -1, -1):
            other = self.events[at]
            if not isinstance(other, CardsMoved) or self._phase_is_due:
                break
            if (other.source, other.target, other.seen_by) == (event.source, event.target, event.seen_by):
                cards = (*other.cards, *event.cards)
                self.events[at] = CardsMoved(event.source, event.target, cards, event.seen_by)
                return
            if not other.source == event.source == DECK:
                break
        self._add(event)

    def _words(self, cards: list[int]) -> tuple[str, ...]:
        return tuple([card_word(self.genome.setup.deck, card) for card in cards])


def _piles(n: int) -> Iterator[list[Pile]]:
    yield [DECK, *[Pile(name) for name in ("discards", "tableau", "pile", "trick", "community")]]
    yield [Pile("hand", place) for place in range(n)]
    yield [Pile("captured", place) for place in range(n)]


def _places(bits: int, n: int) -> tuple[int, ...]:
    return tuple([place for place in range(n) if (bits >> place) & 1])
