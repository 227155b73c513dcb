"""What makes a genome unplayable: every reason in a sentence that names the field; and how a game is loaded."""

import reprlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pitboss.cards import RANKS, SUITS
from pitboss.lab.genome.known import known_games, known_text
from pitboss.lab.genome.parts import (
    MOST_CARDS,
    MOST_PHASES,
    MOST_PLAYERS,
    MOST_WINS,
    AnyPhase,
    AnyWin,
    BestHand,
    BettingPhase,
    CaptureAll,
    CardPoints,
    ClaimPhase,
    CommunityPhase,
    Deck,
    DiscardPhase,
    DrawPhase,
    EmptyHand,
    FirstToScore,
    Genome,
    GenomeError,
    HighCard,
    HighScore,
    LaySets,
    LeastDeadwood,
    LowScore,
    MostTricks,
    PlayPhase,
    TrickPhase,
    TrickPoints,
    read_genome,
)

MOST_CHIPS = 1_000_000_000
MOST_RAISES = 1_000
MOST_DEALS = 100
MOST_TURNS = 100_000
MOST_POINTS = 1_000_000  #: a rule's points, either way, and every limit that is counted in points
MOST_AT_ONCE = 4  #: cards of one rank that are played or claimed together
MOST_RULES = 52  #: effects, and rules of scoring
LONGEST_NAME = 60
PILES = ("deck", "discard", "either")  #: sources of a draw that are nobody's hand

Problems = Iterator[str]


def load(given: str) -> Genome:
    """Read a known game by its name, or else a file, and check it; raises `GenomeError`.

    >>> load("kuhn").setup.ante
    1
    """
    if given in known_games():
        return check(read_genome(known_text(given)))
    try:
        text = Path(given).read_bytes()
    except FileNotFoundError:
        raise GenomeError(
            f"there is no known game and no file {given!r}; known are {', '.join(known_games())}"
        ) from None
    except (OSError, ValueError) as error:
        raise GenomeError(f"{given!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return check(read_genome(text))
    except GenomeError as error:
        raise GenomeError(f"{given}: {error}") from None


def check(genome: Genome) -> Genome:
    """Return the genome, or raise `GenomeError` with the first reason why it cannot be played."""
    for problem in problems(genome):
        raise GenomeError(problem)
    return genome


def problems(genome: Genome) -> tuple[str, ...]:
    """Every reason why a genome cannot be played.

    >>> from msgspec.structs import replace
    >>> kuhn = load("kuhn")
    >>> problems(kuhn)
    ()
    >>> problems(replace(kuhn, setup=replace(kuhn.setup, starting_chips=0)))[0]
    'setup.starting_chips: 0 chips, but there is a betting phase'
    """
    shape = tuple(_shape(genome))
    return shape or tuple(_sense(genome))  # what a game means can be asked only where its numbers are numbers of a game


def _shape(genome: Genome) -> Problems:
    """Numbers out of bounds, and letters that are no ranks and suits."""
    yield from _name(genome.name)
    yield from _between("player_count", genome.player_count, 2, MOST_PLAYERS)
    yield from _between("max_turns", genome.max_turns, 1, MOST_TURNS)
    yield from _setup(genome)
    turns = genome.turn_structure
    yield from _between("turn_structure.rounds", turns.rounds, 0, MOST_TURNS)
    yield from _some("turn_structure.phases", "phase", len(turns.phases), MOST_PHASES)
    for at, phase in enumerate(turns.phases):
        yield from _phase(f"turn_structure.phases[{at}]", phase, genome)
    yield from _rules(genome)
    yield from _some("win_conditions", "win condition", len(genome.win_conditions), MOST_WINS)
    for at, win in enumerate(genome.win_conditions):
        yield from _win(f"win_conditions[{at}]", win)


def _sense(genome: Genome) -> Problems:
    """What contradicts itself, or leads nowhere."""
    yield from _enough_cards(genome)
    yield from _chips(genome)
    yield from _following(genome)
    yield from _something_happens(genome)
    for at, win in enumerate(genome.win_conditions):
        yield from _decides(f"win_conditions[{at}]", win, genome)


# --- numbers and letters


def _name(name: str) -> Problems:
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        yield f"name: {reprlib.repr(name)} is no name; write up to {LONGEST_NAME} characters on one line"


def _between(field: str, number: int, least: int, most: int) -> Problems:
    if not least <= number <= most:
        yield f"{field}: {reprlib.repr(number)} is not between {least:,} and {most:,}"


def _some(field: str, what: str, count: int, most: int) -> Problems:
    if count == 0:
        yield f"{field}: there is no {what}"
    elif count > most:
        yield f"{field}: {count} are too many, there may be {most}"


def _letters(field: str, letters: str, among: str, what: str) -> Problems:
    """Each at most once, and none that is not among those."""
    for letter in dict.fromkeys(letters):
        if letter not in among:
            yield f"{field}: {letter!r} is no {what} {among!r} has"
        elif letters.count(letter) > 1:
            yield f"{field}: {letter!r} stands there twice"


def _setup(genome: Genome) -> Problems:
    setup, deck = genome.setup, genome.setup.deck
    if not isinstance(setup.initial_deck, str):
        yield from _deck(setup.initial_deck)
    yield from _between("setup.cards_per_player", setup.cards_per_player, 0, MOST_CARDS)
    yield from _between("setup.initial_discard_count", setup.initial_discard_count, 0, MOST_CARDS)
    yield from _between("setup.initial_tableau_count", setup.initial_tableau_count, 0, MOST_CARDS)
    yield from _between("setup.starting_chips", setup.starting_chips, 0, MOST_CHIPS)
    yield from _between("setup.ante", setup.ante, 0, MOST_CHIPS)
    yield from _between("setup.deals", setup.deals, 1, MOST_DEALS)
    trump = setup.trump_suit
    if trump not in (None, "random", *deck.suits):
        told = f"the deck has the suits {deck.suits!r}"
        yield f'setup.trump_suit: {reprlib.repr(trump)} is no suit here; {told}, and there is "random"'


def _deck(deck: Deck) -> Problems:
    for field, letters, among, what in (("ranks", deck.ranks, RANKS, "rank"), ("suits", deck.suits, SUITS, "suit")):
        if not letters:
            yield f"setup.initial_deck.{field}: there is no {what}"
        yield from _letters(f"setup.initial_deck.{field}", letters, among, what)


def _phase(field: str, phase: AnyPhase, genome: Genome) -> Problems:
    match phase:
        case DrawPhase() | DiscardPhase() | CommunityPhase():
            yield from _between(f"{field}.count", phase.count, 1, MOST_CARDS)
        case PlayPhase():
            yield from _between(f"{field}.most", phase.most, 1, MOST_AT_ONCE)
            yield from _letters(f"{field}.wild", phase.wild, genome.setup.deck.ranks, "rank the deck")
            if not phase.match:
                yield f'{field}.match: nothing would ever fit; "any" lets every card be played'
            if phase.capture != "none" and phase.target != "tableau":
                yield f'{field}.capture: cards are captured from the tableau, so target must be "tableau"'
        case ClaimPhase():
            yield from _between(f"{field}.most", phase.most, 1, MOST_AT_ONCE)
        case BettingPhase():
            yield from _between(f"{field}.min_bet", phase.min_bet, 1, MOST_CHIPS)
            yield from _between(f"{field}.max_raises", phase.max_raises, 0, MOST_RAISES)
        case TrickPhase():
            pass


def _rules(genome: Genome) -> Problems:
    """Effects and scoring."""
    deck = genome.setup.deck
    for what, rules in (("effects", genome.effects), ("scoring", genome.scoring)):
        if len(rules) > MOST_RULES:
            yield f"{what}: {len(rules)} are too many, there may be {MOST_RULES}"
    ranks_seen: set[str] = set()
    sets_seen = False
    for at, effect in enumerate(genome.effects):
        field = f"effects[{at}]"
        if isinstance(effect, LaySets):
            if sets_seen:
                yield f"{field}: sets are laid by another effect already"
            sets_seen = True
            if not 2 <= effect.size <= len(deck.suits):
                yield f"{field}.size: {effect.size} make no set: at least 2 of a rank, which has {len(deck.suits)}"
            yield from _between(f"{field}.points", effect.points, -MOST_POINTS, MOST_POINTS)
        elif len(effect.rank) != 1 or effect.rank not in deck.ranks:
            yield f"{field}.rank: {reprlib.repr(effect.rank)} is no rank of the deck, which has {deck.ranks!r}"
        elif effect.rank in ranks_seen:
            yield f"{field}.rank: {effect.rank!r} has another effect already"
        else:
            ranks_seen.add(effect.rank)
    for at, rule in enumerate(genome.scoring):
        yield from _between(f"scoring[{at}].points", rule.points, -MOST_POINTS, MOST_POINTS)
        if isinstance(rule, CardPoints) and not _are_cards(rule.cards, deck):
            yield (
                f"scoring[{at}].cards: {reprlib.repr(rule.cards)} are no cards of the deck; "
                'write a rank and a suit such as "Qs", "*" for any'
            )


def _are_cards(cards: str, deck: Deck) -> bool:
    return len(cards) == 2 and cards[0] in f"*{deck.ranks}" and cards[1] in f"*{deck.suits}"


def _win(field: str, win: AnyWin) -> Problems:
    match win:
        case BestHand():
            yield from _between(f"{field}.bust", win.bust, 0, MOST_POINTS)
        case FirstToScore():
            yield from _between(f"{field}.target", win.target, 1, MOST_POINTS)
        case LeastDeadwood():
            yield from _between(f"{field}.knock", win.knock, 0, MOST_POINTS)
        case _:
            pass


# --- cards and chips


def _dealt(genome: Genome) -> int:
    setup = genome.setup
    each = genome.player_count * setup.cards_per_player
    return each + setup.initial_discard_count + setup.initial_tableau_count


def _undealt(genome: Genome) -> int:
    deck = genome.setup.deck
    return len(deck.ranks) * len(deck.suits) - _dealt(genome)


def _enough_cards(genome: Genome) -> Problems:
    dealt, left = _dealt(genome), _undealt(genome)
    if left < 0:
        yield f"setup.cards_per_player: {dealt} cards are dealt, but the deck has only {dealt + left}"
        return
    turned = sum(phase.count for phase in genome.turn_structure.phases if isinstance(phase, CommunityPhase))
    if turned > left:
        cards = "1 community card" if turned == 1 else f"{turned} community cards"
        yield f"turn_structure.phases: {cards}, but after the deal the deck has only {left}"


def _chips(genome: Genome) -> Problems:
    chips, ante, bets = genome.setup.starting_chips, genome.setup.ante, genome.betting_phases
    if chips and not bets:
        yield f"setup.starting_chips: {chips} chips, but there is no betting phase"
    if bets and not chips:
        yield "setup.starting_chips: 0 chips, but there is a betting phase"
    if ante > chips:
        yield f"setup.ante: {ante} is more than the {chips} chips a player starts with"
    for at, phase in enumerate(genome.turn_structure.phases):
        if isinstance(phase, BettingPhase) and phase.min_bet > chips > 0:
            field = f"turn_structure.phases[{at}].min_bet"
            yield f"{field}: {phase.min_bet} is more than the {chips} chips a player starts with"


def _following(genome: Genome) -> Problems:
    phases = genome.turn_structure.phases
    for at, phase in enumerate(phases):
        if isinstance(phase, DrawPhase) and phase.only_if_stuck and not _has(phases[at + 1 :], PlayPhase):
            yield f"turn_structure.phases[{at}].only_if_stuck: no play phase follows in which one could be stuck"


# --- what can happen


def _has(parts: Iterable[object], *kinds: type) -> bool:
    return any(isinstance(part, kinds) for part in parts)


def _draws(genome: Genome) -> bool:
    """Whether cards can come into hands that nobody held before."""
    phases, setup = genome.turn_structure.phases, genome.setup
    from_deck = _undealt(genome) > 0
    return any(
        (phase.source in ("deck", "either", "ask") and from_deck)
        or (phase.source in ("discard", "either") and setup.initial_discard_count > 0)
        for phase in phases
        if isinstance(phase, DrawPhase)
    )


def _hands(genome: Genome) -> bool:
    """Whether anybody ever holds a card."""
    return genome.setup.cards_per_player > 0 or _draws(genome)


def _something_happens(genome: Genome) -> Problems:
    phases = genome.turn_structure.phases
    if _has(phases, BettingPhase) or _has(phases, CommunityPhase):
        return
    if not _hands(genome):
        yield "setup.cards_per_player: nobody ever holds a card, and nothing can happen"
    elif not _draws(genome) and all(isinstance(phase, DrawPhase) and phase.source in PILES for phase in phases):
        yield "turn_structure.phases: there is never a card to draw, and nothing else can happen"


def _decides(field: str, win: AnyWin, genome: Genome) -> Problems:
    """A condition that is met by all alike, or before anybody plays, decides nothing."""
    phases = genome.turn_structure.phases
    match win:
        case EmptyHand() | CaptureAll() | LeastDeadwood() if genome.setup.cards_per_player == 0:
            yield f"{field}: nobody is dealt a card, so that the deal would be over at once"
        case BestHand() | HighCard() if not _hands(genome):
            yield f"{field}: nobody ever holds a card to show"
        case LeastDeadwood() if 10 * genome.setup.cards_per_player <= win.knock:
            yield f"{field}.knock: with {win.knock} points every hand would be good enough before anybody plays"
        case HighScore() | LowScore() | FirstToScore():
            yield from _points_are_made(field, win, genome)
        case MostTricks() if not (_has(phases, TrickPhase) and _hands(genome)):
            yield f"{field}: there are no tricks to take"
        case EmptyHand() if not _cards_leave(genome):
            yield f"{field}: no card ever leaves a hand"
        case CaptureAll() if not (_cards_leave(genome) or _draws(genome)):
            yield f"{field}: no card ever changes hands"
        case _:
            pass


def _cards_leave(genome: Genome) -> bool:
    """Whether a hand can become smaller."""
    if _has(genome.effects, LaySets):
        return True
    return any(
        isinstance(phase, PlayPhase | TrickPhase | ClaimPhase)
        or (isinstance(phase, DiscardPhase) and not phase.replace)
        or (isinstance(phase, DrawPhase) and phase.source in ("opponent", "ask"))
        for phase in genome.turn_structure.phases
    )


def _points_are_made(field: str, win: AnyWin, genome: Genome) -> Problems:
    made = [points for points in _reachable_points(genome) if points]
    if not made:
        yield f"{field}: nothing ever makes a point; scoring or sets that are laid must give some"
    elif isinstance(win, FirstToScore) and max(made) < 0:
        yield f"{field}.target: points only go down, so that {win.target} are never reached"


def _reachable_points(genome: Genome) -> Iterator[int]:
    """The points of every rule under which some can be made."""
    phases, hands = genome.turn_structure.phases, _hands(genome)
    tricks = hands and _has(phases, TrickPhase)
    sets = hands and _has(genome.effects, LaySets)
    captures = sets or any(
        (isinstance(phase, TrickPhase) and phase.to == "captured")
        or (isinstance(phase, PlayPhase) and phase.capture != "none")
        for phase in phases
        if hands
    )
    for effect in genome.effects:
        if isinstance(effect, LaySets) and sets:
            yield effect.points
    for rule in genome.scoring:
        match rule:
            case TrickPoints() if tricks:
                yield rule.points
            case CardPoints(where="captured") if captures:
                yield rule.points
            case CardPoints(where="hand") if hands:
                yield rule.points
            case _:
                pass


__all__ = ["check", "load", "problems"]
