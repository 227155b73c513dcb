"""How many of what, in words: one hand, but two hands."""


def count(number: int, what: str) -> str:
    """A number and what it counts.

    >>> count(1, "hand"), count(0, "hand"), count(2500, "hand")
    ('1 hand', '0 hands', '2,500 hands')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
