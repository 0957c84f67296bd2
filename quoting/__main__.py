"""``python -m quoting``."""

from quoting.cli import main

main()
