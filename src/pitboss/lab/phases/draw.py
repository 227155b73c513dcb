"""Cards that come into the hand: from the deck, the discards, or another player."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from pitboss import chance
from pitboss.lab import codes, piles
from pitboss.lab.codes import DRAWN_HOLDINGS, MOST_CARDS, NOBODY, SPARE
from pitboss.lab.english import a_few, capital, more_to_go, number, some, times
from pitboss.lab.genome import Deck, Genome, Mechanic, Phase, Traits, Values, WinCondition, next_play
from pitboss.lab.phases import change, play
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.wins import kinds as wins

SOURCES = ("deck", "discard", "either", "opponent", "ask")
FROM_DECK, FROM_DISCARD, FROM_EITHER, FROM_OPPONENT, BY_ASKING = range(len(SOURCES))
PILES = ("deck", "discard", "either")  #: sources that are nobody's hand
FROM_OTHERS = ("opponent", "ask")
BOTH = (False, True)
TAKE, TAKE_DISCARD = MOST_CARDS + 1, MOST_CARDS + 2
ASKS = MOST_CARDS + 18  # plus a rank
ASKING = Mechanic("asking", ((5, 10), (5, 7)))
MOST_TAKEN = 2
"""So many cards come from the deck in a step, where there is no limit to what they may count."""
LIMIT_DRAWS = 3
"""Where there is, so many may be taken at least."""
NOTHING_TO_DRAW = {
    "deck": "the deck is empty",
    "discard": "there are no discards",
    "either": "there is no card to take",
    "opponent": "nobody else has a card",
    "ask": "there is nobody to ask, and the deck is empty",
}


class DrawPhase(Phase, frozen=True, tag=True):
    """Take cards into the hand.

    From the deck, the discards' top, either as one likes, a card of the next player unseen ("opponent"), or by naming a
    rank one holds: the next player gives all of it, or one card comes from the deck ("ask").
    """

    thought: ClassVar[int] = DRAWN_HOLDINGS
    by_strength: ClassVar[bool] = True
    transforms: ClassVar[bool] = True
    bounds: ClassVar = {"count": (1, MOST_CARDS)}
    unable: ClassVar[str] = "cannot draw"
    columns: ClassVar = ("draw_source", "draw_count", "draw_optional", "draw_stuck")

    source: Literal["deck", "discard", "either", "opponent", "ask"] = "deck"
    count: int = 1
    optional: bool = False  #: one may stop before each card
    only_if_stuck: bool = False  #: only for who cannot play in the play phase that follows

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        """The last is the play phase one must be stuck in, or NOBODY."""
        stuck = next_play(genome, at) if self.only_if_stuck else None
        return SOURCES.index(self.source), self.count, self.optional, NOBODY if stuck is None else stuck

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"source": SOURCES, "count": (1, 2, 3), "optional": BOTH, "only_if_stuck": BOTH}

    @property
    def traits(self) -> Traits:
        draws = self.source in ("deck", "either", "ask")
        forced = not (self.optional or self.only_if_stuck) and self.source in ("deck", "either")
        return Traits(
            uses_deck=draws,
            draws=draws,
            taken=self.count if draws else 0,
            must_take=self.count if forced else 0,
            takes_discards=self.source in ("discard", "either"),
            from_others=self.source in FROM_OTHERS,
            releases=self.source in FROM_OTHERS,
            looks=True,
            takes_known=self.source != "deck",
            grows=True,
            uneven=self.source != "deck" or self.optional or self.only_if_stuck,
            mechanic=ASKING if self.source in FROM_OTHERS else None,
        )

    @property
    def label(self) -> str:
        return f"Draw {self.source}"

    def serves(self, aim: WinCondition) -> bool:
        return not aim.one_card

    def sensible(self, genome: Genome, phases: Sequence[Phase]) -> Phase:
        aim, tricks = genome.win_conditions[0], any(phase.tricks for phase in phases)
        if aim.limit:
            return DrawPhase(optional=True, count=max(LIMIT_DRAWS, self.count))
        source = self.source
        if self.traits.takes_discards and not any(phase.traits.discards for phase in phases):
            source = "deck"
        if self.traits.from_others and (aim.of_holding or tricks):
            source = "deck"
        return DrawPhase(
            source=source,
            count=min(self.count, MOST_TAKEN) if aim.of_holding and source == "deck" else 1,
            optional=self.optional and aim.point < 0 and not tricks,
            only_if_stuck=aim.sheds and any(phase.plays for phase in phases) and source not in FROM_OTHERS,
        )

    def balanced(self, aim: WinCondition, drawn: int) -> tuple[Phase, int]:
        return self, drawn if aim.limit else drawn + self.count

    def collecting(self) -> tuple[Phase, ...]:
        return replace(self, source="either"), DiscardPhase()

    def with_deck(self) -> Phase:
        return replace(self, source="either") if self.source == "discard" else self

    def why_not(self, g: Any, s: Any, at: int, place: int) -> str:
        if is_spared(g, s, place, at):
            return ""
        if wins.went_over(g, s, 0, place):
            return "over the limit already"
        return NOTHING_TO_DRAW[self.source]

    def brings(self, genome: Genome, left: int) -> bool:
        from_discards = self.traits.takes_discards and genome.setup.initial_discard_count > 0
        return (self.traits.draws and left > 0) or from_discards

    def idle(self, brings: bool) -> bool:
        return not brings and self.source in PILES

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if self.only_if_stuck and next_play(genome, at) is None:
            yield f"{field}.only_if_stuck: no play phase follows in which one could be stuck"

    def mends(self, name: str, genome: Genome) -> Iterator[Phase]:
        if name == "only_if_stuck":
            yield replace(self, only_if_stuck=False)

    def step(self, genome: Genome, at: int) -> str:
        following = "the next player who is still in and" if genome.betting_phases else "the next player who"
        what = self._asked(following) if self.source == "ask" else self._taken(following)
        text = f"{_if_stuck(genome, at)}{what}" if self.only_if_stuck else capital(what)
        if limit := genome.win_conditions[0].limit:
            text += f" Once you are over {number(limit)}, you take no more, and all are told that you are."
        return f"**Draw.** {text}"

    def _taken(self, following: str) -> str:
        source = {
            "deck": "from the deck",
            "discard": "from the top of the discards",
            "either": "from the deck or from the top of the discards, as you like",
            "opponent": f"from the hand of {following} has any, without looking",
        }[self.source]
        if self.count == 1:
            return f"{'you may take' if self.optional else 'take'} a card {source}."
        if self.optional:
            return f"you may take up to {some(self.count, 'card')} {source}, one after another; stop whenever you like."
        return f"take {some(self.count, 'card')} {source}, one after another."

    def _asked(self, following: str) -> str:
        ask = "you may ask" if self.optional else "ask"
        text = f"{ask} {following} has cards for a rank of which you hold a card. "
        text += "That player gives you all cards of this rank. If there are none, take a card from the deck instead. "
        text += "With no card in your hand you simply take one from the deck."
        if self.count > 1:
            often = f"up to {times(self.count)}; stop whenever you like" if self.optional else times(self.count)
            text += f" Do this {often}."
        return text

    def brief(self, genome: Genome) -> str:
        few = self._few().removesuffix(" from the deck")
        stuck = " if you cannot play" if self.only_if_stuck else ""
        return f"{few}{stuck}{' if you like' if self.optional else ''}"

    def asked(self, genome: Genome, s: Any) -> str:
        return f"{self._few()}{more_to_go(s.left, self.count, optional=self.optional)}"

    def _few(self) -> str:
        what = a_few(self.count, optional=self.optional)
        if self.source == "ask":
            return "ask the next player for a rank" + (f", {times(self.count)}" if self.count > 1 else "")
        where = {
            "deck": "from the deck",
            "discard": "from the discards",
            "either": "from the deck or the discards",
            "opponent": "unseen from the next player",
        }[self.source]
        return f"{'draw' if self.traits.draws else 'take'} {what} {where}"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        if move >= ASKS:
            return f"ask {deck.ranks[move - ASKS]}"
        return "stop" if move == codes.PASS else "draw discard" if move == TAKE_DISCARD else "draw"


def _if_stuck(genome: Genome, at: int) -> str:
    place = next_play(genome, at)
    when = "afterwards" if place is None else "in the next step" if place == at + 1 else f"in step {place + 1}"
    return f"If you hold nothing that you could play {when}, "


def begin(g: Any, rules: Any, s: Any) -> None:
    """As many as the phase says; none for who could play, where it is for who is stuck."""
    if not s.folded[s.player] and not is_spared(g, s, s.player, s.phase):
        s.left = g.draw_count[s.phase]


def is_spared(g: Any, s: Any, p: int, at: int) -> bool:
    """Whether the phase at this place is only for who is stuck, and p is not."""
    stuck = g.draw_stuck[at]
    return bool(stuck >= 0 and play.can_play(g, s, p, stuck))


def waiting(g: Any, s: Any) -> bool:
    """Draw what must be drawn; ask where there is a choice."""
    p, source, optional = s.player, g.draw_source[s.phase], g.draw_optional[s.phase]
    while s.left > 0:
        if not available(g, s, p, source) or wins.went_over(g, s, 0, p):
            s.left = 0
        elif (
            optional
            or (source == FROM_EITHER and s.discarded > 0 and piles.can_draw(s))
            or (source == BY_ASKING and s.held[p] > 0)
        ):
            return True
        else:
            take(g, s, TAKE)
    return False


def available(g: Any, s: Any, p: int, source: int) -> bool:
    """Whether there is a card to take."""
    if source == FROM_DISCARD:
        return bool(s.discarded > 0)
    if source == FROM_OPPONENT:
        return giver(s, p) >= 0
    if source == BY_ASKING:
        return bool(piles.can_draw(s) or (s.held[p] > 0 and giver(s, p) >= 0))
    return piles.can_draw(s) or bool(source == FROM_EITHER and s.discarded > 0)


def refills(g: Any, s: Any, at: int) -> bool:
    """Where there is a card to take: a hand does not have to have any."""
    return available(g, s, s.player, g.draw_source[at])


def giver(s: Any, p: int) -> int:
    """The next player who has cards, or nobody."""
    q = p
    for _ in range(s.n - 1):
        q = piles.next_live(s, q, s.direction)
        if q != p and s.held[q] > 0:
            return q
    return NOBODY


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """Take, or stop; name a rank one holds."""
    source = g.draw_source[s.phase]
    count = 0
    if source == BY_ASKING and s.held[s.player] > 0 and giver(s, s.player) >= 0:
        for rank in range(g.ranks):
            for k in range(s.held[s.player]):
                if s.hands[s.player * MOST_CARDS + k] // g.suits == rank:
                    moves[count] = ASKS + rank
                    count += 1
                    break
    elif source == FROM_EITHER:
        if piles.can_draw(s):
            moves[count] = TAKE
            count += 1
        if s.discarded > 0:
            moves[count] = TAKE_DISCARD
            count += 1
    else:
        moves[count] = TAKE
        count += 1
    if g.draw_optional[s.phase]:
        moves[count] = codes.PASS
        count += 1
    return count


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    """Take a card, or the cards asked for; or stop."""
    take(g, s, move)


def take(g: Any, s: Any, move: int) -> None:
    """Take a card, or the cards asked for; or stop."""
    p, source = s.player, g.draw_source[s.phase]
    if move == codes.PASS:
        s.left = 0
        return
    s.left -= 1
    if move >= ASKS:
        if not hand_over(g, s, giver(s, p), p, move - ASKS) and piles.can_draw(s):
            piles.give(s, p, piles.draw(s))
    elif source == FROM_OPPONENT:
        q = giver(s, p)
        s.chance, at = chance.draw(s.chance, s.held[q])
        piles.give(s, p, piles.take_at(s, q, int(at)))
    elif move == TAKE_DISCARD or source == FROM_DISCARD or not piles.can_draw(s):
        s.discarded -= 1
        piles.give(s, p, s.discards[s.discarded])
    else:
        piles.give(s, p, piles.draw(s))
    piles.lay_sets(g, s, p)


def hand_over(g: Any, s: Any, giving: int, p: int, rank: int) -> bool:
    """Let one player give another all cards of a rank; whether there were any."""
    found = False
    k = 0
    while k < s.held[giving]:
        if s.hands[giving * MOST_CARDS + k] // g.suits == rank:
            piles.give(s, p, piles.take_at(s, giving, k))
            found = True
        else:
            k += 1
    return found


def coming(g: Any, s: Any) -> int:
    """One at a time."""
    return 1


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """What a card makes of one's position; the rank one has most of is asked for."""
    if move >= ASKS:
        return 1 + piles.of_rank(g, s, s.asked, move - ASKS)
    work.states[SPARE] = s
    after = work.states[SPARE]
    unseen = 0
    if move == TAKE_DISCARD or (move == TAKE and g.draw_source[s.phase] == FROM_DISCARD):
        piles.give(after, s.asked, s.discards[s.discarded - 1])
    elif move == TAKE:
        unseen = 1
    return change.rate(g, s, after, unseen, 0, rows, work)
