"""One hand of Open Hand History, round by round: players, their chips and cards, and the moves of its record."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from pitboss.cards import UNKNOWN, Card, is_known, write_cards
from pitboss.hand.games import STRUCTURES
from pitboss.notation.chips import Amount
from pitboss.notation.ohh.objects import OhhError, get_amount, get_cards, get_list, get_number, get_text, tidy
from pitboss.notation.ohh.words import (
    ADDED,
    ANTE,
    ASIDE,
    BET,
    BIG,
    CALL,
    CHECK,
    DEAD,
    DEALT,
    EXTRA,
    FOLD,
    MUCKS,
    POSTS,
    RAISE,
    SHOWDOWN,
    SHOWS,
    SMALL,
    SPELLINGS,
    STRADDLE,
    STREETS,
)


class PlayerRead(Struct, eq=False):
    """Somebody in a seat, and all that has been read of him."""

    id: int
    seat: int
    name: str
    start: Amount
    left: Amount
    fields: Mapping[str, Any]
    sits_out: bool = False  #: said to sit out
    involved: bool = False
    spelled: str = ""
    ante: Amount = 0
    blind: Amount = 0  #: as it was due, even where he could not pay it all; below zero: out of turn
    dead: Amount = 0
    street: Amount = 0  #: live chips of this street
    won: Amount = 0
    folded: bool = False
    shown: tuple[Card, ...] = ()
    mucked: bool = False
    shows: bool = False  #: turns cards up without need
    cards: list[list[Card]] = field(default_factory=list)  #: by street

    @property
    def held(self) -> tuple[Card, ...]:
        """All his cards."""
        return tuple([card for dealt in self.cards for card in dealt])


class HandRead(Struct):
    """A hand as far as it has been read."""

    code: str
    small: Amount
    big: Amount
    notes: list[str] | None = None  #: what lenient reading mended; None: nothing is
    players: list[PlayerRead] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    later_runs: dict[int, list[str]] = field(default_factory=dict)
    showdown: list[tuple[PlayerRead, bool]] = field(default_factory=list)  #: who shows, or else mucks
    street: int = -1
    boards: list[int] = field(default_factory=list)  #: how often each street was dealt
    asked: Amount = 0
    pot: Amount = 0
    added: Amount = 0  #: what the house laid into the pot
    bring_in: Amount = 0
    big_posted: bool = False
    opened: bool = False  #: somebody has bet or folded
    runs: int = 1
    bomb: bool = False
    paid: bool = False
    rake: Amount = 0
    jackpot: Amount = 0
    uncalled: tuple[PlayerRead, Amount] | None = None
    aside: list[dict[str, Any]] = field(default_factory=list)
    wins: list[dict[str, Any]] = field(default_factory=list)

    @property
    def usual_ante(self) -> Amount:
        """The ante that the players' posts say."""
        return max(player.ante for player in self.players)

    @property
    def usual_small(self) -> Amount:
        """The small blind that the players' posts say; in stud the small bet."""
        if STRUCTURES[self.code].betting.bring_in:
            return self.small
        return next((p.blind for p in self.players if 0 < p.blind < self.big), 0)

    def mend(self, sentence: str) -> None:
        """Note what lenient reading goes on without; strictly it is an error."""
        if self.notes is None:
            raise OhhError(sentence)
        self.notes.append(sentence)

    def player(self, action: Mapping[str, Any]) -> PlayerRead:
        """Whoever acts."""
        asked = get_number(action, "player_id")
        for player in self.players:
            if player.id == asked:
                return player
        raise OhhError(f"there is no player of id {asked}: players lists all who act")

    def named(self, id: object) -> str | None:
        """How the record spells the player of an id; None where there is none."""
        return next((player.spelled for player in self.players if player.id == id), None)

    def find_involved(self) -> None:
        """Mark who takes part: whoever does or gets anything that belongs to the hand."""
        for round in self.rounds:
            for action in get_list(round, "actions"):
                if action_of(action) not in ASIDE and action.get("player_id") is not None:
                    self.player(action).involved = True

    def live(self) -> list[PlayerRead]:
        """Who is still in, in the order of places."""
        return [player for player in self.players if player.involved and not player.folded]


def action_of(action: Mapping[str, Any]) -> str:
    """What an action is called, in the standard's spelling."""
    name = get_text(action, "action")
    return SPELLINGS.get(name.lower(), name)


def play_rounds(hand: HandRead) -> None:
    """Read every round."""
    hand.boards = [0] * len(STRUCTURES[hand.code].streets)
    for number, round in enumerate(sorted(hand.rounds, key=lambda entry: get_number(entry, "id", 0))):
        try:
            _play_round(hand, round)
        except OhhError as error:
            raise OhhError(f"round {number + 1}, {error.reason}") from None
    if hand.street < 0:
        raise OhhError("rounds has nothing that was dealt")
    _end_street(hand)


def _play_round(hand: HandRead, round: Mapping[str, Any]) -> None:
    street = get_text(round, "street")
    actions = get_list(round, "actions")
    if street != SHOWDOWN:
        _begin_street(hand, street, get_cards(round), actions)
    for action in actions:
        kind = action_of(action)
        try:
            _play_action(hand, kind, action)
        except OhhError as error:
            raise OhhError(f"action {action.get('action_number', '?')} ({kind[:40]}): {error.reason}") from None


# --- streets and cards


def _begin_street(hand: HandRead, name: str, cards: Sequence[Card], actions: list[dict[str, Any]]) -> None:
    streets, structure = STREETS.get(hand.code, STREETS["NT"]), STRUCTURES[hand.code]
    number = streets.index(name) if name in streets else -1
    if structure.betting.bring_in and number < 0:
        number = hand.street + 1
    if not 0 <= number < len(streets):
        raise OhhError(f"street {name[:40]!r} is none of {', '.join(streets)}")
    hand.boards[number] += 1
    run = hand.boards[number]
    if run > 1 and number:
        hand.runs = max(hand.runs, run)
        hand.later_runs.setdefault(run, []).append(_board(structure.streets[number].board, cards))
        return
    if number != hand.street + 1:
        raise OhhError(f"{name} cannot follow {streets[hand.street] if hand.street >= 0 else 'nothing'}")
    _end_street(hand)
    hand.street, hand.asked = number, 0
    for player in hand.players:
        player.street = 0
    due = structure.streets[number]
    if due.own and not cards:
        _deal(hand, actions)
    if due.board or cards:
        hand.actions.append(_board(due.board or 1, cards))


def _board(due: int, cards: Sequence[Card]) -> str:
    if cards and len(cards) != due:
        raise OhhError(f"{len(cards)} cards are put in the middle where {due} belong")
    return f"d db {write_cards(cards or (UNKNOWN,) * due)}"


def _deal(hand: HandRead, actions: list[dict[str, Any]]) -> None:
    """Deal to everybody who is in, unknown cards where none are named; the moves are spelled when all is known."""
    street = STRUCTURES[hand.code].streets[hand.street]
    named = {get_number(a, "player_id"): get_cards(a) for a in actions if action_of(a) == DEALT}
    for player in hand.live():
        cards = list(named.get(player.id, ()))
        if len(cards) > street.own:
            raise OhhError(f"{len(cards)} cards are dealt to {player.name!r} where {street.own} belong")
        up = cards[max(0, len(cards) - street.up) :] if street.up else []
        down = cards[: len(cards) - len(up)]
        up = [UNKNOWN] * (street.up - len(up)) + up
        player.cards.append(down + [UNKNOWN] * (street.hole - len(down)) + up)
        hand.actions.append(f"d dh {player.spelled} {len(player.cards) - 1}")


def _tell_cards(hand: HandRead) -> None:
    """Spell the deals, now that shown cards are known too."""
    by_name = {player.spelled: player for player in hand.players}
    for number, text in enumerate(hand.actions):
        if text.startswith("d dh "):
            _, _, who, at = text.split()
            hand.actions[number] = f"d dh {who} {write_cards(by_name[who].cards[int(at)])}"


def _learn(player: PlayerRead, cards: Sequence[Card]) -> None:
    """Take cards for a player's own; they must agree with what was known of them."""
    held = player.held
    known = [card for card in held if is_known(card)]
    fresh = [card for card in cards if card not in known and is_known(card)]
    if len(fresh) > len(held) - len(known) or (len(cards) == len(held) and not set(known) <= set(cards)):
        raise OhhError(f"{player.name!r} had other cards before")
    for dealt in player.cards:
        for at, card in enumerate(dealt):
            if not is_known(card) and fresh:
                dealt[at] = fresh.pop(0)


# --- actions


def _play_action(hand: HandRead, kind: str, action: Mapping[str, Any]) -> None:
    if kind in ASIDE:
        hand.aside.append({name: value for name, value in action.items() if name != "action_number"})
    elif kind == ADDED and action.get("player_id") is None:
        hand.added += get_amount(action, "amount")
        hand.pot += get_amount(action, "amount")
    elif kind in POSTS or kind == ADDED:
        _post(hand, hand.player(action), kind, get_amount(action, "amount"))
    elif kind in (FOLD, CHECK, CALL, BET, RAISE):
        _bet(hand, hand.player(action), kind, get_amount(action, "amount"))
    elif kind in (SHOWS, MUCKS):
        player, cards = hand.player(action), get_cards(action)
        if cards:
            _learn(player, cards)
        hand.showdown.append((player, kind == SHOWS))
    elif kind != DEALT:
        hand.mend(f"{kind[:40]!r} is no action of Open Hand History")


def _pay(hand: HandRead, player: PlayerRead, amount: Amount) -> None:
    if amount > player.left:
        raise OhhError(f"{player.name!r} has {player.left} left, not {amount}")
    player.left -= amount
    hand.pot += amount


def _post(hand: HandRead, player: PlayerRead, kind: str, amount: Amount) -> None:
    _pay(hand, player, amount)
    if kind == ANTE:
        player.ante += amount
        return
    if kind in (DEAD, ADDED):
        player.dead += amount
        return
    if STRUCTURES[hand.code].betting.bring_in:
        hand.actions.append(f"{player.spelled} pb")
        hand.bring_in = amount
        player.street += amount
        hand.asked = max(hand.asked, amount)
        return
    due = {SMALL: hand.small, STRADDLE: 2 * hand.big}.get(kind, hand.big)
    due = amount if player.left else max(amount, due)
    late = kind == EXTRA or (kind == BIG and hand.big_posted)
    hand.big_posted |= kind == BIG
    player.blind += -due if late else due
    player.street += amount
    hand.asked = max(hand.asked, due)


def _infer_blinds(hand: HandRead) -> None:
    """Who gave his last chips as an ante has no action for his blind, but the others have to call it."""
    around = [player for player in hand.players if player.involved]
    first = around[1] if len(around) == 2 else around[0]
    posted = [place for place, player in enumerate(around) if player.blind > 0]
    after = [around[(place + 1) % len(around)] for place in posted]
    big = None if hand.big_posted else next((p for p in after if not p.left and not p.blind), None)
    if big is not None:
        big.blind = hand.big
        hand.asked = max(hand.asked, hand.big)
    if not first.left and not first.blind and hand.big_posted:
        first.blind = hand.small


def _bet(hand: HandRead, player: PlayerRead, kind: str, amount: Amount) -> None:
    if not hand.opened:
        hand.opened = True
        if not hand.bomb and not STRUCTURES[hand.code].betting.bring_in:
            _infer_blinds(hand)
    if kind == FOLD:
        player.folded = True
        hand.actions.append(f"{player.spelled} f")
        return
    _pay(hand, player, amount)
    player.street += amount
    if kind in (BET, RAISE):
        if player.street <= hand.asked and player.left:
            raise OhhError(f"{player.street} is no more than the {hand.asked} asked for")
        hand.asked = max(hand.asked, player.street)
        hand.actions.append(f"{player.spelled} cbr {tidy(player.street)}")
        return
    if player.left and player.street != hand.asked:
        raise OhhError(f"{player.street} is put in where {hand.asked} are asked for")
    hand.actions.append(f"{player.spelled} cc")


def _end_street(hand: HandRead) -> None:
    """What nobody called of a street's highest bet."""
    bets = sorted(hand.players, key=lambda player: player.street)
    over = bets[-1].street - bets[-2].street if len(bets) > 1 else 0
    if over and not bets[-1].folded:
        hand.uncalled = bets[-1], over


# --- the showdown


def show_down(hand: HandRead) -> None:
    """Boards that were run again, shows, then mucks.

    Who did neither and won nothing has mucked, where anybody showed or mucked.
    """
    for run in sorted(hand.later_runs):
        hand.actions += hand.later_runs[run]
    live, shown = hand.live(), []
    for player, shows in hand.showdown:
        if len(live) < 2 or player not in live:
            player.shows |= shows
        elif shows and player not in shown and all(map(is_known, player.held)):
            shown.append(player)
            hand.actions.append(f"{player.spelled} sm {write_cards(player.held)}")
        elif not shows:
            player.mucked = True
    if len(live) > 1 and (shown or any(player.mucked for player in live)):
        for player in live:
            if player not in shown and (player.mucked or not player.won):
                hand.actions.append(f"{player.spelled} sm")
    _tell_cards(hand)
