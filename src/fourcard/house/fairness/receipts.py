"""Receipts: what a player's own page or terminal kept of the shuffles in which it took part.

A receipt convinces only the player who kept it: nobody signed it, and anybody can write one.
"""

import re
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from fourcard.house.shuffle_algorithm import MAX_SEED_LENGTH, MIN_SEED_LENGTH, Seed, is_seed
from fourcard.refusals import BadInputError, RefusedError
from fourcard.rules.validation_errors import validation_refusal

RECEIPTS_FORMAT = "fourcard-receipts-1"
HASH = re.compile(r"[0-9a-f]{64}")
MAX_BYTES = 16 << 20
"""More than the receipts of a year of play."""


class SeedCall(msgspec.Struct, frozen=True):
    """What the player saw when the house called the seeds, before revealing their own."""

    round: int
    hashes: tuple[Seed, ...]
    """Each player whose seed takes part, with the hash of the seed."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """A player's part in one shuffle."""

    table: str
    shuffle: int
    commitment: str
    """The house's commitment as the player saw it before drawing the seed."""
    seed: str
    call: SeedCall | None = None
    """None if the house did not call the seed, or the page did not keep what it saw."""


class PlayerReceipts(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The receipts of one player, oldest first."""

    format: str = RECEIPTS_FORMAT
    player: str
    receipts: tuple[Receipt, ...] = ()

    @cached_property
    def _by_shuffle(self) -> dict[tuple[str, int], Receipt]:
        return {(each.table, each.shuffle): each for each in self.receipts}

    @cached_property
    def _seeds(self) -> Counter[str]:
        return Counter(each.seed for each in self._by_shuffle.values())

    def find(self, table: str, shuffle: int) -> Receipt | None:
        """Return the receipt of a shuffle: the newest, because a restored house commits again."""
        return self._by_shuffle.get((table, shuffle))

    def repeats(self, receipt: Receipt) -> bool:
        """Return whether the receipts of two shuffles have this receipt's seed."""
        return self._seeds[receipt.seed] > 1


def read_receipts(path: Path, player: str) -> PlayerReceipts:
    """Return a player's receipts from a file, or refuse an invalid file."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInputError(f"The receipts {path} cannot be read: {error.strerror}.") from None
    if len(text) > MAX_BYTES:
        raise BadInputError(f"{path} is longer than {MAX_BYTES:,} bytes.")
    found = _decode(text, path)
    if found.format != RECEIPTS_FORMAT:
        raise BadInputError(f"{path} does not have the format {RECEIPTS_FORMAT}.")
    if found.player != player:
        raise BadInputError(f"{path} has the receipts of '{found.player}', not of '{player}'.")
    for number, receipt in enumerate(found.receipts, 1):
        _check(receipt, f"{path}, receipt {number}")
    return found


class _ReceiptsFile(PlayerReceipts, frozen=True, kw_only=True):
    """A file of receipts, in which every key must be given."""

    format: str
    receipts: tuple[Receipt, ...]


def _decode(text: bytes, path: Path) -> PlayerReceipts:
    try:
        raw: Any = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadInputError(f"{path} is not a file of receipts: it is not JSON.") from None
    if not isinstance(raw, dict):
        raise BadInputError(f"{path} is not a file of receipts: it is not an object.")
    try:
        return msgspec.convert(raw, _ReceiptsFile)
    except msgspec.ValidationError as error:
        raise RefusedError(validation_refusal(error, raw, _ReceiptsFile, str(path))) from None


def _check(receipt: Receipt, where: str) -> None:
    """Refuse a receipt that no page or terminal keeps."""
    if HASH.fullmatch(receipt.commitment) is None:
        raise BadInputError(f"{where}: the commitment is not 64 hexadecimal digits.")
    if not is_seed(receipt.seed, MIN_SEED_LENGTH):
        length = f"{MIN_SEED_LENGTH} to {MAX_SEED_LENGTH}"
        raise BadInputError(f"{where}: the seed is not {length} plain characters.")
