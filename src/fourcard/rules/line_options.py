"""Line options: the part of a submission that one round in a file gives, and the game that it makes.

A laboratory's round names tables and little else. Approvals, limits and meters belong to an operator's
submission and are not required here.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from fourcard.money import Rounding
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.check import check_submission
from fourcard.rules.checks.finding import join_or
from fourcard.rules.checks.wagers import DEFAULT_TABLE
from fourcard.rules.cited import Cents, FrozenData, clauses_of
from fourcard.rules.clauses import SettingValue
from fourcard.rules.game import Game, assemble_game
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import selectable_tables
from fourcard.rules.rulebook import AwardSource, Routine, Rulebook
from fourcard.rules.submission import (
    DealingChoice,
    Operator,
    PositionChoice,
    PostedLimits,
    ProgressiveChoice,
    SettlementChoice,
    Submission,
    TableChoice,
    WagerLimits,
    WinnerOrder,
)
from fourcard.wagers import TABLE_WAGERS, WAGER_LABELS, LimitedWager, TableWager, WagerName

READ = (
    "wagers",
    "settings",
    "settlement",
    "progressive.envy",
    "progressive.fixed_awards",
    "progressive.winner_order",
)
"""Places of a submission that line options fill."""
LEFT_OPEN = (Code.WAGER_TABLE_MISSING, Code.ROUTINE_MISSING)
"""Errors that apply to a submission but not to a line."""
FORMER_SETTINGS = ("settings.up_card_end",)
"""Settings that exported rounds of version 0.1 may still name; they change no payment (R78)."""
NEVER = (Code.LIMITS_INVERTED,)
"""Errors that apply to a line in every case."""
MAX_CENTS = 10**12
"""Largest amount in a file: ten billion dollars."""
Amount = Annotated[int, Meta(ge=1, le=MAX_CENTS)]
"""Cents from 1 to the largest amount."""


class LimitRange(FrozenData, frozen=True, kw_only=True):
    """Minimum and maximum of one wager, in cents."""

    least: int
    most: int


class LimitOptions(FrozenData, frozen=True, kw_only=True):
    """Posted limits by wager and the legal limit, in cents; checked only where given."""

    posted: Mapping[LimitedWager, LimitRange] = {}
    legal: Amount | None = None


class RoundOptions(FrozenData, frozen=True, kw_only=True):
    """Options of one round besides the tables of its wagers."""

    envy: str | None = None
    fixed_awards: AwardSource = "tray"
    winner_order: WinnerOrder = "settlement"
    routine: Routine | None = None
    order: tuple[WagerName, ...] = ()
    rounding: Rounding | None = None
    chip: Amount = 1
    """The unit of a Play wager in cents."""
    limits: LimitOptions = LimitOptions()

    def table(self, wager: TableWager) -> TableChoice | None:
        """Return the chosen table of a wager; without one the wager is not offered."""
        choice: TableChoice | None = getattr(self, wager)
        return choice


LineOptions: type[Any] = msgspec.defstruct(
    "LineOptions",
    [(name, TableChoice | None, None) for name in TABLE_WAGERS],
    bases=(RoundOptions,),
    module=__name__,
    frozen=True,
    kw_only=True,
)
"""Options of one round: a field for the table of each wager, and the others."""


def game_of(
    name: str, edition: str | None, options: RoundOptions, settings: Mapping[str, SettingValue]
) -> Game:
    """Return the game of a round, or refuse options that its rulebook does not allow."""
    chosen_rulebook = rulebook(name, edition)
    submission = _submission(chosen_rulebook, options, _with_rounding(settings, options.rounding))
    for found in check_submission(submission):
        code = found.refusal.code
        applies = (found.where.startswith(READ) and code not in LEFT_OPEN) or code in NEVER
        if found.level == "error" and applies and found.where not in FORMER_SETTINGS:
            raise RefusedError(found.refusal)
    if submission.progressive is None and options.envy is not None:
        _check_idle_envy(chosen_rulebook, options.envy)
    return assemble_game(chosen_rulebook, submission, submission.wagers)


def options_of(game: Game) -> dict[str, Any]:
    """Return the options of a line that make the tables and choices of a game."""
    submission, choice = game.submission, game.submission.progressive
    named = {name: submission.wagers.get(name, DEFAULT_TABLE) for name in (*game.tables, *submission.wagers)}
    options: dict[str, Any] = {
        name: table if isinstance(table, str) else {row: str(odds) for row, odds in table.items()}
        for name, table in named.items()
    }
    options["chip"] = int(submission.chip)
    if submission.settlement.routine is not None:
        options["routine"] = submission.settlement.routine
    if submission.settlement.order:
        options["order"] = list(submission.settlement.order)
    if choice is not None:
        options["fixed_awards"] = choice.fixed_awards
        if choice.envy is not None:
            options["envy"] = choice.envy
        if choice.has_house_order:
            options["winner_order"] = choice.winner_order
    return options


def _check_idle_envy(rulebook: Rulebook, schedule: str) -> None:
    """Refuse an unknown Envy schedule even if no progressive is offered."""
    rules = rulebook.wagers.envy
    if rules is None:
        figures = {"rulebook": rulebook.id, "wager": WAGER_LABELS["envy"], "edition": ""}
        raise RefusedError(refuse(Code.WAGER_NOT_DESCRIBED, rulebook.offer_clauses, **figures))
    if schedule not in rules.paytables:
        figures = {"table": schedule, "known": join_or(rules.paytables)}
        raise RefusedError(refuse(Code.ENVY_UNKNOWN, clauses_of(rules.declared or rules.paired), **figures))


def _with_rounding(
    settings: Mapping[str, SettingValue], rounding: Rounding | None
) -> dict[str, SettingValue]:
    """Move the option into the setting of the same name; refuse two different choices."""
    if rounding is None:
        return dict(settings)
    if settings.get("rounding", rounding) != rounding:
        figures = {"one": settings["rounding"], "other": rounding}
        raise RefusedError(refuse(Code.ROUNDING_TWICE, ("R33",), **figures))
    return {**settings, "rounding": str(rounding)}


def _submission(
    rulebook: Rulebook, options: RoundOptions, settings: Mapping[str, SettingValue]
) -> Submission:
    """Return the submission of the options, with as many positions per player as the rulebook allows."""
    positions, limits = rulebook.positions, options.limits
    posted = {
        name: PostedLimits(least=Cents(each.least), most=Cents(each.most))
        for name, each in limits.posted.items()
    }
    return Submission(
        name="a round",
        rulebook=rulebook.id,
        edition=rulebook.edition,
        operator=Operator(name="none"),
        wagers=_tables(rulebook, options),
        limits=WagerLimits(posted=posted, legal=None if limits.legal is None else Cents(limits.legal)),
        positions=PositionChoice(
            at_table=positions.at_table.value,
            per_player=positions.per_player.value if positions.per_player else positions.at_table.value,
        ),
        chip=Cents(options.chip),
        dealing=DealingChoice(method=next(iter(rulebook.dealing))),
        settlement=SettlementChoice(routine=options.routine, order=options.order),
        progressive=_progressive(rulebook, options),
        settings=settings,
    )


def _tables(rulebook: Rulebook, options: RoundOptions) -> dict[TableWager, TableChoice]:
    """Return the named tables; the Automatic Bonus has a default if the rulebook prints one."""
    named = {name: options.table(name) for name in TABLE_WAGERS}
    if named["automatic_bonus"] is None:
        named["automatic_bonus"] = _bonus_table(rulebook, options)
    return {name: choice for name, choice in named.items() if choice is not None}


def _bonus_table(rulebook: Rulebook, options: RoundOptions) -> str | None:
    """Return the standard bonus table, or the one printed under the same number as another's (R98)."""
    if DEFAULT_TABLE in selectable_tables(rulebook, "automatic_bonus"):
        return DEFAULT_TABLE
    pair = rulebook.wagers.automatic_bonus.same_number_as
    number = options.table(pair.value) if pair is not None else None
    return number if isinstance(number, str) else None


def _progressive(rulebook: Rulebook, options: RoundOptions) -> ProgressiveChoice | None:
    rules = rulebook.wagers.progressive
    choice = options.table("progressive")
    if rules is None or choice is None:
        return None
    table = choice if isinstance(choice, str) else None
    unit = (rules.stake_unit.value,) if rules.stake_unit is not None else ()
    return ProgressiveChoice(
        envy=table if options.envy is None else options.envy,
        stakes=rules.stakes.value if rules.stakes is not None else unit,
        fixed_awards=options.fixed_awards,
        winner_order=options.winner_order,
    )
