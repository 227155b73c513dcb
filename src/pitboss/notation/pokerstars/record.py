"""A PokerStars hand that has been read, as a record: players in the order of places, fields as PHH has them."""

from collections.abc import Iterable

from pitboss.cards import write_cards
from pitboss.notation.chips import Amount
from pitboss.notation.document.recorded import table_fields
from pitboss.notation.pokerstars.state import ActionEntry, HandSoFar, Player, clockwise
from pitboss.notation.pokerstars.text import PrintedStakes, read_level, whole, write_amount, write_level
from pitboss.notation.record import Record, Toml

VENUE = "PokerStars"


def to_record(hand: HandSoFar) -> Record:
    """The record of a hand."""
    players = _in_order(hand)
    forced = players[::-1] if len(players) == 2 else players  # heads-up the button, who is p2, posts first
    clock, stakes, antes = hand.head.clock, hand.stakes, _antes(forced)
    asked = [ante for ante in antes if ante]
    return Record(
        variant="NT",
        ante_trimming_status=True if len(asked) > 1 and len(set(asked)) == 1 else None,
        antes=antes,
        blinds_or_straddles=_amounts(player.blind for player in forced),
        min_bet=stakes.big,
        starting_stacks=_amounts(player.start for player in players),
        actions=_actions(hand, players),
        event=hand.head.event or None,
        venue=VENUE,
        time=clock.time,
        day=clock.day.day if clock.day else None,
        month=clock.day.month if clock.day else None,
        year=clock.day.year if clock.day else None,
        hand=hand.head.hand,
        level=read_level(hand.head.level),
        seats=tuple(player.seat for player in players),
        seat_count=hand.seat_count,
        table=hand.table,
        players=tuple(player.name for player in players),
        finishing_stacks=_amounts(player.left for player in players),
        winnings=_amounts(player.won for player in players),
        currency=stakes.currency or None,
        currency_symbol=stakes.symbol or None,
        time_zone_abbreviation=clock.zone,
        user=_user(hand, players),
    )


def _in_order(hand: HandSoFar) -> list[Player]:
    """From the first player on the button's left who is dealt in; who sits out stays between his neighbours."""
    seated = sorted(hand.players, key=lambda player: player.seat)
    first = seated.index(clockwise(hand)[0])
    return seated[first:] + seated[:first]


def _amounts(amounts: Iterable[Amount]) -> tuple[Amount, ...]:
    return tuple(map(whole, amounts))


def _antes(players: list[Player]) -> tuple[Amount, ...]:
    """The antes as they were due: who could not pay all of his is asked for as much as the others."""
    most = max(player.ante for player in players)
    short = [player.ante and player.ante == player.start for player in players]
    return _amounts(most if one else player.ante for player, one in zip(players, short, strict=True))


def _actions(hand: HandSoFar, players: list[Player]) -> tuple[str, ...]:
    """The deal, the betting, then the showdown."""
    spelled = {id(player): f"p{number}" for number, player in enumerate(players, 1)}
    deal = [f"d dh {spelled[id(p)]} {write_cards(p.hole)}" for p in players if p.involved]
    betting = [entry for entry in hand.entries if entry.verb != "sm"]
    return (*deal, *[_spell(entry, spelled) for entry in (*betting, *_showdown(hand, players))])


def _showdown(hand: HandSoFar, players: list[Player]) -> list[ActionEntry]:
    """Shows and mucks; the muck that leaves one player alone ends the hand, so what he shows stands before it."""
    entries = [entry for entry in hand.entries if entry.verb == "sm"]
    mucks = [entry for entry in entries if not entry.cards]
    if mucks and sum(p.involved and not p.folded and not p.mucked for p in players) == 1:
        entries = [*[entry for entry in entries if entry is not mucks[-1]], mucks[-1]]
    return entries


def _spell(entry: ActionEntry, spelled: dict[int, str]) -> str:
    if entry.player is None:
        return f"d db {write_cards(entry.cards)}"
    words = [spelled[id(entry.player)], entry.verb]
    if entry.verb == "cbr":
        words.append(write_amount(entry.total, ""))
    if entry.cards:
        words.append(write_cards(entry.cards))
    return " ".join(words)


def _user(hand: HandSoFar, players: list[Player]) -> dict[str, Toml]:
    table = table_fields([not player.involved for player in players], _amounts(player.dead for player in players))
    own = {key: value for key, value in _own(hand, players).items() if value}
    return {"_rake": hand.rake} | table | {"_pokerstars": own}


def _own(hand: HandSoFar, players: list[Player]) -> dict[str, str]:
    """What the text says and PHH has no word for, as far as it is not what one expects; seats by their numbers."""
    head, stakes = hand.head, hand.stakes
    small = next((player.blind for player in players if 0 < player.blind < stakes.big), 0)
    plain = str(PrintedStakes(small, stakes.big, stakes.symbol, stakes.currency))
    button = clockwise(hand)[-1].seat
    return {
        "title": head.title,  # always there: it marks a record that was read from a text
        "club": head.club,
        "level": head.level if head.level and head.level != write_level(read_level(head.level)) else "",
        "stakes": head.stakes if head.stakes != plain else "",
        "also": head.clock.also,
        "money": hand.money,
        "button": str(hand.button) if hand.button != button else "",
        "dealt": _seats(player for player in players if player.dealt),
        "shows": _seats(player for player in players if player.shows),
        "away": _seats(player for player in players if player.marked and player.involved),
    }


def _seats(players: Iterable[Player]) -> str:
    return " ".join(str(player.seat) for player in players)
