"""The games that come with pitboss: their names, what they are in a line, and their files."""

from importlib.resources import files

_GAMES = {
    "war": "two cards are turned up, the higher takes both; equal cards stay for the next",
    "betting_war": "ten cards each, a bet before every card that is turned up, the most tricks take the pot",
    "highest_card": "one card, one round of bets: the higher card has it",
    "kuhn": "three cards, one bet: the smallest poker with bluffs",
    "leduc": "six cards, one of them public, two rounds of bets",
    "simple_poker": "five cards, one round of bets, the best poker hand",
    "three_card_poker": "three cards, one bet or none, and a showdown of short hands",
    "draw_poker": "five cards, bets, up to three cards exchanged, bets again",
    "community_poker": "two cards of one's own and five for all, four rounds of bets, side pots",
    "blackjack": "closest to 21 without going over, with bets and without a dealer",
    "crazy_eights": "suit on suit or rank on rank, eights on anything; out first wins",
    "mau_mau": "crazy eights with sevens that make draw, eights that skip and nines that turn round",
    "hearts": "tricks without trumps, and every heart and the queen of spades hurts",
    "whist": "tricks with trumps, everybody for himself",
    "knaves": "a point a trick, but the knaves cost; twenty points win",
    "gin": "draw, discard, and be left with few points outside sets and runs",
    "rummy": "draw, discard, lay threes of a kind; what is left in hand counts against you",
    "cheat": "cards face down under a rank that need not be true; out first wins",
    "old_maid": "pairs go away, a neighbour's card is taken unseen, one card has no mate",
    "go_fish": "ask for a rank or fish for it; the most books win",
    "president": "play higher or pass; out first wins",
    "scopa": "take cards from the table by rank or by sum; diamonds count double",
}


def known_games() -> dict[str, str]:
    """What every known game is, by name.

    >>> known_games()["kuhn"]
    'three cards, one bet: the smallest poker with bluffs'
    """
    return dict(_GAMES)


def known_text(name: str) -> str:
    """A known game's genome as JSON."""
    return (files("pitboss.lab") / "games" / f"{name}.json").read_text(encoding="utf-8")
