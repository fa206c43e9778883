"""Base parameters: how many combinations of the inertial parameters the motion can tell apart, and
which.

The number is the rank of the regressor over all states. It is found in GF(p) on random rational
circle points, so it depends on neither units, nor excitation, nor a tolerance. Rows of random
states are added until the matrix has more rows than columns that survive structurally. A rank found
this way is never too large; it is too small with a probability below ``degree / p`` (Schwartz 1980,
Zippel 1979), stated with the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from symdyn import dynamics
from symdyn.algebra.modular import Mod, ModularAlgebra, inverse, random_prime
from symdyn.model.over import Model, over
from symdyn.model.robot import Robot
from symdyn.recipes import surviving_parameters, theta_names

_SEED = 20240607

#: Components of the momentum (p; l) that the moving mass of a body carries.
MOMENTUM_NAMES = ("p1", "p2", "p3", "l1", "l2", "l3")


@dataclass(frozen=True, slots=True)
class BaseParameters:
    """What the motion of a robot can tell about its inertial parameters.

    Attributes
    ----------
    count : rank of the regressor
    independent : names of parameters whose columns form a base
    bound : the chance that the true count is larger
    """

    count: int
    independent: tuple[str, ...]
    bound: Fraction


def base_parameters(robot: Robot, seed: int = _SEED) -> BaseParameters:
    """Number of base parameters and one choice of independent columns.

    Parameters
    ----------
    robot : any robot
    seed : names the prime and the states

    Returns
    -------
    BaseParameters

    Notes
    -----
    O((10N)^2) field operations per state. Source of the notion: Gautier and Khalil 1990.
    """
    return _independent_columns(
        robot, seed, dynamics.regressor, theta_names(robot), surviving_parameters(robot)
    )


def generalized_base_parameters(robot: Robot, seed: int = _SEED) -> BaseParameters:
    """Base parameters of equation (39), whose unknowns are Theta, Theta', mu and mu'.

    mu stacks (p; l), the momentum that the moving mass of each body carries. Names are those of
    `theta_names`, primed for rates: ``m'@body``, ``p1@body``, ``l3'@body``. Arguments and result as
    for `base_parameters`; the columns are those of `dynamics.generalized_regressor`.
    """
    own = theta_names(robot)
    momenta = [f"{k}{{}}@{body.name}" for body in robot.bodies for k in MOMENTUM_NAMES]
    names = [
        *own,
        *(name.replace("@", "'@", 1) for name in own),
        *(name.format("") for name in momenta),
        *(name.format("'") for name in momenta),
    ]
    every = range(len(names))
    return _independent_columns(robot, seed, dynamics.generalized_regressor, names, every)


def _independent_columns(
    robot: Robot,
    seed: int,
    regressor: Callable[[Model[Mod], Sequence[Mod], Sequence[Mod], Sequence[Mod]], list[list[Mod]]],
    names: Sequence[str],
    kept: Sequence[int],
) -> BaseParameters:
    random = Random(seed)
    p = random_prime(random)
    # one pass of elimination: each new row is reduced by the rows found so far
    pivots: dict[int, list[int]] = {}
    states = -(-2 * len(kept) // max(1, robot.n)) + 2
    n = robot.n
    for point in range(states):
        model = over(robot, ModularAlgebra(p, seed + point))
        q, qd, qdd = ([Mod(random.randrange(p), p) for _ in range(n)] for _ in range(3))
        for row in regressor(model, q, qd, qdd):
            _insert(pivots, [row[k].value for k in kept], p)
        if len(pivots) == len(kept):
            break
    chosen = tuple(names[kept[k]] for k in sorted(pivots))
    # each entry of Y is a polynomial of degree at most 2N + 4 in circle points and rates over a
    # denominator 1 + t^2 per joint; a minor has at most count of them
    degree = len(pivots) * (6 * robot.n_bodies + 4)
    return BaseParameters(len(pivots), chosen, Fraction(degree, p))


def _insert(pivots: dict[int, list[int]], row: list[int], p: int) -> None:
    for k in range(len(row)):
        value = row[k]
        if value == 0:
            continue
        found = pivots.get(k)
        if found is None:
            scale = inverse(value, p)
            pivots[k] = [x * scale % p for x in row]
            return
        row = [(x - value * y) % p for x, y in zip(row, found, strict=True)]
