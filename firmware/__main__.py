"""`python -m firmware` is the command `marchwarden`."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Ctrl-C is an end like any other while the program is still being loaded, seconds of it on a small Pi."""
    try:
        from firmware.cli import main as call

        call()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
