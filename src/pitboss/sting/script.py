"""Scripts: the decks and the actions of one hand of Sting, played step by step."""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers
from pitboss.errors import PitbossError
from pitboss.sting.cards import ROLES, CardSet, Role, Totals
from pitboss.sting.events import Outcome, StingAction, StingState, parse_action
from pitboss.sting.hand import PLAYER, StingHand


class ScriptError(PitbossError, ValueError):
    """A script is not valid."""


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """The input: the decks, with the top card first, and the actions."""

    deal: dict[str, list[str]]
    actions: list[str] = []
    answers: Literal["following", "everyone"] | None = None
    heat: int = 0
    cash: int = 0


class ScriptLine(Struct, frozen=True, kw_only=True):
    """The output for one step."""

    step: int
    state: StingState
    round: int
    turn: Role | None
    initiative: Role | None
    raises: int
    totals: Totals
    outcome: Outcome | None
    ok: bool
    error: str | None


def read_script(text: bytes, cards: CardSet) -> Script:
    """Read a script from JSON. Raise `ScriptError` if it is not valid."""
    try:
        script = msgspec.json.decode(text, type=Script)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScriptError(f"not a valid script: {error}") from None
    for role in ROLES:
        if role not in script.deal:
            raise ScriptError(f"deal: expected a deck for {role}")
    for name, deck in script.deal.items():
        if name not in ROLES:
            raise ScriptError(f"deal: expected only {', '.join(ROLES)}, got {name!r}")
        for card in deck:
            if card not in cards.cards:
                raise ScriptError(f"deal: unknown card {card!r} in the deck of {name}")
    return script


def play_script(script: Script, cards: CardSet, answers: Answers) -> Iterator[ScriptLine]:
    """Yield a line for the deal and one for every action. A refused action changes nothing."""
    if script.answers is not None:
        answers = Answers[script.answers.upper()]
    hand, _ = StingHand.start(script.deal, cards=cards, answers=answers, heat=script.heat, cash=script.cash)
    yield _line(0, hand, None)
    for step, text in enumerate(script.actions, 1):
        error = None
        try:
            place, action = read_step(text)
            hand, _ = hand.act(action, place)
        except Refused as refusal:
            error = str(refusal)
        yield _line(step, hand, error)


def read_step(text: str) -> tuple[int, StingAction]:
    """Read "narc check" or "customer raise Bulk Order". Without a role, the action is a decision of the Player.

    >>> read_step("customer raise Bulk Order"), read_step("continue")
    ((1, StingRaise(card='Bulk Order')), (2, Continue()))
    """
    who, _, what = text.strip().partition(" ")
    if who in ROLES:
        return ROLES.index(who), parse_action(what)
    if text.strip() in ("continue", "fold"):
        return PLAYER, parse_action(text)
    raise Refused("unknown_action", f"expected continue, fold, or an action of {', '.join(ROLES)}, got {text!r}")


def _line(step: int, hand: StingHand, error: str | None) -> ScriptLine:
    return ScriptLine(
        step=step,
        state=hand.state,
        round=hand.number,
        turn=ROLES[hand.to_act] if hand.to_act >= 0 else None,
        initiative=ROLES[hand.holder] if hand.holder is not None else None,
        raises=hand.raises,
        totals=hand.totals,
        outcome=hand.outcome,
        ok=error is None,
        error=error,
    )
