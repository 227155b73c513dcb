"""Genomes that have the right shape and nothing else: any number, any letters, any parts, for Hypothesis."""

from hypothesis import strategies as st
from msgspec import Struct

from pitboss.lab.genome import CardEffect, CardPoints, Deck, Genome, LaySets, Setup, TrickPoints, TurnStructure
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks

NUMBERS = st.one_of(st.integers(-3, 60), st.integers(-(10**12), 10**12))
FLAGS = st.booleans()
RANKS = st.text("23456789TJQKA1x", max_size=14)
SUITS = st.text("cdhsx", max_size=5)


def many(*kinds: st.SearchStrategy[Struct], most: int) -> st.SearchStrategy[tuple[Struct, ...]]:
    """A row of parts of these kinds."""
    return st.lists(st.one_of(*kinds), max_size=most).map(tuple)


PHASES = (
    st.builds(
        DrawPhase,
        source=st.sampled_from(("deck", "discard", "either", "opponent", "ask")),
        count=NUMBERS,
        optional=FLAGS,
        only_if_stuck=FLAGS,
    ),
    st.builds(
        PlayPhase,
        target=st.sampled_from(("discard", "tableau")),
        match=st.lists(st.sampled_from(("any", "suit", "rank", "higher")), max_size=2).map(tuple),
        wild=RANKS,
        most=NUMBERS,
        optional=FLAGS,
        clear_after_passes=FLAGS,
        capture=st.sampled_from(("none", "rank", "sum")),
    ),
    st.builds(DiscardPhase, count=NUMBERS, optional=FLAGS, replace=FLAGS),
    st.builds(TrickPhase, follow=FLAGS, blind=FLAGS, to=st.sampled_from(("captured", "hand"))),
    st.builds(ClaimPhase, most=NUMBERS),
    st.builds(CommunityPhase, count=NUMBERS),
    st.builds(BettingPhase, min_bet=NUMBERS, max_raises=NUMBERS),
)
EFFECTS = (
    st.builds(CardEffect, rank=RANKS, effect=st.sampled_from(("skip", "reverse", "draw_two", "again"))),
    st.builds(CardEffect, rank=st.sampled_from("8JA"), effect=st.just("skip")),
    st.builds(LaySets, size=NUMBERS, points=NUMBERS),
)
SCORING = (
    st.builds(
        CardPoints,
        cards=st.one_of(st.text("*Ahs2", max_size=3), st.sampled_from(("**", "A*", "*h"))),
        points=NUMBERS,
        where=st.sampled_from(("captured", "hand")),
    ),
    st.builds(TrickPoints, points=NUMBERS),
)
WINS = (
    st.builds(BestHand, ranking=st.sampled_from(("poker", "points")), bust=NUMBERS),
    st.builds(FirstToScore, target=NUMBERS),
    st.builds(LeastDeadwood, knock=NUMBERS),
    *map(st.builds, (HighCard, HighScore, LowScore, EmptyHand, CaptureAll, MostTricks)),
)

any_setup = st.builds(
    Setup,
    cards_per_player=NUMBERS,
    initial_deck=st.one_of(st.just("standard_52"), st.builds(Deck, ranks=RANKS, suits=SUITS)),
    initial_discard_count=NUMBERS,
    initial_tableau_count=NUMBERS,
    trump_suit=st.sampled_from((None, "random", "c", "s", "x", "")),
    starting_chips=NUMBERS,
    ante=NUMBERS,
    pots=st.sampled_from(("single", "side")),
    deals=NUMBERS,
)
any_genome = st.builds(
    Genome,
    name=st.text(max_size=70),
    player_count=NUMBERS,
    setup=any_setup,
    turn_structure=st.builds(
        TurnStructure, phases=many(*PHASES, most=14), order=st.sampled_from(("turns", "rounds")), rounds=NUMBERS
    ),
    effects=many(*EFFECTS, most=5),
    scoring=many(*SCORING, most=4),
    win_conditions=many(*WINS, most=6),
    max_turns=NUMBERS,
)
