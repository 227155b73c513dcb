"""How a hand ends in PokerStars text: showdown, who collects what, the summary."""

from collections.abc import Iterator
from decimal import Decimal

from pitboss.betting.events import Called, Folded, Posted, Raised
from pitboss.cards import Card, is_known
from pitboss.hand.events import BoardDealt, Discarded, Mucked, RunBegun, Shown, UpDealt, Won
from pitboss.hand.showing import boards
from pitboss.hand.structure import Ranking
from pitboss.notation.collected import find_collected, whole_pot
from pitboss.notation.pokerstars.ranks import describe
from pitboss.notation.pokerstars.replayed import ReplayedHand
from pitboss.notation.pokerstars.text import RUNS, STUD_STREETS
from pitboss.notation.sites.amounts import write_amount
from pitboss.notation.sites.record import CASHED_OUT

_HIGH = Ranking("high")
_DRAWS = ("", "1st ", "2nd ", "3rd ")
_FOLDED = {0: "before Flop", 3: "on the Flop", 4: "on the Turn", 5: "on the River"}


def outcome(played: ReplayedHand, blinds: dict[int, str]) -> Iterator[str]:
    """All lines after the last bet."""
    collected = find_collected(played.record, played.line.players, played.unit, played.hand, played.events)
    showdown = list(_showdown(played))
    runs = 1 if played.hand.runs is None else played.hand.stakes.runs
    shares = list(_shares(played, collected))
    for run in range(runs):
        if showdown:
            yield f"*** {RUNS[run]} SHOW DOWN ***" if runs > 1 else "*** SHOW DOWN ***"
            yield from showdown if not run else ()
        for place, pot, chips, paid_in in shares:
            if paid_in == run:
                named = _pot_name(pot, len(played.hand.pots))
                yield f"{played.name(place)} collected {played.money(chips)} from {named}"
    yield from _cashed_out(played)
    yield from _afterwards(played)
    yield "*** SUMMARY ***"
    yield _total(played, collected)
    if runs > 1:
        for run, board in enumerate(boards(played.hand)):
            yield f"{RUNS[run]} Board [{' '.join(board)}]"
    elif played.hand.board:
        yield f"Board [{' '.join(played.hand.board)}]"
    for place in sorted(range(len(played.line.players)), key=played.seat):
        yield f"Seat {played.seat(place)}: {played.name(place)}{_role(played, blinds, place)} " + _end(
            played, collected, place
        )


# --- cards


def _showdown(played: ReplayedHand) -> Iterator[str]:
    for event in played.events:
        if isinstance(event, Shown):
            yield f"{played.name(event.place)}: shows [{' '.join(event.cards)}]{_words(played, event.cards)}"
        elif isinstance(event, Mucked):
            yield f"{played.name(event.place)}: mucks hand"


def _afterwards(played: ReplayedHand) -> Iterator[str]:
    """Who shows without need, and who wins and does not."""
    showdown = any(isinstance(event, Mucked | Shown) for event in played.events)
    for place in range(len(played.line.players)):
        known = tuple(card for card in played.dealt(place) if is_known(card))
        if known and played.seat(place) in played.marked("shows"):
            yield f"{played.name(place)}: shows [{' '.join(known)}]{_words(played, known)}"
        elif played.hand.round.live == (place,) and not showdown:
            yield f"{played.name(place)}: doesn't show hand"


def _cashed_out(played: ReplayedHand) -> Iterator[str]:
    """Who let the house pay him for his part of the pot."""
    amounts = played.record.user.get(CASHED_OUT, ())
    for player, amount in enumerate(amounts if isinstance(amounts, tuple) else ()):
        if isinstance(amount, int | Decimal) and amount > 0 and player < len(played.names):
            yield f"{played.names[player]} cashed out the hand for {write_amount(amount, played.symbol)}"


def _words(played: ReplayedHand, cards: tuple[Card, ...]) -> str:
    words = _made(played, cards)
    return f" ({words})" if words else ""


def _made(played: ReplayedHand, cards: tuple[Card, ...]) -> str:
    """What cards make, where the best five of all that there are decide."""
    return describe((*cards, *played.hand.board)) if played.hand.structure.showdown == (_HIGH,) else ""


# --- chips


def _shares(played: ReplayedHand, collected: dict[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Place, pot, chips and run of every payment, side pots first; rake comes off the winner's largest payments."""
    payments: list[list[int]] = []
    run = 0
    for event in played.events:
        if isinstance(event, Won):
            payments.append([event.place, event.pot, event.amount, run])
        run += isinstance(event, RunBegun) and bool(payments)
    won = dict.fromkeys(collected, 0)
    for place, _, chips, _ in payments:
        won[place] += chips
    if any(collected[place] > won[place] for place in collected):
        payments = [[place, 0, chips, 0] for place, chips in collected.items()]
        won = collected
    for payment in sorted(payments, key=lambda payment: -payment[2]):
        place = payment[0]
        raked = min(payment[2], won[place] - collected[place])
        won = won | {place: won[place] - raked}
        payment[2] -= raked
    for place, pot, chips, run in sorted(payments, key=lambda payment: -payment[1]):
        if chips:
            yield place, pot, chips, run


def _pot_name(pot: int, pots: int) -> str:
    if pots < 2:
        return "pot"
    side = "side pot" if pots == 2 else f"side pot-{pot}"
    return side if pot else "main pot"


def _total(played: ReplayedHand, collected: dict[int, int]) -> str:
    pots = played.hand.pots
    parts = ""
    if len(pots) > 1:
        named = [(_pot_name(number, len(pots)), pot.amount) for number, pot in enumerate(pots)]
        parts = "".join(f" {name.capitalize()} {played.money(chips)}." for name, chips in named)
    whole = whole_pot(played.hand)
    rake = played.money(whole - sum(collected.values()))
    return f"Total pot {played.money(whole)}{parts} | Rake {rake}"


# --- everybody's end


def _role(played: ReplayedHand, blinds: dict[int, str], place: int) -> str:
    button = place == len(played.line.players) - 1 and not played.marked("button")
    role = blinds.get(place, "straddle")
    return (" (button)" if button else "") + (f" ({role})" if role != "straddle" else "")


def _end(played: ReplayedHand, collected: dict[int, int], place: int) -> str:
    board, street, bet = 0, 0, False
    for event in played.events:
        match event:
            case BoardDealt(cards=cards):
                board += len(cards)
            case UpDealt(place=who, cards=cards) if who == place:
                street += len(cards)
            case Discarded(place=who) if who == place:
                street += 1
            case Posted(place=who, live=True) | Called(place=who) | Raised(place=who) if who == place:
                bet = True
            case Folded(place=who) if who == place:
                return f"folded {_when(played, board, street)}" + ("" if bet or board else " (didn't bet)")
            case Mucked(place=who) if who == place:
                known = all(map(is_known, played.dealt(place)))
                return f"mucked [{' '.join(played.dealt(place))}]" if known else "mucked"
            case Shown(place=who, cards=cards) if who == place:
                return f"showed [{' '.join(cards)}] and {_fate(played, collected[place], cards)}"
    return f"collected ({played.money(collected[place])})" if collected[place] else "mucked"


def _when(played: ReplayedHand, board: int, street: int) -> str:
    structure = played.hand.structure
    if structure.faces:
        return f"on the {STUD_STREETS[min(street, 4) - 1].title()}" if street else "on the 3rd Street"
    if structure.draws:
        single = len(structure.streets) == 2
        return "before the Draw" if not street else f"after the {'' if single else _DRAWS[street]}Draw"
    return _FOLDED[board]


def _fate(played: ReplayedHand, chips: int, cards: tuple[Card, ...]) -> str:
    words = _made(played, cards)
    return (f"won ({played.money(chips)})" if chips else "lost") + (f" with {words}" if words else "")
