"""The equations of a robot's record: base columns, friction columns, and one weight a joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.friction.law import Domain, FrictionLaw
from symdyn.identify.chance import f_quantile
from symdyn.identify.columns import column_sizes, linear_columns, steady_gradient
from symdyn.identify.gauss_newton import descend
from symdyn.identify.least_squares import RANK_TOLERANCE, LinearSolution, solve
from symdyn.identify.projection import OFFSET
from symdyn.identify.samples import distinct_speeds

_GRID = {1: 41, 2: 13, 3: 7}
_ROUNDS = 3
#: Distinct speeds that a search for a bend is corrected for, at most: a record has as many speeds
#: as samples, but neighbouring ones show the same bend.
_TRIALS = 50


@dataclass(frozen=True, slots=True)
class JointFriction:
    """What friction a joint is given.

    Attributes
    ----------
    law : a law without states and without signals
    fixed : parameters that are not fitted
    offset : fit a constant beside the law
    brackets : ranges of parameters that are not linear, in place of those that follow from speeds
    """

    law: FrictionLaw
    fixed: Mapping[str, float] = field(default_factory=dict[str, float])
    offset: bool = True
    brackets: Mapping[str, tuple[float, float]] = field(
        default_factory=dict[str, tuple[float, float]]
    )


@dataclass(frozen=True, slots=True)
class JointTask:
    """One joint's friction, ready to fit.

    Attributes
    ----------
    name : of the coordinate
    friction : as asked for
    linear : parameters fitted linearly
    brackets : of the others that are fitted
    qd : (m,) its speeds
    """

    name: str
    friction: JointFriction
    linear: tuple[str, ...]
    brackets: Mapping[str, tuple[float, float]]
    qd: Array

    @property
    def names(self) -> tuple[str, ...]:
        """Linear parameters with the joint's name, the constant last."""
        own = (*self.linear, OFFSET) if self.friction.offset else self.linear
        return tuple(f"{n}@{self.name}" for n in own)

    def columns(self, nonlinear: Mapping[str, float]) -> tuple[Array, Array]:
        """(m,) friction that is not fitted linearly, and (m, k) columns of what is."""
        others = {**self.friction.fixed, **nonlinear}
        rest, columns = linear_columns(self.friction.law, self.linear, others, self.qd)
        if self.friction.offset:
            columns = np.column_stack((columns, np.ones_like(self.qd)))
        return rest, columns

    def sizes(self, nonlinear: Mapping[str, float]) -> Array:
        """(k,) size of each column where it acts."""
        others = {**self.friction.fixed, **nonlinear}
        size = column_sizes(self.friction.law, self.linear, others, self.qd)
        return np.append(size, 1.0) if self.friction.offset else size

    def is_log(self, name: str) -> bool:
        """Whether a parameter is searched by its logarithm."""
        return any(
            q.name == name and q.domain is Domain.POSITIVE for q in self.friction.law.parameters
        )

    def grid(self, name: str, count: int) -> Array:
        """Values of a parameter over its bracket."""
        low, high = self.brackets[name]
        return (
            np.geomspace(low, high, count) if self.is_log(name) else np.linspace(low, high, count)
        )


Choice = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class RobotTask:
    """All equations.

    Attributes
    ----------
    base : names of the base parameters
    Y : (n, m, b) their columns
    y : (n, m) torques
    used : (n, m) 1 for an equation that counts, 0 for one that does not
    joints : (n,) friction, None for a joint without
    """

    base: tuple[str, ...]
    Y: Array
    y: Array
    used: Array
    joints: tuple[JointTask | None, ...]

    @property
    def nonlinear(self) -> dict[str, tuple[str, ...]]:
        """Names of non-linear parameters by joint, of the joints that have some."""
        return {j.name: tuple(j.brackets) for j in self.joints if j and j.brackets}

    @property
    def count(self) -> int:
        """Number of parameters."""
        return len(self.names) + sum(len(names) for names in self.nonlinear.values())

    @property
    def names(self) -> tuple[str, ...]:
        """Linear parameters."""
        return (*self.base, *(n for j in self.joints if j for n in j.names))

    def equations(self, choice: Choice, noise: Array) -> tuple[Array, Array]:
        """Weighted columns (n m, k) and right side (n m,)."""
        n, m, b = self.Y.shape
        W = np.zeros((n, m, len(self.names)))
        right = self.y.copy()
        W[:, :, :b] = self.Y
        at = b
        for k, joint in enumerate(self.joints):
            if joint is None:
                continue
            rest, columns = joint.columns(choice.get(joint.name, {}))
            W[k, :, at : at + columns.shape[1]] = columns
            right[k] -= rest
            at += columns.shape[1]
        weights = self.used / noise[:, None]
        return (W * weights[:, :, None]).reshape(n * m, -1), (right * weights).ravel()

    def scale(self, choice: Choice, noise: Array) -> Array:
        """(k,) size of each weighted column where it acts."""
        weights = self.used / noise[:, None]
        base = np.max(np.abs(self.Y) * weights[:, :, None], axis=(0, 1), initial=0.0)
        parts = [base]
        for k, joint in enumerate(self.joints):
            if joint is not None:
                parts.append(joint.sizes(choice.get(joint.name, {})) / noise[k])
        return np.concatenate(parts)

    def solve(self, choice: Choice, noise: Array) -> LinearSolution:
        """Linear parameters for given non-linear ones."""
        W, right = self.equations(choice, noise)
        return solve(W, right, self.names, self.scale(choice, noise))

    def linearised(
        self, choice: Choice, values: Mapping[str, float], noise: Array, held: Sequence[str]
    ) -> LinearSolution:
        """All parameters at a point; ``held`` names non-linear ones that do not take part."""
        W, right = self.equations(choice, noise)
        scale = self.scale(choice, noise)
        names = list(self.names)
        extra, sizes = self.slopes(choice, values, noise)
        free = [n for n in extra if n not in held]
        left = right - W @ np.array([values[n] for n in names])
        columns = np.column_stack((W, *(extra[n] for n in free)))
        return solve(columns, left, (*names, *free), np.append(scale, [sizes[n] for n in free]))

    def slopes(
        self, choice: Choice, values: Mapping[str, float], noise: Array
    ) -> tuple[dict[str, Array], dict[str, float]]:
        """Weighted columns of the non-linear parameters, and their sizes."""
        n, m, _ = self.Y.shape
        found: dict[str, Array] = {}
        sizes: dict[str, float] = {}
        for k, joint in enumerate(self.joints):
            if joint is None or not joint.brackets:
                continue
            own = choice[joint.name]
            p = {**joint.friction.fixed, **own}
            p |= {name: values[f"{name}@{joint.name}"] for name in joint.linear}
            _, J = steady_gradient(joint.friction.law, p, tuple(own), joint.qd)
            for i, name in enumerate(own):
                column = np.zeros((n, m))
                column[k] = J[:, i] * self.used[k] / noise[k]
                found[f"{name}@{joint.name}"] = column.ravel()
                largest = float(np.max(np.abs(self.y[k]))) or 1.0
                sizes[f"{name}@{joint.name}"] = largest / noise[k] / max(abs(own[name]), 1e-300)
        return found, sizes

    def spread(self, residuals: Array, noise: Array) -> Array:
        """(n,) noise of each joint from weighted residuals (n m,)."""
        r = residuals.reshape(self.y.shape) * noise[:, None]
        degrees = np.maximum(np.sum(self.used, axis=1) - self.count / noise.size, 1.0)
        floor = 8 * np.finfo(float).eps * np.max(np.abs(self.y), axis=1)
        return np.maximum(np.sqrt(np.sum(r**2, axis=1) / degrees), np.maximum(floor, 1e-300))


def middle(task: RobotTask) -> dict[str, dict[str, float]]:
    """A first choice: the middle of every bracket."""
    return {
        j.name: {n: float(j.grid(n, 3)[1]) for n in j.brackets}
        for j in task.joints
        if j and j.brackets
    }


def search(task: RobotTask, choice: Choice, noise: Array) -> dict[str, dict[str, float]]:
    """Go through the joints, each over a grid with the others held, until nothing changes."""
    best = {name: dict(own) for name, own in choice.items()}
    for _ in range(_ROUNDS):
        before = {name: dict(own) for name, own in best.items()}
        for joint in task.joints:
            if joint is not None and joint.brackets:
                best[joint.name] = search_joint(task, best, noise, joint, {})[0]
        if best == before:
            break
    return best


def search_joint(
    task: RobotTask, choice: Choice, noise: Array, joint: JointTask, held: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """The best grid point of one joint and the weighted sum of squares there.

    All other columns are projected out once; a grid point then costs one joint's rows only.
    """
    W, right = task.equations(choice, noise)
    k = next(i for i, j in enumerate(task.joints) if j is joint)
    n, m, _ = task.Y.shape
    own = [task.names.index(name) for name in joint.names]
    others = np.delete(W, own, axis=1)
    size = np.max(np.abs(others), axis=0, initial=0.0)
    U = _orthonormal(others / np.where(size > 0, size, 1.0))
    rows = slice(k * m, (k + 1) * m)
    weights = task.used[k] / noise[k]
    y = right.copy()
    y[rows] += joint.columns(choice[joint.name])[0] * weights
    free = [name for name in joint.brackets if name not in held]
    grids = [joint.grid(name, _GRID[min(len(free), 3)]) for name in free]
    best, lowest = dict(held), np.inf
    for values in product(*grids):
        trial = {**held, **dict(zip(free, map(float, values), strict=True))}
        trial = {name: trial[name] for name in joint.brackets}
        rest, columns = joint.columns(trial)
        left = y.copy()
        left[rows] -= rest * weights
        left -= U @ (U.T @ left)
        part = np.zeros((n * m, columns.shape[1]))
        part[rows] = columns * weights[:, None]
        part -= U @ (U[rows].T @ part[rows])
        scale = np.max(np.abs(part), axis=0, initial=0.0)
        part = part / np.where(scale > 0, scale, 1.0)
        x = np.linalg.lstsq(part, left, rcond=1e-10)[0]
        rss = float(np.sum((left - part @ x) ** 2))
        if rss < lowest:
            best, lowest = trial, rss
    return best, lowest


def _orthonormal(A: Array) -> Array:
    """A base of the column space."""
    Q, R = np.linalg.qr(A)
    diagonal = np.abs(np.diag(R))
    if np.min(diagonal, initial=1.0) > RANK_TOLERANCE * np.max(diagonal, initial=0.0):
        return Q
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    return U[:, s > RANK_TOLERANCE * np.max(s, initial=0.0)]


def polish(
    task: RobotTask, choice: Choice, noise: Array
) -> tuple[dict[str, dict[str, float]], float]:
    """Gauss-Newton over everything; the choice it ends at and its weighted sum of squares."""
    order = [(joint, name) for joint, names in task.nonlinear.items() for name in names]
    joints = {j.name: j for j in task.joints if j}
    k = len(task.names)

    def unpack(x: Array) -> dict[str, dict[str, float]]:
        out: dict[str, dict[str, float]] = {joint: {} for joint, _ in order}
        for (joint, name), value in zip(order, x[k:], strict=True):
            out[joint][name] = float(value)
        return out

    def model(x: Array) -> tuple[Array, Array]:
        here = unpack(x)
        values = dict(zip(task.names, map(float, x[:k]), strict=True))
        W, right = task.equations(here, noise)
        more, _ = task.slopes(here, values, noise)
        jac = np.column_stack((W, *(more[f"{name}@{joint}"] for joint, name in order)))
        return right - W @ x[:k], jac

    start = task.solve(choice, noise).coefficients
    start = np.append(start, [choice[joint][name] for joint, name in order])
    ends = [joints[joint].brackets[name] for joint, name in order]
    end = descend(
        model,
        start,
        logs=[False] * k + [joints[joint].is_log(name) for joint, name in order],
        low=np.array([-np.inf] * k + [low for low, _ in ends]),
        high=np.array([np.inf] * k + [high for _, high in ends]),
        floor=float(np.sum((8 * np.finfo(float).eps * task.y / noise[:, None]) ** 2)),
        still=1e-12,
        steps=60,
    )
    return unpack(end.x), end.rss


def open_parameters(
    task: RobotTask, choice: Choice, rss: float, noise: Array, confidence: float
) -> dict[str, tuple[str, float]]:
    """Non-linear parameters that the record does not determine.

    Returns
    -------
    opened : ``PARAMETER@JOINT`` to the open end (``small`` or ``large``) and its value
    """
    found: dict[str, tuple[str, float]] = {}
    for joint in task.joints:
        if joint is None:
            continue
        trials = (
            min(distinct_speeds(joint.qd[joint.qd != 0]).size, _TRIALS) if np.any(joint.qd) else 1
        )
        for name, ends in joint.brackets.items():
            level = 1 - (1 - confidence) / trials
            limit = 2 * f_quantile(level, 2, 0)
            for word, end in zip(("small", "large"), ends, strict=True):
                _, there = search_joint(task, choice, noise, joint, {name: end})
                if there - rss <= limit:
                    found[f"{name}@{joint.name}"] = (word, end)
                    break
    return found
