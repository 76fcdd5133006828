"""Four Card Poker: the law as data, every rule with its clause, every figure exact.

The public names are listed in the stub file beside this one. Each loads on first use, so that
``import fourcard`` is quick.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
