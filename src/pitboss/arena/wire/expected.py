"""What the fields of a client's message must be, for the errors about them."""

WANTED = {
    "buy_in": "a whole number from 0 to 2^53 - 1",
    "until": 'null or "big_blind"',
    "v": "1",
    "team": "1 to 64 letters, without control characters",
    "join_code": "1 to 128 letters",
    "action": "FOLD, CHECK, CALL, RAISE_TO, DRAW or RUNS",
    "discard": "a list of cards such as 9d",
    "amount": "a whole number from 0 to 2^53 - 1",
    "strategy": "a list of 1 to 64 legal answers, each with its probability `p` from 0 to 1",
}


def explain(sentence: str) -> str:
    """Return what is wrong with a field, as what it must be."""
    _, at, field = sentence.rpartition(" - at `$.")
    field = field.removesuffix("`").partition("[")[0]
    return f"must be {WANTED[field]}{at}{field}`" if at and field in WANTED else sentence
