"""The end of a hand that is being read: whether its chips add up to pot and rake, and whether it ends at all."""

from pitboss.cards import CardError, check_distinct
from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.sites.dealing import deal_owed
from pitboss.notation.sites.state import HandSoFar, mend, note_uncalled

CUT_OFF = "the hand is cut off: it ends here without its total pot"


class PrintedPotError(ReadError):
    """Chips that do not add up to the printed pot."""


class DoubledCardError(ReadError):
    """A card that stands twice in a hand."""


def settle(hand: HandSoFar, total: Amount, rake: Amount) -> None:
    """Take the printed pot and rake; what was put in, what was collected and they must agree.

    Where somebody cashed out the text says further below what the cards would have won him.
    """
    hand.total, hand.rake = total, rake
    if not any(player.cashed_out for player in hand.players):
        _check_chips(hand)


def _check_chips(hand: HandSoFar) -> None:
    won = sum(player.won for player in hand.players)
    out = won + hand.rake
    note_uncalled(hand)
    if hand.bettor is not None and not hand.returned and hand.pot - hand.beyond == out:
        hand.pot -= hand.beyond
        hand.bettor.left += hand.beyond
    if hand.pot != out or (hand.pot != hand.total and not hand.lenient):
        sentence = f"{hand.pot} were put in, {won} collected and {hand.rake} raked: that is not the pot of {hand.total}"
        raise PrintedPotError(sentence)
    if hand.pot != hand.total:
        mend(hand, f"{hand.pot} were put in and taken out, and a pot of {hand.total} is printed")
        hand.total = hand.pot


def check_end(hand: HandSoFar) -> None:
    """Refuse a hand that is cut off, and one in which a card stands twice."""
    if hand.total is None:
        raise ReadError(CUT_OFF)
    deal_owed(hand)
    if any(player.cashed_out for player in hand.players):
        _check_chips(hand)
    if sum(player.involved for player in hand.players) < 2:
        raise ReadError("fewer than two players take part in this hand, which ends so")
    check_cards(hand)


def check_cards(hand: HandSoFar) -> None:
    """Refuse a card that stands twice in what has been read."""
    gone = hand.structure.draws  # where cards are changed, those of a folded hand may come back
    cards = [card for player in hand.players if not (gone and player.folded) for card in player.own]
    cards += hand.boards[0]
    for board in hand.boards[1:]:
        cards += board[hand.common :]
    try:
        check_distinct(cards)
    except CardError as error:
        raise DoubledCardError(f"{error}, here for the second time") from None
