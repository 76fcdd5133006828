"""Settlers: each wager settled from the whole showdown, by its own class or as a plain paytable."""

from fourcard.rules.game import Game
from fourcard.settlers.ante_and_play import DealerContestSettler
from fourcard.settlers.automatic_bonus import AutomaticBonusSettler
from fourcard.settlers.bad_beat import BadBeatSettler
from fourcard.settlers.cover_all import CoverAllSettler
from fourcard.settlers.envy import EnvySettler
from fourcard.settlers.progressive import ProgressiveSettler
from fourcard.settlers.six_card import SixCardSettler
from fourcard.settlers.wager_settler import PaytableSettler, WagerSettler
from fourcard.wagers import WAGERS, WagerName

SETTLERS: dict[WagerName, type[WagerSettler]] = {
    "ante": DealerContestSettler,
    "play": DealerContestSettler,
    "automatic_bonus": AutomaticBonusSettler,
    "bad_beat": BadBeatSettler,
    "six_card": SixCardSettler,
    "cover_all": CoverAllSettler,
    "progressive": ProgressiveSettler,
    "envy": EnvySettler,
}
"""Wagers that are more than a paytable for the rows that a hand wins."""


def wager_settlers(game: Game) -> dict[WagerName, WagerSettler]:
    """Return a settler for every wager that a game offers."""
    return {name: SETTLERS.get(name, PaytableSettler)(game, name) for name in WAGERS if game.offers(name)}
