"""How deals and games end and who wins them, in plain English."""

from pitboss.lab.base.english import capital, listed, points, some
from pitboss.lab.genome.facts import deciding_wins, settled_from
from pitboss.lab.genome.parts import Genome
from pitboss.lab.rulebook.possible import always_moves, plays_out, rounds_end_it, sheds


def aim(genome: Genome) -> str:
    """What one plays for."""
    first = genome.win_conditions[0]
    if genome.setup.starting_chips:
        return f"Win chips: each pot goes to {first.best()}, or to the last player who has not folded."
    return first.aim(genome)


# --- the end of a deal


def deals_end(genome: Genome) -> list[str]:
    """When a deal is over."""
    ends = [end for win in genome.win_conditions if (end := win.ends(genome))]
    unfinished = _unfinished(genome) if ends else ""
    rounds = genome.turn_structure.rounds
    if rounds_end_it(genome):
        played = "the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played{_a_round(genome)}"
        ends.append(f"{played}{_no_last_bets(genome)}")
    if genome.betting_phases:
        ends.append("all but one have folded")
    if plays_out(genome):
        ends.append(_played_out(genome))
    if rounds != 1 and not always_moves(genome) and not sheds(genome):
        ends.append(_quiet(genome))
    text = (
        f"The deal is over as soon as {ends[0]}."
        if len(ends) == 1
        else f"The deal is over as soon as\n\n{_lines(ends)}"
    )
    return [text, f"{capital(unfinished)} under way is finished first."] if unfinished else [text]


def _a_round(genome: Genome) -> str:
    if genome.turn_structure.order != "turns":
        return ""
    return f" (as many turns as there are players{' still in' if genome.betting_phases else ''} make a round)"


def _no_last_bets(genome: Genome) -> str:
    """That nobody bets when all cards are played and all can see who wins."""
    if settled_from(genome) == len(genome.turn_structure.phases):
        return ""
    which = "turn" if genome.turn_structure.order == "turns" else "round"
    return f"; the bets at the end of the last {which} are left out"


def _unfinished(genome: Genome) -> str:
    names = dict.fromkeys(phase.unfinished for phase in genome.turn_structure.phases if phase.unfinished)
    return listed(list(names), "or")


def _played_out(genome: Genome) -> str:
    who = "nobody who is still in" if genome.betting_phases else "nobody"
    more = ", and none can come any more" if any(phase.grows for phase in genome.turn_structure.phases) else ""
    return f"{who} has a card left{more}"


def _quiet(genome: Genome) -> str:
    phases = genome.turn_structure.phases
    moved = "no chip has been paid" if all(phase.bets for phase in phases) else "no card has moved"
    moved += " and no pile was cleared" if any(phase.clears for phase in phases) else ""
    if genome.turn_structure.order == "turns":
        return f"everybody has had a turn, one after another, in which {moved}"
    return f"a round has been played in which {moved}"


def _lines(items: list[str]) -> str:
    return "\n".join(f"- {item}{';' if item is not items[-1] else '.'}" for item in items)


# --- who wins it


def winner(genome: Genome) -> list[str]:
    """Who wins a deal, and what has to be known for it."""
    first, *others = genome.win_conditions
    among = f"Of those who have not folded, {first.best()} wins the deal." if genome.betting_phases else ""
    text = among or f"{capital(first.best())} wins the deal."
    for other in others:
        if (end := other.ends(genome)) and other.best() != first.best():
            text += f" But if it is over because {end}, {other.best()} wins it."
    if first.point and genome.setup.deals > 1:
        text += " The points of all deals so far count."
    text += " If several are equal, nothing else decides: they win together."
    return [text, *dict.fromkeys(explained for win in deciding_wins(genome) if (explained := win.explained(genome)))]


# --- the whole game


def game(genome: Genome) -> list[str]:
    """How many deals there are, who wins the game, and the turn limit."""
    return [f"{_deals(genome)} {_game_winner(genome)}", _limit(genome)]


def _deals(genome: Genome) -> str:
    if genome.setup.deals == 1:
        return "The game is a single deal."
    early = ["fewer than two players have chips left"] if genome.setup.starting_chips else []
    targets = [win.final_score for win in genome.win_conditions if win.final_score]
    if targets:
        early.append(f"somebody has {points(min(targets))}")
    fewer = f", or fewer if {listed(early, 'or')} before" if early else ""
    text = f"Play {some(genome.setup.deals, 'deal')}{fewer}."
    if genome.setup.starting_chips:
        text += " Whoever has no chips at the beginning of a deal is left out."
    return text


def _game_winner(genome: Genome) -> str:
    together = "if several are equal, they win together."
    if genome.setup.starting_chips:
        return f"Whoever has the most chips at the end wins the game; {together}"
    if genome.setup.deals == 1:
        return "Whoever wins it wins the game."
    point = genome.win_conditions[0].point
    if point == 0:
        return f"Whoever wins the most deals, alone or together with others, wins the game; {together}"
    which = "most" if point > 0 else "fewest"
    return f"Points add up over the deals, and whoever has the {which} wins the game; {together}"


def _limit(genome: Genome) -> str:
    moves = some(genome.max_turns, "move")
    return f"After {moves} (steps without a choice count too) the game stops, and the deal is decided as it stands."
