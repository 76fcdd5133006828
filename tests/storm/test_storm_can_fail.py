"""The storm can fail: each of these sabotages is found by something that it looks at."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house import command_service, decide_table
from fourcard.house.events import ShuffleCommitted
from fourcard.house.journal import chain_hash
from fourcard.house.ledger import POSTING_RULES, Posting, Transfer
from fourcard.house.state_cache import StateCache, decode_table
from fourcard.house.store.memory import MemoryStore, MemoryTransaction
from fourcard.round.events import ActPerformed, PlayMade
from tests.storm.counts import Tally
from tests.storm.meter_sabotages import METER_SABOTAGES
from tests.storm.setup import Plan
from tests.storm.stores import ground
from tests.storm.storm import brave

ROUNDS, ROUNDS_WITH_WINS = 80, 400
"""Within so many rounds each is found, most of them within a few."""
Sabotage = Callable[[pytest.MonkeyPatch], None]


def lost_transfer(patch: pytest.MonkeyPatch) -> None:
    """Let the store lose one movement in a hundred."""
    post, count = MemoryTransaction.post, iter(range(10**9))

    def losing(self: MemoryTransaction, transfers: Sequence[Transfer]) -> None:
        post(self, transfers[:-1] if next(count) % 100 == 99 else transfers)

    patch.setattr(MemoryTransaction, "post", losing)


def lost_row(patch: pytest.MonkeyPatch) -> None:
    """Let the store lose the row of a movement whose money it moved."""
    commit, count = MemoryTransaction.commit, iter(range(10**9))

    def losing(self: MemoryTransaction, kept: Any) -> None:
        commit(self, kept)
        if next(count) == 200:
            kept.transfers.pop()

    patch.setattr(MemoryTransaction, "commit", losing)


def forgotten_keys(patch: pytest.MonkeyPatch) -> None:
    """Let desk and store forget which keys were done."""
    patch.setattr(MemoryTransaction, "find_by_key", lambda _self, _keys: {})
    patch.setattr(MemoryTransaction, "_check_keys", lambda _self, _keys, _count: None)


def forgetful_desk(patch: pytest.MonkeyPatch) -> None:
    """Let the desk alone forget which keys were done; the store still refuses them."""
    patch.setattr(MemoryTransaction, "find_by_key", lambda _self, _keys: {})


def paid_twice(patch: pytest.MonkeyPatch) -> None:
    """Let what a round pays be posted twice."""
    mover = POSTING_RULES[ActPerformed]

    def twice(*told: Any) -> Iterator[Posting]:
        for move in mover(*told):
            yield move
            if move.what == "pay":
                yield move

    patch.setitem(POSTING_RULES, ActPerformed, twice)


def stake_of_nobody(patch: pytest.MonkeyPatch) -> None:
    """Let a Play wager cost nothing."""
    patch.setitem(POSTING_RULES, PlayMade, lambda *_told: iter(()))


def cached_after_failure(patch: pytest.MonkeyPatch) -> None:
    """Let the library believe what a failed commit left in it."""
    bring = StateCache.catch_up

    def trusting(self: StateCache, stream: str, head: Any) -> None:
        if stream not in self.heads:
            bring(self, stream, head)

    patch.setattr(StateCache, "forget", lambda _self, _streams: None)
    patch.setattr(StateCache, "catch_up", trusting)


def no_rollback(patch: pytest.MonkeyPatch) -> None:
    """Let the store keep what was staged when something failed."""

    @contextmanager
    def keeping(self: MemoryStore) -> Iterator[MemoryTransaction]:
        session = MemoryTransaction(self._kept)
        try:
            yield session
        finally:
            session.commit(self._kept)

    patch.setattr(MemoryStore, "writing", keeping)


def early_reveal(patch: pytest.MonkeyPatch) -> None:
    """Let secrets be shown while their cards are in play."""
    patch.setattr(command_service, "spent_shuffles", lambda book: tuple(book.pending.values()))


def public_secret(patch: pytest.MonkeyPatch) -> None:
    """Let the secret itself be published instead of its hash."""

    def told(books: Any, book: Any) -> Any:
        secret = books.draw(32)
        number = book.shuffle + 1
        return ShuffleCommitted(number, secret.hex()), (f"table/{book.table}", number, secret)

    patch.setattr(decide_table, "commit_event", told)


def open_gate(patch: pytest.MonkeyPatch) -> None:
    """Let everybody do everything."""
    patch.setattr(command_service, "gate_refusal", lambda _actor, _stream, _command: None)


def broken_chain(patch: pytest.MonkeyPatch) -> None:
    """Let events be chained to nothing."""
    patch.setattr(
        "fourcard.house.unit_of_work.chain_hash", lambda _before, record: chain_hash(bytes(32), record)
    )


def wrong_snapshot(patch: pytest.MonkeyPatch) -> None:
    """Let a snapshot have a unit more in the tray than there is."""

    def generous(body: bytes, games: Any) -> Any:
        book = decode_table(body, games)
        tray = "" if book is None else book.accounts.tray
        return (
            None
            if book is None
            else replace(book, balances={**book.balances, tray: book.balances.get(tray, 0) + 1})
        )

    patch.setattr("fourcard.house.state_cache.decode_table", generous)


@pytest.mark.parametrize(
    "sabotage",
    [
        lost_transfer,
        lost_row,
        forgotten_keys,
        forgetful_desk,
        paid_twice,
        stake_of_nobody,
        cached_after_failure,
        no_rollback,
        early_reveal,
        public_secret,
        open_gate,
        broken_chain,
        wrong_snapshot,
        *METER_SABOTAGES,
    ],
)
def test_a_sabotage_is_found(sabotage: Sabotage, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan("sabotage", rounds=ROUNDS_WITH_WINS if sabotage in METER_SABOTAGES else ROUNDS)
    sabotage(monkeypatch)
    with ground("memory") as place:
        found = brave(plan, place, Tally(), lambda _: None)
    assert found is not None
    assert "Traceback" not in found.what, found.what
    print(f"{found.where}: {found.what}")
