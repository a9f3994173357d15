"""Run the command as ``python -m gnbayes``."""

import sys

from gnbayes.cli.main import main

sys.exit(main())
