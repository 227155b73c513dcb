"""Plays table hands with comings and goings, and compares the document and the typed table with the model of 004.

`python -m tests.seeds.referee_004 --hands 10000 --seed 1` plays many and writes its row of docs/promises.md; a game is
named by seed and number.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from multiprocessing import Pool
from time import perf_counter
from typing import Any

from pitboss import documents
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.documents import Document
from pitboss.records.money import Amount
from pitboss.table.rotation import State
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table
from tests.support.figures import write_row
from tests.support.laws.laws import holds
from tests.support.laws.many import PROCESSES, SHOWN, table, try_all
from tests.support.seeds.table_model import LEAVES, PAUSES, PLAYS, WAITS, TableModel

HANDS_A_GAME = 25
CHUNK = 5  # games
MOST_FAILURES = 100
NAMES = tuple(f"player {number}" for number in range(1, 10))
BLINDS = ((100, 200), (50, 100), (5, 10), (25, 50), (200, 500), (200, 200), (0, 200))  # cents
STATES: tuple[State, ...] = ("plays", "waits", "pauses", "leaves")
WISHES = (documents.resume, documents.wait_for_big_blind, documents.pause, documents.leave)


def play(seed: int, number: int) -> Counter[str]:
    """Play one game of a run, and count the events."""
    chance = Chance(seed).fork(number)
    game = Game(chance)
    for _ in range(HANDS_A_GAME):
        game.play_hand()
    return game.counts


class Game:
    """One table, as a document, as a typed table and as the model."""

    def __init__(self, chance: Chance) -> None:
        self.chance, self.counts = chance, Counter(games=1)
        small, big = chance.choice(BLINDS)
        ante = chance.choice((0, 0, 0, max(1, big // 5)))
        self.seats = 2 + chance.below(8)
        self.by_seats = bool(chance.below(2))
        self.restless = chance.choice((2, 3, 6))
        self.model = TableModel(small, big, ante)
        opened = documents.open_document(
            small_blind=money(small), big_blind=money(big), ante=money(ante), seat_count=self.seats
        )
        fields = json.loads(documents.write_document(opened))
        if not self.by_seats:
            del fields["seats"]
        self.document = documents.read_document(fields)
        stakes = TableStakes(small_blind=small, big_blind=big, ante=ante)
        self.table = Table.open(stakes, least_buy_in=1)
        self.next_place = 1
        self.counts["games by seats"] += self.by_seats
        for _ in range(1 + chance.below(self.seats)):
            self.join()

    # --- one hand

    def play_hand(self) -> None:
        """Go on to the next hand and play it, with comings and goings at every moment."""
        self.come_and_go()
        if self.model.stage == "waiting":
            self.bring_back()
        self.next()
        if self.model.stage == "waiting":
            self.counts["waits"] += 1
            return
        self.counts["hands"] += 1
        self.come_and_go()
        if self.model.stage == "waiting":
            self.counts["hands given up before the deal"] += 1
            return
        self.deal()
        self.come_and_go()
        self.finish()

    def next(self) -> None:
        """Go on to the next hand."""
        self.model.next()
        self.document = documents.next_hand(self.document)
        self.table = self.table.next()
        self.compare("next")

    def deal(self) -> None:
        """Deal the hole cards."""
        self.deck = self.chance.shuffled(DECK)
        self.model.deal()
        self.document = documents.deal(self.document, self.deck)
        self.table = self.table.deal(self.deck).table
        self.compare("deal")

    def finish(self) -> None:
        """End the hand: half of them are played, half end with any stacks."""
        if self.chance.below(2):
            stacks = self.some_stacks()
            fields = json.loads(documents.write_document(self.document))
            fields["finishingStacks"] = [float(money(stacks[name])) for name in self.document.players]
            self.document = documents.read_document(fields)
        else:
            self.play_out()
            ended = documents.finishing_stacks(self.document)
            stacks = dict(zip(self.document.players, map(cents, ended), strict=True))
            self.counts["hands played out"] += 1
        total = sum(player.stack for player in self.model.players) + self.model.dead_money
        holds("chips are conserved", sum(stacks.values()) == total, stacks, self.model)
        in_hand = {player.name: player.place for player in self.model.players if player.played}
        self.model.finish(stacks)
        assert self.table.button is not None
        self.table = self.table.after(
            {place: stacks[name] for name, place in in_hand.items()}, hand=self.table.hand, button=self.table.button
        )
        self.counts["busts"] += sum(not stacks[name] for name in in_hand)
        self.compare("finish")

    def some_stacks(self) -> dict[str, int]:
        """Any end of a hand in which some lose all, some lose part and one wins it."""
        stacks = {player.name: player.stack for player in self.model.players}
        played = [player.name for player in self.model.players if player.played]
        won, winner = self.model.dead_money, self.chance.choice(played)
        for name in played:
            lost = self.chance.choice((0, 0, stacks[name] // 3, stacks[name]))
            if name != winner:
                stacks[name] -= lost
                won += lost
        stacks[winner] += won
        return stacks

    def play_out(self) -> None:
        """Play actions until the hand is over."""
        while True:
            name = documents.turn(self.document)
            if name is None:
                try:
                    self.document = documents.deal(self.document, self.deck)
                except documents.DocumentError:
                    return
                continue
            offer = documents.offer(self.document, name)
            if not offer.fold or self.chance.below(6) == 0:
                self.document = documents.auto(self.document)
            elif offer.raise_ is not None and self.chance.below(3) == 0:
                self.document = documents.act(self.document, name, f"cbr {offer.raise_.max_to}")
            else:
                self.document = documents.act(self.document, name, "f" if self.chance.below(6) == 0 else "cc")
            if self.chance.below(2 * self.restless) == 0:
                self.come_and_go()

    # --- comings and goings

    def come_and_go(self) -> None:
        """Now and then players join, wish something, or bring chips."""
        while self.chance.below(self.restless) == 0:
            kind = self.chance.below(6)
            if kind == 0:
                self.join()
            elif kind == 1 and self.model.stage != "dealt":
                self.top_up()
            elif self.model.players:
                player = self.chance.choice(self.model.players)
                self.wish(player.name, self.chance.choice((PLAYS, PLAYS, PLAYS, WAITS, WAITS, PAUSES, PAUSES, LEAVES)))

    def bring_back(self) -> None:
        """At a table that waits, most players want to play again."""
        for player in self.model.players:
            if self.chance.below(4):
                self.wish(player.name, PLAYS)
        if self.chance.below(2):
            self.join()

    def join(self) -> None:
        """A newcomer, or a player who left, asks for a seat."""
        free = [name for name in NAMES[: self.seats] if all(player.name != name for player in self.model.players)]
        if not free or len(self.model.players) >= self.seats:
            return
        name, big = self.chance.choice(free), self.model.big
        stack = self.chance.choice((big, 7525, 1 + self.chance.below(2 * big), 100 * big))
        granted = self.chance.choice((stack, stack, max(1, stack // 2)))
        place, wished = self.next_place, None
        if self.by_seats:
            taken = [player.place for player in self.model.players]
            seats = [seat for seat in range(1, self.seats + 1) if seat not in taken]
            wished = self.chance.choice((None, self.chance.choice(seats)))
            place = min(seats) if wished is None else wished
        self.next_place = max(self.next_place, place) + 1
        client = documents.join(self.document, name, money(stack), seat=wished)
        self.merge(client, name, money(granted))
        self.model.join(name, place, granted)
        self.table = self.table.sit(name, granted, seat=place)
        self.counts["joins"] += 1
        self.compare("join")

    def wish(self, name: str, intent: int) -> None:
        """A player plays, waits for the big blind, pauses or leaves."""
        if self.model.find(name).intent != LEAVES:
            self.table = self.table.wish(name, STATES[intent])
        self.model.wish(name, intent)
        self.merge(WISHES[intent](self.document, name), name)
        self.counts[f"wishes: {STATES[intent]}"] += 1
        self.compare("wish")

    def merge(self, client: Document, name: str, grant: Amount | None = None) -> None:
        """Merge what a client sends; all but its wish may be wrong (T2)."""
        fields: dict[str, Any] = json.loads(documents.write_document(client))
        if self.chance.below(2):
            for field in ("blindsOrStraddles", "_inactive", "_deadBlinds", "antes"):
                fields[field] = self.chance.shuffled([*fields[field], 9])
            fields |= {"hand": 77, "_deadMoney": 1, "author": "another", "_left": [name]}
        self.document = documents.merge(self.document, json.dumps(fields), name, grant=grant).document

    def top_up(self) -> None:
        """A player brings chips between hands."""
        able = [player for player in self.model.players if self.model.may_top_up(player)]
        if not able:
            return
        name, amount = self.chance.choice(able).name, self.chance.choice((1, self.model.big, 50 * self.model.big))
        self.model.top_up(name, amount)
        self.document = documents.top_up(self.document, name, money(amount))
        self.table = self.table.top_up(name, amount)
        self.counts["top-ups"] += 1
        self.compare("top up")

    # --- comparisons

    def compare(self, after: str) -> None:
        """Document and typed table are what the model says."""
        self.counts["moments"] += 1
        expected, document, seated = of_model(self.model), self.of_document(), self.of_table()
        holds("the document is the model's", document == expected, after, expected, document, self.document)
        holds("the typed table is the model's", seated == expected, after, expected, seated, self.table)

    def of_document(self) -> dict[str, Any]:
        """What the document says."""
        document, model = self.document, self.model
        between = model.stage == "between"
        stacks: Sequence[Amount] = document.stacks
        if between and model.hand:
            stacks = documents.finishing_stacks(document)
        names = document.players
        button = None if between or document.button is None else names[document.button]
        return {
            "hand": document.hand,
            "players": names,
            "stacks": tuple(map(cents, stacks)),
            "inactive": tuple(map(bool, document.inactive)),
            "intents": document.intents,
            "debts": tuple(map(cents, document.dead_blinds)),
            "blinds": tuple(map(cents, document.blinds)),
            "dead money": 0 if between else cents(document.dead_money),
            "button": button,
        }

    def of_table(self) -> dict[str, Any]:
        """What the typed table says."""
        seated, chairs = self.table, self.table.chairs
        between = seated.phase == "between"
        return {
            "hand": seated.hand,
            "players": tuple(chair.who for chair in chairs),
            "stacks": tuple(chair.chips for chair in chairs),
            "inactive": tuple(chair.out for chair in chairs),
            "intents": tuple(STATES.index(chair.state) for chair in chairs),
            "debts": tuple(chair.owes for chair in chairs),
            "blinds": tuple(chair.blind for chair in chairs),
            "dead money": 0 if between else seated.pot,
            "button": None if between or seated.button is None else seated.chair(seated.button).who,
        }


def of_model(model: TableModel) -> dict[str, Any]:
    """What the model says."""
    between = model.stage == "between"
    by_place = {player.place: player.name for player in model.players}
    return {
        "hand": model.hand,
        "players": tuple(player.name for player in model.players),
        "stacks": tuple(player.stack for player in model.players),
        "inactive": tuple(player.inactive for player in model.players),
        "intents": tuple(player.intent for player in model.players),
        "debts": tuple(player.debt for player in model.players),
        "blinds": tuple(player.blind for player in model.players),
        "dead money": 0 if between else model.dead_money,
        "button": None if between or model.button is None else by_place[model.button],
    }


def money(amount: int) -> Amount:
    """Cents as an amount of the document."""
    return amount // 100 if amount % 100 == 0 else Decimal(amount) / 100


def cents(amount: Amount) -> int:
    """An amount of the document in cents."""
    return int(amount * 100)


def main() -> None:
    """Play games until there are enough hands, print the counts, and write the row of figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started, counts, failures, games = perf_counter(), Counter[str](), list[str](), 0
    with Pool(PROCESSES) as pool:
        while counts["hands"] < options.hands and len(failures) < MOST_FAILURES:
            numbers = [range(number, number + CHUNK) for number in range(games, games + 8 * CHUNK, CHUNK)]
            games += 8 * CHUNK
            for counted, failed in pool.imap_unordered(partial(try_all, play, options.seed), numbers):
                counts += counted
                failures += failed
                for failure in failed:
                    print(failure[:SHOWN], file=sys.stderr)
            print(f"{counts['hands']} of {options.hands} hands, {perf_counter() - started:.0f} s", file=sys.stderr)
    seconds = perf_counter() - started
    print("\n".join(table(counts, failures, seconds)))
    write_row(
        "referee-004",
        hands=counts["hands"],
        moments=counts["moments"],
        busts=counts["busts"],
        waits=counts["waits"],
        joins=counts["joins"],
        differences=len(failures),
        seconds=round(seconds),
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
