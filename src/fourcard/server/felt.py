"""The felt of a table: what is printed on it and posted beside it, from the game that was pinned."""

import msgspec

from fourcard.house.table_book import TableBook
from fourcard.round.words import METHODS
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.rules.game import Game
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, LimitedWager, WagerName, cite
from fourcard.rules.rulebook import Wager
from fourcard.rules.sign import sign

DENOMINATIONS = (1, 5, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000)
"""The chips of a casino, in cents, from which a table shows those that are of use at it."""
LAYOUT: tuple[WagerName, ...] = (
    "progressive",
    "cover_all",
    "bad_beat",
    "six_card",
    "aces_up",
    "ante",
    "play",
)
"""The betting spots of a position, from the dealer towards the player."""


class Spot(msgspec.Struct, frozen=True):
    """One betting spot of a position."""

    wager: WagerName
    label: str
    least: int | None
    most: int | None
    stakes: tuple[int, ...]
    """The only amounts that are taken, for a progressive."""
    needs: tuple[WagerName, ...]
    """Wagers one of which must lie there first."""
    needs_all: tuple[WagerName, ...]
    """Wagers all of which must lie there first."""
    clauses: tuple[str, ...]


class PlayRule(msgspec.Struct, frozen=True):
    """How many Antes a Play wager may be."""

    least: int
    most: int
    whole: bool
    """Whether only whole multiples are taken."""
    clauses: tuple[str, ...]


class PanelAnswer(msgspec.Struct, frozen=True):
    """One wager's part of the posted sign."""

    wager: WagerName
    title: str
    limits: str
    columns: tuple[str, ...]
    pays: dict[str, dict[str, str]]
    clauses: tuple[str, ...]


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """What does not change while a table is installed."""

    table: str
    title: str
    rulebook: str
    rulebook_name: str
    edition: str
    game: str
    positions: int
    per_player: int | None
    method: str
    chip: int
    chips: tuple[int, ...]
    spots: tuple[Spot, ...]
    play: PlayRule
    sign: tuple[PanelAnswer, ...]
    bonus: str | None
    """Which automatic bonus table is used, where a rulebook prints it."""
    meter: str | None
    console: ConsoleKind | None
    sets_hands: bool


class Posted(msgspec.Struct, frozen=True):
    """The posted limits of a wager."""

    least: int
    most: int


def felt(book: TableBook) -> Felt:
    """Return the felt of a table that is installed."""
    game = book.state.game
    submission, rulebook = game.submission, game.rulebook
    bonus = submission.wagers.get("automatic_bonus", "standard" if game.offers("automatic_bonus") else None)
    return Felt(
        table=book.table,
        title=submission.name,
        rulebook=rulebook.id,
        rulebook_name=rulebook.name,
        edition=rulebook.edition if len(rulebook.editions) > 1 else "",
        game=game.hash,
        positions=submission.positions.at_table,
        per_player=submission.positions.per_player,
        method=METHODS[submission.dealing.method],
        chip=int(submission.chip),
        chips=chips(game),
        spots=tuple(_spot(game, name) for name in LAYOUT if game.offers(name)),
        play=_play(game),
        sign=panels(game),
        bonus=bonus if isinstance(bonus, str) else None,
        meter=book.meter or None,
        console=None if book.console is None else book.console.kind,
        sets_hands=False,
    )


def panels(game: Game) -> tuple[PanelAnswer, ...]:
    """Return the posted sign of a game."""
    return tuple(
        PanelAnswer(
            each.wager,
            each.title,
            each.limits,
            each.heads,
            {row: dict(zip(each.heads, cells, strict=True)) for row, cells in each.rows},
            each.clauses,
        )
        for each in sign(game)
    )


def limits(game: Game) -> dict[str, Posted]:
    """Return the posted limits of every wager that has some."""
    posted = game.submission.limits.posted
    return {name: Posted(int(each.least), int(each.most)) for name, each in posted.items()}


def chips(game: Game) -> tuple[int, ...]:
    """Return the chips that are of use at a table: whole units of it, from its least wager to its largest."""
    unit, posted = int(game.submission.chip), game.submission.limits.posted.values()
    most = max((int(each.most) for each in posted), default=DENOMINATIONS[-1])
    least = min((int(each.least) for each in posted), default=unit)
    fitting = [each for each in DENOMINATIONS if each % unit == 0 and least // 5 <= each <= most]
    return tuple(fitting[:6]) or (unit,)


def _play(game: Game) -> PlayRule:
    rules = game.rulebook.wagers.play
    clauses = cite(rules.least, rules.most, rules.whole_multiples)
    return PlayRule(rules.least.value, rules.most.value, rules.whole_multiples.value, clauses)


def _spot(game: Game, name: WagerName) -> Spot:
    limited: LimitedWager | None = next((each for each in LIMITED_WAGERS if each == name), None)
    posted = game.submission.limits.posted.get(limited) if limited is not None else None
    choice = game.submission.progressive
    stakes = tuple(map(int, choice.stakes)) if name == "progressive" and choice is not None else ()
    rules = game.rulebook.wager(name)
    every, some = (rules.requires_all, rules.requires_any) if isinstance(rules, Wager) else (None, None)
    return Spot(
        wager=name,
        label=WAGER_LABELS[name],
        least=None if posted is None else int(posted.least),
        most=None if posted is None else int(posted.most),
        stakes=stakes,
        needs=() if some is None else tuple(some.value),
        needs_all=() if every is None else tuple(every.value),
        clauses=cite(every, some),
    )
