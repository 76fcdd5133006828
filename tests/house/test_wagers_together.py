"""Wagers placed together, and what follows a command in one record: every check of a single command holds."""

from typing import Any

import pytest

from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import BuyIn, CashOut, CloseLink
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.journal import unpack_events
from fourcard.house.route_command import CommandResult, Request
from fourcard.refusal_codes import Code
from fourcard.round.commands import PlaceWagers
from fourcard.table.commands import BeginRound
from tests.kit.houses import TestHouse, player

TABLE = "main"
STREAM = table_stream(TABLE)
ANN = player("ann")


def betting() -> TestHouse:
    """Return a house whose table has a round open for wagers, with two people seated."""
    made = ready_to_begin("massachusetts")
    made.at(TABLE, BeginRound())
    return made


def ready_to_begin(example: str) -> TestHouse:
    """Return a house whose table can begin a round, with two people seated."""
    made = TestHouse()
    made.staff()
    made.register("ann", "bob")
    made.install(TABLE, example)
    made.open(TABLE)
    made.seat(TABLE, ("ann", "bob"))
    bots = made.rehearsal(TABLE, ("ann", "bob"))
    while not isinstance(bots.next(made.house_table(TABLE)).command, BeginRound):
        made.step(bots)
    return made


def wagers(**amounts: int) -> PlaceWagers:
    """Return wagers of the first position."""
    return PlaceWagers(position=1, wagers=dict(amounts))


@pytest.mark.parametrize("spare", [-100, 0, 100])
def test_all_of_them_need_chips_together(spare: int) -> None:
    made, command = betting(), wagers(ante=2_500, aces_up=2_500)
    rest = made.house_table(TABLE).chips("ann") - 5_000 - spare
    made.at(TABLE, CashOut(player="ann", cents=rest), ANN)
    if spare < 0:
        assert made.refused(STREAM, command, ANN).code is Code.CHIPS_SHORT
        return
    made.at(TABLE, command, ANN)
    assert made.house_table(TABLE).chips("ann") == spare
    made.at(TABLE, command, ANN)
    assert made.house_table(TABLE).chips("ann") == spare, "chips on the spots are replaced"


def test_one_refused_wager_refuses_all() -> None:
    made = betting()
    assert made.refused(STREAM, wagers(ante=2_500, aces_up=100), ANN).code is Code.WAGER_BELOW_LEAST
    assert made.refused(STREAM, wagers(), ANN).code is Code.NO_WAGER
    assert made.refused(STREAM, wagers(ante=2_500), player("bob")).code is Code.NOT_YOUR_POSITION


def test_a_wager_may_come_together_with_those_that_it_requires() -> None:
    """Maryland takes a six-card wager only with Ante and Aces Up (MD-07E5a.1, R11): at once, never alone."""
    made = ready_to_begin("maryland-everything")
    made.at(TABLE, BeginRound())
    assert made.refused(STREAM, wagers(six_card=500, ante=2_500), ANN).code is Code.PREREQUISITE_MISSING
    made.at(TABLE, wagers(six_card=500, aces_up=500, ante=2_500), ANN)
    assert {*made.house_table(TABLE).state.round.positions[1].wagers} == {"ante", "aces_up", "six_card"}  # type: ignore[union-attr]


def test_no_progressive_wager_among_them_while_the_link_is_closed() -> None:
    made = ready_to_begin("maryland-everything")
    made.do(meter_stream(TABLE), CloseLink(reason="maintenance", role="supervisor"))
    made.at(TABLE, BeginRound())
    assert made.refused(STREAM, wagers(ante=2_500, progressive=100), ANN).code is Code.LINK_DOWN
    made.at(TABLE, wagers(ante=2_500), ANN)


class Following:
    """An autopilot that wants one request again and again."""

    def __init__(self, request: Request) -> None:
        """Take the request."""
        self._request = request

    def next(self, _table: Any, _now: int) -> Request:
        """Return the request."""
        return self._request

    def note(self, record: Any, event: Any, table: Any) -> None:
        """Need nothing of the events."""


@pytest.mark.parametrize(
    ("command", "actor", "follows"),
    [
        (wagers(ante=2_500), ANN, True),
        (wagers(ante=2_500), Actor("bob", "player"), False),
        (wagers(ante=2_500), Actor("otto", "staff", ("auditor",)), False),
        (BuyIn(player="ann", cents=100), ANN, False),
    ],
    ids=["may", "another player", "a role that may not", "an account that is not locked"],
)
def test_what_follows_in_a_record_is_checked_like_any_command(
    command: Any, actor: Actor, *, follows: bool
) -> None:
    made = ready_to_begin("massachusetts")
    request = Request(
        STREAM, BeginRound(), BOT_STAFF, then=lambda: Following(Request(STREAM, command, actor))
    )
    before = made.heads()[STREAM]
    (reply,) = made.service.execute([request])
    assert isinstance(reply, CommandResult)
    with made.store.reading() as reading:
        (record,) = reading.records(STREAM, before)
    kinds = {each.kind for each in unpack_events(record)}
    assert kinds == ({"round_began", "wager_placed"} if follows else {"round_began"})
