"""Read PartyPoker hand histories into records."""

import re
from decimal import Decimal
from functools import lru_cache

from pitboss.formats.scan import ReadError
from pitboss.formats.sites import ledger
from pitboss.formats.sites.ledger import PartialHand, Player
from pitboss.formats.sites.site import Act, Pay, Site, action_table, do_action, open_part, show_cards, without_amount
from pitboss.formats.sites.values import clock_of, game_named, month_number, whole
from pitboss.records.money import Amount

_MONEY = re.compile(r"[$€£]? ?(?P<digits>[0-9][0-9.,]*) *(?:[$€£]|USD|EUR|GBP|chips)?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,8})?")
_PLAIN = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,8})?")
_KINDS = (
    re.compile(  # $25 USD NL Texas Hold'em, $10/$20 USD FL 7 Card Stud
        r"(?P<symbol>[$€£]?)(?P<a>[0-9.,]+)(?:/[$€£]?(?P<b>[0-9.,]+))? *(?P<currency>USD|EUR|GBP)? +(?:fastforward +)?"
        r"(?P<limit>NL|PL|FL) +(?P<game>.*?) ?- ?(?P<date>[A-Z][a-z]+day.*)"
    ),
    re.compile(  # NL Texas Hold'em $3 USD Buy-in Trny: 12 Level: 1 Blinds(10/20) - …
        r"(?P<limit>NL|PL|FL) +(?P<game>.*?) +(?P<event>[$€£]?[0-9.,]+ (?:USD|EUR|GBP) Buy-in|) *"
        r"(?:Trny: ?(?P<number>[0-9]+) +Level: ?(?P<level>[0-9]{1,4}) +"
        r"(?:Blinds|Stakes)(?:-Antes)?\((?P<a>[0-9,]+)/(?P<b>[0-9,]+)(?: ?-[0-9,]+)?\))? *- (?P<date>.*)"
    ),
    re.compile(  # 20/40 Tourney Texas Holdem Game Table (NL) (SNG Tournament #12) (Buyin $1.0 + $0.1) - …
        r"(?P<a>[0-9,]+)/(?P<b>[0-9,]+) Tourney (?P<game>.*?) Game Table \((?P<limit>NL|PL|FL)\) +"
        r"\((?P<event>.*?#(?P<number>[0-9]+)\).*?) +- +(?P<date>.*)"
    ),
    re.compile(r"(?P<event>Tourney Hand) (?P<limit>NL|PL|FL) +(?P<game>.*?) ?- ?(?P<date>[A-Z][a-z]+day.*)"),
)
_CLOCK = re.compile(
    r"(?:[A-Z][a-z]+,? ?)?(?P<month>[A-Z][a-z]{2})[a-z]* (?P<day>[0-9]{1,2}),? "
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) (?P<zone>[A-Z]{1,5}) (?P<year>[0-9]{4})"
)
_SECTION = re.compile(r"\*\* (?P<title>Dealing.*?|Summary) \*\*(?: ?:?)(?: ?\[(?P<cards>[^\]]*)\])?")
_TABLE = re.compile(
    r"Table (?P<table>.*?) *\( ?(?:Real|Play) Money ?\)(?: -- Seat (?P<button>[0-9]{1,2}) is the button)?"
)
_BUTTON = re.compile(r"Seat (?P<button>[0-9]{1,2}) is the button")
_COUNT = re.compile(r"Total number of players : [0-9]+(?: ?/ ?(?P<seats>[0-9]{1,2}))?")
_SEAT = re.compile(r"[Ss]eat ?(?P<seat>[0-9]{1,2}): (?P<name>.+?) \( ?(?P<stack>[^()]*?) ?\)(?: - VPIP.*)?")
_DEALT = re.compile(r"Dealt to (?P<name>.+?) \[(?P<cards>[^\]]*)\]")
_JOINS = re.compile(r"(?P<name>.+?) (?P<verb>posts (?:big|small) blind.*)")
_ACTS = re.compile(r"(?P<name>\S+) (?P<verb>(?:folds|checks|calls|bets|raises)(?: .*)?)")
_LEVEL = re.compile(r"Blinds(?:-Antes)?\((?P<small>[0-9,]+)/(?P<big>[0-9,]+)(?: ?-[0-9,]+)?\)")
_GLUED = re.compile(r"(?<=is sitting out)(?=\S)|(?<=show cards\.)(?=\S)")
_IDLE = re.compile(
    r".* (?:has joined the table|has left the table|did not respond in time|could not respond in time.*"
    r"|will be using .*time bank.*|opens|Forward Folds|is sitting out|finished in .*|has been reconnected.*"
    r"|is disconnected.*|is all-In|balance .*|shows?[0-9,AJKQT]+ +for low|has sat down.*|is moved .*"
    r"|has been moved .*)\.?"
    r"|Trny: ?[0-9].*|(?:Blinds|Stakes).*\(.*\)|Creating .*|Board: .*|(?:Main|Side) Pot.*|The Progressive .*|.*: .*"
)

_BALANCE = re.compile(
    r"balance [0-9]+, (?:bet [0-9]+, collected (?P<collected>[0-9]+), net \S+?|lost [0-9]+|didn't bet)"
    r"(?:\[ (?P<cards>(?:[2-9TJQKA][cdhs],? )+)\].*| ?\(folded\)| \[.*)?"
)

_MOST_RAKE = Decimal("0.12")
_HEAD = re.compile(r"\*{5} Hand History [Ff]or Game (?P<hand>\w{1,40}) \*{5}.*")
_BETWEEN = re.compile(r"Game #\S+ starts\.|#Game No : .*|Game Id: .*|#Game .*")
_AMOUNT = r"(?: \[ ?|\[ ?| \()(?P<amount>[^\])]*?) ?[\])]"


@lru_cache(maxsize=16384)
def _read_money(text: str) -> Amount:
    """Read an amount in which commas or points separate thousands or decimals.

    >>> _read_money("$2,127.50 USD"), _read_money("$24,72 USD"), _read_money("3,000"), _read_money("0,35 €")
    (Decimal('2127.50'), Decimal('24.72'), 3000, Decimal('0.35'))
    """
    found = _MONEY.fullmatch(text.strip())
    digits = found["digits"] if found else ""
    if _THOUSANDS.fullmatch(digits):
        return whole(Decimal(digits.replace(",", "")))
    if not _PLAIN.fullmatch(digits):
        raise ReadError(f"expected an amount, got {text!r}")
    return whole(Decimal(digits.replace(",", ".")))


def read_stakes(hand: PartialHand, text: str) -> None:
    """Read the line with the game. If it has only the buy-in, the posts give the blinds."""
    found = next((match for kind in _KINDS if (match := kind.fullmatch(text))), None)
    if found is None:
        raise ReadError("expected a line with the stakes and the game")
    part = found.groupdict()
    game = " ".join(part["game"].replace("Hi-Lo", "Hi/Lo").split())
    hand.structure = game_named(game, part["limit"])
    hand.symbol, hand.currency = part.get("symbol") or "", part.get("currency") or ""
    event = part.get("event") or ""
    number = part.get("number")
    hand.event = f"Tournament #{number}" if number else event
    hand.level = int(part["level"]) if part.get("level") else None
    if part.get("b"):
        ledger.set_stakes(hand, _read_money(part["a"]), _read_money(part["b"]))
    if (when := _CLOCK.search(part["date"])) and month_number(when["month"]):
        hand.clock = clock_of(when)


def read_line(hand: PartialHand, text: str) -> bool:
    """Read any line of a hand except the first. In some texts, a line break between two lines is missing."""
    known = [_read(hand, part) for part in _GLUED.split(text)]
    return all(known)


def _read(hand: PartialHand, text: str) -> bool:
    if hand.section == "head":
        read_stakes(hand, text)
        hand.section = "seats"
        return True
    if found := _SECTION.fullmatch(text):
        board = (*hand.boards[0], *ledger.known_cards(found["cards"])) if found["cards"] else ()
        return open_part(hand, found["title"], board, before_deal=_complete_posts)
    if hand.phase == "summary":
        return _read_summary(hand, text)
    if hand.phase == "seats" and _read_table(hand, text):
        return True
    if found := _DEALT.fullmatch(text):
        return _deal(hand, found)
    player, words = ledger.split_name(hand, text, " ")
    if player is None and hand.phase == "seats" and (found := _JOINS.fullmatch(text)):
        player, words = _seat_late(hand, found["name"]), found["verb"]
    if player is None and hand.phase == "play" and (found := _ACTS.fullmatch(text)):
        player, words = _find_stranger(hand, found["name"]), found["verb"]
    if player is not None and do_action(_ACTIONS, hand, player, words.rstrip(".")):
        return True
    return _IDLE.fullmatch(text) is not None


def _find_stranger(hand: PartialHand, name: str) -> Player | None:
    """Return the player for an unknown name. Heads-up, this is the player whose cards are not known."""
    hidden = [player for player in hand.players if not player.dealt]
    if len(hand.players) != 2 or len(hidden) != 1:
        return None
    ledger.mend(hand, f"{name} has no seat; the action is counted for {hidden[0].name}")
    hand.by_name[name] = hidden[0]
    return hidden[0]


def _read_table(hand: PartialHand, text: str) -> bool:
    if found := _SEAT.fullmatch(text):
        stack = _read_money(found["stack"])
        ledger.add_player(hand, int(found["seat"]), found["name"], stack, marked=not stack)
    elif found := _TABLE.fullmatch(text):
        hand.table = found["table"]
        hand.button = int(found["button"] or hand.button)
    elif found := _BUTTON.fullmatch(text):
        hand.button = int(found["button"]) or -1
    elif found := _COUNT.fullmatch(text):
        hand.seat_count = int(found["seats"]) if found["seats"] else None
    elif (found := _LEVEL.fullmatch(text)) and not hand.structure.betting.exact:  # blinds can rise
        hand.small, hand.big = _read_money(found["small"]), _read_money(found["big"])
    else:
        return False
    return True


def _seat_late(hand: PartialHand, name: str) -> Player:
    """Seat a player who joined late, after the last player who posted. The stack is unknown."""
    ledger.mend(hand, f"{name} posts without a seat; seated after the last player who posted, with an unknown stack")
    taken = {player.seat for player in hand.players}
    posted = [player.seat for player in hand.players if player.blind]
    last = posted[-1] if posted else hand.button
    size = max(hand.seat_count or 10, len(taken) + 1, *taken)
    free = [seat for step in range(1, size + 1) if (seat := (last + step - 1) % size + 1) not in taken]
    return ledger.add_player(hand, free[0] if free else size + 1, name, Decimal("Infinity"))


# --- streets and cards


def _deal(hand: PartialHand, found: re.Match[str]) -> bool:
    player = hand.by_name.get(found["name"])
    if player is None:
        return False
    cards = ledger.known_cards(found["cards"])
    player.dealt = player.involved = True
    if hand.street:
        ledger.deal_last(player, cards)
    else:
        ledger.deal_own(hand, player, cards)
    return True


def _complete_posts(hand: PartialHand) -> None:
    """Correct blinds that were all-in or not printed."""
    if hand.structure.betting.bring_in:
        return
    around = _around(hand)
    if hand.big and all(player.start < hand.big and not player.blind for player in around):
        ledger.mend(hand, "no stack covers the big blind; all stacks are read as unknown")
        for player in around:
            player.start = player.left = Decimal("Infinity")
    if len(around) > 1 and not any(player.blind for player in around) and hand.big:
        exact = hand.structure.betting.exact
        small, big = (around[1], around[0]) if len(around) == 2 else around[:2]
        half: Amount = hand.big / Decimal(2) if exact else hand.small
        if small.left:
            ledger.post_small(hand, small, min(half, small.left))
        if big.left:
            ledger.post_big(hand, big, min(hand.big, big.left))
    ledger.infer_blinds(hand)


def _around(hand: PartialHand) -> list[Player]:
    """Return all players with chips, starting left of the button."""
    seated = sorted([p for p in hand.players if not p.marked], key=lambda player: player.seat)
    return [p for p in seated if p.seat > hand.button] + [p for p in seated if p.seat <= hand.button]


# --- players


def _small(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Post a small blind. This sets the stakes if the first line did not."""
    if not hand.structure.betting.exact and (not hand.event or not hand.big):
        hand.small = max(hand.small, amount)
    ledger.post_small(hand, player, amount)


def _big(hand: PartialHand, player: Player, amount: Amount) -> None:
    if not hand.structure.betting.exact and not hand.big_posted and (not hand.event or not hand.big):
        short = amount == player.left
        hand.big = max(amount, 2 * hand.small) if short else amount
        if player.left and not short and hand.small > amount:
            hand.small = amount
    ledger.post_big(hand, player, amount)


def _button_blind(hand: PartialHand, player: Player, amount: Amount) -> None:
    hand.small = hand.big = amount
    ledger.post_straddle(hand, player, amount)


def _put_in(hand: PartialHand, player: Player, amount: Amount) -> None:
    """Bet, raise or call with a number of chips."""
    to = player.street + amount
    if to > hand.price:
        ledger.raise_to(hand, player, to)
    else:
        ledger.call(hand, player, amount)


def _double(hand: PartialHand, player: Player, amount: Amount) -> None:
    hand.open_pair = True
    _put_in(hand, player, amount)


def _pays(pay: Pay) -> Act:
    """Return a function that plays an action with an amount. Some texts print a stack that is too small for it."""

    def act(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
        amount = _read_money(found["amount"])
        if amount > player.left:
            ledger.mend(hand, f"{player.name} has {player.left} and pays {amount}; the stack is read as unknown")
            player.start = player.left = Decimal("Infinity")
            player.marked = False
        pay(hand, player, amount)

    return act


def _collect(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    hand.total = hand.total or 0
    ledger.collect(hand, player, _read_money(found["amount"]))


def _keep_hidden(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    ledger.learn(hand, player, ledger.known_cards(found["cards"]))
    ledger.muck(hand, player)


_PAYS: tuple[tuple[str, Pay], ...] = (
    ("posts ante(?: of)?", ledger.post_ante),
    ("posts small blind", _small),
    (r"posts big blind \+ dead", ledger.post_both),
    ("posts big blind", _big),
    ("posts button blind ?", _button_blind),
    ("calls", ledger.call),
    ("(?:bets|raises|completes)", _put_in),
    ("double bets", _double),
    ("is all-In ?", _put_in),
    ("bring-ins", ledger.bring_in),
)
_ACTIONS = action_table(
    *[(rf"{words}{_AMOUNT}", _pays(pay)) for words, pay in _PAYS],
    (
        r"raises (?P<by>[0-9.,]+) to (?P<amount>[0-9.,]+)",
        lambda hand, player, found: ledger.raise_to(hand, player, _read_money(found["amount"])),
    ),
    ("folds", without_amount(ledger.fold)),
    ("checks", without_amount(ledger.check)),
    (r"shows +\[(?P<cards>[^\]]*)\].*", show_cards),
    (r"doesn't show +\[(?P<cards>[^\]]*)\].*", _keep_hidden),
    ("does not show cards", without_amount(ledger.muck)),
    (r"wins (?:Lo |Hi )?\(?(?P<amount>[$€£]?[0-9][0-9.,]* *(?:USD|EUR|GBP|chips)?)\)?(?: from .*)?", _collect),
)


# --- the summary of newer texts


def _read_summary(hand: PartialHand, text: str) -> bool:
    player, words = ledger.split_name(hand, text, " ")
    found = _BALANCE.fullmatch(words) if player is not None else None
    if player is None or found is None:
        if text.startswith("Main Pot"):
            hand.total = hand.total or 0
        return _IDLE.fullmatch(text) is not None
    if found["cards"]:
        ledger.show(hand, player, ledger.known_cards(found["cards"]))
    if found["collected"]:
        ledger.collect(hand, player, int(found["collected"]))
    return True


def _read_head(hand: PartialHand, found: re.Match[str]) -> None:
    digits = found["hand"]
    hand.number = int(digits) if digits.isdigit() and len(digits) < 19 else digits


def _finish(hand: PartialHand) -> None:
    """Return the uncalled bet, which the text includes in the winnings. Missing chips are the rake."""
    ledger.note_uncalled(hand)
    winner = hand.bettor
    won = sum(player.won for player in hand.players)
    if winner is not None and winner.won >= hand.uncalled and not _is_known_pot(hand, won):
        winner.won -= hand.uncalled
        hand.pot -= hand.uncalled
        won -= hand.uncalled
    elif winner is not None and hand.pot - hand.uncalled >= won:
        winner.left += hand.uncalled
        hand.pot -= hand.uncalled
    hand.returned = True
    rake = hand.pot - won
    most = 0 if hand.event else hand.pot * _MOST_RAKE + hand.dropped
    if not 0 <= rake <= most:
        raise ReadError(f"rake: {rake} is not possible: {hand.pot} was put in, and {won} was won")
    ledger.settle(hand, hand.pot, rake)


def _is_known_pot(hand: PartialHand, won: object) -> bool:
    """Return whether the winnings are the printed pot without the uncalled bet."""
    return bool(hand.total) and hand.total == won


PARTY_POKER = Site(
    key="partypoker",
    name="PartyPoker",
    mark="*****",
    head=_HEAD,
    cut_before=re.compile(rb"\n(?=\*{5} Hand History [Ff]or Game \d+ \*{5})"),
    read_head=_read_head,
    read_line=read_line,
    ends=lambda line: False,
    belongs=lambda line: True,
    is_between=lambda line: _BETWEEN.fullmatch(line) is not None,
    finish=_finish,
)
