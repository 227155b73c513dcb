"""Taking cards into the hand, from the deck, the discards or another player."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from pitboss import chance
from pitboss.lab import codes, piles
from pitboss.lab.codes import DRAWN_HOLDINGS, MOST_CARDS, NO_PLAYER, SPARE
from pitboss.lab.english import a_few, capital, more_to_go, number, some, times
from pitboss.lab.genome import Deck, Genome, Mechanic, Phase, Traits, WinCondition, next_play
from pitboss.lab.phases import play
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.wins import estimate
from pitboss.lab.wins import kinds as wins

SOURCES = ("deck", "discard", "either", "opponent", "ask")
FROM_DECK, FROM_DISCARD, FROM_EITHER, FROM_OPPONENT, BY_ASKING = range(len(SOURCES))
PILES = ("deck", "discard", "either")  #: the sources that are piles, not another player's hand
FROM_OTHERS = ("opponent", "ask")
BOTH = (False, True)
TAKE, TAKE_DISCARD = MOST_CARDS + 1, MOST_CARDS + 2
ASKS = MOST_CARDS + 18  # a request's number is this number plus the rank
ASKING = Mechanic("asking", ((5, 10), (5, 7)))
MOST_TAKEN = 2
"""The maximum number of cards drawn in a sensible step, if the game has no limit of points."""
LIMIT_DRAWS = 3
"""The minimum number of optional draws in a sensible step, if the game has a limit of points."""
NOTHING_TO_DRAW = {
    "deck": "the deck is empty",
    "discard": "there are no discards",
    "either": "there is no card to take",
    "opponent": "no other player has a card",
    "ask": "there is no player to ask, and the deck is empty",
}


class DrawPhase(Phase, frozen=True, tag=True):
    """Take cards into the hand.

    `source` is where they come from: the deck, the top of the discards, or either of the two. With "opponent" it is
    an unseen card of the next player who has cards. With "ask" the player asks that player for a rank and gets all
    their cards of it; if there are none, a card comes from the deck.
    """

    thought: ClassVar[int] = DRAWN_HOLDINGS
    by_strength: ClassVar[bool] = True
    transforms: ClassVar[bool] = True
    bounds: ClassVar = {"count": (1, MOST_CARDS)}
    unable: ClassVar[str] = "cannot draw"
    columns: ClassVar = ("draw_source", "draw_count", "draw_optional", "draw_stuck")
    usual_values: ClassVar = {"source": SOURCES, "count": (1, 2, 3), "optional": BOTH, "only_if_stuck": BOTH}

    source: Literal["deck", "discard", "either", "opponent", "ask"] = "deck"
    count: int = 1
    optional: bool = False  #: the player can stop before each card
    only_if_stuck: bool = False  #: only players who cannot play in the next play phase draw

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        """Return the columns. The last number is the index of the play phase of `only_if_stuck`, or NO_PLAYER."""
        stuck = next_play(genome, at) if self.only_if_stuck else None
        return SOURCES.index(self.source), self.count, self.optional, NO_PLAYER if stuck is None else stuck

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
            return "already over the limit"
        return NOTHING_TO_DRAW[self.source]

    def brings(self, genome: Genome, left: int) -> bool:
        from_discards = self.traits.takes_discards and genome.setup.initial_discard_count > 0
        return (self.traits.draws and left > 0) or from_discards

    def idle(self, brings: bool) -> bool:
        return not brings and self.source in PILES

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if self.only_if_stuck and next_play(genome, at) is None:
            yield f"{field}.only_if_stuck: expected a play phase after this phase, found none"

    def mends(self, name: str, genome: Genome) -> Iterator[Phase]:
        if name == "only_if_stuck":
            yield replace(self, only_if_stuck=False)

    def step(self, genome: Genome, at: int) -> str:
        following = "the next player who is still in and" if genome.betting_phases else "the next player who"
        what = self._ask_text(following) if self.source == "ask" else self._taken(following)
        text = f"{_if_stuck(genome, at)}{what}" if self.only_if_stuck else capital(what)
        if limit := genome.win_conditions[0].limit:
            text += f" As soon as you have more than {number(limit)}, announce it and take no more cards."
        return f"**Draw.** {text}"

    def _taken(self, following: str) -> str:
        source = {
            "deck": "from the deck",
            "discard": "from the top of the discards",
            "either": "from the deck or from the top of the discards",
            "opponent": f"from the hand of {following} has cards, without looking",
        }[self.source]
        if self.count == 1:
            return f"{'you may take' if self.optional else 'take'} a card {source}."
        if self.optional:
            return f"you may take up to {some(self.count, 'card')} {source}, one at a time; you may stop after each."
        return f"take {some(self.count, 'card')} {source}, one after another."

    def _ask_text(self, following: str) -> str:
        ask = "you may ask" if self.optional else "ask"
        text = f"{ask} {following} has cards for a rank of which you hold a card. "
        text += (
            "That player gives you all their cards of this rank. If they have none, take a card from the deck instead. "
        )
        text += "If you have no cards, just take one from the deck."
        if self.count > 1:
            often = f"up to {times(self.count)}; you may stop after each" if self.optional else times(self.count)
            text += f" Do this {often}."
        return text

    def brief(self, genome: Genome) -> str:
        few = self._few().removesuffix(" from the deck")
        stuck = " if you cannot play" if self.only_if_stuck else ""
        return f"{few}{stuck}{', or none' if self.optional else ''}"

    def prompt(self, genome: Genome, s: Any) -> str:
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
    return f"If you have no card that you could play {when}, "


def begin(g: Any, rules: Any, s: Any) -> None:
    """Make the player take `count` cards, unless they are spared."""
    if not s.folded[s.player] and not is_spared(g, s, s.player, s.phase):
        s.left = g.draw_count[s.phase]


def is_spared(g: Any, s: Any, p: int, at: int) -> bool:
    """Return whether p skips the phase at this index: it is only for players who cannot play, and p can play."""
    stuck = g.draw_stuck[at]
    return bool(stuck >= 0 and play.can_play(g, s, p, stuck))


def waiting(g: Any, s: Any) -> bool:
    """Draw cards until a choice is needed. Return whether the player must choose."""
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
    """Return whether there is a card that p can take."""
    if source == FROM_DISCARD:
        return bool(s.discarded > 0)
    if source == FROM_OPPONENT:
        return giver(s, p) >= 0
    if source == BY_ASKING:
        return bool(piles.can_draw(s) or (s.held[p] > 0 and giver(s, p) >= 0))
    return piles.can_draw(s) or bool(source == FROM_EITHER and s.discarded > 0)


def refills(g: Any, s: Any, at: int) -> bool:
    """Return whether a player with an empty hand can take a card in the phase at this index."""
    return available(g, s, s.player, g.draw_source[at])


def giver(s: Any, p: int) -> int:
    """Return the next player who has cards, or NO_PLAYER."""
    q = p
    for _ in range(s.n - 1):
        q = piles.next_live(s, q, s.direction)
        if q != p and s.held[q] > 0:
            return q
    return NO_PLAYER


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
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
    take(g, s, move)


def take(g: Any, s: Any, move: int) -> None:
    """Make a move: take a card, take all cards of a rank, or stop."""
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
    """Move all cards of a rank from one player to another. Return whether there were any."""
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
    return 1


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Return a move's value. When asking, the rank of which the player holds most cards is best."""
    if move >= ASKS:
        return 1 + piles.of_rank(g, s, s.to_act, move - ASKS)
    work.states[SPARE] = s
    after = work.states[SPARE]
    unseen = 0
    if move == TAKE_DISCARD or (move == TAKE and g.draw_source[s.phase] == FROM_DISCARD):
        piles.give(after, s.to_act, s.discards[s.discarded - 1])
    elif move == TAKE:
        unseen = 1
    return estimate.rate(g, s, after, unseen, 0, rows, work)
