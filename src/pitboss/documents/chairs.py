"""Convert a document to a `Table` in whole chips, and back."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from pitboss.documents.fields import CHARGED, UNDEALT, Document, DocumentError, half_of, last_blinds
from pitboss.errors import PitbossError
from pitboss.records.money import Amount, Unit
from pitboss.table.mixed import games_of
from pitboss.table.rotation import Chair, State, seats_from
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Moving, Phase, Table

STATES: tuple[State, ...] = ("plays", "waits", "pauses", "leaves")
"""The wish of a player for each number in `_intents`."""


class DocumentChairs:
    """The table of a document, in whole chips. `document` writes a later state of the table back to a document.

    Without `seats` in the document, players sit in the order of the arrays, with an empty seat after each player.
    """

    def __init__(
        self,
        document: Document,
        *,
        stacks: Sequence[Amount] | None = None,
        moving: Moving = "big_blind",
        brings: Amount = 0,
    ) -> None:
        self._before = document
        self._stacks = document.stacks if stacks is None else stacks
        self._small, self._ante = small_blind(document), table_ante(document)
        self._charged: Mapping[str, Amount] = document.rest.get(CHARGED, {})
        self._bring_in: Amount = 0 if document.has_blinds else document.rest.get("bring_in", 0)
        self.unit = Unit.finest(
            [
                *self._stacks,
                *document.blinds,
                *document.antes,
                *document.dead_blinds,
                *self._charged.values(),
                *(document.min_bet, half_of(document.min_bet), document.dead_money, self._small, self._ante, brings),
                *(document.big_blind, half_of(document.big_blind), self._bring_in),
            ]
        )
        try:
            self.table = self._table(moving if document.has_blinds else "button", finished=stacks is not None)
        except PitbossError as error:
            raise DocumentError(str(error)) from None

    def _table(self, moving: Moving, *, finished: bool) -> Table:
        document, chips = self._before, self.unit.chips
        numbers = _seat_numbers(document)
        blinds = last_blinds(document)
        small = None if blinds is None or blinds.small is None else numbers[blinds.small]
        phase = _phase(document, finished=finished)
        button = None if document.button is None else numbers[document.button]
        in_hand = document.dealt_in
        dealt = sorted(number for number, plays in zip(numbers, in_hand, strict=True) if plays)
        order: tuple[int, ...] = ()
        if phase in ("ready", "dealt"):
            order = seats_from(dealt, button) if button in dealt else tuple(dealt)
        pot = chips(document.dead_money) if phase != "between" else 0
        stacks = [chips(stack) for stack in self._stacks]
        return Table(
            stakes=TableStakes(
                small_blind=chips(self._small),
                big_blind=chips(document.big_blind),
                ante=chips(self._ante),
                bring_in=chips(self._bring_in) or None,
            ),
            games=games_of(document.game),
            moving=moving,
            chairs=tuple(
                Chair(
                    numbers[player],
                    name,
                    stacks[player],
                    STATES[document.intents[player]],
                    chips(document.dead_blinds[player]),
                    bool(document.inactive[player]),
                    chips(document.blinds[player]),
                    chips(document.antes[player]),
                    finished and in_hand[player],
                    chips(self._charged.get(name, 0)),
                )
                for player, name in enumerate(document.players)
            ),
            phase=phase,
            button=button,
            small=small,
            small_at=_small_place(document, numbers) if small is None else small,
            big=None if blinds is None else numbers[blinds.big],
            order=order,
            pot=pot,
            came_in=sum(stacks) + pot,
            undealt=phase == "waiting" and UNDEALT in document.rest,
        )

    def document(self, table: Table) -> Document:
        """Return the document with the state of a table. An amount that has not changed is written as before."""
        before, old = self._before, {name: player for player, name in enumerate(self._before.players)}
        listed = [(chair, old.get(chair.who)) for chair in table.chairs]
        sizes = {self.unit.chips(size): size for size in (self._small, before.big_blind)}

        def spelt(chips: int, known: Sequence[Amount], player: int | None) -> Amount:
            if player is None:
                return self.unit.amount(chips)
            amount = known[player]
            unknown = isinstance(amount, Decimal) and amount.is_infinite()
            return amount if unknown or self.unit.chips(amount) == chips else self.unit.amount(chips)

        def blind(chair: Chair, player: int | None) -> Amount:
            known = chair.blind in sizes and chair.blind
            return sizes[chair.blind] if known else spelt(chair.blind, before.blinds, player)

        stacks = tuple(spelt(chair.chips, self._stacks, player) for chair, player in listed)
        finishing = before.finishing_stacks
        if finishing is not None:
            finishing = (*finishing, *stacks[len(finishing) :])
        seats = [chair.seat for chair in table.chairs]
        charged = {chair.who: self.unit.amount(chair.charged) for chair in table.chairs if chair.charged}
        rest = {name: value for name, value in before.rest.items() if name not in (CHARGED, UNDEALT)}
        if table.undealt:
            rest[UNDEALT] = True
        if charged and table.phase == "ready":
            rest[CHARGED] = charged
        return replace(
            before,
            players=tuple(chair.who for chair in table.chairs),
            stacks=stacks,
            blinds=tuple(blind(chair, player) for chair, player in listed),
            antes=tuple(self._ante if player is None else before.antes[player] for _, player in listed),
            inactive=tuple(int(chair.out) for chair in table.chairs),
            intents=tuple(STATES.index(chair.state) for chair in table.chairs),
            dead_blinds=tuple(spelt(chair.owes, before.dead_blinds, player) for chair, player in listed),
            seats=None if before.seats is None else tuple(seats),
            dead_money=spelt(table.pot, (before.dead_money,), 0),
            button=seats.index(table.button) if table.button in seats else None,
            finishing_stacks=finishing,
            rest=rest,
        )


def _seat_numbers(document: Document) -> tuple[int, ...]:
    """Return the seat of each player at the `Table`."""
    return document.seats if document.seats is not None else tuple(2 * at + 1 for at in range(len(document.players)))


def _after_player(player: int) -> int:
    """Return the empty seat after a player in a document without `seats`. For -1, return the one before all players."""
    return 2 * player + 2


def _small_place(document: Document, numbers: Sequence[int]) -> int | None:
    """Return the seat of the small blind if its player has left."""
    seat, after = document.rest.get("_smallSeat"), document.rest.get("_smallAfter")
    if document.seats is not None:
        return seat if isinstance(seat, int) else None
    return _after_player(after) if isinstance(after, int) and -1 <= after < len(numbers) else None


def _phase(document: Document, *, finished: bool) -> Phase:
    if finished:
        return "between"
    if document.actions or document.finishing_stacks is not None:
        return "dealt"
    return "ready" if sum(document.dealt_in) >= 2 else "waiting"


def small_blind(document: Document) -> Amount:
    """Return the size of the small blind, even if no player posts it in this hand."""
    big = document.big_blind
    shown = [blind for blind in document.blinds if 0 < blind < big]
    known = document.rest.get("_smallBlind")
    if isinstance(known, int | Decimal):
        return known
    if shown:
        return shown[0]
    return big if document.blinds.count(big) > 1 else half_of(big)


def table_ante(document: Document) -> Amount:
    """Return the ante of a new player: the one that all players pay, or else `_ante`."""
    if len(set(document.antes)) == 1:
        return document.antes[0]
    known = document.rest.get("_ante", 0)
    return known if isinstance(known, int | Decimal) else 0
