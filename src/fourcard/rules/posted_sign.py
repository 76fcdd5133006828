"""Posted sign of a game: what every wager pays, and its limits (MD-02B5.1, MD-02B5.2)."""

import msgspec

from fourcard.money import dollars
from fourcard.rules.cited import Paytable, clauses_of
from fourcard.rules.game import Game
from fourcard.wagers import TABLE_WAGERS, WAGER_LABELS, TableWager, WagerName


class SignPanel(msgspec.Struct, frozen=True):
    """Sign panel of one wager: a grid of odds with column heads."""

    wager: WagerName
    title: str
    limits: str
    columns: tuple[str, ...]
    pays: dict[str, dict[str, str]]
    """Odds by row and column."""
    clauses: tuple[str, ...]
    note: str = ""
    """Sentence under the odds."""


STAKE_NOT_RETURNED = "Original wager is NOT returned."


def posted_sign(game: Game) -> tuple[SignPanel, ...]:
    """Return the panels of a game's sign, in the order of the layout."""
    panels = [_dealer_panel(game)]
    for name in TABLE_WAGERS:
        if name == "cover_all" and game.offers(name):
            panels.append(_cover_all_panel(game))
        elif name == "progressive" and name in game.tables:
            panels.append(_progressive_panel(game))
        elif name in game.tables:
            panels.append(_table_panel(game, name))
    if game.envy:
        by_stake = {f"for a {dollars(stake)} wager": table for stake, table in game.envy.items()}
        panels.append(_panel(game, "envy", WAGER_LABELS["envy"], by_stake))
    return tuple(panels)


def _dealer_panel(game: Game) -> SignPanel:
    ante, rules = game.rulebook.wagers.ante, game.rulebook.wagers.play
    step = "exactly " if rules.whole_multiples.value else ""
    multiples = [str(n) for n in range(rules.least.value, rules.most.value + 1)]
    words = (
        ", ".join(multiples[:-1]) + f" or {multiples[-1]}" if step else f"{multiples[0]} to {multiples[-1]}"
    )
    return SignPanel(
        "ante",
        "Ante and Play",
        _limits(game, "ante"),
        ("pays",),
        {
            f"Ante, player higher{' or tied' if ante.ties_win.value else ''}": {"pays": str(ante.pays.value)},
            f"Play, {step}{words} times the Ante": {"pays": str(rules.pays.value)},
        },
        clauses_of(ante.pays, ante.ties_win, rules.pays, rules.least, rules.most),
    )


def _cover_all_panel(game: Game) -> SignPanel:
    cover_all = game.rulebook.wagers.cover_all
    assert cover_all is not None, "a game that offers Cover All has its rules"
    seats = game.submission.positions.at_table
    columns = {f"{n} player{'s' * (n > 1)}": cover_all.column(n) for n in range(1, seats + 1)}
    tables = {head: column for head, column in columns.items() if column is not None}
    return _panel(game, "cover_all", f"{WAGER_LABELS['cover_all']}, highest hand at the table", tables)


def _table_panel(game: Game, name: TableWager) -> SignPanel:
    choice = game.submission.wagers.get(name, "standard")
    title = f"{WAGER_LABELS[name]}" + (f" {choice}" if isinstance(choice, str) else "")
    return _panel(game, name, title, {"pays": game.tables[name]})


def _progressive_panel(game: Game) -> SignPanel:
    """Return the progressive's panel, with the footnote on the stake (SM-END-R, WA-PAY-R)."""
    panel, rules = _table_panel(game, "progressive"), game.rulebook.wagers.progressive
    if rules is None or rules.stake_returned.value:
        return panel
    clauses = (*panel.clauses, *clauses_of(rules.stake_returned))
    return msgspec.structs.replace(panel, clauses=clauses, note=STAKE_NOT_RETURNED)


def _panel(game: Game, name: WagerName, title: str, tables: dict[str, Paytable]) -> SignPanel:
    rows = dict.fromkeys(row for table in tables.values() for row in table.pays)
    cells = {
        row.replace("_", " "): {head: str(table.pays.get(row, "")) for head, table in tables.items()}
        for row in rows
    }
    clauses = tuple(dict.fromkeys(clause for table in tables.values() for clause in table.clauses))
    return SignPanel(name, title, _limits(game, name), tuple(tables), cells, clauses)


def _limits(game: Game, name: WagerName) -> str:
    if name == "progressive" and game.submission.progressive is not None:
        return " or ".join(map(dollars, game.submission.progressive.stakes))
    posted = game.submission.limits.posted.get(name)
    return f"{dollars(posted.least)} to {dollars(posted.most)}" if posted is not None else ""
