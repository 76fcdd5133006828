"""Base game: the Ante, the Play wager that follows the cards, and the bonus that comes with both."""

from fourcard.hands import FOUR_CARD_ROWS
from fourcard.money import OddsKind
from fourcard.wagers.specification import OddsOption, SpotLook, WagerSpecification

SPECIFICATIONS = (
    WagerSpecification(
        name="ante",
        label="Ante",
        rank=10,
        paytable=False,
        odds="solved",
        odds_options=(OddsOption("bonus"), OddsOption("strategy", "Strategy", "strategy")),
        spot=SpotLook("Ante", "A", "circle"),
    ),
    WagerSpecification(
        name="play",
        label="Play",
        rank=20,
        stake="of_ante",
        paytable=False,
        odds="with_ante",
        spot=SpotLook("Play", ""),
    ),
    WagerSpecification(
        name="automatic_bonus",
        label="Automatic Bonus",
        rank=30,
        stake="none",
        pays_on="ante",
        rows=FOUR_CARD_ROWS,
        awards=(OddsKind.TO,),
        odds="with_ante",
    ),
)
