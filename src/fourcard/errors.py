"""Bad-input errors: the base class of every error that the caller's input causes."""

from collections.abc import Callable
from typing import Any, Self


class BadInputError(ValueError):
    """Input from outside cannot be used; every other exception is a bug."""

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type[Self], tuple[object, ...], dict[str, Any]]]:
        """Support pickling, so a worker process can raise the error in its parent."""
        return _rebuild, (type(self), self.args, vars(self))


def _rebuild(kind: type[BadInputError], args: tuple[object, ...], fields: dict[str, Any]) -> Any:
    """Rebuild a pickled error without calling its constructor."""
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error
