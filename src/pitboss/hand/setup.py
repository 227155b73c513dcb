"""What a hand needs to start, and what is said where something is missing."""

from collections.abc import Sequence

from pitboss.betting.refusals import SetupError
from pitboss.cards import Card, check_distinct
from pitboss.hand.structure import Stakes, Structure, check_chips


def check_setup(structure: Structure, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None) -> None:
    """Refuse a hand that cannot be played as described."""
    n = len(stacks)
    if n < 2:
        raise SetupError(f"a hand needs at least two players, not {n}")
    if n > structure.most_players:
        raise SetupError(f"{structure.name} is for at most {structure.most_players} players, not {n}")
    check_chips("stack", stacks)
    if not all(stacks):
        raise SetupError(f"place {list(stacks).index(0)} has no chips and cannot be dealt in")
    if stakes.antes and len(stakes.antes) != n:
        raise SetupError(f"{len(stakes.antes)} antes for {n} players")
    _check_forced(structure, stakes)
    if deck is not None:
        _check_deck(structure, n, stakes.runs, deck)


def _check_forced(structure: Structure, stakes: Stakes) -> None:
    """Refuse forced bets that the game does not have."""
    if not structure.betting.bring_in:
        if stakes.bring_in:
            raise SetupError(f"{structure.name} has blinds, no bring-in")
    elif not 0 < stakes.bring_in <= stakes.min_bet:
        sentence = f"{structure.name} needs a bring-in of 1 to {stakes.min_bet}, the least bet, not {stakes.bring_in}"
        raise SetupError(sentence)
    elif stakes.posts:
        raise SetupError(f"{structure.name} has a bring-in, no blinds")
    if stakes.bomb and (stakes.posts or not any(stakes.antes)):
        raise SetupError("a bomb pot has antes and no blinds")
    if stakes.bomb and stakes.bring_in:
        raise SetupError(f"{structure.name} has no bomb pots: its first street is the bring-in's")
    if stakes.runs > 1 and not structure.common_by[-1]:
        raise SetupError(f"{structure.name} has no board to run {stakes.runs} times")


def cards_needed(structure: Structure, n: int, runs: int) -> int:
    """How many cards a deck has at the least, so that it never runs out."""
    needed = n * structure.own_by[-1] + runs * structure.common_by[-1]
    if structure.draws:  # whoever changes all his cards gets none of them back
        needed += structure.own_by[-1]
    if structure.streets[-1].own:  # the last card may be one for all
        needed = min(needed, len(structure.deck))
    return needed


def _check_deck(structure: Structure, n: int, runs: int, deck: Sequence[Card]) -> None:
    needed = cards_needed(structure, n, runs)
    if len(deck) < needed:
        raise SetupError(f"the deck has {len(deck)} cards, {n} players need {needed}")
    given = set(deck)
    if len(given) < len(deck) or not given <= structure.all_cards:
        for card in deck:
            if card not in structure.deck:
                raise SetupError(f"card {card!r} is not in the deck of {structure.name}")
        check_distinct(deck)
