"""`python -m firmware` is the command `marchwarden`."""

from firmware.cli import main

if __name__ == "__main__":
    main()
