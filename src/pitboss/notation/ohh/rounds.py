"""The rounds and pots of a hand as Open Hand History writes them, out of what happened when its record is played."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised
from pitboss.cards import Card, is_known
from pitboss.hand.events import BoardDealt, Event, HoleDealt, Mucked, Raked, Shown, UpDealt, Won
from pitboss.hand.games import STRUCTURES
from pitboss.notation.chips import Amount
from pitboss.notation.collected import find_collected
from pitboss.notation.lineup import Lineup
from pitboss.notation.ohh.words import (
    ADDED,
    ANTE,
    BET,
    BIG,
    CALL,
    CHECK,
    DEAD,
    DEALT,
    EXTRA,
    FOLD,
    MUCKS,
    RAISE,
    SHOWDOWN,
    SHOWS,
    SMALL,
    STRADDLE,
    STREETS,
)
from pitboss.notation.record import Record
from pitboss.notation.replay import Replay


class Writing(Struct, frozen=True):
    """A record that has been played, and how its players are named."""

    record: Record
    line: Lineup
    played: Replay
    own: Mapping[str, Any]
    ids: tuple[int, ...]  #: by player of the record
    seats: tuple[int, ...]

    def id(self, place: int) -> int:
        """The id of whoever has a place."""
        return self.ids[self.line.players[place]]

    def marked(self, what: str) -> tuple[str, ...]:
        """The players that a mark names, spelled as in the record's actions."""
        named = self.own.get(what)
        return tuple(map(str, named)) if isinstance(named, tuple) else ()

    def tables(self, what: str) -> list[dict[str, Any]]:
        """Objects that the record keeps for this format."""
        held = self.own.get(what)
        return [dict(entry) for entry in held if isinstance(entry, Mapping)] if isinstance(held, tuple) else []

    def money(self, chips: int) -> Amount:
        """Chips of the replay in the record's money."""
        return self.played.unit.amount(chips)

    def collected(self) -> dict[int, int]:
        """What every place gets, in chips."""
        played = self.played
        return find_collected(self.record, self.line.players, played.unit, played.hand, played.chip_events)

    def blinds(self) -> list[Amount]:
        """Blinds and straddles as they are due, by place."""
        n = len(self.ids)
        return self.line.by_place(self.record.blinds_or_straddles or (0,) * n, n, "blinds")


class _Rounds:
    """The rounds so far; what happens goes into the last."""

    def __init__(self, writing: Writing) -> None:
        self.writing = writing
        self.code = writing.record.variant
        self.rounds: list[dict[str, Any]] = []
        self.street = 0
        self.held = dict.fromkeys(range(len(writing.line.players)), 0)  #: how many cards everybody has been dealt
        self.dealt: dict[int, list[Card]] = {}
        self.showdown: list[tuple[str, int, tuple[Card, ...]]] = []
        self.posting = _post_names(writing)
        self.open(0)

    def open(self, street: int, cards: tuple[Card, ...] = ()) -> None:
        """Begin a round."""
        self.street = street
        known = list(cards) if all(map(is_known, cards)) else []
        name = STREETS[self.code][street]
        self.rounds.append({"id": len(self.rounds), "street": name, "cards": known, "actions": []})

    def add(self, action: str, place: int | None, chips: int = 0, *, all_in: bool = False) -> dict[str, Any]:
        """Write down an action."""
        actions = self.rounds[-1]["actions"]
        entry: dict[str, Any] = {"action_number": len(actions) + 1}
        if place is not None:
            entry["player_id"] = self.writing.id(place)
        entry["action"] = action
        if chips:
            entry["amount"] = self.writing.money(chips)
        if all_in:
            entry["is_allin"] = True
        actions.append(entry)
        return entry

    def deal(self, place: int, cards: tuple[Card, ...]) -> None:
        """Write down somebody's cards of a street; those nobody knows are left out."""
        before, own_by = self.held[place], STRUCTURES[self.code].own_by
        self.held[place] += len(cards)
        street = next(number for number, own in enumerate(own_by) if own > before)
        if street != self.street:
            self.open(street)
            self.dealt = {}
        known = [card for card in cards if is_known(card)]
        if place in self.dealt:
            self.dealt[place] += known
        else:
            self.dealt[place] = known
            self.add(DEALT, place)["cards"] = known

    def happen(self, event: Event) -> None:
        """Write down what happened."""
        match event:
            case Posted(place=place, amount=amount, all_in=all_in):
                self.add(next(self.posting[place, event.live]), place, amount, all_in=all_in)
            case HoleDealt(place=place, cards=cards) | UpDealt(place=place, cards=cards):
                self.deal(place, cards)
            case BoardDealt(street=name, cards=cards):
                streets = STRUCTURES[self.code].streets
                self.open(next(number for number, street in enumerate(streets) if street.name == name), cards)
            case Folded(place=place):
                self.add(FOLD, place)
            case Checked(place=place):
                self.add(CHECK, place)
            case Called(place=place, amount=amount, all_in=all_in):
                self.add(CALL, place, amount, all_in=all_in)
            case BroughtIn(place=place, amount=amount, all_in=all_in):
                self.add(EXTRA, place, amount, all_in=all_in)
            case Raised(place=place, amount=amount, all_in=all_in):
                opens = event.opening and self.street > 0
                self.add(BET if opens else RAISE, place, amount, all_in=all_in)
            case Shown(place=place, cards=cards):
                self.showdown.append((SHOWS, place, cards))
            case Mucked(place=place):
                self.showdown.append((MUCKS, place, ()))
            case _:
                pass

    def finish(self) -> list[dict[str, Any]]:
        """Write down the showdown, and who showed without need."""
        line, hand = self.writing.line, self.writing.played.hand
        for place, player in enumerate(line.players):
            if f"p{player + 1}" in self.writing.marked("shows"):
                self.showdown.append((SHOWS, place, hand.holes[place]))
        if self.showdown:
            self.rounds.append({"id": len(self.rounds), "street": SHOWDOWN, "cards": [], "actions": []})
        last: dict[int, tuple[str, int, tuple[Card, ...]]] = {}
        for shown in self.showdown:  # who shows before his last cards shows again with them
            last[shown[1]] = shown
        for action, place, cards in last.values():
            entry = self.add(action, place)
            if cards:
                entry["cards"] = [card for card in cards if is_known(card)]
        for beside in self.writing.tables("aside"):
            self.rounds[0]["actions"].append({"action_number": len(self.rounds[0]["actions"]) + 1} | beside)
        return self.rounds


def rounds(writing: Writing) -> list[dict[str, Any]]:
    """Every round, from the posts to the showdown."""
    found = _Rounds(writing)
    dead = writing.played.hand.stakes.dead
    if dead:
        found.add(ADDED, None, dead)
    for event in writing.played.chip_events:
        found.happen(event)
    return found.finish()


def _post_names(writing: Writing) -> dict[tuple[int, bool], Any]:
    """What each place's posts are called, in their order, those that count toward a bet and those that do not."""
    stakes = writing.played.hand.stakes
    big, posted = stakes.min_bet, False
    names: dict[tuple[int, bool], Any] = {}
    for place in range(len(writing.line.players)):
        ante = bool(stakes.antes and stakes.antes[place])
        names[place, False] = iter([ANTE] * ante + [DEAD] * 2)
        due = next((post for post in stakes.posts if post.place == place and post.live), None)
        if due is None or not due.option:
            name = EXTRA
        elif due.amount == big and not posted:
            name, posted = BIG, True
        else:
            name = SMALL if due.amount < big else STRADDLE
        names[place, True] = iter([name])
    return names


# --- pots


def pots(writing: Writing) -> list[dict[str, Any]]:
    """Every pot: what was in it, what the house took of it, and who was paid."""
    taken: dict[int, int] = {}
    won: dict[int, dict[int, int]] = {}
    for event in writing.played.chip_events:
        match event:
            case Won(place=place, amount=amount, pot=pot):
                wins = won.setdefault(pot, {})
                wins[place] = wins.get(place, 0) + amount
            case Raked(amount=amount, pot=pot):
                taken[pot] = amount
            case _:
                pass
    _pay_as_recorded(writing, taken, won)
    jackpot = writing.own.get("jackpot", 0) if type(writing.own.get("jackpot")) in (int, Decimal) else 0
    written = []
    for pot in sorted({*taken, *won}):
        wins, rake = won.get(pot, {}), taken.get(pot, 0)
        entry: dict[str, Any] = {"number": pot, "amount": writing.money(sum(wins.values()) + rake)}
        here = min(jackpot, writing.money(rake))
        jackpot -= here
        entry["rake"] = writing.money(rake) - here
        if here:
            entry["jackpot"] = here
        entry["player_wins"] = [
            {"player_id": writing.id(place), "win_amount": writing.money(amount)} for place, amount in wins.items()
        ]
        written.append(entry)
    _pay_beside(writing, written)
    return written


def _pay_as_recorded(writing: Writing, taken: dict[int, int], won: dict[int, dict[int, int]]) -> None:
    """Let everybody have what the record says: the house may have taken its part of one pot, and not of every one."""
    for place, chips in writing.collected().items():
        over = sum(wins.get(place, 0) for wins in won.values()) - chips
        for pot in sorted(won, key=lambda pot: -won[pot].get(place, 0)):
            if place not in won[pot]:
                continue
            moved = max(min(over, won[pot][place]), -taken.get(pot, 0))
            won[pot][place] -= moved
            taken[pot] = taken.get(pot, 0) + moved
            over -= moved


def _pay_beside(writing: Writing, written: list[dict[str, Any]]) -> None:
    """Add what players were paid beside the pots, in the first they have a part of, or else the first."""
    spelled = {f"p{number}": id for number, id in enumerate(writing.ids, 1)}
    for beside in writing.tables("wins"):
        id = spelled.get(str(beside.pop("player", "")))
        if id is None or not written:
            continue
        wins = [win for pot in written for win in pot["player_wins"] if win["player_id"] == id]
        if wins:
            wins[0].update(beside)
        else:
            written[0]["player_wins"].append({"player_id": id, "win_amount": 0} | beside)
