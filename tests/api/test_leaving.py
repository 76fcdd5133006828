"""A player's chips as the API shows them, and every way to cash them out."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.api.served_house import (
    MONEY,
    STACK,
    TABLE,
    ServedHouse,
    install_table,
    keyed_command,
    seat_players,
    served_house,
)
from tests.kit.waiting import wait_until

COMMANDS = f"/api/tables/{TABLE}/commands"


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    """Serve a house with two tables, ann and bob seated at the first."""
    with served_house() as found:
        install_table(found.house, "second", "maryland-everything")
        seat_players(found.house)
        yield found


def me(person: httpx.Client) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return somebody's account and chips at tables."""
    answer = person.get("/api/me").json()
    return answer["account"], {stack["table"]: stack for stack in answer["stacks"]}


def done(person: httpx.Client, path: str, kind: str, **fields: Any) -> None:
    """Send a command that must be accepted."""
    answer = person.post(path, json=keyed_command(kind, **fields))
    assert answer.status_code == 200, answer.text


@pytest.mark.clause("P35")
def test_chips_are_shown_at_every_table_and_each_table_gives_them_back(served: ServedHouse) -> None:
    with served.client("ann") as ann, served.client("flo") as flo:
        done(ann, "/api/tables/second/commands", "buy_in", player="ann", cents=700)
        account, stacks = me(ann)
        assert account == MONEY - STACK - 700
        assert {name: (each["chips"], each["positions"]) for name, each in stacks.items()} == {
            TABLE: (STACK, [1]),
            "second": (700, []),
        }
        assert stacks[TABLE]["title"] != TABLE
        done(ann, "/api/tables/second/commands", "leave_table", player="ann")
        done(ann, COMMANDS, "leave_table", player="ann")
        assert me(ann) == (MONEY, {})
        again = ann.post(COMMANDS, json=keyed_command("leave_table", player="ann"))
        assert (again.status_code, again.json()["refusal"]["name"]) == (409, "nothing_to_leave")
        assert flo.get("/api/me").json()["stacks"] == []


@pytest.mark.clause("P35")
def test_a_wager_in_a_round_is_told_and_comes_back_with_its_end(served: ServedHouse) -> None:
    with served.client("ann") as ann, served.client("bob") as bob:
        view = f"/api/tables/{TABLE}"
        wait_until(lambda: ann.get(view).json()["view"]["round"] is not None)
        done(ann, COMMANDS, "place_wager", position=1, wager="ante", amount=2_500)
        for each in (ann, bob):
            assert each.post(f"{view}/ready", json={"round": 1}).status_code == 204
        wait_until(lambda: ann.get(view).json()["view"]["round"]["deciding"] == 1)
        done(ann, COMMANDS, "leave_table", player="ann")
        account, stacks = me(ann)
        assert account == MONEY - STACK
        held = {name: stacks[TABLE][name] for name in ("chips", "wagered", "positions", "leaving")}
        assert held == {"chips": STACK - 2_500, "wagered": 2_500, "positions": [1], "leaving": True}
        done(ann, COMMANDS, "fold", position=1)
        wait_until(lambda: me(ann) == (MONEY - 2_500, {}))


@pytest.mark.clause("P35")
def test_with_the_last_sign_in_a_player_leaves_every_table(served: ServedHouse) -> None:
    with served.client("ann") as one, served.client("ann") as other, served.client("ann") as checking:
        assert one.post("/api/sign-out").status_code == 204
        assert me(checking)[1].keys() == {TABLE}, "she is signed in elsewhere"
        assert other.post("/api/sign-out").status_code == 204
        assert checking.post("/api/sign-out").status_code == 204
    with served.client("ann") as back, served.client("bob") as bob, served.client() as nobody:
        assert me(back) == (MONEY, {})
        assert me(bob)[1].keys() == {TABLE}, "nobody else's"
        assert nobody.post("/api/sign-out").status_code == 204, "nobody leaves nothing"


@pytest.mark.clause("P36")
def test_the_floor_closes_an_occupied_table_while_it_is_served(served: ServedHouse) -> None:
    view = f"/api/tables/{TABLE}"
    with served.client("ann") as ann, served.client("flo") as flo:
        wait_until(lambda: ann.get(view).json()["view"]["round"] is not None)
        closing = flo.post(COMMANDS, json=keyed_command("close_table", role="floorperson"))
        assert closing.json()["refusal"]["name"] == "round_under_way"
        assert ann.post(COMMANDS, json=keyed_command("last_hand")).status_code == 403
        assert {"kind": "last_hand", "role": "floorperson"} in flo.get(view).json()["chances"]["may"]
        done(flo, COMMANDS, "last_hand", role="floorperson")
        assert [each["last_hand"] for each in ann.get("/api/tables").json()["items"]] == [True, False]
        for person, position in (("ann", 1), ("bob", 2)):
            with served.client(person) as leaving:
                done(leaving, COMMANDS, "leave_seat", position=position)
        wait_until(lambda: ann.get(view).json()["view"]["phase"] == "closed")
        assert ann.get(view).json()["waiting"]["for"] == "staff"
        assert me(ann) == (MONEY, {})
