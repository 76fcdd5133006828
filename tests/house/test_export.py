"""Exported rounds: settling accepts every line and answers with what happened, and every shuffle is fair."""

import json
from collections import Counter

import pytest

from fourcard.house.decision import table_stream
from fourcard.house.fairness.shuffle_proof import verify_proof
from fourcard.house.finished_rounds import SettleLine, export_rounds
from fourcard.house.journal import TABLE_CODEC
from fourcard.house.store.interface import Store, key_of
from fourcard.house.store.memory import MemoryStore
from fourcard.refusals import BadInputError
from fourcard.round.events import RoundEnded
from fourcard.rules.submission import examples
from fourcard.settle_files.settle import SettleAnswer, answer_line
from tests.kit.audited_houses import PLAYERS, Founded, call_off, original, play, play_strong, void

ROUNDS = 4


def house_of(*names: str, **choices: str) -> Founded:
    """Return a house with a table for each of some examples, called like it."""
    made = Founded(MemoryStore())
    made.staff()
    made.register(*PLAYERS)
    for name in names:
        made.install(name, name, **choices)
        made.open(name)
        made.seat(name, PLAYERS)
    return made


@pytest.fixture(scope="module")
def house() -> Founded:
    """Return a house with a table for every example, some rounds each."""
    made = house_of(*examples())
    for name in examples():
        play(made, name, ROUNDS)
    return made


def nets(store: Store, table: str) -> list[dict[int, int]]:
    """Return what each position won or lost in every round of a table, as the journal has it."""
    with store.reading() as reading:
        events = [TABLE_CODEC.decode(record) for record in reading.events(table_stream(table))]
    return [dict(event.nets) for event in events if isinstance(event, RoundEnded)]


def settled(line: SettleLine) -> SettleAnswer:
    """Settle a line as the command does."""
    answer = answer_line(json.dumps(line))
    assert isinstance(answer, SettleAnswer), answer
    return answer


@pytest.mark.parametrize("name", examples())
def test_every_line_is_settled_as_it_was_at_the_table(house: Founded, name: str) -> None:
    lines = [*export_rounds(house.store, name)]
    assert [line["id"] for line in lines] == [f"{name}/{number}" for number in range(1, ROUNDS + 1)]
    for line, net in zip(lines, nets(house.store, name), strict=True):
        answer = settled(line)
        assert answer.id == line["id"]
        assert {seat.position: sum(seat.net.values()) for seat in answer.seats} == {
            position: cents for position, cents in net.items() if position in _positions(line)
        }


def _positions(line: SettleLine) -> set[int]:
    return {seat["position"] for seat in line["seats"]}


@pytest.mark.parametrize("name", examples())
def test_every_shuffle_matches_its_commitment(house: Founded, name: str) -> None:
    lines = [*export_rounds(house.store, name)]
    assert len(lines) == ROUNDS
    for line in lines:
        verified = verify_proof(json.dumps(line))
        assert verified.verdict == "committed only", verified
        assert (verified.table, verified.id) == (name, line["id"])


def test_awards_are_settled_at_the_meter_of_their_turn() -> None:
    """Export awards of a meter that two tables share, and rounds whose cards were keyed in."""
    store = original().memory
    left_out = Counter[str]()
    lines = {line["id"]: line for line in export_rounds(store, left_out=left_out)}
    assert left_out == {}
    awards = [step for line in lines.values() for step in settled(line).steps if step.source == "meter"]
    assert len(awards) >= 3
    keyed = [line for name, line in lines.items() if name.startswith("three/")]
    assert len(keyed) == 3
    assert {verify_proof(json.dumps(line)).verdict for line in keyed} == {"not verifiable"}
    assert all("proof" not in line for line in keyed)


def test_a_void_round_is_exported_with_its_clause() -> None:
    (line,) = [each for each in export_rounds(original().memory, "one") if "void" in each]
    assert line["void"] == "MD-13D"
    assert not any(sum(seat.net.values()) for seat in settled(line).seats)
    assert verify_proof(json.dumps(line)).verdict == "committed only"


def test_a_round_that_no_line_can_tell_is_left_out_and_counted() -> None:
    made, left_out = house_of("massachusetts"), Counter[str]()
    play(made, "massachusetts", 1)
    call_off(made, "massachusetts")
    assert len([*export_rounds(made.store, left_out=left_out)]) == 1
    assert left_out == {"void_unknown": 1}


def test_a_round_under_way_and_its_secret_are_not_exported() -> None:
    made = house_of("massachusetts")
    play(made, "massachusetts", 1)
    bots = made.rehearsal("massachusetts", PLAYERS, seed=3, keys="u")
    while not _is_deciding(made, "massachusetts"):
        made.step(bots)
    with made.store.reading() as reading:
        key = key_of(reading)
        opened = (key.open(*place, sealed) for place, sealed in reading.secrets().items())
        secrets = [secret.hex() for secret in opened if secret is not None]
    assert len(secrets) == 2
    lines = [*export_rounds(made.store)]
    assert [line["id"] for line in lines] == ["massachusetts/1"]
    assert not any(secret in json.dumps(lines) for secret in secrets)


def _is_deciding(made: Founded, table: str) -> bool:
    current_round = made.house_table(table).state.round
    return current_round is not None and current_round.phase == "deciding"


def test_rounds_from_a_moment_on(house: Founded) -> None:
    with house.store.reading() as reading:
        ends = [
            record.at
            for record in reading.events(table_stream("maryland"))
            if record.kind in ("round_ended", "round_voided")
        ]
    assert [line["id"] for line in export_rounds(house.store, "maryland", since=ends[2])] == [
        "maryland/3",
        "maryland/4",
    ]
    assert not [*export_rounds(house.store, "maryland", since=ends[-1] + 1)]


def test_all_tables_are_exported_and_told_how_far(house: Founded) -> None:
    steps: list[tuple[int, int]] = []
    lines = [*export_rounds(house.store, progress=lambda done, total: steps.append((done, total)))]
    assert {line["id"].partition("/")[0] for line in lines} == {*examples()}
    total = sum(count for stream, count in house.heads().items() if stream.startswith("table/"))
    assert steps == [(done, total) for done in range(1_000, total + 1, 1_000)]


def test_an_unknown_table_is_refused(house: Founded) -> None:
    with pytest.raises(BadInputError, match="There is no table 'nowhere' in the store in memory"):
        next(export_rounds(house.store, "nowhere"))


@pytest.mark.parametrize(
    "name", ["massachusetts-everything", "washington-everything", "shuffle-master-everything"]
)
def test_awards_of_every_meter_are_settled_alike(name: str) -> None:
    made = house_of(name, cards="keyed")
    play_strong(made, name, (11, 12, 13))
    lines, moves = [*export_rounds(made.store)], 0
    for line, net in zip(lines, nets(made.store, name), strict=True):
        answer = settled(line)
        moves += len(answer.meter_moves)
        assert {seat.position: sum(seat.net.values()) for seat in answer.seats} == {
            position: cents for position, cents in net.items() if position in _positions(line)
        }
    assert moves >= 2


def test_a_void_before_the_settlement_is_told_with_its_clause() -> None:
    made = house_of("catfish-bend")
    void(made, "catfish-bend")
    (line,) = export_rounds(made.store)
    assert line["void"] == "IA-IRR-1"
    assert verify_proof(json.dumps(line)).verdict == "committed only"
