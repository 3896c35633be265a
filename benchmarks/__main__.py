"""`python -m benchmarks [NAME…]`: these benchmarks, or all. Each leaves its results in benchmarks/results."""

from __future__ import annotations

import importlib
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the commands have it

BENCHMARKS: dict[str, str] = {
    # name: module with a function main() that measures, prints and writes its results
    "areas": "benchmarks.areas",
    "claims": "benchmarks.claims",
    "event": "benchmarks.event",
    "scan": "benchmarks.scan",
    "spectators": "benchmarks.spectators",
    "station": "benchmarks.station",
    "vision": "benchmarks.vision",
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; expected one of {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    for name in names or BENCHMARKS:
        importlib.import_module(BENCHMARKS[name]).main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
