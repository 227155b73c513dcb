"""How betting goes and who gets the pot, in plain English and in a game's own numbers."""

from pitboss.lab.base.english import chips, listed, some
from pitboss.lab.genome.parts import Betting, Genome
from pitboss.lab.rulebook.possible import runs_short, takes_cards


def betting(genome: Genome) -> list[str]:
    """A round of betting, spelt out."""
    bets = genome.betting_phases
    if not bets:
        return []
    short = runs_short(genome)
    return [_opening(genome), _before_a_bet(bets, short), _after_a_bet(genome), *_closing(genome)]


def _opening(genome: Genome) -> str:
    again = len(genome.betting_phases) > 1 or genome.turn_structure.rounds != 1
    first = "The starting player, or the next one who is still in," if again else "The starting player"
    text = f"{first} speaks first, then the others clockwise. As long as nobody has bet, you may"
    if again:
        return "Every round of betting begins afresh; what was paid before stays in the pot. " + text
    return text


def _size(bets: tuple[Betting, ...]) -> str:
    """The size of a bet, if all rounds of betting have the same."""
    sizes = {bet.min_bet for bet in bets}
    return chips(sizes.pop()) if len(sizes) == 1 else "what the step says"


def _before_a_bet(bets: tuple[Betting, ...], short: bool) -> str:
    lines = ["- **check**: pay nothing, and stay in;", f"- **bet**: pay {_size(bets)}."]
    if short and any(bet.min_bet > 1 for bet in bets):
        lines.append("- **go all-in**, if you have less than a bet: pay all you have.")
        lines[1] = f"{lines[1][:-1]};"
    return "\n".join(lines)


def _after_a_bet(genome: Genome) -> str:
    bets = genome.betting_phases
    lines = ["Once there is a bet, you may", ""]
    lines.append("- **call**: pay what is missing to the highest bet;")
    lines += _raise(bets)
    if genome.setup.deals > 1:  # in a single deal all who are still in have as much left
        lines.append("- **go all-in**, if you have less than a call costs: pay all you have;")
    lines.append("- **fold**: give up the deal, and what you have paid.")
    return "\n".join(lines)


def _raise(bets: tuple[Betting, ...]) -> list[str]:
    raises = {bet.max_raises for bet in bets}
    if raises == {0}:
        return []
    size = _size(bets) + " more" if len({bet.min_bet for bet in bets}) == 1 else "as much again as a bet"
    limit = (
        f"there may be {some(raises.pop(), 'raise')}" if len(raises) == 1 else "there may be as many as the step says"
    )
    return [f"- **raise**, if you have chips for all of it: call, and pay {size}; {limit} in a round of betting;"]


def _closing(genome: Genome) -> list[str]:
    bets = genome.betting_phases
    again = ["a bet", *(["a raise"] if any(bet.max_raises for bet in bets) else [])]
    short = runs_short(genome)
    again += ["an all-in above the bets before"] if short and any(bet.min_bet > 1 for bet in bets) else []
    text = f"After {listed(again, 'or')}, everybody else is asked again. "
    broke = " or have no chips left" if short else ""
    text += f"The round of betting is over when all who are still in have paid the same{broke}."
    if short:
        text += " Without chips you are not asked to bet any more, but you stay in and can win the pot. "
        text += "Whoever has chips is asked, also where all others are all-in; "
        text += "a bet that nobody can answer wins nothing."
    folded = "If you fold, you are out of the deal: no more turns, no more bets, and no share of the pot. "
    if genome.player_count > 2:  # of two, the other wins at once
        won = "; what you have won stays in front of you" if takes_cards(genome) else ""
        folded += f"What you hold stays with you, unseen and out of play{won}. "
    folded += "When all but one have folded, that one wins the deal at once, without showing a card."
    return [text, folded]


def pot(genome: Genome) -> list[str]:
    """Who is paid what."""
    if not genome.setup.starting_chips:
        return []
    seats = "clockwise from the player who started the"
    if genome.setup.pots == "side":
        text = (
            "What nobody called goes back to whoever paid it. If you were all-in, you win from each of the others at "
        )
        text += (
            "most as much as you paid yourself; what they paid beyond that is a side pot, for the best of those who "
        )
        text += (
            f"paid for it. Several winners of a pot share it equally; odd chips go to them one by one, {seats} deal."
        )
    else:
        text = "The winner of the deal takes the whole pot. Several winners share it equally; "
        text += f"odd chips go to the first of them, {seats} first deal."
    return [text]
