"""Own seed: whether a player's seed took part in a shuffle, judged by the player's receipt.

A shuffle is fair to a player whose seed nobody knew when the house committed to its secret, if everything
else that the order depends on was fixed before that seed was revealed. Each way around this is a fault, which
shows that the house cheated, or a doubt, which leaves it the possibility.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from fourcard.house.fairness.receipts import PlayerReceipts, Receipt
from fourcard.house.shuffle_algorithm import ShuffleInput, seed_hash

SeedUse = Literal["used", "withheld", "left out"]
ALONE = (
    "The house kept to its commitment, but could have chosen the cards: "
    "to check your seed, give --player and --receipts."
)
NO_SEEDS = "No player's seed took part in this shuffle, so the house could have chosen the cards."
FIRST = (
    "The house knew the seeds before its commitment, as in all rounds of 0.1: it could have chosen the cards."
)
NO_RECEIPT = (
    "You have no receipt of this shuffle: without a seed of yours the house could have chosen the cards."
)
REPEATED = "Your receipts have the same seed for another shuffle, so the house could have known it."
LEFT_OUT = "Your seed was not used: the proof leaves it out, so the house could have chosen the cards."
WITHHELD = (
    "Your seed was withheld: the house used its hash as if it came too late, "
    "so it could choose between two orders."
)
UNSEEN_HASHES = (
    "Your receipt lacks the other players' hashes, so a seed could have been added after yours was revealed."
)
UNNAMED_ROUND = "Only the proof names the round, so the house could have tried other numbers."
FAIR = (
    "Your own seed was part of this shuffle, and nobody could know it before the house had fixed its secret."
)
FORGED = "it is forged, unless another browser or terminal of yours drew it"


class OwnSeed(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a player's seed, and why the shuffle is false or not proven fair to the player."""

    use: SeedUse | None = None
    faults: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def check_own_seed(
    shuffle: ShuffleInput, commitment: str, receipts: PlayerReceipts | None, *, round_named: bool
) -> OwnSeed:
    """Return what a player's receipts say on a shuffle; without them there is only doubt."""
    receipt = None if receipts is None else receipts.find(shuffle.table, shuffle.number)
    if receipts is None or receipt is None:
        return OwnSeed(doubts=(_doubt_without_receipt(shuffle, asked=receipts is not None),))
    faults = [*_faults(shuffle, commitment, receipts.player, receipt)]
    use, doubts = _use(shuffle, receipts.player), list[str]()
    if shuffle.round is None:
        doubts.append(FIRST)
    elif use != "used":
        doubts.append(WITHHELD if use == "withheld" else LEFT_OUT)
    elif receipt.call is None:
        doubts += [UNSEEN_HASHES] if len(shuffle.seeds) + len(shuffle.withheld) > 1 else []
        doubts += [] if round_named else [UNNAMED_ROUND]
    doubts += [REPEATED] if receipts.repeats(receipt) else []
    return OwnSeed(use=use, faults=tuple(faults), doubts=tuple(doubts))


def _doubt_without_receipt(shuffle: ShuffleInput, *, asked: bool) -> str:
    if shuffle.round is None:
        return FIRST
    if not shuffle.seeds and not shuffle.withheld:
        return NO_SEEDS
    return NO_RECEIPT if asked else ALONE


def _use(shuffle: ShuffleInput, player: str) -> SeedUse:
    if player in dict(shuffle.seeds):
        return "used"
    return "withheld" if player in dict(shuffle.withheld) else "left out"


def _faults(shuffle: ShuffleInput, commitment: str, player: str, receipt: Receipt) -> Iterator[str]:
    """Yield what the receipt contradicts."""
    if receipt.commitment != commitment:
        yield f"The house published another commitment to you before the shuffle: {receipt.commitment}."
    if shuffle.round is None:
        return
    own = seed_hash(shuffle.table, shuffle.number, player, receipt.seed)
    hashes = hashes_of(shuffle)
    if hashes.get(player, own) != own:
        kind = "seed" if player in dict(shuffle.seeds) else "hash"
        yield f"The proof has another {kind} under your name than your receipt: {FORGED}."
    elif receipt.call is not None:
        seen = {player: own, **dict(receipt.call.hashes)}
        yield from _call_faults(shuffle.round, hashes, receipt.call.round, seen)


def hashes_of(shuffle: ShuffleInput) -> dict[str, str]:
    """Return the hash of each seed that took part, revealed or withheld, by player."""
    hashes = {
        player: seed_hash(shuffle.table, shuffle.number, player, seed) for player, seed in shuffle.seeds
    }
    return hashes | dict(shuffle.withheld)


def _call_faults(
    number: int, hashes: Mapping[str, str], called: int, seen: Mapping[str, str]
) -> Iterator[str]:
    """Yield what changed after the house had called the seeds, by when everything must be fixed."""
    if called != number:
        yield f"The house called your seed for round {called}, but the proof is of round {number}."
    for player in sorted({*hashes, *seen}):
        if player not in seen:
            yield f"The seed of {player} was added after the house had called yours."
        elif player not in hashes:
            yield f"The seed of {player} was left out after the house had called yours."
        elif hashes[player] != seen[player]:
            yield f"The seed of {player} does not match the hash that you saw before you revealed yours."
