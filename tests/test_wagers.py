"""The registry of wagers: each has a name, a rank and a key of its own."""

import pytest

from fourcard.wagers import RESERVED_KEYS, specifications_by_name
from fourcard.wagers.specification import SpotLook, WagerSpecification


def wager(name: str, rank: int, key: str | None = None) -> WagerSpecification:
    """Return a wager, with a betting spot if it has a key or an empty one."""
    spot = None if key is None else SpotLook(name.title(), key)
    return WagerSpecification(name=name, label=name.title(), rank=rank, spot=spot)


def test_wagers_are_found_by_name_and_may_have_no_spot_or_no_key() -> None:
    found = [wager("one", 1, "X"), wager("two", 2, ""), wager("three", 3, ""), wager("four", 4)]
    assert specifications_by_name(found) == {each.name: each for each in found}


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        (wager("one", 2, "Y"), "one"),
        (wager("two", 1, "Y"), 1),
        (wager("two", 2, "X"), "X"),
        (wager("two", 2, RESERVED_KEYS[0]), RESERVED_KEYS[0]),
    ],
)
def test_two_wagers_of_one_name_rank_or_key_are_refused(other: WagerSpecification, shared: object) -> None:
    with pytest.raises(ValueError, match=rf"^two wagers, or a wager and the page, have {shared!r}$"):
        specifications_by_name([wager("one", 1, "X"), other])
