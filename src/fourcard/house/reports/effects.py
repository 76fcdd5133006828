"""Ledger effects: which result figures of a table each kind of transfer raises or lowers."""

from collections.abc import Mapping
from typing import Literal

from fourcard.house.accounts import Transfer
from fourcard.house.store.contract import StoreError

Figure = Literal[
    "handle", "taken", "paid", "by_meter", "drop", "bought", "cashed", "fills", "credits", "collected",
    "tray_variance", "drop_variance", "tray", "out",
]  # fmt: skip
"""``tray`` is the change of the tray, ``out`` that of the chips with players and in play."""
OF_WAGER: tuple[Figure, ...] = ("handle", "taken", "paid", "by_meter")
Effect = tuple[tuple[Figure, int], ...]
_OUT = ("chips", "layout")

EFFECTS: Mapping[tuple[str, str, str], Effect] = {
    ("stake", "chips", "layout"): (("handle", 1),),
    ("stake", "layout", "chips"): (("handle", -1),),
    ("stake_back", "layout", "chips"): (),
    ("withdrawn", "layout", "chips"): (("handle", -1),),
    ("take", "layout", "tray"): (("taken", 1),),
    ("pay", "tray", "chips"): (("paid", 1),),
    ("pay", "prizes", "chips"): (("paid", 1), ("by_meter", 1)),
    ("meter_to_tray", "prizes", "tray"): (("by_meter", 1),),
    ("void", "layout", "chips"): (("handle", -1),),
    ("void", "tray", "chips"): (("handle", -1), ("taken", -1)),
    ("void", "chips", "tray"): (("paid", -1),),
    ("void", "chips", "meter"): (("paid", -1), ("by_meter", -1)),
    ("void", "tray", "meter"): (("by_meter", -1),),
    ("buy_in", "player", "drop"): (("drop", 1),),
    ("buy_in", "tray", "chips"): (("bought", 1),),
    ("cash_out", "chips", "player"): (("cashed", 1),),
    ("fill", "cage", "tray"): (("fills", 1),),
    ("credit", "tray", "cage"): (("credits", 1),),
    ("tray_variance", "cage", "tray"): (("tray_variance", 1),),
    ("tray_variance", "tray", "cage"): (("tray_variance", -1),),
    ("drop_variance", "cage", "drop"): (("drop", 1), ("drop_variance", 1)),
    ("drop_variance", "drop", "cage"): (("drop", -1), ("drop_variance", -1)),
    ("drop", "drop", "cage"): (("collected", 1),),
}
"""By reason, group of the giving and of the taking account; a stake returned before play is ``withdrawn``."""


def effect_of(transfer: Transfer, *, withdrawn: bool) -> Effect:
    """Return the effect of a transfer on the figures; fail for a transfer that no table makes."""
    giver, taker = transfer.giver.partition("/")[0], transfer.taker.partition("/")[0]
    what = "withdrawn" if withdrawn and transfer.what == "stake_back" else transfer.what
    known = EFFECTS.get((what, giver, taker))
    if known is None:
        raise StoreError(
            f"The ledger has an unknown transfer '{transfer.what}' from {giver} to {taker}; run an audit."
        )
    return (*known, *_tray_and_out(giver, taker))


def _tray_and_out(giver: str, taker: str) -> Effect:
    """Return the effect on the tray and on the chips outside it."""
    tray = (taker == "tray") - (giver == "tray")
    out = (taker in _OUT) - (giver in _OUT)
    return (*((("tray", tray),) if tray else ()), *((("out", out),) if out else ()))
