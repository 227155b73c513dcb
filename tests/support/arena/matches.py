"""Matches of random play as a journal has them, for tests that read journals."""

from msgspec import Struct

from pitboss import RULES_VERSION
from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.records import Settings, TableOpened, write_record
from pitboss.arena.rooms.match import Change, Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire.messages import ServerMessage, write
from pitboss.arena.wire.poker import PlayersAction, place_to_act
from pitboss.betting.events import AllIn, Bet, Call, Check, Fold, Raise
from pitboss.chance import Chance
from pitboss.hand.events import Discard
from pitboss.store import Chain, Entry, Reading, read_chain, start_hash
from tests.support.arena.poker import act, hand_of, match_of, messages_of

DAY = "2026-02-28"


class RecordedMatch(Struct):
    """A match, its entries, and the messages to all and to seat 0."""

    match: Match
    entries: list[Entry]
    frames: list[str]
    chain: Chain

    @property
    def reading(self) -> Reading:
        """The journal as it is read."""
        return read_chain(self.match.table_id, self.entries, self.chain.head)

    def append(self, change: Change) -> None:
        """Write a change to the journal, and send it."""
        match, record = self.match, change.record if isinstance(change, Step) else change
        entry = self.chain.append(write_record(record), seals=not match.underway)
        self.entries.append(entry)
        messages: list[ServerMessage] = messages_of(match, change, entry.hash)
        if match.to_act == 0:
            messages.append(TableMessages(match).question(entry.seq, match.move_time_ms))
        self.frames += map(write, messages)


def played(
    seed: int, *, seats: int = 4, hands: int = 6, ended: bool = True, game: str = "no_limit_holdem"
) -> RecordedMatch:
    """A match of random play; with `ended`, to its end after this many hands, else stopped in mid-hand."""
    chance = Chance(seed)
    settings = Settings(seats=seats, stack=2000, max_hands=hands if ended else None, game=game)
    opened = TableOpened(rules=RULES_VERSION, settings=settings)
    match = match_of("T-1", opened)
    recorded = RecordedMatch(match, [], [write(TableMessages(match).welcome(0))], Chain("T-1", start_hash("T-1")))
    recorded.append(opened)
    for number in range(seats):
        recorded.append(match.sit(f"team {number}", None))
        recorded.frames.append(write(TableMessages(match).lobby(range(number + 1))))
    while match.can_start and (ended or match.history.hands < hands):
        recorded.append(match.start(bytes(chance.below(256) for _ in range(32)), DAY))
        while match.to_act is not None and (ended or match.history.hands < hands):
            recorded.append(act(match, _some_action(match, chance)))
    if ended:
        recorded.append(match.end())
    return recorded


def _some_action(match: Match, chance: Chance) -> PlayersAction:
    hand = hand_of(match)
    assert hand is not None
    offer = hand.offer
    if offer.draw is not None:
        place = place_to_act(hand)
        assert place is not None
        return Discard(tuple(card for card in hand.holes[place] if chance.below(2)))
    if chance.below(9) == 0 and offer.all_in is not None:
        return AllIn()
    bounds = offer.bet or offer.raise_
    if chance.below(6) == 0 and bounds is not None:
        return Bet(bounds.min_to) if offer.bet else Raise(bounds.min_to)
    if offer.check:
        return Check()
    return Call() if chance.below(3) or not offer.fold else Fold()
