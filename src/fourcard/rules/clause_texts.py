"""Clause texts: what every clause, ruling and policy says, in one short table."""

import msgspec

from fourcard.rules.clauses import clauses, rulings


class ClauseText(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text of a clause, or the reading of a ruling or policy."""

    place: str
    """Where a clause stands in its source, or the title of a ruling."""
    text: str
    question: str = ""
    """What was unclear, for a ruling."""


class ClauseTexts(msgspec.Struct, frozen=True):
    """Every text by its id."""

    clauses: dict[str, ClauseText]


def clause_texts() -> ClauseTexts:
    """Return the text of every clause, ruling and policy."""
    found = {
        each.id: ClauseText(f"{each.source} {each.clause}", each.requirement) for each in clauses().values()
    }
    return ClauseTexts(
        found | {id_: ClauseText(each.title, each.reading, each.question) for id_, each in rulings().items()}
    )
