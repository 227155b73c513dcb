"""Write records as Open Hand History, with one JSON object per hand and exact amounts."""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised
from pitboss.cards import Card, is_known
from pitboss.formats.ohh import values
from pitboss.formats.ohh.reader import read_ohh
from pitboss.formats.ohh.values import OhhError
from pitboss.hand.events import BoardDealt, Event, HoleDealt, Mucked, Raked, Shown, UpDealt, Won
from pitboss.hand.games import STRUCTURES
from pitboss.records.debts import debts_as_posts
from pitboss.records.lenient import replay_leniently, roundtrip_difference
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError, find_collected, whole_pot, won_by_rules
from pitboss.records.table_fields import DEAD_PAID, RAKE_TAKEN, LineupError, rake_taken

_ENCODER = msgspec.json.Encoder(decimal_format="number")
_ZONES = {"ET": "America/New_York"}
_UTC = ("UTC", "GMT", "Z")


class Writing(Struct, frozen=True):
    """A record that is being written, with its replay."""

    record: Record
    played: Replay
    own: Mapping[str, Any]
    ids: tuple[int, ...]  #: the id of each player of the record
    seats: tuple[int, ...]

    def id(self, place: int) -> int:
        """Return the id of the player at a place."""
        return self.ids[self.played.lineup.players[place]]

    def marked(self, what: str) -> tuple[str, ...]:
        """Return the names, such as `p3`, in a list of players that the record has for this format."""
        named = self.own.get(what)
        return tuple(map(str, named)) if isinstance(named, tuple) else ()

    def tables(self, what: str) -> list[dict[str, Any]]:
        """Return a list of objects that the record has for this format."""
        held = self.own.get(what)
        return [dict(entry) for entry in held if isinstance(entry, Mapping)] if isinstance(held, tuple) else []

    def money(self, chips: int) -> Amount:
        """Return chips of the replay in the record's money."""
        return self.played.unit.amount(chips)

    def collected(self) -> dict[int, int]:
        """Return the chips that each place collects."""
        return find_collected(self.record, self.played)

    def blinds(self) -> list[Amount]:
        """Return the blind or straddle of each place."""
        n = len(self.ids)
        return self.played.lineup.by_place(self.record.blinds_or_straddles or (0,) * n, n, "blinds")


class _Rounds:
    """The rounds of a hand that is being written."""

    def __init__(self, writing: Writing) -> None:
        self.writing = writing
        self.code = writing.record.variant
        self.rounds: list[dict[str, Any]] = []
        self.street = 0
        self.held = dict.fromkeys(
            range(len(writing.played.lineup.players)), 0
        )  #: the number of cards that each place has been dealt
        self.dealt: dict[int, list[Card]] = {}
        self.showdown: list[tuple[str, int, tuple[Card, ...]]] = []
        self.posting = _post_names(writing)
        self.open(0)

    def open(self, street: int, cards: tuple[Card, ...] = ()) -> None:
        """Begin a round."""
        self.street = street
        known = list(cards) if all(map(is_known, cards)) else []
        name = values.STREETS[self.code][street]
        self.rounds.append({"id": len(self.rounds), "street": name, "cards": known, "actions": []})

    def add(self, action: str, place: int | None, chips: int = 0, *, all_in: bool = False) -> dict[str, Any]:
        """Add an action."""
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
        """Add the cards that a player is dealt on a street, except unknown ones."""
        before, hole_by_street = self.held[place], STRUCTURES[self.code].hole_by_street
        self.held[place] += len(cards)
        street = next(number for number, own in enumerate(hole_by_street) if own > before)
        if street != self.street:
            self.open(street)
            self.dealt = {}
        known = [card for card in cards if is_known(card)]
        if place in self.dealt:
            self.dealt[place] += known
        else:
            self.dealt[place] = known
            self.add(values.DEALT, place)["cards"] = known

    def happen(self, event: Event) -> None:
        """Add an event."""
        match event:
            case Posted(place=place, amount=amount, all_in=all_in):
                self.add(next(self.posting[place, event.live]), place, amount, all_in=all_in)
            case HoleDealt(place=place, cards=cards) | UpDealt(place=place, cards=cards):
                self.deal(place, cards)
            case BoardDealt(street=name, cards=cards):
                streets = STRUCTURES[self.code].streets
                self.open(next(number for number, street in enumerate(streets) if street.name == name), cards)
            case Folded(place=place):
                self.add(values.FOLD, place)
            case Checked(place=place):
                self.add(values.CHECK, place)
            case Called(place=place, amount=amount, all_in=all_in):
                self.add(values.CALL, place, amount, all_in=all_in)
            case BroughtIn(place=place, amount=amount, all_in=all_in):
                self.add(values.EXTRA, place, amount, all_in=all_in)
            case Raised(place=place, amount=amount, all_in=all_in):
                opens = event.opening and self.street > 0
                self.add(values.BET if opens else values.RAISE, place, amount, all_in=all_in)
            case Shown(place=place, cards=cards):
                self.showdown.append((values.SHOWS, place, cards))
            case Mucked(place=place):
                self.showdown.append((values.MUCKS, place, ()))
            case _:
                pass

    def finish(self) -> list[dict[str, Any]]:
        """Add shows and mucks at the showdown, and cards that were shown voluntarily."""
        line, hand = self.writing.played.lineup, self.writing.played.hand
        for place, player in enumerate(line.players):
            if f"p{player + 1}" in self.writing.marked("shows"):
                self.showdown.append((values.SHOWS, place, hand.holes[place]))
        if self.showdown:
            self.rounds.append({"id": len(self.rounds), "street": values.SHOWDOWN, "cards": [], "actions": []})
        last: dict[int, tuple[str, int, tuple[Card, ...]]] = {}
        for shown in self.showdown:  # a player who shows before the last cards are dealt shows again afterwards
            last[shown[1]] = shown
        for action, place, cards in last.values():
            entry = self.add(action, place)
            if cards:
                entry["cards"] = [card for card in cards if is_known(card)]
        for beside in self.writing.tables("aside"):
            self.rounds[0]["actions"].append({"action_number": len(self.rounds[0]["actions"]) + 1} | beside)
        return self.rounds


def rounds(writing: Writing) -> list[dict[str, Any]]:
    """Return all rounds of a hand."""
    found = _Rounds(writing)
    dead = writing.played.hand.stakes.dead
    if dead:
        found.add(values.ADDED, None, dead)
    for event in writing.played.chip_events:
        found.happen(event)
    return found.finish()


def _post_names(writing: Writing) -> dict[tuple[int, bool], Any]:
    """Return the names of each place's live posts, and the names of its dead posts, in order."""
    stakes = writing.played.hand.stakes
    big, posted = stakes.min_bet, False
    names: dict[tuple[int, bool], Any] = {}
    for place in range(len(writing.played.lineup.players)):
        ante = bool(stakes.antes and stakes.antes[place])
        names[place, False] = iter([values.ANTE] * ante + [values.DEAD] * 2)
        due = next((post for post in stakes.posts if post.place == place and post.live), None)
        if due is None or not due.option:
            name = values.EXTRA
        elif due.amount == big and not posted:
            name, posted = values.BIG, True
        else:
            name = values.SMALL if due.amount < big else values.STRADDLE
        names[place, True] = iter([name])
    return names


# --- pots


def pots(writing: Writing) -> list[dict[str, Any]]:
    """Return the pots, each with its amount, rake and winners."""
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
    """Change the payments to those in the record. They differ if the house took all of its rake from one pot."""
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
    """Add what players were paid in addition to the pots to the first pot that each of them won."""
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


def write_ohh(record: Record) -> str:
    """Return a hand as one line of Open Hand History. An incomplete record is completed as by `replay_leniently`.

    >>> from pitboss import Record
    >>> from pitboss.formats import write_ohh
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> write_ohh(record)[:8]
    '{"ohh":{'
    """
    writing = _play(record)
    text = _ENCODER.encode({"ohh": _object(writing)}).decode()
    _check(writing, text)
    return text


def _play(record: Record) -> Writing:
    if record.variant not in values.NAMES:
        name = STRUCTURES[record.variant].name if record.variant in STRUCTURES else record.variant
        raise OhhError(f"Open Hand History has no name for {name}")
    if any(isinstance(stack, Decimal) and stack.is_infinite() for stack in record.starting_stacks):
        raise OhhError("starting_stacks: expected the stack of each player, got an unknown stack")
    try:
        if DEAD_PAID in record.user:
            record = debts_as_posts(record)
        record, played = _with_rake(record, replay_leniently(record))
    except (ReplayError, LineupError) as error:
        raise OhhError(f"the record cannot be played: {error}") from None
    own = record.user.get(values.FIELD)
    n = len(record.starting_stacks)
    writing = Writing(record, played, own if isinstance(own, Mapping) else {}, _ids(own, n), _seats(record))
    _check_outcome(writing)
    return writing


def _with_rake(record: Record, played: Replay) -> tuple[Record, Replay]:
    """Return the record and its replay. If the record has no rake, a rake is computed from its finishing stacks."""
    if played.hand.stakes.rake is not None or rake_taken(record.user) is not None:
        return record, played
    paid = find_collected(record, played)
    rake = whole_pot(played) - sum(paid.values())
    if not rake:
        return record, played
    record = replace(record, user={**record.user, RAKE_TAKEN: played.unit.amount(rake)})
    return record, replay_leniently(record)


def _check_outcome(writing: Writing) -> None:
    """Raise `OhhError` if the recorded finishing stacks differ from those by the rules."""
    record, played = writing.record, writing.played
    collected, won = writing.collected(), won_by_rules(played)
    for place, player in enumerate(writing.played.lineup.players if record.finishing_stacks else ()):
        after = writing.money(played.hand.stacks[place] - won[place] + collected[place])
        if after != (said := (record.finishing_stacks or ())[player]):
            raise OhhError(f"p{player + 1} ends with {after} by the rules, but the record has {said}")


def _ids(own: Any, n: int) -> tuple[int, ...]:
    ids = own.get("ids") if isinstance(own, Mapping) else None
    if isinstance(ids, tuple) and len(set(ids)) == n and all(type(one) is int for one in ids):
        return ids
    return tuple(range(n))


def _seats(record: Record) -> tuple[int, ...]:
    seats = record.seats or tuple(range(1, len(record.starting_stacks) + 1))
    if len(set(seats)) < len(seats):
        raise OhhError("seats: expected different seats")
    return seats


def _check(writing: Writing, text: str) -> None:
    """Raise `OhhError` if the text is not read as the same hand."""
    try:
        (again,) = read_ohh(text)
        difference = roundtrip_difference(writing.played, again)
    except OhhError as error:
        difference = f"read again, {error.reason}"
    if difference:
        raise OhhError(f"Open Hand History cannot express this hand: {difference}")


# --- the object


def _object(writing: Writing) -> dict[str, Any]:
    record, own = writing.record, writing.own
    game, limit = values.NAMES[record.variant]
    small, big = _blinds(writing)
    tournament = record.level is not None or own.get("tournament") is True
    hero = next((id for number, id in enumerate(writing.ids, 1) if f"p{number}" == own.get("hero")), None)
    written: dict[str, Any] = {
        "spec_version": values.VERSION,
        "site_name": record.venue or "",
        "network_name": own.get("network_name", record.venue or ""),
        "internal_version": own.get("internal_version", values.VERSION),
        "tournament": tournament,
        "tournament_info": own.get("tournament_info", _tournament(record) if tournament else None),
        "game_number": "" if record.hand is None else str(record.hand),
        "start_date_utc": _date(record),
        "table_name": "" if record.table is None else str(record.table),
        "table_handle": own.get("table_handle"),
        "table_skin": own.get("table_skin"),
        "game_type": game,
        "bet_limit": {"bet_type": limit, "bet_cap": own.get("bet_cap", 0)},
        "table_size": record.seat_count,
        "currency": record.currency or _currency(record.currency_symbol),
        "dealer_seat": own.get("dealer_seat", writing.seats[writing.played.lineup.players[-1]]),
        "small_blind_amount": own.get("small_blind_amount", small),
        "big_blind_amount": big,
        "ante_amount": own.get("ante_amount", max(record.antes)),
        "hero_player_id": hero,
        "flags": _flags(writing),
        "players": _players(writing),
        "rounds": rounds(writing),
        "pots": pots(writing),
        "tournament_bounties": own.get("tournament_bounties"),
    }
    return {name: value for name, value in written.items() if value is not None}


def _blinds(writing: Writing) -> tuple[Amount, Amount]:
    """Return the small and big blind. In stud, return the small and big bet."""
    record = writing.record
    if record.bring_in is not None:
        least = record.min_bet if record.small_bet is None else record.small_bet
        return least or 0, record.big_bet or least or 0
    big = record.min_bet if record.small_bet is None else record.small_bet
    return next((amount for amount in writing.blinds() if 0 < amount < (big or 0)), 0), big or 0


def _flags(writing: Writing) -> list[str]:
    held = writing.own.get("flags", ())
    flags = [flag for flag in held if isinstance(flag, str)] if isinstance(held, tuple) else []
    house = writing.played.hand.stakes
    return flags + [values.TWICE] * (house.runs > 1) + [values.BOMB] * house.bomb


def _players(writing: Writing) -> list[dict[str, Any]]:
    record, own = writing.record, writing.own
    names = record.players or tuple(f"p{number}" for number in range(1, len(writing.ids) + 1))
    entries = []
    for player, id in enumerate(writing.ids):
        entry: dict[str, Any] = {"id": id, "seat": writing.seats[player], "name": names[player]}
        entry |= _of_player(own, player)
        entry["starting_stack"] = record.starting_stacks[player]
        spelled, absent = f"p{player + 1}", player not in writing.played.lineup.players
        if (absent and spelled not in writing.marked("present")) or spelled in writing.marked("waiting"):
            entry["is_sitting_out"] = True
        entries.append(entry)
    return entries


def _of_player(own: Mapping[str, Any], player: int) -> dict[str, Any]:
    """Return the fields of a player that only this format has."""
    said = {"display": own.get("displays"), "player_bounty": own.get("bounties")}
    known = {name: each for name, each in said.items() if isinstance(each, tuple) and player < len(each)}
    return {name: each[player] for name, each in known.items() if each[player]}


def _tournament(record: Record) -> dict[str, Any]:
    digits = "".join(letter for letter in (record.event or "").partition(",")[0] if letter.isdigit())
    return {"tournament_number": digits, "name": record.event or ""}


def _currency(symbol: str | None) -> str:
    return next((code for code, sign in values.SYMBOLS.items() if sign == symbol), "")


def _date(record: Record) -> str | None:
    """Return the start of the hand in UTC, or None if the offset of the time zone is unknown."""
    try:
        start = dt.datetime(record.year or 0, record.month or 0, record.day or 0)
        start = dt.datetime.combine(start, record.time or dt.time())
    except (ValueError, OverflowError):
        return None
    zone = record.time_zone or _ZONES.get(record.time_zone_abbreviation or "", record.time_zone_abbreviation)
    if zone is not None and zone.upper() not in _UTC:
        from zoneinfo import ZoneInfo  # imported here because it is rarely needed and reads its data from disk

        try:
            start = start.replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC).replace(tzinfo=None)
        except (KeyError, ValueError, OSError):
            return None
    return start.isoformat() + "Z"
