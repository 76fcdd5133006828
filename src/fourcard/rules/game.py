"""Game: one rulebook and one valid submission, resolved, frozen and identified by a hash.

A round pins its game: everything that settling needs is in it and is stored as JSON, so a replay years later
never reads the rulebooks of a newer package.
"""

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.money import Odds, Rounding, parse_dollars
from fourcard.refusals import BadInputError, Refusal
from fourcard.rules.check import check_submission
from fourcard.rules.checks.wagers import DEFAULT_TABLE
from fourcard.rules.cited import Cents, FrozenData, Paytable, is_set
from fourcard.rules.clauses import SettingValue, settings
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import chosen_paytable
from fourcard.rules.plain_data import canonical_json, plain_data
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.rules.safe_convert import safe_convert
from fourcard.rules.submission import Submission, TableChoice
from fourcard.wagers import TABLE_WAGERS, TableWager, WagerName

CONFIRM_ABOVE = Cents(1_000_000)
"""The largest award that needs no second person, where a submission names no other amount (R61)."""


class InvalidSubmissionError(BadInputError):
    """Submission that breaks its rulebook, with every reason."""

    def __init__(self, reasons: tuple[Refusal, ...]) -> None:
        """Store the refusals; the text is the first one and the number of others."""
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        super().__init__(f"The submission is not valid: {reasons[0].message}{more}")
        self.reasons = reasons


class Game(FrozenData, frozen=True, kw_only=True, dict=True):
    """Game at a table: rulebook, submission and the paytables in force."""

    rulebook: Rulebook
    submission: Submission
    tables: Mapping[TableWager, Paytable]
    """Paytable of each offered wager; Cover All has one per number of players, in the rulebook."""
    envy: Mapping[int, Paytable]
    """Envy schedule by the receiver's stake in cents."""
    settings: Mapping[str, SettingValue]
    """Every policy setting that the rulebook leaves open, chosen or default."""
    confirm_above: Cents | UnsetType = UNSET
    """The largest award that the dealer pays without a second person; UNSET in games of before R61."""

    @cached_property
    def hash(self) -> str:
        """Return the SHA-256 of the whole game, its permanent id."""
        return hashlib.sha256(canonical_json(game_as_plain_data(self))).hexdigest()

    @property
    def rounding(self) -> Rounding:
        """Return the rounding of part of a cent (R33)."""
        return Rounding(str(self.settings["rounding"]))

    @property
    def positions_per_player(self) -> int:
        """Return how many positions one player may hold; the default is one (P1)."""
        return self.submission.positions.per_player or 1

    @property
    def positions_adjoin(self) -> bool:
        """Say whether one player's positions must be next to each other."""
        rule = self.rulebook.positions.adjacent
        return is_set(rule) or self.submission.positions.adjacent is True

    @property
    def stub_count_waived(self) -> bool:
        """Say whether a shuffler that counts the deck makes the stub count unnecessary (MA-7f.1, MD-08G)."""
        rule = self.rulebook.dealing[self.submission.dealing.method].counting.waived_by_counting_shuffler
        machine = self.submission.shuffler
        return is_set(rule) and machine is not None and machine.counts

    def needs_second_person(self, amount: int) -> bool:
        """Say whether an award is so large that a second person confirms it (R61)."""
        return self.confirm_above is not UNSET and amount > self.confirm_above

    def envy_for(self, stake: int) -> Paytable:
        """Return the Envy schedule of a receiver's stake, scaled if the rulebook says so (R55)."""
        if stake in self.envy:
            return self.envy[stake]
        unit, table = min(self.envy.items())
        return table.times(Fraction(stake, unit))

    def offers(self, wager: WagerName) -> bool:
        """Say whether the table offers a wager."""
        if wager == "envy":
            return bool(self.envy)
        return wager in ("ante", "play") or wager in self.tables or wager in self.submission.wagers


def resolve_game(submission: Submission) -> Game:
    """Return the game that a submission makes, or raise with every reason why it is invalid."""
    reasons = tuple(found.refusal for found in check_submission(submission) if found.level == "error")
    if reasons:
        raise InvalidSubmissionError(reasons)
    chosen_rulebook = rulebook(submission.rulebook, submission.edition)
    always = {
        name: DEFAULT_TABLE
        for name in TABLE_WAGERS
        if isinstance(wager := chosen_rulebook.wager(name), Wager) and wager.offered.value == "always"
    }
    return assemble_game(chosen_rulebook, submission, {**always, **submission.wagers})


def assemble_game(
    rulebook: Rulebook, submission: Submission, choices: Mapping[TableWager, TableChoice]
) -> Game:
    """Return the game of a checked submission with the chosen paytables."""
    most = submission.settlement.confirm_above
    return Game(
        rulebook=rulebook,
        submission=msgspec.structs.replace(submission, edition=rulebook.edition),
        tables={
            name: chosen_paytable(rulebook, name, choice)
            for name, choice in choices.items()
            if name != "cover_all"
        },
        envy=_envy(rulebook, submission),
        settings={**_settings(rulebook), **submission.settings},
        confirm_above=CONFIRM_ABOVE if most is UNSET else most,
    )


def _settings(rulebook: Rulebook) -> dict[str, SettingValue]:
    return {
        name: setting.default for name, (_, setting) in settings().items() if setting.open_in(rulebook.id)
    }


def _envy(rulebook: Rulebook, submission: Submission) -> dict[int, Paytable]:
    """Return the Envy schedule for each stake taken, as printed or scaled (R55, R100)."""
    rules, choice = rulebook.wagers.envy, submission.progressive
    paytable = submission.wagers.get("progressive")
    if rules is None or choice is None or not isinstance(paytable, str):
        return {}
    printed = {
        parse_dollars(stake): table for stake, table in rules.paytables[choice.envy or paytable].items()
    }
    if not rules.linear.value:
        return {stake: printed[stake] for stake in choice.stakes}
    (unit, table), *_ = printed.items()
    return {stake: table.times(Fraction(stake, unit)) for stake in choice.stakes}


def game_as_plain_data(game: Game) -> Any:
    """Return a game as plain data."""
    plain = plain_data(game)
    if game.rulebook.released:  # left out, so that games keep the hashes of before the field existed
        del plain["rulebook"]["released"]
    return plain


def encode_game(game: Game) -> bytes:
    """Return a game in JSON."""
    return msgspec.json.encode(game_as_plain_data(game))


def decode_game(body: bytes) -> Game:
    """Return the game of a stored JSON text, or raise."""
    try:
        return safe_convert(msgspec.json.decode(body), Game, dec_hook=_exact, str_keys=True)
    except (msgspec.MsgspecError, UnicodeError, ValueError, TypeError) as error:
        raise BadInputError(f"The stored game cannot be read: {error}.") from None


def _exact(wanted: type, value: object) -> object:
    """Decode amounts, odds and shares from plain numbers and texts."""
    if wanted is Cents and type(value) is int:
        return Cents(value)
    if wanted is Odds and isinstance(value, str):
        return Odds(value)
    if wanted is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is not a valid {wanted.__name__}")
