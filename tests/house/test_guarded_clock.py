"""The guarded clock: small corrections are followed, a jump is not, and processes share a confirmation."""

from pathlib import Path

import pytest

from fourcard.house.clock_entropy import (
    BOOT_ID_FILE,
    FOLLOWED_AFTER,
    TOLERANCE,
    ClockJump,
    GuardedClock,
    boot_id,
    format_duration,
)

START = 1_800_000_000_000
DAY = 86_400_000


class Machine:
    """A machine whose clock can be set, and whose time since its start cannot."""

    def __init__(self) -> None:
        """Begin some time after the start."""
        self.wall, self.elapsed = START, 500_000

    def clock(self, file: Path | None = None) -> GuardedClock:
        """Return a clock of this machine."""
        return GuardedClock(file, lambda: self.wall, lambda: self.elapsed)

    def wait(self, span: int) -> None:
        """Let time pass, in which the machine may sleep."""
        self.wall += span
        self.elapsed += span


@pytest.fixture
def machine() -> Machine:
    """Return a machine with the right time."""
    return Machine()


def test_without_a_jump_the_clock_is_the_machines_own_however_long_it_slept(machine: Machine) -> None:
    clock = machine.clock()
    for span in (0, 1, 30 * DAY, 1):
        machine.wait(span)
        assert (clock.now(), clock.jump) == (machine.wall, None)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_correction_up_to_the_bound_is_followed_and_one_beyond_is_not(machine: Machine, sign: int) -> None:
    clock = machine.clock()
    machine.wait(1_000)
    machine.wall += sign * TOLERANCE
    assert (clock.now(), clock.jump) == (machine.wall, None)
    before = machine.wall
    machine.wall += sign
    machine.wait(60_000)
    assert clock.now() == before + 60_000
    assert clock.jump == ClockJump(sign)


@pytest.mark.parametrize("ahead", [DAY, -DAY, 365 * DAY])
def test_after_a_jump_moments_are_counted_on_until_it_is_confirmed_or_set_right(
    machine: Machine, ahead: int
) -> None:
    clock = machine.clock()
    for mends in (clock.confirm, lambda: 0):
        right = machine.wall
        machine.wall += ahead
        for passed in (0, 5_000, 10_000):
            assert (clock.now(), clock.jump) == (right + passed, ClockJump(ahead))
            machine.wait(5_000)
        if not mends():
            machine.wall -= ahead
        assert (clock.now(), clock.jump) == (machine.wall, None)


def test_corrections_add_up_to_the_bound_within_an_hour_and_begin_again_after_it(machine: Machine) -> None:
    clock = machine.clock()
    for _ in range(5):
        machine.wall += TOLERANCE
        assert (clock.now(), clock.jump) == (machine.wall, None)
        machine.wait(FOLLOWED_AFTER)
        assert clock.now() == machine.wall
    machine.wall += TOLERANCE
    assert clock.now() == machine.wall
    machine.wait(FOLLOWED_AFTER - 1)
    assert clock.now() == machine.wall
    machine.wall += 1
    assert clock.jump is not None


def test_a_process_that_starts_after_a_jump_knows_of_it_and_of_its_confirmation(
    machine: Machine, tmp_path: Path
) -> None:
    file = tmp_path / "house.clock"
    first = machine.clock(file)
    machine.wait(60_000)
    machine.wall += DAY
    second = machine.clock(file)
    for clock in (first, second):
        assert (clock.now(), clock.jump) == (machine.wall - DAY, ClockJump(DAY))
        assert clock.synchronize() == 0
    assert second.confirm() == DAY
    assert first.jump == ClockJump(DAY)
    assert first.synchronize() == DAY
    for clock in (first, second, machine.clock(file)):
        assert (clock.now(), clock.jump, clock.synchronize()) == (machine.wall, None, 0)
    assert [each.name for each in tmp_path.iterdir()] == ["house.clock"]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"boot": "another", "elapsed": 1, "at": 1}', "\x00"])
def test_a_file_of_another_start_or_of_nothing_is_written_anew(
    machine: Machine, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "house.clock"
    file.write_text(text, encoding="utf-8")
    assert machine.clock(file).now() == START
    machine.wall += DAY
    assert machine.clock(file).jump == ClockJump(DAY)


def test_where_no_file_can_be_written_each_process_goes_by_its_own_reference(
    machine: Machine, tmp_path: Path
) -> None:
    clock = machine.clock(tmp_path / "nowhere" / "house.clock")
    machine.wall += DAY
    assert clock.jump == ClockJump(DAY)
    assert clock.confirm() == DAY
    assert clock.now() == machine.wall


def test_a_machine_without_a_counter_is_believed() -> None:
    machine = Machine()
    clock = GuardedClock(None, lambda: machine.wall, lambda: None)
    machine.wall += DAY
    assert (clock.now(), clock.jump, clock.confirm(), clock.synchronize()) == (machine.wall, None, 0, 0)


def test_this_machine_tells_its_starts_apart() -> None:
    assert bool(boot_id()) == BOOT_ID_FILE.exists()
    assert GuardedClock().jump is None


@pytest.mark.parametrize(
    ("span", "text"), [(0, "0 s"), (11_000, "11 s"), (3_600_000, "1 h"), (90_061_000, "1 d 1 h")]
)
def test_a_span_is_told_in_its_two_largest_parts(span: int, text: str) -> None:
    assert format_duration(span) == text
