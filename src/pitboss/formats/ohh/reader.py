"""Read Open Hand History into records."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec import field

from pitboss.cards import UNKNOWN, Card, is_known, write_cards
from pitboss.formats.ohh import values
from pitboss.formats.ohh.values import (
    HandText,
    OhhError,
    cut_hands,
    get_amount,
    get_cards,
    get_list,
    get_number,
    get_text,
    read_object,
    tidy,
)
from pitboss.formats.scan import HandFound, ReadError, records_of
from pitboss.formats.sites.ledger import PartialHand, Player, infer_blinds, mend
from pitboss.formats.sites.site import common_fields
from pitboss.formats.sites.values import Clock
from pitboss.hand.games import STRUCTURES
from pitboss.records.money import Amount
from pitboss.records.moves import LARGEST_EXPONENT
from pitboss.records.record import MOST_PLAYERS, Record
from pitboss.records.table_fields import BOMB as HOUSE_BOMB
from pitboss.records.table_fields import DEAD_MONEY, RAKE_TAKEN, RUNS, Toml, table_fields

_WIN_EXTRAS = ("cashout_amount", "cashout_fee", "bonus_amount")

_DEEPEST_NESTING = 20

_COPIED_FIELDS = ("tournament_info", "table_handle", "table_skin", "tournament_bounties")


class OhhPlayer(Player, eq=False, kw_only=True):
    """A player, with the data that only this format has."""

    id: int
    fields: Mapping[str, Any]
    spelled: str = ""
    cards: list[list[Card]] = field(default_factory=list)  #: by street

    @property
    def held(self) -> tuple[Card, ...]:
        """All cards of the player, street by street."""
        return tuple([card for dealt in self.cards for card in dealt])


class OhhHand(PartialHand, kw_only=True):
    """A hand that is being read."""

    players: list[OhhPlayer] = field(default_factory=list)  # type: ignore[assignment]  # all are of this kind
    rounds: list[dict[str, Any]] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    later_runs: dict[int, list[str]] = field(default_factory=dict)
    showdown: list[tuple[OhhPlayer, bool]] = field(default_factory=list)  #: players who show (True) or muck
    times_dealt: list[int] = field(default_factory=list)  #: the number of times that each street was dealt
    opened: bool = False  #: whether a player has bet or folded
    runs: int = 1
    bomb: bool = False
    paid: bool = False
    jackpot: Amount = 0
    aside: list[dict[str, Any]] = field(default_factory=list)
    wins: list[dict[str, Any]] = field(default_factory=list)

    @property
    def usual_ante(self) -> Amount:
        """The ante, computed from the players' posts."""
        return max(player.ante for player in self.players)

    @property
    def usual_small(self) -> Amount:
        """The small blind, or the small bet of a stud game, computed from the players' posts."""
        if self.structure.betting.bring_in:
            return self.small
        return next((p.blind for p in self.players if 0 < p.blind < self.big), 0)

    def player(self, action: Mapping[str, Any]) -> OhhPlayer:
        """Return the player with the id in an action. Raise `OhhError` if there is none."""
        asked = get_number(action, "player_id")
        for player in self.players:
            if player.id == asked:
                return player
        raise OhhError(f"player_id: {asked} is not the id of a player")

    def named(self, id: object) -> str | None:
        """Return the name of the player with an id in the record's actions, or None if the player does not exist."""
        return next((player.spelled for player in self.players if player.id == id), None)

    def find_involved(self) -> None:
        """Set `involved` for the players who take part: those with an action that belongs to the hand."""
        for round in self.rounds:
            for action in get_list(round, "actions"):
                if action_of(action) not in values.ASIDE and action.get("player_id") is not None:
                    self.player(action).involved = True

    def live(self) -> list[OhhPlayer]:
        """Return the players who have not folded, in the order of places."""
        return [player for player in self.players if player.involved and not player.folded]


def action_of(action: Mapping[str, Any]) -> str:
    """Return the name of an action as the standard spells it."""
    name = get_text(action, "action")
    return values.SPELLINGS.get(name.lower(), name)


def play_rounds(hand: OhhHand) -> None:
    """Read every round."""
    hand.times_dealt = [0] * len(hand.structure.streets)
    for number, round in enumerate(sorted(hand.rounds, key=lambda entry: get_number(entry, "id", 0))):
        try:
            _play_round(hand, round)
        except ReadError as error:
            raise OhhError(f"round {number + 1}, {error.reason}") from None
    if hand.street < 0:
        raise OhhError("rounds: expected at least one with dealt cards")
    _end_street(hand)


def _play_round(hand: OhhHand, round: Mapping[str, Any]) -> None:
    street = get_text(round, "street")
    actions = get_list(round, "actions")
    if street != values.SHOWDOWN:
        _begin_street(hand, street, get_cards(round), actions)
    for action in actions:
        kind = action_of(action)
        try:
            _play_action(hand, kind, action)
        except ReadError as error:
            raise OhhError(f"action {action.get('action_number', '?')} ({kind[:40]}): {error.reason}") from None


# --- streets and cards


def _begin_street(hand: OhhHand, name: str, cards: Sequence[Card], actions: list[dict[str, Any]]) -> None:
    streets, structure = values.STREETS.get(hand.structure.code, values.STREETS["NT"]), hand.structure
    number = streets.index(name) if name in streets else -1
    if structure.betting.bring_in and number < 0:
        number = hand.street + 1
    if not 0 <= number < len(streets):
        raise OhhError(f"street: expected one of {', '.join(streets)}, got {name[:40]!r}")
    hand.times_dealt[number] += 1
    run = hand.times_dealt[number]
    if run > 1 and number:
        hand.runs = max(hand.runs, run)
        hand.later_runs.setdefault(run, []).append(_board(structure.streets[number].board, cards))
        return
    if number != hand.street + 1:
        raise OhhError(f"{name} cannot follow {streets[hand.street] if hand.street >= 0 else 'nothing'}")
    _end_street(hand)
    hand.street, hand.price = number, 0
    for player in hand.players:
        player.street = 0
    due = structure.streets[number]
    if due.own and not cards:
        _deal(hand, actions)
    if due.board or cards:
        hand.actions.append(_board(due.board or 1, cards))


def _board(due: int, cards: Sequence[Card]) -> str:
    if cards and len(cards) != due:
        raise OhhError(f"cards: expected {due} for the board, got {len(cards)}")
    return f"d db {write_cards(cards or (UNKNOWN,) * due)}"


def _deal(hand: OhhHand, actions: list[dict[str, Any]]) -> None:
    """Deal to every player who has not folded. Cards that are not given are unknown until `_tell_cards`."""
    street = hand.structure.streets[hand.street]
    named = {get_number(a, "player_id"): get_cards(a) for a in actions if action_of(a) == values.DEALT}
    for player in hand.live():
        cards = list(named.get(player.id, ()))
        if len(cards) > street.own:
            raise OhhError(f"cards: expected at most {street.own} for {player.name!r}, got {len(cards)}")
        up = cards[max(0, len(cards) - street.up) :] if street.up else []
        down = cards[: len(cards) - len(up)]
        up = [UNKNOWN] * (street.up - len(up)) + up
        player.cards.append(down + [UNKNOWN] * (street.hole - len(down)) + up)
        hand.actions.append(f"d dh {player.spelled} {len(player.cards) - 1}")


def _tell_cards(hand: OhhHand) -> None:
    """Put the players' cards into the deals. They include cards that were shown later."""
    by_name = {player.spelled: player for player in hand.players}
    for number, text in enumerate(hand.actions):
        if text.startswith("d dh "):
            _, _, who, at = text.split()
            hand.actions[number] = f"d dh {who} {write_cards(by_name[who].cards[int(at)])}"


def _learn(player: OhhPlayer, cards: Sequence[Card]) -> None:
    """Replace a player's unknown cards. Raise `OhhError` if known cards differ."""
    held = player.held
    known = [card for card in held if is_known(card)]
    fresh = [card for card in cards if card not in known and is_known(card)]
    if len(fresh) > len(held) - len(known) or (len(cards) == len(held) and not set(known) <= set(cards)):
        raise OhhError(f"cards: expected the cards that {player.name!r} had before")
    for dealt in player.cards:
        for at, card in enumerate(dealt):
            if not is_known(card) and fresh:
                dealt[at] = fresh.pop(0)


# --- actions


def _play_action(hand: OhhHand, kind: str, action: Mapping[str, Any]) -> None:
    if kind in values.ASIDE:
        hand.aside.append({name: value for name, value in action.items() if name != "action_number"})
    elif kind == values.ADDED and action.get("player_id") is None:
        hand.dropped += get_amount(action, "amount")
        hand.pot += get_amount(action, "amount")
    elif kind in values.POSTS or kind == values.ADDED:
        _post(hand, hand.player(action), kind, get_amount(action, "amount"))
    elif kind in (values.FOLD, values.CHECK, values.CALL, values.BET, values.RAISE):
        _bet(hand, hand.player(action), kind, get_amount(action, "amount"))
    elif kind in (values.SHOWS, values.MUCKS):
        player, cards = hand.player(action), get_cards(action)
        if cards:
            _learn(player, cards)
        hand.showdown.append((player, kind == values.SHOWS))
    elif kind != values.DEALT:
        mend(hand, f"action: {kind[:40]!r} is not an action of the format")


def _pay(hand: OhhHand, player: OhhPlayer, amount: Amount) -> None:
    if amount > player.left:
        raise OhhError(f"amount: expected at most {player.left}, the stack of {player.name!r}, got {amount}")
    player.left -= amount
    hand.pot += amount


def _post(hand: OhhHand, player: OhhPlayer, kind: str, amount: Amount) -> None:
    _pay(hand, player, amount)
    if kind == values.ANTE:
        player.ante += amount
        return
    if kind in (values.DEAD, values.ADDED):
        player.dead += amount
        return
    if hand.structure.betting.bring_in:
        hand.actions.append(f"{player.spelled} pb")
        hand.bring_in = amount
        player.street += amount
        hand.price = max(hand.price, amount)
        return
    due = {values.SMALL: hand.small, values.STRADDLE: 2 * hand.big}.get(kind, hand.big)
    due = amount if player.left else max(amount, due)
    late = kind == values.EXTRA or (kind == values.BIG and hand.big_posted)
    hand.big_posted |= kind == values.BIG
    player.blind += -due if late else due
    player.street += amount
    hand.price = max(hand.price, due)


def _bet(hand: OhhHand, player: OhhPlayer, kind: str, amount: Amount) -> None:
    if not hand.opened:
        hand.opened = True
        if not hand.bomb:
            infer_blinds(hand)
    if kind == values.FOLD:
        player.folded = True
        hand.actions.append(f"{player.spelled} f")
        return
    _pay(hand, player, amount)
    player.street += amount
    if kind in (values.BET, values.RAISE):
        if player.street <= hand.price and player.left:
            raise OhhError(f"amount: expected a raise above {hand.price}, got {player.street}")
        hand.price = max(hand.price, player.street)
        hand.actions.append(f"{player.spelled} cbr {tidy(player.street)}")
        return
    if player.left and player.street != hand.price:
        raise OhhError(f"amount: expected {hand.price} in total, got {player.street}")
    hand.actions.append(f"{player.spelled} cc")


def _end_street(hand: OhhHand) -> None:
    """Store the uncalled part of the highest bet on the street that ends."""
    bets = sorted(hand.players, key=lambda player: player.street)
    over = bets[-1].street - bets[-2].street if len(bets) > 1 else 0
    if over and not bets[-1].folded:
        hand.bettor, hand.uncalled = bets[-1], over


# --- the showdown


def _play_showdown(hand: OhhHand) -> None:
    """Add the boards of later runs to the actions, then shows, then mucks.

    If a player showed or mucked, players who did neither and won nothing have mucked.
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


def _pay_pots(hand: OhhHand, pots: list[dict[str, Any]]) -> None:
    """Pay the pots to their winners. An uncalled bet is returned; some programs include it in the pots."""
    if not pots:
        mend(hand, "pots: missing, so the winners are unknown")
        return
    total = sum([get_amount(pot, "amount") for pot in pots])
    hand.jackpot = sum([get_amount(pot, "jackpot") for pot in pots])
    hand.rake = sum([get_amount(pot, "rake") for pot in pots]) + hand.jackpot
    for pot in pots:
        for win in get_list(pot, "player_wins"):
            hand.player(win).won += get_amount(win, "win_amount")
            _keep_beside(hand, win)
    won = sum([player.won for player in hand.players])
    if won + hand.rake != total:
        raise OhhError(f"pots: expected winnings and rake of {total}, got {won} and {hand.rake}")
    _return_uncalled(hand, total)
    for player in hand.players:
        player.left += player.won
    hand.paid = True


def _return_uncalled(hand: OhhHand, total: Any) -> None:
    owner, over = hand.bettor, hand.uncalled
    if total not in (hand.pot, hand.pot - over):
        raise OhhError(f"pots: expected a total of {hand.pot - over}, the chips put in, got {total}")
    if owner is None:
        return
    if total == hand.pot:
        if owner.won < over:
            raise OhhError(f"pots: expected {owner.name!r} to receive at least {over}, the uncalled bet")
        owner.won -= over
    owner.left += over


def _keep_beside(hand: OhhHand, win: Mapping[str, Any]) -> None:
    """Store what a player was paid in addition to the pot."""
    beside = {name: get_amount(win, name, negative=True) for name in _WIN_EXTRAS}
    if any(beside.values()):
        hand.wins.append(
            {"player": hand.player(win).spelled} | {name: amount for name, amount in beside.items() if amount}
        )


def read_ohh(text: str, name: str = "") -> list[Record]:
    """Return the hands in a text. Raise `OhhError` if one cannot be read.

    >>> from pitboss import Record
    >>> from pitboss.formats import read_ohh, write_ohh
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> read_ohh(write_ohh(record))[0].players
    ('Ann', 'Bo')
    """
    return records_of(scan_ohh(enumerate(text.split("\n"), 1), name))


def scan_ohh(lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Yield every hand in the numbered lines of a file."""
    for hand in cut_hands(lines):
        yield _find(hand, name, lenient)


def _find(text: HandText, name: str, lenient: bool) -> HandFound:
    hand = OhhHand(lenient=lenient, line=text.line)
    try:
        record = _read(hand, read_object(text, name))
    except ReadError as error:
        if not error.line:
            error = OhhError(error.reason, name=name, line=text.line)
        return HandFound(text.line, error=error)
    return HandFound(text.line, record, notes=tuple(hand.notes))


def _read(hand: OhhHand, fields: Mapping[str, Any]) -> Record:
    hand.structure = structure = STRUCTURES[_game(fields)]
    hand.small, hand.big = get_amount(fields, "small_blind_amount"), get_amount(fields, "big_blind_amount")
    hand.players = _players(fields)
    hand.bomb = values.BOMB in _flags(fields)
    hand.rounds = get_list(fields, "rounds")
    hand.button = get_number(fields, "dealer_seat")
    _seat(hand)
    play_rounds(hand)
    _pay_pots(hand, get_list(fields, "pots"))
    _play_showdown(hand)
    if structure.betting.bring_in:
        hand.bring_in = hand.bring_in or _unpaid_bring_in(hand)
    if structure.betting.exact and structure.betting.bring_in:
        hand.big, hand.big_bet = hand.small, hand.big
    else:
        hand.big_bet = structure.usual_big_bet(hand.big) or 0
    return _record(hand, fields)


# --- the table


def _game(fields: Mapping[str, Any]) -> str:
    game, limit = get_text(fields, "game_type"), fields.get("bet_limit")
    if not isinstance(limit, dict):
        raise OhhError("bet_limit: missing; expected an object with bet_type")
    kind = get_text(limit, "bet_type")
    if game == values.UNNAMED:
        raise OhhError("game_type: Draw can be any draw game, and the format has no action for a discard")
    code = values.GAMES.get((game, kind))
    if code is None:
        raise OhhError(f"game_type: {game!r} with bet_type {kind!r} is not a game of the format")
    most = 0
    for round in get_list(fields, "rounds") if game == "Omaha" else ():
        for action in get_list(round, "actions"):
            most = max(most, len(action.get("cards") or ()))
    return code[0] + values.DEEPER[most] if most in values.DEEPER else code


def _flags(fields: Mapping[str, Any]) -> tuple[str, ...]:
    flags = fields.get("flags") or ()
    if not isinstance(flags, list | tuple) or not all(isinstance(flag, str) for flag in flags):
        raise OhhError("flags: expected a list of strings")
    return tuple(flags)


def _players(fields: Mapping[str, Any]) -> list[OhhPlayer]:
    players: list[OhhPlayer] = []
    listed = get_list(fields, "players")
    if len(listed) > MOST_PLAYERS:
        raise OhhError(f"players: expected at most {MOST_PLAYERS}, got {len(listed)}")
    for entry in listed:
        id, seat, stack = get_number(entry, "id"), get_number(entry, "seat"), get_amount(entry, "starting_stack")
        if any(id == other.id or seat == other.seat for other in players):
            raise OhhError(f"players: expected different ids and seats, got id {id} and seat {seat} again")
        sits_out = entry.get("is_sitting_out") is True
        name = get_text(entry, "name")
        players.append(OhhPlayer(seat, name, stack, sits_out, left=stack, id=id, fields=entry))
    return players


def _seat(hand: OhhHand) -> None:
    """Order the players clockwise, starting with the first player left of the button who takes part."""
    hand.find_involved()
    around = sorted(hand.players, key=lambda player: player.seat)
    around = [p for p in around if p.seat > hand.button] + [p for p in around if p.seat <= hand.button]
    playing = [player for player in around if player.involved]
    if len(playing) < 2:
        raise OhhError(f"players: expected at least 2 who take part, got {len(playing)}")
    first = around.index(playing[0])
    hand.players = around[first:] + around[:first]
    for number, player in enumerate(hand.players, 1):
        player.spelled = f"p{number}"


# --- the record


def _record(hand: OhhHand, fields: Mapping[str, Any]) -> Record:
    players, info = hand.players, fields.get("tournament_info")
    own = _own(hand, fields)
    start = _start(fields, hand)
    if isinstance(info, dict):
        hand.event = get_text(info, "name") or get_text(info, "tournament_number")
    if start:
        hand.clock = Clock(start.date(), start.time())
    hand.currency = get_text(fields, "currency")
    hand.symbol = values.SYMBOLS.get(hand.currency, "")
    hand.venue, hand.table = get_text(fields, "site_name"), get_text(fields, "table_name") or None
    hand.seat_count = get_number(fields, "table_size") if fields.get("table_size") is not None else None
    return Record(
        **common_fields(hand, players, tidy) | {"hand": _hand(get_text(fields, "game_number"))},
        actions=tuple(hand.actions),
        time_zone="UTC" if start else None,
        finishing_stacks=tuple(tidy(p.left) for p in players) if hand.paid else None,
        winnings=tuple(tidy(p.won) for p in players) if hand.paid else None,
        user=_user(hand) | {values.FIELD: own},
    )


def _unpaid_bring_in(hand: OhhHand) -> Amount:
    """Return half the small bet, which is the usual bring-in, for a hand in which no player paid it."""
    return hand.small // 2 if type(hand.small) is int and hand.small > 1 else tidy(Decimal(hand.small) / 2)


def _hand(number: str) -> int | str | None:
    plain = number.isascii() and number.isdigit() and len(number) < 19 and str(int(number)) == number
    return int(number) if plain else number or None


def _start(fields: Mapping[str, Any], hand: OhhHand) -> dt.datetime | None:
    text = get_text(fields, "start_date_utc")
    if not text:
        return None
    try:
        start = dt.datetime.fromisoformat(text)
        return start if start.tzinfo is None else start.astimezone(dt.UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        mend(hand, f"start_date_utc: expected a date, got {text[:40]!r}")
        return None


def _user(hand: OhhHand) -> dict[str, Toml]:
    user: dict[str, Toml] = {}
    if hand.paid:
        user[RAKE_TAKEN] = tidy(hand.rake)
    if hand.runs > 1:
        user[RUNS] = hand.runs
    if hand.bomb:
        user[HOUSE_BOMB] = True
    if hand.dropped:
        user[DEAD_MONEY] = tidy(hand.dropped)
    return user | table_fields([not p.involved for p in hand.players], [tidy(p.dead) for p in hand.players])


def _own(hand: OhhHand, fields: Mapping[str, Any]) -> dict[str, Toml]:
    """Return the data of the format for which a record has no field. Usual values are not included."""
    players = hand.players
    own: dict[str, Any] = {name: fields.get(name) for name in _COPIED_FIELDS}
    for name, usual in (("network_name", get_text(fields, "site_name")), ("internal_version", values.VERSION)):
        said = get_text(fields, name)
        own[name] = said if said != usual else None
    own["tournament"] = fields.get("tournament") is True or isinstance(fields.get("tournament_info"), dict)
    own["flags"] = tuple(flag for flag in _flags(fields) if flag not in (values.TWICE, values.BOMB))
    button = get_number(fields, "dealer_seat")
    last = [player.seat for player in players if player.involved][-1]
    own["dealer_seat"] = button if button != last else None
    ids = tuple(player.id for player in players)
    own["ids"] = ids if ids != tuple(range(len(ids))) else None
    own["hero"] = hand.named(fields.get("hero_player_id"))
    own["bet_cap"] = get_amount(fields["bet_limit"], "bet_cap") or None
    own["ante_amount"] = None if get_amount(fields, "ante_amount") == hand.usual_ante else fields.get("ante_amount")
    own["small_blind_amount"] = fields.get("small_blind_amount") if hand.small != hand.usual_small else None
    own["displays"] = _each(players, "display", "")
    own["bounties"] = _each(players, "player_bounty", 0)
    own["waiting"] = tuple(player.spelled for player in players if player.marked and player.involved)
    own["present"] = tuple(player.spelled for player in players if not player.marked and not player.involved)
    own["shows"] = tuple(player.spelled for player in players if player.shows)
    own["aside"] = tuple(hand.aside)
    own["wins"] = tuple(hand.wins)
    own["jackpot"] = hand.jackpot or None
    frozen = {name: _frozen(value) for name, value in own.items() if value is not None and value is not False}
    return {name: value for name, value in frozen.items() if value not in ((), {}, "")}


def _each(players: list[OhhPlayer], name: str, default: object) -> tuple[Any, ...]:
    """Return a field of all players, or an empty tuple if no player has it."""
    given = [player.fields.get(name) for player in players]
    return tuple(default if value is None else value for value in given) if any(given) else ()


def _frozen(value: Any, depth: int = 0) -> Any:
    """Return a JSON value for a record: lists become tuples, and nulls are removed."""
    if depth > _DEEPEST_NESTING:
        raise OhhError(f"expected at most {_DEEPEST_NESTING} levels of nested objects")
    if isinstance(value, dict):
        return {key: _frozen(entry, depth + 1) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return tuple(_frozen(entry, depth + 1) for entry in value if entry is not None)
    if type(value) is Decimal and abs(value.adjusted()) > LARGEST_EXPONENT:
        raise OhhError(f"expected numbers with an exponent of at most {LARGEST_EXPONENT}")
    return tidy(value) if type(value) is Decimal else value
