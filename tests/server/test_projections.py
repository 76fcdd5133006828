"""Stream projections: commits in order, repeats, gaps and catching up."""

import threading
from collections.abc import Sequence

from fourcard.house.account_state import AccountState
from fourcard.house.commands import Deposit
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.journal import JournalRecord
from fourcard.house.state_cache import StreamState
from fourcard.house.store.interface import Store
from fourcard.round.commands import PlaceWager
from fourcard.server.floor.projections import (
    MAX_LINES,
    JournalEntry,
    Projection,
    Projections,
    TableProjection,
)
from fourcard.table.events import RoundBegan
from tests.kit.houses import TestHouse, house_with
from tests.server.simulated_floor import player

ANN = player_stream("ann")
Commit = tuple[Sequence[JournalRecord], Sequence[object], Sequence[StreamState]]


def followed_house() -> tuple[TestHouse, list[Commit]]:
    """Return a house with a table, and the commits that it writes from now on."""
    house, commits = house_with("massachusetts", ("ann", "bob")), list[Commit]()
    house.service.commit_listener = lambda *parts: commits.append(parts)
    return house, commits


def deposit(house: TestHouse, times: int = 1) -> None:
    """Deposit into a player's account."""
    for _ in range(times):
        house.do(ANN, Deposit(cents=100, role="supervisor"))


def begun(house: TestHouse, stream: str = ANN) -> Projection:
    """Follow a stream from its current state."""
    following = Projection(stream, house.service)
    following.start()
    return following


def catch_up(following: Projection, store: Store) -> None:
    """Read what the store holds."""
    with store.reading() as reading:
        following.catch_up(reading)


def cents(book: StreamState) -> int:
    """Return the balance of an account."""
    assert isinstance(book, AccountState)
    return book.cents


def test_a_desk_tells_what_it_committed_and_nothing_else() -> None:
    house, commits = followed_house()
    deposit(house)
    ((record,), (event,), (state,)) = commits[0]
    assert state == house.service.committed_state(ANN)[0]
    assert (record.stream, record.kind, type(event).__name__) == (ANN, "money_deposited", "MoneyDeposited")
    house.refused(ANN, Deposit(cents=-1, role="supervisor"))
    house.do(ANN, Deposit(cents=5, key="once", role="supervisor"))
    house.do(ANN, Deposit(cents=5, key="once", role="supervisor"))
    assert len(commits) == 2, "refused or repeated commands make no commit"
    house.play(house.rehearsal("main", ("ann", "bob")))
    written = [record for records, _, _ in commits for record in records]
    assert all(len(records) == len(events) == len(states) for records, events, states in commits)
    for stream in {record.stream for record in written}:
        told = [record.sequence for record in written if record.stream == stream]
        assert told == [*range(told[0], told[0] + len(told))]


def test_a_fault_of_a_follower_changes_nothing_of_the_commit() -> None:
    house, _ = followed_house()

    def faulty(*_parts: object) -> None:
        raise ZeroDivisionError

    house.service.commit_listener = faulty
    before = cents(house.service.committed_state(ANN)[0])
    deposit(house, 2)
    assert cents(house.service.committed_state(ANN)[0]) == before + 200


def test_commits_are_folded_one_after_the_other() -> None:
    house, commits = followed_house()
    following, streams = begun(house), Projections()
    streams.add(following)
    before, sequence = cents(following.state), following.sequence
    deposit(house, 3)
    for commit in commits:
        assert streams.apply_commit(*commit) == ({ANN}, set())
    assert (cents(following.state), following.sequence) == (before + 300, sequence + 3)


def test_a_repeat_changes_nothing() -> None:
    house, commits = followed_house()
    following, streams = begun(house), Projections()
    streams.add(following)
    deposit(house, 2)
    for commit in (*commits, *commits, commits[0]):
        streams.apply_commit(*commit)
    book, sequence = house.service.committed_state(ANN)
    assert (following.state, following.sequence) == (book, sequence)


def test_a_gap_is_noticed_and_nothing_is_folded_beyond_it() -> None:
    house, commits = followed_house()
    following, streams = begun(house), Projections()
    streams.add(following)
    at = following.snapshot
    deposit(house, 2)
    assert streams.apply_commit(*commits[1]) == (set(), {ANN})
    assert following.snapshot == at
    catch_up(following, house.store)
    assert following.sequence == at.sequence + 2
    assert streams.apply_commit(*commits[0]) == ({ANN}, set())
    assert following.sequence == at.sequence + 2, "what was caught up with is not folded again"


def test_what_is_committed_while_a_stream_is_begun_is_not_lost() -> None:
    house, commits = followed_house()
    following, streams = Projection(ANN, house.service), Projections()
    streams.add(following)
    deposit(house)
    assert streams.apply_commit(*commits[0]) == (set(), {ANN}), "it has not begun, and must be caught up with"
    assert following.sequence == 0
    following.start()
    catch_up(following, house.store)
    assert following.snapshot.state == house.service.committed_state(ANN)[0]


def test_catching_up_with_what_has_not_begun_does_nothing() -> None:
    house, _ = followed_house()
    following = Projection(ANN, house.service)
    catch_up(following, house.store)
    assert following.sequence == 0
    following.start()
    at = following.snapshot
    following.start()
    assert following.snapshot is at


def test_a_commit_is_never_seen_by_half() -> None:
    house, commits = followed_house()
    watch = TableProjection("main", house.service)
    watch.start()
    seen, most = list[int](), 0

    class Peeking(list[JournalEntry]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            for each in super().__iter__():
                seen.append(watch.sequence)
                yield each

    house.play(house.rehearsal("main", ("ann", "bob")))
    for commit in commits:
        mine = written(commit, watch)
        before, seen[:] = watch.sequence, []
        assert not mine or watch.apply_commit(Peeking(mine))
        assert {*seen} <= {before}
        assert watch.sequence == before + len(mine)
        most = max(most, len(mine))
    assert most > 2, "no commit wrote more than one event"


def written(commit: Commit, watch: TableProjection) -> list[JournalEntry]:
    """Return what a commit wrote to a table."""
    return [each for each in zip(*commit, strict=True) if each[0].stream == watch.stream]


def follow(watch: TableProjection, commits: Sequence[Commit]) -> None:
    """Apply commits to the projection of their table."""
    for commit in commits:
        mine = written(commit, watch)
        assert not mine or watch.apply_commit(mine)


def test_only_one_follows_a_stream() -> None:
    house, _ = followed_house()
    streams = Projections()
    first, second = Projection(ANN, house.service), Projection(ANN, house.service)
    assert streams.add(first) is first
    assert streams.add(second) is first
    assert streams.names() == {ANN}
    streams.remove(ANN)
    assert streams.get(ANN) is None
    assert streams.add(second) is second


def test_a_desk_that_commits_and_a_stream_that_begins_do_not_wait_for_each_other() -> None:
    house, _ = followed_house()
    streams = Projections()
    house.service.commit_listener = lambda *parts: [*streams.apply_commit(*parts)].clear()
    stop = threading.Event()

    def begin_again() -> None:
        while not stop.is_set():
            streams.remove(ANN)
            streams.add(Projection(ANN, house.service)).start()

    other = threading.Thread(target=begin_again, daemon=True)
    other.start()
    deposit(house, 100)
    stop.set()
    other.join(10)
    assert not other.is_alive()
    following = streams.get(ANN)
    assert following is not None
    catch_up(following, house.store)
    assert following.snapshot.state == house.service.committed_state(ANN)[0]


def test_a_pinned_game_that_nobody_here_has_met_is_read() -> None:
    house, _ = followed_house()
    other = TestHouse(house.store)
    stream = table_stream("second")
    following = Projection(stream, other.service)
    following.start()
    house.install("second", "maryland")
    catch_up(following, house.store)
    assert following.state == house.service.committed_state(stream)[0]


def test_a_watch_tells_what_happens_and_remembers_where_the_round_began() -> None:
    house, commits = followed_house()
    watch = TableProjection("main", house.service)
    watch.start()
    assert (watch.snapshot.last_line, watch.snapshot.lines) == (0, ())
    house.play(house.rehearsal("main", ("ann", "bob")), 2)
    follow(watch, commits)
    assert watch.snapshot.state == house.service.table("main")
    texts = [sentence.text for sentence in watch.snapshot.lines_since(watch.snapshot.round_start_line)]
    assert "place your wagers" in texts[0]
    assert texts[-1].endswith("in all.")
    assert len(watch.snapshot.lines_since(0)) == min(watch.snapshot.last_line, MAX_LINES)
    assert watch.snapshot.lines_since(watch.snapshot.last_line) == ()
    assert watch.snapshot.lines_since(watch.snapshot.last_line - 1) == watch.snapshot.lines[-1:]
    assert sum(isinstance(event, RoundBegan) for _, events, _ in commits for event in events) == 2


def test_a_watch_that_catches_up_says_the_same_as_one_that_followed() -> None:
    house, commits = followed_house()
    one, other = (TableProjection("main", house.service) for _ in range(2))
    one.start()
    other.start()
    house.play(house.rehearsal("main", ("ann", "bob")), 2)
    follow(one, commits)
    catch_up(other, house.store)
    assert (one.snapshot.lines, one.snapshot.last_line, one.snapshot.round_start_line) == (
        other.snapshot.lines,
        other.snapshot.last_line,
        other.snapshot.round_start_line,
    )


def test_a_watch_that_begins_in_a_round_gives_everybody_all_the_time() -> None:
    house, _ = followed_house()
    bots = house.rehearsal("main", ("ann", "bob"))
    while house.house_table("main").state is None or house.between("main"):
        house.step(bots)
    house.clock.at += 1_000_000
    early = TableProjection("main", house.service)
    early.start()
    assert early.snapshot.timers.first_wager_at is None
    house.at("main", PlaceWager(position=1, wager="ante", amount=2_500), player("ann"))
    house.clock.at += 1_000_000
    late = TableProjection("main", house.service)
    late.start()
    assert late.snapshot.timers.first_wager_at == house.clock.at
    assert late.snapshot.timers.turn_began_at == house.clock.at
