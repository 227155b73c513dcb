"""The sharp player from inside: what it learns from bets, and how it uses that."""

from collections import Counter
from collections.abc import Sequence

import pytest

from pitboss.arena.bots import HOUSE, sharp
from pitboss.arena.bots.opponent_model import (
    BEST_AGAINST_ONE_AND_THREE,
    PAIRS,
    SHARE_BETTER,
    BettingHistory,
    HandSampler,
    HandWeights,
    Rate,
    SeenAction,
    Tendencies,
    best_first,
    hand_kind,
    share_better,
)
from pitboss.arena.bots.sharp import FacingBet, SampledDeal, SharpBot, bet_value, sample_deals, win_share
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act
from pitboss.betting.events import Called, Checked, Folded, Raised
from pitboss.cards import RANKS, read_cards
from pitboss.chance import Chance
from pitboss.hand.events import Event
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.arena.bot_spots import answer, ask, deal, played
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_action

SIX = ("2c7d", "2d7h", "2h7s", "2s7c", "3c8d", "3d8h")


def story_of(hand: Hand, place: int, *words: str) -> list[tuple[int, str]]:
    """What the story of the seat at a place says the others did, while these words are played."""
    story, observed = BettingHistory("H-1"), list[tuple[int, str]]()
    for word in (*words, None):
        act = ask(hand, range(hand.round.n))
        if act.seat == place:
            observed += [(one.seat, one.what) for one in story.follow(act)]
            said: Answer = ("RAISE_TO", int(word)) if word and word.isdigit() else "CHECK"
            story.answered(act, said)
        if word:
            hand = played(hand, word)
    return observed


# --- before the flop


def test_order_contains_each_of_169_hands_once() -> None:
    assert len(PAIRS) == 1326
    assert Counter(BEST_AGAINST_ONE_AND_THREE) == Counter({hand_kind(pair) for pair in PAIRS})
    assert len(BEST_AGAINST_ONE_AND_THREE) == 169


def test_a_standing_is_the_share_of_better_hands() -> None:
    assert share_better(("As", "Ah")) == 0
    assert share_better(("Kc", "Kd")) == pytest.approx(6 / 1326)
    assert share_better(("2s", "3h")) == pytest.approx(1314 / 1326)
    assert share_better(("Ah", "As")) == share_better(("As", "Ah"))
    assert [SHARE_BETTER[at] for at in best_first(())] == sorted(SHARE_BETTER)


@for_each("rank", RANKS[:-1])
def test_order_agrees_with_common_knowledge(rank: str) -> None:
    """A higher pair, a higher kicker and the same suit are better."""
    place = {name: at for at, name in enumerate(BEST_AGAINST_ONE_AND_THREE)}
    above = RANKS[RANKS.index(rank) + 1]
    assert place[above * 2] < place[rank * 2]
    assert place[f"A{rank}s"] < place[f"A{rank}o"]
    if rank not in "AKQ45":  # ace-five has its straights
        assert place[f"A{above}s"] < place[f"A{rank}s"]


# --- the story


def test_the_story_of_a_raise_a_call_and_folds() -> None:
    assert story_of(deal(*SIX), 0, "FOLD", "300", "CALL", "FOLD") == [
        (2, "fold"),
        (3, "raise"),
        (4, "call"),
        (5, "fold"),
    ]


def test_level_player_has_checked_and_one_who_matched_has_called() -> None:
    hand = deal("2c7d", "2d7h", "2h7s")
    seen = story_of(hand, 0, "CALL", "CALL", "CHECK", "CHECK", "CHECK", "200", "CALL", "CALL")
    assert seen == [(2, "call"), (1, "check"), (1, "check"), (2, "raise"), (1, "call")]


def test_reraise_is_reported_in_betting_order() -> None:
    """The opener called the raise of the opening bet: level with it, but not its author."""
    hand = deal(*SIX)
    seen = story_of(hand, 5, "300", "FOLD", "FOLD", "CALL", "900", "FOLD", "CALL")
    assert seen == [(2, "raise"), (3, "fold"), (4, "fold"), (0, "raise"), (1, "fold"), (2, "call")]


def test_all_in_players_have_no_further_entries() -> None:
    hand = deal("2c7d", "2d7h", "2h7s", stacks=(10_000, 10_000, 150))
    assert story_of(hand, 0, "150", "CALL", "CALL", "CHECK", "CHECK") == [(2, "raise"), (1, "call"), (1, "check")]


def happened(events: Sequence[Event], phase: str) -> list[tuple[str, int, str]]:
    """Street, place and word of everything that players have done."""
    done = []
    for event in events:
        match event:
            case Raised() | Called() | Checked() | Folded():
                words = {Raised: "raise", Called: "call", Checked: "check", Folded: "fold"}
                done.append((phase, event.place, words[type(event)]))
    return done


@for_each("seed", range(60))
def test_story_matches_the_actions_played(seed: int) -> None:
    """Actions of a finished street are known in no order, and only for players who are still in the hand."""
    chance = Chance(seed)
    n = 2 + chance.below(7)
    stacks = [1 + chance.below(chance.choice((300, 2000, 20_000))) for _ in range(n)]
    stakes = Stakes(min_bet=100, posts=blinds(n, 50, 100))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=stacks, stakes=stakes, deck=chance.shuffled(NO_LIMIT_HOLDEM.deck))
    stories = {place: BettingHistory("H-1") for place in range(n)}
    heard, log, temper = dict.fromkeys(range(n), 0), list[tuple[str, int, str]](), chance.choice(TEMPERS)
    while not hand.over:
        act = ask(hand, range(n))
        spans = stories[act.seat].phase not in ("WAITING", act.phase)
        observed = [(one.phase, one.seat, one.what) for one in stories[act.seat].follow(act)]
        since = log[heard[act.seat] :]
        live = {player.seat for player in act.players if not player.has_folded}
        before = Counter(each for each in since if each[0] != act.phase and each[1] in live)
        now = [each for each in since if each[0] == act.phase and not (spans and each[1] not in live)]
        assert Counter(observed[: len(observed) - len(now)]) == before
        assert observed[len(observed) - len(now) :] == now
        action = some_action(hand.offer, chance, temper, exact=hand.round.rules.second_step > 0)
        hand, events = hand.act(action)
        log += happened(events, act.phase)
        raised = [event.to for event in events if isinstance(event, Raised)]
        stories[act.seat].answered(act, ("RAISE_TO", raised[0]) if raised else "CHECK")
        heard[act.seat] = len(log)


# --- habits and beliefs


def test_rate_moves_from_the_prior_to_the_observed_value() -> None:
    rate = Rate(usual=0.5, imagined=10)
    assert rate.value == 0.5
    for _ in range(90):
        rate.count(False)
    assert rate.value == pytest.approx(0.05)


def weight(belief: HandWeights, *names: str) -> float:
    """How much the hands of these kinds weigh together."""
    return sum(weight for pair, weight in zip(PAIRS, belief.values, strict=True) if hand_kind(pair) in names)


def test_raises_and_reraises_indicate_better_hands() -> None:
    once, twice = HandWeights(), HandWeights()
    once.narrow(SeenAction(1, "raise", "PRE_FLOP", (), 1), Tendencies())
    twice.narrow(SeenAction(1, "raise", "PRE_FLOP", (), 2), Tendencies())
    assert weight(once, "AA", "AKs") == weight(twice, "AA", "AKs") == 10
    assert weight(once, "72o") < 1
    assert weight(twice, "QTs") < weight(once, "QTs") == 4


def test_frequent_raisers_get_less_credit() -> None:
    wild = Tendencies()
    for _ in range(40):
        wild.raises.count(True)
    belief, usual = HandWeights(), HandWeights()
    belief.narrow(SeenAction(1, "raise", "PRE_FLOP", (), 1), wild)
    usual.narrow(SeenAction(1, "raise", "PRE_FLOP", (), 1), Tendencies())
    assert weight(belief, "Q5s") > 10 * weight(usual, "Q5s")


def test_bet_on_a_board_indicates_hands_that_fit_it() -> None:
    belief, board = HandWeights(), read_cards("KsKd7h")
    belief.narrow(SeenAction(1, "raise", "FLOP", board, 1), Tendencies())
    assert weight(belief, "AKs") > 0
    assert weight(belief, "77") > weight(belief, "54o")


def test_hands_on_a_board_are_ordered_by_made_hands_and_draws_are_not_last() -> None:
    board = read_cards("9s8s2d")
    places = {PAIRS[at]: place for place, at in enumerate(best_first(board))}
    assert len(places) == 49 * 48 // 2
    assert places["9c", "9d"] == min(places.values())
    assert places["Ks", "As"] < len(places) * 0.4 < places["Kc", "Ad"]
    assert places["Tc", "Jd"] < places["3c", "4d"]


def test_known_cards_are_in_no_hand() -> None:
    belief = HandWeights()
    belief.forget(("As", "Kd"))
    urn = HandSampler(belief, read_cards("9s8s2d"))
    drawn = {card for _ in range(400) for card in PAIRS[urn.draw(Chance(_))[0]]}
    assert drawn.isdisjoint({"As", "Kd", "9s", "8s", "2d"})
    assert len(drawn) == 47


# --- what a bet is worth


def test_no_card_is_dealt_twice() -> None:
    seen = read_cards("AsAh")
    urns = [HandSampler(HandWeights(), ()) for _ in range(4)]
    deals = sample_deals(seen, (), urns, deals=200, chance=Chance(2))
    assert len(deals) == 200
    assert {len(each.theirs) for each in deals} == {4}
    assert 0.4 < win_share(deals) < 0.7


def test_bet_wins_the_pot_from_folders_and_shares_it_with_callers() -> None:
    ahead, behind, tied = SampledDeal(9, ((0.1, 5),)), SampledDeal(1, ((0.1, 7),)), SampledDeal(4, ((0.1, 4),))
    nobody, caller = [FacingBet(100, stays=0.0)], [FacingBet(100, stays=1.0)]
    assert bet_value([behind], nobody, pot=300, cost=100) == (300, 1.0)
    assert bet_value([ahead], caller, pot=300, cost=100) == (400, 1.0)
    assert bet_value([behind], caller, pot=300, cost=100) == (-100, 0.0)
    assert bet_value([tied], caller, pot=300, cost=100) == (150, 0.5)


def test_chips_that_no_opponent_can_match_are_not_risked() -> None:
    behind = SampledDeal(1, ((0.1, 7),))
    assert bet_value([behind], [FacingBet(to_pay=40, stays=1.0)], pot=300, cost=1000) == (-40, 0.0)


# --- its play


@for_each("seed", range(5))
def test_it_opens_aces_and_folds_seven_deuce_under_the_gun(seed: int) -> None:
    rest = ("3c8d", "3d8h", "4h9s", "4s9c", "5c9h")
    assert answer("sharp", deal(*rest[:2], "AsAh", *rest[2:]), seed=seed) == ("RAISE_TO", 250)
    assert answer("sharp", deal(*rest[:2], "7h2c", *rest[2:]), seed=seed) == "FOLD"


def test_it_opens_more_hands_the_fewer_are_behind() -> None:
    """King-eight offsuit: not under the gun, but on the button."""
    others = ("3c8d", "3d9h", "4h9s", "4s9c", "5c9d")
    early = deal(*others[:2], "Ks8h", *others[2:])
    late = played(deal(*others, "Ks8h"), "FOLD", "FOLD", "FOLD")
    assert answer("sharp", early) == "FOLD"
    assert answer("sharp", late) == ("RAISE_TO", 250)


def test_with_a_short_stack_it_pushes_or_folds() -> None:
    assert answer("sharp", deal("3c8d", "AsTh", stacks=800)) == ("RAISE_TO", 800)
    assert answer("sharp", deal("3c8d", "2s7h", stacks=800)) == "FOLD"
    assert answer("sharp", played(deal("AsAd", "2s7h", stacks=800), "800")) == "CALL"
    assert answer("sharp", played(deal("7c2d", "2s7h", stacks=800), "800")) == "FOLD"


@for_each("seed", range(5))
def test_it_pays_an_all_in_with_aces_and_not_with_a_poor_hand(seed: int) -> None:
    assert answer("sharp", played(deal("AsAd", "2s7h"), "10000"), seed=seed) == "CALL"
    assert answer("sharp", played(deal("9c4d", "2s7h"), "10000"), seed=seed) == "FOLD"


@for_each("seed", range(5))
def test_river_bets_unbeatable_hands_and_gives_up_hopeless_ones(seed: int) -> None:
    board = "QsJsTs4h4d"
    line = ("CALL", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK")
    said = answer("sharp", played(deal("AsKs", "2c2d", board=board), *line), seed=seed)
    assert isinstance(said, tuple)
    raised = played(deal("2c3d", "AsKs", board=board), *line, "CHECK", "200")
    assert answer("sharp", raised, seed=seed) == "FOLD"


def learnt(bot: SharpBot, folds: bool) -> None:
    """Forty hands in which the other seat, heads-up, folds to its raise at once, or calls and then folds."""
    for number in range(40):
        opened = deal("3c8d", "AsAh")
        act = ask(opened, range(2), f"L-{number}")
        assert isinstance(bot.decide(act), tuple)
        if not folds:
            bot.decide(ask(played(opened, "250", "CALL", "CHECK"), range(2), f"L-{number}", turn=2))


def test_bot_steals_from_a_player_who_always_folds_and_not_from_a_caller() -> None:
    worst: Act = ask(deal("3c8d", "7h2c"), range(2), "H-9")
    yielding, sticky = SharpBot(Chance(1)), SharpBot(Chance(1))
    assert SharpBot(Chance(1)).decide(worst) == "FOLD"
    learnt(yielding, folds=True)
    learnt(sticky, folds=False)
    assert yielding.tendencies[0].gives_way["PRE_FLOP"].value > 0.8
    assert sticky.tendencies[0].gives_way["PRE_FLOP"].value < 0.2
    assert yielding.decide(worst) == ("RAISE_TO", 250)
    assert sticky.decide(worst) == "FOLD"


def test_it_notices_a_blind_that_was_given_up() -> None:
    """Heads-up it has the button twice running: between the two it was the big blind, and was not asked."""
    bot = SharpBot(Chance(1))
    for number in range(3):
        bot.decide(ask(deal("3c8d", "AsAh"), range(2), f"H-{number}"))
    assert (bot.tendencies[0].enters.times, bot.tendencies[0].enters.done) == (2, 0)


def test_seat_frequencies_are_learned_from_earlier_hands_only() -> None:
    bot = SharpBot(Chance(1))
    bot.decide(ask(played(deal(*SIX), "FOLD", "300", "FOLD", "CALL"), range(6)))
    assert {seat: (habits.raises.done, habits.raises.times) for seat, habits in bot.tendencies.items()} == {
        2: (0, 1),
        3: (1, 1),
        4: (0, 1),
        5: (0, 1),
    }


def test_bot_joining_in_mid_hand_uses_only_the_question() -> None:
    """As after a restart of the server."""
    river = played(deal("AsKs", "2c2d", board="QsJsTs4h4d"), *["CALL", "CHECK", "300", "CALL", "CHECK", "CHECK"])
    assert isinstance(HOUSE["sharp"](Chance(1))(ask(river, range(2))), tuple)


@pytest.mark.parametrize("deep", [10.0, 100.0])
def test_the_more_are_still_to_speak_the_fewer_hands_are_played_first(deep: float) -> None:
    act = ask(deal(*SIX), range(6))

    def played_of_a_hundred(behind: int) -> int:
        spots = [sharp.PreflopSpot(win_share / 100, deep, tuple(range(behind)), 0, False) for win_share in range(100)]
        return sum(isinstance(sharp.open_pot(act, at, [0.5] * behind), tuple) for at in spots)

    played = [played_of_a_hundred(behind) for behind in range(2, 11)]
    assert played == sorted(played, reverse=True)
    assert 0 < played[-1] < played[0] < 100
