"""What a hand needs to start: the usual stakes from a few numbers, the deck, and the checks before the deal."""

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post, first_opener
from pitboss.cards import Card, check_distinct, read_cards
from pitboss.chance import Chance
from pitboss.hand.structure import Stakes, Structure, blind_order, check_chips
from pitboss.hand.structure import blinds as post_blinds


def check_setup(structure: Structure, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None) -> None:
    """Refuse a hand that cannot be played as described."""
    if not isinstance(stakes, Stakes):
        raise SetupError(f"stakes: expected Stakes, got {stakes!r:.40}")
    n = count_stacks(stacks)
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
    if stakes.runs > 1 and not structure.board_by_street[-1]:
        raise SetupError(f"{structure.name} has no board to run {stakes.runs} times")


def _cards_needed(structure: Structure, n: int, runs: int) -> int:
    """How many cards a deck has at the least, so that it never runs out."""
    needed = n * structure.hole_by_street[-1] + runs * structure.board_by_street[-1]
    if structure.draws:  # whoever changes all his cards gets none of them back
        needed += structure.hole_by_street[-1]
    if structure.streets[-1].own:  # the last card may be one for all
        needed = min(needed, len(structure.deck))
    return needed


def _check_deck(structure: Structure, n: int, runs: int, deck: Sequence[Card]) -> None:
    if not isinstance(deck, Sequence):
        raise SetupError(f"deck: expected cards in order, got {deck!r:.40}")
    needed = _cards_needed(structure, n, runs)
    if len(deck) < needed:
        raise SetupError(f"the deck has {len(deck)} cards, {n} players need {needed}")
    given = set(deck)
    if len(given) < len(deck) or not given <= structure.all_cards:
        for card in deck:
            if card not in structure.deck:
                raise SetupError(f"card {card!r} is not in the deck of {structure.name}")
        check_distinct(deck)


def settle_stakes(structure: Structure, stakes: Stakes, players: int) -> Stakes:
    """Return the stakes as each hand with these forced bets has them, however they were given.

    Posts are in the order of the blinds, and what changes nothing is left out, so that equal hands are equal.
    """
    order = blind_order(players)
    posts = tuple(
        sorted(
            [Post(post.place, post.amount, post.live, post.option) for post in stakes.posts],
            key=lambda post: order.index(post.place),
        )
    )
    opener = first_opener(stakes.posts, players) if stakes.opener is None else stakes.opener
    antes = stakes.antes if any(stakes.antes) else ()
    return replace(
        stakes.in_game(structure),
        posts=posts,
        opener=None if opener == first_opener(posts, players) else opener,
        antes=antes,
        equal_antes=stakes.equal_antes or not antes,
    )


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
    if isinstance(deck, Sequence) and not isinstance(deck, str):
        return tuple(deck)
    return read_cards(deck or "")
