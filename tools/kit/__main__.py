"""Entry point: `python -m tools.kit` checks the committed kit, or writes it with --write."""

import sys

from tools.kit.build import main

sys.exit(main(sys.argv[1:]))
