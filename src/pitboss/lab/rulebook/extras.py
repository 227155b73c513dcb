"""Sets, cards that do something and points, in plain English: all of a game's, and one by one."""

from itertools import combinations

from pitboss.lab.base.english import RANK_NAMES, capital, cards, number, plural, points
from pitboss.lab.genome.parts import CardEffect, CardPoints, Genome, LaySets, Scoring
from pitboss.lab.rulebook.possible import points_matter, scoring_rules
from pitboss.lab.wins.capture_all import CaptureAll


def sets(genome: Genome) -> list[str]:
    """How sets are laid."""
    return [set_sentence(effect, genome) for effect in genome.effects if isinstance(effect, LaySets)][:1]


def set_sentence(effect: LaySets, genome: Genome) -> str:
    """What is done with so many cards of a rank."""
    text = f"Whenever you hold {number(effect.size)} cards of the same rank, also right after the deal, "
    text += (
        "lay them in front of you at once, face up (of more, those that you have held longest); they are out of play"
    )
    won = any(isinstance(win, CaptureAll) for win in genome.win_conditions)
    text += ", and count as won." if won else "."
    scores = effect.points and points_matter(genome)
    return f"{text} Each such set gives you {points(effect.points)}." if scores else text


def sets_score(genome: Genome) -> bool:
    """Whether sets give points."""
    return points_matter(genome) and any(isinstance(effect, LaySets) and effect.points for effect in genome.effects)


def special_cards(genome: Genome) -> list[str]:
    """What cards do when they are played."""
    lines = [
        f"- **{capital(plural(RANK_NAMES[effect.rank]))}:** {text}"
        for effect in genome.effects
        if isinstance(effect, CardEffect) and (text := effect_sentence(effect, genome))
    ]
    return ["Some cards do something when they are played:", "\n".join(lines)] if lines else []


def effect_sentence(effect: CardEffect, genome: Genome) -> str:
    """What playing a card of this rank does, if anything: where all go through a phase together, only drawing does."""
    in_turns = genome.turn_structure.order == "turns"
    following = f"the next player{' who is still in' if genome.betting_phases else ''}"
    if not any(phase.plays for phase in genome.turn_structure.phases) or effect.rank not in genome.setup.deck.ranks:
        return ""
    match effect.effect:
        case "skip":
            return f"{following} misses a turn." if in_turns else ""
        case "reverse":
            return "from now on the turn passes in the other direction." if in_turns else ""
        case "again":
            return "you have another turn." if in_turns else ""
        case "draw_two":
            return f"{following} takes two cards from the deck."


def scored_points(genome: Genome) -> list[str]:
    """What counts at the end of a deal."""
    scoring = scoring_rules(genome)
    if not scoring:
        return []
    lines = [f"- {capital(thing)}: {points(total)}." for thing, total in _added_up(scoring).items() if total]
    if _overlap(scoring):
        lines.append("\nA card that several of these lines speak of counts in each of them.")
    who = "everybody, whether or not they have folded," if genome.betting_phases else "everybody"
    more = genome.setup.deals > 1 or sets_score(genome)
    return [
        f"At the end of the deal {who} counts{', and adds it to the points made before' if more else ''}:",
        "\n".join(lines),
    ]


def _added_up(scoring: tuple[Scoring, ...]) -> dict[str, int]:
    """What everything that gives points gives in all, where several rules speak of the same."""
    totals = dict[str, int]()
    for rule in scoring:
        totals[scored_thing(rule)] = totals.get(scored_thing(rule), 0) + rule.points
    return totals


def scored_thing(rule: Scoring) -> str:
    """What gives points: "each heart in front of you"."""
    if not isinstance(rule, CardPoints):
        return "each trick you have taken"
    return f"{cards(rule.cards)} {'in front of you' if rule.where == 'captured' else 'still in your hand'}"


def _overlap(scoring: tuple[Scoring, ...]) -> bool:
    """Whether some card is counted twice."""
    rules = [rule for rule in scoring if isinstance(rule, CardPoints)]
    return any(
        one.cards != other.cards
        and one.where == other.where
        and all("*" in pair or pair[0] == pair[1] for pair in zip(one.cards, other.cards, strict=True))
        for one, other in combinations(rules, 2)
    )
