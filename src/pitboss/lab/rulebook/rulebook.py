"""A game's rules in plain English, from its genome alone: somebody who has never seen the game can play from them."""

import re
from textwrap import fill

from pitboss.lab.base.english import (
    SUIT_NAMES,
    capital,
    chips,
    listed,
    number,
    ranks_of,
    some,
    title,
)
from pitboss.lab.genome.facts import cards_leave, only_blind, turned_up, undealt
from pitboss.lab.genome.parts import MOST_CARDS, Deck, Genome
from pitboss.lab.rulebook.betting import betting, pot
from pitboss.lab.rulebook.ends import aim, deals_end, game, winner
from pitboss.lab.rulebook.extras import scored_points, sets, sets_score, special_cards
from pitboss.lab.rulebook.possible import (
    cards_come,
    deck_runs_out,
    lies_open,
    scoring_rules,
    speaks_of,
    takes_from_deck,
    uses_deck,
)
from pitboss.lab.rulebook.short import in_short

WIDTH = 100
LONG = 160
"""A step of more characters is not told twice."""
GLUE = "\N{NO-BREAK SPACE}"


def rulebook(genome: Genome) -> str:
    """The rules of a valid genome, as Markdown.

    >>> from pitboss.lab.files import load
    >>> rulebook(load("crazy_eights")).splitlines()[:3]
    ['# Crazy Eights', '', 'A game for two players. Be the first to get rid of all your cards.']
    """
    parts = [f"# {title(genome.name)}", _opening(genome), in_short(genome)]
    for heading, text in (
        ("What you need", _needs(genome)),
        ("The deal", _deal(genome)),
        ("Play", _play(genome)),
        ("Betting", betting(genome)),
        ("Sets", sets(genome)),
        ("Special cards", special_cards(genome)),
        ("The end of the deal", deals_end(genome)),
        ("Points", scored_points(genome)),
        ("Who wins", winner(genome)),
        ("The pot", pot(genome)),
        ("The game", game(genome)),
    ):
        if text:
            parts += [f"## {heading}", *text]
    return "\n\n".join(_wrapped(part) for part in parts) + "\n"


def _wrapped(part: str) -> str:
    """Lines of a readable length; those of a list hang. A number never begins one, where it would make a list."""
    lines = []
    for line in part.splitlines():
        indent = re.match(r"- |\d+\. |", line)
        hang = " " * (len(indent[0]) if indent else 0)
        glued = re.sub(r"(?<=[^\d.]) (?=\d)", GLUE, line)
        filled = fill(glued, WIDTH, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
        lines.append(filled.replace(GLUE, " ") if line else "")
    return "\n".join(lines)


def _opening(genome: Genome) -> str:
    with_chips = ", with chips" if genome.setup.starting_chips else ""
    return f"A game for {number(genome.player_count)} players{with_chips}. {aim(genome)}"


# --- what is needed, and the deal


def _needs(genome: Genome) -> list[str]:
    things = _deck(genome.setup.deck)
    if genome.setup.starting_chips:
        things.append(f"{chips(genome.setup.starting_chips)} for each player.")
    if scoring_rules(genome) or sets_score(genome):
        things.append("Something to write points down.")
    return ["\n".join(f"- {capital(thing)}" for thing in things)]


def _deck(deck: Deck) -> list[str]:
    """The cards, and on a line of their own the ranks from low to high."""
    size = len(deck.ranks) * len(deck.suits)
    suits = listed([SUIT_NAMES[suit] for suit in deck.suits])
    what = "A standard deck of 52 cards." if size == MOST_CARDS else f"{some(size, 'card')}, in {suits}."
    if len(deck.ranks) == 1:
        return [what, f"The only rank: {ranks_of(deck)}."]
    return [what, f"The ranks, from lowest to highest: {ranks_of(deck)}."]


def _deal(genome: Genome) -> list[str]:
    setup, phases = genome.setup, genome.turn_structure.phases
    text = ["Decide by lot who starts; everything goes clockwise from that player."]
    if setup.deals > 1:
        with_chips = " who has chips" if setup.starting_chips else ""
        text.append(f"With each new deal the start passes to the next player{with_chips}.")
    if setup.ante:
        less = "; whoever has less pays all they have" if setup.deals > 1 else ""
        text.append(f"Everybody pays an ante of {chips(setup.ante)} into the pot{less}.")
    text.append(f"Shuffle.{_hands(genome)}")
    if setup.initial_discard_count:
        what = (
            "the next card"
            if setup.initial_discard_count == 1
            else f"the next {some(setup.initial_discard_count, 'card')}"
        )
        one = setup.initial_discard_count == 1
        used = speaks_of(genome, "discards") or (takes_from_deck(genome) and deck_runs_out(genome))
        use = _out_of_play(used, ": this is the beginning of the discards", one=one)
        text.append(f"Lay {what} face up beside the deck{use}.")
    if setup.initial_tableau_count:
        use = _out_of_play(speaks_of(genome, "table"), "", one=setup.initial_tableau_count == 1)
        row = ", in a row from left to right" if use == "" and any(phase.captures for phase in phases) else ""
        text.append(f"Lay {some(setup.initial_tableau_count, 'card')} face up on the table{row}{use}.")
    text.append(_rest(genome))
    text.append(_open_to_all(genome))
    paragraphs = [" ".join(part for part in text if part)]
    if setup.trump_suit is not None and any(phase.tricks and phase.looks for phase in phases):
        paragraphs.append(_trumps(setup.trump_suit, left=undealt(genome) > 0))
    return paragraphs


def _open_to_all(genome: Genome) -> str:
    """What anybody may look up, where it changes."""
    if lies_open(genome):
        return "What lies face up, and how many cards somebody holds, is open to all at any time."
    changes = cards_come(genome) or cards_leave(genome)
    return "How many cards somebody holds is open to all at any time." if changes else ""


def _out_of_play(used: bool, use: str, *, one: bool) -> str:
    """What cards that lie face up are for."""
    return use if used else f", for all to see; nothing else happens with {'it' if one else 'them'}"


def _hands(genome: Genome) -> str:
    count = genome.setup.cards_per_player
    if count == 0:
        later = " You may look at the cards that come to you, and at nobody else's."
        return f" Nobody is dealt a card.{later if cards_come(genome) else ''}"
    text = f" Deal {some(count, 'card')} to each player, one at a time, face down."
    if only_blind(genome):
        return f"{text} Do not look at {'it' if count == 1 else 'them'}: your cards lie before you as a pile."
    own = "your own card" if count == 1 else "your own cards"
    more = ", also at those that come later," if cards_come(genome) else ""
    return f"{text} You may look at {own}{more or ','} and at nobody else's."


def _rest(genome: Genome) -> str:
    """What is done with the cards that are not dealt, and how many they are."""
    setup, left = genome.setup, undealt(genome)
    if left == 0:
        return "No card is left over."
    outs = setup.starting_chips > 0 and setup.deals > 1 and genome.player_count > 2
    more = " (more where somebody is left out)" if outs else ""
    rest = f"The card that is left{more}" if left == 1 else f"The {some(left, 'card')} that are left{more}"
    if uses_deck(genome):
        return f"{rest} {'lies' if left == 1 else 'lie'} face down in the middle: this is the deck."
    return f"{rest} {'is' if left == 1 else 'are'} put aside unseen."


def _trumps(suit: str, *, left: bool) -> str:
    if suit != "random":
        return f"{capital(SUIT_NAMES[suit])} are trumps: a trump beats every card of the other suits."
    which = "the bottom card of the deck" if left else "the last card that is dealt"
    text = f"The suit of {which} is trumps, and all are told before anybody plays"
    return f"{text}: a trump beats every card of the other suits."


# --- play


def _play(genome: Genome) -> list[str]:
    steps = _once([phase.step(genome, at) for at, phase in enumerate(genome.turn_structure.phases)])
    text = [_order(genome, len(steps))]
    text.append(steps[0] if len(steps) == 1 else "\n".join(f"{at}. {text}" for at, text in enumerate(steps, 1)))
    notes = ["A step that you cannot do is skipped."] if not all(_shared(genome)) else []
    notes += [_empty_deck(genome)] if takes_from_deck(genome) and deck_runs_out(genome) else []
    notes += ["When the deck is empty, no card is turned up."] if turned_up(genome) and deck_runs_out(genome) else []
    return [*text, " ".join(notes)] if notes else text


def _once(steps: list[str]) -> list[str]:
    """The steps, where a long one that was told before is not told again."""
    first = {step: at for at, step in reversed(list(enumerate(steps, 1)))}
    return [
        step if first[step] == at or len(step) <= LONG else f"{step[: step.index('**', 2)]}** As in step {first[step]}."
        for at, step in enumerate(steps, 1)
    ]


def _shared(genome: Genome) -> list[bool]:
    """Which of the phases are everybody's."""
    return [phase.everybodys for phase in genome.turn_structure.phases]


def _order(genome: Genome, steps: int) -> str:
    shared = _shared(genome)
    if genome.turn_structure.order == "turns":
        text = "The starting player has the first turn, then the others, clockwise. On your turn you do this"
        text += "" if steps == 1 else ", in this order"
        common = _for_everybody(genome)
        plural = len(common) > 1 or common[0] != "betting" if common else False
        return (
            f"{text}; {listed(common)} {'are' if plural else 'is'} for everybody each time:" if common else f"{text}:"
        )
    many = "There is one round" if genome.turn_structure.rounds == 1 else "Play goes in rounds"
    if all(shared):
        return f"{many}{'' if steps == 1 else ' of these steps'}, in which all take part together:"
    if steps == 1:
        return f"{many}. Everybody in turn, from the starting player on, does this:"
    return f"{many}. All do step 1, one after another from the starting player on, then all do step 2, and so on:"


def _for_everybody(genome: Genome) -> list[str]:
    """What all take part in, whosever turn it is."""
    phases = genome.turn_structure.phases
    kinds = {
        "betting": any(phase.bets for phase in phases),
        "tricks": any(phase.tricks for phase in phases),
        "cards turned up": any(phase.turned_up for phase in phases),
    }
    return [kind for kind, there in kinds.items() if there]


def _empty_deck(genome: Genome) -> str:
    if not (genome.setup.initial_discard_count or any(phase.discards for phase in genome.turn_structure.phases)):
        return "When the deck is empty, nothing more is taken from it."
    return (
        "When the deck is empty and a card has to be taken from it, shuffle the discards without their top card, "
        "and use them as the new deck. Where that is impossible, nothing is taken."
    )
