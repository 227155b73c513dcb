"""What makes a game itself: its structure and its kind, by which others are twins, and a name drawn from it."""

from collections.abc import Container
from hashlib import blake2b
from itertools import count
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.lab.genome import Genome

_ADJECTIVES = (
    "amber ancient antique bashful blazing bold brave bright brisk broad calm careful cheerful chilly civil clever "
    "copper cosy crafty crisp curious daring dapper dashing deep dizzy dreamy dusty eager early earnest easy fabled "
    "faint fancy festive fierce fiery fleet foggy foxy frank fresh frosty gallant gentle giddy gilded glad golden "
    "grand green grey hardy hasty hazel hidden hollow honest humble hungry hushed idle ivory jaunty jolly keen kind "
    "lavish lazy light lively lofty lonely loud loyal lucky lunar mellow merry mighty misty modest mossy nimble noble "
    "odd olive open painted pale patient plucky polite proud quaint quick quiet rapid rare restless risky rosy royal "
    "ruby rustic sandy scarlet secret shady sharp shrewd shy silent silken silver sleek sleepy slow sly smoky smooth "
    "snowy sober solar solemn spicy spry steady stormy stray stout strange subtle sunny swift tame tender thirsty "
    "thorny tidy tiny tricky true upbeat velvet violet vivid wandering warm wary wild windy wise witty young zesty"
)
_NOUNS = (
    "acorn anchor apple arrow badger banjo barley basket beacon bear beaver bell birch bishop bison bluff bonfire "
    "bramble breeze bridge brook candle canyon castle cedar cellar chapel cherry circus clover cobalt comet coral "
    "cottage crane creek cricket crow crown dahlia dancer delta dove dragon drum duchess eagle ember falcon feather "
    "fern ferry fiddle finch flame flint forest fountain fox galleon garden garnet ginger glacier goose granite grove "
    "gull hammer harbour hare harp hawk hazelnut heron hill hornet inlet iris island ivy jackal jade jester juniper "
    "kestrel kite knave lagoon lantern lark laurel lemon lily linden lion lotus lynx magpie mango maple marble market "
    "marten meadow melon mill mint mirror monk moon moth nettle nutmeg oak oasis orchard otter owl oyster panther "
    "parade parrot peach pearl pebble pelican pepper pigeon pilot pine planet plum pocket pond poppy prairie prince "
    "quail quarry quill rabbit raven reef ribbon river robin rocket rose saddle saffron salmon shadow sparrow spruce "
    "squire stag stork summit swan thicket thistle thrush tiger timber trumpet tulip turnip valley violin wagon walnut "
    "wharf whistle willow wizard wolf wren yarrow"
)
ADJECTIVES, NOUNS = _ADJECTIVES.split(), _NOUNS.split()


def without_name(genome: Genome) -> Genome:
    """The game itself: what it is called makes no difference."""
    return replace(genome, name="unnamed")


def structure(genome: Genome) -> str:
    """A game without names, numbers and the letters of its cards: two games of one structure are twins.

    >>> from pitboss.lab.files import load
    >>> structure(load("kuhn")) == structure(load("highest_card"))
    True
    >>> structure(load("kuhn")) == structure(load("leduc"))
    False
    """
    return msgspec.json.encode(_bare(msgspec.to_builtins(without_name(genome)))).decode()


def _bare(written: Any) -> Any:
    if isinstance(written, dict):
        letters = ("name", "initial_deck", "trump_suit", "wild", "rank", "cards")
        return {name: _bare(part) for name, part in written.items() if name not in letters}
    if isinstance(written, list | tuple):
        return [_bare(part) for part in written]
    return 0 if isinstance(written, int | float) and not isinstance(written, bool) else written


def kind(genome: Genome) -> tuple[str, ...]:
    """What a player would call the same kind of game: the steps in any order, what they do, and what wins.

    >>> from pitboss.lab.files import load
    >>> kind(load("leduc"))
    ('rounds', 'Betting', 'Betting', 'Community', 'BestHand poker')
    >>> kind(load("whist"))
    ('rounds', 'Trick following', 'trumps', 'MostTricks')
    """
    rules = sorted({type(rule).__name__ for rule in (*genome.effects, *genome.scoring)})
    steps = sorted([phase.label for phase in genome.turn_structure.phases])
    trumps = ["trumps"] if genome.setup.trump_suit else []
    return (genome.turn_structure.order, *steps, *trumps, *rules, genome.win_conditions[0].label)


def named(genome: Genome, taken: Container[str]) -> str:
    """A name that nobody has yet; the same game among the same others always gets the same.

    >>> from pitboss.lab.files import load
    >>> first = named(load("kuhn"), ())
    >>> first, named(load("kuhn"), (first,)) == first
    ('scarlet_lynx', False)
    """
    game = msgspec.json.encode(without_name(genome))
    return next(name for attempt in count() if (name := _drawn(game, attempt)) not in taken)


def _drawn(game: bytes, attempt: int) -> str:
    """The name that a game has at this attempt."""
    digest = blake2b(game, digest_size=8, salt=attempt.to_bytes(8, "big")).digest()
    rest, at = divmod(int.from_bytes(digest, "big"), len(ADJECTIVES))
    return f"{ADJECTIVES[at]}_{NOUNS[rest % len(NOUNS)]}"
