"""The one family of errors that mean bad input; each carries one sentence for the person who gave it."""


class BadInputError(ValueError):
    """Something given from outside cannot be used; anything else that is raised is a fault of ours."""
