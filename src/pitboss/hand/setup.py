"""Check and complete the stakes and the deck before a hand starts."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from pitboss.betting.events import BettingEvent
from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post, Round, first_opener
from pitboss.betting.rules import Rules
from pitboss.cards import Card, check_distinct, read_cards
from pitboss.chance import Chance
from pitboss.hand.structure import Stakes, Structure, blind_order, check_chips
from pitboss.hand.structure import blinds as post_blinds


def check_setup(structure: Structure, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None) -> None:
    """Raise `SetupError` if a hand cannot be played with these players and stakes."""
    if not isinstance(stakes, Stakes):
        raise SetupError(f"stakes: expected Stakes, got {stakes!r:.40}")
    n = count_stacks(stacks)
    if n < 2:
        raise SetupError(f"players: expected at least two, got {n}")
    if n > structure.most_players:
        raise SetupError(f"players: expected at most {structure.most_players} in {structure.name}, got {n}")
    check_chips("stack", stacks)
    if not all(stacks):
        raise SetupError(f"stacks: place {list(stacks).index(0)} has no chips and cannot be dealt in")
    if stakes.antes and len(stakes.antes) != n:
        raise SetupError(f"antes: expected {n}, one per player, got {len(stakes.antes)}")
    _check_forced(structure, stakes)
    if deck is not None:
        _check_deck(structure, n, max(stakes.runs, structure.runs_for(n, structure.most_runs)), deck)


def _check_forced(structure: Structure, stakes: Stakes) -> None:
    """Raise `SetupError` if the forced bets do not fit the game."""
    least, most = structure.betting.least_bet, structure.betting.most_bet
    if most and not least <= stakes.min_bet <= most:
        raise SetupError(f"min_bet: expected {least} to {most}, the bets of {structure.name}, got {stakes.min_bet}")
    if not structure.betting.bring_in:
        if stakes.bring_in:
            raise SetupError(f"bring_in: {structure.name} has blinds instead")
    elif not 0 < stakes.bring_in <= stakes.min_bet:
        sentence = f"bring_in: expected 1 to {stakes.min_bet} in {structure.name}, got {stakes.bring_in}"
        raise SetupError(sentence)
    elif stakes.posts:
        raise SetupError(f"blinds: {structure.name} has a bring-in instead")
    if stakes.bomb and (stakes.posts or not any(stakes.antes)):
        raise SetupError("blinds: a bomb pot has antes only")
    if stakes.bomb and stakes.bring_in:
        raise SetupError(f"bomb: {structure.name} has no bomb pots, because its first street begins with a bring-in")
    if stakes.runs > 1 and structure.boards > 1:
        raise SetupError(f"runs: expected 1, got {stakes.runs}: {structure.name} has several boards")
    if stakes.runs > 1 and not structure.board_by_street[-1]:
        raise SetupError(f"runs: expected 1, got {stakes.runs}: {structure.name} has no board")


def _cards_needed(structure: Structure, n: int, runs: int) -> int:
    """Return the minimum number of cards in a deck for `n` players."""
    needed = n * structure.dealt_to_each + runs * structure.board_cards
    if structure.draws:  # a player who exchanges all cards must receive different ones
        needed += structure.dealt_to_each
    if structure.streets[-1].own:  # the last card can be shared by all players
        needed = min(needed, len(structure.deck))
    return needed


def _check_deck(structure: Structure, n: int, runs: int, deck: Sequence[Card]) -> None:
    if type(deck) not in (list, tuple) and not isinstance(deck, Sequence):
        raise SetupError(f"deck: expected cards in order, got {deck!r:.40}")
    needed = _cards_needed(structure, n, runs)
    if len(deck) < needed:
        raise SetupError(f"deck: expected at least {needed} cards for {n} players, got {len(deck)}")
    given = set(deck)
    if len(given) < len(deck) or not given <= structure.all_cards:
        for card in deck:
            if card not in structure.deck:
                raise SetupError(f"deck: card {card!r} is not in the deck of {structure.name}")
        check_distinct(deck)


@lru_cache(maxsize=256)
def settle_stakes(stakes: Stakes, players: int) -> Stakes:
    """Return the stakes in a standard form, so that equal hands are equal.

    Posts are in the order of the blinds. Values without an effect are set to their defaults. The hands of a table often
    have the same stakes, so results are cached.
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
        stakes,
        posts=posts,
        opener=None if opener == first_opener(posts, players) else opener,
        antes=antes,
        equal_antes=stakes.equal_antes or not antes,
    )


@lru_cache(maxsize=256)
def first_round(
    rules: Rules, stacks: tuple[int, ...], stakes: Stakes, step: int
) -> tuple[Round, tuple[BettingEvent, ...]]:
    """Return the round after the forced bets, and their events. In simulations all hands begin with the same stacks."""
    return Round.start(
        rules,
        stacks=stacks,
        step=step,
        opener=stakes.opener,
        price=stakes.price or stakes.bring_in,
        posts=stakes.posts,
        antes=stakes.antes,
        equal_antes=stakes.equal_antes,
        dead=stakes.dead,
    )


def count_stacks(stacks: Sequence[int]) -> int:
    """Return the number of stacks."""
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
    """Return the stakes of a hand. By default, the minimum bet is the big blind, or the only blind."""
    posted, each = _row(blinds, "blinds", "(10, 20)"), _row(antes, "antes", "(0, 0, 20)")
    if each and ante:
        raise SetupError("give ante=, which every player pays, or antes=, one amount per place, but not both")
    if structure.betting.bring_in:
        if posted:
            raise SetupError(f"{structure.name} has no blinds: give ante=, bring_in= and min_bet=, the small bet")
        if not bring_in or min_bet is None:
            raise SetupError(f"{structure.name} needs bring_in= and min_bet=, the small bet, such as 5 and 20")
    elif not posted and min_bet is None:
        raise SetupError(f"{structure.name} needs blinds=, such as (10, 20), or min_bet= if there are no blinds")
    return Stakes(
        min_bet=(structure.betting.least_bet or max(posted[:2]) or max(posted)) if min_bet is None else min_bet,
        big_bet=big_bet,
        posts=post_blinds(players, *posted),
        antes=each or ((ante,) * players if ante else ()),
        bring_in=bring_in,
    )


def _row(amounts: object, what: str, such_as: str) -> tuple[int, ...]:
    """Return the amounts as a tuple. Raise `SetupError` if they are not a sequence."""
    if type(amounts) is tuple:
        return amounts
    if isinstance(amounts, str) or not isinstance(amounts, Sequence):
        raise SetupError(f"{what}: expected amounts such as {such_as}, got {amounts!r:.40}")
    return tuple(amounts)


def cards_to_deal(structure: Structure, seed: int | None, deck: Sequence[Card] | str | None) -> tuple[Card, ...]:
    """Return the given deck, or shuffle a deck with the seed."""
    if (seed is None) == (deck is None):
        raise SetupError("give seed=, a number that shuffles the deck, or deck=, the cards in order, but not both")
    if seed is not None:
        return Chance(seed).shuffled(structure.deck)
    if isinstance(deck, Sequence) and not isinstance(deck, str):
        return tuple(deck)
    return read_cards(deck or "")
