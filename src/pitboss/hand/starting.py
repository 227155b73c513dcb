"""The usual hand in one line: which stakes a game has, given the few numbers that people say."""

from collections.abc import Sequence

from pitboss.betting.refusals import SetupError
from pitboss.cards import Card, read_cards
from pitboss.chance import Chance
from pitboss.hand.games import find_structure
from pitboss.hand.structure import Stakes, Structure
from pitboss.hand.structure import blinds as post_blinds


def find_game(game: Structure | str) -> Structure:
    """A structure as it is, or by its name or code."""
    return game if isinstance(game, Structure) else find_structure(game)


def count_stacks(stacks: Sequence[int]) -> int:
    """How many play, by their stacks."""
    return len(_row(stacks, "stacks", "(1000, 1000)"))


def usual_stakes(
    structure: Structure,
    players: int,
    *,
    blinds: Sequence[int],
    ante: int,
    antes: Sequence[int],
    bring_in: int,
    min_bet: int | None,
    big_bet: int | None,
) -> Stakes:
    """The forced money of a hand: the least bet is the big blind, or the only one, or what is said."""
    posted, each = _row(blinds, "blinds", "(10, 20)"), _row(antes, "antes", "(0, 0, 20)")
    if each and ante:
        raise SetupError("give ante=, which everybody pays, or antes=, one amount a place, not both")
    if structure.betting.bring_in:
        if posted:
            raise SetupError(f"{structure.name} has no blinds: give ante=, bring_in= and min_bet=, the small bet")
        if not bring_in or min_bet is None:
            raise SetupError(f"{structure.name} needs bring_in= and min_bet=, the small bet, such as 5 and 20")
    elif not posted and min_bet is None:
        raise SetupError(f"{structure.name} needs blinds=, such as (10, 20), or min_bet= where nobody posts one")
    return Stakes(
        min_bet=(max(posted[:2]) or max(posted)) if min_bet is None else min_bet,
        big_bet=big_bet,
        posts=post_blinds(players, *posted),
        antes=each or ((ante,) * players if ante else ()),
        bring_in=bring_in,
    )


def _row(amounts: object, what: str, such_as: str) -> tuple[int, ...]:
    """Amounts as a tuple, where they are a row of some."""
    if isinstance(amounts, str) or not isinstance(amounts, Sequence):
        raise SetupError(f"{what} are a row of amounts such as {such_as}, not {amounts!r:.40}")
    return tuple(amounts)


def cards_to_deal(structure: Structure, seed: int | None, deck: Sequence[Card] | str | None) -> tuple[Card, ...]:
    """The deck as the seed shuffles it, or as it is given."""
    if (seed is None) == (deck is None):
        raise SetupError("give seed=, a number that shuffles the deck, or deck=, the cards in order, and not both")
    if seed is not None:
        return Chance(seed).shuffled(structure.deck)
    return read_cards(deck) if isinstance(deck, str) else tuple(deck or ())
