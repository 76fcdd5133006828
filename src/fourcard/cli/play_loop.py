"""Play loop: rounds in the terminal between the player, the bots and the dealer."""

from fourcard.cli.play_prompts import ask_decision, ask_wagers
from fourcard.cli.play_session import PlaySession
from fourcard.cli.play_view import LeaveTableError
from fourcard.money import dollars
from fourcard.round.commands import Fold, Play
from fourcard.round.preconditions import positions_to_decide
from fourcard.rules.limits import play_refusal
from fourcard.table.table_driver import PlayerSpot, basic_strategy


def _allowed(spot: PlayerSpot, wanted: int) -> int:
    """Return how many Antes a bot plays: the wanted number, or the largest below it that limits allow."""
    fewer = range(wanted, 0, -1)
    return next((n for n in fewer if play_refusal(spot.game, spot.ante, n * spot.ante) is None), 0)


class PlayLoop(PlaySession):
    """Plays round after round until the player leaves."""

    def run(self, rounds: int | None) -> None:
        """Play until the player leaves, runs out of money, or has played the wanted number of rounds."""
        self.screen.welcome(self.table.game, dict(self.table.state.seats), self.positions)
        try:
            while (rounds is None or self.played < rounds) and self._can_go_on():
                self.round()
        except LeaveTableError:
            pass
        coached = self.coach.decisions, self.coach.right, self.coach.cost
        self.screen.farewell(self.played, self.money, self.bankroll, coached)

    def _can_go_on(self) -> bool:
        """Return whether the money is enough for the smallest wager; if not, print it."""
        if self.money >= self.least_dealt_in:
            return True
        least = f"the smallest wager here is {dollars(self.least_dealt_in)}"
        self.screen.say(f"You have {dollars(self.money)}, but {least}.")
        return False

    def round(self) -> None:
        """Play one round."""
        self.follow(self.table.begin)
        meter = self.table.local_meter.meter.displayed if self.table.game.offers("progressive") else None
        self.screen.heading(self.table.state.number, self.money, meter)
        self.placed = {}
        try:
            ask_wagers(self)
        except LeaveTableError:
            self.take_back()
            raise
        self.last = {**self.last, **self.placed}
        self.bots_wager()
        self._play_out()

    def _play_out(self) -> None:
        """Deal, decide and settle; if the player leaves, the remaining hands fold and the round ends."""
        gone = False
        while self.table.state.round is not None:
            for events in self.table.advance():
                self.tell(events)
            if self.table.state.round is not None:
                gone = self.decide(gone=gone)
        finished = self.table.state.finished
        assert finished is not None
        self.money += sum(finished.nets[position] for position in self.positions)
        self.played += 1
        if gone:
            raise LeaveTableError

    def decide(self, *, gone: bool) -> bool:
        """Make the next decision; return whether the player has left, whose hands then fold."""
        state = self.table.state.round
        assert state is not None
        spot = PlayerSpot(state, positions_to_decide(state)[0])
        if spot.position not in self.positions:
            self._submit(spot, _allowed(spot, basic_strategy(spot)))
            return gone
        if gone:
            self._submit(spot, 0)
            return True
        try:
            ask_decision(self, spot)
        except LeaveTableError:
            self.screen.say("The hand is folded, and the round is played to its end.")
            self._submit(spot, 0)
            return True
        return False

    def _submit(self, spot: PlayerSpot, times: int) -> None:
        amount = times * spot.ante
        self.do(Play(position=spot.position, amount=amount) if amount else Fold(position=spot.position))
