"""Progressive: the player's hand against a table of the meter; Envy pays its bettors for others' hands."""

from typing import get_args

from fourcard.bonus_hands import FIVE_CARD_ROWS
from fourcard.hands import FOUR_CARD_ROWS
from fourcard.money import OddsKind
from fourcard.wagers.specification import Instrument, OddsOption, SpotLook, WagerSpecification

STAKE = OddsOption("stake", "Stake", "dollars", 1, 5, 1, 1)

SPECIFICATIONS = (
    WagerSpecification(
        name="progressive",
        label="Progressive",
        rank=80,
        stake="fixed",
        rows=("four_aces", "four_of_a_kind", "royal_flush", *FOUR_CARD_ROWS[1:]),
        rows_of_five=FIVE_CARD_ROWS,
        awards=(OddsKind.TO, OddsKind.FOR, OddsKind.FIXED, OddsKind.METER),
        own_hand=True,
        odds_options=(
            OddsOption("meter", "Meter", "dollars", 1_000, 100_000, 500),
            STAKE,
            OddsOption("others", "Other players", "count", 0, 6, 1, 0),
            OddsOption("envy"),
            OddsOption("seed"),
            OddsOption("rate"),
            OddsOption("reserve"),
            OddsOption("fixed_awards"),
        ),
        instruments=tuple(each for each in get_args(Instrument) if each != "match-play-coupon"),
        spot=SpotLook("Prog", "P", "sensor", "#8b8f94"),
    ),
    WagerSpecification(
        name="envy",
        label="Envy",
        rank=90,
        stake="none",
        pays_on="progressive",
        paytable=False,
        odds_options=(STAKE, OddsOption("others", "Other players", "count", 1, 6, 1, 1)),
    ),
)
