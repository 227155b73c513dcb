"""Rulings A1, A8 and A10: bound decks, the order within a hand, and that hidden cards stay hidden."""

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.hosts import poker
from pitboss.arena.journal import commitment
from pitboss.arena.journal.commitment import OpenedCard, deck_of, leaf, matches_commitment, shuffle
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.tables import RoomSetup
from pitboss.arena.wire import messages as wire
from pitboss.cards import DECK, read_written_cards
from pitboss.chance import Chance
from tests.support.arena import rooms, witness
from tests.support.arena.rooms import Deal, Guest, Move, Parlour, deal_where, ranked

THREE = Settings(seats=3, stack=1000, start_at=3)
CARD = re.compile(r'"[2-9TJQKA][cdhs]"')


def to_the_showdown(parlour: Parlour) -> None:
    """Check and call until the hand is over."""
    parlour.play_hand("CALL")


def opened(guest: Guest) -> list[wire.Opening]:
    """Every card that a guest was shown with its proof."""
    return [one for message in guest.inbox for one in getattr(message, "opened", ())]


def proof(one: wire.Opening) -> OpenedCard:
    """What the wire carries, as the verifier takes it."""
    return OpenedCard(one.card, one.at, bytes.fromhex(one.salt), tuple(map(bytes.fromhex, one.path)))


# --- A1: the deck is bound and stays secret


def test_ruling_A1_every_card_shown_opens_against_the_commitment() -> None:
    parlour = Parlour(THREE, seed=2)
    guest = parlour.seat(3)[0]
    commit = guest.last(wire.StartHand).commit
    to_the_showdown(parlour)
    shown = [one for one in opened(guest) if matches_commitment(proof(one), commit)]
    assert len(shown) == len(opened(guest)) == 5 + 3 * 2
    assert len({one.at for one in shown}) == 11


def test_ruling_A1_no_other_card_place_salt_or_path_opens_the_commitment() -> None:
    parlour = Parlour(THREE, seed=2)
    guest = parlour.seat(3)[0]
    commit = guest.last(wire.StartHand).commit
    to_the_showdown(parlour)
    good = proof(opened(guest)[0])
    assert matches_commitment(good, commit)
    assert not any(matches_commitment(replace(good, card=card), commit) for card in DECK if card != good.card)
    assert not any(matches_commitment(replace(good, at=at), commit) for at in range(52) if at != good.at)
    assert not matches_commitment(replace(good, salt=bytes(16)), commit)
    assert not matches_commitment(replace(good, path=good.path[:-1]), commit)
    assert not matches_commitment(replace(good, path=(*good.path, bytes(32))), commit)
    assert not matches_commitment(good, "0" * 64)


def test_ruling_A1_leaves_are_salted_one_a_card() -> None:
    deal = shuffle(bytes(32))
    assert len(deal.tree[0]) == 52
    assert len({deal.open(at).salt for at in range(52)}) == 52
    assert leaf(deal.open(0).salt, 0, deal.deck[0]) == deal.tree[0][0]
    unsalted = {leaf(b"", at, card) for at in range(52) for card in DECK}
    assert unsalted.isdisjoint(deal.tree[0]), "a hidden card could be found by trying all 52"


def test_ruling_A1_seed_is_a_harmless_number_taken_from_the_commitment() -> None:
    parlour = Parlour(THREE, seed=8)
    guest = parlour.seat(3)[0]
    for _ in range(5):
        parlour.play_hand()
    starts = guest.got(wire.StartHand)
    assert [start.seed for start in starts] == [int(start.commit[:13], 16) for start in starts]
    assert len({start.commit for start in starts}) == len(starts)
    assert all(start.seed < 2**53 for start in starts)
    for start in starts:  # a generator seeded with it does not give the deck
        number = start.seed.to_bytes(32, "big")
        assert shuffle(number).commit != start.commit


def test_ruling_A1_decks_are_shuffled_by_the_operating_system() -> None:
    assert RoomSetup(day=lambda: "2026-11-15").entropy is os.urandom
    parlour = Parlour(THREE, secrets=[b"x" * 32])
    parlour.seat(3)
    hand = parlour.history.hand
    assert hand is not None
    assert read_written_cards(hand.started.deck) == deck_of(b"x" * 32)


def test_ruling_A1_the_shuffle_is_unbiased() -> None:
    """Every card comes to every one of some places about equally often; chi-square with 51 degrees of freedom."""
    rounds = 5200
    decks = [deck_of(number.to_bytes(32, "big")) for number in range(rounds)]
    assert all(sorted(deck) == sorted(DECK) for deck in decks[:100])
    for place in (0, 1, 17, 25, 50, 51):
        counts = Counter(deck[place] for deck in decks)
        assert sum((counts[card] - rounds / 52) ** 2 for card in DECK) / (rounds / 52) < 100


def test_ruling_A1_whole_decks_are_revealed_at_match_end_and_not_before() -> None:
    parlour = Parlour(Settings(seats=2, max_hands=3), seed=4)
    guest, _ = parlour.seat(2)
    spectator = parlour.watch()
    for number in range(3):
        assert not guest.got(wire.Reveal), f"revealed before hand {number} was over"
        parlour.play_hand("CALL")
    for who in (guest, spectator):
        assert type(who.inbox[-2]) is wire.Reveal, "just before match_end"
        assert type(who.inbox[-1]) is wire.MatchEnd
        starts = {start.hand_id: start for start in guest.got(wire.StartHand)}
        hands = who.last(wire.Reveal).hands
        assert [hand.hand_id for hand in hands] == list(starts)
        for hand in hands:
            deal = shuffle(bytes.fromhex(hand.secret))
            assert ("".join(deal.deck), deal.commit) == (hand.deck, starts[hand.hand_id].commit)


def test_ruling_A1_end_hand_shows_no_folded_cards() -> None:
    parlour = Parlour(THREE, seed=6)
    guests = parlour.seat(3)
    parlour.play("CALL", "CALL", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK")
    parlour.play(("RAISE_TO", 100), "FOLD", "FOLD")
    assert guests[0].got(wire.EndHand), "folded out on the river"
    board = {f'"{card}"' for message in guests[0].inbox for card in _board(message)}
    for frame in guests[0].frames:
        if '"type":"act"' not in frame:
            assert set(CARD.findall(frame)) <= board
    assert not guests[0].got(wire.Showdown)
    assert not any("deck" in frame or "secret" in frame for guest in guests for frame in guest.frames)


def _board(message: wire.ServerMessage) -> tuple[str, ...]:
    match message:
        case wire.Flop(cards=cards):
            return cards
        case wire.TurnCard(card=card) | wire.RiverCard(card=card):
            return (card,)
    return ()


def test_ruling_A1_a_long_match_is_revealed_in_frames_that_a_client_can_take() -> None:
    parlour = Parlour(Settings(seats=2, stack=100_000, max_hands=70), seed=4)
    guest, _ = parlour.seat(2)
    for _ in range(70):
        parlour.play_hand()
    reveals = [frame for frame in guest.frames if '"type":"reveal"' in frame]
    assert len(reveals) == 3
    assert max(map(len, reveals)) <= 8192
    assert sum(len(reveal.hands) for reveal in guest.got(wire.Reveal)) == 70


# --- A8: the order within a hand; the referee under every test of this folder checks it frame by frame


def random_match(seed: int) -> Counter[str]:
    """A match of loose players with odd stacks; the referee has seen it all."""
    chance = Chance(seed)
    big = chance.choice((3, 10, 25))
    seats = 2 + chance.below(5)
    settings = Settings(
        seats=seats,
        start_at=seats,
        stack=big * (1 + chance.below(8)) + chance.below(big),
        small_blind=(big + 1) // 2,
        big_blind=big,
        max_hands=10,
    )
    parlour = Parlour(settings, seed=seed)
    parlour.seat(seats)
    for _ in range(600):
        if parlour.witness.over:
            break
        asked = parlour.to_act.question()
        word = chance.choice([*(asked.legal or ()), "CALL"])
        if word not in (asked.legal or ()):
            word = "CHECK"
        bounds = (asked.min_raise_to, asked.max_raise_to)
        parlour.play((word, chance.choice(bounds) or 0) if word == "RAISE_TO" else word)
    return parlour.witness.referee.seen


def test_ruling_A8_order_holds_over_many_random_matches() -> None:
    seen = Counter[str]()
    for seed in range(40):
        seen += random_match(seed)
    wanted = ("run-out", "side pots", "split", "odd chips", "REFUND", "short blind", "ELIMINATED")
    assert [what for what in wanted if not seen[what]] == [], "never came up"
    assert seen["match_end"] > 35


def kinds(messages: list[Any]) -> list[str]:
    """The messages' types, in words."""
    return [type(message).__name__ for message in messages if not isinstance(message, wire.Lobby | wire.Turn)]


def test_ruling_A8_order_as_printed() -> None:
    parlour = Parlour(THREE, seed=2)
    guest = parlour.seat(3)[0]
    guest.news()
    to_the_showdown(parlour)
    hand = kinds(guest.inbox)
    hand = [*hand[hand.index("StartHand") : hand.index("EndHand") + 1]]
    public = [kind for kind in hand if kind != "Act"]
    awards = public.count("PotAward")
    assert public == [
        *[
            "StartHand",
            "PostBlinds",
            "CallMessage",
            "CallMessage",
            "CheckMessage",
            "Flop",
            "CheckMessage",
            "CheckMessage",
            "CheckMessage",
            "TurnCard",
        ],
        *["CheckMessage", "CheckMessage", "CheckMessage", "RiverCard", "CheckMessage", "CheckMessage", "CheckMessage"],
        *["Showdown", "Showdown", "Showdown", *["PotAward"] * awards, "EndHand"],
    ]
    assert [show.seat for show in guest.got(wire.Showdown)] == [1, 2, 0], "the button's left first"


def test_ruling_A8_an_uncalled_bet_is_a_refund_and_not_a_pot_won() -> None:
    parlour = Parlour(THREE, seed=2)
    guest = parlour.seat(3)[0]
    parlour.play(("RAISE_TO", 700), "FOLD", "FOLD")
    story = [message for message in guest.inbox if isinstance(message, wire.Refund | wire.PotAward)]
    assert [(type(m), m.seat, m.amount) for m in story] == [(wire.Refund, 0, 600), (wire.PotAward, 0, 250)]


@pytest.mark.parametrize("stack", [50, 30, 100])
def test_ruling_A8_both_blinds_all_in_heads_up_play_out_at_once(stack: int) -> None:
    secrets = [deal_where(2, ranked(0, 1))]
    parlour = Parlour(Settings(seats=2, stack=stack, small_blind=min(stack, 100), big_blind=100), secrets=secrets)
    guest, _ = parlour.seat(2)
    assert parlour.witness.over
    assert not guest.got(wire.Act), "nobody has anything to say"
    assert kinds(guest.inbox)[1:] == [
        *["StartHand", "PostBlinds", "Flop", "TurnCard", "RiverCard", "Showdown", "Showdown", "PotAward"],
        *["Eliminated", "EndHand", "Reveal", "MatchEnd"],
    ]


def test_ruling_A8_eliminated_seats_get_no_cards_or_questions_but_all_events() -> None:
    parlour = Parlour(THREE, secrets=[deal_where(3, ranked(2, 0, 1))])
    guests = parlour.seat(3)
    parlour.play(("RAISE_TO", 1000), "CALL", "FOLD")
    assert guests[0].last(wire.Eliminated).seat == 1
    out = guests[1]
    acts = len(out.got(wire.Act))
    parlour.play_hand("CALL")
    assert [seat.seat for seat in out.last(wire.StartHand).stacks] == [0, 2]
    assert len(out.got(wire.Act)) == acts
    parlour.play(("RAISE_TO", parlour.to_act.question().max_raise_to or 0), "CALL")
    while not parlour.witness.over:
        parlour.play_hand(("RAISE_TO", parlour.to_act.question().max_raise_to or 0))
    assert out.got(wire.MatchEnd)
    assert [message for message in out.inbox if isinstance(message, wire.StartHand)] == guests[0].got(wire.StartHand)


def test_ruling_A8_after_match_end_the_server_stays_and_starts_no_hand() -> None:
    parlour = Parlour(Settings(seats=3, max_hands=1), seed=3)
    guest, _ = parlour.seat(2)
    parlour.play("FOLD")
    assert guest.closed is None
    parlour.pass_time(3600)
    assert guest.closed is None
    assert len(guest.got(wire.StartHand)) == 1
    assert type(guest.inbox[-1]) is wire.MatchEnd
    late = parlour.join("late")
    assert late.error() == "TABLE_FULL"
    again = parlour.join("A")
    assert kinds(again.inbox)[:2] == ["Welcome", "Snapshot"]
    assert again.got(wire.MatchEnd)


# --- A10: hidden cards stay hidden

SCRIPT: tuple[Move, ...] = (
    *("CALL", "CALL", "CHECK"),
    *("CHECK", ("RAISE_TO", 100), "CALL", "FOLD"),
    *("CHECK", ("RAISE_TO", 300), "FOLD"),
)
"""Three-handed: the flop and the turn are seen, and no player shows."""

FIRST = b"the first hand's secret".ljust(32)


def frames_of(monkeypatch: pytest.MonkeyPatch, swap: tuple[int, int] | None) -> dict[str, list[Any]]:
    """All messages of one hand, to any client; two places of the deck may have been swapped."""

    def dealt(secret: bytes, cards: Sequence[str] = DECK) -> tuple[str, ...]:
        deck = list(deck_of(secret, cards))
        if swap is not None and secret == FIRST:
            deck[swap[0]], deck[swap[1]] = deck[swap[1]], deck[swap[0]]
        return tuple(deck)

    with monkeypatch.context() as patch:
        for module in (commitment, poker, witness, rooms):
            patch.setattr(module, "deck_of", dealt)
        parlour = Parlour(replace(THREE, max_hands=2), secrets=[FIRST])
        spectator = parlour.watch()
        guests = parlour.seat(3)
        parlour.play(*SCRIPT)
        late = parlour.watch()
        guests[1].leave()
        back = parlour.join("B")
        return {
            who.team + str(k): [_without_hashes(json.loads(frame)) for frame in who.frames]
            for k, who in enumerate([*guests, back, spectator, late])
        }


def _without_hashes(value: Any) -> Any:
    """A frame without hashes over the deck and numbers taken from one."""
    match value:
        case dict():
            hashes = ("commit", "seed", "chain", "path")
            return {name: _without_hashes(inner) for name, inner in value.items() if name not in hashes}
        case list():
            return [_without_hashes(inner) for inner in value]
    return value


@pytest.mark.parametrize(
    ("swap", "own"),
    [
        ((0, 1), {"A0", "spectator4", "spectator5"}),  # between the two others' hands
        ((0, 51), {"A0", "C2", "spectator4", "spectator5"}),  # seat 1's with a card that is never dealt
        ((5, 40), {"B1", "C2", "B3", "spectator4", "spectator5"}),
        ((10, 30), {"A0", "B1", "C2", "B3", "spectator4", "spectator5"}),  # the river, which is never dealt
    ],
)
def test_ruling_A10_no_field_depends_on_hidden_cards(
    monkeypatch: pytest.MonkeyPatch, swap: tuple[int, int], own: set[str]
) -> None:
    one, other = frames_of(monkeypatch, None), frames_of(monkeypatch, swap)
    assert own <= set(one)
    differing = {who for who in one if one[who] != other[who]}
    assert differing.isdisjoint(own), "who may not see the swapped cards sees a difference"
    if swap[0] < 6:
        assert differing, "whose card it is sees it, so the swap was real"


def test_ruling_A10_spectators_see_no_hole_cards_before_they_are_shown() -> None:
    parlour = Parlour(THREE, seed=2)
    spectator = parlour.watch()
    parlour.seat(3)
    deal = Deal(parlour.history.secrets[0][1], 3)
    holes = {card for hole in deal.holes for card in hole}
    to_the_showdown(parlour)
    first = next(k for k, message in enumerate(spectator.inbox) if isinstance(message, wire.Showdown))
    seen = "".join(spectator.frames[:first])
    assert not [card for card in holes if f'"{card}"' in seen]
    assert not spectator.got(wire.Act)
    assert not spectator.got(wire.Snapshot)


def test_ruling_A10_spectator_receives_the_table_the_lobby_and_the_hand_so_far() -> None:
    parlour = Parlour(THREE, seed=2)
    guests = parlour.seat(3)
    parlour.play_hand()
    parlour.play("CALL", "CALL")
    spectator = parlour.watch()
    assert kinds(spectator.inbox) == ["TableMessage", "StartHand", "PostBlinds", "CallMessage", "CallMessage"]
    assert type(spectator.inbox[1]) is wire.Lobby
    assert spectator.last(wire.Turn).seat == parlour.match.to_act
    assert spectator.last(wire.StartHand).hand_id.endswith("-00002")
    parlour.play_hand()
    public = [frame for frame in guests[0].frames if '"seq"' in frame]
    second = next(k for k, frame in enumerate(public) if '"start_hand"' in frame and "-00002" in frame)
    assert [frame for frame in spectator.frames if '"seq"' in frame] == public[second:]


def test_ruling_A10_spectator_after_a_restart_receives_only_the_open_hand() -> None:
    parlour = Parlour(THREE, seed=2)
    parlour.seat(3)
    parlour.play_hand()
    parlour.play("CALL")
    parlour.restart()
    spectator = parlour.watch()
    assert kinds(spectator.inbox) == ["TableMessage", "StartHand", "PostBlinds", "CallMessage"]
    assert spectator.last(wire.StartHand).hand_id.endswith("-00002")


def test_ruling_A10_the_stream_may_be_delayed() -> None:
    parlour = Parlour(THREE, limits=Limits(delay=30.0), seed=2)
    spectator = parlour.watch()
    guest = parlour.seat(3)[0]
    parlour.play("CALL")
    assert not spectator.got(wire.StartHand)
    parlour.pass_time(10.0)
    parlour.play("CALL")
    parlour.pass_time(19.9)
    assert not spectator.got(wire.StartHand)
    parlour.pass_time(0.2)
    assert spectator.got(wire.StartHand)
    assert len(spectator.got(wire.CallMessage)) == 1
    parlour.pass_time(10.0)
    sent = [frame for frame in spectator.frames if '"seq"' in frame]
    assert sent == [frame for frame in guest.frames if '"seq"' in frame][: len(sent)]
    assert len(spectator.got(wire.CallMessage)) >= 2


def test_ruling_A10_delayed_spectator_does_not_see_the_current_turn() -> None:
    parlour = Parlour(THREE, limits=Limits(delay=30.0), seed=2)
    parlour.watch()
    parlour.seat(3)
    parlour.play("CALL")
    late = parlour.watch()
    assert not late.got(wire.Turn)
    assert (parlour.room.summary().hand_id, parlour.room.summary().phase) == (None, None)
    parlour.pass_time(14.0)
    parlour.play("CALL")
    parlour.pass_time(14.0)
    parlour.play("CHECK")
    parlour.pass_time(2.5)
    assert [turn.seat for turn in late.got(wire.Turn)] == [0, 1], "in their time"


def test_ruling_A10_delayed_lobby_does_not_reveal_the_open_hand() -> None:
    parlour = Parlour(THREE, limits=Limits(delay=30.0), seed=2)
    guests = parlour.seat(3)
    parlour.pass_time(30.0 - 15.0 - 1.0)
    spectator = parlour.watch()
    parlour.play(("RAISE_TO", 700), "CALL")
    guests[2].leave()
    late = parlour.watch()
    for who in (spectator, late):
        stacks = [[player.stack for player in lobby.players] for lobby in who.got(wire.Lobby)]
        assert [300, 300, 900] not in stacks, "the lobby tells a delayed spectator what is bet now"


@pytest.mark.parametrize("delay", [0.0, 5.0])
def test_ruling_A10_spectator_receives_true_stacks(delay: float) -> None:
    parlour = Parlour(THREE, limits=Limits(delay=delay), secrets=[deal_where(3, ranked(2, 0, 1))])
    parlour.seat(3)
    parlour.play(("RAISE_TO", 1000), "CALL", "FOLD")
    parlour.play("CALL")
    parlour.pass_time(delay)
    lobby = parlour.watch().last(wire.Lobby)
    assert lobby.players[1].stack == 0, "seat 1 is out, and that was shown"


def test_ruling_A10_delayed_lobby_after_a_restart_does_not_reveal_the_open_hand() -> None:
    parlour = Parlour(THREE, limits=Limits(delay=30.0), seed=2)
    parlour.seat(3)
    parlour.play(("RAISE_TO", 700))
    parlour.restart()
    lobby = parlour.watch().last(wire.Lobby)
    assert 300 not in [player.stack for player in lobby.players]
    assert 300 not in [player.stack for player in parlour.room.summary().players]


def test_ruling_A10_delayed_spectator_receives_the_whole_open_hand_after_a_restart() -> None:
    parlour = Parlour(THREE, limits=Limits(delay=5.0), seed=2)
    parlour.seat(3)
    parlour.play("CALL")
    parlour.restart()
    spectator = parlour.watch()
    parlour.pass_time(5.0)
    parlour.join("A")
    parlour.join("B")
    parlour.play("CALL")
    parlour.pass_time(6.0)
    numbered = [frame for frame in spectator.frames if '"seq"' in frame]
    assert numbered[:1] == [parlour.witness.log[1]], "its story begins in the middle of a hand"
