"""A table's hand in the standard's format: PokerKit ends with our stacks, and the table's record comes back."""

import warnings
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.cards import DECK, write_cards
from pitboss.chance import Chance
from pitboss.formats.phh import PhhError, read_phh, write_phh
from pitboss.formats.phh.standard import find_difference, from_standard, in_standard_words, to_standard
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.hand.hand import Hand
from pitboss.records.money import Amount
from pitboss.records.moves import read_move
from pitboss.records.record import Record
from pitboss.records.replay import replay, start_playback
from pitboss.records.table_fields import Toml
from tests.support.for_each import for_each
from tests.support.records.recorded_hands import pokerkit
from tests.support.twin.pokerkit_pots import habits_that_matter


def table(chance: Chance) -> Record:
    """Seats, a button, blinds to its left; some sit out, some have posted dead, some money is already in the pot."""
    n = 2 + chance.below(5)
    out = {player for player in range(n) if chance.below(4) == 0}
    playing = [player for player in range(n) if player not in out]
    if len(playing) < 2:
        out, playing = set(), list(range(n))
    first = chance.below(len(playing))
    order = playing[first:] + playing[:first]
    small, big = order[::-1] if len(order) == 2 else order[:2]
    blinds: list[Amount] = [0] * n
    blinds[small], blinds[big] = chance.choice((1, 1, 1, 0)) if len(order) > 2 else 1, 2
    dead: list[Amount] = [chance.choice((0, 0, 1, 3)) if player in playing else 0 for player in range(n)]
    for player in order[2:]:
        blinds[player] = chance.choice((0, 0, 0, -2))
    ante = chance.choice((0, 0, 1))
    user: dict[str, Toml] = {
        "_inactive": tuple(int(player in out) for player in range(n)),
        "_button": order[-1],
        "_intents": tuple(2 * (player in out) for player in range(n)),
        "_deadPosts": tuple(dead),
        "_deadMoney": chance.choice((0, 0, 3)),
    }
    return Record(
        variant="NT",
        ante_trimming_status=True if ante and chance.below(2) else None,
        antes=(ante,) * n,
        blinds_or_straddles=tuple(blinds),
        min_bet=2,
        starting_stacks=tuple(8 + chance.below(60) for _ in range(n)),
        actions=(),
        players=tuple(f"player {player}" for player in range(n)),
        user=user if chance.below(3) else {**user, "_deadPosts": (0,) * n, "_deadMoney": 0},
    )


def played(record: Record, chance: Chance, *, mucks: bool = False) -> Record:
    """The hand played to its end at random; a player who can check does not fold."""
    so_far, deck, actions = start_playback(record), list(chance.shuffled(DECK)), list[str]()
    while not so_far.hand.over:
        actions.append(some_move(so_far.hand, so_far.name, deck, chance, mucks))
        so_far.play(read_move(actions[-1], len(record.starting_stacks)))
    return replace(record, actions=tuple(actions))


def some_move(hand: Hand, name: Callable[[int], str], deck: list[str], chance: Chance, mucks: bool) -> str:
    """Something that may be done now."""
    if hand.phase == "deal" and not all(hand.holes):
        return f"d dh {name(hand.holes.index(()))} {deck.pop()}{deck.pop()}"
    if hand.phase == "deal":
        return f"d db {write_cards([deck.pop() for _ in range(1 if hand.board else 3)])}"
    if hand.phase == "show":
        place = next(place for place in hand.round.live if place not in hand.shown)
        return f"{name(place)} sm{'' if mucks and chance.below(3) == 0 else f' {write_cards(hand.holes[place])}'}"
    offer, wish = hand.offer, chance.below(8)
    bounds = offer.bet or offer.raise_
    if wish == 0 and bounds is not None:
        return f"{name(hand.round.turn)} cbr {chance.choice((bounds.min_to, bounds.max_to))}"
    return f"{name(hand.round.turn)} {'f' if wish == 1 and not offer.check else 'cc'}"


@pytest.mark.check
@pytest.mark.parametrize("seed", range(4))
def test_pokerkit_ends_with_our_stacks(seed: int) -> None:
    """All but where PokerKit shares a pot in another way, which the twin test names."""
    compared = 0
    for number in range(60):
        chance = Chance(seed).fork(number)
        record = played(table(chance), chance)
        ours = replay(record)
        line = start_playback(record).lineup
        standard = read_phh(write_phh(to_standard(record)))
        assert from_standard(standard) == record
        expected = tuple(ours.finishing_stacks[player] for player in line.players)
        assert replay(standard).finishing_stacks == expected
        if not habits_that_matter(ours.hand):
            assert pokerkit(standard).stacks == expected, write_phh(standard)
            compared += 1
    assert compared > 45


@pytest.mark.check
@pytest.mark.parametrize("mucks", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_short_blinds_and_mucks_agree_with_pokerkit_or_are_refused(seed: int, *, mucks: bool) -> None:
    """Refused hands go differently in PokerKit, though sometimes to the same end."""
    compared = refused = otherwise = 0
    for number in range(80):
        chance = Chance(seed).fork(1000 + number)
        record = table(chance)
        n, depths = len(record.starting_stacks), (3, 5, 9, 30) if mucks else (1, 1, 2, 3, 5, 9, 30)
        record = replace(
            record,
            blinds_or_straddles=tuple(max(blind, 0) for blind in record.blinds_or_straddles or ()),
            starting_stacks=tuple(chance.choice(depths) for _ in range(n)),
            user=dict(record.user) | {"_deadPosts": (0,) * n, "_deadMoney": 0},
        )
        record = played(record, chance, mucks=mucks)
        ours = replay(record)
        expected = tuple(ours.finishing_stacks[player] for player in start_playback(record).lineup.players)
        difference = find_difference(record)
        if difference is not None:
            refused += 1
            otherwise += pokerkit_stacks(in_standard_words(record)) != expected
            with pytest.raises(PhhError, match=difference):
                to_standard(record)
        elif mucks or not habits_that_matter(ours.hand):
            compared += 1
            assert pokerkit_stacks(to_standard(record)) == expected, write_phh(to_standard(record))
    assert compared > 40
    assert otherwise >= refused / 2
    assert refused or mucks


def pokerkit_stacks(record: Record) -> tuple[Amount, ...] | str | None:
    """PokerKit's stacks, or why it has none; it warns of a fold where its own price is met, and takes it."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return pokerkit(record).stacks
    except (AssertionError, ValueError) as error:
        return repr(error)


SITTING_OUT = Record(
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(2, 0, 1),
    min_bet=2,
    starting_stacks=(50, 100, 75),
    actions=("d dh p1 ????", "d dh p3 ????", "p3 f # sits out"),
    players=("ann", "bob", "cleo"),
    finishing_stacks=(51, 100, 74),
    user={"_inactive": (0, 1, 0), "_button": 2, "_intents": (0, 2, 0), "_rake": 0},
)


def test_player_who_sits_out_is_omitted_and_restored() -> None:
    standard = to_standard(SITTING_OUT)
    assert standard.players == ("ann", "cleo")
    assert (standard.blinds_or_straddles, standard.starting_stacks) == ((1, 2), (50, 75))
    assert standard.actions == ("d dh p1 ????", "d dh p2 ????", "p2 f # sits out")
    assert standard.finishing_stacks == replay(standard).finishing_stacks == (51, 74)
    assert standard.user["_rake"] == 0
    assert from_standard(standard) == SITTING_OUT


def test_first_player_to_act_is_renumbered() -> None:
    for player in (0, 2):  # player 1 sits out
        record = replace(SITTING_OUT, user={**SITTING_OUT.user, "_opener": player})
        standard = in_standard_words(record)
        assert standard.players is not None
        assert record.players is not None
        opener = standard.user["_opener"]
        assert isinstance(opener, int)
        assert standard.players[opener] == record.players[player]
        assert from_standard(standard) == record


def test_a_plain_record_stays_as_it_is() -> None:
    plain = replace(SITTING_OUT, user={"_rake": 1})
    assert to_standard(plain) is plain
    assert from_standard(plain) is plain


def test_short_ante_with_dead_money_is_refused_in_one_sentence() -> None:
    record = replace(
        SITTING_OUT,
        antes=(3, 3, 3),
        starting_stacks=(2, 100, 75),
        ante_trimming_status=True,
        user=dict(SITTING_OUT.user) | {"_deadMoney": 3},
    )
    with pytest.raises(PhhError, match="PHH cannot express both"):
        to_standard(record)


@for_each(
    "field, value, sentence",
    [
        ("order", (0,), "order: expected the index of each player once"),
        ("order", (0, 0), "order: expected the index of each player once"),
        ("order", (0, "x"), "order: expected the index of each player once"),
        ("order", (0, {}), "order: expected the index of each player once"),
        ("order", (0, 1, 2), "order: expected the index of each player once"),
        ("order", (0, 3), "order: expected indices of players"),
        ("order", (0, -1), "order: expected indices of players"),
        ("starting_stacks", (1, "x", 3), "starting_stacks: entry 2: expected a number, got a string"),
        ("antes", (0, 0), "antes: expected 3 entries, one per player, got 2"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(field: str, value: Toml, sentence: str) -> None:
    standard = to_standard(SITTING_OUT)
    at_table = standard.user["_table"]
    assert isinstance(at_table, dict)
    with pytest.raises(PhhError, match=f"field _table: {sentence}"):
        from_standard(replace(standard, user={"_table": at_table | {field: value}}))


def test_action_of_a_player_who_sits_out_is_refused() -> None:
    with pytest.raises(PhhError, match="p2 is not dealt in"):
        to_standard(replace(SITTING_OUT, actions=("p2 f",)))


def test_pokerkit_asks_the_button_first_heads_up_with_equal_blinds() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(2, 0, 2),
        min_bet=2,
        starting_stacks=(50, 100, 75),
        actions=("d dh p1 ????", "d dh p3 ????", "p3 cbr 6", "p1 f"),
        players=("ann", "bob", "cleo"),
        user={"_inactive": (0, 1, 0), "_button": 2},
    )
    standard = to_standard(record)
    assert standard.blinds_or_straddles == (-2, 2)
    assert from_standard(standard) == record
    assert pokerkit(standard).stacks == replay(standard).finishing_stacks == (48, 77)
    assert replay(record).finishing_stacks == (48, 100, 77)
    assert "posts small blind 2" in write_pokerstars(record)


def test_heads_up_record_with_equal_blinds_is_reordered_for_the_button() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(2, 2),
        min_bet=2,
        starting_stacks=(50, 75),
        actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"),
    )
    standard = to_standard(record)
    assert standard.blinds_or_straddles == (-2, 2)
    assert from_standard(standard) == record
    assert in_standard_words(record) is record
    assert pokerkit(standard).stacks == replay(record).finishing_stacks == (48, 77)


def test_a_plain_record_of_two_stays_as_it_is() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(50, 75),
        actions=("d dh p1 ????", "d dh p2 ????", "p2 f"),
    )
    assert to_standard(record) is record


@for_each(
    "stacks, antes, actions, sentence",
    [
        ((100, 1, 100), (0, 0, 0), ("p3 cc", "p1 f"), "more than a short big blind"),
        ((100, 2, 100), (2, 2, 2), ("p3 cc", "p1 f"), "more than a short big blind"),
        ((100, 1, 100), (0, 0, 0), ("p3 f", "p1 f"), None),
        ((100, 1, 100), (0, 0, 0), ("p3 cbr 8", "p1 f"), None),
        ((100, 1, 100), (0, 0, 0), ("p3 cbr 4", "p1 cbr 6", "p3 f"), "more than a short big blind"),
        ((100, 1, 100), (0, 0, 0), ("p3 cbr 4", "p1 cbr 7", "p3 f"), None),
        (
            (100, 10, 100),
            (0, 0, 0),
            ("p3 cbr 20", "p1 cc", "p2 cc", "d db 8s7d5d", "p1 cc", "p3 f", "d db 8h", "d db 5h", "p1 sm"),
            "all players with a claim to a side pot muck",
        ),
    ],
)
def test_hand_that_pokerkit_plays_differently_is_refused_in_one_sentence(
    stacks: tuple[int, ...], antes: tuple[int, ...], actions: tuple[str, ...], sentence: str | None
) -> None:
    record = Record(
        variant="NT",
        antes=antes,
        blinds_or_straddles=(1, 2, 0),
        min_bet=2,
        starting_stacks=stacks,
        actions=("d dh p1 7c9s", "d dh p2 2d8d", "d dh p3 Ks6c", *actions),
    )
    if sentence is None:
        assert to_standard(record) is record
        return
    with pytest.raises(PhhError, match=sentence):
        to_standard(record)
