"""Plays ring games at random, with comings and goings at every point of a hand, and holds each moment against the laws.

`python -m tests.laws.ring --hands 20000 --seed 1` plays many; a game is named by seed and number. The account of who
owes what and where the blinds are is kept here by seats alone, without looking at how the table works it out.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from multiprocessing import Pool
from time import perf_counter

import pytest
from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import DECK, read_cards, write_cards
from pitboss.chance import Chance
from pitboss.documents.fields import LEAVES, Document, DocumentError, read_document, write_document
from pitboss.documents.hands import finishing_stacks
from pitboss.documents.play import play_actions
from pitboss.documents.record import read_back, written_out
from pitboss.documents.views import personalize
from pitboss.formats.phh import PhhError, read_phh, write_phh
from pitboss.formats.phh.standard import from_standard, to_standard
from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.debts import posts_as_debts
from pitboss.records.money import Amount
from pitboss.records.moves import read_move
from pitboss.records.replay import Playback, play_record, replay
from pitboss.table.table import Moving
from tests.support.formats.pokerstars import read_pokerstars
from tests.support.laws.laws import holds
from tests.support.laws.many import PROCESSES, SHOWN, table, try_all
from tests.support.seeds.document_table import DocumentTable, open_table

HANDS_A_GAME = 25
CHUNK = 10  # games
MOST_FAILURES = 100
WISHES = ("pause", "pause", "wait", "wait", "resume", "resume", "resume", "leave")
UNSAYABLE = re.compile(
    "short big blind|side pot muck|a hand without a big blind|expected a full ante|whose stack covers the forced bets"
    "|the hand has a short ante and dead money|at most two decimals|no player posts the big blind"
)
A_CARD = re.compile("[2-9TJQKA][cdhs]")
BLINDS: tuple[tuple[Amount, Amount], ...] = (
    (1, 2),
    (1, 3),
    (2, 5),
    (5, 10),
    (Decimal("0.05"), Decimal("0.1")),
    (Decimal("0.10"), Decimal("0.25")),
    (Decimal("0.5"), 1),
    (Decimal("0.333"), Decimal("0.667")),
    (2, 2),
    (0, 2),
)


class Setting(Struct, frozen=True):
    """What kind of game it is."""

    small: Amount = 1
    big: Amount = 2
    ante: Amount = 0
    seats: int = 6
    moving: Moving = "big_blind"
    before_the_deal: bool = True  #: whether players come and go between `next` and the cards
    restless: int = 4  #: at one in this many moments a player comes or goes; 0: never


def some_setting(chance: Chance) -> Setting:
    """Any game."""
    small, big = chance.choice(BLINDS)
    return Setting(
        small=small,
        big=big,
        ante=chance.choice((Decimal(0), Decimal(0), Decimal(0), big / Decimal(5), Decimal(1))),
        seats=chance.choice((2, 3, 4, 6, 9)),
        moving=chance.choice(("big_blind", "big_blind", "big_blind", "button")),
        restless=chance.choice((2, 3, 5, 20)),
    )


def play(seed: int, number: int) -> Counter[str]:
    """Play one game of a run under all laws, and count the events."""
    chance = Chance(seed).fork(number)
    return play_game(some_setting(chance), chance)


def play_game(setting: Setting, chance: Chance, hands: int = HANDS_A_GAME) -> Counter[str]:
    """Play one game of this setting and count the events."""
    return play_ring(setting, chance, hands).counts


def play_ring(setting: Setting, chance: Chance, hands: int) -> "Ring":
    """Play one game of this setting."""
    ring = Ring(setting, chance)
    ring.play(hands)
    return ring


class Ring:
    """A table, the chips brought to it and taken from it, and an account of its blinds by seat."""

    def __init__(self, setting: Setting, chance: Chance) -> None:
        self.setting, self.chance, self.counts = setting, chance, Counter[str]()
        self.match: DocumentTable = open_table(
            small_blind=setting.small,
            big_blind=setting.big,
            ante=setting.ante,
            seat_count=setting.seats,
            moving=setting.moving,
            unit=Decimal("0.0001"),
        )
        self.brought: Amount = 0
        self.newcomers = 0
        self.plays = False
        self.trail = list[Document]()  #: every document so far
        self.account = Account(setting)
        for _ in range(chance.below(setting.seats) + 1):
            self._sit()

    @property
    def document(self) -> Document:
        """The table now."""
        return self.match.document

    def play(self, hands: int) -> None:
        """Play this many hands; hands for which the table waits count too."""
        for _ in range(hands):
            self.between_hands()
            self.next()
            if self.plays:
                self.play_hand()
        self.counts["games"] += 1

    # --- between hands

    def between_hands(self) -> None:
        """Players may come, go, or bring chips; if none plays any more, all want to."""
        document = self.document
        if self._now_and_then():
            self._comings_and_goings()
        if self._now_and_then() and document.players:
            self._top_up()
        while len(self.document.players) < 2:
            self._sit()
        if not self.plays and self.chance.below(4):
            for name in self.document.players:
                self._wish(name, "resume")
            while len(self.document.players) < self.setting.seats and self.chance.below(3):
                self._sit()

    def next(self) -> None:
        """Go on to the next hand."""
        old = self.document
        stacks = finishing_stacks(old) if old.actions or old.finishing_stacks else old.stacks
        pot = 0 if old.actions or old.finishing_stacks else old.dead_money
        before = write_document(old)
        self.match = self.match.next()
        new = self.document
        holds("next leaves the old document", write_document(old) == before, old)
        left = [player for player, intent in enumerate(old.intents) if intent == 3]
        self.brought -= sum(stacks[player] for player in left)
        stay = tuple(name for player, name in enumerate(old.players) if player not in left)
        holds("who leaves goes, who stays stays", new.players == stay, old, new)
        holds("chips: next", sum(new.stacks) + new.dead_money == self.brought, self.brought, old, new)
        holds("chips: dead money", sum(stacks) + pot == sum(new.stacks) + new.dead_money + _of(stacks, left), old, new)
        self.plays = sum(new.dealt_in) >= 2
        self.counts["hands" if self.plays else "waits"] += 1
        if self.plays:
            holds("hands are counted", new.hand == (old.hand if isinstance(old.hand, int) else 0) + 1, old, new)
        if self.setting.moving == "big_blind":
            self.account.next(old, stacks, new, self.plays)
        self._check()

    # --- a hand

    def play_hand(self) -> None:
        """Play one hand to its end, with comings and goings."""
        deck = self.chance.shuffled(DECK)
        if self.setting.before_the_deal and self._now_and_then():
            self._comings_and_goings()
            if sum(self.document.dealt_in) < 2:
                self.plays = False
                self.account.unplayed()
                self.counts["hands given up before the deal"] += 1
                return
        self.account.dealt(self.document)
        self.match = self.match.deal(deck)
        self._check()
        moments = 0
        while not self.match.is_hand_over:
            moments += 1
            holds("hands end", moments < 500, self.document)
            if self._now_and_then():
                self._comings_and_goings()
            else:
                self._move(deck)
            self._check()
        self._check_end()

    def _move(self, deck: Sequence[str]) -> None:
        """The player to act moves or runs out of time, or cards are dealt."""
        playback = play_actions(self.document)
        hand, chance = playback.hand, self.chance
        if hand.phase == "deal":
            self.match = self.match.deal(deck)
            return
        if chance.below(12) == 0:
            self.match = self.match.auto(check_when_free=bool(chance.below(2)))
            self.counts["times up"] += 1
            return
        if hand.phase == "bet":
            self._bet(playback)
            return
        place = next(place for place in hand.round.live if place not in hand.shown)
        name = self.document.players[playback.lineup.players[place]]
        if self.document.inactive[self.document.index(name)]:
            self.match = self.match.auto()
            mucked = self.document.actions[-1] == f"{playback.name(place)} sm"
            all_in = not hand.stacks[place]
            holds("T3: all-in and gone he keeps his claim", not (all_in and mucked), name, self.document)
            self.counts["showdowns of who left"] += 1
        else:
            cards = write_cards(hand.holes[place])
            self.match = self.match.act(name, f"sm {cards}" if chance.below(4) else "sm")
            self.counts["showdowns"] += 1

    def _bet(self, playback: Playback) -> None:
        hand, chance = playback.hand, self.chance
        name = self.document.players[playback.lineup.players[hand.round.turn]]
        offer = hand.offer
        bounds = offer.bet or offer.raise_
        if bounds is not None and chance.below(4) == 0:
            least, most = bounds.min_to, bounds.max_to
            to = chance.choice((least, most, least + chance.below(most - least + 1)))
            self.match = self.match.act(name, f"cbr {playback.unit.amount(to)}")
            self.counts["raises"] += 1
        else:
            self.match = self.match.act(name, "f" if chance.below(6) == 0 else "cc")
        self.counts["moves"] += 1

    # --- comings and goings

    def _now_and_then(self) -> bool:
        return bool(self.setting.restless) and self.chance.below(self.setting.restless) == 0

    def _comings_and_goings(self) -> None:
        for _ in range(self.chance.below(3) + 1):
            if self.chance.below(4) == 0 and len(self.document.players) < self.setting.seats:
                self._sit()
            elif self.document.players:
                self._wish(self.chance.choice(self.document.players), self.chance.choice(WISHES))
        self._check()

    def _sit(self) -> None:
        self.newcomers += 1
        stack = self._chips()
        free = [seat for seat in range(1, self.setting.seats + 1) if seat not in (self.document.seats or ())]
        seat = self.chance.choice((None, self.chance.choice(free)))
        self.match = self.match.sit(f"n{self.newcomers}", stack, seat=seat)
        self.brought += stack
        self.counts["newcomers"] += 1

    def _wish(self, name: str, what: str) -> None:
        before = self.document
        self.match = self.match.wish(name, what)
        player = before.index(name)
        if not before.actions and before.inactive[player] < self.document.inactive[player]:
            self._check_gone_before_the_deal(before, player, what)
        self.counts[f"wishes to {what}"] += 1

    def _check_gone_before_the_deal(self, before: Document, player: int, what: str) -> None:
        """T7b: a player who goes with a blind owes it, unless they leave for good or no hand can be dealt."""
        big, blind = self.setting.big, before.blinds[player]
        due: Amount = 0
        if what != "leave" and blind and sum(self.document.dealt_in) >= 2:
            due = big if blind == big else big / Decimal(2)
        owed, owes = before.dead_blinds[player], self.document.dead_blinds[player]
        if self.setting.small != big:
            most = min(owed + due, big * Decimal("1.5"))
            holds("who goes before the deal owes his blind", owes == most, owes, most, before, self.document)
        self.counts["blinds owed before the deal"] += bool(due)

    def _top_up(self) -> None:
        name, amount = self.chance.choice(self.document.players), self._chips()
        player = self.document.index(name)
        if self.document.intents[player] == LEAVES and self.document.stacks[player]:
            with pytest.raises(DocumentError, match="has left the table"):
                self.match.top_up(name, amount)
            return
        self.match = self.match.top_up(name, amount)
        self.brought += amount
        self.counts["top-ups"] += 1
        self._check()

    def _chips(self) -> Amount:
        """Chips to bring: too few, odd, fractional, deep."""
        big = self.setting.big
        return self.chance.choice(
            (
                big,
                big * (self.chance.below(20) + 1),
                big * 100,
                Decimal(self.chance.below(20_000) + 1) / 100,
                Decimal("75.25"),
                Decimal(self.chance.below(300) + 1) / 1000,
            )
        )

    # --- laws of one moment

    def _check(self) -> None:
        document = self.document
        check_states(document)
        self._check_chips(document)
        holds("read(write(document)) == document", read_document(write_document(document)) == document, document)
        if self.chance.below(4) == 0:
            check_secrets(document, self.chance)
        if sum(document.dealt_in) >= 2:
            check_phh(document)
        self.counts["moments"] += 1
        self.trail.append(document)

    def _check_chips(self, document: Document) -> None:
        if document.finishing_stacks is not None:
            there = sum(document.finishing_stacks)
        elif not document.actions:
            there = sum(document.stacks) + document.dead_money
        else:
            playback = play_actions(document)
            hand = playback.hand
            there = sum(playback.finishing_stacks()) + (
                0 if hand.over else _amount(playback, hand.round.chips_in_middle)
            )
        holds("chips: all stacks + pot = what was brought", there == self.brought, there, self.brought, document)

    def _check_end(self) -> None:
        document = self.document
        ended = finishing_stacks(document)
        holds("chips: finished", sum(ended) == self.brought, ended, self.brought, document)
        record = written_out(document)
        holds("written out, it plays the same", replay(record).finishing_stacks == ended, document)
        said = check_elsewhere(document, dict(zip(document.players, ended, strict=True)))
        self.counts["hands other programs replay" if said else "hands they have no words for"] += 1


def _amount(playback: Playback, chips: int) -> Amount:
    return playback.unit.amount(chips)


def _of(stacks: Sequence[Amount], players: Sequence[int]) -> Amount:
    return sum(stacks[player] for player in players)


# --- laws of one document


def check_states(document: Document) -> None:
    """The state matrix of seed 004, and arrays of one length."""
    n = len(document.players)
    arrays = (document.stacks, document.blinds, document.antes, document.inactive, document.intents)
    holds("arrays have one length", all(len(values) == n for values in (*arrays, document.dead_blinds)), document)
    holds("no negative chips", all(amount >= 0 for amount in (*document.stacks, *document.dead_blinds)), document)
    for inactive, intent, debt in zip(document.inactive, document.intents, document.dead_blinds, strict=True):
        holds("an active player owes nothing", bool(inactive) or debt == 0, document)
        holds("inactive is 0 or 1 and intent 0 to 3", inactive in (0, 1) and intent in range(4), document)
        holds("nobody owes more than 1.5 big blinds", debt <= Decimal("1.5") * document.min_bet, document)


def check_phh(document: Document) -> None:
    """Lossless both ways with PHH, also with the folds of who left written out."""
    record = written_out(document)
    holds("PHH and back", read_back(read_phh(write_phh(record))) == document, document)
    here, there = play_actions(document), play_record(record)
    holds("PHH plays the same", here.finishing_stacks() == there.finishing_stacks(), document)
    holds("PHH stands the same", here.hand == there.hand, document)


def check_elsewhere(document: Document, ended: Mapping[str, Amount]) -> bool:
    """Said for other programs, as PHH and as PokerStars text, a hand ends as here; whether it could be said at all."""
    record = written_out(document)
    try:
        standard, text = to_standard(record), write_pokerstars(record)
    except (PhhError, PokerStarsError) as error:
        holds("only so much cannot be said", UNSAYABLE.search(str(error)) is not None, error, document)
        return False
    holds("from the standard and back", from_standard(read_phh(write_phh(standard))) == record, document)
    (read,) = read_pokerstars(text)
    for there in (standard, read, posts_as_debts(read)):
        stacks = dict(zip(there.players or (), replay(there).finishing_stacks, strict=True))
        holds("elsewhere it ends the same", stacks.items() <= ended.items() and len(stacks) > 1, there, document)
    came_back = read_back(posts_as_debts(read))
    same = dict(zip(came_back.players, came_back.stacks, strict=True)) == dict(
        zip(document.players, document.stacks, strict=True)
    )
    holds("a return that pays its debt comes back from text", same, text, document)
    holds("and so does what lies in the pot", came_back.dead_money == document.dead_money, text, document)
    return True


def check_secrets(document: Document, chance: Chance) -> None:
    """No player is sent a hole card of another unless it was shown, and no message depends on one."""
    holes, shown, board = dict[int, set[str]](), set[str](), set[str]()
    for text in document.actions:
        move = read_move(text, len(document.players))
        if move.verb == "dh" and move.place is not None:
            holes.setdefault(move.place, set()).update(move.cards)
        elif move.verb == "sm":
            shown |= set(move.cards)
        elif move.verb == "db":
            board |= set(move.cards)
    for player in (*document.players, None, "stranger"):
        own = document.players.index(player) if player in document.players else None
        if own is not None and document.intents[own] == 3:
            check_nothing_is_sent(document, player or "")
            continue
        sent = personalize(document, player)
        seen = {card for text in sent.actions for card in A_CARD.findall(text)}
        allowed = holes.get(-1 if own is None else own, set()) | shown | board
        holds("nobody is sent a hidden card", seen <= allowed, player, seen - allowed, document)
        other = with_other_holes(document, own, shown, chance)
        holds("nothing sent depends on a hidden card", personalize(other, player) == sent, player, document)


def check_nothing_is_sent(document: Document, player: str) -> None:
    """T3: a player who has left receives nothing more."""
    try:
        personalize(document, player)
    except DocumentError:
        return
    holds("who has left is sent nothing", False, player, document)


def with_other_holes(document: Document, own: int | None, shown: set[str], chance: Chance) -> Document:
    """The same table with other cards in the hands that this player does not see."""
    used = {card for text in document.actions for card in A_CARD.findall(text)}
    free = list(chance.shuffled(card for card in DECK if card not in used))
    actions = []
    for text in document.actions:
        move = read_move(text, len(document.players))
        if move.verb == "dh" and move.place != own and not shown & set(move.cards):
            text = f"d dh p{(move.place or 0) + 1} {write_cards(read_cards(free.pop() + free.pop()))}"
        actions.append(text)
    return replace(document, actions=tuple(actions))


# --- blinds and debts, by seat


class Account:
    """Where the blinds are and who owes what by the rulings T5 to T7, kept by seat numbers."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.big: int | None = None  #: the seat of the last big blind
        self.small: int | None = None  #: the seat of the last small blind, even if it is empty now
        self.big_owner = ""
        self.lost = False  #: whether blinds moved in a way that this account does not follow
        self.unsure = set[str]()  #: whose debts it does not follow

    def unplayed(self) -> None:
        """A hand that was set up and never dealt: this account does not follow the blinds from here."""
        self.big = self.small = None
        self.lost = True

    def dealt(self, document: Document) -> None:
        """A hand is dealt: each blind is paid by its player, if they play."""
        playback = play_actions(document)
        antes = [min(document.stacks[player], document.antes[player]) for player in playback.lineup.players]
        matched = sorted(antes)[-2] if len(set(document.antes)) == 1 else max(antes)
        for place, player in enumerate(playback.lineup.players):
            before, ante = document.stacks[player], min(document.antes[player], matched)
            due = min(before, document.blinds[player] + ante)
            paid = before - _amount(playback, playback.hand.stacks[place])
            holds("who plays posts his blind and ante", paid == due, document.players[player], paid, due, document)
        price, big = playback.hand.round.price, playback.unit.chips(self.setting.big)
        holds("staying costs a full big blind, whoever has it", price == big, price, big, document)
        turn, last = playback.hand.round.turn, playback.hand.round.n - 1
        if last == 1 and min(playback.hand.stacks) > 0:
            holds("N8: heads-up the button speaks first", turn == last, turn, document)

    def next(self, old: Document, stacks: Sequence[Amount], new: Document, plays: bool) -> None:
        """Compare the new hand with what the rulings require after the old one."""
        if not plays:
            self._check_waiting(old, new)
            return
        seats = dict(zip(new.players, new.seats or (), strict=True))
        owners = [name for name, blind in zip(new.players, new.blinds, strict=True) if blind == self.setting.big]
        holds("somebody has the big blind", bool(owners), old, new)
        dropped = len(new.players) < len(old.players)
        restart = self.big is None or (dropped and len(new.players) == 2)
        if restart:
            self._restart(new, seats)
        else:
            self._move(old, new, seats)
        self._check_debts(old, stacks, new)

    def _restart(self, new: Document, seats: dict[str, int]) -> None:
        big = _posts_big(new)
        small = [name for name, blind in zip(new.players, new.blinds, strict=True) if blind and name != big]
        self.big, self.big_owner = seats[big], big
        self.small = seats[small[0]] if small else None
        self.missed_small: set[int] = set()
        self.missed_big: set[int] = set()

    def _move(self, old: Document, new: Document, seats: dict[str, int]) -> None:
        assert self.big is not None
        dealt = {seats[name] for name, plays in zip(new.players, new.dealt_in, strict=True) if plays}
        expected = next(seat for seat in self._clockwise(self.big) if seat in dealt)
        big = _posts_big(new)
        holds("the big blind goes to the next who plays", seats[big] == expected, self.big, expected, old, new)
        holds("nobody pays the big blind twice running", big != self.big_owner, old, new)
        small = self.big
        there = [name for name, seat in seats.items() if seat == small]
        for name, blind in zip(new.players, new.blinds, strict=True):
            due = self.setting.big if name == big else self.setting.small if name in there else 0
            holds("who had the big blind has the small one", blind == due, name, blind, due, old, new)
        self.missed_big = _between(self.setting.seats, self.big, expected)
        passed = set() if self.small is None else _between(self.setting.seats, self.small, small)
        self.missed_small = passed | {small}
        self.big, self.small, self.big_owner = expected, small, big

    def _check_debts(self, old: Document, stacks: Sequence[Amount], new: Document) -> None:
        big = self.setting.big
        paid: Amount = 0
        if self.lost:
            self.unsure |= set(new.players)
            self.lost = False
        for player, name in enumerate(new.players):
            before = old.dead_blinds[old.index(name)]
            was, seat = old.intents[old.index(name)], (new.seats or ())[player]
            debt = before
            if was in (1, 2) and stacks[old.index(name)]:
                debt += big * (seat in self.missed_big) + big / Decimal(2) * (seat in self.missed_small)
                debt = min(debt, big * Decimal("1.5"))
            if new.dealt_in[player]:
                holds("who comes back plays", (new.inactive[player], new.intents[player]) == (0, 0), name, new)
                cost = stacks[old.index(name)] - new.stacks[player]
                due = before if was == 0 else 0
                holds("a debt leaves the stack", cost == due or name in self.unsure, name, cost, due, old, new)
                paid += cost
                self.unsure.discard(name)
                debt = 0
            if (
                name not in self.unsure and self.setting.small
            ):  # without small blinds the cost of a missed one is not defined
                holds("missed blinds are owed", new.dead_blinds[player] == debt, name, debt, old, new)
        pot = 0 if old.actions or old.finishing_stacks else old.dead_money
        holds("debts paid lie in the pot", new.dead_money == paid + pot, paid, old, new)

    def _check_waiting(self, old: Document, new: Document) -> None:
        for player, name in enumerate(new.players):
            before = old.index(name)
            same = (old.blinds[before], old.dead_blinds[before]) == (new.blinds[player], new.dead_blinds[player])
            holds("a table that waits charges nobody and keeps its blinds", same, name, old, new)
        if self.big is not None and self.big not in (new.seats or ()):
            self.big = self.small = None  # the big blind's owner left an idle table: it starts anew

    def _clockwise(self, after: int) -> list[int]:
        """All seats, beginning after this one."""
        return [(after + step - 1) % self.setting.seats + 1 for step in range(1, self.setting.seats + 1)]


def _posts_big(document: Document) -> str:
    """Who has the big blind; of two equal blinds it is the one further from the button."""
    named = zip(document.blinds, document.dealt_in, strict=True)
    full = [player for player, (blind, plays) in enumerate(named) if plays and blind == document.min_bet]
    if len(full) == 1:
        return document.players[full[0]]
    order = document.clockwise
    button = document.button if document.button is not None else order[-1]
    at = order.index(button)
    from_button = (*order[at + 1 :], *order[: at + 1])
    if sum(document.dealt_in) == 2:
        return document.players[next(player for player in full if player != button)]
    return document.players[max(full, key=from_button.index)]


def _between(seats: int, start: int, end: int) -> set[int]:
    """The seats strictly between two, clockwise."""
    found, seat = set[int](), start % seats + 1
    while seat not in (end, start):
        found.add(seat)
        seat = seat % seats + 1
    return found


def main() -> None:
    """Play games until this many hands are played, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started, counts, failures, games = perf_counter(), Counter[str](), list[str](), 0
    with Pool(PROCESSES) as pool:
        while counts["hands"] < options.hands and len(failures) < MOST_FAILURES:
            numbers = [range(number, number + CHUNK) for number in range(games, games + PROCESSES * CHUNK, CHUNK)]
            games += PROCESSES * CHUNK
            for counted, failed in pool.imap_unordered(partial(try_all, play, options.seed), numbers):
                counts += counted
                failures += failed
                for failure in failed:
                    print(failure[:SHOWN], file=sys.stderr)
            print(f"{counts['hands']} of {options.hands} hands, {perf_counter() - started:.0f} s", file=sys.stderr)
    print("\n".join(table(counts, failures, perf_counter() - started)))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
