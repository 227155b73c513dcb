"""Claims: a player puts cards face down and claims their rank, truthfully or not, and other players may doubt it."""

from typing import Any, ClassVar

from pitboss.lab import codes, piles
from pitboss.lab.codes import CERTAIN, MOST_CARDS, SUITS, WHIM
from pitboss.lab.english import RANK_NAMES, a, card_word, number, one_to, plural
from pitboss.lab.genome import MOST_AT_ONCE, Deck, Genome, Mechanic, Phase, Traits, WinCondition

DOUBT, BELIEVE = MOST_CARDS + 3, MOST_CARDS + 4
PUTTING, DOUBTING = range(2)
SELDOM = 100  # the probability, per mille, of an unusual claim
DOUBTS = 8  # the greedy policy doubts one in this many plausible claims
CLAIMS = Mechanic("claims", ((6, 13), (4, 6)))
STATE = {
    "sub": "PUTTING while a player puts cards down, DOUBTING while the others decide whether to doubt",
    "put": "the number of cards claimed so far",
    "due": "the rank that must be claimed",
    "claimer": "the player who made the current or the last claim",
}


class ClaimPhase(Phase, frozen=True, tag=True):
    """Put cards face down and claim that they are of the due rank. Other players may doubt the claim.

    If the claim is true, the first doubter takes the pile; if it is false, the claimer does. The due rank rises after
    each claim.
    """

    claims: ClassVar[bool] = True
    main: ClassVar[int] = 2
    bounds: ClassVar = {"most": (1, MOST_AT_ONCE)}
    unable: ClassVar[str] = "cannot claim"
    columns: ClassVar = ("claim_most",)
    usual_values: ClassVar = {"most": (1, 2, 3, 4)}

    most: int = 1

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.most,)

    @property
    def traits(self) -> Traits:
        return Traits(
            unfinished="a claim",
            releases=True,
            uneven=True,
            looks=True,
            takes_known=True,
            put_away=self.most,
            mechanic=CLAIMS,
        )

    @property
    def label(self) -> str:
        return f"Claim {'several' if self.most > 1 else 'one'}"

    def serves(self, aim: WinCondition) -> bool:
        return aim.sheds

    def claim(self, s: Any) -> tuple[int, int] | None:
        return (int(s.claimer), int(s.put)) if s.sub == DOUBTING else None

    def step(self, genome: Genome, at: int) -> str:
        ranks = [plural(RANK_NAMES[rank]) for rank in genome.setup.deck.ranks]
        if self.most == 1:
            text = "Put a card face down on a pile in the middle and claim that it is of the rank that is due. "
        else:
            text = f"Put one to {number(self.most)} cards face down on a pile in the middle "
            text += "and claim that all are of the rank that is due. "
        text += "The claim does not have to be true. "
        if len(ranks) > 1:
            text += f"The first claim of a deal is {ranks[0]}, the next is {ranks[1]}, and so on; "
            text += f"after {ranks[-1]} come {ranks[0]} again. "
        text += "Then each other player in turn may doubt it. At the first doubt, the cards just put down are shown. "
        text += "If all of them are of that rank, the doubter takes the whole pile into their hand. "
        text += "If not, the claimer takes it. "
        return f"**Claim.** {text}If no player doubts, the pile stays where it is."

    def brief(self, genome: Genome) -> str:
        what = "a card" if self.most == 1 else "cards"
        return f"put {what} face down and claim a rank, which others may doubt"

    def prompt(self, genome: Genome, s: Any) -> str:
        rank = RANK_NAMES[genome.setup.deck.ranks[s.due]]
        if s.sub == DOUBTING and s.put == 1:
            return f"believe or doubt that the card just put down is {a(rank)}"
        if s.sub == DOUBTING:
            return f"believe or doubt that the {number(s.put)} cards just put down are {plural(rank)}"
        if s.put:
            return f"put more cards face down as {plural(rank)}, or stop; at most {number(s.left)} more"
        return f"put {'a card' if self.most == 1 else f'{one_to(self.most)} cards'} face down as {plural(rank)}"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        words = {DOUBT: "doubt", BELIEVE: "believe", codes.PASS: "stop"}
        return words[move] if move in words else f"claim {card_word(deck, move)}"


def deal(g: Any, s: Any) -> None:
    s.due = 0


def begin(g: Any, rules: Any, s: Any) -> None:
    """Allow the player to claim up to `most` cards, or fewer if the hand is smaller."""
    s.sub, s.put = PUTTING, 0
    if not s.folded[s.player]:
        s.left = min(g.claim_most[s.phase], s.held[s.player])
        s.claimer = s.player


def waiting(g: Any, s: Any) -> bool:
    """Prompt the claimer, then each other player in turn."""
    if s.sub == DOUBTING:
        s.to_act = s.next
    return bool(s.left > 0)


def under_way(g: Any, s: Any) -> bool:
    """Whether players may still doubt."""
    return bool(s.sub == DOUBTING and s.left > 0)


def face_down(g: Any, s: Any) -> bool:
    return bool(s.sub == PUTTING)


def own_secrets(g: Any, s: Any, p: int) -> int:
    """Return the number of cards that p has put on the pile in this turn."""
    return int(s.put) if s.sub == PUTTING and s.claimer == p else 0


def revealed(g: Any, s: Any, move: int) -> int:
    return int(s.put) if move == DOUBT else 0


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """List the moves. A claimer puts down a card, or stops after the first; the other players believe or doubt."""
    if s.sub == DOUBTING:
        moves[0], moves[1] = BELIEVE, DOUBT
        return 2
    count = piles.list_hand(s, s.to_act, moves)
    if s.put > 0:
        moves[count] = codes.PASS
        count += 1
    return count


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    if s.sub == PUTTING:
        if move != codes.PASS:
            piles.take_card(s, s.claimer, move)
            s.pile[s.piled] = move
            s.piled += 1
            s.put += 1
            s.moved = 1
            s.left -= 1
        if move == codes.PASS or s.left == 0:
            s.sub, s.next = DOUBTING, piles.next_live(s, s.claimer, s.direction)
            s.left = piles.live_count(s) - 1
        return
    if move == DOUBT:
        wrong = s.next
        for k in range(s.piled - s.put, s.piled):
            if s.pile[k] // g.suits != s.due:
                wrong = s.claimer
        for k in range(s.piled):
            piles.give(s, wrong, s.pile[k])
        s.piled, s.left = 0, 0
        piles.lay_sets(g, s, wrong)
    else:
        s.left -= 1
        s.next = piles.next_live(s, s.next, s.direction)
    if s.left == 0:
        s.due = s.due + 1 if s.due + 1 < g.ranks else 0


def whim(g: Any, s: Any) -> int:
    """Return N if the greedy policy doubts one in N plausible claims."""
    return DOUBTS if s.sub == DOUBTING else 0


def guessed(g: Any, s: Any) -> bool:
    """Return True: claims and doubts depend on cards that other players do not see."""
    return True


def likely(g: Any, s: Any, p: int) -> int:
    """Return the probability, per mille, of another player's claim.

    A claim is usual if the claimer puts down all their cards of the due rank or, without such cards, one other card.
    Cards of the due rank that are assumed in the claimer's hand are first exchanged with false cards of the claim.
    """
    if s.sub != DOUBTING or s.claimer == p:
        return CERTAIN
    first, true = s.piled - s.put, 0
    for k in range(first, s.piled):
        if s.pile[k] // g.suits == s.due:
            true += 1
        else:
            at = piles.place_of_rank(g, s, s.claimer, s.due)
            if at >= 0:
                s.pile[k], s.hands[at] = s.hands[at], s.pile[k]
                true += 1
    usual = piles.of_rank(g, s, s.claimer, s.due) == 0 and (true == s.put or (true == 0 and s.put == 1))
    return CERTAIN if usual else SELDOM


def level(g: Any, s: Any) -> int:
    """Combine the number of claimed cards and the number of cards of the due rank in the player's hand."""
    return int(s.put) * (SUITS + 1) + piles.of_rank(g, s, s.to_act, s.due) if s.sub == DOUBTING else 0


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Return a move's value.

    Claimers put down cards of the due rank first. Then they stop, or, if they must put down another card, choose one
    that is not due soon. Other players doubt if `doubtful` or chance gives them a reason.
    """
    if s.sub == DOUBTING:
        doubts = work.facts[WHIM] or doubtful(g, s)
        return 1 if (move == DOUBT) == bool(doubts) else 0
    if move == codes.PASS:
        return g.ranks  # type: ignore[no-any-return]  # a number
    away = (move // g.suits - s.due) % g.ranks
    return 2 * g.ranks if away == 0 else away  # type: ignore[no-any-return]  # a number


def doubtful(g: Any, s: Any) -> bool:
    """Return whether the player's own cards disprove the claim, or the claimer has no cards left."""
    return bool(piles.of_rank(g, s, s.to_act, s.due) + s.put > g.suits or s.held[s.claimer] == 0)
