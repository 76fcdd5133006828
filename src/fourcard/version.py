"""Package version, which every answer and page carries."""

__version__ = "0.1.1"
