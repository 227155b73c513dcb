"""The spot of a recorded hand: the pot, the stacks and the board when a street began between two players."""

from collections.abc import Iterator

from pitboss.fast.equity.ranges import RangeLike
from pitboss.hand.hand import Hand
from pitboss.records.lenient import start_lenient_playback
from pitboss.records.record import Record
from pitboss.records.replay import ActionTaken
from pitboss.solver.sizes import STREETS, Sizes, SpotError
from pitboss.solver.spot import BOARD_CARDS, GAMES, Spot

USUAL_SIZES = Sizes(flop="50%/60%", turn="50%/60%", river="50%, 100%/60%")


def spot_of(
    record: Record, street: str, *, oop: RangeLike = "random", ip: RangeLike = "random", sizes: Sizes = USUAL_SIZES
) -> Spot:
    """Return the spot at the beginning of a street of a recorded hand. Amounts are in chips, such as cents."""
    if street not in STREETS:
        raise SpotError(f"street: expected {', '.join(STREETS)}, got {street!r:.20}")
    playback = start_lenient_playback(record)
    taken: list[ActionTaken] = []
    playback.taken = taken
    playback.play_all()
    cards = next(count for count, name in BOARD_CARDS.items() if name == street)
    hands = [hand for hand in _begun(taken) if len(hand.board) == cards]
    if not hands:
        raise SpotError(f"street: expected a hand in which players bet on the {street}, but this one ends before")
    hand = hands[0]
    live, first = hand.round.live, hand.round.turn
    if len(live) != 2 or first is None:
        raise SpotError(f"street: expected two players on the {street}, got {len(live)}")
    game = hand.structure.key
    if game not in GAMES:
        raise SpotError(f"game: expected one of {', '.join(GAMES)}, got {game}")
    stack = min(hand.stacks[place] for place in live)
    return Spot(oop=oop, ip=ip, board="".join(hand.board), pot=hand.pot, stack=stack, sizes=sizes, game=game)


def _begun(taken: list[ActionTaken]) -> Iterator[Hand]:
    """Yield the hands in which a player may bet and no player has bet or checked on the street yet."""
    for one in taken:
        if one.hand.phase == "bet" and len(one.before.board) < len(one.hand.board):
            yield one.hand
