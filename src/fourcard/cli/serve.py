"""Web server: the `serve` command serves the tables in the browser, locally or for a whole house."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import KeepDays
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fourcard.server.app import Application
    from fourcard.server.authn import LinkSecrets
    from fourcard.server.floor.bus import WorkerSockets
    from fourcard.server.run import ListenAddress
    from fourcard.server.settings import ConnectionLimits, PaceSettings, ServerSettings

PORT = 8444
LOOPBACK = ("127.0.0.1", "localhost", "::1")
SECOND = 1_000
OTHER_MACHINES = (
    "Other machines can connect only with --house and https: give a --certificate, or --behind-proxy."
)
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        "-d",
        metavar="URL",
        envvar="FOURCARD_DATABASE",
        help="A SQLite file, or postgresql://user@host/house; default a file of your own.",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", envvar="FOURCARD_KEY", help="The key of the house, default next to its file."
    ),
]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, help=f"The port, default {PORT}, or a free one if in use.")
]
Names = Annotated[
    list[str] | None,
    typer.Option(metavar="HOST", help="A host name of the server; repeat for more."),
]
Bots = Annotated[
    int | None, typer.Option(min=0, max=6, help="Bots at each table, default 2, with --house none.")
]
Slowness = Annotated[
    float, typer.Option(min=0, max=10, help="How slowly the dealer deals; 0 leaves out the pauses.")
]
Wagering = Annotated[
    int | None,
    typer.Option(min=1, help="Seconds for wagers after the first, default 20 with several people."),
]
Deciding = Annotated[
    int | None, typer.Option(min=1, help="Seconds for a decision, default 45 with several people.")
]

Workers = Annotated[
    int,
    typer.Option(min=1, max=64, help="Server processes at the same address; more than one need PostgreSQL."),
]

Proxies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NETWORK",
        help="An address or network of the proxy in front, default this machine; repeat for more.",
    ),
]
PerAddress = Annotated[
    int | None,
    typer.Option(min=0, help="Connections of one address, default 256; 0 for no limit."),
]
WitnessEvery = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=3600,
        metavar="SECONDS",
        help="Seconds between two statements to the witnesses of the house, default 60.",
    ),
]


def serve(
    house: Annotated[
        bool, typer.Option("--house", help="Serve a house for many people, who all sign in.")
    ] = False,
    database: Database = None,
    key: Key = None,
    address: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Port = None,
    name: Names = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate for https.")
    ] = None,
    certificate_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")
    ] = None,
    behind_proxy: Annotated[bool, typer.Option(help="A proxy in front provides https.")] = False,
    proxy: Proxies = None,
    connections_per_address: PerAddress = None,
    bots: Bots = None,
    pace: Slowness = 1.0,
    deal: Annotated[
        bool, typer.Option(help="Deal automatically at tables whose cards the house shuffles.")
    ] = True,
    wagering: Wagering = None,
    deciding: Deciding = None,
    workers: Workers = 1,
    keep_days: KeepDays = None,
    witness_every: WitnessEvery = None,
    browser: Annotated[
        bool, typer.Option(help="Open the page in the browser, where there is one; never with --house.")
    ] = True,
) -> None:
    """Serve the tables in the browser: for you on this machine, or with --house for everybody."""
    from fourcard.house.segments import KEEP_DAYS
    from fourcard.server.run import ListenAddress, free_port
    from fourcard.server.settings import WITNESS_SECONDS, ServerSettings
    from fourcard.server.workers import refuse_workers

    if (certificate is None) != (certificate_key is None):
        raise BadInputError("Give both --certificate and --certificate-key.")
    if address not in LOOPBACK and not (house and (certificate is not None or behind_proxy)):
        raise BadInputError(OTHER_MACHINES)
    proxies = _proxies(proxy, behind_proxy=behind_proxy)
    settings = ServerSettings(
        mode="house" if house else "local",
        hosts=tuple(dict.fromkeys((*(each.lower() for each in name or ()), *_own_names(address)))),
        secure=house,
        proxies=proxies,
        connections=_connection_limits(connections_per_address, proxies),
        deals=deal,
        bots=(0 if house else 2) if bots is None else bots,
        opens=not house,
        pace=_pace(pace, wagering, deciding, house=house),
        keep_days=keep_days or KEEP_DAYS,
        witness_seconds=witness_every or WITNESS_SECONDS,
    )
    if workers > 1:
        refuse_workers(database if house else None)
    chosen = free_port(address, PORT if port is None else port, exactly=bool(port))
    place = ListenAddress(address, chosen, certificate, certificate_key)
    if workers > 1:
        _run_workers(database or "", key, settings, place, workers)
    else:
        _run(database, key, settings, place, browser=browser)


def _proxies(networks: list[str] | None, *, behind_proxy: bool) -> tuple[str, ...]:
    """Return the networks of the proxies whose report of a client address is believed."""
    from ipaddress import ip_network

    from fourcard.server.settings import LOOPBACK_NETWORKS

    if networks and not behind_proxy:
        raise BadInputError("Give --behind-proxy together with --proxy.")
    for each in networks or ():
        try:
            ip_network(each)
        except ValueError:
            raise BadInputError(
                f"'{each}' is not an address or a network; write --proxy like 10.0.0.5 or 10.0.0.0/24."
            ) from None
    return tuple(networks or LOOPBACK_NETWORKS) if behind_proxy else ()


def _connection_limits(per_address: int | None, proxies: tuple[str, ...]) -> "ConnectionLimits":
    """Return the limits of connections; those of this machine and of the proxies are not counted."""
    from fourcard.server.settings import CONNECTIONS_PER_ADDRESS, LOOPBACK_NETWORKS, ConnectionLimits

    return ConnectionLimits(
        per_address=CONNECTIONS_PER_ADDRESS if per_address is None else per_address,
        uncounted=tuple(dict.fromkeys((*LOOPBACK_NETWORKS, *proxies))),
    )


def _pace(factor: float, wagering: int | None, deciding: int | None, *, house: bool) -> "PaceSettings":
    """Return the pace of the game; a local house applies default time limits only while others wait."""
    from fourcard.server.settings import SEAT_MILLISECONDS, PaceSettings

    patient = not house and wagering is None and deciding is None
    seat = SEAT_MILLISECONDS if house else None
    return PaceSettings(
        factor,
        wagering=(wagering or 20) * SECOND,
        deciding=(deciding or 45) * SECOND,
        patient=patient,
        seat=seat,
    )


def _own_names(address: str) -> tuple[str, ...]:
    from fourcard.server.settings import LOCAL_HOSTS

    own = LOCAL_HOSTS if address in LOOPBACK else ()
    return (*own, f"[{address}]" if ":" in address else address.lower())


def _run(
    database: str | None,
    key: Path | None,
    settings: "ServerSettings",
    place: "ListenAddress",
    *,
    browser: bool,
) -> None:
    """Open the house and serve it; a local house prints a link for the player and one for staff."""
    import logging

    from fourcard.server.authn import new_link_secrets
    from fourcard.server.run import log_to_stderr

    own = settings.mode == "local"
    log_to_stderr(logging.WARNING if own else logging.INFO)
    links = new_link_secrets() if own else None
    _serve_at(database, key, settings, place, links, lambda: _say_open(place, links, browser=browser))


def _run_worker(
    database: str, key: Path | None, settings: "ServerSettings", place: "ListenAddress", folder: Path
) -> None:
    """Serve a house in one of several processes, which reach each other by sockets in a folder."""
    import logging
    import os

    from fourcard.server.floor.bus import WorkerSockets, new_process_number
    from fourcard.server.run import log_to_stderr

    log_to_stderr(logging.INFO)
    said = f"The house is open at {place.url()}, served by process {os.getpid()}."
    sockets = WorkerSockets(folder, new_process_number())
    _serve_at(database, key, settings, place, None, lambda: print(said, flush=True), sockets)


def _serve_at(
    database: str | None,
    key: Path | None,
    settings: "ServerSettings",
    place: "ListenAddress",
    links: "LinkSecrets | None",
    started: "Callable[[], None]",
    sockets: "WorkerSockets | None" = None,
) -> None:
    from fourcard.cli.house_connect import citing_refusals
    from fourcard.server.run import serve as serve_until_signal

    with citing_refusals():
        serving = _open_application(database, key, settings, links, sockets)
    serve_until_signal(serving, place, started, serving.close_live, settings.connections)


def _run_workers(
    database: str, key: Path | None, settings: "ServerSettings", place: "ListenAddress", count: int
) -> None:
    """Check the house, then serve it with several processes until a signal ends them."""
    import logging
    from functools import partial
    from tempfile import TemporaryDirectory

    from fourcard.cli.house_connect import citing_refusals, report_recovery
    from fourcard.server.hosted_house import open_hosted_house
    from fourcard.server.run import log_to_stderr
    from fourcard.server.workers import WorkerSupervisor

    log_to_stderr(logging.INFO)
    with citing_refusals(), open_hosted_house(database, key, deals=settings.deals) as opened:
        report_recovery(opened)
    with TemporaryDirectory(prefix="fourcard-") as folder:
        worker = partial(_run_worker, database, key, settings, place, Path(folder))
        ended = WorkerSupervisor(worker, count).run()
    raise typer.Exit(ended)


def _open_application(
    database: str | None,
    key: Path | None,
    settings: "ServerSettings",
    links: "LinkSecrets | None",
    sockets: "WorkerSockets | None",
) -> "Application":
    from fourcard.cli.house_connect import DATABASE, report_recovery
    from fourcard.server.app import Application
    from fourcard.server.hosted_house import bus_for, open_hosted_house
    from fourcard.server.local_house import local_house_file, open_local_house

    if links is None:
        chosen = database or DATABASE
        opened = open_hosted_house(chosen, key, deals=settings.deals)
        report_recovery(opened)
        bus = bus_for(chosen, deals=settings.deals, sockets=sockets)
        return Application(opened, settings, bus=bus, sockets=sockets)
    if database is not None and "://" in database:
        raise BadInputError("A local house uses a file; serve a database server with --house.")
    place = local_house_file() if database is None else Path(database)
    return Application(open_local_house(place, key, _confirm), settings, links)


def _confirm(question: str) -> bool:
    """Ask on a terminal; elsewhere, print the question and continue."""
    if sys.stdin.isatty():
        return typer.confirm(question, default=True)
    print(question.removesuffix(" Open it?"), flush=True)
    return True


def _say_open(place: "ListenAddress", links: "LinkSecrets | None", *, browser: bool) -> None:
    """Print the addresses once the server is listening, and open the player's in the browser."""
    from fourcard.cli.web_browser import can_open_browser, open_browser

    if links is None:
        print(f"The house is open at {place.url()}", flush=True)
        return
    print(f"Play:          {place.url(f'/enter/{links.player}')}")
    print(f"Work as staff: {place.url(f'/enter/{links.staff}')}")
    print("Ctrl-C stops the server; a round in progress continues at the next start.", flush=True)
    if browser and can_open_browser():
        open_browser(place.url(f"/enter/{links.player}"))
