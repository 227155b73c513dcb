"""Cards claimed face down to be of a rank, truthfully or not, and doubted by others."""

from typing import Any, ClassVar

from pitboss.lab import codes, piles
from pitboss.lab.codes import CERTAIN, MOST_CARDS, SUITS, WHIM
from pitboss.lab.english import RANK_NAMES, a, card_word, number, one_to, plural
from pitboss.lab.genome import MOST_AT_ONCE, Deck, Genome, Mechanic, Phase, Traits, WinCondition

DOUBT, BELIEVE = MOST_CARDS + 3, MOST_CARDS + 4
PUTTING, DOUBTING = range(2)
SELDOM = 100  # per mille: the probability of an unusual claim
DOUBTS = 8  # one of this many plausible claims is doubted
CLAIMS = Mechanic("claims", ((6, 13), (4, 6)))
STATE = {
    "sub": "PUTTING while cards are put down, DOUBTING while others decide whether they doubt",
    "put": "how many cards are claimed so far",
    "due": "the rank to claim",
    "claimer": "the player who claims, or claimed last",
}


class ClaimPhase(Phase, frozen=True, tag=True):
    """Put cards face down and claim that they are of the due rank; other players may doubt it.

    The doubter takes the pile if the claim is true, otherwise the claimer does. The due rank rises with each claim.
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
        text += (
            "Then each other player in turn may doubt it. At the first doubt the cards just put down are shown: if all "
        )
        text += (
            "of them are of that rank, the doubter takes the whole pile into their hand, otherwise the claimer does. "
        )
        return f"**Claim.** {text}If no player doubts, the pile stays."

    def brief(self, genome: Genome) -> str:
        what = "a card" if self.most == 1 else "cards"
        return f"put {what} face down and claim a rank, which others may doubt"

    def asked(self, genome: Genome, s: Any) -> str:
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
    """Claim up to `most` cards, or the whole hand if it has fewer."""
    s.sub, s.put = PUTTING, 0
    if not s.folded[s.player]:
        s.left = min(g.claim_most[s.phase], s.held[s.player])
        s.claimer = s.player


def waiting(g: Any, s: Any) -> bool:
    """Ask the claimer, then each other player in turn."""
    if s.sub == DOUBTING:
        s.asked = s.next
    return bool(s.left > 0)


def under_way(g: Any, s: Any) -> bool:
    """Whether players may still doubt."""
    return bool(s.sub == DOUBTING and s.left > 0)


def face_down(g: Any, s: Any) -> bool:
    return bool(s.sub == PUTTING)


def own_secrets(g: Any, s: Any, p: int) -> int:
    """The cards that p has put on the pile in this turn."""
    return int(s.put) if s.sub == PUTTING and s.claimer == p else 0


def revealed(g: Any, s: Any, move: int) -> int:
    return int(s.put) if move == DOUBT else 0


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """Any card, or stop after the first; believe or doubt."""
    if s.sub == DOUBTING:
        moves[0], moves[1] = BELIEVE, DOUBT
        return 2
    count = piles.list_hand(s, s.asked, moves)
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
    """One plausible claim in this many is doubted."""
    return DOUBTS if s.sub == DOUBTING else 0


def guessed(g: Any, s: Any) -> bool:
    """Always: claims and doubts depend on cards that are not seen."""
    return True


def likely(g: Any, s: Any, p: int) -> int:
    """The probability, per mille, of another player's claim; true cards move to where they would be.

    Usually a player claims all cards of the due rank that they hold, or else a single card of another rank.
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
    """The number of claimed cards, and of cards of that rank in the player's own hand."""
    return int(s.put) * (SUITS + 1) + piles.of_rank(g, s, s.asked, s.due) if s.sub == DOUBTING else 0


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Put true cards first, then stop, then lie with a card that is not due soon; doubt with a reason."""
    if s.sub == DOUBTING:
        doubts = work.facts[WHIM] or doubtful(g, s)
        return 1 if (move == DOUBT) == bool(doubts) else 0
    if move == codes.PASS:
        return g.ranks  # type: ignore[no-any-return]  # a number
    away = (move // g.suits - s.due) % g.ranks
    return 2 * g.ranks if away == 0 else away  # type: ignore[no-any-return]  # a number


def doubtful(g: Any, s: Any) -> bool:
    """Whether a claim cannot be true given the player's own cards, or is the claimer's last card."""
    return bool(piles.of_rank(g, s, s.asked, s.due) + s.put > g.suits or s.held[s.claimer] == 0)
