"""How a hand ends in PokerStars text: showdown, who collects what, the summary."""

from collections.abc import Iterator

from pitboss.betting.events import Called, Folded, Posted, Raised
from pitboss.cards import Card, is_known
from pitboss.hand.events import BoardDealt, Mucked, Shown, Won
from pitboss.notation.chips import Amount
from pitboss.notation.pokerstars.ranks import describe
from pitboss.notation.pokerstars.replayed import Sheet

_FOLDED = {0: "before Flop", 3: "on the Flop", 4: "on the Turn", 5: "on the River"}


def outcome(sheet: Sheet, blinds: dict[int, str]) -> Iterator[str]:
    """All lines after the last bet."""
    collected = _collected(sheet)
    showdown = list(_showdown(sheet))
    if showdown:
        yield "*** SHOW DOWN ***"
        yield from showdown
    for place, pot, chips in _shares(sheet, collected):
        yield f"{sheet.name(place)} collected {sheet.money(chips)} from {_pot_name(pot, len(sheet.hand.pots))}"
    yield from _afterwards(sheet)
    yield "*** SUMMARY ***"
    yield _total(sheet, collected)
    if sheet.hand.board:
        yield f"Board [{' '.join(sheet.hand.board)}]"
    for place in sorted(range(len(sheet.line.players)), key=sheet.seat):
        yield f"Seat {sheet.seat(place)}: {sheet.name(place)}{_role(sheet, blinds, place)} " + _end(
            sheet, collected, place
        )


# --- cards


def _showdown(sheet: Sheet) -> Iterator[str]:
    for event in sheet.events:
        if isinstance(event, Shown):
            yield f"{sheet.name(event.place)}: shows [{' '.join(event.cards)}]{_words(sheet, event.cards)}"
        elif isinstance(event, Mucked):
            yield f"{sheet.name(event.place)}: mucks hand"


def _afterwards(sheet: Sheet) -> Iterator[str]:
    """Who shows without need, and who wins and does not."""
    for place in range(len(sheet.line.players)):
        known = tuple(card for card in sheet.dealt(place) if is_known(card))
        if known and sheet.seat(place) in sheet.marked("shows"):
            yield f"{sheet.name(place)}: shows [{' '.join(known)}]{_words(sheet, known)}"
        elif sheet.hand.round.live == (place,) and not any(isinstance(event, Mucked | Shown) for event in sheet.events):
            yield f"{sheet.name(place)}: doesn't show hand"


def _words(sheet: Sheet, cards: tuple[Card, ...]) -> str:
    words = describe((*cards, *sheet.hand.board))
    return f" ({words})" if words else ""


# --- chips


def _collected(sheet: Sheet) -> dict[int, int]:
    """What every place gets, in chips: as recorded, where that agrees with the pot, else by the rules."""
    won = dict.fromkeys(range(len(sheet.line.players)), 0)
    for event in sheet.events:
        if isinstance(event, Won):
            won[event.place] += event.amount
    record = sheet.record
    recorded = [_by_place(sheet, record.winnings)] if record.winnings else []
    if record.finishing_stacks:
        after = _by_place(sheet, record.finishing_stacks)
        recorded.append({p: after[p] - sheet.hand.stacks[p] + chips for p, chips in won.items()})
    return next((chips for chips in recorded if _is_credible(sheet, chips, won)), won)


def _by_place(sheet: Sheet, amounts: tuple[Amount, ...]) -> dict[int, int]:
    return {place: sheet.unit.chips(amounts[player]) for place, player in enumerate(sheet.line.players)}


def _is_credible(sheet: Sheet, recorded: dict[int, int], won: dict[int, int]) -> bool:
    """Whether recorded winnings are the pot without its rake; with no rake recorded, the same winners get no more."""
    if min(recorded.values()) < 0:
        return False
    rake = sheet.record.user.get("_rake")
    if rake is not None:
        return sheet.unit.amount(_whole_pot(sheet) - sum(recorded.values())) == rake
    return all(bool(recorded[p]) == bool(chips) and recorded[p] <= chips for p, chips in won.items())


def _whole_pot(sheet: Sheet) -> int:
    return sum(pot.amount for pot in sheet.hand.pots)


def _shares(sheet: Sheet, collected: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """Place, pot and chips of every payment, side pots first; rake comes off the winner's largest payments."""
    payments = [[event.place, event.pot, event.amount] for event in sheet.events if isinstance(event, Won)]
    won = dict.fromkeys(collected, 0)
    for place, _, chips in payments:
        won[place] += chips
    if any(collected[place] > won[place] for place in collected):
        payments = [[place, 0, chips] for place, chips in collected.items()]
        won = collected
    for payment in sorted(payments, key=lambda payment: -payment[2]):
        place = payment[0]
        raked = min(payment[2], won[place] - collected[place])
        won = won | {place: won[place] - raked}
        payment[2] -= raked
    for place, pot, chips in sorted(payments, key=lambda payment: -payment[1]):
        if chips:
            yield place, pot, chips


def _pot_name(pot: int, pots: int) -> str:
    if pots < 2:
        return "pot"
    side = "side pot" if pots == 2 else f"side pot-{pot}"
    return side if pot else "main pot"


def _total(sheet: Sheet, collected: dict[int, int]) -> str:
    pots = sheet.hand.pots
    parts = ""
    if len(pots) > 1:
        named = [(_pot_name(number, len(pots)), pot.amount) for number, pot in enumerate(pots)]
        parts = "".join(f" {name.capitalize()} {sheet.money(chips)}." for name, chips in named)
    whole = _whole_pot(sheet)
    rake = sheet.money(whole - sum(collected.values()))
    return f"Total pot {sheet.money(whole)}{parts} | Rake {rake}"


# --- everybody's end


def _role(sheet: Sheet, blinds: dict[int, str], place: int) -> str:
    button = place == len(sheet.line.players) - 1 and not sheet.marked("button")
    role = blinds.get(place, "straddle")
    return (" (button)" if button else "") + (f" ({role})" if role != "straddle" else "")


def _end(sheet: Sheet, collected: dict[int, int], place: int) -> str:
    board, bet = 0, False
    for event in sheet.events:
        match event:
            case BoardDealt(cards=cards):
                board += len(cards)
            case Posted(place=who, live=True) | Called(place=who) | Raised(place=who) if who == place:
                bet = True
            case Folded(place=who) if who == place:
                return f"folded {_FOLDED[board]}" + ("" if bet or board else " (didn't bet)")
            case Mucked(place=who) if who == place:
                known = all(map(is_known, sheet.dealt(place)))
                return f"mucked [{' '.join(sheet.dealt(place))}]" if known else "mucked"
            case Shown(place=who, cards=cards) if who == place:
                return f"showed [{' '.join(cards)}] and {_fate(sheet, collected[place], cards)}"
    return f"collected ({sheet.money(collected[place])})" if collected[place] else "mucked"


def _fate(sheet: Sheet, chips: int, cards: tuple[Card, ...]) -> str:
    words = describe((*cards, *sheet.hand.board))
    return (f"won ({sheet.money(chips)})" if chips else "lost") + (f" with {words}" if words else "")
