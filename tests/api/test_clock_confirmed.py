"""Confirming the clock in the middle of a round takes nobody's decision time away."""

import time

from fourcard.house.clock_entropy import GuardedClock, time_of_day
from fourcard.round.state import RoundState
from fourcard.server.settings import PaceSettings
from tests.api.served_house import TABLE, ServedHouse, keyed_command, seat_players, served_house
from tests.kit.waiting import PATIENCE

HOUR = 3_600_000


def deciding(served: ServedHouse) -> RoundState:
    """Return the current round once somebody must decide."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        state = served.house.service.table(TABLE).state
        if state.round is not None and state.round.phase == "deciding":
            return state.round
        time.sleep(0.05)
    raise AssertionError("nobody is to decide")


def test_whoever_decides_has_the_time_that_was_left_after_a_clock_is_confirmed() -> None:
    ahead = [0]
    clock = GuardedClock(wall=lambda: time_of_day() + ahead[0])
    with served_house(clock=clock, pace=PaceSettings(0, wagering=600_000, deciding=600_000)) as served:
        seat_players(served.house)
        with served.client("ann") as ann, served.client("bob") as bob, served.client("ada") as ada:
            for position, client in ((1, ann), (2, bob)):
                wager = keyed_command("place_wager", position=position, wager="ante", amount=2_500)
                done = client.post(f"/api/tables/{TABLE}/commands", json=wager)
                assert done.status_code == 200, done.text
                client.post(f"/api/tables/{TABLE}/ready", json={"round": 1})
            before = deciding(served)
            ahead[0] = HOUR
            jumped = ada.get("/api/house/clock").json()["ahead"]
            assert (
                ada.post("/api/staff/commands", json=keyed_command("confirm_clock", ahead=jumped)).status_code
                == 200
            )
            assert clock.now() - time_of_day() > HOUR - 60_000
            time.sleep(1.5)
            assert deciding(served) == before
            fold = ann.post(f"/api/tables/{TABLE}/commands", json=keyed_command("fold", position=1))
            assert fold.status_code == 200, fold.text
