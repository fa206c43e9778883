"""What the fits of bristles return, and when a positive parameter counts as determined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.friction.law import Domain, Quantity
from symdyn.identify.chance import t_quantile
from symdyn.identify.estimate import Covariance, Estimate, held, identified, unknown
from symdyn.identify.gauss_newton import descend
from symdyn.identify.least_squares import solve

#: A parameter whose standard deviation is more than this share of it is not determined: it could
#: as well be zero or half as large again.
_HALF = 0.5
#: A fit has arrived if the next step would change it by less than this many standard deviations.
_ARRIVED = 0.1
#: Slopes from differences hold to about this share of the largest; what is smaller is no slope.
_SLOPE_NOISE = 1e-8
#: Singular values of slopes from differences, below which they are no directions.
_IDLE = 1e-7
#: Relative step of the differences: its square and rounding over it are both near 1e-9.
_STEP = 3e-5


@dataclass(frozen=True, slots=True)
class DynamicFit:
    """Parameters of a law with states, fitted to a record.

    Attributes
    ----------
    estimates : of every parameter, those held included
    values : of all parameters, for drawing
    covariance : of the identified parameters
    noise : standard deviation of one sample, in the unit of ``measured``
    degrees : of freedom of that estimate
    confidence : of the intervals
    t : (m,) times or, where the record has none, the sample numbers
    measured, model : (m,) what was fitted
    quantity : what that is, with its unit
    is_converged : whether the steps ended at a minimum; if not, no parameter counts as determined
    """

    estimates: tuple[Estimate, ...]
    values: Mapping[str, float]
    covariance: Covariance
    noise: float
    degrees: int
    confidence: float
    t: Array
    measured: Array
    model: Array
    quantity: Quantity
    is_converged: bool

    @property
    def residuals(self) -> Array:
        """(m,) measured - model."""
        return self.measured - self.model

    @property
    def rms(self) -> float:
        """Root mean square of the residuals."""
        return float(np.sqrt(np.mean(self.residuals**2)))


@dataclass(frozen=True, slots=True)
class Trial:
    """A record to be matched by a simulation.

    Attributes
    ----------
    quantities : all parameters
    values : their start, or their value if held
    free : names to fit
    predict : (m,) the model for given values; raises InputError where it cannot run
    measured : (m,)
    quantity : what is measured
    shift : also fit a constant that is added to the model
    where : for messages
    """

    quantities: tuple[Quantity, ...]
    values: Mapping[str, float]
    free: tuple[str, ...]
    predict: Callable[[Mapping[str, float]], Array]
    measured: Array
    quantity: Quantity
    shift: bool
    where: str


def check_trial(
    where: str, quantities: Sequence[Quantity], values: Mapping[str, float], free: Sequence[str]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Values complete and in their domains, free names known and at a start that can move.

    Raises
    ------
    InputError
    """
    names = [q.name for q in quantities]
    for q in quantities:
        if q.name not in values:
            raise InputError(
                f"no value of {q.name}",
                where=where,
                expected=" ".join(names),
                got=" ".join(values) or "none",
                remedy=f"Give {q.name} ({q.doc}); of a fitted one, a rough guess.",
            )
        value = float(values[q.name])
        if not (np.isfinite(value) and q.domain.contains(value)):
            raise InputError(
                f"{q.name} is outside its domain",
                where=where,
                expected=f"{q.name} {q.domain.value}",
                got=repr(value),
            )
    for name in (*values, *free):
        if name not in names:
            raise InputError(f"no parameter {name!r}", where=where, expected=" ".join(names))
    if not free:
        raise InputError("nothing to fit", where=where, expected="names of free parameters")
    for name in free:
        if values[name] == 0:
            raise InputError(f"{name} starts at zero", where=where, remedy="Give a rough guess.")
    return {n: float(values[n]) for n in names}, tuple(dict.fromkeys(free))


def match(trial: Trial, t: Array, confidence: float, steps: int = 60) -> DynamicFit:
    """Fit the free parameters by Gauss-Newton; slopes from central differences."""
    free = trial.free
    k = len(free)
    domains = {q.name: q.domain for q in trial.quantities}
    logs = [domains[n] is not Domain.REAL and trial.values[n] > 0 for n in free]
    count = k + int(trial.shift)
    m = trial.measured.size
    if m <= count:
        raise InputError(
            "fewer points than parameters",
            where=trial.where,
            expected=f"more than {count}",
            got=str(m),
        )
    largest = float(np.max(np.abs(trial.measured - np.mean(trial.measured)))) or 1.0

    def at(x: Array) -> Array:
        return trial.predict({**trial.values, **dict(zip(free, map(float, x), strict=True))})

    def model(x: Array) -> tuple[Array, Array]:
        try:
            prediction = at(x[:k])
            slopes = np.zeros((m, count))
            for i in range(k):
                step = np.zeros(k)
                step[i] = _STEP * abs(x[i])
                slopes[:, i] = (at(x[:k] + step) - at(x[:k] - step)) / (2 * step[i])
        except InputError:
            return np.full(m, inf), np.zeros((m, count))
        quiet = np.max(np.abs(slopes[:, :k]), axis=0) * np.abs(x[:k]) < _SLOPE_NOISE * largest
        slopes[:, :k][:, quiet] = 0.0
        if trial.shift:
            slopes[:, k] = 1.0
            prediction = prediction + x[k]
        return trial.measured - prediction, slopes

    start = np.array([trial.values[n] for n in free] + [0.0] * int(trial.shift))
    first, _ = model(start)
    if not np.all(np.isfinite(first)):
        # once more, for its message
        at(start[:k])
    if trial.shift:
        start[k] = float(np.mean(first))
    floor = m * (8 * np.finfo(float).eps * largest) ** 2
    end = descend(
        model,
        start,
        logs=[*logs, *[False] * int(trial.shift)],
        floor=floor,
        still=1e-9,
        steps=steps,
        idle=_IDLE,
    )
    degrees = m - count
    noise = sqrt(max(end.rss, floor) / degrees)
    scale = np.array([largest / abs(x) for x in end.x[:k]] + [1.0] * int(trial.shift))
    names = (*free, *(("shift",) if trial.shift else ()))
    solution = solve(end.slopes, end.residuals, names, scale, _IDLE)
    sd = noise * np.sqrt(np.sum(solution.root**2, axis=1))
    quantile = t_quantile(confidence, degrees)
    values = {**trial.values, **dict(zip(free, map(float, end.x), strict=False))}
    # what a further step would still gain, against the noise: the way left to go, in standard
    # deviations
    gain = sqrt(max(end.rss - solution.rss, 0.0))
    is_converged = end.is_still or gain <= _ARRIVED * noise
    estimates: list[Estimate] = []
    for q in trial.quantities:
        if q.name not in free:
            estimates.append(held(q.name, q.unit, values[q.name]))
            continue
        i = free.index(q.name)
        if not is_converged:
            note = f"The steps did not settle; they have come to {values[q.name]:.6g}."
            estimates.append(unknown(q.name, q.unit, note))
        elif not solution.is_determined[i]:
            estimates.append(unknown(q.name, q.unit, solution.trade(q.name) + "."))
        elif sd[i] > _HALF * abs(values[q.name]):
            note = f"Its standard deviation is {sd[i] / abs(values[q.name]):.2g} times itself."
            estimates.append(unknown(q.name, q.unit, note))
        else:
            estimates.append(identified(q.name, q.unit, values[q.name], float(sd[i]), quantile))
    sure = [e.name for e in estimates if e.is_identified]
    root = noise * solution.root[[names.index(n) for n in sure]]
    return DynamicFit(
        estimates=tuple(estimates),
        values=values,
        covariance=Covariance(tuple(sure), root @ root.T),
        noise=noise,
        degrees=degrees,
        confidence=confidence,
        t=t,
        measured=trial.measured,
        model=trial.measured - end.residuals,
        quantity=trial.quantity,
        is_converged=is_converged,
    )
