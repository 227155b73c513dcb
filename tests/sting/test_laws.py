"""Laws of a hand, whatever the cards: it ends, keeps its cards, its secrets and its word."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.game import Over, PlayersTurn
from pitboss.sting.cards import HIDDEN
from pitboss.sting.events import Continue, StingAction, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import StingHand, view_event
from pitboss.sting.policies import OPPONENTS, PLAYERS
from tests.support.sting.tables import NAMES, PLAYER, SEEDS, actions_on_offer, all_cards, random_play, some_hands

MOST_STEPS = 3 * (3 + 3 * 4) + 2
"""In a round each player acts once, each of three raises can be answered by all, and there are two decisions."""
EVERYTHING: list[StingAction] = [
    StingCheck(),
    StingFold(),
    Continue(),
    *(StingRaise(card) for card in (*NAMES, HIDDEN, "Jackpot")),
]


@given(some_hands(), SEEDS)
def test_every_hand_ends(hand: StingHand, seed: int) -> None:
    states = random_play(hand, Chance(seed))
    assert states[-1].over
    assert states[-1].turn == Over()
    assert states[-1].outcome in ("success", "bust", "fold")
    assert len(states) - 1 <= MOST_STEPS


@given(some_hands(), SEEDS)
def test_no_card_is_lost_or_doubled(hand: StingHand, seed: int) -> None:
    cards = all_cards(hand)
    for state in random_play(hand, Chance(seed)):
        assert all_cards(state) == cards
        assert all(len(held) <= 3 for held in state.hands)


@given(some_hands(), SEEDS)
def test_same_seed_same_hand(hand: StingHand, seed: int) -> None:
    assert random_play(hand, Chance(seed)) == random_play(hand, Chance(seed))


@given(some_hands(), SEEDS)
def test_every_action_on_offer_is_accepted_and_every_neighbour_refused(hand: StingHand, seed: int) -> None:
    for state in random_play(hand, Chance(seed)):
        offered, before = actions_on_offer(state), replace(state)
        for action in EVERYTHING:
            for place in (0, 1, PLAYER):
                right = action in offered and state.turn == PlayersTurn(place)
                assert accepts(state, action, place) == right, (action, place)
        assert state == before


def accepts(state: StingHand, action: StingAction, place: int) -> bool:
    try:
        after, events = state.act(action, place)
    except Refused:
        return False
    assert after != state
    assert events
    return True


@given(some_hands(), SEEDS, st.sampled_from([0, 1, PLAYER, None]))
def test_a_view_does_not_change_when_a_hidden_card_does(hand: StingHand, seed: int, place: int | None) -> None:
    chance = Chance(seed)
    for state in random_play(hand, chance):
        other = with_other_secrets(state, place, chance)
        assert state.view(place) == other.view(place)
        assert state.view(place).view(place) == state.view(place)


@given(some_hands(), SEEDS)
def test_a_view_shows_ones_own_cards_and_no_others(hand: StingHand, seed: int) -> None:
    for state in random_play(hand, Chance(seed)):
        for place in (0, 1, PLAYER):
            view = state.view(place)
            assert view.hands[place] == state.hands[place]
            assert view.table == state.table
            assert view.offer == state.offer or state.to_act != place
            hidden = [card for p, held in enumerate(view.hands) if p != place for card in held]
            hidden += [card for deck in view.decks for card in deck]
            hidden += [card for p, card in view.down if p != place]
            assert set(hidden) <= {HIDDEN}
            assert [p for p, _ in view.down] == [p for p, _ in state.down]


@given(some_hands(), SEEDS, st.sampled_from([0, 1, PLAYER]))
def test_event_does_not_reveal_a_hidden_card(hand: StingHand, seed: int, place: int) -> None:
    """Two hands that look alike to a player stay alike to them while others play alike except for the card."""
    chance = Chance(seed)
    for state in random_play(hand, chance)[:-1]:
        asked = state.to_act
        if asked == place or not state.offer.raise_:
            continue
        first, second = state.offer.raise_[0], state.offer.raise_[-1]
        one, events_one = state.act(StingRaise(first))
        two, events_two = state.act(StingRaise(second))
        if one.state == "Betting":  # otherwise the cards are turned up, for all to see
            assert one.view(place) == two.view(place)
            assert [view_event(e, place) for e in events_one] == [view_event(e, place) for e in events_two]


def with_other_secrets(hand: StingHand, place: int | None, chance: Chance) -> StingHand:
    """The same hand with other cards wherever this place cannot see them."""
    hands = tuple([held if p == place else others(len(held), chance) for p, held in enumerate(hand.hands)])
    down = tuple([(p, card if p == place else chance.choice(NAMES)) for p, card in hand.down])
    return replace(hand, hands=hands, decks=tuple([others(len(deck), chance) for deck in hand.decks]), down=down)


def others(count: int, chance: Chance) -> tuple[str, ...]:
    return tuple([chance.choice(NAMES) for _ in range(count)])


@given(some_hands(), SEEDS, st.sampled_from(sorted(PLAYERS)))
def test_every_policy_plays_every_hand_to_its_end_by_the_rules(hand: StingHand, seed: int, player: str) -> None:
    chance, steps = Chance(seed), 0
    while not hand.over:
        act = PLAYERS[player] if hand.to_act == PLAYER else OPPONENTS[hand.to_act]
        hand, _ = hand.act(act(hand.view(hand.to_act), chance), hand.to_act)
        steps += 1
        assert steps <= MOST_STEPS


@given(some_hands(), SEEDS)
def test_the_end_adds_up(hand: StingHand, seed: int) -> None:
    end = random_play(hand, Chance(seed))[-1]
    face_up = end.cards.totals([card for _, card in end.table])
    totals = end.totals
    assert (totals.evidence, totals.cover) == (face_up.evidence, face_up.cover)
    if end.outcome == "success":
        assert totals.profit == face_up.profit
        assert totals.margin >= 0 or len(end.burnt) == 1
    else:
        assert (totals.profit, end.burnt, end.cost) == (0, (), 0)
    if not end.burnt:
        assert totals.heat == face_up.heat
    assert (end.outcome == "fold") == (PLAYER in end.out)
    assert end.outcome != "bust" or totals.margin < 0
