"""Six Card Bonus: the player's five cards and the bonus card, best five of the six (MD-07E5.1)."""

from fourcard.bonus_hands import SIX_CARD_ROWS
from fourcard.money import OddsKind
from fourcard.wagers.specification import OddsOption, SpotLook, WagerSpecification

SPECIFICATIONS = (
    WagerSpecification(
        name="six_card",
        label="Six Card Bonus",
        rank=60,
        rows=SIX_CARD_ROWS,
        cards=6,
        awards=(OddsKind.TO, OddsKind.FOR, OddsKind.FIXED),
        own_hand=True,
        odds_options=(OddsOption("stake", "Stake", "dollars", 1, 25, 1, 1),),
        spot=SpotLook("Six Card", "S"),
    ),
)
