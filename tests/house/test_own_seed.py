"""A player's own seed: what each receipt makes of a round that matches its proof."""

import json

import pytest

from fourcard.house.shuffle_algorithm import seed_hash
from tests.kit.settle_lines import labelled
from tests.kit.shufflers import (
    SEEDS,
    TABLE,
    WITHHELD,
    Change,
    Line,
    ProvenTable,
    changed,
    first_proven,
    proven,
    receipt_for,
    recut,
    rounds,
    verified,
)
from tests.kit.support import EXAMPLES, game

EXAMPLE_NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
PLAYER, SEED = SEEDS[0]
ALONE = ((PLAYER, SEED),)
FAIR_TO_YOU = (
    "Your own seed was part of this shuffle, and nobody could know it before the house had fixed its secret."
)
FORGED_SEED = (
    "The proof has another seed under your name than your receipt: "
    "it is forged, unless another browser or terminal of yours drew it."
)
WITHHELD_FROM_YOU = (
    "Your seed was withheld: the house used its hash as if it came too late, "
    "so it could choose between two orders."
)
OTHER_HASH = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def line() -> Line:
    """Return a round with the seeds of two players."""
    return proven("massachusetts")


@pytest.fixture(scope="module")
def own(line: Line) -> Line:
    """Return the receipt of the first player."""
    return receipt_for(line, SEED)


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_rounds_of_every_example_are_fair_to_each_player_with_a_receipt(name: str) -> None:
    for line in rounds(name, 2, (1, 4)):
        for player, seed in SEEDS:
            found = verified(line, player, receipt_for(line, seed))
            assert (found.verdict, found.own_seed, found.findings[-1]) == ("fair", "used", FAIR_TO_YOU)
        assert verified(line).own_seed is None


@pytest.mark.parametrize(
    ("change", "said"),
    labelled(
        ("another commitment", lambda own: own.update(commitment=OTHER_HASH),
         f"The house published another commitment to you before the shuffle: {OTHER_HASH}."),
        ("another seed", lambda own: own.update(seed="another seed of mine"),
         FORGED_SEED),
        ("another round", lambda own: own["call"].update(round=2),
         "The house called your seed for round 2, but the proof is of round 1."),
        ("another's hash", lambda own: own["call"]["hashes"][1].__setitem__(1, OTHER_HASH),
         "The seed of adam does not match the hash that you saw before you revealed yours."),
        ("one hash less", lambda own: own["call"]["hashes"].pop(),
         "The seed of adam was added after the house had called yours."),
        ("one hash more", lambda own: own["call"]["hashes"].append(["bob", OTHER_HASH]),
         "The seed of bob was left out after the house had called yours."),
    ),
)  # fmt: skip
def test_what_a_receipt_contradicts_is_false(line: Line, own: Line, change: Change, said: str) -> None:
    found = verified(line, PLAYER, changed(own, change))
    assert (found.verdict, found.findings) == ("false", (said,))


@pytest.mark.parametrize(
    ("change", "said"),
    labelled(
        ("another table", lambda own: own.update(table="pit-2"), "You have no receipt of this shuffle: "),
        ("another shuffle", lambda own: own.update(shuffle=2), "You have no receipt of this shuffle: "),
        ("no call", lambda own: own.pop("call"), "Your receipt lacks the other players' hashes, "),
    ),
)  # fmt: skip
def test_what_a_receipt_does_not_show_leaves_the_commitment(
    line: Line, own: Line, change: Change, said: str
) -> None:
    found = verified(line, PLAYER, changed(own, change))
    assert (found.verdict, len(found.findings)) == ("committed only", 4)
    assert found.findings[-1].startswith(said)


def test_without_any_receipt_a_player_is_told_so(line: Line) -> None:
    found = verified(line, PLAYER)
    assert (found.verdict, found.own_seed) == ("committed only", None)
    assert found.findings[-1] == (
        "You have no receipt of this shuffle: without a seed of yours the house could have chosen the cards."
    )


def test_the_last_receipt_of_a_shuffle_counts(line: Line, own: Line) -> None:
    earlier = changed(own, lambda each: each.update(commitment=OTHER_HASH))
    assert verified(line, PLAYER, earlier, own).verdict == "fair"
    assert verified(line, PLAYER, own, earlier).verdict == "false"


def test_a_seed_that_was_used_before_could_be_known(line: Line, own: Line) -> None:
    other = changed(own, lambda each: each.update(shuffle=9))
    found = verified(line, PLAYER, other, own)
    assert (found.verdict, found.findings[-1]) == (
        "committed only",
        "Your receipts have the same seed for another shuffle, so the house could have known it.",
    )


def test_a_lone_player_needs_no_hashes_of_others_but_the_number_of_the_round() -> None:
    line = ProvenTable(game("massachusetts"), seeds=ALONE).play()
    own = changed(receipt_for(line, SEED), lambda each: each.pop("call"))
    assert verified(line, PLAYER, own).verdict == "fair"
    for name in ("r1", 7, None):
        found = verified(line | {"id": name}, PLAYER, own)
        assert (found.verdict, found.findings[-1]) == (
            "committed only",
            "Only the proof names the round, so the house could have tried other numbers.",
        )
        assert verified(line | {"id": name}, PLAYER, receipt_for(line, SEED)).verdict == "fair"


def test_a_withheld_seed_of_ones_own_leaves_the_house_a_choice() -> None:
    line = ProvenTable(game("massachusetts"), withheld=WITHHELD).play()
    ((player, seed),) = WITHHELD
    for receipt in (receipt_for(line, seed), changed(receipt_for(line, seed), lambda own: own.pop("call"))):
        found = verified(line, player, receipt)
        assert (found.verdict, found.own_seed) == ("committed only", "withheld")
        assert found.findings[-2:] == (
            WITHHELD_FROM_YOU,
            "1 seed was withheld (bob): a partner of the house gains one bit by withholding.",
        )
    forged = receipt_for(line, "another seed of bob's")
    found = verified(line, player, forged)
    assert found.verdict == "false"
    assert found.findings[0].startswith("The proof has another hash under your name than your receipt: ")


def test_a_withheld_seed_of_another_is_named_and_does_not_undo_ones_own() -> None:
    line = ProvenTable(game("massachusetts"), withheld=WITHHELD).play()
    found = verified(line, PLAYER, receipt_for(line, SEED))
    assert (found.verdict, found.own_seed, found.withheld) == ("fair", "used", ("bob",))
    assert found.findings[-1].startswith("1 seed was withheld (bob): ")


def test_a_seed_that_was_left_out_is_a_lie_only_where_the_house_had_called_it(line: Line, own: Line) -> None:
    mine = changed(own, lambda each: each.update(seed="a seed of carol's"))
    silent = changed(mine, lambda each: each.pop("call"))
    found = verified(line, "carol", silent)
    assert (found.verdict, found.own_seed, found.findings[-1]) == (
        "committed only",
        "left out",
        "Your seed was not used: the proof leaves it out, so the house could have chosen the cards.",
    )
    found = verified(line, "carol", mine)
    assert (found.verdict, found.own_seed) == ("false", "left out")
    assert found.findings == ("The seed of carol was left out after the house had called yours.",)


def test_a_receipt_does_not_help_a_round_of_the_first_algorithm() -> None:
    line = first_proven("massachusetts")
    own = {key: line["proof"][key] for key in ("table", "shuffle", "commitment")} | {"seed": SEED}
    found = verified(line, PLAYER, own)
    assert (found.verdict, found.own_seed) == ("committed only", "used")
    assert found.findings[-1].startswith("The house knew the seeds before its commitment, ")
    assert verified(line, PLAYER, own | {"commitment": OTHER_HASH}).verdict == "false"


def test_what_can_be_chosen_after_the_shuffle_is_not_fair(line: Line) -> None:
    found = ProvenTable(game("maryland-everything")).play(face_up=1)
    said = verified(found, PLAYER, receipt_for(found, SEED))
    assert (said.verdict, said.findings[-1]) == (
        "committed only",
        "A card was discarded as found face up: somebody who knew the order could choose this.",
    )
    uncut = proven("massachusetts-everything")
    assert (uncut["proof"]["cuts"], line["proof"]["cuts"]) == ([], [26])
    for cuts, words in (([25], "25"), ([26, 26], "26 and 26")):
        said = verified(recut(line, cuts), PLAYER, receipt_for(line, SEED))
        assert (said.verdict, said.findings[-1]) == (
            "committed only",
            f"The deck was cut at {words}, not once at 26: somebody who knew the order could choose this.",
        )


def test_a_false_proof_stays_false_with_any_receipt(line: Line, own: Line) -> None:
    false = changed(line, lambda each: each["seats"].pop())
    found = verified(false, PLAYER, own)
    assert (found.verdict, found.findings) == ("false", verified(false).findings)
    keyed = {key: value for key, value in line.items() if key != "proof"}
    assert verified(keyed, PLAYER, own).verdict == "not verifiable"


def test_further_keys_of_a_receipt_say_nothing(line: Line, own: Line) -> None:
    more = own | {"hash": seed_hash(TABLE, 1, PLAYER, SEED), "round": 0, "note": json.dumps(own)}
    assert verified(line, PLAYER, more).verdict == "fair"
