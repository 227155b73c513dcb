"""A PokerStars hand that has been read, as a record: players in the order of places, fields as PHH has them."""

from collections.abc import Iterable

from pitboss.cards import write_cards
from pitboss.notation.chips import Amount
from pitboss.notation.pokerstars.text import Stakes, read_level, whole, write_amount, write_level
from pitboss.notation.pokerstars.transcript import Deed, Player, Told, clockwise
from pitboss.notation.record import Record, Toml

VENUE = "PokerStars"


def to_record(told: Told) -> Record:
    """The record of a hand."""
    players = _in_order(told)
    forced = players[::-1] if len(players) == 2 else players  # heads-up the button, who is p2, posts first
    clock, stakes, antes = told.head.clock, told.stakes, _antes(forced)
    asked = [ante for ante in antes if ante]
    return Record(
        variant="NT",
        ante_trimming_status=True if len(asked) > 1 and len(set(asked)) == 1 else None,
        antes=antes,
        blinds_or_straddles=_amounts(player.blind for player in forced),
        min_bet=stakes.big,
        starting_stacks=_amounts(player.start for player in players),
        actions=_actions(told, players),
        event=told.head.event or None,
        venue=VENUE,
        time=clock.time,
        day=clock.day.day if clock.day else None,
        month=clock.day.month if clock.day else None,
        year=clock.day.year if clock.day else None,
        hand=told.head.hand,
        level=read_level(told.head.level),
        seats=tuple(player.seat for player in players),
        seat_count=told.seat_count,
        table=told.table,
        players=tuple(player.name for player in players),
        finishing_stacks=_amounts(player.left for player in players),
        winnings=_amounts(player.won for player in players),
        currency=stakes.currency or None,
        currency_symbol=stakes.symbol or None,
        time_zone_abbreviation=clock.zone,
        user=_user(told, players),
    )


def _in_order(told: Told) -> list[Player]:
    """From the first player on the button's left who is dealt in; who sits out stays between his neighbours."""
    seated = sorted(told.players, key=lambda player: player.seat)
    first = seated.index(clockwise(told)[0])
    return seated[first:] + seated[:first]


def _amounts(amounts: Iterable[Amount]) -> tuple[Amount, ...]:
    return tuple(map(whole, amounts))


def _antes(players: list[Player]) -> tuple[Amount, ...]:
    """The antes as they were due: who could not pay all of his is asked for as much as the others."""
    most = max(player.ante for player in players)
    short = [player.ante and player.ante == player.start for player in players]
    return _amounts(most if one else player.ante for player, one in zip(players, short, strict=True))


def _actions(told: Told, players: list[Player]) -> tuple[str, ...]:
    """The deal, the betting, then the showdown."""
    spelled = {id(player): f"p{number}" for number, player in enumerate(players, 1)}
    deal = [f"d dh {spelled[id(p)]} {write_cards(p.hole)}" for p in players if p.involved]
    betting = [deed for deed in told.deeds if deed.verb != "sm"]
    return (*deal, *[_spell(deed, spelled) for deed in (*betting, *_showdown(told, players))])


def _showdown(told: Told, players: list[Player]) -> list[Deed]:
    """Shows and mucks; the muck that leaves one player alone ends the hand, so what he shows stands before it."""
    deeds = [deed for deed in told.deeds if deed.verb == "sm"]
    mucks = [deed for deed in deeds if not deed.cards]
    if mucks and sum(p.involved and not p.folded and not p.mucked for p in players) == 1:
        deeds = [*[deed for deed in deeds if deed is not mucks[-1]], mucks[-1]]
    return deeds


def _spell(deed: Deed, spelled: dict[int, str]) -> str:
    if deed.player is None:
        return f"d db {write_cards(deed.cards)}"
    words = [spelled[id(deed.player)], deed.verb]
    if deed.verb == "cbr":
        words.append(write_amount(deed.total, ""))
    if deed.cards:
        words.append(write_cards(deed.cards))
    return " ".join(words)


def _user(told: Told, players: list[Player]) -> dict[str, Toml]:
    user: dict[str, Toml] = {"_rake": told.rake}
    if not all(player.involved for player in players):
        user["_inactive"] = tuple(int(not player.involved) for player in players)
    if any(player.dead for player in players):
        user["_deadPosts"] = _amounts(player.dead for player in players)
    return user | {"_pokerstars": {key: value for key, value in _own(told, players).items() if value}}


def _own(told: Told, players: list[Player]) -> dict[str, str]:
    """What the text says and PHH has no word for, as far as it is not what one expects; seats by their numbers."""
    head, stakes = told.head, told.stakes
    small = next((player.blind for player in players if 0 < player.blind < stakes.big), 0)
    plain = str(Stakes(small, stakes.big, stakes.symbol, stakes.currency))
    button = clockwise(told)[-1].seat
    return {
        "title": head.title,  # always there: it marks a record that was read from a text
        "club": head.club,
        "level": head.level if head.level and head.level != write_level(read_level(head.level)) else "",
        "stakes": head.stakes if head.stakes != plain else "",
        "also": head.clock.also,
        "money": told.money,
        "button": str(told.button) if told.button != button else "",
        "dealt": _seats(player for player in players if player.dealt),
        "shows": _seats(player for player in players if player.shows),
        "away": _seats(player for player in players if player.marked and player.involved),
    }


def _seats(players: Iterable[Player]) -> str:
    return " ".join(str(player.seat) for player in players)
