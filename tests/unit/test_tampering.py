"""Whatever is changed in what a house keeps, the audit finds it and names its place.

A forger has the database: most change a row and leave the hashes; the clever ones work the chain out anew, so that
only signatures, the rules or the other streams can tell. One who has the key too is found by an anchor alone.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import delete

from fourcard.house.auditing.audit import audit
from fourcard.house.auditing.report import AuditReport, Kind
from fourcard.house.outcome import HOUSE
from fourcard.house.records import Recorded, link
from fourcard.house.signing import Anchor, HouseKey
from fourcard.house.store import schema
from fourcard.house.store.contract import Store
from fourcard.house.store.copying import copy_house
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.sql import open_store
from tests.audited import Forger, found, small_house, told

Place = tuple[str, str, int | None]
Forgery = Callable[[Forger], tuple[Place, Kind]]
ONE, TWO, THREE, METER = "table/one", "table/two", "table/three", "meter/one"
OTHER_KEY = HouseKey(bytes(32))


class Original:
    """A house as it really was, to be copied and forged."""

    def __init__(self, folder: Path) -> None:
        """Play a small house, and keep it in a file."""
        self.memory, self.folder = MemoryStore(), folder
        self.made, self.anchor = small_house(self.memory)
        self.file = folder / "original.db"
        store = open_store(self.file)
        copy_house(self.memory, store)
        store.close()

    def copied(self, file: Path) -> Path:
        """Return a copy of the file."""
        shutil.copy(self.file, file)
        return file


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """Return the house that every forger starts from."""
    return Original(tmp_path_factory.mktemp("original"))


@pytest.fixture
def file(original: Original, tmp_path: Path) -> Path:
    """Return a file of the house that can be forged."""
    return original.copied(tmp_path / "house.db")


@pytest.fixture
def forger(file: Path) -> Iterator[Forger]:
    """Return somebody who can write to the file."""
    made = Forger(file)
    yield made
    made.close()


def audited(file: Path | str, anchor: Anchor | None = None) -> AuditReport:
    """Audit a file."""
    store: Store = open_store(file, writing=False)
    try:
        return audit(store, anchor)
    finally:
        store.close()


def holds(report: AuditReport, place: Place, what: Kind | None = None) -> None:
    """Demand a finding at a place."""
    assert found(report, *place, what), f"nothing {what or ''} at {place} in:\n{told(report)}"


def test_nothing_is_found_in_the_original(original: Original) -> None:
    for report in (audit(original.memory), audited(original.file), audited(original.file, original.anchor)):
        assert report.clean, told(report)


# Rows of the journal, the hashes left alone.

CHANGES: dict[str, Callable[[Recorded], object]] = {
    "command": lambda record: record.command - 1,
    "kind": lambda record: "seat_left",
    "version": lambda record: 2,
    "at": lambda record: record.at + 1,
    "by": lambda record: "eve",
    "role": lambda record: "executive",
    "key": lambda record: "another key",
    "digest": lambda record: "ab" * 32,
    "game": lambda record: "cd" * 32,
    "body": lambda record: record.body.replace(b'"position":2', b'"position":3'),
    "hash": lambda record: bytes(32),
}


def test_every_column_is_changed_here() -> None:
    """See that no column of the journal was forgotten."""
    assert {*CHANGES, "stream", "sequence"} == {column.name for column in schema.events.c}


@pytest.mark.parametrize("column", CHANGES)
@pytest.mark.parametrize("number", [0, -1])
def test_a_changed_column_is_found(forger: Forger, file: Path, column: str, number: int) -> None:
    sequence = forger.find(TWO, "wager_placed", number)
    (record,) = [each for each in forger.events(TWO) if each.sequence == sequence]
    forger.change(TWO, sequence, **{column: CHANGES[column](record)})
    if column == "body":
        forger.edit(TWO, sequence, amount=1)
    holds(audited(file), ("events", TWO, sequence), "unreadable" if column == "version" else "altered")


@pytest.mark.parametrize("column", CHANGES)
def test_a_changed_column_in_a_rewritten_chain_is_found_by_the_signature(
    forger: Forger, file: Path, column: str
) -> None:
    """Name the place that was signed, and from where on the stream was rewritten."""
    signed = next(head[1] for head in forger.body(HOUSE, 2)["heads"] if head[0] == TWO)
    sequence = forger.find(TWO, "wager_placed")
    (record,) = [each for each in forger.events(TWO) if each.sequence == sequence]
    forger.change(TWO, sequence, **{column: CHANGES[column](record)})
    if column == "hash":
        forger.edit(TWO, sequence, amount=1)
    elif column == "body":
        forger.edit(TWO, sequence, amount=2)
    forger.rechain(TWO)
    holds(audited(file), ("events", TWO, signed), "altered")


def delete_first(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(ONE, 1)
    return ("events", ONE, 1), "missing"


def delete_middle(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(ONE, 40)
    return ("events", ONE, 40), "missing"


def delete_several(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(TWO, 30, 60)
    return ("events", TWO, 30), "missing"


def delete_last(forger: Forger) -> tuple[Place, Kind]:
    last = len(forger.events(ONE))
    forger.drop(ONE, last)
    return ("events", ONE, last), "missing"


def insert_at_the_end(forger: Forger) -> tuple[Place, Kind]:
    last = forger.events("player/ann")[-1]
    forged = replace(last, sequence=last.sequence + 1, command=last.sequence + 1, key="", digest="")
    forger.add(replace(forged, hash=link(last.hash, forged)))
    return ("events", "player/ann", last.sequence + 1), "inserted"


def insert_before_the_beginning(forger: Forger) -> tuple[Place, Kind]:
    forger.add(replace(forger.events("staff")[0], sequence=0, key=""))
    return ("events", "staff", 0), "inserted"


def insert_in_the_middle(forger: Forger) -> tuple[Place, Kind]:
    """Move everything after a deposit by one, and let the deposit be made twice."""
    records = forger.events("player/ann")
    for record in reversed(records[2:]):
        forger.change(
            "player/ann", record.sequence, sequence=record.sequence + 1, command=record.sequence + 1
        )
    forger.add(replace(records[1], sequence=3, command=3, key="", digest=""))
    return ("events", "player/ann", 3), "altered"


def insert_a_stream(forger: Forger) -> tuple[Place, Kind]:
    record = replace(forger.events("staff")[0], stream="vault")
    forger.add(replace(record, hash=link(bytes(32), record)))
    return ("events", "vault", None), "inserted"


def swap_two(forger: Forger) -> tuple[Place, Kind]:
    for old, new in ((50, -1), (51, 50), (-1, 51)):
        forger.change(ONE, old, sequence=new)
    return ("events", ONE, 51), "altered"


def move_to_another_stream(forger: Forger) -> tuple[Place, Kind]:
    forger.change("player/ann", 2, stream="player/zoe")
    return ("events", "player/ann", 2), "missing"


def change_sequence(forger: Forger) -> tuple[Place, Kind]:
    forger.change(ONE, 45, sequence=10_000)
    return ("events", ONE, 10_000), "altered"


def repeat_a_key(forger: Forger) -> tuple[Place, Kind]:
    """Give two commands one key, which only a database without its index can hold."""
    with forger.engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX events_by_key")
    keyed = [each for each in forger.events(TWO) if each.key]
    forger.change(TWO, keyed[5].sequence, key=keyed[1].key)
    forger.rechain(TWO)
    return ("events", TWO, keyed[5].sequence), "repeated"


def unreadable_body(forger: Forger) -> tuple[Place, Kind]:
    forger.change(ONE, 33, body=b"\xff{")
    return ("events", ONE, 33), "unreadable"


def unknown_kind(forger: Forger) -> tuple[Place, Kind]:
    forger.edit(ONE, 33, kind="miracle_worked")
    return ("events", ONE, 33), "unreadable"


ROWS = (
    delete_first, delete_middle, delete_several, delete_last, insert_at_the_end, insert_before_the_beginning,
    insert_in_the_middle, insert_a_stream, swap_two, move_to_another_stream, change_sequence, repeat_a_key,
    unreadable_body, unknown_kind,
)  # fmt: skip


@pytest.mark.parametrize("forgery", ROWS)
def test_a_row_that_was_touched_is_found(forger: Forger, file: Path, forgery: Forgery) -> None:
    holds(audited(file), *forgery(forger))


@pytest.mark.parametrize("stream", [ONE, METER, "player/ann", "staff", HOUSE])
def test_a_deleted_stream_is_found(forger: Forger, file: Path, stream: str) -> None:
    forger.drop(stream, 1, 10_000)
    holds(audited(file), ("events", stream, None), "missing")


@pytest.mark.parametrize("stream", [ONE, METER, "player/ann", "staff"])
def test_a_stream_deleted_with_its_head_is_found_by_the_signature(
    forger: Forger, file: Path, stream: str
) -> None:
    forger.drop(stream, 1, 10_000)
    forger.run(delete(schema.streams).where(schema.streams.c.name == stream))
    holds(audited(file), ("events", stream, None), "missing")


def test_a_tail_cut_off_with_its_head_moved_back_is_found_by_the_signature(
    forger: Forger, file: Path
) -> None:
    forger.drop(TWO, 50, 10_000)
    forger.rechain(TWO)
    holds(audited(file), ("events", TWO, 50), "missing")


def test_a_tail_that_was_never_signed_is_found_by_an_anchor(
    original: Original, forger: Forger, file: Path
) -> None:
    last = len(forger.events("player/bob"))
    forger.drop("player/bob", last)
    forger.rechain("player/bob")
    holds(audited(file, original.anchor), ("events", "player/bob", last), "missing")


# The chain worked out anew: what the rules, the other streams and the books say.


def rechained(forger: Forger, stream: str, sequence: int, **fields: Any) -> Place:
    """Change fields of an event and work the chain out anew."""
    forger.edit(stream, sequence, **fields)
    forger.rechain(stream)
    return "events", stream, sequence


def swap_cards_of_a_shuffle(forger: Forger) -> tuple[Place, Kind]:
    drawn = forger.find(ONE, "shuffle_drawn", -2)
    order = forger.body(ONE, drawn + 1)["order"]
    order[0], order[51] = order[51], order[0]
    rechained(forger, ONE, drawn + 1, order=order)
    return ("events", ONE, drawn), "shuffle"


def deal_another_card(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "cards_dealt", -10)
    cards = forger.body(ONE, sequence)["cards"]
    cards[0] = (cards[0] + 1) % 52
    return rechained(forger, ONE, sequence, cards=cards), "deal"


def deal_a_keyed_card_twice(forger: Forger) -> tuple[Place, Kind]:
    first, second = forger.find(THREE, "cards_dealt", 0), forger.find(THREE, "cards_dealt", 1)
    cards = [forger.body(THREE, first)["cards"][0], *forger.body(THREE, second)["cards"][1:]]
    return rechained(forger, THREE, second, cards=cards), "deal"


def deal_a_card_that_is_none(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "cards_dealt", -1)
    cards = forger.body(ONE, sequence)["cards"]
    return rechained(forger, ONE, sequence, cards=[10**12, *cards[1:]]), "deal"


def key_another_card(forger: Forger) -> tuple[Place, Kind]:
    """Deal a winner another hand at a table whose cards are keyed in: the settlement tells."""
    sequences = [forger.find(THREE, "cards_dealt", number) for number in range(6)]
    out = {card for each in sequences for card in forger.body(THREE, each)["cards"]}
    ended, better = forger.find(THREE, "round_ended"), [card for card in range(51, -1, -1) if card not in out]
    for each in sequences:
        body = forger.body(THREE, each)
        if body["to"] == 0 and len(body["cards"]) >= 4:
            forger.edit(THREE, each, cards=[*better[: len(body["cards"])]])
    forger.rechain(THREE)
    return ("events", THREE, ended), "settlement"


def settled_event(forger: Forger, stream: str) -> tuple[int, dict[str, Any]]:
    """Return an event of a settlement with money in it."""
    for record in forger.events(stream):
        body = forger.body(stream, record.sequence) if record.kind == "act_performed" else {}
        if any(step["action"] == "take" for step in body.get("steps", ())):
            return record.sequence, body
    raise AssertionError


def change_a_settlement_step(forger: Forger) -> tuple[Place, Kind]:
    sequence, body = settled_event(forger, TWO)
    body["steps"][0]["amount"] -= 100
    return rechained(forger, TWO, sequence, steps=body["steps"]), "settlement"


def change_a_net(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "round_ended", -1)
    nets = forger.body(TWO, sequence)["nets"]
    nets[0][1] += 100
    return rechained(forger, TWO, sequence, nets=nets), "settlement"


def change_a_wager(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "wager_placed", -1)
    return rechained(forger, TWO, sequence, amount=10**9), "rules"


def change_who_played(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "play_made", -1)
    forger.change(TWO, sequence, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "rules"


def take_a_void_wager(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "round_voided")
    returned = forger.body(ONE, sequence)["returned"]
    return rechained(forger, ONE, sequence, returned=returned[1:]), "void"


def call_a_round_void(forger: Forger) -> tuple[Place, Kind]:
    """Leave the end of a round out."""
    sequence = forger.find(TWO, "round_ended", 1)
    forger.drop(TWO, sequence)
    forger.renumber(TWO)
    return ("events", TWO, sequence - 1), "settlement"


def raise_an_award(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(THREE, "award_paid")
    body = forger.body(THREE, sequence)
    source = next(name for name in ("from_meter", "from_tray") if body["payment"].get(name))
    body["payment"][source] += 100
    body["steps"][0]["amount"] += 100
    return rechained(forger, THREE, sequence, payment=body["payment"], steps=body["steps"]), "settlement"


def change_a_commitment(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "shuffle_committed", 1)
    rechained(forger, ONE, sequence, commitment="ee" * 32)
    return ("events", ONE, forger.find(ONE, "secret_revealed", 1)), "shuffle"


def skip_a_commitment(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "shuffle_committed", -1)
    shuffle = forger.body(ONE, sequence)["shuffle"]
    return rechained(forger, ONE, sequence, shuffle=shuffle + 1), "shuffle"


def change_a_revealed_secret(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "secret_revealed")
    return rechained(forger, ONE, sequence, secret="ff" * 32), "shuffle"


def hide_a_secret(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "secret_revealed", 1)
    forger.drop(ONE, sequence)
    forger.renumber(ONE)
    return ("events", ONE, sequence - 1), "shuffle"


def show_a_secret_early(forger: Forger) -> tuple[Place, Kind]:
    """Reveal a shuffle's secret as soon as its deck has its order."""
    revealed = forger.find(ONE, "secret_revealed", 1)
    early = forger.find(ONE, "shuffle_committed", 2)
    (secret,) = [each for each in forger.events(ONE) if each.sequence == revealed]
    (beside,) = [each for each in forger.events(ONE) if each.sequence == early]
    forger.drop(ONE, revealed)
    for record in reversed([each for each in forger.events(ONE) if early < each.sequence < revealed]):
        command = record.command + 1 if record.command > early else record.command
        forger.change(ONE, record.sequence, sequence=record.sequence + 1, command=command)
    envelope = {"at": beside.at, "by": beside.by, "role": beside.role, "command": beside.command}
    forger.add(replace(secret, sequence=early + 1, **envelope))
    forger.rechain(ONE)
    return ("events", ONE, early + 1), "shuffle"


def change_the_seeds(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "shuffle_drawn")
    return rechained(forger, ONE, sequence, seeds=[["bob", "pears"]]), "shuffle"


def change_a_stake_of_the_meter(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(METER, "stakes_added")
    parts = forger.body(METER, sequence)["parts"]
    parts[0]["to_meter"] += 1
    parts[0]["to_house"] -= 1
    return rechained(forger, METER, sequence, parts=parts), "pair"


def leave_a_stake_out(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(METER, forger.find(METER, "stakes_added", 1))
    forger.renumber(METER)
    return ("events", METER, None), "missing"


def tell_a_meter_twice(forger: Forger) -> tuple[Place, Kind]:
    last = forger.events(METER)[-1]
    sequence = forger.find(METER, "stakes_added", -1)
    (stakes,) = [each for each in forger.events(METER) if each.sequence == sequence]
    forger.add(replace(stakes, sequence=last.sequence + 1, command=last.sequence + 1, key="", digest=""))
    forger.rechain(METER)
    return ("events", METER, last.sequence + 1), "inserted"


def change_an_award_of_the_meter(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(METER, "award_taken")
    payment = forger.body(METER, sequence)["payment"]
    return rechained(forger, METER, sequence, payment={**payment, "shortfall": 1}), "pair"


def take_back_more(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(METER, "round_taken_back")
    amount = forger.body(METER, sequence)["amount"]
    return rechained(forger, METER, sequence, amount=amount - 10_000), "pair"


def start_a_meter_higher(forger: Forger) -> tuple[Place, Kind]:
    units = forger.body(METER, 1)["units"]
    return rechained(forger, METER, 1, units=units + 10_000), "meter"


def buy_fewer_chips(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find("player/ann", "chips_bought")
    return rechained(forger, "player/ann", sequence, cents=1), "pair"


def buy_more_chips(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, TWO, forger.find(TWO, "bought_in"), cents=600_000)
    return ("events", "player/ann", forger.find("player/ann", "chips_bought", 1)), "pair"


def leave_a_purchase_out(forger: Forger) -> tuple[Place, Kind]:
    forger.drop("player/cid", forger.find("player/cid", "chips_bought"))
    forger.renumber("player/cid")
    return ("events", "player/cid", None), "missing"


def overdraw_an_account(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, "player/ann", forger.find("player/ann", "money_deposited"), cents=1_000)
    return ("events", "player/ann", forger.find("player/ann", "chips_bought")), "overdrawn"


def overdraw_chips(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, TWO, forger.find(TWO, "bought_in"), cents=100)
    return ("events", TWO, None), "overdrawn"


def withdraw_too_much(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find("player/bob", "money_withdrawn")
    return rechained(forger, "player/bob", sequence, cents=10**11), "rules"


def hire_nobody(forger: Forger) -> tuple[Place, Kind]:
    return rechained(forger, "staff", 1, roles=["dealer"]), "rules"


def change_a_game_of_an_event(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.change(TWO, sequence, game=forger.events(ONE)[0].game)
    forger.rechain(TWO)
    return ("events", TWO, sequence), "game"


def call_an_event_otherwise(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.change(TWO, sequence, kind="seat_left")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "altered"


def tear_a_command_apart(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "showdown_reached")
    forger.change(TWO, sequence, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "envelope"


def key_without_digest(forger: Forger) -> tuple[Place, Kind]:
    sequence = next(each.sequence for each in forger.events(TWO) if each.key)
    forger.change(TWO, sequence, digest="")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "envelope"


CLEVER = (
    swap_cards_of_a_shuffle, deal_another_card, deal_a_keyed_card_twice, deal_a_card_that_is_none,
    key_another_card, change_a_settlement_step, change_a_net, change_a_wager, change_who_played,
    take_a_void_wager, call_a_round_void, raise_an_award, change_a_commitment, skip_a_commitment,
    change_a_revealed_secret, hide_a_secret, show_a_secret_early, change_the_seeds,
    change_a_stake_of_the_meter, leave_a_stake_out, tell_a_meter_twice, change_an_award_of_the_meter,
    take_back_more, start_a_meter_higher, buy_fewer_chips, buy_more_chips, leave_a_purchase_out,
    overdraw_an_account, overdraw_chips, withdraw_too_much, hire_nobody, change_a_game_of_an_event,
    call_an_event_otherwise, tear_a_command_apart, key_without_digest,
)  # fmt: skip


@pytest.mark.parametrize("forgery", CLEVER)
def test_what_the_rules_do_not_allow_is_found_in_a_rewritten_chain(
    forger: Forger, file: Path, forgery: Forgery
) -> None:
    """Find it although every hash fits, and even where nothing was signed."""
    place, what = forgery(forger)
    report = audited(file)
    holds(report, place, what)
    forger.drop(HOUSE, 2)
    forger.rechain(HOUSE)
    holds(audited(file), place, what)
