"""Instrumented imports: from now on the modules with rules are loaded with a switch at each point."""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from tools.sabotage.points import Point, instrument

PACKAGES = (
    *("fourcard.round", "fourcard.table", "fourcard.progressive", "fourcard.wagers", "fourcard.settlers"),
    *("fourcard.settling", "fourcard.dealing", "fourcard.dealer_script", "fourcard.rules.limits"),
    *("fourcard.meter", "fourcard.house.route_command"),
    *("fourcard.house.decide_meter", "fourcard.house.decide_shuffle", "fourcard.house.decide_table"),
)
"""The packages and modules with rules."""
NO_RULES = frozenset(
    (
        *("view", "narrate", "autopilot", "bots", "console_view", "table_driver", "local_meter"),
        *("legal_commands", "prompts", "commands", "events", "specification"),
    )
)
"""Modules of these packages that show, name or choose, and enforce nothing."""


def has_rules(module: str) -> bool:
    """Say whether a module is instrumented."""
    inside = any(module == each or module.startswith(f"{each}.") for each in PACKAGES)
    return inside and module.rpartition(".")[2] not in NO_RULES


class Instrumented:
    """The points of all instrumented modules, in the order in which these were loaded."""

    def __init__(self) -> None:
        """Start with no module."""
        self.points: list[Point] = []

    def install(self) -> None:
        """Instrument every module with rules that is imported from now on."""
        early = [name for name in sys.modules if has_rules(name) and name.count(".") > 1]
        if early:
            raise RuntimeError(f"{early[0]} is imported already")
        sys.meta_path.insert(0, _Finder(self))


class _Loader(SourceFileLoader):
    """Compiles a module with its switches; no compiled file is read or written."""

    instrumented: Instrumented

    def get_code(self, fullname: str) -> CodeType:
        """Return the code with switches."""
        path = self.get_filename(fullname)
        source = self.get_source(fullname)
        assert source is not None
        tree, points = instrument(fullname, source, len(self.instrumented.points))
        self.instrumented.points += points
        return compile(tree, path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, instrumented: Instrumented) -> None:
        self.instrumented = instrumented

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module with rules as usual, and let it load with switches."""
        if not has_rules(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        loader = _Loader(fullname, spec.origin)
        loader.instrumented = self.instrumented
        return importlib.util.spec_from_file_location(
            fullname, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
        )
