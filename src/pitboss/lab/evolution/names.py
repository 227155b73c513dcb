"""Names for games that nobody has named: an adjective and a noun that follow from the game itself."""

from collections.abc import Container
from hashlib import blake2b
from itertools import count

import msgspec

from pitboss.lab.evolution.structure import nameless
from pitboss.lab.genome.parts import Genome

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


def named(genome: Genome, taken: Container[str]) -> str:
    """A name that nobody has yet; the same game among the same others always gets the same.

    >>> from pitboss.lab.files import load
    >>> first = named(load("kuhn"), ())
    >>> first, named(load("kuhn"), (first,)) == first
    ('scarlet_lynx', False)
    """
    game = msgspec.json.encode(nameless(genome))
    return next(name for attempt in count() if (name := _drawn(game, attempt)) not in taken)


def _drawn(game: bytes, attempt: int) -> str:
    """The name that a game has at this attempt."""
    digest = blake2b(game, digest_size=8, salt=attempt.to_bytes(8, "big")).digest()
    rest, at = divmod(int.from_bytes(digest, "big"), len(ADJECTIVES))
    return f"{ADJECTIVES[at]}_{NOUNS[rest % len(NOUNS)]}"
