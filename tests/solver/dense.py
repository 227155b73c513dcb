"""A referee for solutions: plain recursion over all cards with full matrices of float64, O(hands²) per showdown.

It reads strategies through the public nodes only, so that it also checks the boards that differ only in suits.
"""

from typing import Any

import numpy as np

from pitboss import SpotSolution, evaluate
from pitboss.cards import Card
from pitboss.solver.solution import Node

Array = Any


class Referee:
    """Computes the values of the strategies of a solution, and of the best responses to them."""

    def __init__(self, solution: SpotSolution, locked: dict[tuple[str, ...], set[str]] | None = None) -> None:
        """`locked` are the hands whose best response is their strategy, by the line to the decision."""
        self.locked = locked or {}
        self.solution, self.spot = solution, solution.spot
        self.names = [list(held) for held in self.spot.ranges]
        self.weights = [np.array([float(weight) for weight in held.values()]) for held in self.spot.ranges]
        cards = [[{name[:2], name[2:]} for name in names] for names in self.names]
        self.meets = np.array([[not one & other for other in cards[1]] for one in cards[0]], float)
        self.cards = cards
        self.pairs = float(self.weights[0] @ self.meets @ self.weights[1])

    def value(self, player: int, best: bool) -> float:
        """The mean value of a player, who plays the solution or the best response to it."""
        start = self.weights[1 - player]
        found = self._value(self.solution.root, player, start, best)
        return float(found @ self.weights[player]) / self.pairs

    def exploitability(self) -> float:
        gains = [self.value(player, True) - self.value(player, False) for player in (0, 1)]
        return sum(gains) / 2 / self.spot.pot

    def _value(self, node: Node, player: int, reach: Array, best: bool) -> Array:
        if node.player is None:
            return self._end(node, player, reach, best)
        actor = ("oop", "ip").index(node.player)
        strategy = node.strategy
        shares = np.array([[strategy[name][action] for name in self.names[actor]] for action in node.actions])
        parts = []
        for action, share in zip(node.actions, shares, strict=True):
            after = node.play(action)
            if action == "fold":
                parts.append(self._fold(after, player, actor, reach * share if actor != player else reach))
            else:
                parts.append(self._value(after, player, reach * share if actor != player else reach, best))
        if actor != player:
            return sum(parts)
        played = (np.array(parts) * shares).sum(axis=0)
        fixed = np.array([name in self.locked.get(node.line, ()) for name in self.names[actor]])
        return np.where(fixed, played, np.max(parts, axis=0)) if best else played

    def _fold(self, node: Node, player: int, folder: int, reach: Array) -> Array:
        pot, rake = self._pot(node)
        matrix = self.meets if player == 0 else self.meets.T
        return (-pot / 2 if folder == player else pot / 2 - rake) * (matrix @ reach)

    def _pot(self, node: Node) -> tuple[float, float]:
        pot = self.spot.pot + 2 * min(node.chips)
        percent, cap = self.spot.rake or (0, 0)
        return pot, min(pot * percent / 100, cap)

    def _end(self, node: Node, player: int, reach: Array, best: bool) -> Array:
        deck = self.spot.setting[1]
        if len(node.board) < 5:
            total: Array = np.zeros(len(self.names[player]))
            for card in deck:
                if card not in node.board:
                    mine, theirs = self._without(player, card), self._without(1 - player, card)
                    total = total + mine * self._value(node.deal(card), player, reach * theirs, best)
            return total / (len(deck) - 4 - len(node.board))
        game = self.spot.game
        ranks = [
            np.array(
                [evaluate("".join(node.board) + name, game=game) if node_free(node, name) else -1 for name in names]
            )
            for names in self.names
        ]
        pot, rake = self._pot(node)
        sign = np.sign(ranks[0][:, None] - ranks[1][None, :])
        outcome = np.where(sign > 0, pot / 2 - rake, np.where(sign < 0, -pot / 2, -rake / 2)) * self.meets
        if player == 1:
            outcome = (np.where(sign < 0, pot / 2 - rake, np.where(sign > 0, -pot / 2, -rake / 2)) * self.meets).T
        return outcome @ reach

    def _without(self, player: int, card: Card) -> Array:
        return np.array([card not in cards for cards in self.cards[player]], float)


def node_free(node: Node, name: str) -> bool:
    """Whether the board does not contain a card of the hand."""
    return name[:2] not in node.board and name[2:] not in node.board
