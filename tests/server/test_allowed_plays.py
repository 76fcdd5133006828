"""The Play wagers that the page offers: within the rules, the limits and the player's chips."""

import pytest

from fourcard.server.floor.messages import AllowedPlays, allowed_plays
from tests.kit.tables import advance, bet, current_round, table


@pytest.mark.parametrize(
    ("example", "chips", "expected"),
    [
        ("massachusetts", 60_000, AllowedPlays(2_000, 6_000, 100)),
        ("massachusetts", 6_000, AllowedPlays(2_000, 6_000, 100)),
        ("massachusetts", 5_950, AllowedPlays(2_000, 5_900, 100)),
        ("massachusetts", 2_000, AllowedPlays(2_000, 2_000, 100)),
        ("massachusetts", 1_999, None),
        ("catfish-bend", 60_000, AllowedPlays(2_000, 6_000, 2_000)),
        ("catfish-bend", 5_900, AllowedPlays(2_000, 4_000, 2_000)),
    ],
)
def test_a_player_is_offered_what_rules_and_chips_allow(
    example: str, chips: int, expected: AllowedPlays | None
) -> None:
    at = table(example, (1,))
    bet(at, {"ante": 2_000})
    advance(at)
    assert allowed_plays(current_round(at), 1, chips) == expected


@pytest.mark.clause("R30")
def test_the_legal_limit_of_washington_caps_what_is_offered() -> None:
    at = table("washington", (1,), limits__legal="$250")
    bet(at, {"ante": 10_000})
    advance(at)
    assert allowed_plays(current_round(at), 1, 60_000) == AllowedPlays(10_000, 25_000, 100)
