"""House commands of the storm: money, seeds, tray, staff and Game Manager, valid or nearly so."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args
from zlib import crc32

from fourcard.house.auth.permissions import STAFF_ROLES
from fourcard.house.commands import (
    ApproveAdjustment,
    BuyIn,
    CashOut,
    ChangeRoles,
    ChangeTerms,
    CloseLink,
    CollectDrop,
    CommitSeed,
    CountTray,
    CreditTray,
    Deposit,
    DismissStaff,
    FillTray,
    HireStaff,
    InstallTable,
    LeaveTable,
    MeterCommand,
    MeterPart,
    NotePassword,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RegisterPlayer,
    RejectAdjustment,
    RevealSeed,
    Withdraw,
)
from fourcard.house.decide_shuffle import missing_seeds
from fourcard.house.decision import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.meter_state import MeterState
from fourcard.house.shuffle_algorithm import seed_hash
from fourcard.house.table_state import HouseTable
from fourcard.meter import UNITS_PER_CENT
from tests.laws.wild_commands import wild
from tests.storm.observer import Observer
from tests.storm.setup import (
    PLAYERS,
    families,
    random_table,
    same_terms,
    submission_for_terms,
    with_other_rate,
)

StreamCommand = tuple[str, Any]
"""A stream and a command for it, with the role in which it is given."""
SEEDS = (
    "lucky enough for once",
    "x" * 64,
    "x" * 16,
    "0",
    "x" * 65,
    " edge of what is long enough",
    "übel" * 8,
)
"""Seeds that players draw; the last ones are not valid."""
TEMPS = tuple(f"temp{number}" for number in range(6))
HOUSE_COMMANDS = (
    InstallTable, CountTray, FillTray, CreditTray, CollectDrop, BuyIn, CashOut, LeaveTable, CommitSeed,
    RevealSeed, RegisterPlayer, Deposit, Withdraw, HireStaff, ChangeRoles, DismissStaff, NotePassword,
    *get_args(MeterCommand),
)  # fmt: skip


def house_command(observer: Observer, table: str, chance: Random) -> StreamCommand:
    """Return something that is done besides the game."""
    return chance.choice(_HOUSE_SORTS)(observer, observer.table(table), chance)


def _amount(chance: Random, held: int) -> int:
    """Return an amount that is there, or a little more than that."""
    return chance.choice((100, held // 2, held, held, held + 1, 500_00))


def _buy_in(observer: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    name = chance.choice(PLAYERS)
    role: Any = chance.choice(("player", "dealer"))
    command = BuyIn(player=name, cents=_amount(chance, observer.player(name).cents // 4), by=name, role=role)
    return table_stream(book.name), command


def _cash_out(_witness: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    rich = [name for name in PLAYERS if book.chips(name)] or [*PLAYERS]
    name = chance.choice(rich)
    role: Any = chance.choice(("player", "dealer"))
    return table_stream(book.name), CashOut(
        player=name, cents=_amount(chance, book.chips(name)), by=name, role=role
    )


def _leave(_witness: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    """Let somebody leave the table, or stay after all."""
    staked = [name for name in PLAYERS if book.has_wagers(name)]
    name = chance.choice([*sorted(book.leaving)] or staked or [*PLAYERS])
    role: Any = chance.choice(("player", "dealer"))
    cancel = chance.random() < (0.5 if name in book.leaving else 0.05)
    return table_stream(book.name), LeaveTable(player=name, cancel=cancel, by=name, role=role)


def _seed(_witness: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    """Commit to a seed, or reveal one; the shuffle or the seed is sometimes another."""
    name = chance.choice([*missing_seeds(book)] or [*PLAYERS])
    number = book.shuffle_number - (chance.random() < 0.05)
    seed = SEEDS[hash_number(book.name, number, name) % len(SEEDS)]
    common: Any = {"player": name, "shuffle": number, "by": name, "role": "player"}
    if book.seeds_called_at is not None:
        said = seed if chance.random() < 0.9 else chance.choice(SEEDS)
        return table_stream(book.name), RevealSeed(seed=said, **common)
    hash_ = seed_hash(book.name, number, name, seed) if chance.random() < 0.95 else seed
    return table_stream(book.name), CommitSeed(hash=hash_, **common)


def hash_number(*parts: object) -> int:
    """Return a number that follows from some values in every process."""
    return crc32("/".join(map(str, parts)).encode())


def _cage_payment(observer: Observer, _book: HouseTable, chance: Random) -> StreamCommand:
    name = chance.choice((*PLAYERS, "nobody"))
    held = observer.player(name).cents
    if chance.random() < 0.4:
        return player_stream(name), Deposit(cents=chance.randrange(1, 1_000_00), role="supervisor")
    return player_stream(name), Withdraw(cents=_amount(chance, held), role="supervisor")


def _tray_command(_witness: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    held = book.cents(book.accounts.tray)
    drop = book.cents(book.accounts.drop)
    return table_stream(book.name), chance.choice(
        (
            FillTray(cents=chance.randrange(1, 5_000_00), slip="slip", role="supervisor"),
            CreditTray(cents=max(0, held - chance.randrange(20_000_00)), slip="slip", role="supervisor"),
            CollectDrop(cents=drop + chance.choice((0, 0, 0, 100, -drop)), role="supervisor"),
            CountTray(
                occasion="closing", cents=max(0, held + chance.choice((0, 0, 500))), role="floorperson"
            ),
        )
    )


def _staff_command(_witness: Observer, _book: HouseTable, chance: Random) -> StreamCommand:
    person, roles = chance.choice(TEMPS), tuple(chance.sample(STAFF_ROLES, chance.randrange(0, 4)))
    return STAFF, chance.choice(
        (
            HireStaff(person=person, name="Somebody", roles=roles),
            ChangeRoles(person=person, roles=roles),
            DismissStaff(person=person),
            NotePassword(person=person),
        )
    )


def _register_guest(_witness: Observer, _book: HouseTable, chance: Random) -> StreamCommand:
    name = chance.choice((f"g{chance.randrange(30)}", "not a name", "", *PLAYERS))
    return player_stream(name), RegisterPlayer(name=chance.choice(("Guest", "", " ")), role="floorperson")


def _other_game(_witness: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    """Ask for another game, which a closed table gets; now and then with a meter that follows other terms."""
    return table_stream(book.name), random_table(chance)


def _any_command(observer: Observer, book: HouseTable, chance: Random) -> StreamCommand:
    command = wild(chance, chance.choice(HOUSE_COMMANDS))
    streams = (
        table_stream(book.name),
        STAFF,
        "house",
        "player/p1",
        "meter/t0",
        *(meter_stream(name) for name in observer.meters()[:2]),
        "player/",
        "table/none",
        "strange",
    )
    return chance.choice(streams), command


_HOUSE_SORTS: tuple[Callable[[Observer, HouseTable, Random], StreamCommand], ...] = (
    _buy_in, _buy_in, _cash_out, _cash_out, _leave, _leave, _seed, _seed, _seed, _seed, _cage_payment,
    _cage_payment, _tray_command, _tray_command, _staff_command, _register_guest, _other_game, _any_command,
)  # fmt: skip


REASONS = ("the storm", "the storm", "the storm", "x" * 200, "x" * 201, " ", "")
QUIET, CYCLE = 150, 900
"""For so many groups out of so many no progressive wager is placed at a meter's tables."""


def is_quiet(meter: str, groups: int) -> bool:
    """Say whether somebody waits to close a meter's link, so that nobody wagers on it."""
    shift = sum(meter.encode()) % 6 * QUIET
    return (groups + shift) % CYCLE < QUIET


def meter_command(observer: Observer, name: str, chance: Random, *, closing: bool) -> Any:
    """Return what somebody asks of a meter; where the command names a person, that person asks."""
    book = observer.meter(name)
    if book.closed_reason and chance.random() < 0.5:
        return _closed(observer, book, chance)
    if closing and not book.closed_reason and chance.random() < 0.7:
        return CloseLink(reason="new terms", role="supervisor")
    return chance.choice(_METER_SORTS)(book, chance)


def _closed(observer: Observer, book: MeterState, chance: Random) -> Any:
    """Open a closed link again, now and then by other terms, or before every table has taken them on."""
    states = (observer.table(table).state for table in book.tables)
    agreed = all(same_terms(state.game.hash, book.terms_game) for state in states)
    if not agreed and chance.random() < 0.8:
        return chance.choice(_METER_SORTS)(book, chance)
    if chance.random() < 0.7:
        return OpenLink(reason="ready", role="supervisor")
    return _change(book, chance)


def _change(book: MeterState, chance: Random) -> Any:
    """Change the terms, to those before where they were changed; now and then to another game's."""
    text = submission_for_terms(book.terms_game, chance)
    if text is None or chance.random() < 0.1:
        text = chance.choice([each for texts in families().values() for each in texts])
    back = next((t for texts in families().values() for t in texts if with_other_rate(t) == text), None)
    return ChangeTerms(
        submission=back or with_other_rate(text), reason=chance.choice(REASONS), role="executive"
    )


def _close(_book: MeterState, chance: Random) -> Any:
    return CloseLink(reason=chance.choice(REASONS), role="supervisor")


def _open(_book: MeterState, chance: Random) -> Any:
    return OpenLink(reason=chance.choice(REASONS), role="supervisor")


def _propose(book: MeterState, chance: Random) -> Any:
    """Propose to add or take: all that is there, a little more than that, or a part of it."""
    part: MeterPart = chance.choice(("meter", "meter", "reserve"))
    held = (book.amounts.amount if part == "meter" else book.amounts.reserve) // UNITS_PER_CENT
    cents = chance.choice((100, 50_000, 500_000, 0, -held // 2, -held // 2, -held, -held - 1, -held + 100))
    return ProposeAdjustment(part=part, cents=cents, reason=chance.choice(REASONS), role="supervisor")


def _back_out(book: MeterState, chance: Random) -> Any:
    wins = [win.logged.number for win in book.last_wins] or [1]
    number = chance.choice((chance.choice(wins), wins[-1], wins[-1], book.win_count + 1, 0))
    return ProposeBackOut(win=number, reason=chance.choice(REASONS), role="supervisor")


def _approve(book: MeterState, chance: Random) -> Any:
    """Approve a proposal, or one that nobody made; now and then by who proposed it."""
    waiting = [*book.proposals.values()]
    if not waiting or chance.random() < 0.05:
        return ApproveAdjustment(number=book.proposal_count + 1, role="executive")
    chosen = chance.choice(waiting)
    who = chosen.by if chance.random() < 0.2 else ""
    return ApproveAdjustment(number=chosen.number, by=who, role="executive")


def _reject(book: MeterState, chance: Random) -> Any:
    number = chance.choice([*book.proposals, book.proposal_count + 1])
    return RejectAdjustment(number=number, reason=chance.choice(REASONS), role="supervisor")


_METER_SORTS: tuple[Callable[[MeterState, Random], Any], ...] = (
    _propose, _propose, _back_out, _back_out, _approve, _approve, _approve, _approve, _approve, _reject,
    _close, _open, _change,
)  # fmt: skip
