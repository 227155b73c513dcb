"""A trick, from the lead to the taking: everybody plays a card, the highest takes all."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pitboss.lab import codes, piles
from pitboss.lab.codes import CERTAIN, LIKING, MOST_CARDS, UNSEEN, UNSEEN_CARDS
from pitboss.lab.english import SUIT_NAMES, card_word
from pitboss.lab.genome import Deck, Genome, Mechanic, Phase, Traits, Values, WinCondition, cards_come_or_go, only_blind
from pitboss.lab.wins.promise import power

BOTH = (False, True)
BLIND = "cards turned up blindly go into a hand, and the solver takes games only where they lie open"
TRICKS = Mechanic("tricks", ((6, 13), (3, 5)), each_round=True)
STATE = {
    "lead": "who leads the next trick: the winner of the last",
    "played": "how many cards of this trick lie",
    "awaited": "how many cards it will have",
    "best": "the value of its highest card so far",
    "best_by": "who played that",
    "tied": "whether another card is as high",
}


class TrickPhase(Phase, frozen=True, tag=True):
    """Everybody plays a card; the highest of the suit led, or the highest trump, takes all and leads the next."""

    everybodys: ClassVar[bool] = True
    tricks: ClassVar[bool] = True
    closes: ClassVar[bool] = True
    main: ClassVar[int] = 3
    thought: ClassVar[int] = UNSEEN_CARDS
    habitual: ClassVar[bool] = False
    unable: ClassVar[str] = "no trick is played"
    columns: ClassVar = ("trick_follow", "trick_blind", "trick_to_hand", "trick_stay")

    follow: bool = True  #: who has the suit led must play it
    blind: bool = False  #: the top card is turned up, there is no choice; suits do not count
    to: Literal["captured", "hand"] = "captured"  #: where a taken trick goes; into the hand it goes to the bottom
    ties: Literal["first", "stay"] = "first"  #: equal highest cards: the first takes it, or it stays for the next trick

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
        """No two cards of a deck are equal, so that nothing is ever tied."""
        return TrickPhase(follow=self.follow)

    # --- sentences

    def step(self, genome: Genome, at: int) -> str:
        text = f"**Play a trick.** {self._turned(genome) if self.blind else self._played(genome)}"
        if self.to == "captured" and not cards_come_or_go(genome):
            return text
        return f"{text} Whoever has no card sits it out, and if only one player has any, there is no trick."

    def _played(self, genome: Genome) -> str:
        text = "The starting player leads the first trick, and the winner of each trick leads the next"
        text += "; if that player is out, the next one does. " if genome.betting_phases else ". "
        text += "The leader plays any card face up, and all others in turn add one. "
        if self.follow:
            text += "If you hold a card of the suit that was led, you must play one; otherwise play what you like. "
        else:
            text += "You may play any card, whether or not it is of the suit that was led. "
        if genome.setup.trump_suit is None:
            text += "The highest card of the suit that was led takes the trick. "
        else:
            text += "The highest trump takes the trick or, where there is none, "
            text += "the highest card of the suit that was led. "
        return text + self._taken("into your hand")

    def _turned(self, genome: Genome) -> str:
        if only_blind(genome):
            text = "Everybody turns up the top card of their pile. "
        else:
            text = "Everybody turns up the card they have held longest "
            text += "(keep your cards in the order in which they came). "
        text += "The highest rank takes them all; suits do not matter. "
        if self.ties == "stay":
            text += "If the highest are equal, the cards stay where they are, "
            text += "and whoever takes the next trick takes them too. "
        else:
            text += "If the highest are equal, the one turned up first takes it: the winner of the last trick turns "
            text += "first (at the beginning, the starting player), and the others follow clockwise. "
        return text + self._taken("under your pile, face down" if only_blind(genome) else "into your hand")

    def _taken(self, hand: str) -> str:
        if self.to == "captured":
            return "Put the cards you win in front of you, face up; they are out of play."
        return f"Put the cards you win {hand}."

    def brief(self, genome: Genome) -> str:
        return "turn up a card each for a trick" if self.blind else "play a trick"

    def asked(self, genome: Genome, s: Any) -> str:
        if not s.played:
            return "lead a card to the trick"
        suits = genome.setup.deck.suits
        led = SUIT_NAMES[suits[s.trick[s.tricked - s.played] % len(suits)]]
        return f"add a card to the trick; {led} were led{', to be followed' if self.follow else ''}"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        return f"play {card_word(deck, move)}"


# --- in play


def deal(g: Any, s: Any) -> None:
    """Nothing lies in the trick, and the deal's starting player leads."""
    s.played, s.lead = 0, s.starter


def begin(g: Any, rules: Any, s: Any) -> None:
    """Everybody in the deal who has cards will play one; the lead is the last winner's."""
    s.awaited, s.played, s.best, s.best_by, s.tied = 0, 0, -1, codes.NOBODY, 0
    for p in range(s.n):
        if not s.folded[p] and s.held[p] > 0:
            s.awaited += 1
    s.next = s.lead
    if s.awaited == 1:
        s.awaited = 0  # a trick of one is none


def waiting(g: Any, s: Any) -> bool:
    """Whether somebody has to choose a card; blind tricks play themselves."""
    blind = g.trick_blind[s.phase]
    while s.played < s.awaited and s.turns < g.limit:
        while s.folded[s.next] or s.held[s.next] == 0:
            s.next = piles.next_live(s, s.next, 1)
        if not blind:
            s.asked = s.next
            return True
        s.turns += 1
        s.quiet = 0
        lay(g, s, piles.take_at(s, s.next, 0), True)
    return False


def under_way(g: Any, s: Any) -> bool:
    """From the first card to the last."""
    return bool(s.played > 0)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """The cards of the suit led, where there are any and one must follow; else all."""
    p = s.asked
    count = 0
    if g.trick_follow[s.phase] and s.played > 0:
        suit = s.trick[s.tricked - s.played] % g.suits
        for k in range(s.held[p]):
            if s.hands[p * MOST_CARDS + k] % g.suits == suit:
                moves[count] = s.hands[p * MOST_CARDS + k]
                count += 1
    return count if count > 0 else piles.list_hand(s, p, moves)


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    """Play a chosen card."""
    piles.take_card(s, s.asked, move)
    lay(g, s, move, False)


def lay(g: Any, s: Any, card: int, blind: bool) -> None:
    """Add a card to the trick and see whether it is the highest."""
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
    """A card's value where this suit was led: trumps above it, all others below."""
    rank = card // g.suits
    suit = card - rank * g.suits
    return rank + 2 * codes.RANKS if suit == s.trump else rank + codes.RANKS if suit == led else -1


def end(g: Any, s: Any) -> None:
    """Give the trick to whoever played highest, or leave it for the next one after a tie."""
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
    """What playing a card is likely to bring: the trick if it is good, the others' if it is not, and cheaply."""
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
    """How likely a card takes the trick, if those still to play had any card each: per mille."""
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
