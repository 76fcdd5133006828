"""Clock and entropy: the system's own, simulated ones, and the guarded clock.

Somebody can set the clock of a machine. Nobody can set the time since its start (CLOCK_BOOTTIME, which also
counts while the machine sleeps). If the clock jumps away from it, time is counted on from before the jump
until an operator confirms the new time (P37). Without such a counter the clock is trusted.
"""

import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import shake_256
from pathlib import Path
from typing import Protocol

import msgspec


class Clock(Protocol):
    """Gives the time."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        ...


class Entropy(Protocol):
    """Gives random bytes."""

    def draw(self, count: int) -> bytes:
        """Return a number of new random bytes."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's random number generator."""

    def draw(self, count: int) -> bytes:
        """Return a number of new random bytes."""
        return secrets.token_bytes(count)


class SimulatedClock:
    """A clock that only moves when it is set, forward or back."""

    def __init__(self, at: int = 1_767_225_600_000) -> None:
        """Start at a time; the default is the first of January 2026."""
        self.at = at

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return self.at


class SeededEntropy:
    """Repeatable bytes from a seed, for simulations and tests; never for money."""

    def __init__(self, seed: str | int) -> None:
        """Take the seed."""
        self.seed, self.drawn = str(seed), 0

    def draw(self, count: int) -> bytes:
        """Return a number of new bytes."""
        self.drawn += 1
        return shake_256(f"{self.seed}/{self.drawn}".encode()).digest(count)


SECOND = 1_000
TOLERANCE = 10 * SECOND
"""Largest correction within an hour that is followed: a leap second, a time server."""
FOLLOWED_AFTER = 3_600 * SECOND
"""Time after which a correction counts as right, so the next one is measured from there."""
WORTH_SAVING = SECOND
BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")
TIME_NAMESPACE_FILE = Path("/proc/self/ns/time")
DURATION_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


class ClockReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time of day at one moment since a start of the machine; all later times follow from it."""

    boot: str
    """The start of the machine that it belongs to."""
    elapsed: int
    """Milliseconds since that start."""
    at: int
    """Milliseconds since the epoch at the same moment."""

    def time(self, elapsed: int) -> int:
        """Return the time of day at some milliseconds after the start."""
        return self.at + elapsed - self.elapsed


class ClockJump(msgspec.Struct, frozen=True):
    """A clock that was set: how far it is ahead of the timestamps."""

    ahead: int
    """Milliseconds; negative if the clock is behind."""

    @property
    def how_far(self) -> str:
        """Return direction and size in words: ``forward by 1 d 2 h``."""
        return f"{'forward' if self.ahead > 0 else 'back'} by {format_duration(abs(self.ahead))}"


def format_duration(span: int) -> str:
    """Return milliseconds in their two largest units: ``1 d 2 h``."""
    rest, parts = round(span / SECOND), list[str]()
    for size, name in DURATION_UNITS:
        count, rest = divmod(rest, size)
        if count or (name == "s" and not parts):
            parts.append(f"{count} {name}")
    return " ".join(parts[:2])


def time_of_day() -> int:
    """Return the milliseconds since the epoch by the machine's clock."""
    return time.time_ns() // 1_000_000


def time_since_boot() -> int | None:
    """Return the milliseconds since the machine started, sleep included; None if nothing counts them."""
    counter = getattr(time, "CLOCK_BOOTTIME", None)
    return None if counter is None else time.clock_gettime_ns(counter) // 1_000_000


def boot_id() -> str:
    """Return an id of this start of the machine and of its time namespace; empty if unknown."""
    try:
        return f"{BOOT_ID_FILE.read_text(encoding='ascii').strip()} {TIME_NAMESPACE_FILE.readlink()}"
    except (OSError, ValueError):
        return ""


class GuardedClock:
    """Gives the machine's time as long as it agrees with the time since the start.

    With a file, every process that opens the house on this machine uses the same reference, also a process
    that starts after a jump. It is thread-safe.
    """

    def __init__(
        self,
        file: Path | None = None,
        wall: Callable[[], int] = time_of_day,
        elapsed: Callable[[], int | None] = time_since_boot,
    ) -> None:
        """Take the file of the reference; it is created if there is none of this start."""
        self._file, self._wall, self._elapsed = file, wall, elapsed
        self._start = boot_id()
        self._saved = self._read()
        self._current = (self._saved or self._new_reference(), 0)
        """The reference, and the clock's distance from it when the clock was last trusted."""
        self.now()
        self.synchronize()

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        elapsed, wall = self._elapsed(), self._wall()
        if elapsed is None:
            return wall
        reference, followed = self._current
        ahead = wall - reference.time(elapsed)
        if abs(ahead) > TOLERANCE:
            return reference.time(elapsed) + followed
        if elapsed - reference.elapsed >= FOLLOWED_AFTER:
            self._current = (ClockReference(self._start, elapsed, wall), 0)
        elif ahead != followed:
            self._current = (reference, ahead)
        return wall

    @property
    def jump(self) -> ClockJump | None:
        """Return how far the clock has jumped, or None while it is trusted."""
        elapsed, wall = self._elapsed(), self._wall()
        if elapsed is None:
            return None
        reference, followed = self._current
        if abs(wall - reference.time(elapsed)) <= TOLERANCE:
            return None
        return ClockJump(wall - reference.time(elapsed) - followed)

    def confirm(self) -> int:
        """Trust the machine's clock as it is now, and return by how much timestamps move."""
        jump = self.jump
        self._current = (self._new_reference(), 0)
        self._save()
        return 0 if jump is None else jump.ahead

    def synchronize(self) -> int:
        """Adopt what another process confirmed, or save what was followed; return how far timestamps move.

        A server calls it regularly.
        """
        jump = self.jump
        if jump is None:
            reference, followed = self._current
            saved = self._saved
            if saved is None or abs(reference.time(saved.elapsed) + followed - saved.at) >= WORTH_SAVING:
                self._save()
            return 0
        found = self._read()
        if found is None or found == self._saved:
            return 0
        self._saved, self._current = found, (found, 0)
        after = self.jump
        return jump.ahead - (0 if after is None else after.ahead)

    def _new_reference(self) -> ClockReference:
        """Return a reference that trusts the machine's clock."""
        return ClockReference(self._start, self._elapsed() or 0, self._wall())

    def _read(self) -> ClockReference | None:
        """Return the reference in the file, if it belongs to this start."""
        if self._file is None or not self._start:
            return None
        try:
            found = msgspec.json.decode(self._file.read_bytes(), type=ClockReference)
        except (OSError, msgspec.MsgspecError, UnicodeError):
            return None
        return found if found.boot == self._start else None

    def _save(self) -> None:
        """Write the reference for other processes; if that fails, each process uses its own."""
        if self._file is None or not self._start:
            return
        reference, followed = self._current
        current = ClockReference(reference.boot, reference.elapsed, reference.at + followed)
        part = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            part.write_bytes(msgspec.json.encode(current) + b"\n")
            part.replace(self._file)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            return
        self._saved = current


def clock_for_reading(key: Path) -> GuardedClock:
    """Return the clock of a house opened for reading: it uses the file beside the key, and creates none."""
    file = clock_file(key)
    return GuardedClock(file if file.exists() else None)


def clock_file(key: Path) -> Path:
    """Return the file of a house's clock reference, which is beside its key."""
    return key.with_suffix(".clock")
