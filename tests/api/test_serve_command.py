"""`fourcard serve`: a local house only on this machine, a hosted house only by https; its settings."""

import socket
from pathlib import Path
from typing import Any

import pytest

from fourcard.server.run import ListenAddress
from fourcard.server.settings import ServerSettings
from tests.kit.commands import Command, runner

ELSEWHERE = "Other machines can connect only with --house and https: give a --certificate, or --behind-proxy."


@pytest.fixture
def serve(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return a runner of the command; a refused start must leave no file."""
    for name in ("FOURCARD_DATABASE", "FOURCARD_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fourcard.server.run.log_to_stderr", lambda _level: None)
    run = runner(capsys, monkeypatch)
    return lambda *arguments: run("serve", *arguments)


@pytest.mark.parametrize(
    "address", ["0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.1.example.com", ""]
)
@pytest.mark.parametrize("house", [(), ("--house",)], ids=["alone", "house"])
def test_other_machines_reach_no_house_without_https(
    serve: Command, address: str, house: tuple[str, ...], tmp_path: Path
) -> None:
    assert serve("--address", address, *house).sentence == ELSEWHERE
    assert [*tmp_path.iterdir()] == []


def test_what_does_not_go_together_is_refused(serve: Command, tmp_path: Path) -> None:
    told = serve("--house", "--certificate", "house.pem").sentence
    assert told == "Give both --certificate and --certificate-key."
    told = serve("--database", "postgresql://somewhere/house").sentence
    assert told == "A local house uses a file; serve a database server with --house."
    assert "There is no house in" in serve("--house", "--database", "nothing.db").sentence
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("house", [("--house", "-d", "house.db"), (), ("-d", "postgresql://somewhere/house")])
def test_several_workers_need_a_hosted_house_on_postgresql(
    serve: Command, house: tuple[str, ...], tmp_path: Path
) -> None:
    told = serve("--workers", "2", *house).sentence
    assert told.startswith("Several workers need --house and a PostgreSQL database: only one process")
    assert [*tmp_path.iterdir()] == []


def test_a_port_in_use_is_not_taken_from_whoever_has_it(serve: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = serve("--port", port).sentence
    assert told == f"Port {port} of 127.0.0.1 is in use or not allowed; choose another with --port."


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[ServerSettings, ListenAddress]]:
    """Keep the settings instead of serving."""
    found = list[tuple[ServerSettings, ListenAddress]]()

    def kept(
        _database: Any, _key: Any, settings: ServerSettings, place: ListenAddress, *, browser: bool
    ) -> None:
        assert browser
        found.append((settings, place))

    monkeypatch.setattr("fourcard.cli.serve._run", kept)
    return found


def test_a_house_of_ones_own_is_for_this_machine(
    serve: Command, chosen: list[tuple[ServerSettings, ListenAddress]]
) -> None:
    assert serve().status == 0
    ((settings, place),) = chosen
    assert (settings.mode, settings.secure, settings.proxies, place.scheme) == ("local", False, (), "http")
    assert place.address == "127.0.0.1"
    assert {*settings.hosts} == {"127.0.0.1", "localhost", "[::1]"}
    assert (settings.pace.wagering, settings.pace.deciding) == (20_000, 45_000)
    assert settings.pace.patient, "limits hold only while several people sit at a table"
    assert settings.pace.seat is None, "seats are kept at home"


def test_at_home_a_limit_that_was_set_holds_for_whoever_plays_alone_too(
    serve: Command, chosen: list[tuple[ServerSettings, ListenAddress]]
) -> None:
    assert serve("--deciding", 5).status == 0
    ((settings, _),) = chosen
    assert (settings.pace.deciding, settings.pace.patient) == (5_000, False)


def test_a_house_for_many_is_secure_and_waits_for_nobody_for_ever(
    serve: Command, chosen: list[tuple[ServerSettings, ListenAddress]]
) -> None:
    behind = ("--address", "0.0.0.0", "--behind-proxy", "--name", "House.Example")
    assert serve("--house", *behind, "--wagering", 7).status == 0
    ((settings, place),) = chosen
    assert (settings.mode, settings.secure) == ("house", True)
    assert settings.proxies == ("127.0.0.0/8", "::1/128"), "a proxy on this machine"
    assert (settings.bots, settings.opens) == (0, False)
    assert {*settings.hosts} == {"house.example", "0.0.0.0"}
    assert place.address == "0.0.0.0"
    assert (settings.pace.wagering, settings.pace.deciding) == (7_000, 45_000)
    assert settings.pace.seat == 600_000
    assert not settings.pace.patient


def test_the_proxies_of_a_house_are_believed_and_not_counted(
    serve: Command, chosen: list[tuple[ServerSettings, ListenAddress]]
) -> None:
    proxies = ("--proxy", "10.0.0.5", "--proxy", "2001:db8::/32")
    assert serve("--house", "--behind-proxy", *proxies, "--connections-per-address", 40).status == 0
    ((settings, _),) = chosen
    assert settings.proxies == ("10.0.0.5", "2001:db8::/32")
    assert settings.connections.per_address == 40
    assert settings.connections.uncounted == ("127.0.0.0/8", "::1/128", *settings.proxies)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--proxy", "10.0.0.5"), "Give --behind-proxy together with --proxy."),
        (
            ("--behind-proxy", "--proxy", "the-proxy"),
            "'the-proxy' is not an address or a network; write --proxy like 10.0.0.5 or 10.0.0.0/24.",
        ),
    ],
)
def test_a_proxy_that_cannot_be_believed_is_refused(
    serve: Command, options: tuple[str, ...], sentence: str
) -> None:
    done = serve("--house", *options)
    assert (done.status, done.sentence) == (2, sentence)
