"""Clock watch: tells the staff that the machine's clock jumped, and takes their confirmation (P37)."""

import logging
from collections.abc import Callable

from fourcard.house.actors import Actor, acting
from fourcard.house.commands import ConfirmClock
from fourcard.house.deciding import gate_refusal
from fourcard.house.guarded_clock import TOLERANCE, GuardedClock, Jump
from fourcard.house.house import House
from fourcard.house.outcome import STAFF
from fourcard.house.requests import Answer
from fourcard.refusals import Code, Refusal, RefusedError, refuse

ALERT = (
    "The machine's clock jumped {how_far}. Time is counted on from before the jump until an executive or "
    "administrator confirms the new time, or somebody corrects the clock."
)
AUTHOR, WHAT = "house", "clock jump"
"""Author and subject of its notes in the security log."""
_log = logging.getLogger(__name__)
Moved = Callable[[int], None]


class ClockWatch:
    """Watches the clock of a house, and calls back when timestamps move."""

    def __init__(self, house: House, moved: Moved | None = None) -> None:
        """Take a house, and a callback that gets the milliseconds by which timestamps move."""
        self._house, self._moved = house, moved
        self._clock = house.clock if isinstance(house.clock, GuardedClock) else None
        self._noted = False

    @property
    def jump(self) -> Jump | None:
        """Return how far the clock has jumped, or None while it is trusted."""
        return None if self._clock is None else self._clock.jump

    @property
    def alert(self) -> str:
        """Return the warning for the staff, or an empty text."""
        jump = self.jump
        return "" if jump is None else ALERT.format(how_far=jump.how_far)

    def look(self) -> None:
        """Check the clock: log a jump or its end once, and adopt what another process confirmed."""
        if self._clock is None:
            return
        self._tell(self._clock.keep())
        jump = self._clock.jump
        if jump is not None and not self._noted:
            _log.error("%s", ALERT.format(how_far=jump.how_far))
            self._house.desk.security.note(AUTHOR, WHAT, jump.how_far)
        elif jump is None and self._noted:
            _log.warning("The machine's clock is trusted again.")
            self._house.desk.security.note(AUTHOR, WHAT, "over")
        self._noted = jump is not None

    def refusal(self, command: ConfirmClock, actor: Actor) -> Refusal | None:
        """Refuse to confirm a jump that does not exist; the command service checks the permission."""
        if gate_refusal(actor, STAFF, acting(actor, command)) is not None:
            return None
        jump = self.jump
        if jump is None:
            return refuse(Code.CLOCK_NOT_JUMPED, ("P37",))
        if abs(jump.ahead - command.ahead) > TOLERANCE:
            given = Jump(command.ahead)
            return refuse(Code.CLOCK_JUMP_DIFFERS, ("P37",), now=jump.how_far, given=given.how_far)
        return None

    def confirmed(self, answer: Answer) -> None:
        """Use the machine's clock once the confirmation is committed."""
        if self._clock is not None and not answer.repeated:
            self._tell(self._clock.confirm())
            self.look()

    def confirm(self, actor: Actor) -> Jump:
        """Confirm the clock as it is now, and return how far it had jumped."""
        jump = self.jump or Jump(0)
        command = ConfirmClock(ahead=jump.ahead)
        refusal = self.refusal(command, actor)
        if refusal is not None:
            raise RefusedError(refusal)
        self.confirmed(self._house.do(STAFF, command, actor))
        return jump

    def _tell(self, by: int) -> None:
        if by and self._moved is not None:
            self._moved(by)
