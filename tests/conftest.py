"""Hypothesis for the whole suite: the same examples in every run, and no clock that a busy machine could trip over."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("marchwarden", deadline=None, derandomize=True)
settings.load_profile("marchwarden")
