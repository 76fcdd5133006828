"""Choosing a table to simulate: a rulebook's wagers by name, each with table and stake, or a submission's."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from fourcard.errors import BadInputError
from fourcard.odds.simulation.seating import PLACED, Seating, default_stakes
from fourcard.rules.checks.tables import DEFAULT_TABLE
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.loading import rulebook
from fourcard.rules.nodes import TABLE_WAGERS, WAGER_LABELS, WAGERS, WagerName
from fourcard.rules.options import Options, game_of
from fourcard.rules.paytables import selectable
from fourcard.rules.rulebook import AwardSource, CoverAllWager, Rulebook
from fourcard.rules.rulings import SettingValue
from fourcard.rules.submission import Submission

NONE = "none"


class Choice(NamedTuple):
    """One wager as it was asked for; what is left out has a default."""

    name: WagerName
    table: str | None
    stake: str | None


def parse_choice(text: str) -> Choice:
    """Return the wager that a text such as ``aces_up=A:$5``, ``six_card:100`` or ``envy=C`` asks for."""
    named, _, stake = text.partition(":")
    name, _, table = named.partition("=")
    known = next((each for each in WAGERS if each == name), None)
    if known is None or known in ("ante", "play"):
        names = ", ".join((*PLACED[1:], "automatic_bonus", "envy"))
        raise BadInputError(f"'{text}' names no wager; write NAME=TABLE:STAKE with one of {names}, or none.")
    if stake and known not in PLACED:
        raise BadInputError(f"The {WAGER_LABELS[known]} has no stake of its own, as in '{text}'.")
    return Choice(known, table or None, stake or None)


def chosen_wagers(texts: Sequence[str], offered: Sequence[WagerName]) -> dict[WagerName, Choice]:
    """Return the choices of a command line; without any, every wager offered by its first table."""
    if texts == [NONE]:
        return {}
    choices = [parse_choice(text) for text in texts]
    if not any(choice.name in PLACED for choice in choices):
        choices += [Choice(name, None, None) for name in offered]
    found = {choice.name: choice for choice in choices}
    if len(found) < len(choices):
        twice = next(each.name for each in choices if [c.name for c in choices].count(each.name) > 1)
        raise BadInputError(f"The wager {twice} is asked for more than once.")
    return found


def game_chosen(
    book: Rulebook,
    choices: Mapping[WagerName, Choice],
    settings: Mapping[str, SettingValue],
    fixed_awards: AwardSource = "tray",
) -> Game:
    """Return the game of a rulebook with the tables chosen, each the first that may be chosen by default."""
    tables = {
        name: choices[name].table or _first_table(book, name) for name in TABLE_WAGERS if name in choices
    }
    tables.setdefault("automatic_bonus", _bonus_table(book, tables.get("aces_up")))
    envy = choices["envy"].table if "envy" in choices else None
    options = msgspec.structs.replace(Options(envy=envy, fixed_awards=fixed_awards), **tables)
    return game_of(book.id, book.edition, options, settings)


def _first_table(book: Rulebook, name: WagerName) -> str:
    """Return the first table that may be chosen; where there is none the name refuses itself later."""
    return next(iter(selectable(book, name)), DEFAULT_TABLE)


def _bonus_table(book: Rulebook, aces_up: str | None) -> str:
    """Return the standard bonus table, or the one of the same number as Aces Up (R98), or the first."""
    known = selectable(book, "automatic_bonus")
    return next(each for each in (DEFAULT_TABLE, aces_up, *known) if each in known)


def offered_by(book: Rulebook, players: int) -> tuple[WagerName, ...]:
    """Return the side wagers that a rulebook has, without Cover All where no column is printed (R46)."""
    found = (name for name in PLACED[1:] if book.wager(name) is not None)
    cover_all = book.wager("cover_all")
    covered = isinstance(cover_all, CoverAllWager) and cover_all.column(players) is not None
    return tuple(name for name in found if name != "cover_all" or covered)


def seating_chosen(
    game: Game,
    choices: Mapping[WagerName, int | None],
    players: int,
    ante: int | None,
    meter: int | None,
    reset: int | None,
) -> Seating:
    """Return the table with a stake for the Ante, unless it is 0, and for every wager chosen."""
    wanted: dict[WagerName, int | None] = {name: stake for name, stake in choices.items() if name in PLACED}
    if ante != 0:
        wanted["ante"] = ante
    return Seating(game, default_stakes(game, wanted), players, meter, reset)


def submitted_game(submission: Submission, choices: Mapping[WagerName, Choice]) -> Game:
    """Return a submission's game, whose tables are not chosen anew."""
    for choice in choices.values():
        if choice.table is not None:
            raise BadInputError(
                f"The submission says which table {choice.name} has; leave '={choice.table}' out."
            )
    return resolve_game(submission)


def submitted_wagers(submission: Submission, players: int) -> tuple[WagerName, ...]:
    """Return the side wagers that a submission offers and that so many players can make."""
    book = rulebook(submission.rulebook, submission.edition)
    return tuple(name for name in offered_by(book, players) if name in submission.wagers)
