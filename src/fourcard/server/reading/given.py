"""What the application gives to handlers that ask for it by name."""

from typing import TypeAlias

from litestar.di import NamedDependency

from fourcard.house.actors import Actor
from fourcard.house.house import House
from fourcard.server.reading.histories import Histories
from fourcard.server.reading.solving import Solver

GivenHouse: TypeAlias = NamedDependency[House]
GivenActor: TypeAlias = NamedDependency[Actor]
"""Who has signed in; whoever has not is refused before."""
GivenVisitor: TypeAlias = NamedDependency[Actor | None]
"""Who has signed in, or None."""
GivenSolver: TypeAlias = NamedDependency[Solver]
GivenHistories: TypeAlias = NamedDependency[Histories]
