"""Edition selection: exactly one value must apply at every place of a rulebook.

A table marked ``edition = "proposed"`` applies only in that edition; a list of such tables gives one value
per edition. Overlapping or missing values are refused.
"""

from fourcard.refusals import Code, RefusedError, refuse

DROPPED = object()


def for_edition(value: object, edition: str, editions: tuple[str, ...], file: str, place: str = "") -> object:
    """Return a parsed value for one edition, or ``DROPPED`` if the edition has none."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return _select_alternative(value, edition, editions, file, place)
    if not isinstance(value, dict):
        return value
    named = value.get("edition")
    _check_edition(named, editions, file, place)
    if named not in (None, edition):
        return DROPPED
    inner = {
        key: for_edition(item, edition, editions, file, f"{place}.{key}" if place else key)
        for key, item in value.items()
        if key != "edition"
    }
    return {key: item for key, item in inner.items() if item is not DROPPED}


def _select_alternative(
    alternatives: list[dict[str, object]], edition: str, editions: tuple[str, ...], file: str, place: str
) -> object:
    for item in alternatives:
        _check_edition(item.get("edition"), editions, file, place)
    for each in editions:
        holding = sum(item.get("edition", each) == each for item in alternatives)
        if holding != 1:
            code = Code.EDITIONS_OVERLAP if holding else Code.EDITION_UNCOVERED
            raise RefusedError(refuse(code, file=file, place=place, edition=each))
    resolved = (for_edition(item, edition, editions, file, place) for item in alternatives)
    return next(item for item in resolved if item is not DROPPED)


def _check_edition(named: object, editions: tuple[str, ...], file: str, place: str) -> None:
    if named is not None and named not in editions:
        where = f"{file}, {place}" if place else file
        raise RefusedError(refuse(Code.UNKNOWN_EDITION, file=where, edition=named, known=", ".join(editions)))
