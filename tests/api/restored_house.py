"""Shared by the restore tests: a house that was backed up and then played on."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from shutil import copy
from typing import Any

import msgspec
import pytest

from fourcard.cards import parse_cards
from fourcard.house.audit.auditor import audit
from fourcard.house.audit.report import AuditReport
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF
from fourcard.house.commands import ApproveAdjustment, BuyIn, CountTray, EnterReading, FillTray
from fourcard.house.decision import meter_stream
from fourcard.house.fairness.shuffle_proof import ShuffleProof, input_of
from fourcard.house.house import House, open_founded, open_house, use_key
from fourcard.house.shuffle_algorithm import order_of
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import TakeSeat
from fourcard.table.autopilot import open_command
from tests.api.api_client import read_house
from tests.kit.houses import STACK, TestHouse, player
from tests.kit.postgres import Server

ANN, PLAYERS = player("ann"), ("ann", "bob")
EXAMPLE = "massachusetts-everything"
_seeds = count(1)


class Databases:
    """Creates empty databases of one kind."""

    def __init__(self, folder: Path, postgres: Server | None) -> None:
        """Take a folder or a database server."""
        self.folder, self._postgres = folder, postgres
        self._numbers = count(1)

    def fresh(self) -> str:
        """Return the address of an empty database."""
        if self._postgres is not None:
            return self._postgres.fresh()
        return str(self.folder / f"house-{next(self._numbers)}.db")


class RestoredBots:
    """A house with bots, opened the way commands and servers open it."""

    def __init__(self, house: House) -> None:
        """Run commands in a house."""
        self.house, self.desk = house, TestHouse(house.store)
        self.desk.service = house.service

    def begin(self, example: str = EXAMPLE) -> None:
        """Hire staff, open a table and seat players."""
        self.desk.staff()
        self.desk.register(*PLAYERS)
        self.desk.install("main", example)
        self.desk.open("main")
        self.desk.seat("main", PLAYERS)

    def play(self, rounds: int) -> None:
        """Let bots play whole rounds."""
        self.desk.play(self.bots(), rounds)

    def play_into_a_round(self) -> None:
        """Let bots play until cards are dealt, and stop there."""
        bots = self.bots()
        while not (self.round is not None and self.round.dealt_mask):
            self.desk.step(bots)

    def bots(self) -> Any:
        """Return new bots."""
        seed = next(_seeds)
        return self.desk.rehearsal("main", PLAYERS, seed, f"k{seed}")

    @property
    def round(self) -> Any:
        """Return the current round."""
        state = self.house.service.table("main").state
        return state.round

    def reopen(self) -> None:
        """Open the table again and seat those who had chips there."""
        book = self.house.service.table("main")
        assert book.state.phase == "closed"
        self.desk.at("main", FillTray(cents=1_000_000, slip="F2", role="supervisor"))
        tray = self.house.service.table("main").cents(book.accounts.tray)
        self.desk.at("main", CountTray(occasion="opening", cents=tray, role="floorperson"))
        self.open_table()
        for position, name in enumerate(PLAYERS, 1):
            self.desk.at("main", BuyIn(player=name, cents=STACK), player(name))
            self.desk.at("main", TakeSeat(position=position, player=name), player(name))

    def open_table(self) -> None:
        """Count the tray and open the table."""
        state = self.house.service.table("main").state
        self.desk.at("main", open_command(state.game))

    def confirm(self, cents: int) -> None:
        """Enter what the meter signs showed and have another person approve it."""
        stream = meter_stream("main")
        entered = self.desk.do(stream, EnterReading(cents=cents, reason="read", role="supervisor"), BOT_STAFF)
        number = entered.events[0].number
        self.desk.do(stream, ApproveAdjustment(number=number, role="executive"), BOT_FLOORPERSON)

    @property
    def displayed(self) -> int:
        """Return what the meter displays, in cents."""
        return self.house.service.meter("main").displayed

    def accounts(self) -> dict[str, int]:
        """Return the players' account balances without chips, in cents."""
        balances = self.desk.balances()
        return {name: balances.get(f"player/{name}", 0) // UNITS_PER_CENT for name in PLAYERS}

    def proofs(self) -> dict[int, dict[str, Any]]:
        """Return the shuffle proofs a player can read, by round number."""
        with read_house(self.house) as reader:
            rounds = reader.ask("/api/rounds", ANN, limit=100)["items"]
            told = [reader.ask(f"/api/rounds/main/{each['number']}", ANN)["proof"] for each in rounds]
        found = [each["proof"] for each in told if each is not None and each["proof"] is not None]
        return {proof["shuffle"]: proof for proof in found}


@contextmanager
def open_bot_house(url: str, key: Path, *, found: bool = False) -> Iterator[RestoredBots]:
    """Open a house, or create one."""
    with (open_house if found else open_founded)(url, key) as house:
        yield RestoredBots(house)


def predicted(known: dict[int, dict[str, Any]], proof: dict[str, Any]) -> bool:
    """Return whether a player with earlier proofs could predict the order of a deck.

    The player knows the number of the next shuffle and everybody's seeds from the page.
    """
    earlier = known.get(proof["shuffle"])
    if earlier is None:
        return False
    told = msgspec.convert(proof, ShuffleProof)
    order = [*order_of(bytes.fromhex(earlier["secret"]), input_of(told))]
    for depth in proof["cuts"]:
        order = order[depth:] + order[:depth]
    dealt = [card for drawn in proof["drawn"] for card in parse_cards(drawn["cards"])]
    return order[: len(dealt)] == dealt


def replica(source: str, target: str) -> str:
    """Copy a database as it is, like a lagging replica or a file copy."""
    with closing(open_store(source, writing=False)) as one, closing(open_store(target)) as other:
        copy_house(one, other)
    return target


def report_on(url: str, key: Path | None = None) -> AuditReport:
    """Audit a database."""
    with closing(open_store(url, writing=False)) as store:
        if key is not None:
            use_key(store, key)
        return audit(store)


class BackedUpHouse:
    """A house that was played on after a backup, with what its players kept."""

    def __init__(self, databases: Databases) -> None:
        """Play, back up in the middle of a round, and play on."""
        self.databases, self._key = databases, databases.folder / "house.key"
        self.backup, self.anchor = databases.folder / "backup.db", databases.folder / "anchor.json"
        with open_bot_house(databases.fresh(), self._key, found=True) as at:
            at.begin()
            at.play(2)
            at.play_into_a_round()
            self.token = at.house.sign_in.issue_by_link("player", "ann")
            self.stakes = {place.player: sum(place.wagers.values()) for place in at.round.positions.values()}
            self.accounts = at.accounts()
            self.held = {name: at.house.service.table("main").chips(name) for name in PLAYERS}
            self.before = at.displayed
            with closing(open_store(self.backup)) as backup:
                copy_house(at.house.store, backup)
            at.play(4)
            self.proofs, self.shown = at.proofs(), at.displayed
            at.desk.register("cy")
            self.anchor.write_bytes(msgspec.json.encode(at.house.anchor()))
        assert self.shown > self.before

    def key(self, folder: Path) -> Path:
        """Return the house key in another folder, with its watermark."""
        for file in self._key.parent.glob("house.key*"):
            copy(file, folder)
        return folder / self._key.name

    def raw(self) -> str:
        """Return a database from the backup, without the safe restore."""
        return replica(str(self.backup), self.databases.fresh())


def refusal_of(act: Any) -> Refusal:
    """Return why an action is refused."""
    with pytest.raises(RefusedError) as refused:
        act()
    return refused.value.refusal
