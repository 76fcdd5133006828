"""Sign-in and sign-out: cookies, passwords, links, rate limits and lifetimes."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fourcard.house.auth.sign_in import AuthPolicy, HashCost, SignIn
from fourcard.house.store.interface import StoreError
from fourcard.house.store.sql import SqlWriteTransaction
from fourcard.server.authn import GUEST_CENTS, LinkSecrets, new_link_secrets
from fourcard.server.local_house import open_local_house
from fourcard.server.settings import LOOPBACK_NETWORKS, PaceSettings, ServerSettings
from tests.api.served_house import (
    GENEROUS,
    PASSWORD,
    TABLE,
    MovableClock,
    ServedHouse,
    create_house,
    credentials,
    install_table,
    keyed_command,
    seat_players,
    served_house,
)

HOUR = 60 * 60 * 1_000
LINKS = LinkSecrets("a-secret-of-players", "a-secret-of-staff")
LOCAL = ServerSettings(bots=0, pace=PaceSettings(0), limits=GENEROUS)


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        yield made


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHouse]:
    """Serve a local house."""
    house = open_local_house(tmp_path_factory.mktemp("own") / "house.db")
    with ServedHouse(house, LOCAL, LINKS) as made:
        yield made


def cookie_of(answer: httpx.Response) -> tuple[str, Any]:
    """Return the single cookie that an answer sets, by name."""
    (header,) = answer.headers.get_list("set-cookie")
    (found,) = SimpleCookie(header).items()
    return found


def test_a_sign_in_sets_a_cookie_that_scripts_and_other_sites_do_not_get(served: ServedHouse) -> None:
    with served.client() as client:
        answer = client.post("/api/sign-in", json=credentials("ann"))
    assert answer.json()["who"] == {"kind": "player", "person": "ann", "name": "Ann", "roles": []}
    name, cookie = cookie_of(answer)
    assert name == "fourcard_session"
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "strict", "/")
    assert (cookie["secure"], cookie["domain"]) == ("", "")
    assert int(cookie["max-age"]) == 12 * 60 * 60
    assert cookie.value == answer.headers["x-fourcard-token"]


def test_in_a_house_by_https_the_cookie_goes_nowhere_else() -> None:
    with served_house(secure=True) as served, served.client() as client:
        answer = client.post("/api/sign-in", json=credentials("ann"))
        name, cookie = cookie_of(answer)
        assert name == "__Host-fourcard_session"
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "strict")
        assert (cookie["path"], cookie["domain"]) == ("/", "")
        asked = {"cookie": f"{name}={cookie.value}"}
        assert client.get("/api/me", headers=asked).json()["who"]["person"] == "ann"
        under_another = {"cookie": f"fourcard_session={cookie.value}"}
        assert client.get("/api/me", headers=under_another).json()["who"] is None


def test_a_sign_out_ends_the_sign_in_and_no_other(served: ServedHouse) -> None:
    with served.client("ann") as ann, served.client("ann") as elsewhere:
        token = ann.cookies["fourcard_session"]
        answer = ann.post("/api/sign-out")
        assert answer.status_code == 204
        assert answer.content == b""
        _, cookie = cookie_of(answer)
        assert (cookie.value, cookie["max-age"]) == ("", "0")
        with served.program(authorization=f"Bearer {token}") as thief:
            assert thief.get("/api/me").json()["who"] is None
            assert thief.get("/api/tables").status_code == 401
            assert thief.post("/api/sign-out").status_code == 204
        assert elsewhere.get("/api/me").json()["who"]["person"] == "ann"


def test_a_sign_in_ends_after_twelve_hours() -> None:
    clock = MovableClock()
    with served_house(clock=clock) as served, served.client("ann") as ann, served.client("dan") as dan:
        clock.moved = 12 * HOUR - 60_000
        assert ann.get("/api/tables").status_code == dan.get("/api/tables").status_code == 200
        clock.moved = 12 * HOUR + 60_000
        for client in (ann, dan):
            answer = client.get("/api/tables")
            assert (answer.status_code, answer.json()["refusal"]["name"]) == (401, "not_signed_in")
            assert client.get("/api/me").json()["who"] is None
        command = keyed_command("buy_in", player="ann", cents=5_000)
        assert ann.post(f"/api/tables/{TABLE}/commands", json=command).status_code == 401


WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "a wrong password": (credentials("ann", "wrong horse battery"), 401, "sign_in_failed"),
    "nobody of that name": (credentials("nobody"), 401, "sign_in_failed"),
    "a player among the staff": ({**credentials("ann"), "kind": "staff"}, 401, "sign_in_failed"),
    "the console": ({**credentials("console"), "kind": "staff"}, 401, "sign_in_failed"),
    "the dealer of the house": ({**credentials("house-dealer"), "kind": "staff"}, 401, "sign_in_failed"),
    "an empty password": (credentials("ann", ""), 401, "sign_in_failed"),
    "half a character": (credentials("ann", "\ud800" * 20), 400, "request_unreadable"),
    "a name that is none": (credentials("An\u0000n"), 401, "sign_in_failed"),
    "an endless password": (credentials("ann", "x" * 1_001), 400, "request_unreadable"),
    "another kind": ({**credentials("ann"), "kind": "house"}, 400, "request_unreadable"),
    "a field more": ({**credentials("ann"), "role": "executive"}, 400, "request_unreadable"),
}


@pytest.mark.parametrize(("body", "status", "name"), WRONG.values(), ids=WRONG)
def test_a_sign_in_that_is_wrong_says_nothing_of_who_there_is(
    served: ServedHouse, body: dict[str, Any], status: int, name: str
) -> None:
    with served.client() as client:
        answer = client.post("/api/sign-in", content=json.dumps(body))
    assert (answer.status_code, answer.json()["refusal"]["name"]) == (status, name)
    assert "set-cookie" not in answer.headers
    assert "x-fourcard-token" not in answer.headers
    assert str(body["password"])[:50] not in answer.text or not body["password"]


def sign_in_from(
    client: httpx.Client, address: str, person: str = "ann", password: str = PASSWORD
) -> tuple[int, str]:
    """Try to sign in from an address behind the proxy, and return the status and the name of a refusal."""
    told = {"x-forwarded-for": address}
    answer = client.post("/api/sign-in", json=credentials(person, password), headers=told)
    return answer.status_code, answer.json().get("refusal", {}).get("name", "")


LOCKED, FAILED, SIGNED_IN = (429, "sign_in_locked"), (401, "sign_in_failed"), (200, "")


def test_five_failures_lock_a_name_for_their_address_and_nobody_else() -> None:
    with served_house(proxies=LOOPBACK_NETWORKS) as served, served.client() as client:
        for _ in range(5):
            assert sign_in_from(client, "192.0.2.1", "ada", "wrong horse battery") == FAILED
        assert sign_in_from(client, "192.0.2.1", "ada") == LOCKED
        assert sign_in_from(client, "192.0.2.1", "bob") == SIGNED_IN
        assert sign_in_from(client, "192.0.2.2", "ada") == SIGNED_IN, "a stranger locks no manager out"


def test_all_addresses_of_an_ipv6_network_count_as_one() -> None:
    with served_house(proxies=LOOPBACK_NETWORKS) as served, served.client() as client:
        for number in range(5):
            assert sign_in_from(client, f"2001:db8::{number}", "ada", "wrong horse battery") == FAILED
        assert sign_in_from(client, "2001:db8::ffff", "ada") == LOCKED
        assert sign_in_from(client, "2001:db8:0:1::1", "ada") == SIGNED_IN


def test_failures_from_many_addresses_slow_a_name_except_where_it_has_signed_in() -> None:
    clock = MovableClock()
    with served_house(proxies=LOOPBACK_NETWORKS, clock=clock) as served, served.client() as client:
        assert sign_in_from(client, "203.0.113.1", "ada") == SIGNED_IN
        tried = [sign_in_from(client, f"192.0.2.{each}", "ada", "wrong horse") for each in range(60)]
        assert tried == [FAILED] * 50 + [LOCKED] * 10
        assert sign_in_from(client, "203.0.113.2", "ada") == LOCKED
        assert sign_in_from(client, "203.0.113.1", "ada") == SIGNED_IN
        clock.moved = 31_000
        assert sign_in_from(client, "203.0.113.2", "ada") == SIGNED_IN
        assert sign_in_from(client, "203.0.113.2", "ada") == SIGNED_IN


def test_sign_ins_that_find_a_long_queue_are_told_to_come_again() -> None:
    house = create_house()
    dear = AuthPolicy(cost=HashCost(passes=40, memory=16_384, lanes=1))
    house.sign_in = SignIn(house.service, house.service.security, dear)
    assert house.sign_in.set_password("player", "ann", PASSWORD) is None
    with ServedHouse(house) as served, ThreadPoolExecutor(40) as threads, served.client() as client:

        def sign_in(_number: int) -> httpx.Response:
            return client.post("/api/sign-in", json=credentials("ann"))

        answers = [*threads.map(sign_in, range(40))]
        busy = [each for each in answers if each.status_code == 503]
        assert 1 <= len(busy) <= 22, "two are compared, sixteen wait"
        assert {each.status_code for each in answers} <= {200, 429, 503}
        assert {each.headers["retry-after"] for each in busy} == {"3"}
        assert {each.json()["refusal"]["message"] for each in busy} == {
            "The house cannot do this now: too many people sign in at the same time; try again in 3 s."
        }
        assert client.get("/health").status_code == 200


def test_an_address_may_not_try_one_name_after_the_other() -> None:
    with (
        served_house(limits=replace(GENEROUS, sign_ins=0.001, sign_in_burst=10)) as served,
        served.client() as client,
    ):
        for number in range(10):
            wrong = {"kind": "player", "person": f"somebody-{number}", "password": "wrong horse"}
            assert client.post("/api/sign-in", json=wrong).status_code == 401
        answer = client.post("/api/sign-in", json=credentials("ann"))
        assert (answer.status_code, answer.json()["refusal"]["name"]) == (429, "too_fast")
        assert int(answer.headers["retry-after"]) > 0


def put(client: httpx.Client, **fields: str) -> httpx.Response:
    return client.post("/api/passwords", json=fields)


def test_everybody_changes_the_own_password_and_stays_signed_in_here_alone(served: ServedHouse) -> None:
    new = "a horse of another colour"
    with served.client("dan") as dan, served.client("dan") as elsewhere:
        own: dict[str, str] = {"kind": "staff", "person": "dan", "password": new}
        assert put(dan, **own).status_code == 401
        assert put(dan, **own, present="wrong horse battery").status_code == 401
        assert elsewhere.get("/api/me").json()["who"]["person"] == "dan"
        answer = put(dan, **own, present=PASSWORD)
        assert answer.status_code == 204, answer.text
        assert dan.get("/api/me").json()["who"]["person"] == "dan"
        assert elsewhere.get("/api/me").json()["who"] is None
        assert dan.post("/api/sign-in", json=credentials("dan")).status_code == 401
        assert dan.post("/api/sign-in", json=credentials("dan", new)).status_code == 200


def test_only_an_administrator_gives_others_a_password(served: ServedHouse) -> None:
    new = "a horse of another colour"
    before = served.heads()
    for person in ("ann", "dan", "flo", "sue", "eve", "otto"):
        with served.client(person) as client:
            answer = put(client, kind="player", person="bob", password=new)
            assert (answer.status_code, answer.json()["refusal"]["clauses"]) == (403, ["P25"])
            assert put(client, kind="staff", person="ada", password=new).status_code == 403
    assert served.heads() == before
    with served.client("ada") as ada, served.client("bob") as bob:
        assert put(ada, kind="player", person="bob", password="short").status_code == 409
        assert put(ada, kind="player", person="nobody", password=new).status_code == 404
        assert put(ada, kind="staff", person="console", password=new).status_code == 409
        assert bob.get("/api/me").json()["who"]["person"] == "bob"
        assert put(ada, kind="player", person="bob", password=new).status_code == 204
        assert bob.get("/api/me").json()["who"] is None
        assert bob.post("/api/sign-in", json=credentials("bob", new)).status_code == 200


def test_passwords_cost_time_so_that_only_an_administrator_gives_many_at_once() -> None:
    new = {"kind": "player", "person": "bob", "password": "a horse of another colour"}
    with served_house(limits=replace(GENEROUS, sign_ins=0.001, sign_in_burst=3)) as served:
        with served.client("ann") as ann:
            assert [put(ann, **new).status_code for _ in range(4)] == [403, 403, 403, 429]
        with served.client("ada") as ada:
            assert [put(ada, **new).status_code for _ in range(4)] == [204] * 4


def test_a_password_is_kept_and_noted_at_once_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = "a horse of another colour"

    def failing(*_given: object) -> None:
        raise StoreError("The disk is full.")

    with served_house(tmp_path / "house.db") as served, served.client("ada") as ada:
        before = served.heads()
        fields = {"kind": "player", "person": "bob", "password": new}
        for what in ("append", "put_credential", "announce_sign_out"):
            with monkeypatch.context() as broken:
                broken.setattr(SqlWriteTransaction, what, failing)
                assert put(ada, **fields).status_code == 503
            assert served.heads() == before
            assert served.token("bob")
        assert put(ada, **fields).status_code == 204
        assert served.heads() == {**before, "player/bob": before["player/bob"] + 1}
        assert ada.post("/api/sign-in", json=credentials("bob")).status_code == 401
        assert ada.post("/api/sign-in", json=credentials("bob", new)).status_code == 200


def test_a_link_lets_in_whoever_has_it_and_leaves_its_secret_behind(own: ServedHouse) -> None:
    with own.client() as player, own.client() as staff:
        answer = player.get(f"/enter/{LINKS.player}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        name, cookie = cookie_of(answer)
        assert (name, cookie["httponly"], cookie["samesite"]) == ("fourcard_session", True, "strict")
        assert LINKS.player not in cookie.value
        found = player.get("/api/me").json()
        assert (found["mode"], found["who"]["kind"], found["account"]) == ("local", "player", GUEST_CENTS)
        answer = staff.get(f"/enter/{LINKS.staff}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/#/staff")
        assert "administrator" in staff.get("/api/me").json()["who"]["roles"]


@pytest.mark.parametrize(
    "secret",
    ["x", LINKS.player[:-1], f"{LINKS.player}x", LINKS.player.upper(), "%00", "%F0%9F%82%A1", "x" * 199],
)
def test_a_wrong_link_lets_nobody_in(own: ServedHouse, secret: str) -> None:
    before = own.heads()
    with own.client() as client:
        answer = client.get(f"/enter/{secret}")
    assert (answer.status_code, answer.json()["refusal"]["name"]) == (403, "link_spent")
    assert "set-cookie" not in answer.headers
    assert own.heads() == before


def test_a_browser_with_an_old_link_is_led_on_and_everybody_else_refused(own: ServedHouse) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    before = own.heads()
    with own.client() as stranger:
        answer = stranger.get("/enter/old", headers=browser)
        assert (answer.status_code, answer.headers["location"]) == (303, "/#/old-link")
        assert "set-cookie" not in answer.headers
        answer = stranger.get("/enter/old", headers={"cookie": "fourcard_session=made-up", **browser})
        assert answer.headers["location"] == "/#/old-link"
        answer = stranger.get("/nowhere/at/all?x=1", headers=browser)
        assert (answer.status_code, answer.headers["location"]) == (303, "/#/nowhere/at/all")
        assert stranger.get("/api/nowhere", headers=browser).status_code == 404
        assert stranger.get("/nowhere").status_code == 404
        assert stranger.post("/nowhere", headers=browser).status_code == 404
    assert own.heads() == before
    for link, home in ((LINKS.player, "/"), (LINKS.staff, "/#/staff")):
        with own.client() as known:
            known.get(f"/enter/{link}")
            who = known.get("/api/me").json()["who"]
            answer = known.get("/enter/old", headers=browser)
            assert (answer.status_code, answer.headers["location"]) == (303, home)
            assert "set-cookie" not in answer.headers
            assert known.get("/api/me").json()["who"] == who
            assert known.get("/enter/old").json()["refusal"]["name"] == "link_spent"


def test_links_open_nothing_in_a_house_for_many(served: ServedHouse) -> None:
    with served.client() as client:
        for secret in (LINKS.player, LINKS.staff, "", "x" * 300):
            assert client.get(f"/enter/{secret}").status_code in (400, 403, 404)


def test_secrets_of_links_are_long_and_never_the_same() -> None:
    drawn = [secret for _ in range(50) for secret in (new_link_secrets().player, new_link_secrets().staff)]
    assert len({*drawn}) == 100
    assert min(map(len, drawn)) >= 32


def test_play_money_comes_again_when_it_is_gone(own: ServedHouse) -> None:
    with own.client() as guest:
        guest.get(f"/enter/{LINKS.player}")
        name = guest.get("/api/me").json()["who"]["person"]
        early = guest.post("/api/me/refill")
        assert (early.status_code, early.json()["refusal"]["name"]) == (409, "purse_not_empty")
        commands = "/api/tables/massachusetts/commands"
        assert (
            guest.post(commands, json=keyed_command("buy_in", player=name, cents=GUEST_CENTS)).status_code
            == 200
        )
        with_chips = guest.post("/api/me/refill")
        assert (with_chips.status_code, with_chips.json()["refusal"]["name"]) == (409, "purse_not_empty")
    with own.client() as staff:
        staff.get(f"/enter/{LINKS.staff}")
        assert staff.post("/api/me/refill").json()["refusal"]["name"] == "local_mode_only"


def test_a_guest_chooses_how_many_bots_play_and_nobody_else_does(own: ServedHouse) -> None:
    with own.client() as guest:
        guest.get(f"/enter/{LINKS.player}")
        for bots in (0, 3):
            assert guest.post("/api/bots", json={"bots": bots}).json()["bots"] == bots
            assert guest.get("/api/me").json()["bots"] == bots
        for wrong in (-1, 7, 1.5, "many", None):
            assert guest.post("/api/bots", json={"bots": wrong}).status_code == 400
        assert guest.get("/api/me").json()["bots"] == 3
    with own.client() as staff:
        staff.get(f"/enter/{LINKS.staff}")
        answer = staff.post("/api/bots", json={"bots": 1})
        assert (answer.status_code, answer.json()["refusal"]["name"]) == (403, "bots_set_by_house")


def test_a_guest_who_has_lost_all_is_given_more(tmp_path: Path) -> None:
    with (
        ServedHouse(open_local_house(tmp_path / "house.db"), LOCAL, LINKS) as served,
        served.client() as guest,
    ):
        guest.get(f"/enter/{LINKS.player}")
        name = guest.get("/api/me").json()["who"]["person"]
        with served.client() as staff:
            staff.get(f"/enter/{LINKS.staff}")
            gone = keyed_command("withdraw", cents=GUEST_CENTS - 5_000, role="supervisor")
            assert staff.post(f"/api/players/{name}/commands", json=gone).status_code == 200
        answer = guest.post("/api/me/refill")
        assert (answer.status_code, answer.json()["account"]) == (200, GUEST_CENTS + 5_000)


def test_lists_come_in_pages(served: ServedHouse) -> None:
    for name in ("alpha", "beta", "gamma"):
        install_table(served.house, name)
    seat_players(served.house, "beta")
    with served.client("ann") as ann:
        names, after = list[str](), ""
        for _ in range(10):
            page = ann.get("/api/tables", params={"limit": 2, "after": after}).json()
            names += [each["table"] for each in page["items"]]
            if page["next"] is None:
                break
            after = page["next"]
        assert names == ["alpha", "beta", "gamma", "main"]
        for wrong in ({"limit": 0}, {"limit": 201}, {"limit": "x"}, {"after": "x" * 41}):
            assert ann.get("/api/tables", params=wrong).status_code == 400


def test_a_browser_that_comes_again_by_the_link_is_the_same_guest(tmp_path: Path) -> None:
    hall = ServedHouse(open_local_house(tmp_path / "house.db"), LOCAL, LINKS)
    with hall as served, served.client() as first, served.client() as second:
        names = list[str]()
        for browser in (first, second, first):
            browser.get(f"/enter/{LINKS.player}")
            names.append(browser.get("/api/me").json()["who"]["person"])
        assert names == ["guest-1", "guest-2", "guest-1"]
        first.get(f"/enter/{LINKS.staff}")
        assert first.get("/api/me").json()["who"]["kind"] == "staff"
