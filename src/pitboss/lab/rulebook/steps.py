"""What a player does in each phase, in plain English: a bold word, and then what it means."""

from pitboss.lab.genome.parts import (
    BestHand,
    BettingPhase,
    ClaimPhase,
    CommunityPhase,
    Deck,
    DiscardPhase,
    DrawPhase,
    Genome,
    PlayPhase,
    TrickPhase,
)
from pitboss.lab.rulebook.english import RANK_NAMES, a, capital, chips, listed, number, plural, some, times

PILES = {"discard": "discards", "tableau": "table"}
MATCHES = {
    "suit": "of the same suit as",
    "rank": "of the same rank as",
    "higher": "higher than",
    "higher_or_equal": "at least as high as",
}


def step(genome: Genome, at: int) -> str:
    """What is done in the phase at this place."""
    match genome.turn_structure.phases[at]:
        case BettingPhase() as phase:
            return f"**Bet.** {_betting(phase)}"
        case CommunityPhase() as phase:
            return f"**Turn up.** {_community(phase, genome)}"
        case TrickPhase() as phase:
            return f"**Play a trick.** {_blind_trick(phase, genome) if phase.blind else _trick(phase, genome)}"
        case DrawPhase() as phase:
            return f"**Draw.** {_draw(phase, genome, at)}"
        case PlayPhase() as phase:
            return f"**Play.** {_play(phase, genome)}"
        case DiscardPhase() as phase:
            return f"**{'Exchange' if phase.replace else 'Discard'}.** {_discard(phase)}"
        case ClaimPhase() as phase:
            return f"**Claim.** {_claim(phase, genome.setup.deck)}"


# --- betting and community cards


def _betting(phase: BettingPhase) -> str:
    if phase.max_raises == 0:
        return f"A round of betting, as told below: a bet is {chips(phase.min_bet)}, and nobody may raise it."
    raises = f"at most {some(phase.max_raises, 'raise')}"
    return f"A round of betting, as told below: bets and raises are {chips(phase.min_bet)}, with {raises}."


def _community(phase: CommunityPhase, genome: Genome) -> str:
    what = "card of the deck is" if phase.count == 1 else f"{some(phase.count, 'card')} of the deck are"
    told = f"The next {what} laid face up in the middle, for all to see."
    if any(isinstance(win, BestHand) for win in genome.win_conditions):
        told += f" {'It counts' if phase.count == 1 else 'They count'} as part of everybody's hand."
    return told


# --- tricks


def _trick(phase: TrickPhase, genome: Genome) -> str:
    told = "The starting player leads the first trick, and the winner of each trick leads the next. "
    told += "The leader plays any card face up, and all others in turn add one. "
    if phase.follow:
        told += "If you hold a card of the suit that was led, you must play one; otherwise play what you like. "
    else:
        told += "You may play any card, whether or not it is of the suit that was led. "
    if genome.setup.trump_suit is None:
        told += "The highest card of the suit that was led takes the trick. "
    else:
        told += "The highest trump takes the trick or, where there is none, the highest card of the suit that was led. "
    return told + _taken(phase, "into your hand")


def only_blind(genome: Genome) -> bool:
    """Whether cards are only ever turned up from a pile, so that nobody need look at them."""
    phases = genome.turn_structure.phases
    tricks = [phase.blind for phase in phases if isinstance(phase, TrickPhase)]
    others = any(isinstance(phase, DrawPhase | PlayPhase | DiscardPhase | ClaimPhase) for phase in phases)
    return bool(tricks) and all(tricks) and not others


def _blind_trick(phase: TrickPhase, genome: Genome) -> str:
    if only_blind(genome):
        told = "Everybody turns up the top card of their pile. "
    else:
        told = "Everybody turns up the card they have held longest (keep your cards in the order in which they came). "
    told += "The highest rank takes them all; suits do not matter. "
    if phase.ties == "stay":
        told += (
            "If the highest are equal, the cards stay where they are, and whoever takes the next trick takes them too. "
        )
    else:
        told += "If the highest are equal, the one turned up first takes it: the winner of the last trick turns first "
        told += "(at the beginning, the starting player), and the others follow clockwise. "
    return told + _taken(phase, "under your pile, face down" if only_blind(genome) else "into your hand")


def _taken(phase: TrickPhase, hand: str) -> str:
    if phase.to == "captured":
        return "Put the cards you win in front of you, face up; they are out of play."
    return f"Put the cards you win {hand}."


# --- drawing


def _draw(phase: DrawPhase, genome: Genome, at: int) -> str:
    condition = ""
    if phase.only_if_stuck:
        condition = f"If you hold nothing that you could play {_next_play(genome, at)}, "
    what = _asked(phase) if phase.source == "ask" else _taken_card(phase)
    told = condition + what if condition else capital(what)
    win = genome.win_conditions[0]
    if isinstance(win, BestHand) and win.ranking == "points" and win.bust:
        told += f" Once you are over {number(win.bust)}, you take no more."
    return told


def _next_play(genome: Genome, at: int) -> str:
    phases = genome.turn_structure.phases
    following = [n for n in range(at + 1, len(phases)) if isinstance(phases[n], PlayPhase)]
    return (
        "in the next step"
        if following[:1] == [at + 1]
        else f"in step {following[0] + 1}"
        if following
        else "afterwards"
    )


def _taken_card(phase: DrawPhase) -> str:
    source = {
        "deck": "from the deck",
        "discard": "from the top of the discards",
        "either": "from the deck or from the top of the discards, as you like",
        "opponent": "from the hand of the next player who has any, without looking",
    }[phase.source]
    if phase.count == 1:
        return f"{'you may take' if phase.optional else 'take'} a card {source}."
    if phase.optional:
        return f"you may take up to {some(phase.count, 'card')} {source}, one after another; stop whenever you like."
    return f"take {some(phase.count, 'card')} {source}, one after another."


def _asked(phase: DrawPhase) -> str:
    ask = "you may ask" if phase.optional else "ask"
    told = f"{ask} the next player who has cards for a rank of which you hold a card. "
    told += "That player gives you all cards of this rank. If there are none, take a card from the deck instead. "
    told += "With no card in your hand you simply take one from the deck."
    if phase.count > 1:
        often = f"up to {times(phase.count)}; stop whenever you like" if phase.optional else times(phase.count)
        told += f" Do this {often}."
    return told


# --- playing


def _play(phase: PlayPhase, genome: Genome) -> str:
    told = [_played_cards(phase)]
    fit = _fit(phase)
    if fit:
        told.append(fit)
    if phase.most > 1 and phase.clear_after_passes:
        told.append("Until the pile is cleared, everybody must play as many cards as its first player did.")
    elif phase.most > 1:
        told.append("Whoever plays on must play as many cards at once as the player before.")
    told += _passes(phase)
    if phase.capture != "none":
        told.append(_capture(phase, genome.setup.deck))
    return " ".join(told)


def _played_cards(phase: PlayPhase) -> str:
    what = "one card" if phase.most == 1 else f"one card, or up to {number(phase.most)} of the same rank together,"
    where = "face up on the discards" if phase.target == "discard" else "face up on the table"
    return f"Play {what} {where}."


def _fit(phase: PlayPhase) -> str:
    """What fits on what; nothing where everything does."""
    if "any" in phase.match:
        return ""
    top = "the top card" if phase.target == "discard" else "the card laid last"
    names = [name for name in MATCHES if name in phase.match]
    if "higher_or_equal" in names:
        names = [name for name in names if name not in ("rank", "higher")]
    ways = [MATCHES[name] for name in names]
    if names[:2] == ["suit", "rank"]:
        ways = ["of the same suit or rank as", *ways[2:]]
    it = "It" if phase.most == 1 else "They"
    told = f"{it} must be {listed(ways, 'or')} {top}; where there is none, anything may be played."
    if phase.wild:
        wild = listed([a(RANK_NAMES[rank]) for rank in phase.wild], "or")
        told += f" {capital(wild)} may be played on anything."
    return told


def _passes(phase: PlayPhase) -> list[str]:
    if phase.optional:
        told = ["You may also pass."]
    else:
        told = [] if "any" in phase.match and phase.most == 1 else ["If you cannot, you pass."]
    if phase.clear_after_passes:
        told = ["If you cannot or do not want to, you pass."] if phase.optional else told
        told.append("You may still play when your turn comes again.")
        told.append(
            "When all others have passed one after another, the pile is cleared: it counts no more, "
            "and the player who played last begins anew with anything."
        )
    return told


def _capture(phase: PlayPhase, deck: Deck) -> str:
    told = "If a card of the same rank lies there already, your card captures it: put both in front of you. "
    if phase.capture == "sum":
        told += "If there is none, but two cards add up to yours, capture these two. "
        told += "Your card captures the one or the two that were laid first. "
        told += f"In sums {_counting(deck)}. "
    else:
        told += "Of several it captures the one that was laid first. "
    return told + "If it captures nothing, it stays on the table."


def _counting(deck: Deck) -> str:
    """What the lowest, the next and the highest rank count in sums."""
    names = [plural(RANK_NAMES[rank]) for rank in deck.ranks]
    shown = [f"{name} count {place}" for place, name in enumerate(names, 1)]
    if len(shown) <= 3:
        return listed(shown)
    return f"{shown[0]}, {names[1]} 2, and so on up to {names[-1]}, which count {len(names)}"


# --- discarding and claiming


def _discard(phase: DiscardPhase) -> str:
    if phase.optional:
        what = "a card" if phase.count == 1 else f"up to {some(phase.count, 'card')}"
        told = f"You may put {what} from your hand on the discards"
    else:
        told = f"Put {'a card' if phase.count == 1 else some(phase.count, 'card')} from your hand on the discards"
    if phase.replace:
        return f"{told}, face up, and then take as many from the deck, as long as it lasts."
    return f"{told}, face up."


def _claim(phase: ClaimPhase, deck: Deck) -> str:
    first, last = plural(RANK_NAMES[deck.ranks[0]]), plural(RANK_NAMES[deck.ranks[-1]])
    if phase.most == 1:
        told = "Put a card face down on a pile in the middle and say that it is of the rank that is due. "
    else:
        told = (
            f"Put one to {number(phase.most)} cards face down on a pile in the middle and say that all are of the rank "
        )
        told += "that is due. "
    told += "It need not be true. "
    if len(deck.ranks) > 1:
        second = plural(RANK_NAMES[deck.ranks[1]])
        told += f"The first claim of a deal is {first}, the next {second}, and so on; after {last} come {first} again. "
    told += "Then the others are asked in turn whether they doubt it. At the first doubt the cards just put down are "
    told += "shown: if all of them are of that rank, the doubter takes the whole pile into their hand, otherwise the "
    told += "claimer does. "
    return told + "If nobody doubts, the pile stays and grows."
