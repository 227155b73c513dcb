"""What Open Hand History calls things: games, streets, actions, flags and money; and which of our games it can name."""

from pitboss.hand.games import STRUCTURES

VERSION = "1.4.7"
FIELD = "_ohh"
"""The field of a record that holds what only this format says."""

_GAMES = {"Holdem": "T", "Omaha": "O", "OmahaHiLo": "O/8", "Stud": "7S", "StudHiLo": "7S/8"}
_LIMITS = {"NL": "N", "PL": "P", "FL": "F"}
GAMES = {(game, limit): letter + code for game, code in _GAMES.items() for limit, letter in _LIMITS.items()}
"""Our codes by `game_type` and `bet_type`."""
NAMES = {code: names for names, code in GAMES.items()}
"""The same the other way round."""
UNNAMED = "Draw"
"""A `game_type` of the standard that does not say which draw, with no action for a discard."""
DEEPER = {5: "O5", 6: "O6"}
"""Omaha by its number of cards, where that is not four."""

PREFLOP, SHOWDOWN = "Preflop", "Showdown"
_STREETS = {"PRE_FLOP": PREFLOP}
STREETS = {
    code: tuple(_STREETS.get(street.name, street.name.replace("_", " ").title()) for street in STRUCTURES[code].streets)
    for code in NAMES
}
"""The names of a game's streets; the standard lists those of hold'em alone."""

DEALT, SHOWS, MUCKS = "Dealt Cards", "Shows Cards", "Mucks Cards"
ANTE, SMALL, BIG, STRADDLE = "Post Ante", "Post SB", "Post BB", "Straddle"
DEAD, EXTRA, ADDED = "Post Dead", "Post Extra Blind", "Add to Pot"
FOLD, CHECK, BET, RAISE, CALL = "Fold", "Check", "Bet", "Raise", "Call"
ASIDE = ("Added Chips", "Sits Down", "Stands Up", "Player Adjustment")
"""Actions beside the hand: they change nothing of it."""
POSTS = (ANTE, SMALL, BIG, STRADDLE, DEAD, EXTRA)
SPELLINGS = {"added to pot": ADDED}
"""Other spellings that programs write."""

TWICE, BOMB = "Run_It_Twice", "Bomb_Pot"

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
