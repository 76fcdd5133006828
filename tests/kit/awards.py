"""Rounds with progressive awards that wait for their price or their confirmation, and meters in cents."""

from collections.abc import Mapping

from fourcard.meter import Meter
from fourcard.money import Odds
from fourcard.refusals import Refusal
from fourcard.round.commands import PayAward
from fourcard.round.state import RoundState
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.support import game
from tests.kit.tables import bet, current_round, stack, until

CENT = 10_000
"""The units of one cent, written out here a second time."""
WHOLE, TENTH, FOUR_OF_A_KIND = Odds("100% of meter"), Odds("10% of meter"), Odds("300 for 1")


def cents(amount: int, units: int = 0, reversed_wins: tuple[int, ...] = (), **more: int) -> Meter:
    """Return a meter of so many cents, and units on top of them."""
    return Meter(amount=amount * CENT + units, reversed_wins=reversed_wins, **more)


ROYAL, STRAIGHT_FLUSH, ACES = "Ts Js Qs Ks As", "9h Th Jh Qh Kh", "As Ah Ad Ac 2c"
AWARD = ("MD-12D1c", "R8", "MD-11D9", "MD-12D4")
MARYLAND: dict[WagerName, int] = {"ante": 2500, "aces_up": 500, "six_card": 100, "progressive": 500}


def settling(
    name: str, hands: Mapping[int, str], wagers: Mapping[WagerName, int], **changes: object
) -> Table:
    """Return a table where everybody has these wagers and has decided to play."""
    made = game(name, **changes)
    at = Table(made, lambda: stack(made, hands, hands))
    for position in hands:
        at.seat(position, f"p{position}")
    at.begin()
    bet(at, wagers)
    until(at, "settling")
    return at


def awaiting(at: Table) -> PayAward:
    """Let the dealer go on until an award waits, and return the right price."""
    while current_round(at).awaited_step is None:
        act = at.next_command()
        assert act is not None
        at.do(act)
    price = at.next_command()
    assert isinstance(price, PayAward)
    return price


def maryland(**changes: object) -> Table:
    """Return a table of $10,001.25 where a straight flush has a tenth and a royal flush then the rest."""
    return settling("maryland-everything", {1: ROYAL, 2: STRAIGHT_FLUSH}, MARYLAND, **changes)


def finished(at: Table) -> RoundState:
    """Let the dealer settle everything, and return the round."""
    at.finish(lambda _spot: 1)
    assert at.state.last_round is not None
    return at.state.last_round


def told(refusal: object) -> tuple[str, str, tuple[str, ...]]:
    """Return a refusal as its name, its sentence and its clauses."""
    assert isinstance(refusal, Refusal), refusal
    return refusal.name, refusal.message, refusal.clauses
