"""Invariants: what must always hold, and the error of one that does not."""


class BrokenError(AssertionError):
    """Something that must always hold did not."""


def require(holds: bool, what: str, *seen: object) -> None:
    """Fail unless something holds; what was seen instead comes after it."""
    if not holds:
        raise BrokenError(f"{what}: {' | '.join(map(repr, seen))}" if seen else what)
