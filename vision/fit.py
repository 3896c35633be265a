"""Robust least squares for a handful of parameters. Knows numbers only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from vision.frame import Array

_STEPS = 40


@dataclass(frozen=True, slots=True)
class Solution:
    """Where the search ended; `covariance` supposes residuals of about one."""

    values: Array
    cost: float
    covariance: Array


def jacobian(of: Callable[[Array], Array], at: Array, scale: float = 1e-6) -> Array:
    """Central differences, one column a parameter."""
    steps = scale * np.maximum(1.0, np.abs(at))
    columns = [(of(at + step) - of(at - step)) / (2 * size) for step, size in zip(np.diag(steps), steps, strict=True)]
    return np.stack(columns, axis=1)


def least_squares(residuals: Callable[[Array], Array], start: Array, priors: Array, robust: float) -> Solution:
    """Levenberg-Marquardt over residuals in units of their noise.

    Residuals beyond `robust` count linearly (Huber). `priors` are inverse standard deviations: how strongly each
    parameter is held at its start, 0 for one that is free.
    """

    def weights(values: Array) -> Array:
        return np.minimum(1.0, robust / np.maximum(np.abs(values), 1e-12))

    def cost(values: Array, at: Array) -> float:
        size = np.abs(values)
        huber = np.where(size <= robust, size**2, 2 * robust * size - robust**2)
        return float(huber.sum() + ((priors * (at - start)) ** 2).sum())

    at, damping = start.copy(), 1e-3
    current = residuals(at)
    best = cost(current, at)
    for _ in range(_STEPS):
        slope = jacobian(residuals, at)
        weighted = slope * weights(current)[:, None]
        normal = weighted.T @ slope + np.diag(priors**2)
        gradient = weighted.T @ current + priors**2 * (at - start)
        improved = 0.0
        for _ in range(8):
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient)
            trial = residuals(at + step)
            trial_cost = cost(trial, at + step)
            if trial_cost < best:
                improved = (best - trial_cost) / max(best, 1e-12)
                at, current, best = at + step, trial, trial_cost
                damping = max(damping / 5, 1e-9)
                break
            damping *= 5
        if improved < 1e-6:
            break
    slope = jacobian(residuals, at)
    normal = (slope * weights(current)[:, None]).T @ slope + np.diag(priors**2)
    return Solution(at, best, cast(Array, np.linalg.pinv(normal)))
