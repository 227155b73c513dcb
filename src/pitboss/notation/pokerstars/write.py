"""Records into PokerStars text: seats, posts and streets; `pokerstars_outcome` writes how the hand ends.

What a record does not say is left out: the date, the table's size. Names are then p1, p2 and seats 1, 2.
"""

from collections.abc import Iterator

from pitboss.betting.events import Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.cards import Card, is_known
from pitboss.hand.events import BoardDealt, Mucked, Shown
from pitboss.notation.pokerstars.outcome import outcome
from pitboss.notation.pokerstars.replayed import Sheet, head, play
from pitboss.notation.pokerstars.text import ALL_IN, PokerStarsError, write_amount
from pitboss.notation.record import Record

_ROLES = ("small blind", "big blind", "straddle")
_BOARDS = {3: "FLOP", 4: "TURN", 5: "RIVER"}


def write_pokerstars(record: Record) -> str:
    """A hand of no-limit hold'em as PokerStars text, ending in a line break.

    A record that stops early or skips somebody's turn is written as `replay_leniently` mends it.
    """
    sheet = play(record)
    blinds = _blinds(sheet)
    lines = [
        str(head(sheet)),
        *_seating(sheet),
        *_posts(sheet, blinds),
        "*** HOLE CARDS ***",
        *_dealt(sheet),
        *_streets(sheet),
        *outcome(sheet, blinds),
    ]
    for line in lines:
        if "\n" in line or "\r" in line:
            raise PokerStarsError("a name holds a line break and cannot be written", text=line)
    return "\n".join(lines) + "\n"


def _seating(sheet: Sheet) -> Iterator[str]:
    record, own = sheet.record, sheet.own
    button = next(iter(sheet.marked("button")), sheet.seat(-1))
    size = f" {record.seat_count}-max" if record.seat_count is not None and 0 <= record.seat_count < 1000 else ""
    money = f" {own['money']}" if own.get("money") else ""
    table = "" if record.table is None else record.table
    yield f"Table '{table}'{size}{money} Seat #{button} is the button"
    for player in sorted(range(len(sheet.names)), key=sheet.seats.__getitem__):
        out = player not in sheet.line.players or sheet.seats[player] in sheet.marked("away")
        stack = write_amount(record.starting_stacks[player], sheet.symbol)
        mark = " is sitting out" if out else ""
        yield f"Seat {sheet.seats[player]}: {sheet.names[player]} ({stack} in chips){mark}"


# --- forced bets


def _blinds(sheet: Sheet) -> dict[int, str]:
    """Who posts in turn, and as what: the least is the small blind, what comes after the big blind a straddle."""
    amounts = sheet.by_place(sheet.record.blinds_or_straddles)
    order = (1, 0) if len(amounts) == 2 else range(len(amounts))
    posting = sorted((place for place in order if amounts[place] > 0), key=lambda place: amounts[place])
    alone = len(posting) == 1 and amounts[posting[0]] >= (sheet.record.min_bet or 0)
    roles = _ROLES[alone:]
    return {place: roles[min(number, len(roles) - 1)] for number, place in enumerate(posting)}


def _posts(sheet: Sheet, blinds: dict[int, str]) -> Iterator[str]:
    """Antes, then blinds and straddles, then what is posted out of turn."""
    antes = sheet.by_place(sheet.record.antes)
    live: dict[int, Posted] = {}
    dead: dict[int, Posted] = {}
    given: dict[int, str] = {}
    for event in sheet.events:
        if not isinstance(event, Posted):
            continue
        if event.live:
            live[event.place] = event
        elif antes[event.place] and sheet.seat(event.place) not in given and not live:
            given[sheet.seat(event.place)] = _post(sheet, "the ante", event)
        else:
            dead[event.place] = event
    for seat in sorted(given):
        yield given[seat]
    for place, role in blinds.items():
        if place in live:
            yield _post(sheet, role, live.pop(place))
    for place in sorted({*live, *dead}):
        yield from _late(sheet, live.get(place), dead.get(place), in_turn="big blind" in blinds.values())


def _late(sheet: Sheet, live: Posted | None, dead: Posted | None, *, in_turn: bool) -> Iterator[str]:
    """Posts out of turn; with nobody's big blind before it, a plain one would be taken for that."""
    big = sheet.unit.chips(sheet.record.min_bet or 0)
    if live and (not in_turn or (dead and live.amount == big)):
        amount = live.amount + (dead.amount if dead else 0)
        yield _post(sheet, "small & big blinds", Posted(live.place, amount, True, (dead or live).all_in))
        return
    if live:
        yield _post(sheet, "big blind", live)
    if dead:
        yield _post(sheet, "small blind", dead)


def _post(sheet: Sheet, what: str, event: Posted) -> str:
    return f"{sheet.name(event.place)}: posts {what} {sheet.money(event.amount)}{_all_in(event.all_in)}"


def _all_in(flag: bool) -> str:
    return ALL_IN if flag else ""


# --- cards and betting


def _dealt(sheet: Sheet) -> Iterator[str]:
    """The cards the text's owner knew, and all others that are known and come out nowhere else."""
    later = {event.place for event in sheet.events if isinstance(event, Shown | Mucked)} if sheet.own else set()
    for place in range(len(sheet.line.players)):
        hole, seat = sheet.dealt(place), sheet.seat(place)
        told = seat in sheet.marked("dealt") or (place not in later and seat not in sheet.marked("shows"))
        if told and all(map(is_known, hole)):
            yield f"Dealt to {sheet.name(place)} [{' '.join(hole)}]"


def _streets(sheet: Sheet) -> Iterator[str]:
    posts = sheet.by_place(sheet.record.blinds_or_straddles)
    asked = max(sheet.unit.chips(max(amount, -amount)) for amount in posts)
    board: tuple[Card, ...] = ()
    for event in sheet.events:
        match event:
            case BoardDealt(cards=cards):
                board, asked = board + cards, 0
                yield from _board(board)
            case Folded(place=place):
                yield f"{sheet.name(place)}: folds"
            case Checked(place=place):
                yield f"{sheet.name(place)}: checks"
            case Called(place=place, amount=amount, all_in=all_in):
                yield f"{sheet.name(place)}: calls {sheet.money(amount)}{_all_in(all_in)}"
            case Raised(place=place, to=to, opening=opening, all_in=all_in):
                by = sheet.money(to - asked)
                deed = f"bets {by}" if opening else f"raises {by} to {sheet.money(to)}"
                asked = to
                yield f"{sheet.name(place)}: {deed}{_all_in(all_in)}"
            case Refunded(place=place, amount=amount):
                yield f"Uncalled bet ({sheet.money(amount)}) returned to {sheet.name(place)}"


def _board(board: tuple[Card, ...]) -> Iterator[str]:
    """The line of a street once all its cards are there."""
    if not all(map(is_known, board)):
        raise PokerStarsError("the board is not known, and PokerStars text has no word for that")
    if title := _BOARDS.get(len(board)):
        before = f" [{' '.join(board[:-1])}]" if len(board) > 3 else ""
        yield f"*** {title} ***{before} [{' '.join(board[len(board) - 1 if before else 0 :])}]"
