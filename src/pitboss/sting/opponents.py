"""How the Narc and the Customer play, and descriptions of it for the Player.

Opponents use only their own view of the hand. The default behaviours are the printed opponents.
"""

from pitboss.chance import Chance
from pitboss.sting.cards import CustomerBehaviour, NarcBehaviour, StingCard
from pitboss.sting.events import StingAction, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, ROUNDS, StingHand


def stage(hand: StingHand) -> int:
    """Return the round that decides how opponents play. The last round is always played as the third."""
    return ROUNDS if hand.number >= hand.variation.rounds else hand.number


def product_up(hand: StingHand) -> StingCard | None:
    """Return the Product that counts, or None if no Product is face up."""
    for _, name in reversed(hand.table):
        card = hand.cards.cards[name]
        if card.kind == "product":
            return card
    return None


# --- the Narc


def narc_raises(way: NarcBehaviour, hand: StingHand) -> int:
    """Return the probability, in per cent, that the Narc raises now."""
    totals, product = hand.totals, product_up(hand)
    chance = way.raises[stage(hand) - 1]
    if totals.margin < 0:
        chance += way.thin
    if totals.margin >= way.thick_from:
        chance -= way.thick
    if product is not None and product.price >= way.dear_from:
        chance += way.dear
    chance -= way.wary * sum([place == PLAYER for place, _ in hand.down])
    chance += way.heat * (max(0, hand.heat_before) // 10)
    return min(100, max(0, chance))


def act_narc(way: NarcBehaviour, hand: StingHand, chance: Chance) -> StingAction:
    """Raise or check."""
    if chance.below(100) >= narc_raises(way, hand):
        return StingCheck()
    held = hand.hands[NARC]
    if way.aims and hand.totals.margin < 0:
        return StingRaise(max(held, key=lambda name: hand.cards.cards[name].evidence))
    return StingRaise(chance.choice(held))


def describe_narc(way: NarcBehaviour) -> str:
    """Return a description of how the Narc plays."""
    chances = _chances(
        way.raises,
        (way.thin, "more if Evidence is ahead of Cover"),
        (way.dear, f"more if a Product of {way.dear_from} or above is face up"),
        (way.heat, "more for every 10 Heat you brought"),
        (way.thick, f"less if Cover is ahead by {way.thick_from} or more"),
        (way.wary, "less for each card you have face down, whatever it is"),
    )
    aims = ", or the one with most Evidence if Evidence is ahead" if way.aims else ""
    return f"The Narc {chances}. They play a random card{aims}. They never fold."


def _chances(raises: tuple[int, int, int], *changes: tuple[int, str]) -> str:
    """Return the probability that an opponent raises, and what changes it, in words."""
    parts = [f"raises with {', '.join(map(str, raises))} % by round"]
    return ", ".join([*parts, *[f"{points} {when}" for points, when in changes if points]])


# --- the Customer


def customer_raises(way: CustomerBehaviour, hand: StingHand) -> int:
    """Return the probability, in per cent, that the Customer raises now."""
    product = product_up(hand)
    chance = way.raises[stage(hand) - 1]
    if product is None:
        chance += way.restless if hand.number > 1 else 0
    elif product.price < way.dear_from:
        chance -= way.content
    return min(100, max(0, chance))


def flees(way: CustomerBehaviour, hand: StingHand) -> bool:
    """Return whether a Customer who does not raise folds."""
    totals = hand.totals
    if way.flees_behind:
        return -totals.margin > way.flees_behind
    return stage(hand) == ROUNDS and totals.evidence > way.flees_above


def act_customer(way: CustomerBehaviour, hand: StingHand, chance: Chance) -> StingAction:
    """Raise or, if there is too much Evidence, fold, or check."""
    raises = customer_raises(way, hand)
    if raises and chance.below(100) < raises:
        return StingRaise(_order(way, hand, chance))
    return StingFold() if flees(way, hand) else StingCheck()


def _order(way: CustomerBehaviour, hand: StingHand, chance: Chance) -> str:
    held, product = hand.hands[CUSTOMER], product_up(hand)
    if not way.haggles or product is None:
        return chance.choice(held)
    cards = [hand.cards.cards[name] for name in held]
    if product.price >= way.dear_from:
        return min(cards, key=lambda card: (card.price, card.multiplier)).name
    return max(cards, key=lambda card: (card.multiplier, card.price)).name


def describe_customer(way: CustomerBehaviour) -> str:
    """Return a description of how the Customer plays."""
    chances = _chances(
        way.raises,
        (way.restless, "more after round 1 if no Product is face up"),
        (way.content, f"less if the Product is below {way.dear_from}"),
    )
    haggles = ""
    if way.haggles:
        haggles = (
            f" For a Product of {way.dear_from} or above they play the card that lowers the price most, for a cheaper"
            " one the card that raises it most, and without a Product a random card."
        )
    if way.flees_behind:
        when = f"Evidence is ahead by more than {way.flees_behind}"
    else:
        when = f"Evidence is above {way.flees_above} in the last round"
    return f"The Customer {chances}.{haggles} If they do not raise and {when}, they fold."
