"""Choosing one edition of a rulebook: exactly one value must hold at every place.

A table marked ``edition = "proposed"`` holds in that edition alone; a list of such tables gives one value
an edition. Two that hold together, or none, is an error in the law and is refused.
"""

from fourcard.refusals import Code, RefusedError, refuse

DROPPED = object()


def for_edition(value: object, edition: str, editions: tuple[str, ...], file: str, place: str = "") -> object:
    """Return a parsed value as one edition has it, or ``DROPPED`` where that edition has none."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return _one_of(value, edition, editions, file, place)
    if not isinstance(value, dict):
        return value
    named = value.get("edition")
    _known(named, editions, file, place)
    if named not in (None, edition):
        return DROPPED
    inner = {
        key: for_edition(item, edition, editions, file, f"{place}.{key}" if place else key)
        for key, item in value.items()
        if key != "edition"
    }
    return {key: item for key, item in inner.items() if item is not DROPPED}


def _one_of(
    alternatives: list[dict[str, object]], edition: str, editions: tuple[str, ...], file: str, place: str
) -> object:
    for item in alternatives:
        _known(item.get("edition"), editions, file, place)
    for each in editions:
        holding = sum(item.get("edition", each) == each for item in alternatives)
        if holding != 1:
            code = Code.EDITIONS_OVERLAP if holding else Code.EDITION_UNCOVERED
            raise RefusedError(refuse(code, file=file, place=place, edition=each))
    resolved = (for_edition(item, edition, editions, file, place) for item in alternatives)
    return next(item for item in resolved if item is not DROPPED)


def _known(named: object, editions: tuple[str, ...], file: str, place: str) -> None:
    if named is not None and named not in editions:
        where = f"{file}, {place}" if place else file
        raise RefusedError(refuse(Code.UNKNOWN_EDITION, file=where, edition=named, known=", ".join(editions)))
