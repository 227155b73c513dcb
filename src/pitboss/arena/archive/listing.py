"""What a list of hands says of a hand, out of the messages that the page shows it by."""

from typing import Any

_PAYMENTS = frozenset(("BET", "CALL", "POST", "BRING_IN"))


def listed(hand: dict[str, Any]) -> dict[str, Any]:
    """The hand with pot, winners, what each seat won or lost, showdown, all-in, and who sat where."""
    messages = hand["messages"]
    begun, ended = ({each["seat"]: each["stack"] for each in messages[k]["stacks"]} for k in (0, -1))
    chips, won = dict(begun), dict[int, int]()
    showdown = all_in = False
    for message in messages:
        ev, seat, amount = message.get("ev"), message.get("seat"), message.get("amount", 0)
        paid = {seat: amount} if ev in _PAYMENTS else {}
        if ev == "POST_ANTES":
            paid = {each["seat"]: each["amount"] for each in message["posted"]}
        elif ev == "POST_BLINDS":
            paid = {message["sb_seat"]: message["sb_posted"], message["bb_seat"]: message["bb_posted"]}
        elif ev == "REFUND":
            chips[seat] += amount
        elif ev == "POT_AWARD":
            won[seat] = won.get(seat, 0) + amount
        showdown = showdown or ev == "SHOWDOWN"
        for payer, given in paid.items():
            chips[payer] -= given
            all_in = all_in or (given > 0 and chips[payer] == 0)
    players = hand["before"][1]["players"]
    return hand | {
        "pot": sum(won.values()),
        "winners": sorted(won),
        "delta": {seat: ended[seat] - stack for seat, stack in begun.items() if seat in ended and stack > 0},
        "showdown": showdown,
        "all_in": all_in,
        "teams": {player["seat"]: player["team"] for player in players},
    }
