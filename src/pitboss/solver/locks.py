"""Locked strategies: hands that play as they are told at a decision, while everything around them is solved."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.fast.equity.ranges import combo, combos
from pitboss.solver.boards import rename
from pitboss.solver.engine import Engine
from pitboss.solver.sizes import SpotError

ROUNDING = 1e-6
"""How far the shares of a locked strategy may be from a sum of 1."""
ALL_HANDS = "*"
MOST_LOCKS = 1000

Shares = Mapping[str, Mapping[str, float]]


class Place(NamedTuple):
    """Where an engine keeps a decision on a board."""

    player: int
    tree: int
    block: int
    node: int


class FixedHands(NamedTuple):
    """The locked hands of a decision, in the order of the range: which they are, and a row of shares per action."""

    mask: Any
    shares: Any


def hand_names(text: str) -> list[str]:
    """Return the hands of a class or of two cards in any order; none if the text is neither.

    >>> hand_names("KhAh"), len(hand_names("AKs"))
    (['AhKh'], 4)
    """
    try:
        return [combo(text[:2], text[2:])] if len(text) == 4 else combos(text)
    except (ValueError, IndexError, KeyError):
        return []


def read_shares(hands: object, names: list[str], actions: tuple[str, ...], where: str) -> FixedHands:
    """Return a lock as arrays; `names` are the hands that the player can have, and `where` is for errors."""
    import numpy as np

    if not isinstance(hands, Mapping) or not hands:
        raise SpotError(
            f'lock {where}: expected hands with strategies, such as {{"AA": {{"check": 1}}}}, got {hands!r:.40}'
        )
    number = {name: place for place, name in enumerate(names)}
    fixed = FixedHands(np.zeros(len(names), bool), np.zeros((len(actions), len(names)), np.float32))
    for hand, strategy in sorted(hands.items(), key=lambda item: (item[0] != ALL_HANDS, len(str(item[0])))):
        row = _read_strategy(strategy, actions, f"lock {where}: {hand!s:.20}")
        places = [number[name] for name in hand_names(str(hand)) if name in number]
        if hand == ALL_HANDS:
            places = list(range(len(names)))
        if not places:
            raise SpotError(
                f'lock {where}: expected a hand of the range such as AhKh, a class such as AKs, or "*", '
                f"got {hand!r:.20}"
            )
        fixed.mask[places] = True
        fixed.shares[:, places] = np.array(row, np.float32)[:, None]
    return fixed


def _read_strategy(strategy: object, actions: tuple[str, ...], where: str) -> list[float]:
    if not isinstance(strategy, Mapping):
        raise SpotError(
            f'{where}: expected a share for each action, such as {{"{actions[0]}": 1}}, got {strategy!r:.40}'
        )
    for action, share in strategy.items():
        if action not in actions:
            raise SpotError(f"{where}: expected {' or '.join(actions)}, got {action!r:.40}")
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise SpotError(f"{where}: {action}: expected a share from 0 to 1, got {share!r:.20}")
    total = sum(strategy.values())
    if abs(total - 1) > ROUNDING:
        raise SpotError(f"{where}: expected shares that add up to 1, got {total:g}")
    return [strategy.get(action, 0) / total for action in actions]


class Locks:
    """All locked decisions of an engine."""

    def __init__(self, engine: Engine) -> None:
        """Begin without locks."""
        self._engine = engine
        self._fixed: dict[Place, FixedHands] = {}

    def __len__(self) -> int:
        return len(self._fixed)

    def add(self, place: Place, fixed: FixedHands, where: str) -> None:
        """Lock hands of a decision; other hands that are locked there stay so."""
        import numpy as np

        before = self._fixed.get(place)
        if before is not None:
            keep = before.mask & ~fixed.mask
            fixed = FixedHands(before.mask | fixed.mask, np.where(keep, before.shares, fixed.shares))
        elif len(self._fixed) >= MOST_LOCKS:
            raise SpotError(f"lock {where}: expected at most {MOST_LOCKS:,} locked decisions")
        self._check_suits(place, fixed, where)
        self._fixed[place] = fixed
        self._engine.fix(self._fixed)

    def clear(self) -> None:
        """Unlock everything."""
        self._fixed = {}
        self._engine.fix(self._fixed)

    def _check_suits(self, place: Place, fixed: FixedHands, where: str) -> None:
        """Refuse a lock that tells hands apart which stand for each other on the boards to come."""
        import numpy as np

        engine = self._engine
        street, orbits = engine.forests[place.tree].street, engine.orbits
        if street == "river":
            return
        shown = orbits.turns[place.block].card if place.tree else None
        names = engine.hands[place.player].names
        for suits, becomes in zip(orbits.suits, engine.sides[place.player].renamed, strict=True):
            if shown is not None and rename(shown, suits) != shown:
                continue
            same = (fixed.mask == fixed.mask[becomes]) & (fixed.shares == fixed.shares[:, becomes]).all(axis=0)
            if not same.all():
                hand = int(np.nonzero(~same)[0][0])
                raise SpotError(
                    f"lock {where}: expected the same strategy for {names[hand]} and {names[int(becomes[hand])]}, "
                    "because they differ only in suits that the board and both ranges treat alike"
                )
