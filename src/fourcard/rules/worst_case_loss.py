"""Worst-case loss of one round: an upper bound at the submitted limits (P4).

Every position wagers its posted maximum and every wager wins its best row, even if no single deal could do
that. What the cards forbid is left out: more than one Super Royal, whose six cards include the one bonus
card, and more holders of the top progressive hand than a deck allows. A share of the meter lowers the meter
whoever pays it (R60) and is not counted; reseeding is counted once for each holder of the top hand (R58).
Fixed awards are counted even if the meter pays them, because the tray covers a shortfall (R59).
"""

import msgspec

from fourcard.cards import SUITS
from fourcard.money import OddsKind, Rounding
from fourcard.rules.cited import Paytable, is_set
from fourcard.rules.game import Game
from fourcard.rules.rulebook import Limited
from fourcard.wagers import LIMITED_WAGERS, LimitedWager, WagerName


class WorstLoss(msgspec.Struct, frozen=True):
    """Upper bound of the house's loss in one round, in cents."""

    total: int | None
    """None if a wager has no maximum."""
    by_wager: dict[WagerName, int]
    without_maximum: tuple[WagerName, ...]


def worst_loss(game: Game) -> WorstLoss:
    """Return the worst-case loss of the house in one round of a game."""
    seats = game.submission.positions.at_table
    most = {name: _most(game, name) for name in LIMITED_WAGERS if game.offers(name)}
    unbounded: list[WagerName] = [name for name, amount in most.items() if amount is None]
    stakes = {name: amount or 0 for name, amount in most.items()}
    rules = game.rulebook.wagers
    losses: dict[WagerName, int] = {
        "ante": seats * rules.ante.pays.value.pays(stakes["ante"], game.rounding),
        "play": seats * rules.play.pays.value.pays(_play(game, stakes["ante"]), game.rounding),
    }
    losses["automatic_bonus"] = seats * _best(game, game.tables.get("automatic_bonus"), stakes["ante"])
    for name in (each for each in stakes if each != "ante"):
        losses[name] = _side_wager(game, name, seats, stakes[name])
    if game.offers("progressive"):
        losses["progressive"] = seats * _progressive(game) + _reseeding(game, seats)
        losses["envy"] = _envy(game, seats)
    by_wager = {name: amount for name, amount in losses.items() if amount}
    return WorstLoss(None if unbounded else sum(by_wager.values()), by_wager, tuple(unbounded))


def _most(game: Game, name: LimitedWager) -> int | None:
    posted = game.submission.limits.posted.get(name)
    wager, legal = game.rulebook.wager(name), game.submission.limits.legal
    if posted is not None:
        return posted.most
    return legal if isinstance(wager, Limited) and is_set(wager.legal_limit) else None


def _play(game: Game, ante: int) -> int:
    rules, legal = game.rulebook.wagers.play, game.submission.limits.legal
    most = rules.most.value * ante
    return min(most, legal) if is_set(rules.legal_limit) and legal is not None else most


def _best(game: Game, table: Paytable | None, stake: int) -> int:
    if table is None:
        return 0
    return max(odds.pays(stake, game.rounding) for odds in table.pays.values())


def _side_wager(game: Game, name: WagerName, seats: int, stake: int) -> int:
    special = {"six_card": _six_card, "cover_all": _cover_all}
    if name in special:
        return special[name](game, seats, stake)
    return seats * _best(game, game.tables.get(name), stake)


def _six_card(game: Game, seats: int, stake: int) -> int:
    """Return one Super Royal and the best other row for everyone else."""
    rows = game.tables["six_card"].pays
    fixed = [int(odds.value) for odds in rows.values() if odds.kind is OddsKind.FIXED]
    other = max(odds.pays(stake, game.rounding) for odds in rows.values() if odds.kind is OddsKind.TO)
    return max([other, *fixed]) + (seats - 1) * other


def _cover_all(game: Game, seats: int, stake: int) -> int:
    cover_all = game.rulebook.wagers.cover_all
    if cover_all is None:
        return 0
    columns = {players: cover_all.column(players) for players in range(1, seats + 1)}
    return max(players * _best(game, column, stake) for players, column in columns.items())


def _progressive(game: Game) -> int:
    """Return the best fixed award less the stake."""
    choice = game.submission.progressive
    if choice is None:
        return 0
    fixed = [odds for odds in game.tables["progressive"].pays.values() if odds.kind is OddsKind.FOR]
    return max(odds.pays(stake, Rounding.DOWN) - stake for odds in fixed for stake in choice.stakes)


def _reseeding(game: Game, seats: int) -> int:
    """Return the cost of reseeding the meter, once for each player who can win all of it."""
    choice = game.submission.progressive
    rows = [row for row, odds in game.tables["progressive"].pays.items() if odds.value == 1]
    if choice is None or choice.reset is None or not rows:
        return 0
    return choice.reset * _holders(rows[0], seats)


def _holders(row: str, seats: int) -> int:
    """Return how many players can hold a top hand at once: four aces one, a royal flush one a suit."""
    return min(seats, 1 if row == "four_aces" else len(SUITS))


def _envy(game: Game, seats: int) -> int:
    """Return the Envy of every bettor for every other hand; few hands can hold the top row."""
    if not game.envy:
        return 0
    schedule = max(game.envy.items())[1].pays
    (row, top), *lower = sorted(
        ((row, int(odds.value)) for row, odds in schedule.items()), key=lambda each: -each[1]
    )
    holders = _holders(row, seats)
    return (seats - 1) * (holders * top + (seats - holders) * (lower[0][1] if lower else 0))
