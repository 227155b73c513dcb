"""The rules of a game in plain English, written from its genome. Only rules that can matter are included."""

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
"""The maximum number of characters of a step that is repeated. A longer step is replaced by a reference."""


def runs_short(genome: Genome) -> bool:
    """Return whether a player can have too few chips for a bet or call. In a single deal, enough chips exclude this."""
    setup, bets = genome.setup, genome.betting_phases
    most = setup.ante + sum([bet.min_bet * (1 + bet.max_raises) for bet in bets])
    return setup.deals > 1 or genome.turn_structure.rounds != 1 or most > setup.starting_chips


def can_go_all_in(genome: Genome) -> bool:
    """Return whether a player can have chips, but too few for a bet or call."""
    return genome.setup.deals > 1 or (runs_short(genome) and any(bet.min_bet > 1 for bet in genome.betting_phases))


def points_matter(genome: Genome) -> bool:
    """Return whether points decide anything."""
    first, *others = genome.win_conditions
    wins = [first, *[win for win in others if win.ends(genome) or win.final_score]]
    return any(win.point or win.final_score for win in wins)


def can_score(rule: Scoring, genome: Genome) -> bool:
    """Return whether this rule can ever give points."""
    if not isinstance(rule, CardPoints):
        return has_tricks(genome)
    deck = genome.setup.deck
    if rule.cards[0] not in f"*{deck.ranks}" or rule.cards[1] not in f"*{deck.suits}":
        return False
    return has_hands(genome) if rule.where == "hand" else takes_cards(genome)


def takes_cards(genome: Genome) -> bool:
    """Return whether players can have captured cards in front of them."""
    return lays_sets(genome) or any(traits.captures for traits in genome.traits)


def scoring_rules(genome: Genome) -> tuple[Scoring, ...]:
    """Return the scoring rules that can matter."""
    return tuple([rule for rule in genome.scoring if can_score(rule, genome)]) if points_matter(genome) else ()


def speaks_of(genome: Genome, pile: str) -> bool:
    """Return whether the text of any step contains "discards" or "table"."""
    return any(pile in phase.step(genome, at) for at, phase in enumerate(genome.turn_structure.phases))


def always_moves(genome: Genome) -> bool:
    """Return whether a card moves in every round, because only tricks are played and all hands have the same size."""
    phases = genome.turn_structure.phases
    only = all((phase.tricks and phase.traits.captures) or phase.bets or phase.traits.turned_up for phase in phases)
    return only and not lays_sets(genome) and has_tricks(genome) and genome.setup.cards_per_player > 0


def plays_out(genome: Genome) -> bool:
    """Return whether all hands can become empty before anything else ends the deal."""
    if any(win.needs_cards for win in genome.win_conditions) or not cards_leave(genome):
        return False
    if not always_moves(genome):
        return True
    turns, cards = genome.turn_structure, genome.setup.cards_per_player
    tricks = [phase.tricks for phase in turns.phases]
    times = turns.rounds * (genome.player_count if turns.order == "turns" else 1) * sum(tricks)
    return times == 0 or times > cards or (times == cards and not tricks[-1] and settled_from(genome) == len(tricks))


def cards_come(genome: Genome) -> bool:
    """Return whether players can get cards after the deal."""
    return takes_from_deck(genome) or any(traits.grows or traits.takes_known for traits in genome.traits)


def sheds(genome: Genome) -> int:
    """Return the number of cards that always leave each hand in a round. If hands can grow, return 0."""
    turns = genome.turn_structure
    grows = _makes_draw(genome) or any(phase.traits.grows or phase.traits.takes_known for phase in turns.phases)
    missed = any(isinstance(effect, CardEffect) for effect in genome.effects) or genome.betting_phases
    if grows or (turns.order == "turns" and missed):  # turns can be missed, and folds shorten a round
        return 0
    return sum([phase.traits.shed for phase in turns.phases])


def rounds_end_it(genome: Genome) -> bool:
    """Return whether the number of rounds can end a deal before empty hands end it."""
    runs_out = any(win.needs_cards and win.at_once for win in genome.win_conditions)
    rounds = genome.turn_structure.rounds
    return rounds > 0 and not (runs_out and sheds(genome) * rounds >= genome.setup.cards_per_player)


def uses_deck(genome: Genome) -> bool:
    """Return whether cards can come from the deck after the deal."""
    return takes_from_deck(genome) or turned_up(genome) > 0


def lies_open(genome: Genome) -> bool:
    """Return whether cards can become face up in piles or in front of players. Players could forget such cards."""
    return takes_cards(genome) or any(phase.traits.discards or phase.plays for phase in genome.turn_structure.phases)


def takes_from_deck(genome: Genome) -> bool:
    """Return whether players can take cards from the deck into their hands."""
    return any(traits.taken for traits in genome.traits) or _makes_draw(genome)


def _makes_draw(genome: Genome) -> bool:
    """Return whether a played card can make another player draw."""
    makes = any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)
    return makes and any(phase.plays for phase in genome.turn_structure.phases)


def deck_runs_out(genome: Genome) -> bool:
    """Return whether a deal can need more cards than the deck has."""
    turns, n = genome.turn_structure, genome.player_count
    taken = n * sum([phase.traits.taken for phase in turns.phases])
    a_round = taken + turned_up(genome) * (n if turns.order == "turns" else 1)
    return a_round > 0 and (turns.rounds == 0 or _makes_draw(genome) or turns.rounds * a_round > undealt(genome))


def in_short(genome: Genome) -> str:
    """Return the steps in short, and when the deal ends."""
    turns = genome.turn_structure
    steps = ", then ".join([phase.brief(genome) for phase in turns.phases])
    heading = "A turn in short" if turns.order == "turns" else "A round in short"
    return f"**{heading}:** {steps}. {_until(genome)}"


def _until(genome: Genome) -> str:
    """Return when the deal usually ends."""
    rounds = genome.turn_structure.rounds
    ends = [end for win in genome.win_conditions if (end := win.ends(genome))]
    if rounds == 1 and not ends:
        return "After one round the deal is decided."
    if rounds_end_it(genome):
        ends.append("the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played")
    return f"This goes on until {listed(ends or ['all cards are played'], 'or')}."


def betting(genome: Genome) -> list[str]:
    """Return the rules of a round of betting."""
    bets = genome.betting_phases
    if not bets:
        return []
    short = runs_short(genome)
    return [_first_to_act(genome), _before_a_bet(bets, short), _after_a_bet(genome), *_closing(genome)]


def _first_to_act(genome: Genome) -> str:
    still_in = "As long as there is no bet, you may"
    if len(genome.betting_phases) == 1 and genome.turn_structure.rounds == 1:
        return f"The starting player acts first, then the others clockwise. {still_in}"
    text = "Each round of betting begins without a bet; chips that were paid earlier stay in the pot. "
    text += "The starting player acts first or, if that player is out of the deal, the next player who is still in. "
    return f"{text}The others follow clockwise. {still_in}"


def _size(bets: tuple[Betting, ...]) -> str:
    """Return the size of a bet, if it is the same in all rounds of betting."""
    sizes = {bet.min_bet for bet in bets}
    return chips(sizes.pop()) if len(sizes) == 1 else "the amount given in the step"


def _before_a_bet(bets: tuple[Betting, ...], short: bool) -> str:
    lines = ["- **check**: pay nothing and stay in;", f"- **bet**: pay {_size(bets)}."]
    if short and any(bet.min_bet > 1 for bet in bets):
        lines.append("- **go all-in**, if you have fewer chips than a bet: pay all of them.")
        lines[1] = f"{lines[1][:-1]};"
    return "\n".join(lines)


def _after_a_bet(genome: Genome) -> str:
    bets = genome.betting_phases
    lines = ["Once there is a bet, you may", ""]
    lines.append("- **call**: pay the difference to the highest bet;")
    lines += _raise(bets)
    if genome.setup.deals > 1:  # in a single deal, the players still in have the same chips
        lines.append("- **go all-in**, if you have fewer chips than a call costs: pay all of them;")
    lines.append("- **fold**: give up the deal and the chips you have paid.")
    return "\n".join(lines)


def _raise(bets: tuple[Betting, ...]) -> list[str]:
    raises = {bet.max_raises for bet in bets}
    if raises == {0}:
        return []
    size = f"{_size(bets)} more" if len({bet.min_bet for bet in bets}) == 1 else "the size of a bet more"
    limit = some(raises.pop(), "raise") if len(raises) == 1 else "the number of raises given in the step"
    return [f"- **raise**, if you have enough chips: call, and pay {size}; at most {limit} in a round of betting;"]


def _closing(genome: Genome) -> list[str]:
    bets, short = genome.betting_phases, runs_short(genome)
    again = ["a bet", *(["a raise"] if any(bet.max_raises for bet in bets) else [])]
    again += ["an all-in above the previous bets"] if short and any(bet.min_bet > 1 for bet in bets) else []
    text = f"After {listed(again, 'or')}, all other players who are still in act again. "
    broke = " or have no chips left" if short else ""
    text += f"The round of betting is over when all players who are still in have paid the same amount{broke}."
    if short:
        text += " Without chips you do not act in betting any more, but you stay in and can win the pot. "
        text += "A player who has chips acts even if all others are all-in; "
        text += "a bet that no other player can answer wins nothing."
    folded = (
        "If you fold, you are out of the deal: you take no more turns, make no more bets and get no share of the pot. "
    )
    if genome.player_count > 2:  # with two players, a fold ends the deal
        won = "; cards that you have won stay in front of you" if takes_cards(genome) else ""
        folded += f"You keep the cards in your hand, unseen and out of play{won}. "
    folded += "When all players but one have folded, that player wins the deal immediately, without showing a card."
    return [text, folded]


def pot(genome: Genome) -> list[str]:
    """Return how the pot is paid."""
    if not genome.setup.starting_chips:
        return []
    first = "clockwise from the player who started the"
    if genome.setup.pots == "single":
        text = "The winner of the deal takes the whole pot. If several players win, they share it equally; "
        return [f"{text}chips that cannot be divided go to the first of them, {first} first deal."]
    text = "Chips that were not called go back to the player who paid them. If you are all-in, you can win from each "
    text += "other player at most as much as you paid yourself. The chips beyond that are a side pot, which goes to "
    text += "the best of the players who paid for it. If several players win a pot, they share it equally; chips that "
    return [f"{text}cannot be divided go to them one by one, {first} deal."]


def aim(genome: Genome) -> str:
    first = genome.win_conditions[0]
    if genome.setup.starting_chips:
        return f"Win chips: each pot goes to {first.best()}, or to the last player who has not folded."
    return first.aim(genome)


# --- the end of a deal


def deals_end(genome: Genome) -> list[str]:
    """Return when a deal is over."""
    ends = [end for win in genome.win_conditions if (end := win.ends(genome))]
    unfinished = _unfinished(genome) if ends else ""
    rounds = genome.turn_structure.rounds
    if rounds_end_it(genome):
        played = "the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played{_a_round(genome)}"
        ends.append(f"{played}{_no_last_bets(genome)}")
    if genome.betting_phases:
        ends.append("all players but one have folded")
    if plays_out(genome):
        ends.append(_played_out(genome))
    if rounds != 1 and not always_moves(genome) and not sheds(genome):
        ends.append(_quiet(genome))
    lines = "\n".join(f"- {end}{';' if end is not ends[-1] else '.'}" for end in ends)
    text = f" {ends[0]}." if len(ends) == 1 else f"\n\n{lines}"
    text = f"The deal is over as soon as{text}"
    return [text, f"{capital(unfinished)} that has begun is finished first."] if unfinished else [text]


def _a_round(genome: Genome) -> str:
    if genome.turn_structure.order != "turns":
        return ""
    return f" (a round is one turn for each player{' still in' if genome.betting_phases else ''})"


def _no_last_bets(genome: Genome) -> str:
    """Return a note that the last bets are skipped, if all cards are played and the winner is visible."""
    if settled_from(genome) == len(genome.turn_structure.phases):
        return ""
    which = "turn" if genome.turn_structure.order == "turns" else "round"
    return f"; there are no bets at the end of the last {which}"


def _unfinished(genome: Genome) -> str:
    names = dict.fromkeys(phase.traits.unfinished for phase in genome.turn_structure.phases if phase.traits.unfinished)
    return listed(list(names), "or")


def _played_out(genome: Genome) -> str:
    who = "no player who is still in" if genome.betting_phases else "no player"
    more = ", and there are no more cards to take" if any(traits.grows for traits in genome.traits) else ""
    return f"{who} has a card left{more}"


def _quiet(genome: Genome) -> str:
    phases = genome.turn_structure.phases
    moved = "no chip was paid" if all(phase.bets for phase in phases) else "no card was moved"
    moved += " and no pile was cleared" if any(phase.traits.clears for phase in phases) else ""
    if genome.turn_structure.order == "turns":
        return f"all players, one after another, have had a turn in which {moved}"
    return f"there was a round in which {moved}"


# --- who wins it


def winner(genome: Genome) -> list[str]:
    """Return who wins a deal, and the rules that a player needs to see who wins."""
    first, *others = genome.win_conditions
    among = f"Of the players who have not folded, {first.best()} wins the deal." if genome.betting_phases else ""
    text = among or f"{capital(first.best())} wins the deal."
    for other in others:
        if (end := other.ends(genome)) and other.best() != first.best():
            text += f" But if the deal is over because {end}, {other.best()} wins it."
    if first.point and genome.setup.deals > 1:
        text += " The points of all deals so far count."
    text += " If several players are equal, they win together; there is no tie-break."
    return [text, *dict.fromkeys(explained for win in deciding_wins(genome) if (explained := win.explained(genome)))]


# --- the whole game


def game(genome: Genome) -> list[str]:
    """Return the number of deals, the winner of the game, and the limit of moves."""
    return [f"{_deals(genome)} {_game_winner(genome)}", _limit(genome)]


def _deals(genome: Genome) -> str:
    if genome.setup.deals == 1:
        return "The game is a single deal."
    early = ["fewer than two players have chips left"] if genome.setup.starting_chips else []
    targets = [win.final_score for win in genome.win_conditions if win.final_score]
    if targets:
        early.append(f"a player has {points(min(targets))}")
    fewer = f" Stop earlier if {listed(early, 'or')}." if early else ""
    text = f"Play {some(genome.setup.deals, 'deal')}.{fewer}"
    if genome.setup.starting_chips:
        text += " A player who has no chips at the beginning of a deal is left out."
    return text


def _game_winner(genome: Genome) -> str:
    together = "if several players are equal, they win together."
    if genome.setup.starting_chips:
        return f"The player with the most chips at the end wins the game; {together}"
    if genome.setup.deals == 1:
        return "The winner of the deal wins the game."
    point = genome.win_conditions[0].point
    if point == 0:
        return f"The player who wins the most deals, alone or together with others, wins the game; {together}"
    which = "most" if point > 0 else "fewest"
    return f"Points are added up over the deals, and the player with the {which} wins the game; {together}"


def _limit(genome: Genome) -> str:
    moves = some(genome.max_turns, "move")
    text = f"After {moves} the game stops, and the current position decides the deal."
    return f"{text} Steps without a choice count as moves."


def sets(genome: Genome) -> list[str]:
    return [set_sentence(effect, genome) for effect in genome.effects if isinstance(effect, LaySets)][:1]


def set_sentence(effect: LaySets, genome: Genome) -> str:
    """Return how a set is laid."""
    text = (
        f"As soon as you hold {number(effect.size)} cards of the same rank, also right after the deal, lay them face "
    )
    text += (
        "up in front of you. If you hold more of the rank, lay those that you have held longest. They are out of play"
    )
    text += " and count as won." if any(win.collects for win in genome.win_conditions) else "."
    scores = effect.points and points_matter(genome)
    return f"{text} Each such set gives you {points(effect.points)}." if scores else text


def sets_score(genome: Genome) -> bool:
    return points_matter(genome) and any(isinstance(effect, LaySets) and effect.points for effect in genome.effects)


def special_cards(genome: Genome) -> list[str]:
    """Return the effects of playing certain cards."""
    lines = [
        f"- **{capital(plural(RANK_NAMES[effect.rank]))}:** {text}"
        for effect in genome.effects
        if isinstance(effect, CardEffect) and (text := effect_sentence(effect, genome))
    ]
    return ["Some cards have an effect when they are played:", "\n".join(lines)] if lines else []


def effect_sentence(effect: CardEffect, genome: Genome) -> str:
    """Return the effect of playing a card of this rank. It is empty if the card has no effect in this game."""
    in_turns = genome.turn_structure.order == "turns"
    following = f"the next player{' who is still in' if genome.betting_phases else ''}"
    if not any(phase.plays for phase in genome.turn_structure.phases) or effect.rank not in genome.setup.deck.ranks:
        return ""
    match effect.effect:
        case "skip":
            return f"{following} misses a turn." if in_turns else ""
        case "reverse":
            return "the direction of play is reversed." if in_turns else ""
        case "again":
            return "you have another turn." if in_turns else ""
        case "draw_two":
            return f"{following} takes two cards from the deck."


def scored_points(genome: Genome) -> list[str]:
    """Return the cards and tricks that give points at the end of a deal."""
    scoring = scoring_rules(genome)
    if not scoring:
        return []
    lines = [f"- {capital(thing)}: {points(total)}." for thing, total in _added_up(scoring).items() if total]
    if _overlap(scoring):
        lines.append("\nA card that fits several of these lines counts in each of them.")
    who = "every player, folded or not," if genome.betting_phases else "every player"
    more = genome.setup.deals > 1 or sets_score(genome)
    return [
        f"At the end of the deal {who} counts{' and adds to the earlier points' if more else ''}:",
        "\n".join(lines),
    ]


def _added_up(scoring: tuple[Scoring, ...]) -> dict[str, int]:
    """Return the total points for each thing that gives points."""
    totals = dict[str, int]()
    for rule in scoring:
        totals[scored_thing(rule)] = totals.get(scored_thing(rule), 0) + rule.points
    return totals


def scored_thing(rule: Scoring) -> str:
    """Return the thing that gives points: "each heart in front of you"."""
    if not isinstance(rule, CardPoints):
        return "each trick you have taken"
    return f"{cards(rule.cards)} {'in front of you' if rule.where == 'captured' else 'still in your hand'}"


def _overlap(scoring: tuple[Scoring, ...]) -> bool:
    """Return whether a card can count twice."""
    rules = [rule for rule in scoring if isinstance(rule, CardPoints)]
    return any(
        one.cards != other.cards
        and one.where == other.where
        and all("*" in pair or pair[0] == pair[1] for pair in zip(one.cards, other.cards, strict=True))
        for one, other in combinations(rules, 2)
    )


def rulebook(genome: Genome) -> str:
    """Return the rules of a valid genome, as Markdown.

    >>> from pitboss.lab import load
    >>> rulebook(load("crazy_eights")).splitlines()[:3]
    ['# Crazy Eights', '', 'A game for two players. Be the first to get rid of all your cards.']
    """
    with_chips = ", with chips" if genome.setup.starting_chips else ""
    opening = f"A game for {number(genome.player_count)} players{with_chips}. {aim(genome)}"
    parts = [f"# {title(genome.name)}", opening, in_short(genome)]
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
    """Break long lines. Indent list items. No line begins with a number, because it would look like a list item."""
    lines = []
    for line in part.splitlines():
        indent = re.match(r"- |\d+\. |", line)
        hang = " " * (len(indent[0]) if indent else 0)
        glued = re.sub(r"(?<=[^\d.]) (?=\d)", GLUE, line)
        filled = fill(glued, WIDTH, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
        lines.append(filled.replace(GLUE, " ") if line else "")
    return "\n".join(lines)


# --- equipment and deal


def _needs(genome: Genome) -> list[str]:
    things = _deck(genome.setup.deck)
    if genome.setup.starting_chips:
        things.append(f"{chips(genome.setup.starting_chips)} for each player.")
    if scoring_rules(genome) or sets_score(genome):
        things.append("Pen and paper for the points.")
    return ["\n".join(f"- {capital(thing)}" for thing in things)]


def _deck(deck: Deck) -> list[str]:
    """Return the cards, and the ranks from low to high."""
    size = len(deck.ranks) * len(deck.suits)
    suits = listed([SUIT_NAMES[suit] for suit in deck.suits])
    what = "A standard deck of 52 cards." if size == MOST_CARDS else f"{some(size, 'card')}, in {suits}."
    if len(deck.ranks) == 1:
        return [what, f"The only rank: {ranks_of(deck)}."]
    return [what, f"The ranks, from lowest to highest: {ranks_of(deck)}."]


def _deal(genome: Genome) -> list[str]:
    setup, phases = genome.setup, genome.turn_structure.phases
    text = ["Choose the starting player at random. Play goes clockwise from that player."]
    if setup.deals > 1:
        with_chips = " who has chips" if setup.starting_chips else ""
        text.append(f"The next player{with_chips} starts each new deal.")
    if setup.ante:
        text.append(f"Each player pays an ante of {chips(setup.ante)} into the pot.")
        text += ["A player who has fewer chips pays all of them."] if setup.deals > 1 else []
    text.append(f"Shuffle the cards.{_hands(genome)}")
    if count := setup.initial_discard_count:
        what = "the next card" if count == 1 else f"the next {some(count, 'card')}"
        used = speaks_of(genome, "discards") or (takes_from_deck(genome) and deck_runs_out(genome))
        begins = f": {'it is' if count == 1 else 'they are'} the beginning of the discards"
        text.append(f"Lay {what} face up next to the deck{_out_of_play(used, begins, one=count == 1)}.")
    if count := setup.initial_tableau_count:
        use = _out_of_play(speaks_of(genome, "table"), "", one=count == 1)
        row = ", in a row from left to right" if use == "" and any(phase.traits.captures for phase in phases) else ""
        text.append(f"Lay {some(count, 'card')} face up on the table{row}{use}.")
    text += [_rest(genome), _open_to_all(genome)]
    paragraphs = [" ".join(part for part in text if part)]
    if setup.trump_suit is not None and any(phase.tricks and phase.traits.looks for phase in phases):
        paragraphs.append(_trumps(setup.trump_suit, left=undealt(genome) > 0))
    return paragraphs


def _open_to_all(genome: Genome) -> str:
    """Return what all players may check during play; empty if it never changes."""
    if lies_open(genome):
        return "At any time, all players may look at face-up cards and ask how many cards a player holds."
    changes = cards_come(genome) or cards_leave(genome)
    return "At any time, all players may ask how many cards a player holds." if changes else ""


def _out_of_play(used: bool, use: str, *, one: bool) -> str:
    """Return the use of face-up cards, or that they have no use."""
    return use if used else f", for all to see; {'it is' if one else 'they are'} not used in the game"


def _hands(genome: Genome) -> str:
    count = genome.setup.cards_per_player
    if count == 0:
        later = " You may look at the cards that you get later, but not at those of other players."
        return f" No cards are dealt to the players.{later if cards_come(genome) else ''}"
    text = f" Deal {some(count, 'card')} to each player, one at a time, face down."
    if only_blind(genome):
        return f"{text} Do not look at {'it' if count == 1 else 'them'}: your cards are a pile in front of you."
    own = "your own card" if count == 1 else "your own cards"
    later = ", including those that you get later," if cards_come(genome) else ""
    return f"{text} You may look at {own}{later or ','} but not at those of other players."


def _rest(genome: Genome) -> str:
    """Return what happens with the cards that are not dealt."""
    setup, left = genome.setup, undealt(genome)
    if left == 0:
        return "All cards are dealt."
    outs = setup.starting_chips > 0 and setup.deals > 1 and genome.player_count > 2
    more = " (more if a player is left out)" if outs else ""
    rest = f"the remaining {'card' if left == 1 else some(left, 'card')}{more}"
    if uses_deck(genome):
        return f"Put {rest} face down in the middle: this is the deck."
    return f"Put {rest} aside unseen."


def _trumps(suit: str, *, left: bool) -> str:
    if suit != "random":
        return f"{capital(SUIT_NAMES[suit])} are trumps: a trump beats every card of the other suits."
    which = "the bottom card of the deck" if left else "the last card that is dealt"
    text = f"The suit of {which} is trumps and is announced before play begins."
    return f"{text} A trump beats every card of the other suits."


# --- play


def _play(genome: Genome) -> list[str]:
    steps = _once([phase.step(genome, at) for at, phase in enumerate(genome.turn_structure.phases)])
    text = [_order(genome, len(steps))]
    text.append(steps[0] if len(steps) == 1 else "\n".join(f"{at}. {text}" for at, text in enumerate(steps, 1)))
    notes = ["Skip a step that you cannot do."] if not all(_shared(genome)) else []
    notes += [_empty_deck(genome)] if takes_from_deck(genome) and deck_runs_out(genome) else []
    notes += ["When the deck is empty, no card is turned up."] if turned_up(genome) and deck_runs_out(genome) else []
    return [*text, " ".join(notes)] if notes else text


def _once(steps: list[str]) -> list[str]:
    """Return the steps. A long step that appeared before is replaced by a reference to it."""
    first = {step: at for at, step in reversed(list(enumerate(steps, 1)))}
    return [
        step
        if first[step] == at or len(step) <= LONGEST_REPEATED
        else f"{step[: step.index('**', 2)]}** Same as step {first[step]}."
        for at, step in enumerate(steps, 1)
    ]


def _shared(genome: Genome) -> list[bool]:
    """Return for each phase whether all players take part together."""
    return [phase.everybodys for phase in genome.turn_structure.phases]


def _order(genome: Genome, steps: int) -> str:
    shared = _shared(genome)
    if genome.turn_structure.order == "turns":
        text = "The starting player has the first turn, and the others follow clockwise. On your turn you do this"
        text += "" if steps == 1 else ", in this order"
        together = _for_all(genome)
        return f"{text}; all players take part in {listed(together)} each time:" if together else f"{text}:"
    many = "There is one round" if genome.turn_structure.rounds == 1 else "Play goes in rounds"
    if all(shared):
        return f"{many}{'' if steps == 1 else ' of these steps'}, in which all players take part together:"
    if steps == 1:
        return f"{many}. Each player in turn, beginning with the starting player, does this:"
    text = f"{many}. All players do step 1 in turn, beginning with the starting player. Then all do step 2"
    return f"{text}:" if steps == 2 else f"{text}, and so on:"


def _for_all(genome: Genome) -> list[str]:
    """Return the steps in which all players take part in every turn."""
    phases = genome.turn_structure.phases
    kinds = {
        "betting": any(phase.bets for phase in phases),
        "tricks": any(phase.tricks for phase in phases),
        "turning up cards": any(phase.traits.turned_up for phase in phases),
    }
    return [kind for kind, found in kinds.items() if found]


def _empty_deck(genome: Genome) -> str:
    if not (genome.setup.initial_discard_count or any(traits.discards for traits in genome.traits)):
        return "When the deck is empty, no more cards are taken from it."
    return (
        "When the deck is empty and a card has to be taken from it, shuffle the discards without their top card, "
        "and use them as the new deck. If that is impossible, no card is taken."
    )
