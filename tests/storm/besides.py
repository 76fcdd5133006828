"""What happens in the house besides the game: money, seeds, inventory, staff; right, or nearly so."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args

from fourcard.house.commands import (
    BuyIn,
    CashOut,
    ChangeRoles,
    ChooseSeed,
    CollectDrop,
    CountTray,
    CreditTray,
    Deposit,
    DismissStaff,
    FillTray,
    HireStaff,
    InstallTable,
    LeaveTable,
    NotePassword,
    RegisterPlayer,
    Withdraw,
)
from fourcard.house.meter_commands import MeterCommand
from fourcard.house.outcome import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.permissions import STAFF_ROLES
from fourcard.house.table_book import TableBook
from tests.laws.wild_commands import wild
from tests.storm.opening import anything
from tests.storm.people import PLAYERS
from tests.storm.witness import Witness

Besides = tuple[str, Any]
"""A stream and a command for it, with the role in which it is given."""
SEEDS = ("", "lucky", "0", "x" * 64, "x" * 65, " edge", "übel", "a b c")
TEMPS = tuple(f"temp{number}" for number in range(6))
HOUSE_COMMANDS = (
    InstallTable, CountTray, FillTray, CreditTray, CollectDrop, BuyIn, CashOut, LeaveTable, ChooseSeed,
    RegisterPlayer, Deposit, Withdraw, HireStaff, ChangeRoles, DismissStaff, NotePassword,
    *get_args(MeterCommand),
)  # fmt: skip


def besides(witness: Witness, table: str, chance: Random) -> Besides:
    """Return something that is done besides the game."""
    return chance.choice(_SORTS)(witness, witness.table(table), chance)


def _amount(chance: Random, held: int) -> int:
    """Return an amount that is there, or a little more than that."""
    return chance.choice((100, held // 2, held, held, held + 1, 500_00))


def _buys(witness: Witness, book: TableBook, chance: Random) -> Besides:
    name = chance.choice(PLAYERS)
    role: Any = chance.choice(("player", "dealer"))
    command = BuyIn(player=name, cents=_amount(chance, witness.player(name).cents // 4), by=name, role=role)
    return table_stream(book.table), command


def _cashes(_witness: Witness, book: TableBook, chance: Random) -> Besides:
    rich = [name for name in PLAYERS if book.chips(name)] or [*PLAYERS]
    name = chance.choice(rich)
    role: Any = chance.choice(("player", "dealer"))
    return table_stream(book.table), CashOut(
        player=name, cents=_amount(chance, book.chips(name)), by=name, role=role
    )


def _leaves(_witness: Witness, book: TableBook, chance: Random) -> Besides:
    """Let somebody leave the table, or stay after all."""
    staked = [name for name in PLAYERS if book.has_wagers(name)]
    name = chance.choice([*sorted(book.leaving)] or staked or [*PLAYERS])
    role: Any = chance.choice(("player", "dealer"))
    cancel = chance.random() < (0.5 if name in book.leaving else 0.05)
    return table_stream(book.table), LeaveTable(player=name, cancel=cancel, by=name, role=role)


def _seeds(_witness: Witness, book: TableBook, chance: Random) -> Besides:
    name = chance.choice(PLAYERS)
    return table_stream(book.table), ChooseSeed(
        player=name, seed=chance.choice(SEEDS), by=name, role="player"
    )


def _cage(witness: Witness, _book: TableBook, chance: Random) -> Besides:
    name = chance.choice((*PLAYERS, "nobody"))
    held = witness.player(name).cents
    if chance.random() < 0.4:
        return player_stream(name), Deposit(cents=chance.randrange(1, 1_000_00), role="supervisor")
    return player_stream(name), Withdraw(cents=_amount(chance, held), role="supervisor")


def _tray(_witness: Witness, book: TableBook, chance: Random) -> Besides:
    held = book.cents(book.names.tray)
    drop = book.cents(book.names.drop)
    return table_stream(book.table), chance.choice(
        (
            FillTray(cents=chance.randrange(1, 5_000_00), slip="slip", role="supervisor"),
            CreditTray(cents=max(0, held - chance.randrange(20_000_00)), slip="slip", role="supervisor"),
            CollectDrop(cents=drop + chance.choice((0, 0, 0, 100, -drop)), role="supervisor"),
            CountTray(
                occasion="closing", cents=max(0, held + chance.choice((0, 0, 500))), role="floorperson"
            ),
        )
    )


def _people(_witness: Witness, _book: TableBook, chance: Random) -> Besides:
    person, roles = chance.choice(TEMPS), tuple(chance.sample(STAFF_ROLES, chance.randrange(0, 4)))
    return STAFF, chance.choice(
        (
            HireStaff(person=person, name="Somebody", roles=roles),
            ChangeRoles(person=person, roles=roles),
            DismissStaff(person=person),
            NotePassword(person=person),
        )
    )


def _guest(_witness: Witness, _book: TableBook, chance: Random) -> Besides:
    name = chance.choice((f"g{chance.randrange(30)}", "not a name", "", *PLAYERS))
    return player_stream(name), RegisterPlayer(name=chance.choice(("Guest", "", " ")), role="floorperson")


def _other_game(_witness: Witness, book: TableBook, chance: Random) -> Besides:
    """Ask for another game, which a closed table gets; now and then with a meter that follows other terms."""
    return table_stream(book.table), anything(chance)


def _anything(witness: Witness, book: TableBook, chance: Random) -> Besides:
    command = wild(chance, chance.choice(HOUSE_COMMANDS))
    streams = (
        table_stream(book.table),
        STAFF,
        "house",
        "player/p1",
        "meter/t0",
        *(meter_stream(name) for name in witness.meters()[:2]),
        "player/",
        "table/none",
        "strange",
    )
    return chance.choice(streams), command


_SORTS: tuple[Callable[[Witness, TableBook, Random], Besides], ...] = (
    _buys, _buys, _cashes, _cashes, _leaves, _leaves, _seeds, _seeds, _cage, _cage, _tray, _tray, _people,
    _guest, _other_game, _anything,
)  # fmt: skip
