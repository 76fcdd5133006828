"""Bots: the `house rehearse` command lets bots play whole rounds in a house."""

from collections import Counter
from itertools import cycle, islice
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import DATABASE, Database, Key, console_actor, open_house, run_as_console
from fourcard.cli.output import progress_bar
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.autopilot import TableBots
    from fourcard.house.house import House
    from fourcard.house.route_command import Request
    from fourcard.odds.progress import ProgressCallback
    from fourcard.refusals import Refusal

PLAYERS = 4
Rounds = Annotated[int, typer.Option(min=1, help="Number of rounds at each table.")]
Tables = Annotated[
    int, typer.Option(min=1, max=100, help="Number of tables, each with a game of the examples.")
]
Seed = Annotated[int, typer.Option(help="Seed of the bots' choices; the house still shuffles the cards.")]


def rehearse(
    rounds: Rounds = 10, tables: Tables = 2, seed: Seed = 0, database: Database = DATABASE, key: Key = None
) -> None:
    """Let bots play whole rounds at tables of their own; the journal records them like any others."""
    with open_house(database, key) as house:
        console_actor(house)
        refuse_foreign_tables(house, tables)
        hire_bot_staff(house)
        bots = bots_at_tables(house, tables, seed)
        with progress_bar(f"Playing {rounds:,} rounds at each of {tables:,} tables") as step:
            _play_rounds(house, bots, rounds, step)
    names = ", ".join(bot.table for bot in bots)
    played = f"{rounds:,} round{'s' if rounds > 1 else ''}"
    each = f"each of {tables:,} tables, {rounds * tables:,} in total" if tables > 1 else "one table"
    print(f"Bots played {played} at {each}: {names}.")


def table_name(number: int) -> str:
    """Return the id of a table for bots."""
    return f"rehearsal-{number}"


def bot_name(table: str, position: int) -> str:
    """Return the id of the bot at a position of a table."""
    return f"{table}-{position}"


def refuse_foreign_tables(house: "House", tables: int) -> None:
    """Refuse a table with such a name that was not set up for bots."""
    from fourcard.house.decision import player_stream, table_stream

    with house.store.reading() as reading:
        known = {*reading.streams()}
    for name in map(table_name, range(1, tables + 1)):
        if table_stream(name) in known and player_stream(bot_name(name, 1)) not in known:
            raise BadInputError(f"The table '{name}' was not set up for bots, so they cannot play there.")


def hire_bot_staff(house: "House") -> None:
    """Hire the staff who deal at the bots' tables and confirm wins, if they are not hired yet."""
    from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF
    from fourcard.house.commands import HireStaff
    from fourcard.house.decision import STAFF
    from fourcard.house.reports.house_status import current_staff

    with house.store.reading() as reading:
        staff = current_staff(reading)
    for person, name in ((BOT_STAFF, "Crew of rehearsals"), (BOT_FLOORPERSON, "Floor of rehearsals")):
        known = staff.employed(person.person)
        if known is None:
            run_as_console(house, STAFF, HireStaff(person=person.person, name=name, roles=person.roles))
        elif known.roles != person.roles:
            raise BadInputError(
                f"'{person.person}' works here in other roles, but the bots' tables need that id."
            )


def bots_at_tables(house: "House", tables: int, seed: int) -> "list[TableBots]":
    """Set up the tables that do not exist yet, with a bot at some positions of each, and load them all."""
    from fourcard.house.autopilot import TableBots
    from fourcard.house.commands import InstallTable
    from fourcard.house.decision import table_stream
    from fourcard.rules.submission import examples
    from fourcard.table.bots import varied_bots

    bots = list[TableBots]()
    with house.store.reading() as reading:
        known = {*reading.streams()}
    for number, example in enumerate(islice(cycle(examples().values()), tables), 1):
        name = table_name(number)
        players = {each: bot_name(name, each) for each in range(1, PLAYERS + 1)}
        for player in players.values():
            _register_bot(house, player, known)
        if table_stream(name) not in known:
            text = example.read_text(encoding="utf-8")
            run_as_console(house, table_stream(name), InstallTable(submission=text))
        bots.append(TableBots(name, players, varied_bots(f"{seed}/{name}")))
        meter = house.service.table(name).meter
        if meter:
            house.service.meter(meter)
    return bots


def _register_bot(house: "House", player: str, known: set[str]) -> None:
    from fourcard.house.autopilot import BOT_CENTS
    from fourcard.house.commands import Deposit, RegisterPlayer
    from fourcard.house.decision import player_stream

    if player_stream(player) not in known:
        paid = Deposit(cents=BOT_CENTS, role="supervisor")
        run_as_console(house, player_stream(player), RegisterPlayer(name=player), paid)


def _play_rounds(house: "House", bots: "list[TableBots]", rounds: int, step: "ProgressCallback") -> None:
    """Play a number of rounds at every table; each commit holds one command of each table."""
    from fourcard.house.route_command import CommandResult
    from fourcard.refusals import Refusal
    from fourcard.round.events import RoundEnded, RoundVoided

    done: Counter[str] = Counter()
    while playing := [bot for bot in bots if done[bot.table] < rounds]:
        requests = [next_request(house, bot) for bot in playing]
        for bot, request, reply in zip(
            playing, requests, house.group_commit.submit_and_wait(requests), strict=True
        ):
            if isinstance(reply, Refusal):
                _recover(house, request, reply)
            elif not isinstance(reply, CommandResult):
                raise reply
            elif any(isinstance(event, RoundEnded | RoundVoided) for event in reply.events):
                done[bot.table] += 1
                step(1 / (rounds * len(bots)))


def next_request(house: "House", bot: "TableBots") -> "Request":
    """Return the next request at a table, with the decks' age and the meter's link as of now."""
    table = house.service.cache.table(bot.table)
    closed = house.service.cache.meter(table.meter).closed_reason if table.meter else ""
    return bot.next(table, house.clock.now(), closed)


def _recover(house: "House", request: "Request", refusal: "Refusal") -> None:
    """Deposit more money for a bot without money; ignore a deck that just became too old; raise the rest."""
    from fourcard.house.autopilot import funding_commands
    from fourcard.house.commands import BuyIn
    from fourcard.house.decision import player_stream
    from fourcard.refusal_codes import Code
    from fourcard.refusals import RefusedError

    buy_in = request.command
    funding = funding_commands(buy_in, refusal) if isinstance(buy_in, BuyIn) else ()
    if isinstance(buy_in, BuyIn) and funding:
        run_as_console(house, player_stream(buy_in.player), *funding)
    elif refusal.code is not Code.DECK_TOO_OLD:
        raise RefusedError(refusal)
