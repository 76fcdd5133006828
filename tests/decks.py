"""What the tests of decks and devices share: tables made ready step by step, and what is due at them."""

from collections.abc import Sequence

from fourcard.refusals import Code
from fourcard.round.commands import LeaveSeat, TakeSeat
from fourcard.rules.procedures import StepName
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.session import Table
from tests.support import game
from tests.table import ANTE, bet, finish, refused, seeded

SHUFFLER = {"maker": "Shuffle Master", "model": "Deck Mate"}
ENDS = ("shuffle_by_hand", "shuffle_by_machine", "press_shuffle", "riffle_third")
"""The steps after which cards lie in a new order."""


def closed(name: str, **changes: object) -> Table:
    """Return a closed table of an example."""
    return Table(game(name, **changes), seeded(1))


def opened(name: str, **changes: object) -> Table:
    """Return a table of an example that has just been opened."""
    at = closed(name, **changes)
    at.open()
    return at


def due(at: Table, deck: int | None = None) -> list[str]:
    """Return the names of the steps that a deck waits for, that of the next round unless told."""
    return [step for step, _ in at.state.decks[at.state.active if deck is None else deck].agenda]


def doing(at: Table, deck: int | None = None) -> Prepare:
    """Return the next step of a deck as staff does it properly."""
    number = at.state.active if deck is None else deck
    step = at.state.decks[number].agenda[0][0]
    return Prepare(
        step=step,
        deck=number,
        role="floorperson" if step == "verify_inspection" else "dealer",
        order=tuple(at.shuffle()) if step in ENDS else None,
        depth=26 if step in ("cut", "insert_cover_card") else None,
        count=5 if step == "strip" else 52 if step == "shuffle_by_machine" else None,
        hand="left" if step == "take_in_hand" else None,
    )


def ready(at: Table, deck: int | None = None) -> list[str]:
    """Do everything that a deck waits for, and return the steps; without one, what the next round waits for.

    The steps of a deck that rests are not returned with those of the deck in play.
    """
    number = at.state.active if deck is None else deck
    done = []
    while due(at, number):
        done += due(at, number)[:1]
        do_next(at, number)
    while deck is None and at.state.agenda:
        do_next(at, 1 - number)
    return done


def do_next(at: Table, deck: int | None = None) -> None:
    """Do the next step of a deck; where the cards wait for a first player, one comes by and goes again."""
    comes_by = due(at, deck)[0] == "show_first_player" and not at.state.seats
    if comes_by:
        at.do(TakeSeat(position=1, player="first"))
    at.do(doing(at, deck))
    if comes_by:
        at.do(LeaveSeat(position=1))


def until(at: Table, step: StepName, deck: int | None = None) -> None:
    """Do what comes before a step."""
    while due(at, deck)[0] != step:
        do_next(at, deck)


def in_this_order(at: Table, wanted: Sequence[StepName], deck: int | None = None) -> None:
    """Do these steps, none of which may come before its turn, nor be left out."""
    until(at, wanted[0], deck)
    for number, step in enumerate(wanted):
        for other in (*wanted[:number], *wanted[number + 1 :]):
            early = Prepare(step=other, deck=deck, role="floorperson" if "verify" in other else "dealer")
            assert refused(at, early).code in (Code.STEP_NOT_DUE, Code.NUMBER_UNFIT), other
        assert doing(at, deck).step == step
        do_next(at, deck)


def begin(at: Table) -> None:
    """Seat a player if there is none, make the deck of the next round ready and open the round."""
    if not at.state.seats:
        at.seat(1, "p1")
    ready(at)
    at.do(BeginRound())


def play(at: Table) -> int:
    """Play a round, and return the deck that served in it."""
    begin(at)
    served = at.state.active
    bet(at, ANTE)
    finish(at)
    return served
