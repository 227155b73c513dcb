"""Records into PokerStars text: seats and posts; `streets` writes the play and `outcome` how the hand ends.

What a record does not say is left out: the date, the table's size. Names are then p1, p2 and seats 1, 2.
"""

from collections.abc import Iterator

from pitboss.betting.events import Posted
from pitboss.notation.pokerstars.outcome import outcome
from pitboss.notation.pokerstars.replayed import ReplayedHand, head, replay_hand
from pitboss.notation.pokerstars.streets import spell_streets
from pitboss.notation.pokerstars.text import ALL_IN, PokerStarsError
from pitboss.notation.record import Record
from pitboss.notation.sites.amounts import write_amount


def write_pokerstars(record: Record) -> str:
    """A hand as PokerStars text, ending in a line break.

    A record that stops early or skips somebody's turn is written as `replay_leniently` mends it.
    """
    played = replay_hand(record)
    blinds = played.roles()
    lines = [
        str(head(played)),
        *_seating(played),
        *_posts(played, blinds),
        *spell_streets(played),
        *outcome(played, blinds),
    ]
    for line in lines:
        if "\n" in line or "\r" in line:
            raise PokerStarsError("a name holds a line break and cannot be written", text=line)
    return "\n".join(lines) + "\n"


def _seating(played: ReplayedHand) -> Iterator[str]:
    record, own = played.record, played.own
    button = next(iter(played.marked("button")), played.seat(-1))
    size = f" {record.seat_count}-max" if record.seat_count is not None and 0 <= record.seat_count < 1000 else ""
    money = f" {own['money']}" if own.get("money") else ""
    table = "" if record.table is None else record.table
    named = "" if record.bring_in is not None else f" Seat #{button} is the button"
    yield f"Table '{table}'{size}{money}{named}"
    for player in sorted(range(len(played.names)), key=played.seats.__getitem__):
        out = player not in played.line.players or played.seats[player] in played.marked("away")
        stack = write_amount(record.starting_stacks[player], played.symbol)
        mark = " is sitting out" if out else ""
        yield f"Seat {played.seats[player]}: {played.names[player]} ({stack} in chips){mark}"


# --- forced bets


def _posts(played: ReplayedHand, blinds: dict[int, str]) -> Iterator[str]:
    """What the house puts in, antes, then blinds and straddles, then what is posted out of turn."""
    if played.line.dead_money:
        yield f"Cash Drop to Pot : total {write_amount(played.line.dead_money, played.symbol)}"
    antes = played.by_place(played.record.antes)
    live: dict[int, Posted] = {}
    dead: dict[int, Posted] = {}
    given: dict[int, str] = {}
    for event in played.events:
        if not isinstance(event, Posted):
            continue
        if event.live:
            live[event.place] = event
        elif antes[event.place] and played.seat(event.place) not in given and not live:
            given[played.seat(event.place)] = _post(played, "the ante", event)
        else:
            dead[event.place] = event
    for seat in sorted(given):
        yield given[seat]
    for place, role in blinds.items():
        if place in live:
            yield _post(played, role, live.pop(place))
    for place in sorted({*live, *dead}):
        yield from _late(played, live.get(place), dead.get(place), in_turn="big blind" in blinds.values())


def _late(played: ReplayedHand, live: Posted | None, dead: Posted | None, *, in_turn: bool) -> Iterator[str]:
    """Posts out of turn; with nobody's big blind before it, a plain one would be taken for that."""
    big = played.unit.chips(played.record.min_bet or played.record.small_bet or 0)
    if live and (not in_turn or (dead and live.amount == big)):
        amount = live.amount + (dead.amount if dead else 0)
        yield _post(played, "small & big blinds", Posted(live.place, amount, True, (dead or live).all_in))
        return
    if live:
        yield _post(played, "big blind", live)
    if dead:
        yield _post(played, "small blind", dead)


def _post(played: ReplayedHand, what: str, event: Posted) -> str:
    return f"{played.name(event.place)}: posts {what} {played.money(event.amount)}{_all_in(event.all_in)}"


def _all_in(flag: bool) -> str:
    return ALL_IN if flag else ""
