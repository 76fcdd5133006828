"""Voiding a round: return every wager, forfeited ones too, and reverse payments and meter contributions."""

from fourcard.refusals import Code, refuse
from fourcard.round.ask import PHASE_WORDS, duty_refusal, phase_refusal
from fourcard.round.commands import CallOff
from fourcard.round.events import Decided, RoundVoided
from fourcard.round.state import Place, RoundState
from fourcard.rules.nodes import WagerName
from fourcard.rules.procedures import Consequence


def voided(state: RoundState, clauses: tuple[str, ...], consequences: tuple[Consequence, ...]) -> RoundVoided:
    """Return the event that voids a round; R69 returns the wagers where the clause does not say so."""
    returned = tuple(
        (p, name, amount)
        for p, place in sorted(state.places.items())
        for name, amount in _wagers_to_return(place).items()
    )
    rulings = () if "return-wagers" in consequences else ("R69",)
    stakes = state.stakes or ()
    reversing = ("R66",) if stakes else ()
    paid = tuple(step for step in state.steps if step.action == "pay")
    return RoundVoided((*clauses, *rulings, *reversing), consequences, returned, paid, stakes)


def call_off(state: RoundState, command: CallOff) -> Decided:
    """Call a round off before its first card; once there are wagers only the floor may (P24)."""
    wagered = any(place.wagers or place.unregistered for place in state.places.values())
    refusal = phase_refusal(state, command, ("betting",)) or duty_refusal(
        command, "call the round off", None, "floorperson" if wagered else "dealer"
    )
    if refusal is not None:
        return refusal
    if state.moment == "first-card":
        return refuse(Code.NOT_NOW, ("P24",), what="call off", phase=PHASE_WORDS["dealing"])
    return [voided(state, ("P24",), ("void", "return-wagers"))]


def _wagers_to_return(place: Place) -> dict[WagerName, int]:
    """Return the wagers of a position, with a progressive chip that was not registered (R99)."""
    chip: dict[WagerName, int] = {"progressive": place.unregistered} if place.unregistered else {}
    return {**place.wagers, **chip}
