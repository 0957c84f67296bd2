"""Where the command starts, installed as ``quoting`` or called as ``python -m quoting``.

The processes that set pages take a third of a second to load the renderer: they are started before the command line is
read, and before anything else is loaded.
"""

import gc
import signal
import sys
from types import FrameType

_SETS_PAGES = "make"
_ASKS = frozenset({"-h", "--help"})


def main() -> None:
    """Run the command, with processes that set pages beside it where it makes documents."""
    # What a command makes it keeps to its end: looking for what it might drop costs a tenth of its time.
    gc.set_threshold(100_000)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)
    if _SETS_PAGES not in sys.argv[1:3] or _ASKS & set(sys.argv):
        from quoting.cli import main as run

        return run()
    from quoting.documents.setter import page_setter

    with page_setter() as setter:
        from quoting.cli import main as run

        return run(setter)


def _end(number: int, _frame: FrameType | None) -> None:
    """Told to end, the command clears up what is half written, as it does for Ctrl-C."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    main()
