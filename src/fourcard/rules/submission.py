"""Rules Submission: what an operator chooses within a rulebook, as one TOML file, and the examples."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Literal, get_args

from msgspec import UNSET, UnsetType

from fourcard.money import Odds
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.cited import Cents, FrozenData
from fourcard.rules.clauses import SettingValue
from fourcard.rules.loading import convert_document, file_text, parse_toml
from fourcard.rules.procedures import DealingMethod
from fourcard.rules.rulebook import AwardSource, ConsoleKind, Routine
from fourcard.wagers import LimitedWager, RowName, TableWager, WagerName

OwnTable = Mapping[RowName, Odds]
TableChoice = str | OwnTable


class SubmissionSection(FrozenData, frozen=True, kw_only=True):
    """A section of a submission."""


class Operator(SubmissionSection, frozen=True, kw_only=True):
    """Who offers the game, and what has been approved."""

    name: str
    kind: Literal["commercial", "tribal"] | None = None
    approvals: tuple[str, ...] = ()
    rules_of_play: str = ""
    """The date of the approved rules of play, such as ``2014-08-12``."""


class PostedLimits(SubmissionSection, frozen=True, kw_only=True):
    """Minimum and maximum of one wager."""

    least: Cents
    most: Cents


class WagerLimits(SubmissionSection, frozen=True, kw_only=True):
    """The posted limits by wager, and the legal limit where a law sets one."""

    posted: Mapping[LimitedWager, PostedLimits] = {}
    legal: Cents | None = None


class PositionChoice(SubmissionSection, frozen=True, kw_only=True):
    """Betting positions at the table and for one player."""

    at_table: int
    per_player: int | None = None
    adjacent: bool | None = None
    """Whether a player's positions must adjoin, where the rulebook leaves it open."""


class DealingChoice(SubmissionSection, frozen=True, kw_only=True):
    """How cards are dealt, from how many decks."""

    method: DealingMethod
    stack: int | None = None
    """How many cards a machine dispenses at a time."""
    decks: int = 1
    dealer_first: bool | None = None
    """Whether a machine dispenses the dealer's cards before the players'."""


HouseOrder = Literal["dealer-left", "highest-hand"]
"""The orders of meter winners that internal controls may name (SM-APP-A.2)."""
WinnerOrder = HouseOrder | Literal["settlement", "internal-controls"]
"""The order of meter winners; games stored with `internal-controls` name none and play the settlement's."""
HOUSE_ORDERS: tuple[HouseOrder, ...] = get_args(HouseOrder)
LocalDecision = Literal["void", "play-on"]
"""What a local procedure makes of a round whose shuffler fails."""


class ShufflerChoice(SubmissionSection, frozen=True, kw_only=True):
    """The shuffling machine and what it does."""

    maker: str
    model: str
    mode: str = ""
    counts: bool = False
    """Whether it counts the deck at each shuffle and says whether 52 cards are present."""
    direct_load: bool = False
    """Whether it loads the dealing shoe itself."""
    reshuffles: bool = False
    """Whether it reshuffles and counts by itself."""
    failure: Literal["rulebook", "local"] = "rulebook"
    """Whose procedure follows a failure: the rulebook's, or one that the local regulator approved."""
    local_procedure: tuple[LocalDecision, ...] | UnsetType = UNSET
    """What a supervisor may decide under a local procedure; games stored without it follow the rulebook."""


class SettlementChoice(SubmissionSection, frozen=True, kw_only=True):
    """How and in which order a round is settled."""

    routine: Routine | None = None
    order: tuple[WagerName, ...] = ()
    confirm_above: Cents | UnsetType = UNSET
    """The largest award that the dealer pays without a second person; $10,000 where it is left out (R61)."""


class ProgressiveChoice(SubmissionSection, frozen=True, kw_only=True):
    """The progressive link: its meter, stakes and system."""

    envy: str | None = None
    stakes: tuple[Cents, ...] = ()
    rate: Fraction | None = None
    """Share of each wager that goes to the meter."""
    preset_rate: Fraction | None = None
    """The rate that the system came with."""
    reserve: Fraction = Fraction(0)
    seed: Cents | None = None
    reset: Cents | None = None
    fixed_awards: AwardSource = "tray"
    winner_order: WinnerOrder = "settlement"
    console: ConsoleKind | None = None
    components: Mapping[str, str] = {}
    executive_threshold: Cents | None = None

    @property
    def has_house_order(self) -> bool:
        """Say whether internal controls name the order of several meter winners."""
        return self.winner_order in HOUSE_ORDERS


class LayoutChoice(SubmissionSection, frozen=True, kw_only=True):
    """What the cloth shows and where the tip box stands."""

    areas: tuple[WagerName, ...]
    odds: Literal["layout", "sign", "nowhere"]
    tip_box: Literal["standard", "other"] = "standard"


class Submission(SubmissionSection, frozen=True, kw_only=True):
    """An operator's choices within one rulebook."""

    name: str
    rulebook: str
    edition: str | None = None
    operator: Operator
    wagers: Mapping[TableWager, TableChoice]
    limits: WagerLimits = WagerLimits()
    positions: PositionChoice
    chip: Cents = Cents(1)
    dealing: DealingChoice
    shuffler: ShufflerChoice | None = None
    settlement: SettlementChoice = SettlementChoice()
    leaving_may_lose_wagers: bool = False
    progressive: ProgressiveChoice | None = None
    layout: LayoutChoice | None = None
    settings: Mapping[str, SettingValue] = {}

    def __post_init__(self) -> None:
        """Reject a worthless chip and a table without positions."""
        super().__post_init__()
        if self.chip <= 0:
            raise ValueError("a chip must be worth more than $0")
        if self.positions.at_table < 1:
            raise ValueError("a table must have at least one position")


def read_submission(path: str | Path) -> Submission:
    """Return the submission in a file, or refuse an invalid file."""
    return parse_submission(file_text(path), str(path))


def parse_submission(text: str, file: str = "submission") -> Submission:
    """Return the submission that a TOML text holds."""
    return convert_document(parse_toml(text, file), Submission, file)


PACKAGE = Path(__file__).parents[1]
FOLDERS = (PACKAGE / "examples", PACKAGE.parents[1] / "examples")
"""In an installed wheel, and in a clone."""


def examples() -> dict[str, Path]:
    """Return the example files by name."""
    folder = next((each for each in FOLDERS if each.is_dir()), None)
    return {} if folder is None else {path.stem: path for path in sorted(folder.glob("*.toml"))}


def fullest_examples() -> dict[str, Path]:
    """Return, by rulebook, the example that offers most wagers."""
    found: dict[str, tuple[int, Path]] = {}
    for path in examples().values():
        submission = read_submission(path)
        offered = len(submission.wagers)
        if offered > found.get(submission.rulebook, (0, path))[0]:
            found[submission.rulebook] = offered, path
    return {rulebook: path for rulebook, (_, path) in found.items()}


def submission_named(name: str) -> Submission:
    """Return the submission in a file, or the example with that name."""
    known = examples()
    if Path(name).is_file():
        return read_submission(name)
    if name in known:
        return read_submission(known[name])
    if name.endswith(".toml") or Path(name).parent != Path() or Path(name).exists():
        return read_submission(Path(name))
    raise RefusedError(refuse(Code.EXAMPLE_UNKNOWN, name=name, known=", ".join(known)))
