"""A position as one line and back: every game at every moment, and what is not a position is refused in a sentence."""

import re
from decimal import Decimal

import pytest
from msgspec.structs import replace

from pitboss.betting.round import Post
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import ChancesTurn
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.position import PositionError, read_position, write_position
from pitboss.hand.structure import Stakes, Structure, blinds
from pitboss.records.money import Unit
from pitboss.records.record import Record
from pitboss.records.replay import play_record
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_answer, some_table
from tests.support.laws.undealt import played_without_deck

SEEDS = [range(4), pytest.param(range(4, 60), marks=pytest.mark.slow)]
every_game = for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
some_seeds = pytest.mark.parametrize("seeds", SEEDS, ids=("few", "more"))


def without_deck(hand: Hand) -> Hand:
    """The hand as one that is dealt by actions."""
    draw = None if hand.draw is None else replace(hand.draw, order=None)
    return replace(hand, deck=None, draw=draw)


@pytest.mark.check
@every_game
@some_seeds
def test_a_position_reads_back_as_the_same_hand(structure: Structure, seeds: range) -> None:
    """Of random play with all that a house may settle: each position, without its deck, and as others see it."""
    for seed in seeds:
        chance = Chance(seed)
        hand, _ = some_table(chance, structure, house=True).deal()
        while True:
            for seen in (hand, hand.view(0), hand.view(None)):
                text = write_position(seen)
                again = read_position(text)
                assert again == seen
                assert again.legal() == seen.legal()
                assert write_position(again) == text
                assert "\n" not in text
            if hand.deck is not None and not isinstance(without_deck(hand).turn, ChancesTurn):
                assert read_position(write_position(hand, deck=False)) == without_deck(hand)
            if hand.over:
                break
            hand, _ = hand.act(some_answer(hand, chance, TEMPERS[seed % len(TEMPERS)]))


@every_game
@some_seeds
def test_a_position_that_chance_deals_reads_back_as_the_same_hand(structure: Structure, seeds: range) -> None:
    """Cards in pieces and unknown ones, mucked and shown hands among them, as records have them."""
    for seed in seeds:
        for hand in played_without_deck(Chance(seed), structure, TEMPERS[seed % len(TEMPERS)]):
            again = read_position(write_position(hand))
            assert again == hand
            assert again.legal() == hand.legal()


@every_game
@some_seeds
def test_a_line_with_something_else_in_it_is_refused_or_can_be_played_on(structure: Structure, seeds: range) -> None:
    """Whatever is changed in a line: one sentence, or a hand that keeps its chips until it ends or refuses."""
    refused = tried = 0
    for seed in seeds:
        chance = Chance(seed)
        hand, _ = some_table(chance, structure, house=True).deal()
        while not hand.over:
            text = changed(write_position(hand), chance)
            try:
                other = read_position(text)
            except PositionError as error:
                refused += "\n" not in str(error)
            else:
                play_on(other, chance)
            tried += 1
            hand, _ = hand.act(some_answer(hand, chance, TEMPERS[seed % len(TEMPERS)]))
    assert 2 * refused > tried


def changed(text: str, chance: Chance) -> str:
    """The line with one number, card, place or word another."""
    words = list(re.finditer(r"\d+|[2-9TJQKA][cdhs]|p\d+|[a-z_]+|\|", text))
    word = chance.choice(words)
    other = chance.choice(("0", "1", "7", "40", "100000", "As", "2c", "p1", "p2", "p3", "acted", "folded", "", "?"))
    return text[: word.start()] + other + text[word.end() :]


def play_on(hand: Hand, chance: Chance) -> None:
    """Play to the end, as far as there is a deck."""
    chips = sum(hand.stacks) + hand.pot
    while not hand.over and not isinstance(hand.turn, ChancesTurn):
        try:
            hand, _ = hand.act(some_answer(hand, chance, TEMPERS[0]))
        except PitbossError:
            return  # such as a showdown with too few cards
        assert sum(hand.stacks) + hand.pot + hand.house == chips
        assert min(hand.stacks) >= 0


# --- how it looks


def test_the_usual_position_is_short() -> None:
    hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
    line = "no_limit_holdem 10/20 | PRE_FLOP bet p3 | p1 990+10 7c9s | p2 980+20 2d8d | p3 30 Ks6c"
    assert write_position(hand, deck=False) == line
    assert write_position(hand) == f"{line} | deck {''.join(hand.deck or ())}"
    assert write_position(hand.view(1)) == line.replace("7c9s", "????").replace("Ks6c", "????")


EXAMPLES = [
    "no_limit_holdem 10/20 | FLOP bet p1 board=8s7d5d | p1 970/30 7c9s | p2 970/30 2d8d | p3 0/30 Ks6c",
    "limit_holdem 10/20 | TURN bet p2 board=8s7d5d2c raises=2 | p1 880+80/40 7c9s acted | p2 920+40/40 2d8d",
    "razz ante=2 min_bet=20 bring_in=5 | THIRD_STREET bet p1 | p1 498/2 9d8cKh | p2 498/2 Js8d9h | p3 298/2 AhQc7c",
    "badugi 5/10 | DRAW_1 draw p1 p2 | p1 490/10 9dAh8dKh | p2 490/10 Js8cQc9h",
    "badugi 5/10 | DRAW_1 draw p2 discards=9d | p1 490/10 Ah8dKh | p2 490/10 Js8cQc9h",
    (
        "no_limit_holdem 1/2 runs=2 | TURN deal board=8s7d5d2c3c/8s7d5d runs_from=TURN opener=p2"
        " | p1 0/100 7c9s | p2 0/100 2d8d"
    ),
    "no_limit_holdem 1/2 | FLOP deal board=8s | p1 0/100 7c9s | p2 0/100 ????",
    (
        "omaha posts=p1:1:blind,p2:2:blind,p3:2,p3:1:dead min_bet=2 | PRE_FLOP deal dead=1 | p1 9+1 - | p2 8+2 -"
        " | p3 7+2 -"
    ),
]


@for_each("text", EXAMPLES)
def test_a_line_is_read_as_it_is_written(text: str) -> None:
    assert write_position(read_position(text)) == text


def test_spaces_and_the_games_other_names_make_no_difference() -> None:
    text = EXAMPLES[0]
    assert read_position(f"  {text.replace('|', ' |  ')}\n") == read_position(text)
    assert read_position(text.replace("no_limit_holdem", "NT")) == read_position(text)


def test_a_position_is_played_on_with_words() -> None:
    hand = read_position("NT 10/20 | RIVER bet p1 board=8s7d5d2c3c | p1 900/100 7c9s | p2 900/100 2d8d")
    hand, _ = hand.act("bet 100")
    hand, _ = hand.act("call")
    hand, _ = hand.act("show")
    hand, _ = hand.act("show")
    assert hand.stacks == (800, 1200)


def test_a_game_of_ones_own_has_no_line() -> None:
    stakes, short = Stakes(min_bet=20, posts=blinds(2, 10, 20)), replace(NO_LIMIT_HOLDEM, deck=DECK[8:])
    own = replace(NO_LIMIT_HOLDEM, code="XX", keys=())
    for structure, sentence in ((short, "differs from no_limit_holdem"), (own, "expected one of docs/games.md")):
        hand, _ = Hand.start(structure, stacks=(100, 100), stakes=stakes)
        with pytest.raises(PositionError, match=sentence):
            write_position(hand)


# --- what is refused

FLOP = "NT 10/20 | FLOP bet p1 board=8s7d5d | p1 970/30 7c9s | p2 970/30 2d8d | p3 0/30 Ks6c"
REFUSED: list[tuple[str, str, str]] = [
    ("970/30 7c9s", "-970/30 7c9s", "p1: expected whole chips as STACK+BET/PAID, such as 970, "),
    ("970/30 7c9s", "97.5/30 7c9s", "p1: expected whole chips as STACK+BET/PAID, such as 970, "),
    ("7c9s", "7d9s", "card 7d appears twice"),
    ("7c9s", "7c9x", "p1: unknown card '9x': "),
    ("bet p1", "bet p4", "player: expected p1 to p3, got 'p4'"),
    ("bet p1", "bet", "turn: expected one player in a bet or a show, "),
    ("bet p1", "sing p1", "phase: expected one of deal, draw, bet, runs, show, over, got 'sing'"),
    ("bet p1", "bet p1 step=20 step=20", "step appears twice"),
    ("bet p1", "bet p1 nonsense=1", "unknown word 'nonsense=1'"),
    ("bet p1", "bet p1 discards=2c", "discards: players do not change cards in no-limit hold'em"),
    ("FLOP", "DRAW_1", "street: expected one of PRE_FLOP, FLOP, TURN, RIVER in no-limit hold'em, got 'DRAW_1'"),
    ("970/30 2d8d", "970/30 2d8d acted acted", "p2: expected chips, cards or -, then folded, acted, got "),
    ("970/30 2d8d", "970/30", "p2: expected chips, cards or -, then folded, acted, got '970/30'"),
    ("| p2", "| p3", "players: expected p2, got 'p3'; list the players in order"),
    ("NT", "ZZ", "no game is called 'ZZ': there are "),
    ("10/20", "", "min_bet: required if there are no blinds"),
    ("10/20", "10/20 ante=x", "ante: expected a whole number of chips, got 'x'"),
    ("10/20", "10/20 bring_in=5", "stakes: bring_in: no-limit hold'em has blinds instead"),
    (
        "10/20",
        "10/20 reopening=maybe",
        "stakes: reopening: expected 'single' or 'cumulative' or 'always', got 'maybe'",
    ),
    ("10/20", "10/20 posts=p1:10", "posts: cannot be combined with blinds; write the blinds as posts too"),
    ("10/20", "posts=p9 min_bet=20", "posts: expected PLACE:AMOUNT, such as p3:20 or p4:10:dead, got 'p9'"),
    ("10/20", "10/20 rake=lots", "rake: expected thousandths of the pot and a cap, such as 50/6, got 'lots'"),
    ("Ks6c", "Ks6c | deck", "deck: expected cards, or - if none are left"),
    ("Ks6c", "Ks6c | deck 2h order=00", "deck: unknown word 'order=00'"),
    ("FLOP bet p1 board=8s7d5d", "FLOP bet p1 board=8s7d5d/8s7d5d", "runs_from: required with several boards"),
    (" | p2 970/30 2d8d | p3 0/30 Ks6c", "", "position: expected a game, a moment and at least two players"),
    ("Ks6c", "Ks6c | deck 2h2h", "card 2h appears twice"),
    ("bet p1", "bet p3", "p3 has folded or has no chips, and cannot act"),
    ("7c9s", "7c9s folded", "p1 has folded or has no chips, and cannot act"),
    ("NT", "short_deck_holdem", "2d is not in the deck of no-limit short-deck hold'em"),
]


def test_a_line_with_a_mistake_is_refused_in_one_sentence() -> None:
    read_position(FLOP)
    for part, instead, sentence in REFUSED:
        assert FLOP.count(part)
        with pytest.raises(PositionError) as refusal:
            read_position(FLOP.replace(part, instead, 1))
        assert str(refusal.value).startswith(sentence)
        assert "\n" not in str(refusal.value)


def test_player_who_acted_before_a_short_raise_must_act_again() -> None:
    """p3 called, p1 went all-in for 25 and p2 called: p3 has acted, and owes 5."""
    read_position("NT 10/20 | PRE_FLOP bet p3 | p1 0+25 7c9s acted | p2 975+25 2d8d acted | p3 980+20 Ks6c acted")


@for_each("given", ["", "nonsense", " | | | ", "x" * 5000, "NT 10/20 | FLOP", None, 7])
def test_text_that_is_not_a_position_is_refused(given: object) -> None:
    with pytest.raises(PositionError, match=r"^position: expected "):
        read_position(given)  # type: ignore[arg-type]  # values that are not text are refused too


def test_a_position_has_one_line_however_the_hand_was_started() -> None:
    deck = NO_LIMIT_HOLDEM.deck
    dealt, _ = Hand.deal("NT", stacks=(100, 200), blinds=(5, 10), deck=deck)
    posts = (Post(0, 10, option=True), Post(1, 5, option=True))
    stakes = Stakes(min_bet=10, posts=posts, antes=(0, 0), equal_antes=False, opener=1)
    started, _ = Hand.start("NT", stacks=(100, 200), stakes=stakes, deck=deck)
    table = Table.open(TableStakes(small_blind=5, big_blind=10)).sit("ann", 200).sit("bob", 100).next()
    record = Record(
        variant="NT", antes=(0, 0), blinds_or_straddles=(5, 10), min_bet=10, starting_stacks=(100, 200), actions=()
    )
    replayed = read_position(write_position(play_record(record).hand))
    assert started == dealt == table.deal(deck).hand
    assert write_position(started).startswith("no_limit_holdem 5/10 | PRE_FLOP bet p2 | p1 90+10 ")
    assert str(started).startswith("no-limit hold'em, blinds 5/10, ")
    assert write_position(replayed) == "no_limit_holdem 5/10 | PRE_FLOP deal | p1 90+10 - | p2 195+5 -"


@for_each(
    "size, line",
    [
        (Unit(1), "p1 inf(+3)/1000 - | p2 0/1000 - folded"),
        (Unit(100), "p1 inf*100(+300)/100000 - | p2 0/100000 - folded"),
    ],
)
def test_a_stack_of_unknown_depth_is_inf(size: Unit, line: str) -> None:
    least, inf = size.chips(2), size.chips(Decimal("Infinity"))
    stakes = Stakes(min_bet=least, posts=blinds(2, least // 2, least), dead=size.chips(3))
    hand, _ = Hand.start("NT", stacks=(inf, size.chips(1000)), stakes=stakes)
    assert f"p1 inf{f'*{size.scale}' if size.scale > 1 else ''}+{least} - | " in write_position(hand)
    assert read_position(write_position(hand)) == hand
    for action in "deal p1 AsAc", "deal p2 KsKc", f"raise {size.chips(1000)}", "call":
        hand, _ = hand.act(action)
        assert read_position(write_position(hand)) == hand
    assert "99999" not in write_position(hand) + str(hand)
