"""Table layout: what is printed on a table and posted next to it, from its pinned game."""

import msgspec

from fourcard.house.table_book import TableBook
from fourcard.round.words import METHODS
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.rules.game import Game
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, LimitedWager, WagerName, cite
from fourcard.rules.rulebook import Wager
from fourcard.rules.sign import sign

DENOMINATIONS = (1, 5, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000)
"""Chip denominations of a casino in cents; a table shows the useful ones."""
LAYOUT: tuple[WagerName, ...] = (
    "progressive",
    "cover_all",
    "bad_beat",
    "six_card",
    "aces_up",
    "ante",
    "play",
)
"""Betting spots of a position, ordered from the dealer to the player."""


class Spot(msgspec.Struct, frozen=True):
    """One betting spot of a position."""

    wager: WagerName
    label: str
    least: int | None
    most: int | None
    stakes: tuple[int, ...]
    """The only accepted amounts, for a progressive."""
    needs: tuple[WagerName, ...]
    """Wagers of which at least one must be placed first."""
    needs_all: tuple[WagerName, ...]
    """Wagers that must all be placed first."""
    clauses: tuple[str, ...]


class PlayRule(msgspec.Struct, frozen=True):
    """Allowed size of a Play wager, in Antes."""

    least: int
    most: int
    whole: bool
    """Whether only whole multiples are accepted."""
    clauses: tuple[str, ...]


class PanelAnswer(msgspec.Struct, frozen=True):
    """Panel of the posted sign for one wager."""

    wager: WagerName
    title: str
    limits: str
    columns: tuple[str, ...]
    pays: dict[str, dict[str, str]]
    clauses: tuple[str, ...]


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """Layout of a table; it does not change while the table is installed."""

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
    """Id of the Automatic Bonus table, if it is a printed one."""
    meter: str | None
    console: ConsoleKind | None
    sets_hands: bool


class Posted(msgspec.Struct, frozen=True):
    """Posted limits of a wager, in cents."""

    least: int
    most: int


def felt(book: TableBook) -> Felt:
    """Return the layout of an installed table."""
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
    """Return the posted limits of every wager that has limits."""
    posted = game.submission.limits.posted
    return {name: Posted(int(each.least), int(each.most)) for name, each in posted.items()}


def chips(game: Game) -> tuple[int, ...]:
    """Return the useful chips of a table: multiples of its unit between its limits."""
    unit, posted = int(game.submission.chip), game.submission.limits.posted.values()
    most = max((int(each.most) for each in posted), default=DENOMINATIONS[-1])
    least = min((int(each.least) for each in posted), default=unit)
    useful = [each for each in DENOMINATIONS if each % unit == 0 and least // 5 <= each <= most]
    return tuple(useful[:6]) or (unit,)


def _play(game: Game) -> PlayRule:
    rules = game.rulebook.wagers.play
    clauses = cite(rules.least, rules.most, rules.whole_multiples)
    return PlayRule(rules.least.value, rules.most.value, rules.whole_multiples.value, clauses)


def _spot(game: Game, name: WagerName) -> Spot:
    limited: LimitedWager | None = next((each for each in LIMITED_WAGERS if each == name), None)
    posted = game.submission.limits.posted.get(limited) if limited is not None else None
    progressive = game.submission.progressive
    stakes = tuple(map(int, progressive.stakes)) if name == "progressive" and progressive is not None else ()
    rules = game.rulebook.wager(name)
    needs_all, needs_any = (
        (rules.requires_all, rules.requires_any) if isinstance(rules, Wager) else (None, None)
    )
    return Spot(
        wager=name,
        label=WAGER_LABELS[name],
        least=None if posted is None else int(posted.least),
        most=None if posted is None else int(posted.most),
        stakes=stakes,
        needs=() if needs_any is None else tuple(needs_any.value),
        needs_all=() if needs_all is None else tuple(needs_all.value),
        clauses=cite(needs_all, needs_any),
    )
