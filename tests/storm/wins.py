"""Wins under watch at their tables: marked by one person, confirmed by another, paid once."""

from dataclasses import dataclass, field

from fourcard.house.events import TableInstalled
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.meter import Payment
from fourcard.money import Rounding
from fourcard.progressive.events import GameReset, WinLogged, WinMarked, WinUnmarked
from fourcard.round.events import AwardPaid, DocumentCompleted, ProgressiveLocked, RoundVoided
from fourcard.table.events import RoundBegan
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen


@dataclass(slots=True)
class _Game:
    """What one table's console must remember of a game."""

    locked: bool = False
    """Whether wagers were locked in and the game was not ended since."""
    mark: tuple[int, str, str] | None = None
    """The position and the hand that are marked, and by whom."""
    logged: tuple[int, Payment] | None = None
    marked_by: dict[int, str] = field(default_factory=dict)
    """By position, who marked a win that was logged in this game."""


class WinsWatch:
    """Follows each winner's confirmation by the authors of its events."""

    def __init__(self, tally: Tally) -> None:
        """Begin with no game."""
        self.tally = tally
        self.games: dict[str, _Game] = {}

    def saw(self, seen: Seen) -> None:
        """Look at an event of a table with a console."""
        before, after = seen.before, seen.after
        if isinstance(seen.event, TableInstalled):
            self.games[seen.record.stream] = _Game()
        elif isinstance(after, TableBook) and after.console is not None:
            assert isinstance(before, TableBook)
            self._follow(self.games[seen.record.stream], seen, before)

    def _follow(self, game: _Game, seen: Seen, before: TableBook) -> None:
        event, by = seen.event, seen.record.by
        if isinstance(event, RoundBegan):
            demand(not game.locked, "a round began before the game was ended", seen.record)
        elif isinstance(event, ProgressiveLocked):
            self._locked(game, event, before)
        elif isinstance(event, WinMarked):
            demand(game.mark is None and event.by == by, "a win was marked over another", seen.record)
            game.mark = (event.position, event.row, by)
        elif isinstance(event, WinUnmarked):
            game.mark = None
        elif isinstance(event, WinLogged):
            self._logged(game, event, before, seen)
        elif isinstance(event, AwardPaid):
            self._paid(game, event, by)
        elif isinstance(event, DocumentCompleted):
            demand(game.marked_by.get(event.position) != by, "one person marked and documented", seen.record)
        elif isinstance(event, RoundVoided):
            self._voided(game, before, seen)
        elif isinstance(event, GameReset):
            self.games[seen.record.stream] = _Game()

    def _locked(self, game: _Game, event: ProgressiveLocked, before: TableBook) -> None:
        linked = before.console is None or before.console.linked
        demand(linked or not event.stakes, "stakes were locked in over a lost link", before.table, event)
        game.locked = True

    def _logged(self, game: _Game, event: WinLogged, before: TableBook, seen: Seen) -> None:
        """Find a win confirmed by another person than marked it, at the price that its row is worth."""
        by, role = seen.record.by, seen.record.role
        mark = (event.position, event.row, event.marked_by)
        demand(game.mark == mark, "a win was logged that nobody marked so", game.mark, event)
        people = (event.confirmed_by, event.confirmed_as) == (by, role) and by != event.marked_by
        demand(people, "one person marked and confirmed", seen.record, event)
        demand(before.console is not None and before.console.linked, "a win came over a lost link", event)
        self._look_at_price(event, before)
        game.logged, game.marked_by[event.position] = (event.position, event.payment), event.marked_by
        self.tally.checked["wins confirmed by another person"] += 1

    def _look_at_price(self, event: WinLogged, before: TableBook) -> None:
        under_way, choice = before.state.round, before.state.game.submission.progressive
        assert under_way is not None
        assert choice is not None
        assert before.console is not None
        stake = dict(under_way.stakes or ())[event.position]
        rows = before.state.game.tables["progressive"].pays
        odds = next(odds for row, odds in rows.items() if row == event.row)
        worth = odds.pays(stake, Rounding.DOWN, event.before)
        demand(event.payment.amount == worth, "a win is worth another amount", event, worth)
        place = under_way.places[event.position]
        demand((event.player, event.cards) == (place.player, place.cards), "another's win", event, place)
        level = choice.executive_threshold
        large = before.console.kind == "touch" and level is not None and worth >= level
        demand(not large or event.confirmed_as == "executive", "nobody of rank confirmed", event)

    def _paid(self, game: _Game, event: AwardPaid, by: str) -> None:
        """Find an award paid that was logged just so, and by another person than marked it."""
        demand(game.logged == (event.position, event.payment), "an award nobody logged", game.logged, event)
        demand(by != game.marked_by[event.position], "one person marked and paid", by, event)
        game.mark = game.logged = None

    def _voided(self, game: _Game, before: TableBook, seen: Seen) -> None:
        """Find a round with a win voided by somebody who may confirm wins, and who marked none of them."""
        assert before.state.round is not None
        by, role = seen.record.by, seen.record.role
        marked = {*game.marked_by.values()} | ({game.mark[2]} if game.mark is not None else set())
        if before.state.round.awaiting is not None or marked:
            demand(role != "dealer" and by not in marked, "a win was voided by who may not", seen.record)
            self.tally.checked["rounds with a win voided by who may"] += 1
        game.mark = game.logged = None

    def rest(self, _reading: Reading, _news: News) -> None:
        """Look at nothing more."""
