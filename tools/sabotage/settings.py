"""Settings of sabotage: what a person wrote down in ``points.toml``, beside the code."""

import tomllib
from pathlib import Path

import msgspec


class Written(msgspec.Struct, frozen=True):
    """What a person wrote down about points, beside the code."""

    tests: dict[str, tuple[str, ...]] = {}
    """The test modules for points that cite nothing, by the start of their names."""
    equivalent: tuple["Equivalent", ...] = ()
    equivalent_values: tuple["Equivalent", ...] = ()
    """Those of the rulebooks; the point is the line of the alteration."""


class Equivalent(msgspec.Struct, frozen=True):
    """An alteration that changes nothing that anybody could see."""

    point: str
    reason: str


def read_settings() -> Written:
    """Return the settings beside this module."""
    text = Path(__file__).with_name("points.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Written)
