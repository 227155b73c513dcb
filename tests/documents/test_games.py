"""Table documents of every game: dealt, played, seen and written down, with nothing hidden shown and no chip lost."""

import json
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.betting.events import Call, Check
from pitboss.cards import UNKNOWN
from pitboss.chance import Chance
from pitboss.documents import (
    Document,
    DocumentError,
    act,
    auto,
    deal,
    finishing_stacks,
    from_record,
    join,
    leave,
    next_hand,
    offer,
    open_document,
    pause,
    personalize,
    read_document,
    to_record,
    top_up,
    turn,
    write_document,
    written_out,
)
from pitboss.documents.intents import merge
from pitboss.documents.play import play_actions
from pitboss.documents.record import read_back
from pitboss.game import PlayersTurn
from pitboss.hand.events import Discard
from pitboss.hand.game_file import own_game
from pitboss.hand.games import STRUCTURES, file_games
from pitboss.hand.state import all_dealt
from pitboss.hand.structure import Structure
from pitboss.records.moves import read_move
from pitboss.records.replay import replay
from pitboss.table import Table, TableStakes
from tests.support.for_each import for_each

NAMES = ("ann", "bob", "cleo", "dan")
RUNS = {
    "name": "thrice",
    "title": "three runs",
    "betting": "no_limit",
    "most_runs": 3,
    "streets": [{"name": "PRE_FLOP", "hole": 2}, {"name": "FLOP", "board": 3}, {"name": "TURN", "board": 1}],
    "showdown": [{"order": "high"}],
}
WILD = {**RUNS, "name": "wild", "title": "wild deuces", "most_runs": 1, "wild": {"ranks": "2"}}
SHOWN = {
    **RUNS,
    "name": "shown",
    "title": "open discards",
    "most_runs": 1,
    "streets": [{"name": "PRE_FLOP", "hole": 3}, {"name": "FLOP", "board": 4, "discard": 1, "discard_up": True}],
}
OWN = {game.key: game for game in (own_game(RUNS), own_game(WILD), own_game(SHOWN), *file_games())}
"""Games without a code of their own."""

every_game = for_each("code", [*STRUCTURES, *OWN])


def game_called(code: str) -> Structure:
    return OWN[code] if code in OWN else STRUCTURES[code]


def seated(code: str, n: int = 3, stack: Any = 300) -> Document:
    document = open_document(small_blind=5, big_blind=10, seat_count=6, game=game_called(code), ante=2)
    for name in NAMES[:n]:
        document = join(document, name, stack)
    return document


def spelt(document: Document, chance: Chance) -> tuple[str, str]:
    """Return the player to act, and an action on offer, as PHH writes it."""
    playback = play_actions(document)
    hand = playback.hand
    assert isinstance(hand.turn, PlayersTurn)
    name = document.players[playback.lineup.players[hand.turn.place]]
    offer, bounds = hand.offer, hand.offer.bet or hand.offer.raise_
    if hand.phase == "show":
        return name, "sm -"
    if offer.runs is not None:
        return name, f"runs {1 + chance.below(offer.runs)}"
    if offer.discard is not None:
        return name, f"sd {''.join(hand.holes[hand.turn.place][: offer.discard])}"
    if offer.draw is not None:
        held = hand.holes[hand.turn.place]
        return name, f"sd {''.join(held[: chance.below(len(held) + 1)])}".strip()
    if bounds is not None and chance.below(4) == 0:
        return name, f"cbr {playback.unit.amount(bounds.min_to if chance.below(3) else bounds.max_to)}"
    if offer.fold and not offer.check and chance.below(4) == 0:
        return name, "f"
    return name, "cc" if offer.fold else "pb"


def step(document: Document, deck: tuple[str, ...], chance: Chance) -> Document:
    """Deal cards if they are due, otherwise act for a player."""
    hand = play_actions(document).hand
    if hand.phase == "deal" or (hand.phase == "draw" and hand.offer.discard is None and not all_dealt(hand)):
        return deal(document, deck)
    name, action = spelt(document, chance)
    return act(document, name, action)


@pytest.mark.check
@every_game
@pytest.mark.parametrize("seed", range(2))
def test_every_game_is_dealt_played_and_followed_by_the_next(code: str, seed: int) -> None:
    chance, document = Chance(seed), next_hand(seated(code))
    for number in range(3):
        deck, button = chance.shuffled(game_called(code).deck), document.button
        for _ in range(400):
            if play_actions(document).hand.over:
                break
            document = step(document, deck, chance)
            assert read_document(write_document(document)) == document
        assert sum(finishing_stacks(document)) == 900
        assert read_back(written_out(document)) == document
        assert from_record(to_record(document)) == document
        assert replay(written_out(document)).hand.over
        following = next_hand(document)
        if sum(following.dealt_in) < 2:
            break
        assert (following.hand, sum(following.stacks) + following.dead_money) == (number + 2, 900)
        if sum(following.dealt_in) == 3:
            assert button is not None
            assert following.button == (button + 1) % 3
        document = following


@pytest.mark.check
@every_game
def test_face_down_and_discarded_cards_are_hidden(code: str) -> None:
    game, chance = game_called(code), Chance(7)
    deck, document = chance.shuffled(game.deck), next_hand(seated(code))
    seen_up = 0
    while play_actions(document).hand.phase != "show" and not play_actions(document).hand.over:
        document = step(document, deck, chance)
        hand, order = play_actions(document).hand, play_actions(document).lineup.players
        for player, name in [*enumerate(NAMES[:3]), (-1, "stranger")]:
            view = personalize(document, name)
            assert personalize(view, name) == view
            seen = set()
            for text in view.actions:
                move = read_move(text, 3)
                seen |= set(move.cards) if move.place != player else set()
            common = {card for place in range(3) for card in hand.up_cards(place)} | set(hand.board)
            common |= {
                card for board in (*hand.more_boards, *(hand.runs.boards if hand.runs else ())) for card in board
            }
            common |= set(hand.draw.open) if hand.draw else set()
            assert seen - {UNKNOWN} <= common, (name, view.actions)
            seen_up += len(seen & common)
            again = play_actions(view).hand  # a client can follow its own copy
            assert (again.phase, again.stacks, again.offer) == (hand.phase, hand.stacks, hand.offer)
            if player >= 0:
                place = order.index(player)
                assert again.holes[place] == hand.holes[place]
    if game.faces or game.board_by_street[-1]:
        assert seen_up > 0


@every_game
def test_timed_out_player_folds_brings_in_or_stands_pat(code: str) -> None:
    deck, document = game_called(code).deck, next_hand(seated(code))
    for _ in range(60):
        hand = play_actions(document).hand
        if hand.over:
            break
        try:
            document = deal(document, deck)
        except DocumentError:
            document = auto(document, check_when_free=True)
    assert play_actions(document).hand.over
    if game_called(code).betting.bring_in:
        assert document.actions[3].endswith(" pb")


@every_game
def test_player_who_leaves_in_mid_hand_is_played_for_and_recorded(code: str) -> None:
    chance = Chance(3)
    deck, document = chance.shuffled(game_called(code).deck), deal(next_hand(seated(code)), game_called(code).deck)
    document = merge(document, pause(personalize(document, "ann"), "ann"), "ann").document
    document = merge(document, leave(personalize(document, "bob"), "bob"), "bob").document
    for _ in range(60):
        if play_actions(document).hand.over:
            break
        try:
            document = deal(document, deck)
        except DocumentError:
            document = auto(document, check_when_free=True)
    record = written_out(document)
    assert any("# sits out" in text for text in record.actions)
    plain = {name: value for name, value in record.user.items() if name == "_game"}
    assert replay(replace(record, user=plain)).finishing_stacks == replay(record).finishing_stacks
    assert sum(finishing_stacks(document)) == 900


def test_a_player_who_left_chooses_one_run_and_the_record_says_so() -> None:
    document = deal(next_hand(seated("thrice", 2)), OWN["thrice"].deck)
    for _ in range(2):
        name = turn(document)
        assert name is not None
        most = offer(document, name).raise_
        document = act(document, name, "cc" if most is None else f"cbr {most.max_to}")
    stays = turn(document)
    assert stays is not None
    assert offer(document, stays).runs == 3
    document = act(document, stays, "runs 3")
    goes = turn(document)
    assert goes is not None
    document = merge(document, leave(personalize(document, goes), goes), goes).document
    while not (hand := play_actions(document).hand).over:
        document = act(document, stays, "sm -") if hand.phase == "show" else deal(document, OWN["thrice"].deck)
    record = written_out(document)
    assert [text for text in record.actions if "runs" in text] == [
        f"p{document.index(stays) + 1} runs 3",
        f"p{document.index(goes) + 1} runs 1 # sits out",
    ]
    assert read_back(record) == document
    assert replay(record).finishing_stacks == finishing_stacks(document)


@for_each(
    "own, error",
    [
        (None, "_game: expected the content of a game file, because the variant is X"),
        ({**RUNS, "streets": []}, "_game: streets: "),
        ({**RUNS, "code": "NT"}, "_game: code: "),
    ],
)
def test_a_wrong_game_is_refused_with_its_key(own: Any, error: str) -> None:
    fields = {"players": [], "startingStacks": [], "blindsOrStraddles": [], "minBet": 2, "variant": "X", "_game": own}
    with pytest.raises(DocumentError) as found:
        read_document(json.dumps(fields))
    assert str(found.value).startswith(error), found.value


def test_draws_by_name_and_refused() -> None:
    document = deal(next_hand(seated("FB")), STRUCTURES["FB"].deck)
    while play_actions(document).hand.phase == "bet":
        document = act(document, *spelt(document, Chance(1)))
    playback = play_actions(document)
    assert playback.hand.phase == "draw"
    assert isinstance(playback.hand.turn, PlayersTurn)
    place = playback.hand.turn.place
    name, held = document.players[playback.lineup.players[place]], playback.hand.holes[place]
    for wrong in ("sd " + "".join(STRUCTURES["FB"].deck[-2:]), f"sd {held[0] * 2}", "cc", "pb"):
        with pytest.raises(DocumentError):
            act(document, name, wrong)
    changed = act(document, name, f"sd {held[0]}")
    assert deal(changed, STRUCTURES["FB"].deck).actions[-1].startswith("d dh ")


# --- what is refused, and what a document leaves unsaid


def test_more_chips_than_were_brought_are_rejected() -> None:
    fields: dict[str, Any] = {"players": ["a", "b"], "startingStacks": [100, 100], "blindsOrStraddles": [1, 2]}
    with pytest.raises(DocumentError, match=r"^finishingStacks: expected at most 200 chips, which came in, got 201$"):
        read_document(json.dumps(fields | {"finishingStacks": [100, 101]}))
    with pytest.raises(DocumentError, match="expected at most 205 chips"):
        read_document(json.dumps(fields | {"finishingStacks": [100, 106], "_brought": {"a": 5}}))
    over = read_document(json.dumps(fields | {"finishingStacks": [99, 101]}))
    richer = top_up(over, "a", 50)
    assert richer.rest["_brought"] == {"a": 50}
    richer = top_up(richer, "a", 5)
    assert (richer.finishing_stacks, richer.rest["_brought"]) == ((154, 101), {"a": 55})
    assert read_document(write_document(richer)) == richer
    assert "_brought" not in next_hand(richer).rest
    with pytest.raises(DocumentError, match=r"^_brought: expected names of players, got 'x'"):
        read_document(json.dumps(fields | {"_brought": {"x": 5}}))


def test_minimum_bet_above_every_blind_is_not_a_blind() -> None:
    fields = {"players": ["a", "b", "c"], "startingStacks": [100] * 3, "blindsOrStraddles": [0, 1, 2], "minBet": 4}
    document = read_document(json.dumps(fields | {"finishingStacks": [100] * 3, "hand": 1}))
    assert (document.big_blind, document.button) == (2, 0)
    following = next_hand(document)
    assert (following.blinds, following.min_bet, following.button) == ((2, 0, 1), 4, 1)
    assert following.rest["_bigBlindSize"] == 2
    hand = play_actions(deal(following, STRUCTURES["NT"].deck)).hand
    assert (hand.round.price, hand.stakes.min_bet) == (2, 4)
    assert next_hand(replace(following, finishing_stacks=following.stacks)).blinds == (1, 2, 0)


def test_limit_and_stud_have_default_bets() -> None:
    fields: dict[str, Any] = {"players": ["a", "b"], "startingStacks": [100, 100]}
    limit = read_document(json.dumps(fields | {"variant": "FT", "blindsOrStraddles": [5, 10]}))
    assert (limit.rest["small_bet"], limit.rest["big_bet"]) == (10, 20)
    stud = read_document(json.dumps(fields | {"variant": "FR", "antes": [2, 2], "smallBet": 10}))
    assert (stud.min_bet, stud.rest["bring_in"], stud.rest["big_bet"], stud.blinds) == (10, 5, 20, (0, 0))
    said = read_document(json.dumps(fields | {"variant": "FR", "antes": [2, 2], "smallBet": 10, "bringIn": 3}))
    assert said.rest["bring_in"] == 3
    assert json.loads(write_document(said))["bringIn"] == 3
    with pytest.raises(
        DocumentError,
        match=r"^variant: expected a code of PHH \(NT, .*\) or another code from docs/games\.md, got 'XX'$",
    ):
        open_document(big_blind=10, seat_count=6, variant="XX")


def test_missing_a_stud_hand_owes_nothing() -> None:
    document = next_hand(seated("FR", 4))
    document = merge(document, pause(personalize(document, "cleo"), "cleo"), "cleo").document
    for _ in range(5):
        document = next_hand(replace(document, finishing_stacks=document.stacks))
        assert document.dead_blinds == (0, 0, 0, 0)
        assert document.blinds == (0, 0, 0, 0)
    assert document.button != 2


@pytest.mark.parametrize("stack", [1, Decimal("1.5"), 2])
def test_a_short_ante_claims_its_part_as_at_the_typed_table(stack: Any) -> None:
    """Each ante is 2 and one player has less: they win as much of each other ante, as at the typed table."""
    document = seated("NT", 2, 100)
    document = next_hand(join(document, "cleo", 50))
    document = replace(document, stacks=(100, 100, stack))
    hand = play_actions(document).hand
    assert hand.stakes.equal_antes
    typed = Table.open(TableStakes(small_blind=10, big_blind=20, ante=4), moving="button", seat_count=6)
    for name, chips in (("a", 200), ("b", 200), ("c", int(stack * 2))):
        typed = typed.sit(name, chips)
    setup = typed.next().setup()
    assert setup.stakes.equal_antes
    as_said = replace(document, rest={**document.rest, "ante_trimming_status": False})
    assert not play_actions(as_said).hand.stakes.equal_antes


def test_record_without_the_field_is_not_trimmed_in_a_round_trip() -> None:
    document = next_hand(seated("NT"))
    record = to_record(document)
    assert record.ante_trimming_status is True
    plain = replace(record, ante_trimming_status=None)
    assert from_record(plain).rest["ante_trimming_status"] is False
    assert to_record(from_record(plain)) == plain
    assert from_record(record) == document


# --- cards that are changed, and words that others know


def six_who_draw() -> Document:
    """Six players at triple draw, all still in before the first draw; their places are their numbers."""
    names = [f"x{number}" for number in range(6)]
    fields = {"players": names, "startingStacks": [500] * 6, "blindsOrStraddles": [2, 4, 0, 0, 0, 0], "hand": 1}
    return read_document(json.dumps(fields | {"variant": "F2L3D", "actions": []}))


@for_each("at_once", [True, False], ids=["dealt after each", "dealt after all"])
@for_each("seed", range(5))
def test_a_document_draws_the_cards_that_the_hand_with_the_same_deck_does(seed: int, at_once: bool) -> None:
    """All players change all five cards, so that the deck runs out more than once; no player gets a discard back."""
    deck = Chance(seed).shuffled(STRUCTURES["F2L3D"].deck)
    document, own_back = deal(six_who_draw(), deck), 0
    kernel = play_actions(six_who_draw()).hand
    hand, _ = type(kernel).start(kernel.structure, stacks=(500,) * 6, stakes=kernel.stakes, deck=deck)
    while not hand.over:
        if hand.phase == "draw":
            assert isinstance(hand.turn, PlayersTurn)
            place, held = hand.turn.place, hand.holes[hand.turn.place]
            document = act(document, f"x{place}", f"sd {''.join(held)}")
            hand, _ = hand.act(Discard(held))
            own_back += len(set(held) & set(hand.holes[place]))
            if at_once or hand.phase != "draw":
                document = deal(document, deck)
                assert play_actions(document).hand.holes == hand.holes
        else:
            document = act(document, f"x{hand.round.turn}", "cc")
            hand, _ = hand.act(Check() if hand.offer.check else Call())
    assert own_back == 0


def test_a_bring_in_is_written_in_the_word_of_its_own() -> None:
    document = deal(next_hand(seated("FR")), STRUCTURES["FR"].deck)
    playback = play_actions(document)
    player = playback.lineup.players[playback.hand.round.turn]
    document = act(document, document.players[player], "cc")
    assert document.actions[-1] == f"p{player + 1} pb"
    playback = play_actions(document)
    player = playback.lineup.players[playback.hand.round.turn]
    assert act(document, document.players[player], "cc").actions[-1] == f"p{player + 1} cc"
