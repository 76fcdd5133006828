"""Instrumented imports: from now on the modules with rules are loaded with a switch at each point."""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from tools.sabotage.instrument import instrument
from tools.sabotage.points import Point

WITH_RULES = (
    *("fourcard.round", "fourcard.table", "fourcard.progressive", "fourcard.wagers", "fourcard.settlers"),
    *("fourcard.settling", "fourcard.meter", "fourcard.money", "fourcard.dealing", "fourcard.dealer_script"),
    *("fourcard.rules.limits", "fourcard.house.route_command"),
    *("fourcard.house.decide_meter", "fourcard.house.decide_shuffle", "fourcard.house.decide_table"),
    *("fourcard.house.account_state", "fourcard.house.meter_state", "fourcard.house.table_state"),
    *("fourcard.house.auth.permissions", "fourcard.house.auth.staff"),
)
"""The packages and modules with rules."""
WITHOUT_RULES = frozenset(
    (
        *("view", "narrate", "autopilot", "bots", "console_view", "table_driver", "local_meter"),
        *("legal_commands", "prompts", "commands", "events", "specification"),
    )
)
"""Modules of these packages that show, name or choose, and enforce nothing."""
WITH_ARITHMETIC = (
    *("fourcard.settlers", "fourcard.settling", "fourcard.wagers", "fourcard.meter", "fourcard.money"),
    *("fourcard.round.decide_settlement", "fourcard.house.decide_meter"),
)
"""Those that reckon money, in which sums are altered too."""


def has_rules(module: str) -> bool:
    """Say whether a module is instrumented."""
    return _is_in(module, WITH_RULES) and module.rpartition(".")[2] not in WITHOUT_RULES


def _is_in(module: str, places: Sequence[str]) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in places)


def instrument_imports() -> list[Point]:
    """Instrument every module with rules that is imported from now on; return the growing list of points."""
    early = [name for name in sys.modules if has_rules(name)]
    if early:
        raise RuntimeError(f"{early[0]} is imported already")
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    return finder.points


class _Finder(MetaPathFinder):
    """Finds modules with rules, and loads them with switches."""

    def __init__(self) -> None:
        self.points: list[Point] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not has_rules(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        return importlib.util.spec_from_file_location(
            fullname,
            spec.origin,
            loader=_Loader(fullname, spec.origin, self.points),
            submodule_search_locations=spec.submodule_search_locations,
        )


class _Loader(SourceFileLoader):
    """Compiles a module with its switches; no compiled file is read or written."""

    def __init__(self, fullname: str, path: str, points: list[Point]) -> None:
        super().__init__(fullname, path)
        self.points = points

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_source(fullname)
        assert source is not None
        arithmetic = _is_in(fullname, WITH_ARITHMETIC)
        tree, points = instrument(fullname, source, len(self.points), arithmetic=arithmetic)
        self.points += points
        return compile(tree, self.path, "exec", dont_inherit=True)
