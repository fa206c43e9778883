"""Stiffness and damping of bristles from motion too small to slide.

About rest a LuGre joint is J q'' + (s1 + s2) q' + s0 q = u: a mass on a spring and a damper, with
natural frequency sqrt(s0/J) and damping ratio (s1 + s2)/(2 sqrt(s0 J)) (Canudas de Wit et al.
1995). It is fitted to a record of torque and position, which is exact for a torque that is a
straight line between samples, or to a measured frequency response.

Free decay, without torque, tells the ratios s0/J and (s1 + s2)/J only: then the inertia must be
known. Bristles bend by sigma0/Fs of their stiffness per radian, so motion of amplitude a reads a
stiffness that is low by about sigma0 a/(2 Fs) of itself; `fit_response` has no such limit.
"""

# SciPy ships no types for its matrix exponential
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.identify.chance import t_quantile
from symdyn.identify.estimate import Estimate, held, identified, unknown
from symdyn.identify.gauss_newton import descend
from symdyn.identify.least_squares import solve
from symdyn.identify.samples import check_time, uniform_step

_WHERE = "fit of a small-signal response"
_UNITS = {"J": "kg m^2", "damping": "N m s/rad", "sigma0": "N m/rad"}
#: Relative step of the differences that give slopes.
_STEP = 3e-5


@dataclass(frozen=True, slots=True)
class SmallSignalFit:
    """A stuck joint as a mass on a spring.

    Attributes
    ----------
    estimates : J, damping = sigma1 + sigma2, sigma0
    inertia, damping, stiffness : values, those not identifiable included
    natural_frequency : [rad/s]
    damping_ratio : 1
    amplitude : largest distance from the resting position [rad]
    noise : standard deviation of one position [rad]; of a frequency response, relative
    t, measured, model : (m,) of a record: time and positions; of a frequency response: rad/s and
        gains in rad/(N m)
    """

    estimates: tuple[Estimate, ...]
    inertia: float
    damping: float
    stiffness: float
    amplitude: float
    noise: float
    t: Array
    measured: Array
    model: Array

    @property
    def natural_frequency(self) -> float:
        """sqrt(sigma0/J) [rad/s]"""
        return sqrt(self.stiffness / self.inertia)

    @property
    def damping_ratio(self) -> float:
        """(sigma1 + sigma2)/(2 sqrt(sigma0 J))"""
        return self.damping / (2 * sqrt(self.stiffness * self.inertia))

    def stiffness_error(self, break_away: float) -> float:
        """Share by which the stiffness is low because the motion was not small enough."""
        return self.stiffness * self.amplitude / (2 * break_away)


def fit_small_signal(
    t: ArrayLike,
    torque: ArrayLike,
    position: ArrayLike,
    *,
    inertia: float | None = None,
    confidence: float = 0.95,
) -> SmallSignalFit:
    """Fit a mass on a spring and a damper to a record.

    Parameters
    ----------
    t : (m,) evenly spaced [s]
    torque : (m,) [N m]; all equal for a free decay
    position : (m,) [rad]; resting position and initial state are fitted too
    inertia : J if it is known; else it is fitted, if the torque moves
    confidence : of the intervals

    Returns
    -------
    SmallSignalFit

    Raises
    ------
    InputError : bad data, or no oscillation to fit
    """
    time, columns = check_time(t, _WHERE, torque=torque, position=position)
    u, q = columns["torque"], columns["position"]
    dt = uniform_step(time, _WHERE)
    if inertia is not None and not (np.isfinite(inertia) and inertia > 0):
        raise InputError("the inertia is not positive", where=_WHERE, got=repr(inertia))
    if q.size < 8:
        raise InputError("fewer than 8 samples", where=_WHERE, got=str(q.size))
    size = float(np.max(np.abs(q - np.mean(q))))
    if size == 0:
        raise InputError("the position never changes", where=_WHERE)
    force = u - u[0]
    is_driven = bool(np.any(force))
    if not is_driven and inertia is None:
        raise InputError(
            "a free decay does not tell the inertia",
            where=_WHERE,
            remedy="Give the inertia, or record a torque that changes.",
        )
    fits_inertia = inertia is None
    start = _start(time, force, q, inertia)
    floor = q.size * (8 * np.finfo(float).eps * float(np.max(np.abs(q)))) ** 2

    def model(x: Array) -> tuple[Array, Array]:
        # x: J, damping, stiffness, resting position, deflection and velocity at the start
        J = float(x[0]) if fits_inertia else float(inertia or 1.0)
        p = np.array([J, float(x[-5]), float(x[-4])])

        def at(p: Array) -> tuple[Array, Array, Array]:
            return _respond(p, dt, force)

        forced, first, second = at(p)
        r = q - (forced + x[-3] + x[-2] * first + x[-1] * second)
        slopes: list[Array] = []
        for k in range(0 if fits_inertia else 1, 3):
            step = np.zeros(3)
            step[k] = _STEP * p[k]
            up, down = at(p + step), at(p - step)
            change = [(a - b) / (2 * step[k]) for a, b in zip(up, down, strict=True)]
            slopes.append(change[0] + x[-2] * change[1] + x[-1] * change[2])
        return r, np.column_stack((*slopes, np.ones_like(q), first, second))

    best = None
    for trial in start:
        x0 = np.append(trial if fits_inertia else trial[1:], _initial(trial, dt, force, q))
        logs = [True] * (x0.size - 3) + [False] * 3
        end = descend(model, x0, logs=logs, floor=floor, still=1e-4, steps=30)
        if best is None or end.rss < best.rss:
            best = end
    assert best is not None
    logs = [True] * (best.x.size - 3) + [False] * 3
    best = descend(model, best.x, logs=logs, floor=floor, still=1e-8, steps=30)
    names = (*(("J",) if fits_inertia else ()), "damping", "sigma0", "rest", "deflection", "speed")
    scale = np.append(size / np.abs(best.x[:-3]), [1.0, 1.0, max(dt, 1e-300)])
    solution = solve(best.slopes, best.residuals, names, scale)
    degrees = q.size - len(names)
    noise = sqrt(max(best.rss, floor) / max(degrees, 1))
    sd = noise * np.sqrt(np.sum(solution.root**2, axis=1))
    quantile = t_quantile(confidence, max(degrees, 1))
    p = np.array([inertia or best.x[0], best.x[-5], best.x[-4]])
    estimates: list[Estimate] = []
    for k, name in enumerate(("J", "damping", "sigma0")):
        if name == "J" and inertia is not None:
            estimates.append(held(name, _UNITS[name], inertia))
            continue
        at = names.index(name)
        if not solution.is_determined[at]:
            estimates.append(unknown(name, _UNITS[name], solution.trade(name) + "."))
        elif sd[at] > 0.5 * p[k]:
            note = f"Its standard deviation is {sd[at] / p[k]:.2g} times itself."
            estimates.append(unknown(name, _UNITS[name], note))
        else:
            estimates.append(identified(name, _UNITS[name], float(p[k]), float(sd[at]), quantile))
    rest = float(best.x[-3])
    return SmallSignalFit(
        estimates=tuple(estimates),
        inertia=float(p[0]),
        damping=float(p[1]),
        stiffness=float(p[2]),
        amplitude=float(np.max(np.abs(q - rest))),
        noise=noise,
        t=time,
        measured=q,
        model=q - best.residuals,
    )


def fit_frequency_response(
    frequency: ArrayLike, gain: ArrayLike, phase: ArrayLike, *, confidence: float = 0.95
) -> SmallSignalFit:
    """Fit a mass on a spring and a damper to a frequency response torque to position.

    Parameters
    ----------
    frequency : (m,) positive, increasing [rad/s]
    gain : (m,) amplitude of position over that of torque [rad/(N m)]
    phase : (m,) of position against torque, negative for lag [rad]
    confidence : of the intervals

    Returns
    -------
    SmallSignalFit : ``amplitude`` is 0, the record does not have it

    Notes
    -----
    1/G = sigma0 - J w^2 + i (sigma1 + sigma2) w is linear in all three; errors are taken to be
    proportional to the gain.
    """
    w, columns = check_time(frequency, _WHERE, gain=gain, phase=phase)
    size = columns["gain"]
    if np.any(w <= 0) or np.any(size <= 0):
        raise InputError("frequencies and gains must be positive", where=_WHERE)
    G = size * np.exp(1j * columns["phase"])
    # G (s0 - J w^2 + i c w) = 1, both parts; errors of G then weigh alike
    A = np.column_stack((-(w**2) * G, 1j * w * G, G))
    rows = np.concatenate((A.real, A.imag)).astype(np.float64)
    right = np.concatenate((np.ones_like(w), np.zeros_like(w)))
    solution = solve(rows, right, ("J", "damping", "sigma0"))
    degrees = right.size - 3
    floor = (8 * np.finfo(float).eps) ** 2 * right.size
    noise = sqrt(max(solution.rss, floor) / degrees)
    sd = noise * np.sqrt(np.sum(solution.root**2, axis=1))
    quantile = t_quantile(confidence, degrees)
    x = solution.coefficients
    estimates = [
        identified(n, _UNITS[n], float(x[k]), float(sd[k]), quantile)
        if solution.is_determined[k] and sd[k] <= 0.5 * abs(x[k])
        else unknown(n, _UNITS[n], "These frequencies do not determine it.")
        for k, n in enumerate(("J", "damping", "sigma0"))
    ]
    fitted = np.abs(1 / (x[2] - x[0] * w**2 + 1j * x[1] * w))
    return SmallSignalFit(
        tuple(estimates), float(x[0]), float(x[1]), float(x[2]), 0.0, noise, w, size, fitted
    )


def _respond(p: Array, dt: float, force: Array) -> tuple[Array, Array, Array]:
    """Response to the force from rest, and to a unit deflection and a unit velocity.

    Exact for a force that is a straight line between samples: one exponential of the matrix that
    has the force and its rate as two more states (Franklin, Powell and Workman 1998, ch. 4).
    """
    from scipy.linalg import expm
    from scipy.signal import lfilter

    J, c, k = map(float, p)
    M = np.zeros((4, 4))
    M[0, 1] = 1.0
    M[1] = [-k / J, -c / J, 1 / J, 0.0]
    M[2, 3] = 1.0
    E = expm(M * dt)
    F = E[:2, :2]
    b1 = E[:2, 3] / dt
    b0 = E[:2, 2] - b1
    # position of x+ = F x + b0 u + b1 u+ by the characteristic polynomial of F
    trace, det = F[0, 0] + F[1, 1], F[0, 0] * F[1, 1] - F[0, 1] * F[1, 0]
    a = [1.0, -trace, det]

    def first_two(x0: Array, u0: float, u1: float) -> tuple[float, float]:
        return float(x0[0]), float(F[0] @ x0 + b0[0] * u0 + b1[0] * u1)

    def series_of(x0: Array, u: Array) -> Array:
        # the numerator acts on the force, the initial state on the first two samples
        n0 = b1[0]
        n1 = b0[0] + F[0, 1] * b1[1] - F[1, 1] * b1[0]
        n2 = F[0, 1] * b0[1] - F[1, 1] * b0[0]
        y = np.asarray(lfilter([n0, n1, n2], a, u))
        y0, y1 = first_two(x0, float(u[0]), float(u[1]))
        # what the zero initial state of the filter got wrong dies out by the same polynomial
        e0, e1 = y0 - y[0], y1 - y[1]
        impulse = np.zeros_like(u)
        impulse[0] = 1.0
        free = np.asarray(lfilter([e0, e1 - trace * e0], a, impulse))
        return y + free

    none = np.zeros_like(force)
    return (
        series_of(np.zeros(2), force),
        series_of(np.array([1.0, 0.0]), none),
        series_of(np.array([0.0, 1.0]), none),
    )


def _initial(p: Array, dt: float, force: Array, q: Array) -> Array:
    """Resting position, deflection and velocity at the start, for given J, damping, stiffness."""
    forced, first, second = _respond(p, dt, force)
    columns = np.column_stack((np.ones_like(q), first, second))
    return solve(columns, q - forced, ("rest", "deflection", "speed")).coefficients


def _start(t: Array, force: Array, q: Array, inertia: float | None) -> list[Array]:
    """Guesses of J, damping and stiffness: frequencies over the record's band, three dampings."""
    dt = float(t[1] - t[0])
    span = float(t[-1] - t[0])
    scored: list[tuple[float, Array]] = []
    for w in np.geomspace(2 * pi / span, 0.9 * pi / dt, 60):
        for ratio in (0.02, 0.2, 0.7, 2.0):
            J = inertia or 1.0
            p = np.array([J, 2 * ratio * w * J, w * w * J])
            forced, first, second = _respond(p, dt, force)
            parts = [np.ones_like(q), first, second]
            if inertia is None:
                parts.append(forced)
                y = q
            else:
                y = q - forced
            size = [max(float(np.max(np.abs(x))), 1e-300) for x in parts]
            columns = np.column_stack([x / s for x, s in zip(parts, size, strict=True)])
            x = np.linalg.lstsq(columns, y, rcond=1e-10)[0]
            r = y - columns @ x
            if inertia is None:
                share = float(x[3]) / size[3]
                if share <= 0:
                    continue
                p = p / share
            scored.append((float(r @ r), p))
    if not scored:
        raise InputError("no oscillation answers the torque", where=_WHERE)
    scored.sort(key=lambda entry: entry[0])
    return [p for _, p in scored[:4]]
