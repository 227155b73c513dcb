"""How much of the past each iteration keeps (discounted counterfactual regret minimization)."""

from typing import Any

POWER, RESTART, WEIGHT = 1.5, 4, 3.0


def steps(first: int, end: int) -> Any:
    """Return three numbers per iteration: what positive and negative regrets keep, and the newest strategy's share.

    >>> steps(0, 1).tolist()
    [[0.0, 0.0, 1.0]]
    """
    import numpy as np

    made = np.zeros((end - first, 3), np.float32)
    for number in range(first, end):
        grown = number**POWER
        begun = 1
        while begun * RESTART <= number:
            begun *= RESTART
        weights = np.arange(1, max(number - begun, 0) + 2) ** WEIGHT
        made[number - first] = (grown / (grown + 1), 0.5 if number else 0, weights[-1] / weights.sum())
    return made
