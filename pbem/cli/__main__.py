"""`python -m pbem.cli` is `acres`."""

import sys

from pbem.cli.main import main

sys.exit(main())
