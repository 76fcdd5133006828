"""Cover All: the highest hand at the table, whoever holds it (MA-12)."""

from fourcard.wagers.specification import OddsOption, SpotLook, WagerSpecification

SPECIFICATIONS = (
    WagerSpecification(
        name="cover_all",
        label="Cover All",
        rank=70,
        rows=("four_aces", "royal_flush", "four_of_a_kind", "straight_flush", "three_of_a_kind"),
        odds="estimated",
        odds_options=(
            OddsOption("players", "Players dealt in", "count", 1, 6, 1, 6),
            OddsOption("precision"),
            OddsOption("seed"),
        ),
        spot=SpotLook("Cover All", "V"),
    ),
)
