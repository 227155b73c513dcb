"""A game's rules in plain English, made from its genome; only what can happen in the game is written."""

import re
from itertools import combinations
from textwrap import fill

from pitboss.lab.english import (
    GLUE,
    RANK_NAMES,
    SUIT_NAMES,
    capital,
    cards,
    chips,
    listed,
    number,
    plural,
    points,
    ranks_of,
    some,
    title,
)
from pitboss.lab.genome import (
    MOST_CARDS,
    Betting,
    CardEffect,
    CardPoints,
    Deck,
    Genome,
    LaySets,
    Scoring,
    cards_leave,
    deciding_wins,
    has_hands,
    has_tricks,
    lays_sets,
    only_blind,
    settled_from,
    turned_up,
    undealt,
)

WIDTH = 100
LONGEST_REPEATED = 160
"""A step of more characters is not told twice."""


def runs_short(genome: Genome) -> bool:
    """Whether somebody can have too few chips for a bet or a call: not in a deal that all begin with enough."""
    setup, bets = genome.setup, genome.betting_phases
    most = setup.ante + sum([bet.min_bet * (1 + bet.max_raises) for bet in bets])
    return setup.deals > 1 or genome.turn_structure.rounds != 1 or most > setup.starting_chips


def points_matter(genome: Genome) -> bool:
    """Whether anything is decided by points."""
    first, *others = genome.win_conditions
    wins = [first, *[win for win in others if win.ends(genome) or win.final_score]]
    return any(win.point or win.final_score for win in wins)


def can_score(rule: Scoring, genome: Genome) -> bool:
    """Whether there is ever anything for which this rule gives points."""
    if not isinstance(rule, CardPoints):
        return has_tricks(genome)
    deck = genome.setup.deck
    if rule.cards[0] not in f"*{deck.ranks}" or rule.cards[1] not in f"*{deck.suits}":
        return False
    return has_hands(genome) if rule.where == "hand" else takes_cards(genome)


def takes_cards(genome: Genome) -> bool:
    """Whether cards can come to lie before somebody."""
    return lays_sets(genome) or any(phase.traits.captures for phase in genome.turn_structure.phases)


def scoring_rules(genome: Genome) -> tuple[Scoring, ...]:
    """The rules of scoring that can matter."""
    return tuple([rule for rule in genome.scoring if can_score(rule, genome)]) if points_matter(genome) else ()


def speaks_of(genome: Genome, pile: str) -> bool:
    """Whether any step speaks of these cards: "discards" or "table"."""
    return any(pile in phase.step(genome, at) for at, phase in enumerate(genome.turn_structure.phases))


def always_moves(genome: Genome) -> bool:
    """Whether a card surely moves in every round there is: all have as many, and play one to each trick."""
    phases = genome.turn_structure.phases
    only = all((phase.tricks and phase.traits.captures) or phase.bets or phase.traits.turned_up for phase in phases)
    return only and not lays_sets(genome) and has_tricks(genome) and genome.setup.cards_per_player > 0


def plays_out(genome: Genome) -> bool:
    """Whether all can come to be without a card before anything else ends the deal."""
    if any(win.needs_cards for win in genome.win_conditions) or not cards_leave(genome):
        return False
    if not always_moves(genome):
        return True
    turns, cards = genome.turn_structure, genome.setup.cards_per_player
    tricks = [phase.tricks for phase in turns.phases]
    times = turns.rounds * (genome.player_count if turns.order == "turns" else 1) * sum(tricks)
    return times == 0 or times > cards or (times == cards and not tricks[-1] and settled_from(genome) == len(tricks))


def cards_come(genome: Genome) -> bool:
    """Whether anybody takes a card into the hand after the deal."""
    return takes_from_deck(genome) or any(
        phase.traits.grows or phase.traits.takes_known for phase in genome.turn_structure.phases
    )


def sheds(genome: Genome) -> int:
    """How many cards surely leave each hand in a round, where no hand ever grows; else 0."""
    turns = genome.turn_structure
    grows = _makes_draw(genome) or any(phase.traits.grows or phase.traits.takes_known for phase in turns.phases)
    missed = any(isinstance(effect, CardEffect) for effect in genome.effects) or genome.betting_phases
    if grows or (turns.order == "turns" and missed):  # where a turn may be missed, or folding makes a round shorter
        return 0
    return sum([phase.traits.shed for phase in turns.phases])


def rounds_end_it(genome: Genome) -> bool:
    """Whether a deal can be over since all its rounds were played, not before since hands run out."""
    runs_out = any(win.needs_cards and win.at_once for win in genome.win_conditions)
    rounds = genome.turn_structure.rounds
    return rounds > 0 and not (runs_out and sheds(genome) * rounds >= genome.setup.cards_per_player)


def uses_deck(genome: Genome) -> bool:
    """Whether cards ever come from the deck once all is dealt."""
    return takes_from_deck(genome) or turned_up(genome) > 0


def lies_open(genome: Genome) -> bool:
    """Whether cards come to lie face up where they could be forgotten: in piles, or in front of somebody."""
    return takes_cards(genome) or any(phase.traits.discards or phase.plays for phase in genome.turn_structure.phases)


def takes_from_deck(genome: Genome) -> bool:
    """Whether anybody takes cards from the deck into the hand."""
    return any(phase.traits.taken for phase in genome.turn_structure.phases) or _makes_draw(genome)


def _makes_draw(genome: Genome) -> bool:
    """Whether a card is played that lets another player draw."""
    makes = any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)
    return makes and any(phase.plays for phase in genome.turn_structure.phases)


def deck_runs_out(genome: Genome) -> bool:
    """Whether more cards can be taken and turned up than the deck has."""
    turns, n = genome.turn_structure, genome.player_count
    taken = n * sum([phase.traits.taken for phase in turns.phases])
    a_round = taken + turned_up(genome) * (n if turns.order == "turns" else 1)
    return a_round > 0 and (turns.rounds == 0 or _makes_draw(genome) or turns.rounds * a_round > undealt(genome))


def in_short(genome: Genome) -> str:
    """What one does, step by step, and until when."""
    turns = genome.turn_structure
    steps = ", then ".join([phase.brief(genome) for phase in turns.phases])
    heading = "A turn in short" if turns.order == "turns" else "A round in short"
    return f"**{heading}:** {steps}. {_until(genome)}"


def _until(genome: Genome) -> str:
    """When the deal is decided, as a rule."""
    rounds = genome.turn_structure.rounds
    ends = [end for win in genome.win_conditions if (end := win.ends(genome))]
    if rounds == 1 and not ends:
        return "After one round the deal is decided."
    if rounds_end_it(genome):
        ends.append("the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played")
    return f"This goes on until {listed(ends or ['all cards are played'], 'or')}."


def betting(genome: Genome) -> list[str]:
    """A round of betting, spelt out."""
    bets = genome.betting_phases
    if not bets:
        return []
    short = runs_short(genome)
    return [_who_speaks_first(genome), _before_a_bet(bets, short), _after_a_bet(genome), *_closing(genome)]


def _who_speaks_first(genome: Genome) -> str:
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
    names = dict.fromkeys(phase.traits.unfinished for phase in genome.turn_structure.phases if phase.traits.unfinished)
    return listed(list(names), "or")


def _played_out(genome: Genome) -> str:
    who = "nobody who is still in" if genome.betting_phases else "nobody"
    more = ", and none can come any more" if any(phase.traits.grows for phase in genome.turn_structure.phases) else ""
    return f"{who} has a card left{more}"


def _quiet(genome: Genome) -> str:
    phases = genome.turn_structure.phases
    moved = "no chip has been paid" if all(phase.bets for phase in phases) else "no card has moved"
    moved += " and no pile was cleared" if any(phase.traits.clears for phase in phases) else ""
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


def sets(genome: Genome) -> list[str]:
    """How sets are laid."""
    return [set_sentence(effect, genome) for effect in genome.effects if isinstance(effect, LaySets)][:1]


def set_sentence(effect: LaySets, genome: Genome) -> str:
    """What is done with so many cards of a rank."""
    text = f"Whenever you hold {number(effect.size)} cards of the same rank, also right after the deal, "
    text += (
        "lay them in front of you at once, face up (of more, those that you have held longest); they are out of play"
    )
    won = any(win.collects for win in genome.win_conditions)
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
        row = ", in a row from left to right" if use == "" and any(phase.traits.captures for phase in phases) else ""
        text.append(f"Lay {some(setup.initial_tableau_count, 'card')} face up on the table{row}{use}.")
    text.append(_rest(genome))
    text.append(_open_to_all(genome))
    paragraphs = [" ".join(part for part in text if part)]
    if setup.trump_suit is not None and any(phase.tricks and phase.traits.looks for phase in phases):
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
        step
        if first[step] == at or len(step) <= LONGEST_REPEATED
        else f"{step[: step.index('**', 2)]}** As in step {first[step]}."
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
        "cards turned up": any(phase.traits.turned_up for phase in phases),
    }
    return [kind for kind, there in kinds.items() if there]


def _empty_deck(genome: Genome) -> str:
    if not (genome.setup.initial_discard_count or any(phase.traits.discards for phase in genome.turn_structure.phases)):
        return "When the deck is empty, nothing more is taken from it."
    return (
        "When the deck is empty and a card has to be taken from it, shuffle the discards without their top card, "
        "and use them as the new deck. Where that is impossible, nothing is taken."
    )
