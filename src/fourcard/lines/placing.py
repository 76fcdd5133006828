"""Seat checks: whether a game allows a seat's wagers and a player's seats."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from fourcard.lines.line import PlacedWager, SeatLine
from fourcard.money import dollars
from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.checks.progressive import stake_allowed, stakes_known
from fourcard.rules.game import Game
from fourcard.rules.limits import limit_refusal, play_refusal, positions_refusal, prerequisite_refusal
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, WagerName, cite, holds
from fourcard.rules.options import MOST_CENTS


class Placing:
    """Seat checks of one game; each combination of wagers is checked once."""

    def __init__(self, game: Game) -> None:
        """Store the game."""
        self.game = game
        self._together: dict[tuple[PlacedWager, ...], Refusal | None] = {}
        self._positions = game.submission.positions.at_table
        self._limited = bool(game.submission.limits.posted) or game.submission.limits.legal is not None

    def refusal(self, seat: SeatLine, *, decided: bool) -> Refusal | None:
        """Return why a seat or its wagers are refused, or None; a void round may be undecided."""
        if not 1 <= seat.position <= self._positions:
            return positions_refusal(self.game, (seat.position,))
        for name, amount in seat.wagers.items():
            if not 0 < amount <= MOST_CENTS:
                return _amount_refusal(name, amount)
        placed = tuple(seat.wagers)
        if placed not in self._together:
            self._together[placed] = self._combination(placed)
        return (
            self._together[placed]
            or (self._amounts(seat) if self._limited else None)
            or (self._stake(seat.wagers["progressive"]) if "progressive" in seat.wagers else None)
            or self._decision(seat, decided=decided)
        )

    def _combination(self, placed: tuple[PlacedWager, ...]) -> Refusal | None:
        if not placed:
            return refuse(Code.NO_WAGER)
        for name in placed:
            if not self.game.offers(name):
                clauses = self.game.rulebook.offers_by
                return refuse(Code.WAGER_NOT_OFFERED, clauses, wager=WAGER_LABELS[name])
        found = (prerequisite_refusal(self.game, name, placed) for name in placed)
        return next((each for each in found if each is not None), None)

    def _amounts(self, seat: SeatLine) -> Refusal | None:
        placed: dict[WagerName, int] = dict(seat.wagers.items())
        found = (limit_refusal(self.game, name, placed[name]) for name in LIMITED_WAGERS if name in placed)
        return next((each for each in found if each is not None), None)

    def _stake(self, stake: int) -> Refusal | None:
        rules = self.game.rulebook.wagers.progressive
        if rules is None:
            return None
        if not stake_allowed(rules, stake):
            figures = {"amount": dollars(stake), "known": stakes_known(rules)}
            return refuse(Code.STAKE_NOT_TAKEN, cite(rules.stakes or rules.stake_unit), **figures)
        legal = self.game.submission.limits.legal
        if holds(rules.legal_limit) and legal is not None and stake > legal:
            label, figures = WAGER_LABELS["progressive"], {"amount": dollars(stake), "most": dollars(legal)}
            return refuse(Code.WAGER_ABOVE_LEGAL_LIMIT, cite(rules.legal_limit), wager=label, **figures)
        return None

    def _decision(self, seat: SeatLine, *, decided: bool) -> Refusal | None:
        """Check Play against the Ante; only a void round or a player who left may lack a decision."""
        rules, ante = self.game.rulebook.wagers.play, seat.wagers.get("ante")
        if ante is None:
            return None if seat.play is None else refuse(Code.DECISION_WITHOUT_ANTE, cite(rules.least))
        if seat.play is None:
            waived = seat.left or not decided
            return None if waived else refuse(Code.DECISION_MISSING, cite(rules.least))
        return None if seat.play == 0 else play_refusal(self.game, ante, seat.play)

    def players_refusal(self, seats: Sequence[SeatLine]) -> Refusal | None:
        """Return why one player's positions are refused, or None."""
        held: dict[str | int, list[int]] = defaultdict(list)
        for seat in seats:
            held[seat.position if seat.player is None else str(seat.player)].append(seat.position)
        if len(held) == len(seats):
            return None
        found = (positions_refusal(self.game, positions) for positions in held.values())
        return next((each for each in found if each is not None), None)

    def stakes_refusal(self, seats: Iterable[SeatLine]) -> Refusal | None:
        """Return why different progressive stakes are refused, or None (R57, a setting)."""
        stakes = {seat.wagers["progressive"] for seat in seats if "progressive" in seat.wagers}
        if len(stakes) < 2 or self.game.settings.get("one_denomination") is not True:
            return None
        return refuse(Code.STAKES_MORE_THAN_ONE, ("R57",), count=len(stakes))


def _amount_refusal(name: WagerName, amount: int) -> Refusal:
    if amount > 0:
        return refuse(Code.WAGER_TOO_LARGE, amount=dollars(amount), most=dollars(MOST_CENTS))
    return refuse(Code.WAGER_NOT_POSITIVE, wager=WAGER_LABELS[name], amount=dollars(amount))
