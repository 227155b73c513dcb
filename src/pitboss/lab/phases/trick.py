"""A trick: each player plays a card, and the highest card takes them all."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pitboss.lab import codes, piles
from pitboss.lab.codes import CERTAIN, LIKING, MOST_CARDS, UNSEEN, UNSEEN_CARDS
from pitboss.lab.english import SUIT_NAMES, card_word
from pitboss.lab.genome import Deck, Genome, Mechanic, Phase, Traits, Values, WinCondition, cards_come_or_go, only_blind
from pitboss.lab.wins.estimate import power

BOTH = (False, True)
BLIND = "cards that are turned up blindly go into a hand; the solver can only solve games in which they stay up"
TRICKS = Mechanic("tricks", ((6, 13), (3, 5)), each_round=True)
STATE = {
    "lead": "the player who leads the next trick: the winner of the last one",
    "played": "the number of cards played to this trick",
    "awaited": "the number of cards that this trick will have",
    "best": "the value of the highest card of this trick so far",
    "best_by": "the player who played the highest card",
    "tied": "whether another card is equally high",
}


class TrickPhase(Phase, frozen=True, tag=True):
    """Each player plays a card. The player of the highest card takes the trick and leads the next one.

    The highest card is the highest trump or, if there is none, the highest card of the suit led.
    """

    everybodys: ClassVar[bool] = True
    tricks: ClassVar[bool] = True
    closes: ClassVar[bool] = True
    main: ClassVar[int] = 3
    thought: ClassVar[int] = UNSEEN_CARDS
    habitual: ClassVar[bool] = False
    unable: ClassVar[str] = "no trick is played"
    columns: ClassVar = ("trick_follow", "trick_blind", "trick_to_hand", "trick_stay")

    follow: bool = True  #: a player who has the suit led must play it
    blind: bool = False  #: each player turns up their top card; suits do not count
    to: Literal["captured", "hand"] = "captured"  #: where a taken trick goes; "hand" is the bottom of the hand
    ties: Literal["first", "stay"] = "first"  #: if the highest cards are equal: the first wins, or all cards stay

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return self.follow, self.blind, self.to == "hand", self.ties == "stay"

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"follow": BOTH, "blind": BOTH, "to": ("captured", "hand"), "ties": ("first", "stay")}

    @property
    def traits(self) -> Traits:
        return Traits(
            unfinished="a trick",
            releases=True,
            captures=self.to == "captured",
            uneven=self.to != "captured",
            looks=not self.blind,
            asks_suit=not self.blind,
            takes_known=self.to == "hand",
            ordered=self.blind,
            mechanic=TRICKS,
            unsolvable=BLIND if self.blind and self.to == "hand" else "",
        )

    @property
    def label(self) -> str:
        return f"Trick {'following' if self.follow else 'freely'}"

    def serves(self, aim: WinCondition) -> bool:
        return aim.point != 0 or (aim.likes_tricks and not aim.collects)

    def sensible(self, genome: Genome, phases: Sequence[Phase]) -> Phase:
        """Return a phase with choices: cards are not blind, and taken tricks do not return to the hand."""
        return TrickPhase(follow=self.follow)

    # --- sentences

    def step(self, genome: Genome, at: int) -> str:
        text = f"**Play a trick.** {self._turned(genome) if self.blind else self._played(genome)}"
        if self.to == "captured" and not cards_come_or_go(genome):
            return text
        return f"{text} A player without cards sits it out. If only one player has cards, no trick is played."

    def _played(self, genome: Genome) -> str:
        text = "The starting player leads the first trick. The winner of each trick leads the next"
        text += "; if the winner is out, the next player leads. " if genome.betting_phases else ". "
        text += "The leader plays any card face up, and then each other player in turn adds one. "
        if self.follow:
            text += "If you hold a card of the suit that was led, you must play one; otherwise play any card. "
        else:
            text += "You may play any card, whether or not it is of the suit that was led. "
        if genome.setup.trump_suit is None:
            text += "The highest card of the suit that was led takes the trick. "
        else:
            text += "The highest trump takes the trick or, if there is none, "
            text += "the highest card of the suit that was led. "
        return text + self._taken("into your hand")

    def _turned(self, genome: Genome) -> str:
        if only_blind(genome):
            text = "Each player turns up the top card of their pile. "
        else:
            text = "Each player turns up the card they have held longest "
            text += "(keep your cards in the order in which you got them). "
        text += "The highest rank takes them all; suits do not matter. "
        if self.ties == "stay":
            text += "If the highest cards are equal, the cards stay where they are, "
            text += "and the player who takes the next trick takes them too. "
        else:
            text += (
                "If the highest cards are equal, the one turned up first takes it: the winner of the last trick turns "
            )
            text += "up a card first (in the first trick, the starting player), and the others follow clockwise. "
        return text + self._taken("under your pile, face down" if only_blind(genome) else "into your hand")

    def _taken(self, hand: str) -> str:
        if self.to == "captured":
            return "Put the cards you win in front of you, face up; they are out of play."
        return f"Put the cards you win {hand}."

    def brief(self, genome: Genome) -> str:
        return "turn up a card each for a trick" if self.blind else "play a trick"

    def prompt(self, genome: Genome, s: Any) -> str:
        if not s.played:
            return "lead a card to the trick"
        suits = genome.setup.deck.suits
        led = SUIT_NAMES[suits[s.trick[s.tricked - s.played] % len(suits)]]
        return f"add a card to the trick; {led} were led{', which you must follow if you can' if self.follow else ''}"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        return f"play {card_word(deck, move)}"


# --- in play


def deal(g: Any, s: Any) -> None:
    """Empty the trick. The deal's starting player leads."""
    s.played, s.lead = 0, s.starter


def begin(g: Any, rules: Any, s: Any) -> None:
    """Count the players who will play a card. The last winner leads, and a single player with cards does not play."""
    s.awaited, s.played, s.best, s.best_by, s.tied = 0, 0, -1, codes.NO_PLAYER, 0
    for p in range(s.n):
        if not s.folded[p] and s.held[p] > 0:
            s.awaited += 1
    s.next = s.lead
    if s.awaited == 1:
        s.awaited = 0


def waiting(g: Any, s: Any) -> bool:
    """Return whether a player must choose a card. Blind tricks are played here, because they need no choices."""
    blind = g.trick_blind[s.phase]
    while s.played < s.awaited and s.turns < g.limit:
        while s.folded[s.next] or s.held[s.next] == 0:
            s.next = piles.next_live(s, s.next, 1)
        if not blind:
            s.to_act = s.next
            return True
        s.turns += 1
        s.quiet = 0
        lay(g, s, piles.take_at(s, s.next, 0), True)
    return False


def under_way(g: Any, s: Any) -> bool:
    return bool(s.played > 0)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """List the cards of the suit led if the player must follow it and has any; if not, list all cards."""
    p = s.to_act
    count = 0
    if g.trick_follow[s.phase] and s.played > 0:
        suit = s.trick[s.tricked - s.played] % g.suits
        for k in range(s.held[p]):
            if s.hands[p * MOST_CARDS + k] % g.suits == suit:
                moves[count] = s.hands[p * MOST_CARDS + k]
                count += 1
    return count if count > 0 else piles.list_hand(s, p, moves)


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    piles.take_card(s, s.to_act, move)
    lay(g, s, move, False)


def lay(g: Any, s: Any, card: int, blind: bool) -> None:
    """Add a card to the trick and record whether it is the highest."""
    value = card // g.suits
    if not blind:
        value = height(g, s, card, card % g.suits if s.played == 0 else s.trick[s.tricked - s.played] % g.suits)
    s.trick[s.tricked] = card
    s.tricked += 1
    s.played += 1
    s.moved = 1
    if value > s.best:
        s.best, s.best_by, s.tied = value, s.next, 0
    elif value == s.best:
        s.tied = 1
    s.next = piles.next_live(s, s.next, 1)


def height(g: Any, s: Any, card: int, led: int) -> int:
    """Return a card's value if this suit was led. Trumps are above the suit led, other suits below it."""
    rank = card // g.suits
    suit = card - rank * g.suits
    return rank + 2 * codes.RANKS if suit == s.trump else rank + codes.RANKS if suit == led else -1


def end(g: Any, s: Any) -> None:
    """Give the trick to the player with the highest card. After a tie, the cards may stay for the next trick."""
    complete, s.played = s.played > 0, 0
    if not complete or (s.tied and g.trick_stay[s.phase]):
        return
    for k in range(s.tricked):
        if g.trick_to_hand[s.phase]:
            piles.give(s, s.best_by, s.trick[k])
        else:
            piles.capture(s, s.best_by, s.trick[k])
    s.tricked = 0
    s.tricks[s.best_by] += 1
    s.lead = s.best_by
    piles.lay_sets(g, s, s.best_by)


# --- how good a card is


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Return the expected points of playing a card. Of equal values, the cheapest card is best."""
    likely, point = chance_to_take(g, s, move, work), g.win_point[0]
    own = point * g.captured_points[move]
    if g.trick_to_hand[s.phase]:
        taking = -1 if g.win_sheds[0] else 1
    elif point == 0:
        taking = work.facts[LIKING]
    else:
        taking = own + point * g.trick_points
        for k in range(s.tricked):
            taking += point * g.captured_points[s.trick[k]]
    high = power(g, s, move)
    return likely * taking - (CERTAIN - likely) * own + (high if work.facts[LIKING] < 0 else -high)  # type: ignore[no-any-return]  # a record's numbers


def chance_to_take(g: Any, s: Any, card: int, work: Any) -> int:
    """Return the probability, per mille, that a card takes the trick if the other players play random cards."""
    led = card % g.suits if s.played == 0 else s.trick[s.tricked - s.played] % g.suits
    own, higher, unseen = height(g, s, card, led), 0, work.facts[UNSEEN]
    if s.played > 0 and own <= s.best:
        return 0
    for k in range(unseen):
        if height(g, s, work.unseen[k], led) > own:
            higher += 1
    likely = CERTAIN
    for _ in range(s.played + 1, s.awaited):
        likely = likely * (unseen - higher) // unseen
    return likely
