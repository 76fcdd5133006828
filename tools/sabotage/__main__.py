import sys

from tools.sabotage.data import main

sys.exit(main())
