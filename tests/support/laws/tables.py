"""Tables to play at: every game and setting, and players with various styles, drawn from one chance.

One seed decides everything, so a hand is named by its seed and replayed from it.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.round import Offer, Post
from pitboss.betting.rules import Answers, Reopening, Rules, fixed_step, initiative
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, ChooseRuns, Discard, Muck, Show
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand, Step
from pitboss.hand.structure import Rake, Stakes, Structure, blinds

REOPENINGS = (Reopening.SINGLE, Reopening.CUMULATIVE)
BLINDS = ((1, 2), (5, 10), (10, 20), (50, 100), (1, 1), (20, 20), (1, 3), (3, 7), (7, 15), (0, 20), (19, 20))
MOST_BLINDS_DEEP = 300
MOST_PLAYERS = 10
RAKES = (Rake(thousandths=50), Rake(thousandths=33, cap=7), Rake(thousandths=100, no_flop_no_drop=False))

# How often a player folds, calls, names a size, goes all-in.
TEMPERS = ((1, 8, 4, 0), (1, 6, 6, 1), (4, 6, 2, 0), (1, 4, 10, 1), (2, 4, 3, 4), (0, 8, 3, 1), (1, 20, 1, 0))


class Table(Struct, frozen=True, kw_only=True):
    """Everything that is fixed before a hand's first decision."""

    structure: Structure
    stacks: tuple[int, ...]
    stakes: Stakes
    deck: tuple[Card, ...]

    def deal(self, *, by_itself: bool = True) -> Step:
        """Start the hand, with its deck or with deals as actions."""
        deck = self.deck if by_itself else None
        return Hand.start(self.structure, stacks=self.stacks, stakes=self.stakes, deck=deck)


def some_table(
    chance: Chance, structure: Structure | None = None, reopening: Reopening | None = None, *, house: bool = False
) -> Table:
    """Any table, with this game and reopening if they are given; `house`: with house rules too."""
    structure = structure or chance.choice(tuple(STRUCTURES.values()))
    reopening = chance.choice(REOPENINGS) if reopening is None else reopening
    structure = structure.with_betting(reopening=reopening)
    n = 2 + chance.below(min(structure.most_players, MOST_PLAYERS) - 1)
    small, big = chance.choice(BLINDS)
    stacks, stakes = some_stacks(chance, n, big), stakes_for(chance, structure, n, small, big)
    table = Table(structure=structure, stacks=stacks, stakes=stakes, deck=chance.shuffled(structure.deck))
    return with_house_rules(table, chance) if house else table


def with_house_rules(table: Table, chance: Chance) -> Table:
    """The table with some house rules: runs, rake, mucking, bomb pots, bigger bets at an open pair."""
    n, structure, stakes = len(table.stacks), table.structure, table.stakes
    if chance.below(4) == 0:
        stakes = replace(stakes, rake=chance.choice(RAKES))
    if chance.below(3) == 0:
        stakes = replace(stakes, may_muck=True)
    if structure.betting.bring_in and chance.below(2):
        structure = replace(structure, open_pair=True)
    if structure.board_by_street[-1] and structure.boards == 1 and chance.below(3) == 0:
        most = (len(structure.deck) - n * structure.dealt_to_each) // structure.board_by_street[-1]
        stakes = replace(stakes, runs=min(most, 2 + chance.below(2)))
    if not structure.betting.bring_in and chance.below(8) == 0:
        ante = 1 + chance.below(2 * stakes.min_bet)
        stakes = replace(stakes, bomb=True, posts=(), antes=(ante,) * n, equal_antes=True)
    return replace(table, structure=structure, stakes=stakes)


def some_stacks(chance: Chance, n: int, big: int) -> tuple[int, ...]:
    """Equal, unequal, tiny, or a few tiny ones among deep ones; from one chip to three hundred blinds."""
    deep = big * chance.choice((2, 5, 20, 100, MOST_BLINDS_DEEP))
    kind = chance.below(5)
    if kind == 0:
        return (1 + chance.below(deep),) * n
    bounds = {1: (deep,), 2: (3 * big,), 3: (deep, 2 * big, 2 * big), 4: (deep, deep, big + 1)}[kind]
    return tuple([1 + chance.below(chance.choice(bounds)) for _ in range(n)])


def stakes_for(chance: Chance, structure: Structure, n: int, small: int, big: int) -> Stakes:
    """Stakes that fit the game: blinds and what goes with them, or antes and a bring-in."""
    limit = structure.betting.exact
    if not structure.betting.bring_in:
        return some_stakes(chance, n, small, big, limit=limit)
    antes, equal_antes = _some_antes(chance, n, big, needed=chance.below(4) > 0)
    return Stakes(
        min_bet=big,
        big_bet=2 * big + chance.below(2) * chance.below(big) if limit else None,
        bring_in=chance.choice((1, max(1, big // 4), max(1, big // 2), big)),
        antes=antes,
        dead=0 if chance.below(8) else 1 + chance.below(2 * big),
        equal_antes=equal_antes,
    )


def some_stakes(chance: Chance, n: int, small: int, big: int, *, limit: bool) -> Stakes:
    """Blinds with or without straddles, a button's blind, or antes alone; antes, posts and dead money or none."""
    kind = chance.below(12)
    posts: tuple[Post, ...]
    if kind < 7:
        posts = blinds(n, small, big)
    elif kind < 9:
        straddles = [(big << k) + chance.below(2) * chance.below(big) for k in range(1, 1 + chance.below(3))]
        posts = blinds(n, *(small, big, *straddles)[:n])
    elif kind == 9:
        button = (Post(n - 1, 2 * big, option=True),) if n > 3 else ()
        posts = blinds(n, small, big) + button
    elif kind == 10:
        posts = (Post(n - 1, big, option=True),)
    else:
        posts = ()
    antes, equal_antes = _some_antes(chance, n, big, needed=not posts)
    if kind < 10:
        posts = _with_newcomers(chance, n, small, big, posts)
    return Stakes(
        min_bet=big,
        big_bet=2 * big + chance.below(2) * chance.below(big) if limit else None,
        posts=posts,
        antes=antes,
        dead=0 if chance.below(8) else 1 + chance.below(2 * big),
        equal_antes=equal_antes,
    )


def _some_antes(chance: Chance, n: int, big: int, *, needed: bool) -> tuple[tuple[int, ...], bool]:
    """No antes, one from every player, or one from one player for all."""
    ante = chance.choice((1, max(1, big // 5), max(1, big // 2), big))
    kind = 2 if needed else chance.below(4)
    if kind < 2:
        return (), True
    if kind == 2:
        return (ante,) * n, True
    payer = chance.below(n)
    return tuple([big if p == payer else 0 for p in range(n)]), False


def _with_newcomers(chance: Chance, n: int, small: int, big: int, posts: tuple[Post, ...]) -> tuple[Post, ...]:
    """Sometimes let players outside the blinds post: the big blind live, the small blind dead, or both."""
    taken = {post.place for post in posts}
    for place in range(n):
        if place in taken or chance.below(10):
            continue
        live, dead = Post(place, big), Post(place, max(1, small), live=False)
        posts += chance.choice(((live,), (dead,), (live, dead), (dead, live)))
    return posts


def some_action(offer: Offer, chance: Chance, temper: Sequence[int], *, exact: bool = False) -> BettingAction:
    """One of the actions on offer, also folding for free. With `exact` a bet is the minimum or the maximum."""
    stay: BettingAction = Check() if offer.check else Call()
    if not offer.check and offer.call is None:
        stay = AllIn()
    bounds = offer.bet or offer.raise_
    fold, call, size, shove = temper
    weights = (fold if offer.fold else 0, call, size if bounds else 0, shove if offer.all_in else 0)
    ticket = chance.below(sum(weights))
    if ticket < weights[0]:
        return Fold()
    if ticket < weights[0] + call:
        return stay
    if bounds is None or ticket >= sum(weights[:3]):
        return AllIn()
    ends = bounds.min_to, bounds.max_to
    to = chance.choice(ends) if exact else some_total(*ends, chance)
    if offer.bet:
        return Bet(to)
    return RaiseBy(to - bounds.min_to + bounds.min_by) if chance.below(4) == 0 else Raise(to)


def some_answer(hand: Hand, chance: Chance, temper: Sequence[int]) -> Action:
    """A legal answer of the player to act: bet, change some cards or none, show or muck."""
    assert isinstance(hand.turn, PlayersTurn), "nobody is asked"
    if hand.phase == "draw":
        held, count = hand.holes[hand.turn.place], hand.offer.discard
        return Discard(some_cards(held, chance) if count is None else chance.shuffled(held, count))
    if hand.phase == "runs":
        return ChooseRuns(1 + chance.below(hand.offer.runs or 1))
    if hand.phase == "show":
        return Show() if hand.offer.show and chance.below(4) else Muck()
    return some_action(hand.offer, chance, temper, exact=hand.round.rules.second_step > 0)


def some_cards(held: Sequence[Card], chance: Chance) -> tuple[Card, ...]:
    """None, all, or any of these cards in any order."""
    kind = chance.below(6)
    return chance.shuffled(held, 0 if kind == 0 else len(held) if kind == 1 else chance.below(len(held) + 1))


def some_total(low: int, high: int, chance: Chance) -> int:
    """The minimum, the maximum, near the minimum, or anything between."""
    kind = chance.below(8)
    if kind < 3:
        return low
    if kind == 3:
        return high
    wide = high - low + 1
    return low + chance.below(wide if kind == 4 else min(wide, low + 1))


# --- rounds of invented games


class Seats(Struct, frozen=True, kw_only=True):
    """Everything that is fixed before the first phase of a game that consists only of betting."""

    rules: Rules
    stacks: tuple[int, ...]
    step: int
    opener: int
    antes: tuple[int, ...]


def some_seats(chance: Chance, preset: str) -> Seats:
    """Seats for fixed steps or for the initiative, with small and unequal stacks among them."""
    n = 2 + chance.below(5)
    if preset == "fixed_step":
        rules, step = fixed_step(cap=chance.below(5)), chance.choice((1, 2, 10))
        deep = step * chance.choice((2, 4, 30)) + 1
        antes = chance.choice(((), (1,) * n, (step,) * n))
    else:
        rules, step = initiative(answers=chance.choice((Answers.FOLLOWING, Answers.EVERYONE))), 1
        deep, antes = chance.choice((2, 4, 16)), ()
    stacks = tuple([1 + chance.below(deep) for _ in range(n)])
    if chance.below(3) == 0:
        stacks = (stacks[0],) * n
    return Seats(rules=rules, stacks=stacks, step=step, opener=chance.below(n), antes=antes)


def with_other_cards(table: Table, eyes: int | None, chance: Chance) -> Table:
    """The table with changes to cards that these eyes do not see: others' first cards, and cards dealt late or never.

    Flop games deal no others, so all cards that these eyes do not see before the showdown are changed.
    """
    n, structure, first = len(table.stacks), table.structure, table.structure.streets[0]
    down, up = n * first.hole, n * first.up
    later = n * (structure.hole_by_street[-1] - first.own) + structure.board_by_street[-1]
    if structure.draws:
        later = (len(table.deck) - down) // 2
    seen = {at for at in range(down) if at % n == eyes} | set(range(down, down + up + later))
    hidden = chance.shuffled([card for at, card in enumerate(table.deck) if at not in seen])
    others = iter(hidden)
    return replace(table, deck=tuple([card if at in seen else next(others) for at, card in enumerate(table.deck)]))
