"""Package version, which every answer and page carries."""

__version__ = "0.2.0"
