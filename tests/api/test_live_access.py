"""Live connections: who may connect, for how long, how often, and what happens when the house fails."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.exceptions import InvalidStatus

from fourcard.house.route_command import internal_error
from fourcard.house.store.interface import StoreError
from fourcard.server import live
from tests.api.served_house import (
    GENEROUS,
    PASSWORD,
    LiveViewer,
    ServedHouse,
    assert_no_errors,
    credentials,
    new_key,
    seat_players,
    served_house,
    settled_heads,
)
from tests.kit.waiting import wait_until

FOLD = {"kind": "fold", "position": 1}


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        seat_players(made.house)
        settled_heads(made)
        yield made


def code(served: ServedHouse, person: str = "ann", **choices: Any) -> int:
    """Return the close code of a connection that is closed before anything is shown."""
    with LiveViewer(served, person, **choices) as looker:
        try:
            told = looker.receive(within=20)
        except TimeoutError:
            raise AssertionError("Nothing was said.") from None
        except Exception:  # noqa: BLE001  the code says more
            return looker.closed()
    raise AssertionError(told)


def test_a_connection_is_closed_at_once_where_it_may_not_be(served: ServedHouse) -> None:
    before = settled_heads(served)
    cookie = {"Cookie": f"{served.serving.authenticator.cookie_name}={served.token('ann')}"}
    with assert_no_errors():
        assert code(served, person="") == 4401
        assert code(served, token="x" * 43) == 4401
        assert code(served, table="elsewhere") == 4404
        assert code(served, origin="http://elsewhere.example") == 4403
        assert code(served, origin="null") == 4403
        assert code(served, origin=f"http://127.0.0.1:{served.port + 1}") == 4403
        assert code(served, origin=f"http://localhost:{served.port}") == 4403
        assert code(served, origin=None) == 4403
        foreign = {**cookie, "Host": "elsewhere.example"}
        assert code(served, origin="http://elsewhere.example", headers=foreign) == 4403
        assert code(served, origin=None, headers={**cookie, "Sec-Fetch-Site": "cross-site"}) == 4403
    assert settled_heads(served) == before


def test_a_program_looks_with_its_token_and_no_origin(served: ServedHouse) -> None:
    headers = {"Authorization": f"Bearer {served.token('ann')}"}
    with LiveViewer(served, origin=None, headers=headers) as looker:
        assert looker.receive()["you"]["player"] == "ann"
        assert looker.is_alive()


def test_a_person_has_so_many_connections_and_others_have_theirs() -> None:
    with served_house(limits=replace(GENEROUS, connections=3)) as served:
        lookers = [LiveViewer(served, "ann") for _ in range(3)]
        for each in lookers:
            each.receive()
        assert code(served, "ann") == 4429
        with LiveViewer(served, "bob") as bob:
            assert bob.receive()["kind"] == "table"
        lookers.pop().__exit__(None, None, None)
        wait_until(lambda: served.serving.connections._count.get("player/ann", 0) <= 2, patience=5)
        with LiveViewer(served, "ann") as again:
            assert again.receive()["kind"] == "table"
        for each in lookers:
            each.__exit__(None, None, None)


def test_a_flood_of_commands_is_stopped_and_others_are_not_hindered() -> None:
    with (
        assert_no_errors(),
        served_house(limits=replace(GENEROUS, commands=0.001, command_burst=5)) as served,
    ):
        seat_players(served.house)
        before = settled_heads(served)
        with LiveViewer(served, "ann") as ann, LiveViewer(served, "bob") as bob:
            taken = [ann.answer({"key": new_key(), "command": FOLD})["kind"] for _ in range(5)]
            assert taken == ["refused"] * 5
            told = ann.answer({"key": "sixth", "command": FOLD})
            assert (told["kind"], told["key"]) == ("trouble", "sixth")
            assert told["message"].startswith("Too many requests")
            assert bob.answer({"key": new_key(), "command": {**FOLD, "position": 2}})["kind"] == "refused"
            for _ in range(20):
                ann.send({"key": new_key(), "ready": 1})
            assert ann.closed() == 1008
            assert bob.is_alive()
            with served.client("ann") as over_http:
                answer = over_http.post("/api/tables/main/commands", json={"key": "k", "command": FOLD})
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) > 0
        assert settled_heads(served) == before


def test_new_connections_are_limited_too() -> None:
    with (
        assert_no_errors(),
        served_house(limits=replace(GENEROUS, requests=0.001, burst=10, crowd=1)) as served,
    ):
        token = served.token("ann")
        for _ in range(9):
            with LiveViewer(served, token=token) as looker:
                looker.receive()
        with pytest.raises(InvalidStatus) as turned_away:
            LiveViewer(served, token=token)
        assert turned_away.value.response.status_code == 403


def test_who_signs_out_is_heard_no_more(served: ServedHouse) -> None:
    with assert_no_errors(), LiveViewer(served, "ann") as ann:
        ann.receive()
        signed_out = served.client(cookie=f"{served.serving.authenticator.cookie_name}={ann.token}")
        with signed_out as client:
            assert client.post("/api/sign-out").status_code == 204
        before = settled_heads(served)
        ann.send({"key": new_key(), "command": {"kind": "buy_in", "player": "ann", "cents": 5_000}})
        assert ann.closed() == 4401
        assert settled_heads(served) == before


def test_who_signs_out_sees_no_more(served: ServedHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SIGN_IN_CHECK_SECONDS", 0.05)
    with assert_no_errors(), LiveViewer(served, "ann") as ann, LiveViewer(served, "bob") as bob:
        served.house.sign_in.revoke(ann.token)
        assert ann.closed() == 4401
        assert bob.is_alive()


def staffed(served: ServedHouse, kind: str, **fields: Any) -> None:
    with served.client("ada") as ada:
        body = {"key": new_key(), "command": {"kind": kind, **fields}}
        answer = ada.post("/api/staff/commands", json=body)
    assert answer.status_code == 200, answer.text


def test_who_is_let_go_is_heard_no_more_and_comes_back_as_a_stranger(served: ServedHouse) -> None:
    with assert_no_errors(), LiveViewer(served, "dan") as dan:
        assert dan.receive()["console"] is not None
        staffed(served, "dismiss_staff", person="dan")
        before = settled_heads(served)
        dan.send({"key": new_key(), "command": {"kind": "report_link", "up": False, "reason": "Revenge."}})
        assert dan.closed() == 4401
        assert settled_heads(served) == before
        staffed(served, "hire_staff", person="dan", name="Dan", roles=["dealer"])
        assert code(served, token=dan.token) == 4401
        with served.client() as stranger:
            answer = stranger.post("/api/sign-in", json=credentials("dan", PASSWORD))
        assert (answer.status_code, answer.json()["refusal"]["name"]) == (401, "sign_in_failed")


def test_who_gets_other_roles_connects_anew(served: ServedHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SIGN_IN_CHECK_SECONDS", 0.05)
    with assert_no_errors(), LiveViewer(served, "dan") as dan:
        staffed(served, "change_roles", person="dan", roles=["auditor"])
        assert dan.closed() == 4401
        with LiveViewer(served, token=dan.token) as auditor:
            assert auditor.receive()["chances"]["may"] == []


def test_a_fault_of_the_house_ends_one_connection_and_tells_nothing(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with LiveViewer(served, "ann") as ann, LiveViewer(served, "bob") as bob:
        ann.receive()

        async def failing(*_details: object) -> None:
            raise ZeroDivisionError("a detail of ours")

        monkeypatch.setattr(served.serving.gateway, "run", failing)
        ann.send({"key": new_key(), "command": FOLD})
        assert ann.closed() == 1011
        assert bob.is_alive()
    assert "A live connection had an internal error." in caplog.messages


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StoreError("The disk of this machine is full."), "it cannot be reached"),
        (internal_error(KeyError("a detail of ours")), "it had an internal error"),
    ],
)
def test_what_hinders_the_house_is_told_and_the_connection_goes_on(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch, error: StoreError, told: str
) -> None:
    async def failing(*_details: object) -> StoreError:
        return error

    monkeypatch.setattr(served.serving.floor, "submit", failing)
    body = {"key": new_key(), "command": FOLD}
    with LiveViewer(served, "ann") as ann, served.client("ann") as client:
        refusal = ann.answer(body)["refusal"]
        assert ann.is_alive()
        answer = client.post("/api/tables/main/commands", json=body)
    assert refusal["name"] == "house_in_trouble"
    assert refusal["message"] == f"The house cannot do this now: {told}."
    assert (answer.status_code, answer.json()["refusal"]) == (503, refusal)


def test_a_store_that_cannot_be_reached_ends_a_connection_with_a_reason(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(*_details: object) -> None:
        raise StoreError("The disk of this machine is full.")

    monkeypatch.setattr("fourcard.server.live.SIGN_IN_CHECK_SECONDS", 0.3)
    token = served.token("ann")
    with assert_no_errors(), LiveViewer(served, token=token) as ann:
        ann.receive()
        monkeypatch.setattr(served.serving.authenticator, "identify", failing)
        refusal = ann.answer({"key": new_key(), "command": FOLD})["refusal"]
        assert refusal["message"] == "The house cannot do this now: it cannot be reached."
        assert ann.close_reason() == (1011, "The house cannot be reached right now.")
        with LiveViewer(served, token=token) as again:
            assert again.close_reason() == (1011, "The house cannot be reached right now.")
    assert len([told for told in caplog.messages if "The disk of this machine is full." in told]) == 3


def test_a_store_that_fails_as_a_connection_begins_ends_it_with_a_reason(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_details: object) -> None:
        raise StoreError("The disk of this machine is full.")

    monkeypatch.setattr(served.serving.floor, "subscribe", failing)
    with assert_no_errors(), LiveViewer(served, "ann") as ann:
        assert ann.close_reason() == (1011, "The house cannot be reached right now.")


def test_what_was_sent_before_the_house_closes_is_answered(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly = served.serving.gateway.run

    async def slow(*details: Any) -> Any:
        await asyncio.sleep(0.3)
        return await slowly(*details)

    monkeypatch.setattr(served.serving.gateway, "run", slow)
    with assert_no_errors(), LiveViewer(served, "ann") as ann, LiveViewer(served, "bob") as bob:
        bob.receive()
        ann.send({"key": "last", "command": {"kind": "buy_in", "player": "ann", "cents": 5_000}})
        time.sleep(0.1)
        served.close()
        assert ann.receive("done")["key"] == "last"
        assert ann.closed() == bob.closed() == 1012
