"""Many hands by one policy, and what came of them: rates, profit and Heat with their intervals."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.stats import Mean, proportion
from pitboss.sting.cards import ROLES, CardSet, Role
from pitboss.sting.events import Outcome
from pitboss.sting.hand import AS_PRINTED, MOST_DRAWN, PLAYER, StingHand, Variation
from pitboss.sting.policies import OPPONENTS, PLAYERS, StingPolicy
from pitboss.sting.spread import spread

BLOCK = 1000
"""Hands worked out at a time, by one process."""
WORTH_A_POOL = 10 * BLOCK
"""With fewer hands, other processes would be ready when all is done."""


class UnknownPolicy(PitbossError, ValueError):
    """A policy that there is not."""


class Share(Struct, frozen=True):
    """A share of all hands, with its 95 % interval."""

    rate: float
    low: float
    high: float


class Average(Struct, frozen=True):
    """A mean over all hands, with its 95 % interval, which a single hand has not."""

    mean: float
    low: float
    high: float


class PolicyResult(Struct, frozen=True, kw_only=True):
    """How a policy did."""

    player: str
    hands: int
    win: Share
    bust: Share
    fold: Share
    paid: Share  #: won with a profit above 0
    profit: Average
    heat: Average
    cards: Average  #: that the Player played


class Experiment(Struct, frozen=True, kw_only=True):
    """What is played: the cards, everybody's deck, who answers a raise, and the seed of all chance."""

    cards: CardSet
    decks: Mapping[Role, tuple[str, ...]]
    answers: Answers = Answers.FOLLOWING
    variation: Variation = AS_PRINTED
    seed: int = 0

    @classmethod
    def of(
        cls,
        cards: CardSet,
        *,
        deck: str | None = None,
        narc: str | None = None,
        answers: Answers,
        variation: Variation = AS_PRINTED,
        seed: int,
    ) -> "Experiment":
        """The game with these of the file's decks; without a name it is the first."""
        names: Mapping[Role, str | None] = {"narc": narc, "customer": None, "player": deck}
        decks = {role: cards.deck(role, names[role]) for role in ROLES}
        return cls(cards=cards, decks=decks, answers=answers, variation=variation, seed=seed)


class Tally(Struct):
    """How often everything came out, so that parts add up exactly, in any order."""

    outcomes: Counter[Outcome]
    profits: Counter[int]
    heats: Counter[int]
    cards: Counter[int]

    def add(self, other: "Tally") -> None:
        """Count what another has counted."""
        self.outcomes += other.outcomes
        self.profits.update(other.profits)
        self.heats.update(other.heats)
        self.cards.update(other.cards)


def simulate(
    game: Experiment,
    players: Sequence[str],
    hands: int,
    *,
    jobs: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[PolicyResult]:
    """Every policy with the same deals; the result does not depend on how many processes work at it.

    `advance` is called after each of the `blocks` into which the work falls.
    """
    for player in players:
        if player not in PLAYERS:
            raise UnknownPolicy(f"there is no policy {player!r}: there are {', '.join(PLAYERS)}")
    tallies = {player: _nothing() for player in players}
    jobs = jobs or os.cpu_count() or 1
    pieces = [(game, *block) for block in blocks(players, hands)]
    for player, tally in spread(play_block, pieces, jobs if hands * len(players) >= WORTH_A_POOL else 1):
        tallies[player].add(tally)
        advance()
    return [_result(player, tally) for player, tally in tallies.items()]


def blocks(players: Sequence[str], hands: int) -> list[tuple[str, range]]:
    """The work in pieces: a policy and the numbers of its hands."""
    return [(player, range(at, min(at + BLOCK, hands))) for player in players for at in range(0, hands, BLOCK)]


def play_hand(game: Experiment, policy: StingPolicy, number: int) -> StingHand:
    """One hand from shuffled decks to its end; its number decides the cards and the opponents' moods."""
    chance = Chance(game.seed).fork(number)
    hand, _ = StingHand.start(
        {role: chance.shuffled(deck, min(MOST_DRAWN, len(deck))) for role, deck in game.decks.items()},
        cards=game.cards,
        answers=game.answers,
        listed=tuple([game.decks[role] for role in ROLES]),
        variation=game.variation,
    )
    while (place := hand.asked) >= 0:
        act = policy if place == PLAYER else OPPONENTS[place]
        hand, _ = hand.act(act(hand.view(place), chance))
    return hand


def play_block(game: Experiment, player: str, numbers: range) -> tuple[str, Tally]:
    """Some hands of a policy, counted."""
    tally, policy = _nothing(), PLAYERS[player]
    for number in numbers:
        hand = play_hand(game, policy, number)
        totals, outcome = hand.totals, hand.outcome
        assert outcome is not None
        tally.outcomes[outcome] += 1
        tally.profits[totals.profit] += 1
        tally.heats[totals.heat] += 1
        tally.cards[sum(place == PLAYER for place, _ in hand.table + hand.down)] += 1
    return player, tally


def _nothing() -> Tally:
    return Tally(Counter(), Counter(), Counter(), Counter())


# --- what it comes to


def _result(player: str, tally: Tally) -> PolicyResult:
    hands = tally.outcomes.total()
    return PolicyResult(
        player=player,
        hands=hands,
        win=share_of(tally.outcomes["success"], hands),
        bust=share_of(tally.outcomes["bust"], hands),
        fold=share_of(tally.outcomes["fold"], hands),
        paid=share_of(sum(count for profit, count in tally.profits.items() if profit > 0), hands),
        profit=average_of(tally.profits),
        heat=average_of(tally.heats),
        cards=average_of(tally.cards),
    )


def share_of(count: int, hands: int) -> Share:
    """A share with its interval."""
    return Share(count / hands, *proportion(count, hands))


def average_of(counted: Counter[int]) -> Average:
    """A mean with its interval, of how often each number came."""
    mean = Mean(value for value, count in sorted(counted.items()) for _ in range(count))
    return Average(mean.mean, *mean.interval())
