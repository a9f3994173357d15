"""The files of a benchmark are scripts that import each other from their own folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
