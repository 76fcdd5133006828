"""Security middleware: headers on every answer, host names and origins, sizes and rate limits."""

import gzip
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fourcard.house.store.interface import StoreError
from fourcard.server.middleware import JsonLogFormatter
from fourcard.server.static_page import page_files
from tests.api.served_house import (
    GENEROUS,
    PASSWORD,
    TABLE,
    ServedHouse,
    assert_no_errors,
    credentials,
    keyed_command,
    served_house,
)
from tests.kit.waiting import wait_until

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
POLICY = {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"}
LIMIT = 200_000


@pytest.fixture(scope="module")
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        yield made


@pytest.fixture(scope="module")
def secure() -> Iterator[ServedHouse]:
    with served_house(secure=True, hosts=("127.0.0.1", "tables.example")) as made:
        yield made


@pytest.fixture
def ann(served: ServedHouse) -> Iterator[httpx.Client]:
    with served.client("ann") as client:
        yield client


def guarded(answer: httpx.Response, status: int) -> Any:
    """Check the headers of an answer; return the refusal if it is one."""
    assert answer.status_code == status, answer.text
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], (name, answer.headers)
    (policy,) = answer.headers.get_list("content-security-policy")
    parts = {part.strip() for part in policy.split(";")}
    assert parts >= POLICY
    assert not any("unsafe" in part or "http" in part or "*" in part for part in parts)
    assert len(answer.headers.get_list("cache-control")) == 1
    return answer.json()["refusal"] if status >= 400 else None


def test_every_kind_of_answer_is_guarded(served: ServedHouse, ann: httpx.Client) -> None:
    commands = f"/api/tables/{TABLE}/commands"
    guarded(ann.get("/health"), 200)
    guarded(ann.get("/ready"), 200)
    guarded(ann.get("/api/me"), 200)
    guarded(ann.get("/api/openapi.json"), 200)
    guarded(ann.get("/"), 200)
    guarded(ann.get("/icon.svg"), 200)
    guarded(ann.post(commands, content=b"{"), 400)
    guarded(ann.get("/api/tables?limit=0"), 400)
    guarded(ann.get("/api/tables?limit=many"), 400)
    with served.client() as nobody:
        guarded(nobody.get("/api/tables"), 401)
        guarded(nobody.post("/api/sign-out"), 204)
    guarded(ann.post(commands, json=keyed_command("deal")), 403)
    guarded(ann.get("/enter/whatever"), 403)
    guarded(ann.get("/api/nothing"), 404)
    guarded(ann.get("/assets/nothing.js"), 404)
    guarded(ann.get("/nothing/at/all"), 404)
    guarded(ann.post("/health"), 405)
    guarded(ann.delete("/api/tables"), 405)
    guarded(ann.post(commands, json=keyed_command("fold", position=1)), 409)
    guarded(ann.post(commands, content=b"x" * (LIMIT + 1)), 413)


def test_a_refusal_is_json_with_code_name_sentence_and_clauses(ann: httpx.Client) -> None:
    refusal = guarded(ann.post(f"/api/tables/{TABLE}/commands", json=keyed_command("deal")), 403)
    assert refusal == {
        "code": refusal["code"],
        "name": "not_permitted",
        "message": refusal["message"],
        "clauses": ["MA-10a.3", "P25"],
    }
    assert isinstance(refusal["code"], int)


def test_a_fault_of_the_house_is_told_without_its_details(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(_connection: object) -> None:
        raise ZeroDivisionError("a detail of ours")

    monkeypatch.setattr(served.serving.authenticator, "identify", failing)
    with served.client() as client:
        answer = client.get("/api/me")
    refusal = guarded(answer, 500)
    assert refusal["message"] == "The house cannot do this now: it had an internal error."
    assert "detail" not in answer.text
    assert "A request caused an internal error." in caplog.messages


def test_what_is_wrong_with_the_store_is_for_the_log_alone(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(_connection: object) -> None:
        raise StoreError("The database at a-name-of-ours cannot be reached.")

    monkeypatch.setattr(served.serving.authenticator, "identify", failing)
    with served.client() as client:
        answer = client.get("/api/me")
    assert guarded(answer, 503)["message"] == "The house cannot do this now: it cannot be reached."
    assert any("a-name-of-ours" in told for told in caplog.messages)


@pytest.mark.parametrize(
    "path", ["/", "/icon.svg", "/health", "/api/me", "/api/tables", "/api/openapi.json", "/api/nothing"]
)
def test_head_is_answered_like_get_without_the_body(ann: httpx.Client, path: str) -> None:
    plain = {"accept-encoding": "identity"}
    whole, head = ann.get(path, headers=plain), ann.head(path, headers=plain)
    assert head.status_code == whole.status_code
    assert head.content == b""
    for name in ("content-type", "cache-control", "content-security-policy", "content-length"):
        assert head.headers.get(name) == whole.headers.get(name), name


def test_head_does_nothing_and_is_guarded_like_everything(served: ServedHouse, ann: httpx.Client) -> None:
    assert ann.head("/enter/whatever").status_code == 405
    assert ann.head(f"/api/tables/{TABLE}/commands").status_code == 405
    foreign = ann.head("/api/me", headers={"host": "elsewhere.example"})
    assert (foreign.status_code, foreign.content) == (403, b"")
    with served.client() as nobody:
        assert nobody.head("/api/tables").status_code == 401


def test_only_a_house_by_https_asks_for_https(served: ServedHouse, secure: ServedHouse) -> None:
    with served.client() as one, secure.client() as other:
        assert "strict-transport-security" not in one.get("/api/me").headers
        assert other.get("/api/me").headers["strict-transport-security"] == "max-age=31536000"


def test_answers_with_something_of_a_person_are_kept_nowhere(served: ServedHouse, ann: httpx.Client) -> None:
    for path in ("/api/me", "/api/tables", f"/api/tables/{TABLE}", "/api/openapi.json"):
        assert ann.get(path).headers["cache-control"] == "no-store"
    assets = [name for name in page_files() if name.startswith("/assets/")]
    assert "immutable" in ann.get(assets[0]).headers["cache-control"]
    assert ann.get("/").headers["cache-control"] == "no-cache"
    with served.client() as signing_in:
        assert signing_in.post("/api/sign-in", json=credentials("ann")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/icon.svg", "/api/openapi.json", "/api/tables"])
def test_what_is_compressed_is_the_same(ann: httpx.Client, path: str) -> None:
    plain = ann.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    request = ann.build_request("GET", path, headers={"accept-encoding": "gzip"})
    packed = ann.send(request, stream=True)
    raw = b"".join(packed.iter_raw())
    packed.close()
    found = gzip.decompress(raw) if packed.headers.get("content-encoding") == "gzip" else raw
    assert found == plain.content


def unpacked(client: httpx.Client, path: str) -> tuple[httpx.Headers, bytes]:
    """Ask with gzip; return the headers and the body, unpacked by this test alone."""
    with client.stream("GET", path, headers={"accept-encoding": "br, gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    if answer.headers.get("content-encoding") != "gzip":
        return answer.headers, raw
    assert answer.headers.get("content-length", str(len(raw))) == str(len(raw))
    assert answer.headers.get_list("vary") == ["accept-encoding"]
    return answer.headers, gzip.decompress(raw)


def test_large_answers_are_compressed_also_in_parts_and_small_ones_are_not() -> None:
    plain = {"accept-encoding": "identity"}
    with served_house(rounds=2) as served, served.client("otto") as otto:
        for path in ("/api/rounds/export", "/api/openapi.json"):
            whole = otto.get(path, headers=plain)
            assert "content-encoding" not in whole.headers
            headers, body = unpacked(otto, path)
            assert headers["content-encoding"] == "gzip"
            assert body == whole.content
            assert len(body) > 1_000
        headers, body = unpacked(otto, "/api/me")
        assert "content-encoding" not in headers
        assert body == otto.get("/api/me", headers=plain).content


def test_a_request_is_in_the_log_a_moment_later_with_its_own_time(
    ann: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    def lines() -> list[Any]:
        records = [each for each in caplog.records if each.name == "fourcard.requests"]
        return [json.loads(line) for each in records for line in JsonLogFormatter().format(each).split("\n")]

    with caplog.at_level(logging.INFO, "fourcard.requests"):
        ann.get("/api/me")
        time.sleep(0.02)
        asked = int(1000 * time.time())
        ann.get("/api/nothing?secret")
        wait_until(lambda: len(lines()) == 2)
    assert [(each["method"], each["path"], each["status"]) for each in lines()] == [
        ("GET", "/api/me", 200),
        ("GET", "/api/nothing", 404),
    ]
    first, second = (each["at"] for each in lines())
    assert first < asked <= second <= 1000 * time.time()


FOREIGN_HOSTS = [
    "elsewhere.example",
    "elsewhere.example:{port}",
    "127.0.0.1.elsewhere.example",
    "127.0.0.2:{port}",
    "localhost.",
    "0.0.0.0:{port}",
    "",
    "127.0.0.1@elsewhere.example",
    "[::2]:{port}",
]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_request_for_another_name_is_not_taken(served: ServedHouse, host: str) -> None:
    name = host.format(port=served.port)
    with served.client("ann") as ann:
        for path in ("/", "/api/me", "/api/openapi.json", "/enter/x", "/assets/x"):
            answer = ann.get(path, headers={"host": name, "origin": f"http://{name}"})
            assert guarded(answer, 403)["name"] == "foreign_origin"
        commands = f"/api/tables/{TABLE}/commands"
        answer = ann.post(
            commands, json=keyed_command("deal"), headers={"host": name, "origin": f"http://{name}"}
        )
        assert guarded(answer, 403)["name"] == "foreign_origin"
        assert ann.get("/health", headers={"host": name}).status_code == 200


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:{port}", "localhost:{port}", "LOCALHOST", "[::1]:1"]
)
def test_a_request_for_a_name_of_ours_is_taken(served: ServedHouse, host: str) -> None:
    with served.client("ann") as ann:
        assert ann.get("/api/me", headers={"host": host.format(port=served.port)}).status_code == 200


def own_and_foreign(served: ServedHouse) -> dict[str, tuple[dict[str, str], bool]]:
    """Return request headers of browsers and programs, and whether they count as this site."""
    return {
        "own page": ({"origin": served.address}, True),
        "own page of an old browser": ({"sec-fetch-site": "same-origin"}, True),
        "typed by hand": ({"sec-fetch-site": "none"}, True),
        "another site": ({"origin": "https://elsewhere.example"}, False),
        "a sandbox": ({"origin": "null"}, False),
        "another port": ({"origin": f"http://127.0.0.1:{served.port + 1}"}, False),
        "another name of ours": ({"origin": f"http://localhost:{served.port}"}, False),
        "a longer name": ({"origin": f"{served.address}.elsewhere.example"}, False),
        "no scheme": ({"origin": f"127.0.0.1:{served.port}"}, False),
        "another site, no origin": ({"sec-fetch-site": "cross-site"}, False),
        "another part of a site": ({"sec-fetch-site": "same-site"}, False),
        "nothing but the cookie": ({}, False),
        "both": ({"origin": "https://elsewhere.example", "sec-fetch-site": "same-origin"}, False),
    }


def test_only_the_own_page_acts_with_the_cookie(served: ServedHouse) -> None:
    token = served.token("ann")
    before, tried = served.heads(), 0
    for name, (headers, is_own) in own_and_foreign(served).items():
        with served.program({served.serving.authenticator.cookie_name: token}, **headers) as browser:
            for path in (f"/api/tables/{TABLE}/commands", "/api/sign-in", "/api/passwords", "/api/check"):
                answer = browser.post(path, json=keyed_command("deal"))
                foreign = answer.status_code == 403 and answer.json()["refusal"]["name"] == "foreign_origin"
                assert foreign is not is_own, (name, path, answer.text)
                tried += 1
    assert tried == 52
    assert served.heads() == before
    with served.client(cookie=f"{served.serving.authenticator.cookie_name}={token}") as still:
        assert still.get("/api/me").json()["who"]["person"] == "ann"


def test_where_people_come_by_https_a_page_without_it_is_another_site(secure: ServedHouse) -> None:
    own = secure.address.removeprefix("http://")
    tried = {"tables.example": {"https": 200, "http": 403, "ftp": 403}, own: {"http": 200, "ftp": 403}}
    for host, schemes in tried.items():
        for scheme, status in schemes.items():
            with secure.program(origin=f"{scheme}://{host}", host=host) as page:
                assert page.post("/api/sign-in", json=credentials("ann")).status_code == status


def test_no_other_site_signs_anybody_in_or_out(served: ServedHouse) -> None:
    cookie = {served.serving.authenticator.cookie_name: served.token("ann")}
    with served.program(origin="https://elsewhere.example") as foreign:
        signed_in = foreign.post("/api/sign-in", json=credentials("bob"))
    assert signed_in.status_code == 403
    assert "set-cookie" not in signed_in.headers
    with served.program(cookie, origin="https://elsewhere.example") as foreign:
        assert foreign.post("/api/sign-out").status_code == 403
        assert foreign.get("/api/me").json()["who"]["person"] == "ann"


def test_a_program_acts_with_its_token_alone(served: ServedHouse) -> None:
    token = served.token("ann")
    with served.program(authorization=f"Bearer {token}") as program:
        command = keyed_command("buy_in", player="ann", cents=5_000)
        assert program.post(f"/api/tables/{TABLE}/commands", json=command).status_code == 200
        for wrong in ("Bearer", "Bearer x", f"bearer {token}", f"Bearer {token}x", "Basic YW5uOmFubg=="):
            found = program.get("/api/me", headers={"authorization": wrong}).json()
            assert found["who"] is None


def sized(size: int) -> bytes:
    """Return a request of so many bytes that is invalid at any size."""
    frame = json.dumps({"kind": "player", "person": "ann", "password": ""})
    return frame.replace('""', f'"{"x" * (size - len(frame))}"').encode()


@pytest.mark.parametrize(("size", "status"), [(LIMIT, 400), (LIMIT + 1, 413), (5 * LIMIT, 413)])
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("path", ["/api/sign-in", f"/api/tables/{TABLE}/commands"])
def test_a_request_may_have_its_size_and_not_a_byte_more(
    ann: httpx.Client, path: str, size: int, status: int, told: bool
) -> None:
    body = sized(size)
    assert len(body) == size
    pieces = (body[place : place + 10_000] for place in range(0, size, 10_000))
    content = body if told else pieces
    refusal = guarded(ann.post(path, content=content, headers={"content-type": "application/json"}), status)
    assert refusal["name"] == "request_unreadable"
    assert "xxx" not in refusal["message"]


UNREADABLE = {
    "nothing": b"",
    "half": b"{",
    "a list": b"[]",
    "null": b"null",
    "a word": b'"x"',
    "no text": b"\xff\xfe",
    "a form": b"key=1&command=2",
    "deep lists": b"[" * 50_000,
    "deep objects": b'{"key":' * 10_000,
    "a deep command": b'{"key": "a", "command": ' + b"[" * 50_000,
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/x-www-form-urlencoded", ""])
def test_what_cannot_be_read_is_told_in_a_sentence(ann: httpx.Client, content: bytes, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    with assert_no_errors():
        answer = ann.post(f"/api/tables/{TABLE}/commands", content=content, headers=headers)
    refusal = guarded(answer, 400)
    assert refusal["message"].endswith(".")
    assert len(refusal["message"]) < 400


def test_requests_are_limited_by_person_and_by_address() -> None:
    with served_house(limits=replace(GENEROUS, requests=0.001, burst=20, crowd=2)) as served:
        ann, bob, program = served.token("ann"), served.token("bob"), served.program()

        def asked(token: str) -> httpx.Response:
            return program.get("/api/me", headers={"authorization": f"Bearer {token}"} if token else {})

        assert [asked(ann).status_code for _ in range(21)] == [200] * 21
        refusal = guarded(asked(ann), 429)
        assert refusal["name"] == "too_fast"
        assert int(asked(ann).headers["retry-after"]) > 0
        assert asked(bob).status_code == 200
        made_up = [asked(f"made-up-{number}").status_code for number in range(40)]
        assert 200 in made_up
        assert made_up[-1] == 429
        assert asked(bob).status_code == asked("").status_code == 429
        program.close()


def test_being_ready_is_counted_like_a_command() -> None:
    with (
        served_house(limits=replace(GENEROUS, commands=0.001, command_burst=2)) as served,
        served.client("ann") as ann,
    ):
        statuses = [ann.post(f"/api/tables/{TABLE}/ready", json={"round": 1}).status_code for _ in range(3)]
    assert statuses == [409, 409, 429]


def test_many_who_share_an_address_can_come_at_once() -> None:
    limits = replace(GENEROUS, requests=0.001, burst=4, crowd=20)
    with served_house(limits=limits) as served, served.program() as program:
        tokens = [served.house.sign_in.issue_by_link("player", "ann") for _ in range(41)]
        headers = [{"authorization": f"Bearer {token}"} for token in tokens]
        came = [program.get("/api/me", headers=each).status_code for each in headers]
        assert came == [200] * 40 + [429]


def test_tokens_that_are_made_up_are_counted_with_their_address() -> None:
    with served_house(limits=replace(GENEROUS, requests=0.001, burst=20, crowd=6)) as served:
        ann, again, program = served.token("ann"), served.token("ann"), served.program()

        def asked(token: str) -> int:
            return program.get("/api/me", headers={"authorization": f"Bearer {token}"}).status_code

        assert asked(ann) == asked(again) == 200
        made_up = [asked(f"made-up-{number}") for number in range(70)]
        assert made_up == [200] * 58 + [429] * 12
        assert [asked(token) for token in (ann, again) * 10] == [200] * 20
        assert asked(ann) == asked(again) == 429
        program.close()


@pytest.mark.parametrize(
    ("proxies", "statuses"),
    [(("127.0.0.0/8",), [429, 200]), (("192.0.2.0/24",), [429, 429]), ((), [429, 429])],
    ids=["the proxy", "another proxy", "no proxy"],
)
def test_behind_a_proxy_an_address_is_what_the_proxy_says(
    proxies: tuple[str, ...], statuses: list[int]
) -> None:
    limits = replace(GENEROUS, sign_ins=0.001, sign_in_burst=3)
    with served_house(limits=limits, proxies=proxies) as served, served.client() as client:

        def tried(told: str) -> int:
            wrong = credentials("ann", f"{PASSWORD}!")
            return client.post("/api/sign-in", json=wrong, headers={"x-forwarded-for": told}).status_code

        for number in range(3):
            assert tried(f"192.0.2.{number}, 203.0.113.7") == 401
        assert tried("192.0.2.9, 203.0.113.7") == statuses[0]
        other = {"x-forwarded-for": "203.0.113.7, 203.0.113.8"}
        right = client.post("/api/sign-in", json=credentials("ann"), headers=other)
        assert right.status_code == statuses[1]
