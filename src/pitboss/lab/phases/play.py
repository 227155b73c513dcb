"""Playing cards on a pile: which cards fit, what they capture, and the effects of special cards."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from pitboss.lab import codes, piles
from pitboss.lab.codes import DRAWN_HOLDINGS, MOST_CARDS, SPARE
from pitboss.lab.english import RANK_NAMES, a, a_few, capital, card_word, listed, number, one_to, plural
from pitboss.lab.genome import MOST_AT_ONCE, Deck, Genome, Mechanic, Phase, Traits, Values, WinCondition, check_letters
from pitboss.lab.wins import estimate

TARGETS = ("discard", "tableau")
ON_DISCARD, ON_TABLEAU = range(len(TARGETS))
MATCHES = ("any", "suit", "rank", "higher", "higher_or_equal")
MATCH_ANY, MATCH_SUIT, MATCH_RANK, MATCH_HIGHER, MATCH_HIGHER_OR_EQUAL = [1 << bit for bit in range(len(MATCHES))]
CAPTURES = ("none", "rank", "sum")
NO_CAPTURE, BY_RANK, BY_SUM = range(len(CAPTURES))
SETS = 100  # the number of a play of N cards of a rank is this number plus 4 * rank + N - 1
BOTH = (False, True)
MATCHES_TO_TRY = (
    *(("any",), ("suit",), ("rank",), ("suit", "rank"), ("higher",), ("higher_or_equal",)),
    *(("suit", "higher"), ("rank", "higher"), ("suit", "rank", "higher")),
)
FITS = {
    "suit": "of the same suit as",
    "rank": "of the same rank as",
    "higher": "higher than",
    "higher_or_equal": "at least as high as",
}
CAPTURING = Mechanic("captures", ((3, 6), (3, 5)), each_round=True)
CLIMBING = Mechanic("climbing", ((7, 13), (5, 7)))
FITTING = Mechanic("fitting", ((5, 8), (4, 5)), starts_pile=True)
STATE = {
    "top_count": "the number of cards of the last play on the pile",
    "fresh": "whether the pile is finished, so that any card fits",
    "passes": "the number of players who have passed since the last play",
}


class PlayPhase(Phase, frozen=True, tag=True):
    """Play one card, or up to `most` cards of one rank, on the discards or the tableau.

    `match` lists the ways in which a card can fit on the top card. A card must fit in one of these ways. Every card
    fits on an empty pile, and cards of a `wild` rank always fit. A player who cannot play passes. With `optional`,
    every player may pass.
    """

    plays: ClassVar[bool] = True
    main: ClassVar[int] = 1
    transforms: ClassVar[bool] = True
    thought: ClassVar[int] = DRAWN_HOLDINGS
    habitual: ClassVar[bool] = False
    unable: ClassVar[str] = "cannot play"
    bounds: ClassVar = {"most": (1, MOST_AT_ONCE)}
    columns: ClassVar = (
        *("play_target", "play_match", "play_wild", "play_most", "play_optional", "play_clear", "play_capture"),
    )

    target: Literal["discard", "tableau"] = "discard"
    match: tuple[Literal["any", "suit", "rank", "higher", "higher_or_equal"], ...] = ("any",)
    wild: str = ""
    most: int = 1  #: all plays on a pile have the same number of cards as the first
    optional: bool = False
    clear_after_passes: bool = False  #: when all others have passed, the last player starts a new pile
    capture: Literal["none", "rank", "sum"] = "none"  #: "sum": an equal rank or, if none, two cards

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        """Return the columns. `match` and `wild` become bit masks."""
        match = sum(1 << MATCHES.index(name) for name in set(self.match))
        wild = sum(1 << genome.setup.deck.ranks.index(rank) for rank in set(self.wild))
        where = TARGETS.index(self.target), match, wild
        return *where, self.most, self.optional, self.clear_after_passes, CAPTURES.index(self.capture)

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {
            "target": TARGETS,
            "match": MATCHES_TO_TRY,
            "wild": ("", *genome.setup.deck.ranks),
            "most": (1, 2, 3, 4),
            "optional": BOTH,
            "clear_after_passes": BOTH,
            "capture": CAPTURES,
        }

    @property
    def traits(self) -> Traits:
        captures = self.capture != "none"
        return Traits(
            discards=self.target == "discard",
            releases=True,
            uneven=True,
            captures=captures,
            shed=int("any" in self.match and self.most == 1 and not self.optional),
            put_away=self.most,
            looks=True,
            asks_suit="suit" in self.match and "any" not in self.match,
            clears=self.clear_after_passes,
            several=self.most > 1,
            mechanic=CAPTURING if captures else CLIMBING if self.clear_after_passes else FITTING,
        )

    @property
    def label(self) -> str:
        if self.traits.captures:
            return f"Play {self.capture}"
        return f"Play {'up' if self.clear_after_passes else 'fitting'}{' several' if self.traits.several else ''}"

    def serves(self, aim: WinCondition) -> bool:
        return aim.sheds or aim.collects or aim.point > 0

    def sensible(self, genome: Genome, phases: Sequence[Phase]) -> Phase:
        """Return a phase in which players have a choice: cards must fit, or they capture."""
        if not genome.win_conditions[0].sheds:
            return PlayPhase(target="tableau", match=("any",), capture=self.capture if self.traits.captures else "rank")
        match = self.match if "any" not in self.match else ("suit", "rank")
        climbing = any(name.startswith("higher") for name in match)
        return replace(
            self,
            target="discard",
            match=match,
            capture="none",
            clear_after_passes=climbing,
            optional=self.optional and climbing,
        )

    def problems(self, field: str, genome: Genome) -> Iterator[str]:
        yield from check_letters(f"{field}.wild", self.wild, genome.setup.deck.ranks, "ranks of the deck")
        if not self.match:
            yield f'{field}.match: expected at least one way to fit, got none; with "any" every card fits'
        if self.capture != "none" and self.target != "tableau":
            yield f'{field}.capture: expected "none" unless target is "tableau", got "{self.capture}"'

    def mends(self, name: str, genome: Genome) -> Iterator[Phase]:
        if name == "wild":
            known = [rank for rank in dict.fromkeys(self.wild) if rank in genome.setup.deck.ranks]
            yield replace(self, wild="".join(known))
        elif name == "match":
            yield replace(self, match=("any",))
        elif name == "capture":
            yield replace(self, target="tableau")

    # --- sentences

    def step(self, genome: Genome, at: int) -> str:
        parts = [self._played(), self._fit()]
        if self.most > 1 and self.clear_after_passes:
            parts.append("Until the pile is cleared, every play must have as many cards as the first one.")
        elif self.most > 1:
            parts.append("Every later play must have as many cards as the play before it.")
        parts += self._passes(genome)
        if self.capture != "none":
            parts.append(self._captured(genome.setup.deck))
        return f"**Play.** {' '.join([part for part in parts if part])}"

    def _played(self) -> str:
        what = "one card" if self.most == 1 else f"one card, or up to {number(self.most)} of the same rank together,"
        where = "face up on the discards" if self.target == "discard" else "face up on the table"
        return f"Play {what} {where}."

    def _fit(self) -> str:
        """Describe the cards that fit. Return an empty text if every card fits."""
        if "any" in self.match:
            return ""
        top = (
            "the top card"
            if self.target == "discard"
            else "the rightmost card"
            if self.traits.captures
            else "the card played last"
        )
        names = [name for name in FITS if name in self.match]
        if "higher_or_equal" in names:
            names = [name for name in names if name not in ("rank", "higher")]
        ways = [FITS[name] for name in names]
        if names[:2] == ["suit", "rank"]:
            ways = ["of the same suit or rank as", *ways[2:]]
        it = "It" if self.most == 1 else "They"
        text = f"{it} must be {listed(ways, 'or')} {top}. If there is no card there, any card may be played."
        if self.wild:
            wild = listed([a(RANK_NAMES[rank]) for rank in self.wild], "or")
            own = "; its own suit counts, and you do not choose another" if "suit" in self.match else ""
            text += f" {capital(wild)} may be played on any card{own}."
        return text

    def _passes(self, genome: Genome) -> list[str]:
        if self.optional:
            texts = ["You may also pass."]
        else:
            texts = [] if "any" in self.match and self.most == 1 else ["If you cannot, you pass."]
        if self.clear_after_passes:
            texts = ["If you cannot or do not want to, you pass."] if self.optional else texts
            texts.append("You may still play when your turn comes again.")
            texts.append(
                "When all others have passed one after another, the pile is cleared: it no longer counts, "
                "and the player who played last may play any card."
            )
            setup = genome.setup
            if setup.initial_discard_count if self.target == "discard" else setup.initial_tableau_count:
                texts.append(
                    "Before the first play, the pile is cleared only if all players pass; then the next player starts."
                )
        return texts

    def _captured(self, deck: Deck) -> str:
        """Describe what a card captures. The cards on the table form a row, so one of them is always leftmost."""
        text = "Your card captures a card of the same rank on the table; if there are several, the leftmost of them: "
        text += "put both in front of you. "
        if self.capture == "sum":
            text += (
                "If there is none, but two cards add up to yours, your card captures these two. If there are several "
            )
            text += (
                "such pairs, take the one whose left card is leftmost and, among those, whose right card is leftmost. "
            )
            text += f"In sums {_counting(deck)}. "
        return text + "If it captures nothing, it stays at the right end of the row."

    def brief(self, genome: Genome) -> str:
        what = "a card" if self.most == 1 else f"{one_to(self.most)} cards of a rank"
        fits = "" if "any" in self.match else " that fits" if self.most == 1 else " that fit"
        taking = ", which may capture cards" if self.traits.captures else ""
        return f"play {what}{fits} {self._where()}{taking}{', or pass' if self.optional else ''}"

    def _where(self) -> str:
        return "on the discards" if self.target == "discard" else "on the table"

    def prompt(self, genome: Genome, s: Any) -> str:
        row, count = (s.discards, s.discarded) if self.target == "discard" else (s.tableau, s.tabled)
        on = f"on {card_word(genome.setup.deck, row[count - 1])}" if count and not s.fresh else self._where()
        what = a_few(self.most, optional=True) + (" of a rank" if self.most > 1 else "")
        if self.most > 1 and s.top_count and not s.fresh:
            what = f"{a_few(s.top_count)}{' of a rank' if s.top_count > 1 else ''}, as many as were played last,"
        where = self._where() if "any" in self.match else on
        return f"play {what} {where}{', or pass' if self.optional else ''}"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        """Return a move in words.

        >>> PlayPhase.word(Deck(), SETS + 4 * 11 + 1)
        'play 2 K'
        """
        if move >= SETS:
            rank, more = divmod(move - SETS, 4)
            return f"play {more + 1} {deck.ranks[rank]}"
        return "pass" if move == codes.PASS else f"play {card_word(deck, move)}"


def _counting(deck: Deck) -> str:
    """Describe what the lowest, the second and the highest rank count in sums."""
    names = [plural(RANK_NAMES[rank]) for rank in deck.ranks]
    shown = [f"{name} count {place}" for place, name in enumerate(names, 1)]
    if len(shown) <= 3:
        return listed(shown)
    return f"{shown[0]}, {names[1]} 2, and so on up to {names[-1]}, which count {len(names)}"


# --- in play


def deal(g: Any, s: Any) -> None:
    """Reset the state of the pile."""
    s.top_count, s.fresh, s.passes = 0, 0, 0


def begin(g: Any, rules: Any, s: Any) -> None:
    if not s.folded[s.player]:
        s.left = 1


def waiting(g: Any, s: Any) -> bool:
    """Prompt a player who can play. A player who cannot play passes."""
    if s.left == 0:
        return False
    if can_play(g, s, s.player, s.phase):
        return True
    pass_turn(g, s)
    return False


def can_play(g: Any, s: Any, p: int, phase: int) -> bool:
    """Return whether p has a card that can be played in this phase."""
    for k in range(s.held[p]):
        if fits(g, s, s.hands[p * MOST_CARDS + k], phase) and has_enough(g, s, p, s.hands[p * MOST_CARDS + k], phase):
            return True
    return False


def fits(g: Any, s: Any, card: int, phase: int) -> bool:
    """Return whether a card fits on the pile of this phase."""
    count = pile_size(g, s, phase)
    if count == 0 or s.fresh:
        return True
    top = s.tableau[count - 1] if g.play_target[phase] == ON_TABLEAU else s.discards[count - 1]
    rank, other, match = card // g.suits, top // g.suits, g.play_match[phase]
    if match & MATCH_ANY or (g.play_wild[phase] >> rank) & 1:
        return True
    if match & MATCH_SUIT and card - rank * g.suits == top - other * g.suits:
        return True
    if match & MATCH_HIGHER and rank > other:
        return True
    if match & MATCH_HIGHER_OR_EQUAL and rank >= other:
        return True
    return bool(match & MATCH_RANK and rank == other)


def pile_size(g: Any, s: Any, phase: int) -> int:
    """Return the number of cards on the pile of this phase: the discards or the tableau."""
    return int(s.tabled if g.play_target[phase] == ON_TABLEAU else s.discarded)


def has_enough(g: Any, s: Any, p: int, card: int, phase: int) -> bool:
    """Return whether p has enough cards of this rank for the number of cards that the pile requires."""
    most = g.play_most[phase]
    if most == 1 or s.fresh or s.top_count <= 1:
        return True
    return bool(s.top_count <= most and piles.of_rank(g, s, p, card // g.suits) >= s.top_count)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """List the moves: each card that fits or, with sets, each possible number of cards of a rank; and passing."""
    p, most = s.player, g.play_most[s.phase]
    count = 0
    if most == 1:
        for k in range(s.held[p]):
            if fits(g, s, s.hands[p * MOST_CARDS + k], s.phase):
                moves[count] = s.hands[p * MOST_CARDS + k]
                count += 1
    else:
        bound = 0 if s.fresh or s.top_count == 0 else s.top_count
        for rank in range(g.ranks):
            held = min(piles.of_rank(g, s, p, rank), most)
            if held > 0 and rank_fits(g, s, p, rank):
                for size in range(1, held + 1):
                    if bound in (0, size):
                        moves[count] = SETS + 4 * rank + size - 1
                        count += 1
    if g.play_optional[s.phase]:
        moves[count] = codes.PASS
        count += 1
    return count


def rank_fits(g: Any, s: Any, p: int, rank: int) -> bool:
    """Return whether p holds a card of this rank that fits."""
    for k in range(s.held[p]):
        card = s.hands[p * MOST_CARDS + k]
        if card // g.suits == rank and fits(g, s, card, s.phase):
            return True
    return False


def pass_turn(g: Any, s: Any) -> None:
    """Pass. The pile is finished when all players except the last one to play have passed."""
    s.left = 0
    s.passes += 1
    needed = piles.live_count(s) - (1 if s.top_count > 0 else 0)
    if g.play_clear[s.phase] and s.passes >= needed and pile_size(g, s, s.phase) > 0 and not s.fresh:
        s.fresh, s.top_count, s.passes = 1, 0, 0
        s.moved = 1


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    p = s.player
    if move == codes.PASS:
        pass_turn(g, s)
        return
    s.left, s.passes, size = 0, 0, 1
    if move >= SETS:
        rank, size = (move - SETS) // 4, (move - SETS) % 4 + 1
        for one in range(size):
            k = 0
            while s.hands[p * MOST_CARDS + k] // g.suits != rank or (
                one == 0 and not fits(g, s, s.hands[p * MOST_CARDS + k], s.phase)
            ):
                k += 1
            lay(g, s, p, piles.take_at(s, p, k))
    else:
        rank = move // g.suits
        piles.take_card(s, p, move)
        lay(g, s, p, move)
    s.fresh, s.top_count = 0, size
    apply_effect(g, s, g.effect[rank])


def lay(g: Any, s: Any, p: int, card: int) -> None:
    """Put a card on the pile. On the tableau it may capture other cards."""
    if g.play_target[s.phase] == ON_DISCARD:
        piles.discard(s, card)
        return
    how = g.play_capture[s.phase]
    if how != NO_CAPTURE and captures(g, s, p, card, how):
        piles.capture(s, p, card)
        return
    s.tableau[s.tabled] = card
    s.tabled += 1
    s.moved = 1


def captures(g: Any, s: Any, p: int, card: int, how: int) -> bool:
    """Capture cards of the tableau with this card, and return whether there were any.

    The card captures the first card of its rank. If there is none and `how` allows sums, it captures the first two
    cards that add up to it.
    """
    rank = card // g.suits
    for k in range(s.tabled):
        if s.tableau[k] // g.suits == rank:
            pick_up(s, p, k)
            return True
    if how == BY_SUM:
        for k in range(s.tabled):
            for other in range(k + 1, s.tabled):
                if s.tableau[k] // g.suits + s.tableau[other] // g.suits + 2 == rank + 1:  # the lowest counts 1
                    pick_up(s, p, other)
                    pick_up(s, p, k)
                    return True
    return False


def pick_up(s: Any, p: int, at: int) -> None:
    """Capture a card of the tableau."""
    piles.capture(s, p, s.tableau[at])
    s.tabled -= 1
    for k in range(at, s.tabled):
        s.tableau[k] = s.tableau[k + 1]


def apply_effect(g: Any, s: Any, effect: int) -> None:
    """Apply a card's effect. With order "rounds" only "draw_two" has an effect."""
    if effect != codes.DRAW_TWO and g.order == codes.ROUNDS:
        return
    if effect == codes.SKIP:
        s.skip = 1
    elif effect == codes.AGAIN:
        s.again = 1
    elif effect == codes.REVERSE:
        s.direction = -s.direction
    elif effect == codes.DRAW_TWO:
        victim = piles.next_live(s, s.player, s.direction)
        for _ in range(2):
            if victim != s.player and piles.can_draw(s):
                piles.give(s, victim, piles.draw(s))
        piles.lay_sets(g, s, victim)


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Return the value of the position after the move. A wild card costs extra, so that it is kept for later."""
    work.states[SPARE] = s
    after = work.states[SPARE]
    act(g, rules, after, move)
    extra = 0
    if move < MOST_CARDS:
        wild = (g.play_wild[s.phase] >> (move // g.suits)) & 1
        extra = -g.ranks * wild
    return estimate.rate(g, s, after, 0, extra, rows, work)
