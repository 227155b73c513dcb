"""The steps of a game: `start`, then `legal` and `apply` until the game is over. The functions can be compiled.

The betting of a deal is counted when the deal is settled.
"""

from typing import Any

from pitboss.betting import core
from pitboss.fast import payout
from pitboss.lab import codes, piles
from pitboss.lab.codes import COUNTING, DEALS, LARGEST, MOST_CARDS, POTS, SHOWDOWNS, STEALS, TO_BEST
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins

# Results of `end_of_deal`. Other results are the index of the win condition that ended the deal.
GOES_ON, NO_WINNER_YET, TOO_LATE = -1, -2, -3


def count_deal(g: Any, rules: Any, s: Any, win: int) -> int:
    """Count a deal before it is paid. Return the players with the best cards, one bit per player."""
    alone = piles.live_count(s) == 1
    owner, uncalled = core.uncalled(rules[0], s)
    if not (alone or g.side):
        uncalled = 0  # the winner gets the whole single pot
    best, had_best, pot = 0, 0, s.pot - uncalled
    for p in range(g.n):
        pot += s.bets[p]
        if not dealt_in(s, p):
            continue
        value = wins.worth(g, s, win, p)
        if had_best == 0 or value > best:
            best, had_best = value, 1 << p
        elif value == best:
            had_best |= 1 << p
    counts = s.counts
    counts[DEALS] += 1
    counts[POTS] += pot
    counts[LARGEST] = max(counts[LARGEST], pot)
    if not alone:
        counts[SHOWDOWNS] += 1
    elif not had_best & s.winners:
        counts[STEALS] += 1
    if owner >= 0 and (had_best >> owner) & 1:
        counts[TO_BEST] -= uncalled
    for p in range(g.n):
        if (had_best >> p) & 1:
            counts[TO_BEST] -= s.stacks[p]  # `count_payment` adds the stack after the payment
    return had_best


def count_payment(g: Any, s: Any, had_best: int) -> None:
    """Count the chips that the players with the best cards received."""
    for p in range(g.n):
        if (had_best >> p) & 1:
            s.counts[TO_BEST] += s.stacks[p]


def dealt_in(s: Any, p: int) -> bool:
    """Return whether p was dealt in. Players without chips are not dealt in."""
    return bool(not s.folded[p] or s.stacks[p] + s.paid[p] + s.bets[p] > 0)


def start(g: Any, rules: Any, s: Any) -> None:
    """Set up the game and go to the first decision."""
    set_out(g, s)
    go_on(g, rules, s)


def set_out(g: Any, s: Any) -> None:
    """Give chips to all players and deal. The caller sets `s.chance` and, if `s.arranged` is set, `s.deck`."""
    s.n, s.deal, s.starter, s.over, s.stopped, s.winners, s.judge = g.n, 0, 0, 0, 0, 0, 0
    s.turns, s.decisions, s.choices = 0, 0, 0
    s.pot, s.holder, s.turn = 0, codes.NO_PLAYER, codes.NO_PLAYER
    for p in range(g.n):
        s.stacks[p], s.score[p], s.deals_won[p] = g.chips, 0, 0
    deal(g, s)


def apply(g: Any, rules: Any, s: Any, move: int) -> None:
    """Make a legal move of the player to act, and go to the next decision."""
    do(g, rules, s, move)
    go_on(g, rules, s)


def do(g: Any, rules: Any, s: Any, move: int) -> None:
    """Make a legal move without its consequences. Call `go_on` for these."""
    s.turns += 1
    s.quiet = 0
    phases.act(g, rules, s, move)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """Write the legal moves of the player to act. Return their number."""
    return phases.legal(g, rules, s, moves)  # type: ignore[no-any-return]  # a whole number


def go_on(g: Any, rules: Any, s: Any) -> None:
    """Go to the next decision or to the end of the game."""
    while not s.over:
        ended = end_of_deal(g, s)
        if ended != GOES_ON:
            finish_deal(g, rules, s, ended)
            continue
        late = s.turns >= g.limit
        if s.stage == codes.TO_ENTER and not late:
            s.stage, s.quiet = codes.ENTERED, 1
            s.left = 0
            phases.begin(g, rules, s)
        s.to_act = s.player  # `waiting` can change this
        if s.stage == codes.TO_ENTER or phases.waiting(g, s):
            if not late:
                return
            finish_deal(g, rules, s, TOO_LATE)
            continue
        if end_of_deal(g, s) != GOES_ON and not g.closes[s.phase]:
            continue
        phases.end(g, s)
        s.turns += s.quiet
        next_phase(g, s)


# --- the order of phases


def next_phase(g: Any, s: Any) -> None:
    """Go to the next player in this phase, to the next phase, or to the next round."""
    s.stage = codes.TO_ENTER
    if g.order == codes.ROUNDS:
        s.gone += 1
        if not g.everybodys[s.phase] and s.gone < g.n:
            s.player = s.player + 1 if s.player + 1 < g.n else 0
            return
        s.gone, s.player = 0, s.starter
        s.phase += 1
        if s.phase == g.phases:
            s.phase = 0
            s.round += 1
            count_idle_turn(s, 1)
        return
    s.phase += 1
    if s.phase < g.phases:
        return
    s.phase = 0
    s.gone += 1
    if s.gone >= piles.live_count(s):
        s.gone = 0
        s.round += 1
    if not s.again:
        for _ in range(1 + s.skip):
            s.player = piles.next_live(s, s.player, s.direction)
    s.again, s.skip = 0, 0
    count_idle_turn(s, piles.live_count(s))


def count_idle_turn(s: Any, enough: int) -> None:
    """Count the turns or rounds in which nothing moved. When there are enough of them in a row, the deal ends."""
    s.idle = 0 if s.moved else s.idle + 1
    s.moved = 0
    if s.idle >= enough:
        s.idle = -1


# --- the deal


def deal(g: Any, s: Any) -> None:
    """Gather the cards, take the antes and deal."""
    s.drawn, s.undrawn, s.discarded, s.tabled, s.piled, s.tricked, s.shared = 0, g.cards, 0, 0, 0, 0, 0
    s.phase, s.stage, s.gone, s.round, s.direction, s.idle = 0, codes.TO_ENTER, 0, 0, 1, 0
    s.skip, s.again = 0, 0
    for p in range(g.n):
        s.held[p], s.won[p], s.tricks[p], s.paid[p], s.bets[p], s.acted[p] = 0, 0, 0, 0, 0, 0
        s.folded[p] = g.chips > 0 and s.stacks[p] == 0
    core.collect(s, 0)
    for p in range(g.n):
        if g.ante > 0 and not s.folded[p]:
            core.post_ante(s, p, g.ante)
    if s.folded[s.starter]:
        s.starter = piles.next_live(s, s.starter, 1)
    s.player, s.to_act = s.starter, s.starter
    phases.deal(g, s)
    if s.arranged:
        s.arranged = 0
    else:
        for card in range(g.cards):
            s.deck[card] = card
        s.chance = piles.shuffle_part(s.chance, s.deck, 0, g.cards)
    s.trump = g.trump if g.trump != codes.RANDOM_TRUMP else s.deck[g.cards - 1] % g.suits
    hand_out(g, s)
    s.moved = 0


def hand_out(g: Any, s: Any) -> None:
    """Deal cards one at a time, beginning with the starting player. Then lay out the discards and the tableau."""
    for _ in range(g.per_player):
        p = s.starter
        for _ in range(g.n):
            if not s.folded[p] and s.drawn < s.undrawn:
                piles.give(s, p, piles.draw(s))
            p = p + 1 if p + 1 < g.n else 0
    for _ in range(g.discards):
        piles.discard(s, piles.draw(s))
    for _ in range(g.tableau):
        s.tableau[s.tabled] = piles.draw(s)
        s.tabled += 1
    for p in range(g.n):
        piles.lay_sets(g, s, p)


def end_of_deal(g: Any, s: Any) -> int:
    """Return GOES_ON, or why the deal is over: the index of the win condition that ends it, or NO_WINNER_YET."""
    if piles.live_count(s) < 2 or (g.rounds > 0 and s.round >= g.rounds) or s.idle < 0:
        return NO_WINNER_YET
    if phases.under_way(g, s):
        return GOES_ON  # bets, claims and tricks must be finished
    for win in range(g.wins):
        if wins.triggered(g, s, win):
            return win
    return NO_WINNER_YET if is_played_out(g, s) else GOES_ON


def is_played_out(g: Any, s: Any) -> bool:
    """Return whether only folds can still change the winner: no card can move any more, or only bets are left."""
    last = is_last_time(g, s)
    if last and s.phase >= g.settled:
        return True
    for p in range(g.n):
        if not s.folded[p] and s.held[p] > 0:
            return False
    for at in range(s.phase if last else 0, g.phases):
        if phases.refills(g, s, at):
            return False
    return True


def is_last_time(g: Any, s: Any) -> bool:
    """Return whether the phases run for the last time in this deal."""
    if g.rounds == 0 or s.round + 1 < g.rounds:
        return False
    return bool(g.order == codes.ROUNDS or s.gone + 1 >= piles.live_count(s))


def finish_deal(g: Any, rules: Any, s: Any, ended: int) -> None:
    """Count points and pay the winners. Then deal again or end the game."""
    s.turn = codes.NO_PLAYER
    for p in range(g.n):
        s.score[p] += g.trick_points * s.tricks[p]
        for k in range(s.won[p]):
            s.score[p] += g.captured_points[s.captured[p * MOST_CARDS + k]]
        for k in range(s.held[p]):
            s.score[p] += g.hand_points[s.hands[p * MOST_CARDS + k]]
    settle(g, rules, s, max(ended, 0))
    s.deal += 1
    s.stopped = 1 if ended == TOO_LATE else 0
    if s.stopped or s.deal >= g.deals or is_decided(g, s):
        end_game(g, s)
        return
    s.starter = s.starter + 1 if s.starter + 1 < g.n else 0
    deal(g, s)


def settle(g: Any, rules: Any, s: Any, win: int) -> None:
    """Pay the pot to the players with the highest value. Write them to `s.winners`, one bit per seat."""
    best, count, s.winners, s.judge = 0, 0, 0, win
    alone = piles.live_count(s) == 1
    for p in range(g.n):
        s.strengths[p] = 0
        if s.folded[p]:
            continue
        value = 0 if alone else wins.worth(g, s, win, p)
        s.strengths[p] = value
        if count == 0 or value > best:
            best, count, s.winners = value, 1, 1 << p
        elif value == best:
            count += 1
            s.winners |= 1 << p
    for p in range(g.n):
        if (s.winners >> p) & 1:
            s.deals_won[p] += 1
    if g.chips == 0:
        return
    had_best = count_deal(g, rules, s, win) if s.counts[COUNTING] else 0
    if g.side:
        pay_layers(g, rules, s)
    else:
        pay_winners(g, s, count)
    if s.counts[COUNTING]:
        count_payment(g, s, had_best)


def pay_winners(g: Any, s: Any, count: int) -> None:
    """Pay a single pot to this number of winners. The first winner gets the odd chips."""
    core.collect(s, 0)
    pot, first = s.pot, True
    for p in range(g.n):
        if (s.winners >> p) & 1:
            core.win(s, p, pot // count + (pot % count if first else 0))
            first = False


def pay_layers(g: Any, rules: Any, s: Any) -> None:
    """Pay side pots. Uncalled chips are returned, and each layer goes to the best of the players who paid for it."""
    owner, amount = core.uncalled(rules[0], s)
    if owner >= 0:
        core.give_back(s, owner, amount)
    core.collect(s, 0)
    for p in range(g.n):
        s.tally[p] = 0
        for q in range(g.n):
            if not s.folded[p] and not s.folded[q] and s.strengths[q] <= s.strengths[p]:
                s.tally[p] += 1  # the rank of the value, from 1
    payout.pay(s, s.tally, s.starter)


def is_decided(g: Any, s: Any) -> bool:
    """Return whether fewer than two players have chips, or a win condition ends the game."""
    if g.chips > 0:
        able = 0
        for p in range(g.n):
            if s.stacks[p] > 0:
                able += 1
        if able < 2:
            return True
    for win in range(g.wins):
        if wins.decided(g, s, win):
            return True
    return False


def end_game(g: Any, s: Any) -> None:
    """Set the winners of the game: by chips, by the only deal, by points, or by the number of deals won."""
    s.over, s.to_act = 1, codes.NO_PLAYER
    if g.chips == 0 and s.deal == 1:
        return
    best, s.winners = 0, 0
    for p in range(g.n):
        if g.chips > 0:
            value = s.stacks[p]
        elif g.win_point[0] != 0:
            value = g.win_point[0] * s.score[p]
        else:
            value = s.deals_won[p]
        if s.winners == 0 or value > best:
            best, s.winners = value, 1 << p
        elif value == best:
            s.winners |= 1 << p
