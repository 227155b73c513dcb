"""Read GGPoker hand histories. Their lines are those of PokerStars, except the first line and a few others."""

import re

from msgspec.structs import replace

from pitboss.formats.scan import ReadError
from pitboss.formats.sites import ledger
from pitboss.formats.sites.ledger import PartialHand
from pitboss.formats.sites.pokerstars import POKERSTARS, read_line, read_stakes
from pitboss.formats.sites.values import game_named, read_clock

HEAD = re.compile(r"Poker Hand #(?P<hand>[A-Z]{0,4}[0-9]{1,20}): *(?P<rest>.*)")
_GAME = re.compile(
    r"(?:(?P<event>Tournament #[0-9]+(?:, .*?)?) +)?"
    r"(?P<game>Hold'em|ShortDeck|Short Deck|PLO(?:-[56])?|(?:[56] Card )?Omaha(?: Hi/Lo)?|6\+ Hold'em)"
    r"(?: (?P<limit>No Limit|Pot Limit|Fixed Limit|Limit))?"
    r"(?: - Level ?(?P<level>[0-9]{1,4}))? *\((?P<stakes>[^()]*)(?:\([^()]*\))?\)(?: - (?P<clock>.*))?"
)
_INSURED = re.compile(r"(?P<verb>Pays Cashout Risk|Pays Cashout Fee|Receives Cashout) \((?P<amount>\S+)\)")
_IDLE = re.compile(r"Chooses to .*")


def _read_head(hand: PartialHand, found: re.Match[str]) -> None:
    game = _GAME.fullmatch(found["rest"])
    if not game:
        raise ReadError("expected the first line of a hand in a supported game")
    stakes = read_stakes(game["stakes"])
    hand.structure = game_named(game["game"], game["limit"] or "Pot Limit")
    hand.number, hand.event = found["hand"], game["event"] or ""
    hand.level = int(game["level"]) if game["level"] else None
    hand.symbol, hand.currency = stakes.symbol, stakes.currency
    ledger.set_stakes(hand, stakes.small, stakes.big)
    if game["clock"]:
        hand.clock = read_clock(game["clock"])
    hand.marks = {"stakes": game["stakes"]}


def _read_line(hand: PartialHand, text: str) -> bool:
    if ": Pays " in text or ": Receives " in text or ": Chooses " in text:
        player, said = ledger.split_name(hand, text, ": ")
        if player is not None and (found := _INSURED.fullmatch(said)):
            amount = ledger.amount_in(hand, found["amount"])
            ledger.cash_out(player, amount if found["verb"] == "Receives Cashout" else -amount)
            return True
        if player is not None and _IDLE.fullmatch(said):
            return True
    return read_line(hand, text)


GGPOKER = replace(
    POKERSTARS,
    key="ggpoker",
    name="GGPoker",
    head=HEAD,
    cut_before=re.compile(rb"\n(?=Poker Hand #\w+:)"),
    read_head=_read_head,
    read_line=_read_line,
    error=ReadError,
)
