"""Bad Beat Bonus: a hand of two pair or better is beaten, the player's or the dealer's (SM-BB-3)."""

from fourcard.hands import FOUR_CARD_ROWS
from fourcard.wagers.specification import OddsOption, SpotLook, WagerSpecification

SPECIFICATIONS = (
    WagerSpecification(
        name="bad_beat",
        label="Bad Beat Bonus",
        rank=50,
        rows=FOUR_CARD_ROWS[:-1],
        odds="solved",
        odds_options=(OddsOption("tie_wins", "A tie pays too", "tick"),),
        spot=SpotLook("Bad Beat", "B"),
    ),
)
