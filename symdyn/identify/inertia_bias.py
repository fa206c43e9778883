"""What friction that a model lacks does to an identified inertia.

One link, tau = J qdd + k sin q + F(qd), moved along a periodic trajectory and fitted by the columns
[qdd, sin q, sgn qd, qd, 1]. Whatever of F these columns cannot follow, here Stribeck's bend, is
spread over them.

The bend delta(v) is *not* correlated with qdd: over whole periods the integral of delta(qd) qdd dt
is that of delta(v) dv around a closed path, which is zero. The bias comes from what is left of both
once sin q, sgn qd, qd and 1 are taken out of them: these parts do correlate. It is large on slow
trajectories because friction stays while inertia torques fall with the square of the speed, and
its sign depends on the trajectory.

Finite samples miss the bend where the velocity crosses it within a sample or two; the biases of the
integrals over the period are the converged ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from math import pi

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.friction.law import FrictionLaw
from symdyn.identify.columns import linear_columns, steady_force
from symdyn.identify.least_squares import solve

_WHERE = "inertia bias"
_NAMES = ("J", "k", "Fc", "b", "offset")
#: Gauss-Legendre points per panel of the integrals.
_ORDER = 24


@dataclass(frozen=True, slots=True)
class Trajectory:
    """q = amplitude (sin wt + second sin(2 wt + phase)), with the largest speed given.

    Attributes
    ----------
    amplitude : [rad]
    second : amplitude of the second harmonic over that of the first
    phase : [rad]
    """

    amplitude: float = 0.6
    second: float = 0.4
    phase: float = 0.7

    def at(self, x: Array, w: float) -> tuple[Array, Array, Array]:
        """q, qd, qdd at the phases x = w t."""
        a, s, y = self.amplitude, self.second, 2 * x + self.phase
        q = a * (np.sin(x) + s * np.sin(y))
        qd = a * w * (np.cos(x) + 2 * s * np.cos(y))
        qdd = -a * w * w * (np.sin(x) + 4 * s * np.sin(y))
        return q, qd, qdd

    def turning_points(self) -> Array:
        """Phases in [0, 2 pi) at which the velocity changes its sign, to rounding."""
        return self._zeros(1)

    def frequency(self, peak: float) -> float:
        """w for a largest speed ``peak`` [rad/s]."""
        extremes = self._zeros(2)
        _, qd, _ = self.at(extremes, 1.0)
        return peak / float(np.max(np.abs(qd)))

    def _zeros(self, order: int) -> Array:
        """Sign changes of the first or second derivative."""
        x = np.linspace(0, 2 * pi, 4097)
        f = self.at(x, 1.0)[order]
        found: list[float] = []
        for k in np.flatnonzero(np.sign(f[:-1]) * np.sign(f[1:]) < 0):
            low, high = float(x[k]), float(x[k + 1])
            sign = float(f[k])
            for _ in range(60):
                middle = 0.5 * (low + high)
                value = float(self.at(np.array([middle]), 1.0)[order][0])
                low, high = (middle, high) if value * sign > 0 else (low, middle)
            found.append(0.5 * (low + high))
        found += [float(x[k]) for k in np.flatnonzero(f[:-1] == 0)]
        return np.sort(np.array(found))


@dataclass(frozen=True, slots=True)
class InertiaBias:
    """Biases of one trajectory.

    Attributes
    ----------
    peak : largest speed [rad/s]
    samples : per period; 0 for the integrals over the period
    inertia, gravity : estimate over true value, less 1
    estimates : of all columns, by name
    correlation : of the unmodelled friction with qdd; 0 but for rounding and sampling
    partial : the same after the other columns are taken out of both; the cause of the bias
    left : share of qdd that the other columns leave
    """

    peak: float
    samples: int
    inertia: float
    gravity: float
    estimates: Mapping[str, float]
    correlation: float
    partial: float
    left: float


def inertia_bias(
    law: FrictionLaw,
    values: Mapping[str, float],
    peak: float,
    *,
    samples: int = 0,
    inertia: float = 0.5,
    gravity: float = 3.0,
    trajectory: Trajectory | None = None,
    modelled: bool = False,
) -> InertiaBias:
    """Fit the columns [qdd, sin q, sgn qd, qd, 1] to a link with another friction.

    Parameters
    ----------
    law, values : the true friction
    peak : largest speed of the trajectory [rad/s]
    samples : evenly spaced over one period; 0 integrates over it instead
    inertia : J [kg m^2]
    gravity : k [N m]
    trajectory : its shape
    modelled : replace sgn qd and qd by the columns of the law's own linear parameters, the others
        being known

    Returns
    -------
    InertiaBias

    Raises
    ------
    InputError : a peak speed or a number of samples that is none
    """
    if not (np.isfinite(peak) and peak > 0):
        raise InputError("the peak speed is not positive", where=_WHERE, got=repr(peak))
    if samples < 0 or 0 < samples < 20:
        raise InputError("too few samples of a period", where=_WHERE, got=str(samples))
    path = trajectory or Trajectory()
    own = law.check(values, where=_WHERE)
    w = path.frequency(peak)
    if samples:
        x = 2 * pi * np.arange(samples) / samples
        weights = np.full(samples, 1.0 / samples)
    else:
        x, weights = _quadrature(path, w, _bend(law, own))
    q, qd, qdd = path.at(x, w)
    friction = steady_force(law, own, qd)
    names, columns = _columns(law, own, q, qd, qdd, modelled)
    # weighted by the square root: sums of products become integrals
    root = np.sqrt(weights)
    tau = inertia * qdd + gravity * np.sin(q) + friction
    solution = solve(columns * root[:, None], tau * root, names)
    estimates = dict(zip(names, map(float, solution.coefficients), strict=True))
    # what the columns besides qdd and sin q cannot follow of the friction
    dry = columns[:, 2:] * root[:, None]
    delta = friction * root - dry @ np.linalg.lstsq(dry, friction * root, rcond=None)[0]
    others = columns[:, 1:] * root[:, None]
    a = qdd * root
    a_left = a - others @ np.linalg.lstsq(others, a, rcond=None)[0]
    d_left = delta - others @ np.linalg.lstsq(others, delta, rcond=None)[0]
    return InertiaBias(
        peak=peak,
        samples=samples,
        inertia=estimates["J"] / inertia - 1,
        gravity=estimates["k"] / gravity - 1,
        estimates=estimates,
        correlation=_cosine(delta, a),
        partial=_cosine(d_left, a_left),
        left=float(np.linalg.norm(a_left) / np.linalg.norm(a)),
    )


def bias_curve(
    law: FrictionLaw, values: Mapping[str, float], low: float, high: float, count: int = 240
) -> tuple[InertiaBias, ...]:
    """Converged biases at log-spaced largest speeds from ``low`` to ``high`` [rad/s]."""
    return tuple(inertia_bias(law, values, float(v)) for v in np.geomspace(low, high, count))


def _columns(
    law: FrictionLaw,
    values: Mapping[str, float],
    q: Array,
    qd: Array,
    qdd: Array,
    modelled: bool,
) -> tuple[tuple[str, ...], Array]:
    rigid = [qdd, np.sin(q)]
    if not modelled:
        return _NAMES, np.column_stack((*rigid, np.sign(qd), qd, np.ones_like(q)))
    others = {n: v for n, v in values.items() if n not in law.linear}
    _, own = linear_columns(law, law.linear, others, qd)
    names = ("J", "k", *law.linear, "offset")
    return names, np.column_stack((*rigid, own, np.ones_like(q)))


def _cosine(a: Array, b: Array) -> float:
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size > 0 else 0.0


def _bend(law: FrictionLaw, values: Mapping[str, float]) -> float:
    """The slowest speed scale of the law [rad/s]; infinite if it has none."""
    scales = [values[p.name] for p in law.parameters if p.unit == "rad/s"]
    return min(scales, default=float("inf"))


def _quadrature(path: Trajectory, w: float, bend: float) -> tuple[Array, Array]:
    """Phases and weights of the mean over a period, exact to rounding.

    Between two turning points the integrands are smooth but change over the time that the velocity
    takes through the bend; panels double in length from there.
    """
    nodes, ratios = np.polynomial.legendre.leggauss(_ORDER)
    turns = path.turning_points()
    edges = np.append(turns, turns[0] + 2 * pi)
    xs: list[Array] = []
    ws: list[Array] = []
    for left, right in itertools.pairwise(edges):
        half = 0.5 * (right - left)
        for start, direction in ((left, 1.0), (right, -1.0)):
            slope = abs(float(path.at(np.array([start]), w)[2][0])) / w
            width = min(half, 0.25 * bend / slope if slope > 0 and np.isfinite(bend) else half)
            offset = 0.0
            while offset < half:
                reach = min(width, half - offset)
                mid = offset + 0.5 * reach
                xs.append(start + direction * (mid + 0.5 * reach * nodes))
                ws.append(0.5 * reach * ratios)
                offset += reach
                width *= 1.5
    return np.concatenate(xs), np.concatenate(ws) / (2 * pi)
