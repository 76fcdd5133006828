"""Checks on the progressive system: console, approved components and who confirms large awards."""

import re
from collections.abc import Iterator, Mapping

from fourcard.refusals import Code
from fourcard.rules.checks.finding import Finding, error, listed
from fourcard.rules.rulebook import Component, ProgressiveWager, Rulebook
from fourcard.rules.submission import ProgressiveChoice


def check_system(book: Rulebook, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[Finding]:
    """Yield what is wrong with the system that runs the progressive."""
    if choice.console is not None and choice.console not in book.consoles:
        starts = [console.starts for console in book.consoles.values()]
        figures = {"rulebook": book.id, "console": choice.console, "known": listed(book.consoles)}
        yield error(Code.CONSOLE_NOT_DESCRIBED, "progressive.console", *starts, **figures)
        return
    if rules.components:
        if choice.console is None:
            cited = [part for parts in rules.components.values() for part in parts.values()]
            figures = {"known": listed(rules.components)}
            yield error(Code.CONSOLE_MISSING, "progressive.console", *cited, **figures)
        else:
            yield from _components(choice.console, rules.components[choice.console], choice)
    needed = rules.executive_threshold
    if needed is not None and choice.console == needed.value and choice.executive_threshold is None:
        yield error(Code.EXECUTIVE_THRESHOLD_MISSING, "progressive.executive_threshold", needed)


def _components(
    console: str, approved: Mapping[str, Component], choice: ProgressiveChoice
) -> Iterator[Finding]:
    for name, version in choice.components.items():
        where = f"progressive.components.{name}"
        part = approved.get(name)
        if part is None:
            cited = approved.values()
            yield error(Code.COMPONENT_UNKNOWN, where, *cited, name=name, console=console)
        elif not satisfies(part, version):
            wanted = part.version + (" or higher" if part.or_higher else "")
            yield error(Code.COMPONENT_VERSION, where, part, name=name, wanted=wanted, version=version)
    for role in dict.fromkeys(part.role for part in approved.values()):
        parts = {name: part for name, part in approved.items() if part.role == role}
        if not parts.keys() & choice.components.keys():
            figures = {"console": console, "role": role, "known": listed(parts)}
            yield error(Code.COMPONENT_MISSING, "progressive.components", *parts.values(), **figures)


def satisfies(part: Component, version: str) -> bool:
    """Say whether a version is approved: the same, or higher if that is allowed."""
    if not part.version or version == part.version:
        return True
    return part.or_higher and version.startswith("v") and _numbers(version) > _numbers(part.version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
