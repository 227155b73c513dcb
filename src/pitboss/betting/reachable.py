"""Whether numbers can be those of a betting round: what must hold after any betting, whoever wrote them down."""

from collections.abc import Iterator

from pitboss.betting import core
from pitboss.betting.core import Seen
from pitboss.betting.rules import Rules


def betting_faults(rules: Rules, s: Seen, *, step: int, forced: int, level: int, counted: int) -> Iterator[str]:
    """What cannot be of a round under way: `step` is the street's least bet, `forced` the price that nobody chose.

    Places are named as `{0}`, `{1}` …; `level` is what raises are measured from unless somebody was all-in for less,
    and `counted` how many raises a forced price counts for.
    """
    if s.level > s.price or (not rules.completes and s.level != level):
        yield f"a price of {s.price} and a level of {s.level} do not go together"
    if s.step < step or (s.step > step and (rules.exact or s.step > s.price)):
        yield f"no bet or raise of {s.step} has been made, and the least is {step}"
    if rules.cap >= 0 and s.raises > max(rules.cap, 1):
        yield f"there are {s.raises} raises, and {rules.cap} are allowed"
    if (s.raises > 0) > (s.price > 0):
        yield f"there are {s.raises} raises and no bet"
    yield from _bet_faults(rules, s, step, forced)
    yield from _fold_faults(s, forced)
    if not (rules.bring_in and forced):
        yield from _raise_faults(rules, s, step, forced, counted)
    if not _is_asked(rules, s, forced):
        yield f"it is not {{{s.turn}}}'s turn"


def _bet_faults(rules: Rules, s: Seen, step: int, forced: int) -> Iterator[str]:
    chosen = s.price > forced
    if chosen and not any(s.acted[p] and s.bets[p] == s.price for p in range(s.n)):
        yield f"nobody has acted who has made the bet of {s.price}"
    all_in = [p for p in range(s.n) if s.bets[p] and not s.stacks[p]]
    for p in range(s.n):
        if s.folded[p] or not s.stacks[p] or s.bets[p] >= s.price:
            continue
        if not s.acted[p]:
            if s.bets[p] < forced and any(s.acted[q] and _order(s, q) > _order(s, p) for q in range(s.n)):
                yield f"{{{p}}} has not spoken yet, and others have acted who speak later"
            continue
        over = [q for q in all_in if s.bets[q] > s.bets[p]]
        if not over:
            yield f"{{{p}}} has acted and owes {core.owed(s, p)}, though nobody is all-in for more"
        elif s.bets[p] < forced:
            yield f"{{{p}}} has acted and has not paid the price of {forced}"
        elif s.bets[p] == forced and max(_order(s, q) for q in over) < _order(s, p):
            yield f"{{{p}}} has acted and owes {core.owed(s, p)}, though nobody went all-in after that"
    if chosen and not all_in and not forced and s.price < step:
        yield f"a bet of {s.price} is below the least, {step}"


def _fold_faults(s: Seen, forced: int) -> Iterator[str]:
    """Who can have folded, and who can have spoken: nobody without chips who has none before him."""
    highest = max([s.bets[p] for p in range(s.n) if not s.folded[p]], default=0)
    for p in range(s.n):
        if s.folded[p] and not s.stacks[p]:
            yield f"{{{p}}} has no chips left, and nobody folds who is all-in"
        if s.folded[p] and s.bets[p] > max(highest, forced):
            yield f"{{{p}}} has folded after a bet of {s.bets[p]}, which nobody has raised"
        if s.acted[p] and not s.folded[p] and not s.stacks[p] and not s.bets[p]:
            yield f"{{{p}}} was all-in before this street, and so does not speak on it"


def _raise_faults(rules: Rules, s: Seen, step: int, forced: int, counted: int) -> Iterator[str]:
    """Whether so many raises, the last of this size, can have made the price; a short all-in is none of them."""
    if s.raises < counted or (s.step > step and s.raises == counted):
        yield f"there are {s.raises} raises, which are too few"
        return
    low, high = core.made_prices(s, step, forced, counted)
    if rules.exact and any(s.bets[p] and not s.stacks[p] for p in range(s.n)):
        return  # an all-in for less may have been completed
    if s.price < low:
        yield f"{s.raises} raises, the last of {s.step}, make more than the price of {s.price}"
    elif s.price > high:
        yield f"{s.raises} raises, none of more than {s.step}, do not make the price of {s.price}"


def _order(s: Seen, p: int) -> int:
    """When a place speaks for the first time, counted from the opener."""
    return (p - s.opener) % s.n


def _is_asked(rules: Rules, s: Seen, forced: int) -> bool:
    """Whether the turn can have come to whoever has it: from the opener or from the last raise, leaving nobody out."""
    if s.turn < 0:
        return False
    if s.price <= forced:
        to_come = _places(s, s.turn, s.opener)
        return core.next_asked(rules, s, s.opener - 1) == s.turn and not any(s.acted[p] for p in to_come)
    raisers = [p for p in range(s.n) if s.acted[p] and s.bets[p] == s.price]
    return any(
        core.next_asked(rules, s, raiser) == s.turn
        and all(s.bets[p] < s.price for p in _places(s, s.turn, raiser))  # they have not answered the raise yet
        for raiser in raisers
    )


def _places(s: Seen, first: int, end: int) -> list[int]:
    """The places clockwise from the first to the one before the end; all of them where both are one."""
    return [(first + k) % s.n for k in range((end - first - 1) % s.n + 1)]


def paid_faults(s: Seen, antes: tuple[int, ...]) -> Iterator[str]:
    """What cannot have been paid on earlier streets: whoever is left and has chips has paid as much as anybody."""
    if len({*antes}) > 1:
        return  # with antes of several sizes players may differ
    most = max(s.paid)
    for p in range(s.n):
        if not s.folded[p] and s.stacks[p] + s.bets[p] > 0 and s.paid[p] < most:
            yield f"{{{p}}} has chips and has paid {s.paid[p]}, where others paid {most}"


def earlier_faults(s: Seen, antes: tuple[int, ...], posts: dict[int, int]) -> Iterator[str]:
    """What cannot be while players bet on a later street: blinds that nobody paid, and words of those who are gone."""
    most = max(s.paid)
    for p in range(s.n):
        if s.stacks[p] and s.paid[p] < posts.get(p, 0):
            yield f"{{{p}}} has chips and has paid {s.paid[p]}, and had to post {posts[p]}"
        if s.folded[p] and s.paid[p] < most and (s.acted[p] or s.bets[p]) and len({*antes}) < 2:
            yield f"{{{p}}} has folded on an earlier street, and so does not speak on this one"


def forced_faults(s: Seen, antes: tuple[int, ...], posts: dict[int, int]) -> Iterator[str]:
    """What cannot be on the first street: antes and posts, by place, are paid in full by whoever has chips left."""
    for p in range(s.n):
        if s.paid[p] > (antes[p] if antes else 0):
            yield f"{{{p}}} has paid {s.paid[p]} before the first street's betting"
        if s.bets[p] < posts.get(p, 0) and s.stacks[p]:
            yield f"{{{p}}} has chips and has not posted {posts[p]}"
        if s.bets[p] > posts.get(p, 0) and not s.acted[p] and not any(s.acted):
            yield f"{{{p}}} has bet {s.bets[p]}, and nobody has acted"
