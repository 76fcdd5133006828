"""The storm can fail: each of these sabotages is found by one of its checks."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house import command_service, decide_meter, decide_table, meter_state
from fourcard.house.commands import ApproveAdjustment
from fourcard.house.decide_meter import meter_event_for
from fourcard.house.events import AwardLogged, ContributionsAdded, ShuffleCommitted
from fourcard.house.journal import chain_hash
from fourcard.house.ledger import POSTING_RULES, Posting, Transfer
from fourcard.house.state_cache import StateCache, decode_table
from fourcard.house.store.memory import MemoryStore, MemoryTransaction
from fourcard.meter import UNITS_PER_CENT, Meter, Payment, contribute
from fourcard.progressive import win_confirmation
from fourcard.progressive.console import LinkLost, WinLogged
from fourcard.progressive.decide import report_link
from fourcard.round.decide_settlement import price_award
from fourcard.round.events import ActPerformed, AwardPaid, PlayMade, ProgressiveLocked
from tests.storm.counts import Counts
from tests.storm.setup import Plan, store_factory
from tests.storm.storm import run_houses

ROUNDS = 45
"""Within so many rounds each is found by its seed: the last one in the 28th, most of them within a few."""
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

    def twice(*args: Any) -> Iterator[Posting]:
        for move in mover(*args):
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
        session = MemoryTransaction(self._kept, self.key, self._verified)
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

    def args(books: Any, book: Any) -> Any:
        secret = books.draw(32)
        number = book.shuffle + 1
        return ShuffleCommitted(number, secret.hex()), (f"table/{book.table}", number, secret)

    patch.setattr(decide_table, "commit_event", args)


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


def _deaf_to(patch: pytest.MonkeyPatch, kind: type) -> None:
    """Let a meter not hear of one kind of event at its tables."""

    def deaf(book: Any, table: str, number: int, event: object, at: int) -> Any:
        return None if isinstance(event, kind) else meter_event_for(book, table, number, event, at)

    patch.setattr("fourcard.house.decide_table.meter_event_for", deaf)


def stakes_without_meter(patch: pytest.MonkeyPatch) -> None:
    """Let stakes be taken of which the meter never hears."""
    _deaf_to(patch, ProgressiveLocked)


def awards_without_meter(patch: pytest.MonkeyPatch) -> None:
    """Let awards be paid that the meter is never adjusted for."""
    _deaf_to(patch, AwardPaid)


def wins_without_meter(patch: pytest.MonkeyPatch) -> None:
    """Let wins be confirmed that nobody logs."""
    _deaf_to(patch, WinLogged)


def doubled_stakes(patch: pytest.MonkeyPatch) -> None:
    """Let every contribution come to the meter twice."""
    reactions = decide_table.meter_reactions

    def twice(*args: Any) -> list[tuple[str, object]]:
        found = reactions(*args)
        return [*found, *(each for each in found if isinstance(each[1], ContributionsAdded))]

    patch.setattr(decide_table, "meter_reactions", twice)


def short_stakes(patch: pytest.MonkeyPatch) -> None:
    """Let a unit of every contribution stay with the house."""

    def short(*args: Any) -> Any:
        meter, part = contribute(*args)
        return meter, replace(part, to_meter=part.to_meter - 1, to_house=part.to_house + 1)

    patch.setattr("fourcard.house.decide_meter.contribute", short)


def same_person(patch: pytest.MonkeyPatch) -> None:
    """Let whoever marked a win confirm it too."""
    refusal = win_confirmation._role_refusal

    def blind(console: Any, *args: Any) -> Any:
        return refusal(replace(console, mark=None), *args)

    patch.setattr(win_confirmation, "_role_refusal", blind)


def repeated_number(patch: pytest.MonkeyPatch) -> None:
    """Let a win have the number of the one before."""
    logged = decide_meter.log_event_for
    patch.setattr(
        decide_meter,
        "log_event_for",
        lambda book, *args: logged(replace(book, win_count=book.win_count - 1), *args),
    )


def old_price(patch: pytest.MonkeyPatch) -> None:
    """Let a win be priced at a meter of a cent more than there is."""

    def dear(meter: Meter, current_round: Any) -> Any:
        return price_award(replace(meter, amount=meter.amount + UNITS_PER_CENT), current_round)

    patch.setattr("fourcard.house.decide_table.price_award", dear)


def own_approval(patch: pytest.MonkeyPatch) -> None:
    """Let people approve what they proposed themselves."""
    approve = decide_meter._DECIDERS[ApproveAdjustment]

    def blind(books: Any, book: Any, command: Any) -> Any:
        proposals = {number: replace(each, by="") for number, each in book.proposals.items()}
        return approve(books, replace(book, proposals=proposals), command)

    patch.setitem(decide_meter._DECIDERS, ApproveAdjustment, blind)


def deaf_sensors(patch: pytest.MonkeyPatch) -> None:
    """Let chips stay registered when a table loses its link."""

    def deaf(*args: Any) -> Any:
        found: Any = report_link(*args)
        lost = isinstance(found, list) and isinstance(found[0], LinkLost)
        return found[:1] if lost else found

    patch.setattr("fourcard.progressive.decide.report_link", deaf)


def endless_game(patch: pytest.MonkeyPatch) -> None:
    """Let a round begin before the last game was ended."""
    patch.setattr(decide_table, "is_game_under_way", lambda _console, _state: False)


def doubled_hits(patch: pytest.MonkeyPatch) -> None:
    """Let the house count every win twice."""
    fold = meter_state._HANDLERS[AwardLogged]

    def twice(book: Any, event: Any) -> Any:
        after, moved = fold(book, event)
        return replace(after, hits={**after.hits, event.row: after.hits[event.row] + 1}), moved

    patch.setitem(meter_state._HANDLERS, AwardLogged, twice)


def unlawful_totals(patch: pytest.MonkeyPatch) -> None:
    """Let the house believe in a unit more of contributions than came."""
    fold = meter_state._HANDLERS[ContributionsAdded]

    def more(book: Any, event: Any) -> Any:
        after, moved = fold(book, event)
        totals = replace(after.totals, contributed=after.totals.contributed + 1)
        return replace(after, totals=totals), moved

    patch.setitem(meter_state._HANDLERS, ContributionsAdded, more)


def void_by_anybody(patch: pytest.MonkeyPatch) -> None:
    """Let the dealer who marked a win undo it by a void."""
    patch.setattr(decide_table, "_void_refusal", lambda _book, _command, _decided: None)


def void_without_award(patch: pytest.MonkeyPatch) -> None:
    """Let a void round keep what the meter had paid for it."""

    def kept(meter: Meter, _payment: Payment) -> tuple[Meter, int]:
        return meter, 0

    patch.setattr(decide_meter, "reverse_payment", kept)


def void_without_stakes(patch: pytest.MonkeyPatch) -> None:
    """Let a meter keep the contributions of a void round."""
    patch.setattr(decide_meter, "reverse_contribution", lambda meter, _part: (meter, 0))


SEEDS: dict[Sabotage, str] = {
    same_person: "v0",
    endless_game: "v2",
    own_approval: "v0",
    deaf_sensors: "v1",
    void_by_anybody: "v1",
    void_without_award: "v1",
}
"""The seeds of the sabotages that the usual one does not find."""


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
        stakes_without_meter,
        awards_without_meter,
        wins_without_meter,
        doubled_stakes,
        short_stakes,
        same_person,
        repeated_number,
        old_price,
        own_approval,
        deaf_sensors,
        endless_game,
        doubled_hits,
        unlawful_totals,
        void_by_anybody,
        void_without_award,
        void_without_stakes,
    ],
)
def test_a_sabotage_is_found(sabotage: Sabotage, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(SEEDS.get(sabotage, "v6"), rounds=ROUNDS)
    sabotage(monkeypatch)
    with store_factory("memory") as place:
        found = run_houses(plan, place, Counts(), lambda _: None)
    assert found is not None
    assert "Traceback" not in found.what, found.what
    print(f"{found.where}: {found.what}")
