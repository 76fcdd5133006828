"""The audit of houses in which nobody changed anything: it looks at everything and finds nothing."""

from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from fourcard.house import unit_of_work
from fourcard.house.audit.auditor import PROGRESS_INTERVAL, audit
from fourcard.house.audit.report import (
    FINDING_KINDS,
    MAX_LISTED,
    AuditReport,
    FindingPlace,
    Findings,
    format_time,
)
from fourcard.house.autopilot import BOT_FLOORPERSON
from fourcard.house.commands import (
    ApproveAdjustment,
    ChangeRoles,
    ChooseSeed,
    ConfirmClock,
    CreditTray,
    EnterReading,
    HireStaff,
    InstallTable,
)
from fourcard.house.decision import STAFF
from fourcard.house.recovery import RestoreEvidence, recover
from fourcard.house.shuffle_algorithm import FIRST_ALGORITHM
from fourcard.house.store.address import open_store
from fourcard.house.store.memory import MemoryStore
from fourcard.refusals import RefusedError
from fourcard.round.commands import (
    Fold,
    LeaveSeat,
    PlaceWager,
    ReportIrregularity,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.preconditions import positions_to_decide
from fourcard.rules.submission import examples
from fourcard.table.commands import BeginRound, GoIdle, OrderRecut, OrderShuffle, ReportFailure
from tests.kit.audited_houses import (
    PLAYERS,
    SELDOM_STORMED,
    SNAPSHOT_EVERY,
    Founded,
    buy,
    call_off,
    close,
    play,
    play_strong,
    stored_commands,
    told,
    void,
)
from tests.kit.consoles import FOUR_ACES, MD_KEYPAD, NOTHING, ConsoleTable
from tests.kit.houses import TEST_KEY, TestHouse, player, submission_text
from tests.kit.support import ROOT

NOT_FOUNDED = ("house, event 1", "missing")
LEAST = {
    "streams": 20,
    "events": 1_500,
    "commands": 1_200,
    "not_redecided": 0,
    "rounds": 30,
    "shuffles": 25,
    "settlements": 30,
    "transfers": 600,
    "accounts": 50,
    "meters": 5,
    "pairs": 40,
    "signatures": 2,
    "snapshots": 5,
    "games": 10,
    "hours": 10,
    "commits": 500,
    "indexed": 30,
    "secrets": 10,
    "segments": 0,
    "passwords": 0,
    "schema_objects": 0,
}
"""The least that an audit of every example must have looked at."""


@pytest.fixture(scope="module")
def every_example() -> Founded:
    """Return a house with a table for every example, three rounds each, signed twice."""
    made = Founded(MemoryStore())
    made.staff()
    made.register(*PLAYERS)
    with patch.object(unit_of_work, "SNAPSHOT_EVERY", SNAPSHOT_EVERY):
        for number, name in enumerate(examples()):
            made.install(f"t{number}", name)
            made.open(f"t{number}")
            made.seat(f"t{number}", PLAYERS)
            play(made, f"t{number}", 3)
            if number % 5 == 4:
                made.sign()
    return made


def is_clean(made: TestHouse) -> AuditReport:
    """Audit a house, and find nothing."""
    report = audit(made.store)
    assert report.clean, told(report)
    return report


def test_a_clean_house_of_every_example_has_no_finding(every_example: Founded) -> None:
    report = is_clean(every_example)
    counts = {name: getattr(report.counts, name) for name in report.counts.__struct_fields__}
    assert counts.keys() == LEAST.keys()
    assert {name: count for name, count in counts.items() if count < LEAST[name]} == {}
    assert report.house == every_example.house.name
    assert report.public_key == every_example.house.key.public


def test_the_audit_tells_how_far_it_is(every_example: Founded) -> None:
    steps: list[tuple[int, int]] = []
    report = audit(every_example.store, progress=lambda done, total: steps.append((done, total)))
    events = report.counts.events
    assert steps[-1] == (events, events)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert {total for _, total in steps} == {events}
    assert len(steps) > events // PROGRESS_INTERVAL - len(every_example.heads())


def test_an_anchor_leaves_only_what_is_newer(every_example: Founded) -> None:
    anchor = every_example.anchor()
    report = audit(every_example.store, anchor)
    assert report.clean
    assert "0 events are newer than the anchor" in report.cannot_exclude[0]
    assert format_time(anchor.at) in report.cannot_exclude[0]
    every_example.register("dot")
    later = audit(every_example.store, anchor)
    assert "2 events are newer than the anchor" in later.cannot_exclude[0]


def test_without_an_anchor_it_says_since_when_nothing_is_signed(every_example: Founded) -> None:
    every_example.sign()
    report = is_clean(every_example)
    assert every_example.house.key.public in report.cannot_exclude[0]
    assert f"{format_time(every_example.clock.at)}, and all of it was cut off" in report.cannot_exclude[1]
    every_example.store.key = None
    every_example.register("eli")
    report = audit(every_example.store)
    unsigned = {str(each.place) for each in report.findings if each.what == "signature"}
    assert unsigned == {"player/eli, event 1"}
    assert "events are unsigned" in report.cannot_exclude[1]
    every_example.store.key = TEST_KEY


def test_what_goes_wrong_at_tables_is_no_finding() -> None:
    """Play with keyed cards, void and called-off rounds, a shared meter, seeds, recuts and failures."""
    made = Founded(MemoryStore())
    made.staff()
    made.register(*PLAYERS)
    for table, example, choices in (
        ("main", "maryland-everything", {}),
        ("keyed", "maryland-everything", {"cards": "keyed", "meter": "main"}),
        ("plain", "massachusetts", {}),
        ("machine", "shuffle-master-everything", {}),
    ):
        made.install(table, example, **choices)
        made.open(table)
        made.seat(table, PLAYERS)
    made.drawing = frozenset(PLAYERS[:2])
    play_strong(made, "keyed")
    for table in ("main", "plain", "machine"):
        play(made, table, 1)
        call_off(made, table)
        void(made, table)
    made.drawing = frozenset(PLAYERS[1:])
    made.at("machine", ReportFailure(device="shuffler"))
    play(made, "machine", 2)
    ready(made, "plain")
    made.at("plain", OrderRecut(role="casino-supervisor"))
    ready(made, "main")
    made.at("main", OrderShuffle(role="supervisor"))
    play(made, "plain", 1)
    play(made, "main", 1)
    withdraw(made, "plain")
    found_face_up(made, "plain")
    buy(made, "plain", "cid", 700)
    made.at("plain", CreditTray(cents=100, slip="C1", role="supervisor"))
    report = is_clean(made)
    assert report.counts.rounds - report.counts.settlements >= 6
    assert report.counts.pairs > 20


def ready(made: Founded, table: str) -> None:
    """Make a table's deck ready."""
    bots = made.rehearsal(table, PLAYERS, seed=5, keys=f"r{made.number(table)}")
    while made.house_table(table).state.agenda:
        made.step(bots)


def withdraw(made: Founded, table: str) -> None:
    """Begin a round, place and withdraw a wager, and finish the round."""
    ready(made, table)
    made.at(table, BeginRound())
    made.at(table, PlaceWager(position=1, wager="ante", amount=1_000), player("ann"))
    made.at(table, WithdrawWager(position=1, wager="ante"), player("ann"))
    made.at(table, PlaceWager(position=2, wager="ante", amount=1_000), player("bob"))
    made.play(made.rehearsal(table, PLAYERS, seed=6, keys="w"), 0)


def found_face_up(made: Founded, table: str) -> None:
    """Deal a round in which a card lies face up in the deck."""
    ready(made, table)
    made.at(table, BeginRound())
    made.at(table, PlaceWager(position=1, wager="ante", amount=1_000), player("ann"))
    bots = made.rehearsal(table, PLAYERS, seed=7, keys="f")
    while (current_round := made.house_table(table).state.round) is None or current_round.phase != "dealing":
        made.step(bots)
    made.at(table, ReportIrregularity(irregularity="one_face_up_card"))
    made.play(bots, 0)


def test_commands_that_a_storm_seldom_gives_are_decided_again() -> None:
    """Change roles, confirm the clock, set a hand, choose a seed, leave a table idle, read a meter."""
    made = Founded(MemoryStore())
    made.staff()
    made.register(*PLAYERS)
    made.do(STAFF, HireStaff(person="dora", name="Dora", roles=("dealer",)))
    made.do(STAFF, ChangeRoles(person="dora", roles=("dealer", "floorperson")))
    made.do(STAFF, ConfirmClock(ahead=5_000))
    chosen = submission_text("catfish-bend") + "\n[settings]\nplayer_sets_hand = true\n"
    made.at("hands", InstallTable(submission=chosen))
    made.install("idle", "massachusetts")
    made.install("main", "maryland-everything")
    with patch("fourcard.house.state_cache.ALGORITHM", FIRST_ALGORITHM):
        made.install("former", "maryland")
    made.at("former", ChooseSeed(player="ann", seed="luck"), player("ann"))
    for table in ("hands", "idle", "main", "former"):
        made.open(table)
        made.seat(table, PLAYERS)
        play(made, table, 1)
    set_a_hand(made, "hands")
    for position, name in enumerate(PLAYERS, 1):
        made.at("idle", LeaveSeat(position=position), player(name))
    made.at("idle", GoIdle(spread="face-up"))
    with made.store.writing() as writing:
        recover(writing, RestoreEvidence("restore"), made.entropy, made.clock.at + 1_000)
    made.restart()
    made.do("meter/main", EnterReading(cents=1_000_000, reason="read", role="supervisor"))
    made.do("meter/main", ApproveAdjustment(number=1, role="executive"), BOT_FLOORPERSON)
    report = is_clean(made)
    assert report.counts.not_redecided == 0
    assert stored_commands(made.store).keys() >= SELDOM_STORMED


def set_a_hand(made: Founded, table: str) -> None:
    """Play a round in which the first player sets four of the five cards."""
    bots, done = made.rehearsal(table, PLAYERS, seed=3, keys="set"), False
    while not (done and made.between(table)):
        current_round = made.house_table(table).state.round
        if not done and current_round is not None and current_round.phase == "deciding":
            with suppress(RefusedError):
                cards = current_round.positions[1].cards[1:]
                made.at(table, SetHand(position=1, cards=cards), player("ann"))
                done = True
        made.step(bots)


def test_a_table_that_is_closed_counted_and_set_up_anew_is_no_finding() -> None:
    made = Founded(MemoryStore())
    made.staff()
    made.register(*PLAYERS)
    made.install("main", "massachusetts")
    made.open("main")
    made.seat("main", PLAYERS)
    play(made, "main", 1)
    for position, name in enumerate(PLAYERS, 1):
        made.at("main", LeaveSeat(position=position), player(name))
    made.at("main", GoIdle(spread="face-up"))
    made.at("main", TakeSeat(position=1, player="ann"), player("ann"))
    close(made, "main")
    made.install("main", "maryland-everything")
    made.open("main")
    made.seat("main", PLAYERS)
    play(made, "main", 1)
    assert is_clean(made).counts.games == 2


def test_a_house_under_way_is_audited_beside_its_writer(tmp_path: Path) -> None:
    """See one moment of a file that is written to, in the middle of a round."""
    store = open_store(tmp_path / "house.db")
    made = Founded(store)
    made.staff()
    made.register(*PLAYERS)
    made.install("main", "maryland-everything")
    made.open("main")
    made.seat("main", PLAYERS)
    bots = made.rehearsal("main", PLAYERS)
    beside = open_store(tmp_path / "house.db", writing=False)
    seen, sealed = list[int](), 0
    for number in range(50):
        made.step(bots)
        if number % 10 == 9:
            beside.key = None
            unopened = audit(beside)
            assert unopened.clean, told(unopened)
            cards, secrets = (
                any(words in each for each in unopened.cannot_exclude)
                for words in ("are sealed until the round is over", "That secrets of shuffles to come")
            )
            beside.key = store.key
            report = audit(beside)
            assert report.clean, told(report)
            assert not any("are sealed" in each for each in report.cannot_exclude)
            assert cards == (unopened.counts.events < report.counts.events)
            assert secrets == (unopened.counts.secrets < report.counts.secrets)
            sealed += cards
            seen.append(report.counts.events)
    assert seen == sorted(set(seen))
    assert 0 < sealed < 5
    beside.close()
    store.close()


@pytest.mark.parametrize("folds", [False, True])
def test_what_a_player_had_before_leaving_stays_settled(*, folds: bool) -> None:
    """Envy in another's turn and a fold's forfeits come before a position is abandoned (R54, R108)."""
    at = ConsoleTable(MD_KEYPAD, {1: NOTHING, 2: FOUR_ACES})
    at.bet()
    at.do(at.wager(1, "aces_up", 500), player("p1"))
    at.start()
    while at.round.phase != "settling":
        deciding = at.round.players_looked and positions_to_decide(at.round)[:1] == (1,)
        at.do(Fold(position=1), player("p1")) if folds and deciding else at.step()
    while at.round.awaited_step is None:
        at.step()
    at.mark()
    at.confirm()
    had = {(step.wager, step.action) for step in at.round.steps if step.position == 1}
    assert had == {("envy", "pay"), *([("ante", "take"), ("progressive", "take")] if folds else [])}
    at.do(TreatAsAbandoned(position=1, role="supervisor"))
    at.finish()
    assert at.table.last_round is not None
    lost = [step.wager for step in at.table.last_round.steps if step.position == 1 and step.action == "take"]
    staked = at.table.last_round.positions[1].wagers
    assert (sorted(lost), "play" in staked) == (sorted(staked), not folds)
    assert [(str(each.place), each.what) for each in audit(at.house.store).findings] == [NOT_FOUNDED]


def test_a_house_that_was_never_founded_has_no_key() -> None:
    made = TestHouse(MemoryStore())
    made.staff()
    report = audit(made.store)
    assert [(str(each.place), each.what) for each in report.findings] == [NOT_FOUNDED]
    assert report.house == report.public_key == ""
    assert "no key" in report.cannot_exclude[0]


def test_places_read_as_a_person_says_them() -> None:
    said = {
        FindingPlace("events", "table/t1", 7): "table/t1, event 7",
        FindingPlace("events", "table/t1"): "table/t1",
        FindingPlace("transfers", "table/t1", 7, 0): "transfer 0 of table/t1, event 7",
        FindingPlace("streams", "table/t1"): "head of table/t1",
        FindingPlace("balances", "cage"): "balance of cage",
        FindingPlace("snapshots", "meter/m"): "snapshot of meter/m",
        FindingPlace("totals", "table/t", 490_897): "totals of table/t, 2026-01-01 01:00:00 UTC",
        FindingPlace("rounds", "table/t", 7): "index of table/t, round 7",
        FindingPlace("secrets", "table/t1", 4): "secret of table/t1, shuffle 4",
        FindingPlace("games", "ab"): "game ab",
        FindingPlace("meters", "m"): "meter m",
        FindingPlace("anchor"): "anchor",
    }
    assert {place: str(place) for place in said} == said


def test_findings_of_one_kind_are_told_up_to_a_number() -> None:
    findings = Findings()
    for sequence in range(MAX_LISTED + 5):
        findings.add(FindingPlace("events", "table/t1", sequence), "altered", "It is.")
    findings.add(FindingPlace("events", "table/t2", 1), "altered", "It is too.")
    assert (len(findings.listed), findings.unlisted) == (MAX_LISTED + 1, 5)


def test_the_page_of_the_audit_explains_every_kind() -> None:
    page = (ROOT / "docs" / "laboratory" / "audit.md").read_text(encoding="utf-8")
    assert [kind for kind in FINDING_KINDS if f"| `{kind}` |" not in page] == []
