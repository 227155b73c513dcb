"""Hands written out for the page, message by message, and the table they are played at."""

from pitboss.arena.wire.messages import (
    BetMessage,
    CallMessage,
    Config,
    Eliminated,
    EndHand,
    FinalStack,
    Flop,
    FoldMessage,
    Lobby,
    LobbyPlayer,
    MatchEnd,
    OpenHand,
    PostBlinds,
    PotAward,
    Refund,
    RiverCard,
    SeatStack,
    ServerMessage,
    Showdown,
    StartHand,
    TableMessage,
    Turn,
    TurnCard,
    Winner,
)
from pitboss.arena.wire.poker import layout_of
from pitboss.hand.games import NO_LIMIT_HOLDEM

HAND = "H-2025-10-17-01234"
HASH = "0" * 64
BOARD = ("7h", "2d", "Qs", "Jc", "Jd")
GAMES = (layout_of(NO_LIMIT_HOLDEM),)
OPEN = (OpenHand(seat=1, cards=("Qh", "Th")), OpenHand(seat=2, cards=("As", "Kd")))


def table(*teams: str, seats: int = 6, table_id: str = "T-1", stack: int = 10_000) -> list[ServerMessage]:
    """The table and its lobby, as a spectator is greeted."""
    config = Config(variant="HUNL", seats=seats, starting_stack=stack, sb=50, bb=100, move_time_ms=15_000, games=GAMES)
    players = [LobbyPlayer(seat=k, team=team, connected=True, stack=stack) for k, team in enumerate(teams)]
    return [TableMessage(table_id=table_id, config=config), Lobby(players=tuple(players))]


def before_the_flop(stacks: tuple[int, ...]) -> list[ServerMessage]:
    """Seat 0 has the button, seats 1 and 2 the blinds; seat 3 folds, seat 0 raises and all but seat 3 stay."""
    seated = tuple(SeatStack(seat=seat, stack=stack) for seat, stack in enumerate(stacks))
    blinds = PostBlinds(hand_id=HAND, seq=2, sb_seat=1, bb_seat=2, sb=50, bb=100, sb_posted=50, bb_posted=100)
    return [
        StartHand(hand_id=HAND, seed=1, button=0, stacks=seated, commit=HASH, seq=1),
        blinds,
        Turn(hand_id=HAND, seat=3, time_ms=15_000),
        FoldMessage(hand_id=HAND, seq=3, seat=3),
        BetMessage(hand_id=HAND, seq=4, seat=0, amount=300, to=300),
        CallMessage(hand_id=HAND, seq=5, seat=1, amount=250),
        CallMessage(hand_id=HAND, seq=6, seat=2, amount=200),
    ]


def on_the_flop() -> list[ServerMessage]:
    """Seat 1 bets, seat 2 raises, and it is seat 0's turn."""
    return [
        Flop(hand_id=HAND, seq=7, cards=BOARD[:3], opened=()),
        Turn(hand_id=HAND, seat=1, time_ms=15_000),
        BetMessage(hand_id=HAND, seq=8, seat=1, amount=400, to=400),
        BetMessage(hand_id=HAND, seq=9, seat=2, amount=1_200, to=1_200),
        Turn(hand_id=HAND, seat=0, time_ms=12_000),
    ]


def to_the_end(stacks: tuple[int, ...]) -> list[ServerMessage]:
    """Seat 0 folds, seat 1 calls all-in for 700 and wins with two pair."""
    final = tuple(SeatStack(seat=seat, stack=stack) for seat, stack in enumerate(stacks))
    return [
        FoldMessage(hand_id=HAND, seq=10, seat=0),
        CallMessage(hand_id=HAND, seq=11, seat=1, amount=700),
        Refund(hand_id=HAND, seq=12, seat=2, amount=100),
        TurnCard(hand_id=HAND, seq=13, card=BOARD[3], opened=(), hands=OPEN),
        RiverCard(hand_id=HAND, seq=14, card=BOARD[4], opened=()),
        Showdown(hand_id=HAND, seq=15, seat=1, hand=("Qh", "Th"), board=BOARD, rank="two_pair", opened=()),
        Showdown(hand_id=HAND, seq=16, seat=2, hand=("As", "Kd"), board=BOARD, rank="pair", opened=()),
        PotAward(hand_id=HAND, seq=17, seat=1, amount=3_100, pot=0),
        EndHand(hand_id=HAND, stacks=final, chain=HASH, seq=18),
    ]


def match_end(*stacks: tuple[int, str, int]) -> list[ServerMessage]:
    """The last seat is out and the match is decided: seats, teams and chips from the most down, each out in a hand."""
    final = []
    for k, (seat, team, stack) in enumerate(stacks):
        place = 1 + (sum(more > stack for _, _, more in stacks) if stack else k)
        final.append(FinalStack(seat=seat, team=team, stack=stack, place=place))
    first = tuple(Winner(seat=row.seat, team=row.team) for row in final if row.stack == final[0].stack)
    winner, winners = (first[0], None) if len(first) == 1 else (None, first)
    return [
        Eliminated(hand_id=HAND, seq=19, seat=final[-1].seat),
        MatchEnd(winner=winner, winners=winners, final_stacks=tuple(final), reason="last_standing", seq=20),
    ]
