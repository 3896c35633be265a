"""Hypothesis for the whole suite: the same examples in every run, and no clock that a busy machine could trip over.

Arithmetic in one thread, as the commands have it: threads of several workers would only wait for one another.
"""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("marchwarden", deadline=None, derandomize=True)
settings.load_profile("marchwarden")
