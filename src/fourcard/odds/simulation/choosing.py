"""Wager selection: the game and stakes to simulate, from a rulebook or a submission."""

from collections.abc import Mapping, Sequence

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


class Choice(msgspec.Struct, frozen=True):
    """One selected wager; a missing paytable or stake takes its default."""

    name: WagerName
    table: str | None
    stake: str | None


def parse_choice(text: str) -> Choice:
    """Parse a wager selection such as ``aces_up=A:$5``, ``six_card:100`` or ``envy=C``."""
    named, _, stake = text.partition(":")
    name, _, table = named.partition("=")
    known = next((each for each in WAGERS if each == name), None)
    if known is None or known in ("ante", "play"):
        names = ", ".join((*PLACED[1:], "automatic_bonus", "envy"))
        raise BadInputError(f"'{text}' is not a wager. Write NAME=TABLE:STAKE with one of {names}; or none.")
    if stake and known not in PLACED:
        raise BadInputError(f"The {WAGER_LABELS[known]} has no stake of its own. Remove it from '{text}'.")
    return Choice(known, table or None, stake or None)


def chosen_wagers(texts: Sequence[str], offered: Sequence[WagerName]) -> dict[WagerName, Choice]:
    """Return the selections of a command line, by default every offered wager with its first paytable."""
    if texts == [NONE]:
        return {}
    choices = [parse_choice(text) for text in texts]
    if not any(choice.name in PLACED for choice in choices):
        choices += [Choice(name, None, None) for name in offered]
    found = {choice.name: choice for choice in choices}
    if len(found) < len(choices):
        twice = next(each.name for each in choices if [c.name for c in choices].count(each.name) > 1)
        raise BadInputError(f"The wager {twice} is selected more than once.")
    return found


def game_chosen(
    book: Rulebook,
    choices: Mapping[WagerName, Choice],
    settings: Mapping[str, SettingValue],
    fixed_awards: AwardSource = "tray",
) -> Game:
    """Return the game of a rulebook with the selected paytables, each by default the first."""
    tables = {
        name: choices[name].table or _first_table(book, name) for name in TABLE_WAGERS if name in choices
    }
    tables.setdefault("automatic_bonus", _bonus_table(book, tables.get("aces_up")))
    envy = choices["envy"].table if "envy" in choices else None
    options = msgspec.structs.replace(Options(envy=envy, fixed_awards=fixed_awards), **tables)
    return game_of(book.id, book.edition, options, settings)


def _first_table(book: Rulebook, name: WagerName) -> str:
    """Return the first selectable paytable; if there is none, the default id is refused later."""
    return next(iter(selectable(book, name)), DEFAULT_TABLE)


def _bonus_table(book: Rulebook, aces_up: str | None) -> str:
    """Return the standard bonus table, else the one with the Aces Up table's id (R98), else the first."""
    known = selectable(book, "automatic_bonus")
    return next(each for each in (DEFAULT_TABLE, aces_up, *known) if each in known)


def offered_by(book: Rulebook, players: int) -> tuple[WagerName, ...]:
    """Return a rulebook's side wagers, without Cover All if it has no column for the players (R46)."""
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
    """Return the table setup with stakes for every selected wager and the Ante; an Ante of 0 omits it."""
    staked: dict[WagerName, int | None] = {name: stake for name, stake in choices.items() if name in PLACED}
    if ante != 0:
        staked["ante"] = ante
    return Seating(game, default_stakes(game, staked), players, meter, reset)


def submitted_game(submission: Submission, choices: Mapping[WagerName, Choice]) -> Game:
    """Return a submission's game; refuse a selection that names a paytable."""
    for choice in choices.values():
        if choice.table is not None:
            raise BadInputError(
                f"The submission sets the paytable of {choice.name}. Remove '={choice.table}'."
            )
    return resolve_game(submission)


def submitted_wagers(submission: Submission, players: int) -> tuple[WagerName, ...]:
    """Return the side wagers that a submission offers to this number of players."""
    book = rulebook(submission.rulebook, submission.edition)
    return tuple(name for name in offered_by(book, players) if name in submission.wagers)
