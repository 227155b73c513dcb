"""A bot that remembers its last hand: if the next hand has the same deck, it knows the opponent's cards and the board.

Heads-up, a deck that is dealt twice in a row gives the opponent the cards that this bot just had.
"""

from pitboss.arena.wire.messages import Act, ServerMessage
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.showdown import strengths


class Bot:
    """Calls, but goes all-in with a hand that wins against the cards it remembers, and folds one that loses."""

    def __init__(self) -> None:
        self.board: tuple[str, ...] = ()
        self.holes: dict[int, tuple[str, ...]] = {}

    def on_message(self, message: ServerMessage) -> None:
        """Remember the board."""
        self.board = getattr(message, "board", self.board)

    def act(self, act: Act) -> object:
        """Play by the remembered cards, in every second hand."""
        number = int(act.hand_id.rpartition("-")[2])
        self.holes[number] = act.you.hole
        theirs = self.holes.get(number - 1, ())
        stay = "CHECK" if "CHECK" in act.legal else "CALL"
        if number % 2 or len({*act.you.hole, *theirs, *self.board}) < 9:
            return stay
        mine, other = (strengths(NO_LIMIT_HOLDEM, hole, self.board) for hole in (act.you.hole, theirs))
        if mine > other:
            return stay if act.max_raise_to is None else ("RAISE_TO", act.max_raise_to)
        return "FOLD" if mine < other and stay == "CALL" else stay
