"""Connections that send too slowly, too much or nothing are closed, and the others are served."""

import json
import socket
import struct
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from fourcard.server.settings import ConnectionLimits
from tests.api.served_house import TABLE, LiveViewer, ServedHouse, credentials, seat_players, served_house
from tests.kit.waiting import PATIENCE

QUICK_HEAD = ConnectionLimits(head_seconds=1.0, body_seconds=1.0)
TEXT, CONTINUED, PING, LAST = 0x01, 0x00, 0x09, 0x80
MASKED, LENGTH_16 = 0x80, 126
TCP_CLOSED = 7
"""The state of a connection that the other side has aborted."""
WRONG = {**credentials("ann", "a wrong password"), "padding": ""}


@contextmanager
def connected(served: ServedHouse, first: bytes = b"", source: str = "127.0.0.1") -> Iterator[socket.socket]:
    """Open a connection and send something."""
    with socket.create_connection(
        ("127.0.0.1", served.port), timeout=PATIENCE, source_address=(source, 0)
    ) as made:
        made.sendall(first)
        yield made


def is_open(connection: socket.socket) -> bool:
    """Say whether the server has neither answered nor closed a connection."""
    connection.setblocking(False)
    try:
        return bool(connection.recv(1))
    except BlockingIOError:
        return True
    except OSError:
        return False


def wait_for(fact: Callable[[], bool]) -> bool:
    """Wait until something is true, and say whether it became so."""
    until = time.monotonic() + PATIENCE
    while not fact() and time.monotonic() < until:
        time.sleep(0.02)
    return fact()


def rest_of(connection: socket.socket, drip: bytes = b"") -> bytes:
    """Return what the server sends until it closes a connection to which bytes are sent meanwhile."""
    connection.settimeout(0.1)
    got, until = b"", time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(drip)
        try:
            more = connection.recv(65_536)
        except TimeoutError:
            continue
        except ConnectionResetError:
            return got
        if not more:
            return got
        got += more
    raise AssertionError("The server keeps the connection open.")


@pytest.fixture(scope="module")
def quick() -> Iterator[ServedHouse]:
    """Serve a house that waits one second for heads and bodies."""
    with served_house(connections=QUICK_HEAD) as made:
        seat_players(made.house)
        yield made


HEAD = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    ("first", "drip"),
    [(b"", b""), (b"G", b""), (HEAD, b""), (HEAD + b"x-slow: ", b"x")],
    ids=["silent", "one byte", "half a head", "a slow head"],
)
def test_a_head_that_does_not_come_ends_the_connection(quick: ServedHouse, first: bytes, drip: bytes) -> None:
    began = time.monotonic()
    with connected(quick, first) as connection:
        assert b"200 OK" not in rest_of(connection, drip)
    assert time.monotonic() - began > 0.9


def test_an_idle_connection_ends_after_its_answer(quick: ServedHouse) -> None:
    with connected(quick, HEAD + b"\r\n") as connection:
        assert rest_of(connection).startswith(b"HTTP/1.1 200 OK")


def test_a_head_that_is_too_large_is_refused(quick: ServedHouse) -> None:
    with connected(quick, HEAD + b"x-long: " + b"x" * 200_000 + b"\r\n\r\n") as connection:
        assert rest_of(connection).startswith(b"HTTP/1.1 431 ")


def post(served: ServedHouse, path: str, length: int, token: str = "") -> bytes:
    """Return the head of a request with a body."""
    bearer = f"authorization: Bearer {token}\r\n" if token else ""
    return (
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n{bearer}"
        f"content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize("path", ["/api/sign-in", f"/api/tables/{TABLE}/commands"])
@pytest.mark.parametrize("drip", [b"", b" "], ids=["stops", "drips"])
def test_a_body_that_does_not_come_is_refused_with_a_sentence(
    quick: ServedHouse, path: str, drip: bytes
) -> None:
    with connected(quick, post(quick, path, 1_000, quick.token("ann")) + b"{") as connection:
        head, _, body = rest_of(connection, drip).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["refusal"]["message"] == (
        "The request cannot be read: its body did not arrive within 1 seconds."
    )


def test_a_body_in_pieces_that_comes_in_time_is_taken(quick: ServedHouse) -> None:
    body = json.dumps(credentials("ann")).encode()
    with connected(quick, post(quick, "/api/sign-in", len(body)) + body[:10]) as connection:
        time.sleep(0.3)
        connection.sendall(body[10:])
        assert rest_of(connection).startswith(b"HTTP/1.1 200 ")


def test_large_unfinished_bodies_share_a_memory_and_small_ones_are_always_taken() -> None:
    limits = ConnectionLimits(body_memory=120_000)
    with served_house(connections=limits) as served, ExitStack() as stack:
        large = post(served, "/api/sign-in", 150_000) + b" " * 100_000
        first = stack.enter_context(connected(served, large))
        time.sleep(0.5)
        with connected(served, large) as second:
            answer = rest_of(second)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 2\r\n" in answer.lower()
        assert b"The house cannot do this now: it is receiving too many requests; try again in 2 s." in answer
        assert served.token("ann")
        assert is_open(first)
        first.close()
        with connected(served, large) as third:
            assert wait_for(lambda: is_open(third))


ADDRESS, OTHER_ADDRESS = "127.0.2.1", "127.0.2.2"


def test_an_address_keeps_its_oldest_connections_and_live_ones_and_loses_the_others() -> None:
    limits = ConnectionLimits(per_address=5, uncounted=())
    with served_house(connections=limits) as served, ExitStack() as stack:
        seat_players(served.house)
        old = [stack.enter_context(connected(served, source=ADDRESS)) for _ in range(4)]
        time.sleep(1.5)
        live = stack.enter_context(live_socket(served, "ann", source=ADDRESS))
        new = [stack.enter_context(connected(served, source=ADDRESS)) for _ in range(8)]
        other = [stack.enter_context(connected(served, source=OTHER_ADDRESS)) for _ in range(5)]
        assert wait_for(lambda: not any(map(is_open, new)))
        assert all(map(is_open, (*old, *other, live)))


def test_connections_of_this_machine_are_not_counted_by_default() -> None:
    with served_house(connections=ConnectionLimits(per_address=5)) as served, ExitStack() as stack:
        many = [stack.enter_context(connected(served, source=ADDRESS)) for _ in range(12)]
        time.sleep(2.5)
        assert all(map(is_open, many))


def upgrade_request(served: ServedHouse, person: str) -> bytes:
    """Return the request for a live connection."""
    return (
        f"GET /api/tables/{TABLE}/live HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n"
        f"authorization: Bearer {served.token(person)}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        f"sec-websocket-version: 13\r\nsec-websocket-key: {b64encode(bytes(16)).decode()}\r\n\r\n"
    ).encode()


@contextmanager
def live_socket(served: ServedHouse, person: str, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    """Open a live connection of which the test writes the frames."""
    with connected(served, upgrade_request(served, person), source) as made:
        got = made.recv(65_536)
        assert got.startswith(b"HTTP/1.1 101 ")
        while b'"kind":"table"' not in got:
            got += made.recv(65_536)
        yield made


def frame(kind: int, payload: bytes) -> bytes:
    """Return a frame of at most 65,535 bytes as a client sends it."""
    return bytes((kind, MASKED | LENGTH_16)) + struct.pack("!H", len(payload)) + bytes(4) + payload


def test_a_message_in_fragments_is_taken_up_to_its_size(quick: ServedHouse) -> None:
    whole = json.dumps({"key": "pieces", "ready": -1}).encode().ljust(99_000)
    parts = [whole[at : at + 9_000] for at in range(0, len(whole), 9_000)]
    with live_socket(quick, "ann") as live:
        for number, part in enumerate(parts):
            kind = (CONTINUED if number else TEXT) | (LAST if number == len(parts) - 1 else 0)
            live.sendall(frame(kind, part))
        live.settimeout(PATIENCE)
        assert b'"key":"pieces"' in live.recv(100_000)
        assert wait_for(lambda: is_open(live))


def send_fragments(live: socket.socket, count: int, size: int, pause: float = 0.0) -> None:
    """Send fragments of a message that does not end, until the server closes the connection."""
    live.settimeout(PATIENCE)
    with suppress(BrokenPipeError, ConnectionResetError):
        for number in range(count):
            live.sendall(frame(CONTINUED if number else TEXT, b"x" * size))
            time.sleep(pause)


def test_a_message_in_fragments_that_is_too_large_ends_the_connection() -> None:
    with served_house() as served, LiveViewer(served, "bob") as bob:
        assert bob.receive()["kind"] == "table"
        with live_socket(served, "ann") as live:
            send_fragments(live, 5, 60_000)
            assert wait_for(lambda: not is_open(live))
        assert bob.is_alive()


def test_fragments_of_many_messages_share_a_memory_and_the_largest_goes_first() -> None:
    limits = ConnectionLimits(message_memory=90_000)
    with served_house(connections=limits) as served, ExitStack() as stack:
        small, large = (stack.enter_context(live_socket(served, who)) for who in ("ann", "bob"))
        send_fragments(small, 1, 40_000)
        send_fragments(large, 2, 60_000)
        assert wait_for(lambda: not is_open(large))
        assert is_open(small)


def test_a_message_must_end_in_time_and_a_viewer_who_only_pings_stays(quick: ServedHouse) -> None:
    with live_socket(quick, "ann") as slow, live_socket(quick, "bob") as pings:
        pings.sendall(frame(LAST | PING, b"there?") * 5)
        send_fragments(slow, 4, 2_000, 0.5)
        assert wait_for(lambda: not is_open(slow))
        time.sleep(1.5)
        assert is_open(pings)


def test_a_connection_with_many_requests_before_it_became_live_stays() -> None:
    with served_house(connections=ConnectionLimits(body_seconds=1.0)) as served:
        padding = f"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: {'x' * 9_000}\r\n\r\n".encode()
        with connected(served) as connection:
            for _ in range(30):
                connection.sendall(padding)
                assert connection.recv(65_536).startswith(b"HTTP/1.1 200 OK")
            time.sleep(2.5)
            connection.sendall(upgrade_request(served, "ann"))
            got = b""
            while b'"kind":"table"' not in got:
                got += connection.recv(65_536)
            time.sleep(3.5)
            assert is_open(connection)


def test_a_client_that_takes_nothing_is_given_up() -> None:
    limits = ConnectionLimits(stalled_seconds=1.0)
    with served_house(connections=limits) as served:
        bearer = f"authorization: Bearer {served.token('ann')}\r\n".encode()
        request = b"GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n" + bearer + b"\r\n"
        with connected(served) as connection:
            connection.setblocking(False)
            with suppress(OSError):
                for _ in range(500):
                    connection.send(request)
            assert wait_for(lambda: _is_given_up(connection))


def _is_given_up(connection: socket.socket) -> bool:
    """Send another byte, which tells whether the server still knows a connection."""
    with suppress(OSError):
        connection.send(b"G")
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == TCP_CLOSED
