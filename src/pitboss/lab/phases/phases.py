"""What happens in each kind of phase, written to be compiled: how it begins, who is asked, what is legal, what it does.

`enter` begins a phase for `s.player`; `waiting` does all that needs no decision and says whether somebody is asked
(`s.asked`); `legal` lists the moves; `carry_out` does one. Columns of `g.arguments` are named in `codes.py`.
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.lab.engine import codes, piles
from pitboss.lab.engine.codes import ARGUMENTS, MOST_CARDS
from pitboss.lab.phases import tricks
from pitboss.lab.wins.worth import BUST, points


def argument(g: Any, s: Any, column: int) -> int:
    """One of the present phase's arguments."""
    return g.arguments[s.phase * ARGUMENTS + column]  # type: ignore[no-any-return]  # a list's or an array's number


def enter(g: Any, rules: Any, s: Any) -> None:
    """Begin a phase."""
    kind = g.kind[s.phase]
    s.left, s.swapped, s.sub, s.put = 0, 0, codes.PUTTING, 0
    if kind == codes.BETTING:
        core.collect(s, argument(g, s, codes.BETTING_STEP))
        core.open_round(rules[s.phase], s, s.starter)
    elif kind == codes.COMMUNITY:
        for _ in range(argument(g, s, codes.COMMUNITY_COUNT)):
            if s.drawn < s.undrawn:
                s.community[s.shared] = piles.draw(s)
                s.shared += 1
                s.moved = 1
    elif kind == codes.TRICK:
        tricks.begin(g, s)
    elif s.folded[s.player]:
        return
    elif kind == codes.DRAW:
        stuck = argument(g, s, codes.DRAW_STUCK)
        if stuck < 0 or not can_play(g, s, s.player, stuck):
            s.left = argument(g, s, codes.DRAW_COUNT)
    elif kind == codes.PLAY:
        s.left = 1
    elif kind == codes.DISCARD:
        s.left = min(argument(g, s, codes.DISCARD_COUNT), s.held[s.player])
    else:
        s.left = min(argument(g, s, codes.CLAIM_MOST), s.held[s.player])
        s.claimer = s.player


def waiting(g: Any, s: Any) -> bool:
    """Do what nobody decides; whether somebody is to decide now."""
    kind = g.kind[s.phase]
    s.asked = s.player
    if kind == codes.BETTING:
        s.asked = s.turn
        return bool(s.turn >= 0)
    if kind == codes.TRICK:
        return tricks.waiting(g, s, argument(g, s, codes.TRICK_BLIND))
    if kind == codes.DRAW:
        return draw_waiting(g, s)
    if kind == codes.PLAY:
        return play_waiting(g, s)
    if kind == codes.DISCARD:
        return discard_waiting(g, s)
    if kind == codes.CLAIM:
        if s.sub == codes.DOUBTING:
            s.asked = s.next
        return bool(s.left > 0)
    return False


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """Write the legal moves of whoever is asked, and return how many there are."""
    kind = g.kind[s.phase]
    if kind == codes.BETTING:
        return betting_moves(rules[s.phase], s, moves)
    if kind == codes.TRICK:
        return tricks.legal(g, s, argument(g, s, codes.TRICK_FOLLOW), moves)
    if kind == codes.DRAW:
        return draw_moves(g, s, moves)
    if kind == codes.PLAY:
        return play_moves(g, s, moves)
    if kind == codes.CLAIM and s.sub == codes.DOUBTING:
        moves[0], moves[1] = codes.BELIEVE, codes.DOUBT
        return 2
    count = 0
    for k in range(s.held[s.asked]):
        moves[count] = s.hands[s.asked * MOST_CARDS + k]
        count += 1
    if (s.put > 0) if kind == codes.CLAIM else argument(g, s, codes.DISCARD_OPTIONAL):
        moves[count] = codes.PASS
        count += 1
    return count


def carry_out(g: Any, rules: Any, s: Any, move: int) -> None:
    """Do a legal move of whoever is asked."""
    kind = g.kind[s.phase]
    if kind == codes.BETTING:
        bet(rules[s.phase], s, move - codes.VERBS)
    elif kind == codes.TRICK:
        tricks.play(g, s, move)
    elif kind == codes.DRAW:
        take(g, s, move)
    elif kind == codes.PLAY:
        play(g, s, move)
    elif kind == codes.DISCARD:
        put_away(g, s, move)
    else:
        claim(g, s, move)


def leave(g: Any, s: Any) -> None:
    """End a phase: sweep the bets, or deal with the trick."""
    kind = g.kind[s.phase]
    if kind == codes.BETTING:
        core.collect(s, 0)
    elif kind == codes.TRICK:
        tricks.end(g, s, argument(g, s, codes.TRICK_TO_HAND), argument(g, s, codes.TRICK_STAY))


# --- betting


def betting_moves(rules: Any, s: Any, moves: Any) -> int:
    """The verbs that the kernel lets through; sizes are fixed."""
    count = 0
    to = core.least(rules, s, s.turn)
    for verb in range(core.FOLD, core.ALL_IN + 1):
        if core.refusal(rules, s, verb, to) == core.OK:
            moves[count] = codes.VERBS + verb
            count += 1
    return count


def bet(rules: Any, s: Any, verb: int) -> None:
    """Bet as the kernel does."""
    if verb not in (core.CHECK, core.FOLD):
        s.moved = 1
    core.act(rules, s, verb, core.least(rules, s, s.turn))


# --- drawing


def draw_waiting(g: Any, s: Any) -> bool:
    """Draw what must be drawn; ask where there is a choice."""
    p, source, optional = s.player, argument(g, s, codes.DRAW_SOURCE), argument(g, s, codes.DRAW_OPTIONAL)
    while s.left > 0:
        if not available(g, s, p, source) or went_over(g, s, p):
            s.left = 0
        elif (
            optional
            or (source == codes.FROM_EITHER and s.discarded > 0 and piles.can_draw(s))
            or (source == codes.BY_ASKING and s.held[p] > 0)
        ):
            return True
        else:
            take(g, s, codes.TAKE)
    return False


def available(g: Any, s: Any, p: int, source: int) -> bool:
    """Whether there is a card to take."""
    if source == codes.FROM_DISCARD:
        return bool(s.discarded > 0)
    if source == codes.FROM_OPPONENT:
        return giver(s, p) >= 0
    if source == codes.BY_ASKING:
        return bool(piles.can_draw(s) or (s.held[p] > 0 and giver(s, p) >= 0))
    return piles.can_draw(s) or bool(source == codes.FROM_EITHER and s.discarded > 0)


def giver(s: Any, p: int) -> int:
    """The next player who has cards, or nobody."""
    q = p
    for _ in range(s.n - 1):
        q = piles.next_live(s, q, s.direction)
        if q != p and s.held[q] > 0:
            return q
    return codes.NOBODY


def went_over(g: Any, s: Any, p: int) -> bool:
    """Whether p's points are over the first win condition's limit already."""
    return bool(g.win[0] == codes.BEST_POINTS and points(g, s, p, g.win_argument[0]) == BUST)


def draw_moves(g: Any, s: Any, moves: Any) -> int:
    """Take, or stop; name a rank one holds."""
    source = argument(g, s, codes.DRAW_SOURCE)
    count = 0
    if source == codes.BY_ASKING and s.held[s.player] > 0 and giver(s, s.player) >= 0:
        for rank in range(g.ranks):
            for k in range(s.held[s.player]):
                if s.hands[s.player * MOST_CARDS + k] // g.suits == rank:
                    moves[count] = codes.ASKS + rank
                    count += 1
                    break
    elif source == codes.FROM_EITHER:
        if piles.can_draw(s):
            moves[count] = codes.TAKE
            count += 1
        if s.discarded > 0:
            moves[count] = codes.TAKE_DISCARD
            count += 1
    else:
        moves[count] = codes.TAKE
        count += 1
    if argument(g, s, codes.DRAW_OPTIONAL):
        moves[count] = codes.PASS
        count += 1
    return count


def take(g: Any, s: Any, move: int) -> None:
    """Take a card, or the cards asked for; or stop."""
    p, source = s.player, argument(g, s, codes.DRAW_SOURCE)
    if move == codes.PASS:
        s.left = 0
        return
    s.left -= 1
    if move >= codes.ASKS:
        if not hand_over(g, s, giver(s, p), p, move - codes.ASKS) and piles.can_draw(s):
            piles.give(s, p, piles.draw(s))
    elif source == codes.FROM_OPPONENT:
        q = giver(s, p)
        s.chance, at = chance.draw(s.chance, s.held[q])
        piles.give(s, p, piles.take_at(s, q, int(at)))
    elif move == codes.TAKE_DISCARD or source == codes.FROM_DISCARD or not piles.can_draw(s):
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


# --- playing on a pile


def play_waiting(g: Any, s: Any) -> bool:
    """Ask who can play; who cannot passes."""
    if s.left == 0:
        return False
    if can_play(g, s, s.player, s.phase):
        return True
    pass_by(g, s)
    return False


def can_play(g: Any, s: Any, p: int, phase: int) -> bool:
    """Whether p has a card that fits in this play phase."""
    for k in range(s.held[p]):
        if fits(g, s, s.hands[p * MOST_CARDS + k], phase) and enough(g, s, p, s.hands[p * MOST_CARDS + k], phase):
            return True
    return False


def fits(g: Any, s: Any, card: int, phase: int) -> bool:
    """Whether a card goes on the pile of this play phase."""
    first = phase * ARGUMENTS
    on_tableau = g.arguments[first + codes.PLAY_TARGET] == codes.ON_TABLEAU
    lying = s.tabled if on_tableau else s.discarded
    if lying == 0 or s.fresh:
        return True
    top = s.tableau[lying - 1] if on_tableau else s.discards[lying - 1]
    rank, other, match = card // g.suits, top // g.suits, g.arguments[first + codes.PLAY_MATCH]
    if match & codes.MATCH_ANY or (g.arguments[first + codes.PLAY_WILD] >> rank) & 1:
        return True
    if match & codes.MATCH_SUIT and card - rank * g.suits == top - other * g.suits:
        return True
    if match & codes.MATCH_HIGHER and rank > other:
        return True
    if match & codes.MATCH_HIGHER_OR_EQUAL and rank >= other:
        return True
    return bool(match & codes.MATCH_RANK and rank == other)


def enough(g: Any, s: Any, p: int, card: int, phase: int) -> bool:
    """Whether p has as many of a card's rank as the pile asks for."""
    most = g.arguments[phase * ARGUMENTS + codes.PLAY_MOST]
    if most == 1 or s.fresh or s.top_count <= 1:
        return True
    return bool(s.top_count <= most and of_rank(g, s, p, card // g.suits) >= s.top_count)


def of_rank(g: Any, s: Any, p: int, rank: int) -> int:
    """How many cards of a rank p holds."""
    count = 0
    for k in range(s.held[p]):
        if s.hands[p * MOST_CARDS + k] // g.suits == rank:
            count += 1
    return count


def play_moves(g: Any, s: Any, moves: Any) -> int:
    """Every card that fits, or every number of cards of a rank; passing where it is optional."""
    p, most = s.player, argument(g, s, codes.PLAY_MOST)
    count = 0
    if most == 1:
        for k in range(s.held[p]):
            if fits(g, s, s.hands[p * MOST_CARDS + k], s.phase):
                moves[count] = s.hands[p * MOST_CARDS + k]
                count += 1
    else:
        bound = 0 if s.fresh or s.top_count == 0 else s.top_count
        for rank in range(g.ranks):
            held = min(of_rank(g, s, p, rank), most)
            if held > 0 and rank_fits(g, s, p, rank):
                for size in range(1, held + 1):
                    if bound in (0, size):
                        moves[count] = codes.SETS + 4 * rank + size - 1
                        count += 1
    if argument(g, s, codes.PLAY_OPTIONAL):
        moves[count] = codes.PASS
        count += 1
    return count


def rank_fits(g: Any, s: Any, p: int, rank: int) -> bool:
    """Whether p holds a card of this rank that fits."""
    for k in range(s.held[p]):
        card = s.hands[p * MOST_CARDS + k]
        if card // g.suits == rank and fits(g, s, card, s.phase):
            return True
    return False


def pass_by(g: Any, s: Any) -> None:
    """Play nothing; when all others have passed too, the pile is done with."""
    s.left = 0
    s.passes += 1
    if argument(g, s, codes.PLAY_CLEAR) and s.passes >= piles.live_count(s) - 1 and not s.fresh:
        s.fresh, s.top_count, s.passes = 1, 0, 0
        s.moved = 1


def play(g: Any, s: Any, move: int) -> None:
    """Play a card, or several of a rank, or pass."""
    p = s.player
    if move == codes.PASS:
        pass_by(g, s)
        return
    s.left, s.passes, size = 0, 0, 1
    if move >= codes.SETS:
        rank, size = (move - codes.SETS) // 4, (move - codes.SETS) % 4 + 1
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
    """Put a card on the pile; on the tableau it may capture."""
    if argument(g, s, codes.PLAY_TARGET) == codes.ON_DISCARD:
        piles.discard(s, card)
        return
    how = argument(g, s, codes.PLAY_CAPTURE)
    if how != codes.NO_CAPTURE and captures(g, s, p, card, how):
        piles.capture(s, p, card)
        return
    s.tableau[s.tabled] = card
    s.tabled += 1
    s.moved = 1


def captures(g: Any, s: Any, p: int, card: int, how: int) -> bool:
    """Capture a card of the same rank, or else, by sums, the first two whose values add up to it."""
    rank = card // g.suits
    for k in range(s.tabled):
        if s.tableau[k] // g.suits == rank:
            pick_up(s, p, k)
            return True
    if how == codes.BY_SUM:
        for k in range(s.tabled):
            for other in range(k + 1, s.tabled):
                if s.tableau[k] // g.suits + s.tableau[other] // g.suits + 2 == rank + 1:  # the lowest rank counts 1
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
    """Do what a card of this effect does when it is played; in "rounds" the order of players stays as it is."""
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


# --- discarding


def discard_waiting(g: Any, s: Any) -> bool:
    """Ask while there is something to discard; then draw as many where the phase replaces."""
    if s.left > 0 and s.held[s.player] > 0:
        return True
    s.left = 0
    while s.swapped > 0 and s.drawn < s.undrawn:
        piles.give(s, s.player, piles.draw(s))
        s.swapped -= 1
    s.swapped = 0
    piles.lay_sets(g, s, s.player)
    return False


def put_away(g: Any, s: Any, move: int) -> None:
    """Discard a card, or stop."""
    if move == codes.PASS:
        s.left = 0
        return
    piles.take_card(s, s.player, move)
    piles.discard(s, move)
    s.left -= 1
    if argument(g, s, codes.DISCARD_REPLACE):
        s.swapped += 1


# --- claiming


def claim(g: Any, s: Any, move: int) -> None:
    """Put a card face down, stop putting, believe, or doubt."""
    if s.sub == codes.PUTTING:
        if move != codes.PASS:
            piles.take_card(s, s.claimer, move)
            s.pile[s.piled] = move
            s.piled += 1
            s.put += 1
            s.moved = 1
            s.left -= 1
        if move == codes.PASS or s.left == 0:
            s.sub, s.next = codes.DOUBTING, piles.next_live(s, s.claimer, s.direction)
            s.left = piles.live_count(s) - 1
        return
    if move == codes.DOUBT:
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
