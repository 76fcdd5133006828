"""Dependencies that handlers receive by name."""

from typing import TypeAlias

from litestar.di import NamedDependency

from fourcard.house.actors import Actor
from fourcard.house.house import House
from fourcard.server.reading.histories import Histories
from fourcard.server.reading.solving import Solver

GivenHouse: TypeAlias = NamedDependency[House]
GivenActor: TypeAlias = NamedDependency[Actor]
"""The signed-in person; the request is refused if there is none."""
GivenVisitor: TypeAlias = NamedDependency[Actor | None]
"""The signed-in person, or None."""
GivenSolver: TypeAlias = NamedDependency[Solver]
GivenHistories: TypeAlias = NamedDependency[Histories]
