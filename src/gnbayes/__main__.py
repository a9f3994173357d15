"""Run the command as ``python -m gnbayes``."""

from gnbayes.cli.main import run

run()
