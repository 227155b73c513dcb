"""The streets of a hand in PokerStars text: cards that are dealt, changed and turned up, and the betting between."""

from collections.abc import Iterator

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Raised, Refunded
from pitboss.cards import Card, is_known
from pitboss.hand.events import BoardDealt, Discarded, HoleDealt, Mucked, RunBegun, Shown, UpDealt
from pitboss.notation.house import OPEN_PAIR
from pitboss.notation.pokerstars.replayed import ReplayedHand
from pitboss.notation.pokerstars.text import ALL_IN, BOARDS, DRAWS, RUNS, STUD_STREETS, PokerStarsError


def spell_streets(played: ReplayedHand) -> Iterator[str]:
    """All lines from the first cards to the last bet."""
    return _Streets(played).lines()


class _Streets:
    """What has been told so far: the cards that everybody holds and the boards, the street and what it asks."""

    def __init__(self, played: ReplayedHand) -> None:
        self.played, self.structure = played, played.hand.structure
        self.held: list[tuple[Card, ...]] = [()] * len(played.line.players)
        self.board: tuple[Card, ...] = ()
        self.run, self.street = 0, 0
        self.drawn: set[int] = set()  # who has changed cards since the last bet
        posts = played.by_place(played.record.blinds_or_straddles)
        self.asked = max(played.unit.chips(max(amount, -amount)) for amount in posts)

    def lines(self) -> Iterator[str]:
        """Every line in turn."""
        if self.structure.faces:
            yield f"*** {STUD_STREETS[0]} ***"
        elif self.structure.draws:
            yield f"*** {DRAWS[0]} ***"
        else:
            yield "*** HOLE CARDS ***"
            yield from _dealt(self.played)
        for event in self.played.events:
            match event:
                case HoleDealt(place=place, cards=cards) | UpDealt(place=place, cards=cards):
                    yield from self._own(place, cards)
                case Discarded(place=place, cards=cards):
                    yield from self._changed(place, cards)
                case BoardDealt(cards=cards):
                    self.board += cards
                    self.asked = 0
                    yield from self._middle()
                case RunBegun(number=number) if self.played.hand.runs is not None:
                    self.run, self.board = number - 1, self.board[: self.played.hand.runs.common]
                case BroughtIn() | Folded() | Checked() | Called() | Raised() | Refunded():
                    yield from self._bet(event)

    def _bet(self, event: BroughtIn | Folded | Checked | Called | Raised | Refunded) -> Iterator[str]:
        played, name = self.played, self.played.name(event.place)
        self.drawn.clear()
        match event:
            case BroughtIn(amount=amount, all_in=all_in):
                self.asked = max(amount, played.hand.stakes.bring_in)
                yield f"{name}: brings in for {played.money(amount)}{_all_in(all_in)}"
            case Folded():
                yield f"{name}: folds"
            case Checked():
                yield f"{name}: checks"
            case Called(amount=amount, all_in=all_in):
                yield f"{name}: calls {played.money(amount)}{_all_in(all_in)}"
            case Raised(to=to, opening=opening, all_in=all_in):
                by = played.money(to - self.asked)
                done = f"bets {by}" if opening or not self.asked else f"raises {by} to {played.money(to)}"
                self.asked = to
                yield f"{name}: {done}{_all_in(all_in)}"
            case Refunded(amount=amount):
                yield f"Uncalled bet ({played.money(amount)}) returned to {name}"

    # --- cards

    def _own(self, place: int, cards: tuple[Card, ...]) -> Iterator[str]:
        before = self.held[place]
        held = self.held[place] = before + cards
        if self.structure.draws:
            listed = f"[{' '.join(before)}] [{' '.join(cards)}]" if before else f"[{' '.join(cards)}]"
            if all(map(is_known, held)):
                yield f"Dealt to {self.played.name(place)} {listed}"
        elif self.structure.faces:
            yield from self._stud(place, before, cards)

    def _stud(self, place: int, before: tuple[Card, ...], cards: tuple[Card, ...]) -> Iterator[str]:
        held, faces, by = self.held[place], self.structure.faces, self.structure.own_by
        street = next(number for number, count in enumerate(by) if count >= len(held))
        if street > self.street:
            self.street, self.asked = street, 0
            yield f"*** {STUD_STREETS[street]} ***"
            if street == 1 and OPEN_PAIR in self.played.record.user:
                yield "Pair on board - a double bet is allowed"
        if len(held) < by[street]:
            return
        name, up = self.played.name(place), [card for card, face in zip(held, faces, strict=False) if face]
        if street == 0:
            listed = held if all(map(is_known, held)) else up
            if all(map(is_known, listed)):
                yield f"Dealt to {name} [{' '.join(listed)}]"
        elif all(map(is_known, cards)):
            known = before if all(map(is_known, before)) else up[: len(up) - len(cards)]
            yield f"Dealt to {name} [{' '.join(filter(is_known, known))}] [{' '.join(cards)}]"

    def _changed(self, place: int, cards: tuple[Card, ...]) -> Iterator[str]:
        if not self.drawn or place in self.drawn:
            self.drawn.clear()
            self.street, self.asked = self.street + 1, 0
            if len(self.structure.streets) > 2:
                yield f"*** {DRAWS[self.street]} ***"
        self.drawn.add(place)
        left = list(self.held[place])
        for card in cards:
            left.remove(card if card in left else "??")
        self.held[place] = tuple(left)
        name, named = self.played.name(place), f" [{' '.join(cards)}]" if all(map(is_known, cards)) else ""
        if not cards:
            yield f"{name}: stands pat"
        else:
            yield f"{name}: discards {len(cards)} card{'s' if len(cards) > 1 else ''}{named}"

    def _middle(self) -> Iterator[str]:
        """The line of a street once all its cards are there."""
        board, runs = self.board, self.played.hand.runs
        if not all(map(is_known, board)):
            raise PokerStarsError("the board is not known, and PokerStars text has no word for that")
        if title := BOARDS.get(len(board)):
            if runs is not None and len(board) > runs.common:
                title = f"{RUNS[self.run]} {title}"
            before = f" [{' '.join(board[:-1])}]" if len(board) > 3 else ""
            yield f"*** {title} ***{before} [{' '.join(board[len(board) - 1 if before else 0 :])}]"


def _dealt(played: ReplayedHand) -> Iterator[str]:
    """The cards the text's owner knew, and all others that are known and come out nowhere else."""
    later = {event.place for event in played.events if isinstance(event, Shown | Mucked)} if played.own else set()
    for place in range(len(played.line.players)):
        hole, seat = played.dealt(place), played.seat(place)
        listed = seat in played.marked("dealt") or (place not in later and seat not in played.marked("shows"))
        if listed and all(map(is_known, hole)):
            yield f"Dealt to {played.name(place)} [{' '.join(hole)}]"


def _all_in(flag: bool) -> str:
    return ALL_IN if flag else ""
