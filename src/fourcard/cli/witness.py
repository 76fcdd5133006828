"""Witnesses: `house witness` says where a house sends its signed heads, and `witness serve` receives them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import (
    HouseOptions,
    ReadOptions,
    console_actor,
    open_house,
    open_house_for_reading,
    with_options,
)
from fourcard.cli.output import command_group, console, print_rows, struct_table
from fourcard.cli.serve import LOOPBACK
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.witnesses import WitnessEntry

PORT = 8445
Name = Annotated[str, typer.Argument(help="The name of the witness at this house.")]
Address = Annotated[
    str, typer.Argument(help="A folder on another disk or a share, or the URL of `fourcard witness serve`.")
]

house_witness_app = command_group("witness", "Where the house sends its signed heads, every minute.")
witness_app = command_group("witness", "Be a witness of a house: keep the heads that it signs.")


@house_witness_app.command()
@with_options
def add(name: Name, address: Address, *, at: HouseOptions) -> None:
    """Send the signed heads of the house to a witness, from now on."""
    from fourcard.house.witnesses import add_witness

    with open_house(at.database, at.key) as house:
        added = add_witness(house, name, address, console_actor(house))
    print(f"The served house sends its heads to the witness '{name}': {added.address}")


@house_witness_app.command()
@with_options
def remove(name: Name, *, at: HouseOptions) -> None:
    """Send nothing to a witness any more; its statements stay, and the journal says who removed it."""
    from fourcard.house.witnesses import remove_witness

    with open_house(at.database, at.key) as house:
        remove_witness(house, name, console_actor(house))
    print(f"The house sends nothing to the witness '{name}' any more.")


@house_witness_app.command("list")
@with_options
def list_witnesses(*, at: ReadOptions) -> None:
    """Show the witnesses of the house."""
    from fourcard.house.witnesses import current_witnesses

    with open_house_for_reading(at.database) as reading:
        found = [*current_witnesses(reading).values()]
    print_rows(found, _show_witnesses, "The house has no witness.", json=at.json)


def _show_witnesses(found: "list[WitnessEntry]") -> None:
    console().print(struct_table(found, "name", "address", ("since (UTC)", "moment"), "by"))


@witness_app.command()
def serve(
    folder: Annotated[Path, typer.Argument(help="The folder of the statements, for one house.")],
    address: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = PORT,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate for https.")
    ] = None,
    certificate_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")
    ] = None,
) -> None:
    """Receive the statements of one house and append them to files; forks and gaps are refused."""
    import logging

    from fourcard.server.run import ListenAddress, free_port, log_to_stderr
    from fourcard.server.run import serve as serve_until_signal
    from fourcard.server.witness_receiver import WitnessReceiver

    if (certificate is None) != (certificate_key is None):
        raise BadInputError("Give both --certificate and --certificate-key.")
    if address not in LOOPBACK and certificate is None:
        raise BadInputError("Other machines can connect only by https: give a --certificate.")
    if not folder.is_dir():
        raise BadInputError(f"There is no folder {folder}; make it first.")
    log_to_stderr(logging.WARNING)
    chosen = free_port(address, port, exactly=bool(port))
    place = ListenAddress(address, chosen, certificate, certificate_key)
    receiver = WitnessReceiver(folder)
    serve_until_signal(receiver, place, lambda: print(f"The witness listens at {place.url('')}", flush=True))
