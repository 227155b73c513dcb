"""Play whole hands of any poker game in plain Python, for the games that compiled hands do not support.

`Hand` plays the game, and the policies that do not use cards choose the actions.
"""

from pitboss.betting import core
from pitboss.betting.events import Bet, Call, Check, Fold, Raise
from pitboss.chance import Chance
from pitboss.fast.play import decisions
from pitboss.fast.play.backend import Block
from pitboss.fast.play.policies import CALLING
from pitboss.fast.play.setup import RunSetup, Team
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, ChooseRuns, Discard
from pitboss.hand.hand import Hand
from pitboss.hand.state import idle_choice


def play_hands(setup: RunSetup, team: Team, seed: int, numbers: range) -> Block:
    """Play the hands with these numbers."""
    actions, sums, squares = 0, [0] * setup.seats, [0] * setup.seats
    for number in numbers:
        seats = setup.order(setup.buttons[number % len(setup.buttons)])
        chance = Chance(seed).fork(number)
        stacks = [setup.stacks[seat] for seat in seats]
        deck = chance.shuffled(setup.structure.deck)
        hand, _ = Hand.start(setup.structure, stacks=stacks, stakes=setup.stakes, deck=deck)
        while isinstance(turn := hand.turn, PlayersTurn):
            choose = calling if team.kinds[seats[turn.place]] == CALLING else random
            hand, _ = hand.act(choose(hand, chance))
            actions += 1
        for seat, before, after in zip(seats, stacks, hand.stacks, strict=True):
            sums[seat] += after - before
            squares[seat] += (after - before) ** 2
    return Block(len(numbers), actions, sums, squares)


def calling(hand: Hand, _: Chance) -> Action:
    """Check or call. Stand pat in a draw, discard the cards dealt last, and run the board once."""
    return idle_choice(hand) or bet(hand, decisions.STAY)


def random(hand: Hand, chance: Chance) -> Action:
    """Bet as the policy `random` does in other games. Discard random cards, and run the board any number of times."""
    offer, place = hand.offer, hand.round.turn
    if offer.runs is not None:
        return ChooseRuns(1 + chance.below(offer.runs))
    if isinstance(turn := hand.turn, PlayersTurn) and hand.phase == "draw":
        held = hand.holes[turn.place]
        if offer.discard is not None:
            return Discard(chance.shuffled(held, offer.discard))
        return Discard(tuple([card for card in held if chance.below(2)]))
    bounds, sizes = offer.bet or offer.raise_, 0
    if bounds is not None:
        sizes = decisions.sizes(bounds.min_to, core.pot_raise(hand.round, place), bounds.max_to)
    chance.state, wish = decisions.random(core.owed(hand.round, place), sizes, chance.state)
    return bet(hand, wish)


def bet(hand: Hand, wish: int) -> Action:
    """Return the betting action for an intention. A bring-in is paid, because folding is not legal."""
    offer = hand.offer
    bounds = offer.bet or offer.raise_
    if wish > decisions.STAY and bounds is not None:
        by_pot = core.pot_raise(hand.round, hand.round.turn)
        to = {decisions.LEAST: bounds.min_to, decisions.POT: by_pot, decisions.MOST: bounds.max_to}[wish]
        return Bet(to) if offer.bet else Raise(to)
    if offer.check:
        return Check()
    return Fold() if wish == decisions.GIVE_UP and offer.fold else Call()
