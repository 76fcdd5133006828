"""The one family of errors that mean bad input; each carries one sentence for the person who gave it."""

from collections.abc import Callable
from typing import Any, Self


class BadInputError(ValueError):
    """Something given from outside cannot be used; anything else that is raised is a fault of ours."""

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type[Self], tuple[object, ...], dict[str, Any]]]:
        """Let it be pickled, so that a worker process can raise it in its parent."""
        return _rebuild, (type(self), self.args, vars(self))


def _rebuild(kind: type[BadInputError], args: tuple[object, ...], fields: dict[str, Any]) -> Any:
    """Return an error that was pickled, without asking for what it was made from."""
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error
