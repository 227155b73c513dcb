"""How deals and games end and who wins them, in plain English."""

from pitboss.cards import RANKS
from pitboss.lab.genome.parts import (
    AnyWin,
    BestHand,
    CaptureAll,
    CommunityPhase,
    Deck,
    DrawPhase,
    EmptyHand,
    FirstToScore,
    Genome,
    HighCard,
    HighScore,
    LaySets,
    LeastDeadwood,
    LowScore,
    MostTricks,
)
from pitboss.lab.rulebook.english import RANK_NAMES, a, capital, listed, number, plural, points, some

WHOLE = 5  #: cards of which a poker pattern is made


def aim(genome: Genome) -> str:
    """What one plays for."""
    first = genome.win_conditions[0]
    if genome.setup.starting_chips:
        return f"Win chips: each pot goes to {best(first)}, or to the last player who has not folded."
    match first:
        case BestHand(ranking="poker"):
            return "Have the best poker hand."
        case BestHand(bust=0):
            return "Hold the most points."
        case BestHand(bust=bust):
            return f"Come as close to {points(bust)} as you can without going over."
        case HighCard():
            return "Hold the highest card."
        case HighScore():
            return "Make the most points."
        case LowScore():
            return "Make the fewest points."
        case FirstToScore(target=target):
            return f"Be the first to have {points(target)}."
        case EmptyHand():
            return "Be the first to get rid of all your cards."
        case CaptureAll():
            return "Win all the cards."
        case MostTricks():
            return "Take the most tricks."
        case LeastDeadwood():
            return "Be left with the fewest points outside sets and runs."


def best(win: AnyWin) -> str:
    """Whom a win condition favours."""
    match win:
        case BestHand(ranking="poker"):
            return "the player with the best poker hand"
        case BestHand(bust=0):
            return "the player with the most points in hand"
        case BestHand(bust=bust):
            return f"the player who comes closest to {points(bust)} without going over"
        case HighCard():
            return "the player who holds the highest card"
        case HighScore() | FirstToScore():
            return "the player with the most points"
        case LowScore():
            return "the player with the fewest points"
        case EmptyHand():
            return "the player with the fewest cards in hand"
        case CaptureAll():
            return "the player with the most cards (held and won)"
        case MostTricks():
            return "the player who has taken the most tricks"
        case LeastDeadwood():
            return "the player with the fewest points outside sets and runs"


# --- the end of a deal


def deals_end(genome: Genome) -> list[str]:
    """When a deal is over."""
    ends = [end for win in genome.win_conditions if (end := _ends(win, genome))]
    unfinished = _unfinished(genome) if ends else ""
    rounds = genome.turn_structure.rounds
    if rounds:
        ends.append(
            "the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played{_a_round(genome)}"
        )
    if genome.betting_phases:
        ends.append("all but one have folded")
    if rounds != 1:
        ends.append(_quiet(genome))
    told = (
        f"The deal is over as soon as {ends[0]}."
        if len(ends) == 1
        else f"The deal is over as soon as\n\n{_lines(ends)}"
    )
    return [told, f"{capital(unfinished)} under way is finished first."] if unfinished else [told]


def _a_round(genome: Genome) -> str:
    return " (as many turns as there are players make a round)" if genome.turn_structure.order == "turns" else ""


def _unfinished(genome: Genome) -> str:
    names = {"BettingPhase": "a round of betting", "TrickPhase": "a trick", "ClaimPhase": "a claim"}
    found = dict.fromkeys(names.get(type(phase).__name__, "") for phase in genome.turn_structure.phases)
    return listed([name for name in found if name], "or")


def _quiet(genome: Genome) -> str:
    moved = "no card has moved and no chip has been paid" if genome.setup.starting_chips else "no card has moved"
    if genome.turn_structure.order == "turns":
        return f"everybody has had a turn, one after another, in which {moved}"
    return f"a round has been played in which {moved}"


def _ends(win: AnyWin, genome: Genome) -> str:
    """When a win condition ends a deal before its time, if it ever does."""
    match win:
        case EmptyHand():
            return "somebody has no cards left"
        case CaptureAll():
            return "only one player has cards left in hand"
        case FirstToScore(target=target) if _sets_score(genome):
            return f"somebody has {points(target)}"
        case LeastDeadwood(knock=0):
            return f"somebody has all cards in sets and runs{_when(genome)}"
        case LeastDeadwood(knock=knock):
            return f"somebody has {points(knock)} or fewer outside sets and runs{_when(genome)}"
        case _:
            return ""


def _when(genome: Genome) -> str:
    return " when a turn begins" if genome.turn_structure.order == "turns" else " when the first step of a round begins"


def _sets_score(genome: Genome) -> bool:
    return any(isinstance(effect, LaySets) and effect.points > 0 for effect in genome.effects)


def _lines(items: list[str]) -> str:
    return "\n".join(f"- {item}{';' if item is not items[-1] else '.'}" for item in items)


# --- who wins it


def winner(genome: Genome) -> list[str]:
    """Who wins a deal, and what has to be known for it."""
    first, *others = genome.win_conditions
    among = f"Of those who have not folded, {best(first)} wins the deal." if genome.betting_phases else ""
    told = among or f"{capital(best(first))} wins the deal."
    for other in others:
        if (end := _ends(other, genome)) and best(other) != best(first):
            told += f" But if it is over because {end}, {best(other)} wins it."
    told += " If several are equal, they win together."
    wins = [first, *[win for win in others if _ends(win, genome)]]
    return [told, *dict.fromkeys(text for win in wins if (text := _explained(win, genome)))]


def _explained(win: AnyWin, genome: Genome) -> str:
    match win:
        case BestHand(ranking="poker"):
            return _patterns(genome)
        case BestHand(bust=bust):
            return _hand_points(genome, bust)
        case HighCard():
            return f"{'Only cards in hand count. ' if _turned(genome) else ''}Suits do not matter."
        case LeastDeadwood():
            return _deadwood(genome.setup.deck)
        case _:
            return ""


def _turned(genome: Genome) -> int:
    return sum(phase.count for phase in genome.turn_structure.phases if isinstance(phase, CommunityPhase))


def _most_cards(genome: Genome) -> int:
    """How many cards a hand can have, community cards and all; more than a pattern needs are all the same."""
    turned = _turned(genome)
    grows = any(isinstance(phase, DrawPhase) for phase in genome.turn_structure.phases)
    grows = grows or (turned > 0 and genome.turn_structure.rounds != 1)
    return WHOLE + 1 if grows else min(WHOLE + 1, genome.setup.cards_per_player + turned)


def _patterns(genome: Genome) -> str:
    deck, size = genome.setup.deck, _most_cards(genome)
    suits, ranks = len(deck.suits), len(deck.ranks)
    long = size >= WHOLE and ranks >= WHOLE
    patterns = {
        "a straight flush (five in a row, all of one suit)": long,
        "four of a kind": size >= 4 and suits >= 4,
        "a full house (three of one rank and two of another)": size >= WHOLE and suits >= 3 and ranks >= 2,
        "a flush (five of one suit)": long,
        "a straight (five in a row)": long,
        "three of a kind": size >= 3 and suits >= 3,
        "two pairs": size >= 4 and suits >= 2 and ranks >= 2,
        "a pair (two of one rank)": size >= 2 and suits >= 2,
    }
    told = _ladder([name for name, possible in patterns.items() if possible])
    if long and ranks == len(RANKS) and deck.ranks[-1] == "A":
        told += f" In a straight, an ace may also stand below {a(RANK_NAMES[deck.ranks[0]])}."
    if size > WHOLE:
        told += f" Only the best five of your cards{' and those in the middle' if _turned(genome) else ''} count."
    return told


def _ladder(names: list[str]) -> str:
    if not names:
        return "The highest card decides, then the next highest, and so on; suits do not matter."
    if len(names) == 1:
        told = f"{capital(names[0])} beats a hand without one."
    else:
        told = f"From best to worst, the hands are: {', '.join(names)}, and last any other hand."
    return (
        told + " Between equals the higher rank wins, then the highest card beside it, and so on; suits never decide."
    )


def _card_values(deck: Deck, ace: str) -> str:
    """What cards count, as far as the deck has them."""
    pictures = [plural(RANK_NAMES[rank]) for rank in "JQK" if rank in deck.ranks]
    parts = ["number cards count their number"] if any(rank not in "JQKA" for rank in deck.ranks) else []
    parts += [f"{listed(pictures)} count 10"] if pictures else []
    parts += [f"aces count {ace}"] if "A" in deck.ranks else []
    return listed(parts)


def _hand_points(genome: Genome, bust: int) -> str:
    if not bust:
        return f"{capital(_card_values(genome.setup.deck, '11'))}."
    values = capital(_card_values(genome.setup.deck, "11, or 1 where 11 would be too much"))
    return (
        f"{values}. Whoever has more than {number(bust)} loses to everybody who has not; if all have, they are equal."
    )


def _deadwood(deck: Deck) -> str:
    told = "A set is three or more cards of one rank, a run three or more of one suit that follow each other in rank. "
    told += "Put your cards into sets and runs as well as you can, each card only once, and count the points "
    return f"{told}of the others: {_card_values(deck, '1')}."


# --- the whole game


def game(genome: Genome) -> list[str]:
    """How many deals there are, who wins the game, and the turn limit."""
    return [f"{_deals(genome)} {_game_winner(genome)}", _limit(genome)]


def _deals(genome: Genome) -> str:
    if genome.setup.deals == 1:
        return "The game is a single deal."
    early = ["fewer than two players have chips left"] if genome.setup.starting_chips else []
    targets = [win.target for win in genome.win_conditions if isinstance(win, FirstToScore)]
    if targets:
        early.append(f"somebody has {points(min(targets))}")
    fewer = f", or fewer if {listed(early, 'or')} before" if early else ""
    told = f"Play {some(genome.setup.deals, 'deal')}{fewer}."
    if genome.setup.starting_chips:
        told += " Whoever has no chips at the beginning of a deal is left out."
    return told


def _game_winner(genome: Genome) -> str:
    together = "if several are equal, they win together."
    if genome.setup.starting_chips:
        return f"Whoever has the most chips at the end wins the game; {together}"
    if genome.setup.deals == 1:
        return "Whoever wins it wins the game."
    match genome.win_conditions[0]:
        case HighScore() | FirstToScore():
            return f"Points add up over the deals, and whoever has the most wins the game; {together}"
        case LowScore():
            return f"Points add up over the deals, and whoever has the fewest wins the game; {together}"
        case _:
            return f"Whoever wins the most deals wins the game; {together}"


def _limit(genome: Genome) -> str:
    told = (
        f"Should the game still be going after {some(genome.max_turns, 'move')}, it stops, and the deal is decided as "
    )
    return (
        told + "it stands. Everything that somebody does is a move, and so is a step in which nobody can do anything."
    )
