"""The rules of a poker game in English."""

from pitboss.cards import DECK, write_cards
from pitboss.hand.game_file import betting_system
from pitboss.hand.structure import Ranking, Street, Structure

_HANDS = {
    "high": "the highest five cards",
    "short": "the highest five cards, where a flush beats a full house and A-6-7-8-9 is a straight",
    "low": "the lowest five different ranks up to the eight, with low aces; without such cards a hand cannot win it",
    "ace_to_five": "the lowest five cards, with low aces; straights and flushes do not count",
    "deuce_to_seven": "the lowest five cards, with high aces; straights and flushes count against a hand",
    "badugi": "the lowest cards of different ranks and suits, with low aces; more such cards beat fewer",
    "three_card": "the highest three cards, where a straight beats a flush and three of a kind beats a straight",
}
_OPENERS = {
    "left": "the first player left of the button",
    "low_card": "the player with the lowest up-card",
    "high_card": "the player with the highest up-card (aces are low)",
    "high_hand": "the player with the highest up-cards",
    "low_hand": "the player with the lowest up-cards",
}
_SYSTEMS = {
    "spread_limit": "Spread limit: a bet or raise is at least the last one, and has a smallest and a largest size.",
    "no_limit": "No limit: a bet or raise can be as large as the player's stack.",
    "pot_limit": "Pot limit: a raise can be as large as the pot after calling.",
    "fixed_limit": "Fixed limit: each bet and each raise has one size.",
}


def count(number: int, what: str) -> str:
    """Return a number and a noun, such as `2 cards`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def explain_game(structure: Structure) -> list[str]:
    """Return the rules of a game as lines.

    >>> from pitboss.hand.games import find_game
    >>> explain_game(find_game("royal_holdem"))[2:4]
    ['The deck has 20 cards: TcTdThTsJcJdJhJsQcQdQhQsKcKdKhKsAcAdAhAs.', '2 to 7 players can play.']
    """
    betting = structure.betting
    lines = [structure.name[:1].upper() + structure.name[1:], ""]
    cards = "" if set(structure.deck) == set(DECK) else f": {write_cards(structure.deck)}"
    lines += [f"The deck has {len(structure.deck)} cards{cards}.", f"2 to {structure.most_players} players can play."]
    lines.append(_SYSTEMS[betting_system(structure)])
    if betting.most_bet:
        lines.append(f"Bets and raises are {betting.least_bet} to {betting.most_bet} chips.")
    if structure.wild:
        wild = f"Wild cards: the cards of the ranks {', '.join(structure.wild)} stand for any card that the hand lacks."
        lines.append(f"{wild} Five of a kind is the highest hand.")
    if betting.cap >= 0:
        first = "the first bet and later raises" if betting.opening_counts else "raises"
        lines.append(f"Each betting round allows {betting.cap} of these: {first}.")
    lines.append(
        "Each player can pay an ante. The first player must pay a bring-in or complete it to a bet."
        if betting.bring_in
        else "Blinds, antes or both are paid before the deal."
    )
    for number, street in enumerate(structure.streets):
        lines += ["", *_street_lines(structure, number, street)]
    if structure.most_runs > 1:
        choice = f"choose how often the rest of the board is dealt, up to {structure.most_runs} times."
        lines += ["", f"If betting ends early, the players {choice}", "The smallest choice counts."]
    lines += ["", *_showdown_lines(structure.showdown)]
    if structure.boards > 1:
        lines.append(f"Each of the {structure.boards} boards decides an equal part of each pot.")
    return lines


def _street_lines(structure: Structure, number: int, street: Street) -> list[str]:
    title = street.name.replace("_", " ").capitalize()
    dealt = [
        f"Each player receives {count(cards, 'card')} face {face}."
        for cards, face in ((street.hole, "down"), (street.up, "up"))
        if cards
    ]
    if street.draw:
        dealt.append("Each player can exchange any number of cards.")
    if street.discard:
        face = "up" if street.discard_up else "down"
        dealt.insert(0, f"Each player discards {count(street.discard, 'card')} face {face}.")
    if street.board:
        board = "the board" if structure.boards == 1 else f"each of {structure.boards} boards"
        dealt.append(f"{count(street.board, 'card')} {'is' if street.board == 1 else 'are'} dealt to {board}.")
    blinds = number == 0 and street.opens == "left"
    first = "the player left of the last blind, or left of the button" if blinds else _OPENERS[street.opens]
    bets = f"A betting round follows; {first} acts first."
    if structure.betting.exact:
        bets += f" Bets have the {'big' if street.big else 'small'} size."
    return [f"{number + 1}. {title}: {' '.join(dealt)}", f"   {bets}"]


def _showdown_lines(showdown: tuple[Ranking, ...]) -> list[str]:
    if len(showdown) == 1:
        return ["Showdown: the pot goes to " + _ranking(showdown[0]) + "."]
    parts = [f"- {_ranking(ranking)}." for ranking in showdown]
    return [f"Showdown: each pot is split in {len(showdown)} equal parts, which go to", *parts]


def _ranking(ranking: Ranking) -> str:
    cards = " Exactly two hole cards and three board cards are used" if ranking.from_two else ""
    return _HANDS[ranking.order] + ("." + cards if cards else "")
