"""Trial balance: every account by group, its balance, and the total, which is zero."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from fourcard.house.reports.showing import exact_dollars
from fourcard.house.store.contract import Reading, StoreError

Group = Literal["player", "chips", "layout", "tray", "drop", "meter", "reserve", "prizes", "link", "cage"]
"""The first part of an account's name."""
GROUPS: tuple[Group, ...] = get_args(Group)
GROUP_LABELS: Mapping[Group, str] = {
    "player": "players' accounts",
    "chips": "chips with players",
    "layout": "chips in play, by wager",
    "tray": "table trays",
    "drop": "drop boxes",
    "meter": "meters",
    "reserve": "reserves",
    "prizes": "prizes to be paid",
    "link": "put into meters",
    "cage": "cage",
}


class AccountBalance(msgspec.Struct, frozen=True):
    """The balance of one account; negative where it owes."""

    account: str
    units: int

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {"account": self.account, "units": self.units, "dollars": exact_dollars(self.units)}


class GroupBalance(msgspec.Struct, frozen=True):
    """The accounts of one group."""

    group: Group
    accounts: tuple[AccountBalance, ...] = ()

    @property
    def units(self) -> int:
        """Return the sum of the balances."""
        return sum(each.units for each in self.accounts)

    @property
    def held(self) -> int:
        """Return the sum of the positive balances."""
        return sum(max(each.units, 0) for each in self.accounts)

    @property
    def owed(self) -> int:
        """Return the sum of the negative balances, as a positive number."""
        return self.held - self.units

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {
            "group": self.group,
            "units": self.units,
            "dollars": exact_dollars(self.units),
            "held": self.held,
            "owed": self.owed,
            "accounts": [each.answer() for each in self.accounts],
        }


class TrialBalance(msgspec.Struct, frozen=True):
    """All groups; what some accounts hold, the others owe."""

    groups: tuple[GroupBalance, ...]

    @property
    def held(self) -> int:
        """Return the sum of all positive balances."""
        return sum(group.held for group in self.groups)

    @property
    def owed(self) -> int:
        """Return the sum of all negative balances, as a positive number."""
        return self.held - self.sum

    @property
    def sum(self) -> int:
        """Return the sum of all accounts: zero unless the ledger is wrong."""
        return sum(group.units for group in self.groups)

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        totals = {"held": self.held, "owed": self.owed, "sum": self.sum}
        return {"groups": [group.answer() for group in self.groups], **totals}


def trial_balance(reading: Reading) -> TrialBalance:
    """Return the current trial balance."""
    found: dict[Group, list[AccountBalance]] = {group: [] for group in GROUPS}
    for account, units in sorted(reading.balances().items()):
        found[group_of(account)].append(AccountBalance(account, units))
    return TrialBalance(tuple(GroupBalance(group, tuple(each)) for group, each in found.items()))


def group_of(account: str) -> Group:
    """Return the group of an account; fail for an unknown kind of account."""
    family = account.partition("/")[0]
    for group in GROUPS:
        if family == group:
            return group
    raise StoreError(f"The ledger has an unknown account '{account}'; run an audit.")
