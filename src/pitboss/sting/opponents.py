"""How Narc and Customer behave: what they do in a hand, from what is on the table, and each behaviour in a sentence.

The defaults are the printed opponents. Both see their own view of the hand and nothing else.
"""

from pitboss.chance import Chance
from pitboss.sting.cards import CustomerBehaviour, NarcBehaviour, StingCard
from pitboss.sting.events import StingAction, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, ROUNDS, StingHand


def stage(hand: StingHand) -> int:
    """Which of the three rounds an opponent takes this one for: the last is always played as the third."""
    return ROUNDS if hand.number >= hand.variation.rounds else hand.number


def product_up(hand: StingHand) -> StingCard | None:
    """The Product that counts, if one lies face up."""
    for _, name in reversed(hand.table):
        card = hand.cards.cards[name]
        if card.kind == "product":
            return card
    return None


# --- the Narc


def narc_raises(way: NarcBehaviour, hand: StingHand) -> int:
    """How often the Narc raises now, in per cent."""
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
    """Raises or checks, and never folds."""
    if chance.below(100) >= narc_raises(way, hand):
        return StingCheck()
    held = hand.hands[NARC]
    if way.aims and hand.totals.margin < 0:
        return StingRaise(max(held, key=lambda name: hand.cards.cards[name].evidence))
    return StingRaise(chance.choice(held))


def describe_narc(way: NarcBehaviour) -> str:
    """The Narc's way in a sentence."""
    first, second, third = way.raises
    parts = [f"raises with {first}, {second}, {third} % by round"]
    if way.thin:
        parts.append(f"{way.thin} more where Evidence is ahead of Cover")
    if way.dear:
        parts.append(f"{way.dear} more where a Product of {way.dear_from} or above lies face up")
    if way.heat:
        parts.append(f"{way.heat} more for every ten Heat you brought")
    if way.thick:
        parts.append(f"{way.thick} less where Cover is ahead by {way.thick_from}")
    if way.wary:
        parts.append(f"{way.wary} less for each card you have face down, whatever it is")
    aims = ", but his heaviest where Evidence is ahead" if way.aims else ""
    return f"The Narc {_list(parts)}. He plays any of his cards{aims}. He never folds."


# --- the Customer


def customer_raises(way: CustomerBehaviour, hand: StingHand) -> int:
    """How often the Customer raises now, in per cent."""
    product = product_up(hand)
    chance = way.raises[stage(hand) - 1]
    if product is None:
        chance += way.restless if hand.number > 1 else 0
    elif product.price < way.dear_from:
        chance -= way.content
    return min(100, max(0, chance))


def flees(way: CustomerBehaviour, hand: StingHand) -> bool:
    """Whether there is too much Evidence for a Customer who does not raise."""
    totals = hand.totals
    if way.flees_behind:
        return -totals.margin > way.flees_behind
    return stage(hand) == ROUNDS and totals.evidence > way.flees_above


def act_customer(way: CustomerBehaviour, hand: StingHand, chance: Chance) -> StingAction:
    """Raises, or leaves where there is too much Evidence, or checks."""
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
    """The Customer's way in a sentence."""
    first, second, third = way.raises
    parts = [f"raises with {first}, {second}, {third} % by round"]
    if way.restless:
        parts.append(f"{way.restless} more after round 1 while no Product lies face up")
    if way.content:
        parts.append(f"{way.content} less where a Product below {way.dear_from} does")
    haggles = ""
    if way.haggles:
        haggles = (
            f"; for a Product of {way.dear_from} or above he plays what lowers the price most, for a cheaper one what"
            " raises it most, without one any card"
        )
    if way.flees_behind:
        leaves = f"Where he does not raise and Evidence is ahead by more than {way.flees_behind}, he leaves."
    else:
        leaves = f"Where he does not raise in the last round and Evidence is above {way.flees_above}, he leaves."
    return f"The Customer {_list(parts)}{haggles}. {leaves}"


def _list(parts: list[str]) -> str:
    return ", ".join(parts)
