"""Base parameters: how many combinations of the inertial parameters the motion can tell apart, and
which.

The number is the rank of the regressor over all states. Rows of random states are added until a
state adds none: entries are analytic in the state, so a row that is missing would show at almost
every state. All arithmetic is real, with some 115 digits, so that whatever is related is related
here too: the sine of 0.2 and of 0.4, an axis and a placement along it, a joint and the one that
follows it twice as fast. A number and the rounding of zero are told apart by tens of digits, so
the count depends on neither units, nor excitation, nor a tolerance; `BaseParameters` has the gap.

Columns that `regroup` moves to the parent are no part of this. What is left may still depend (an
axis in general position, a joint that follows another): `parameter_groups` has both in one map.

Source of the notion: Gautier and Khalil 1990; Khalil and Dombre 2002, ch. 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from flint import arb, ctx

from symdyn import dynamics
from symdyn._errors import VerificationError
from symdyn.algebra.ball import BALL
from symdyn.algebra.echelon import Echelon, PrecisionError
from symdyn.algebra.protocol import S
from symdyn.dynamics.regroup import regroup
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.model.over import Model, over
from symdyn.model.robot import PARAMETER_NAMES, Robot
from symdyn.spatial.momentum import MOMENTUM_NAMES

_SEED = 20240607
#: Binary places, doubled where they do not suffice; and how often.
_BITS, _DOUBLINGS = 384, 4
#: States that add no row before the rank is taken to be reached.
_IDLE = 2
#: Draws of declared parameters among which two have to have values.
_DRAWS = 40
#: Factors that are fractions with a smaller denominator are recognised as such.
_LARGEST_DENOMINATOR = 10**25


@dataclass(frozen=True, slots=True)
class BaseParameters:
    """What the motion of a robot can tell about its inertial parameters.

    Attributes
    ----------
    count : rank of the regressor
    independent : names of parameters whose columns form a base
    gap : largest remainder that was taken for the rounding of zero, and smallest that was not, of
        rows of size 1
    """

    count: int
    independent: tuple[str, ...]
    gap: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ParameterGroups:
    """The map from inertial parameters theta to grouped ones beta.

    Attributes
    ----------
    columns : (b,) index into theta of the parameter that names each group
    parts : (b,) of each group, (index into theta after `regroup`, factor); the first is its own
        with factor 1
    is_exact : whether all factors are exact, not roundings at 60 digits
    """

    columns: tuple[int, ...]
    parts: tuple[tuple[tuple[int, Fraction], ...], ...]
    is_exact: bool = True

    def beta(self, model: Model[S], theta: Sequence[S]) -> list[S]:
        """(b,) grouped parameters of given inertial parameters, over any number kind."""
        A = model.algebra
        grouped = regroup(model, theta)
        out: list[S] = []
        for parts in self.parts:
            total = grouped[parts[0][0]]
            for index, factor in parts[1:]:
                total = total + A.const(factor) * grouped[index]
            out.append(total)
        return out

    def theta(self, zero: S, beta: Sequence[S], size: int) -> list[S]:
        """(size,) inertial parameters with the same equations of motion, zero but for beta."""
        out = [zero] * size
        for k, value in zip(self.columns, beta, strict=True):
            out[k] = value
        return out


#: Of a derivation whose parameters are not grouped.
NO_GROUPS = ParameterGroups((), ())


def theta_names(robot: Robot) -> list[str]:
    """Name of each entry of theta, ``parameter@body``."""
    return [f"{name}@{body.name}" for body in robot.bodies for name in PARAMETER_NAMES]


def base_parameters(robot: Robot, seed: int = _SEED) -> BaseParameters:
    """Number of base parameters and one choice of independent columns.

    Parameters
    ----------
    robot : any robot; declared parameters have its own values
    seed : names the states

    Returns
    -------
    BaseParameters

    Raises
    ------
    VerificationError : no precision that was tried tells numbers from rounding

    Notes
    -----
    O((10N)^2) operations per state.
    """
    rows = _Rows(robot, dynamics.regressor, {})
    kept = rows.surviving()
    echelon = _echelon(rows, kept, seed)
    return _named(echelon, kept, theta_names(robot))


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
    rows = _Rows(robot, dynamics.generalized_regressor, {})
    kept = rows.nonzero()
    return _named(_echelon(rows, kept, seed), kept, names)


def parameter_groups(robot: Robot, seed: int = _SEED) -> ParameterGroups:
    """The fewest groups of inertial parameters that the equations of motion can be written in.

    Where declared parameters are arguments of the code, groups have to hold for all values of
    them: only what depends in the same way at two random choices of values is merged.

    Raises
    ------
    VerificationError : as for `base_parameters`; constants have no values near the robot's own
        parameters
    """
    free = {p.name: p.value for p in robot.parameters if p.is_argument}
    random = Random(seed)
    rows = _Rows(robot, dynamics.regressor, free)
    kept = rows.surviving()
    found: list[Echelon] = []
    for _ in range(_DRAWS):
        # near the own values: a root or an arccosine need not exist elsewhere
        for name, value in free.items():
            rows.parameters[name] = value + (value or 1) * _random(random, 1) / 8
        try:
            found.append(_echelon(rows, kept, seed))
        except _NotFiniteError:
            continue
        if len(found) == (2 if free else 1):
            break
    else:
        raise VerificationError(f"constants of {robot.name!r} have no values near its parameters")
    parts: dict[int, list[tuple[int, Fraction]]] = {}
    is_exact = True
    for position, index in enumerate(kept):
        factors = [_factors(echelon, position) for echelon in found]
        if position in factors[0] or factors[0] != factors[-1]:
            parts[index] = [(index, Fraction(1))]
            continue
        for at, (factor, is_recognised) in factors[0].items():
            parts[kept[at]].append((index, factor))
            is_exact = is_exact and is_recognised
    columns = tuple(sorted(parts))
    return ParameterGroups(columns, tuple(tuple(parts[k]) for k in columns), is_exact)


class _NotFiniteError(ArithmeticError):
    """An entry has no value at a state."""


class _Rows:
    """A regressor as a graph, evaluated at states."""

    def __init__(
        self,
        robot: Robot,
        regressor: Callable[
            [Model[Node], Sequence[Node], Sequence[Node], Sequence[Node]], list[list[Node]]
        ],
        parameters: dict[str, Fraction],
    ) -> None:
        self.graph = graph = Graph()
        self.parameters = dict(parameters)
        letters = {name: graph.symbol(f"parameter {name}") for name in parameters}
        self._letters = {name: node.id for name, node in letters.items()}
        self._model = over(robot, GraphAlgebra(graph), letters)
        n = robot.n
        state = [[graph.symbol(f"{s}[{i}]") for i in range(n)] for s in ("q", "qd", "qdd")]
        self._state = [node.id for vector in state for node in vector]
        self.entries = [[e.id for e in row] for row in regressor(self._model, *state)]

    def nonzero(self) -> list[int]:
        """Columns that are not identically zero, as far as structure tells."""
        zero = self.graph.zero
        return [
            k for k in range(len(self.entries[0])) if any(row[k] != zero for row in self.entries)
        ]

    def surviving(self) -> list[int]:
        """Of these, columns of parameters that `regroup` does not cancel."""
        graph, count = self.graph, len(self.entries[0])
        theta = [graph.symbol(f"theta[{k}]") for k in range(count)]
        grouped = regroup(self._model, theta)
        return [k for k in self.nonzero() if grouped[k].id != graph.zero]

    def at(self, state: Iterable[Fraction], columns: Sequence[int]) -> list[list[arb]]:
        """Rows of one state: positions, rates and accelerations one after another."""
        symbols = {i: BALL.const(x) for i, x in zip(self._state, state, strict=True)}
        for name, i in self._letters.items():
            symbols[i] = BALL.const(self.parameters[name])
        roots = [row[k] for row in self.entries for k in columns]
        values = evaluate(self.graph, roots, BALL, symbols)
        if not all(x.is_finite() for x in values):
            raise _NotFiniteError
        width = len(columns)
        return [values[k : k + width] for k in range(0, len(values), width or 1)]


def _echelon(rows: _Rows, columns: Sequence[int], seed: int) -> Echelon:
    bits = _BITS
    for _ in range(_DOUBLINGS):
        try:
            return _echelon_at(rows, columns, seed, bits)
        except PrecisionError:
            bits *= 2
    raise VerificationError(
        f"base parameters: {bits // 2} bits do not tell a number from the rounding of zero"
    )


def _echelon_at(rows: _Rows, columns: Sequence[int], seed: int, bits: int) -> Echelon:
    random = Random(seed)
    echelon = Echelon(bits)
    coordinates = len(rows.entries)
    scale: list[int] | None = None
    idle = 0
    with ctx.workprec(bits + bits // 4):
        while idle < _IDLE and len(echelon.rows) < len(columns):
            size = (3,) * coordinates + (2,) * (2 * coordinates)
            found = rows.at([_random(random, s) for s in size], columns)
            if scale is None:
                # units of columns differ: each is brought to size 1 at the first state
                scale = [_exponent(entry[k] for entry in found) for k in range(len(columns))]
            new = [
                echelon.insert([_fixed(x, bits - s) for x, s in zip(row, scale, strict=True)])
                for row in found
            ]
            idle = 0 if any(new) else idle + 1
    if scale is not None:
        _unscale(echelon, scale)
    return echelon


def _unscale(echelon: Echelon, scale: Sequence[int]) -> None:
    """Bring the columns of an echelon back to their own units."""
    for k, row in echelon.rows.items():
        for j in range(k, len(row)):
            shift = scale[j] - scale[k]
            row[j] = row[j] << shift if shift >= 0 else row[j] >> -shift


def _named(echelon: Echelon, kept: Sequence[int], names: Sequence[str]) -> BaseParameters:
    chosen = tuple(names[kept[k]] for k in sorted(echelon.rows))
    return BaseParameters(len(chosen), chosen, (echelon.largest, echelon.smallest))


def _factors(echelon: Echelon, column: int) -> dict[int, tuple[Fraction, bool]]:
    """How a column depends on leading ones: factors, and whether each is known exactly."""
    return {k: _recognised(value, echelon.bits) for k, value in echelon.combination(column).items()}


def _recognised(value: int, bits: int) -> tuple[Fraction, bool]:
    """The fraction that a fixed-point number is, or its first 60 digits."""
    number = Fraction(value, 1 << bits)
    simple = number.limit_denominator(_LARGEST_DENOMINATOR)
    if abs(number - simple) < Fraction(1, 10**70):
        return simple, True
    return Fraction(round(number * 10**60), 10**60), False


def _random(random: Random, size: int) -> Fraction:
    """A dyadic fraction between -size and size, not 0."""
    return Fraction(size * (2 * random.randrange(-(1 << 32), 1 << 32) + 1), 1 << 33)


def _exponent(values: Iterable[arb]) -> int:
    """Binary exponent of the largest of some numbers; 0 if all are zero, or may be."""
    exponents = [
        int(mantissa).bit_length() + int(exponent)
        for mantissa, exponent in (x.mid().man_exp() for x in values if not x.contains(0))
    ]
    return max(exponents, default=0)


def _fixed(value: arb, bits: int) -> int:
    """A midpoint in units of 2^-bits."""
    mantissa, exponent = value.mid().man_exp()
    shift = int(exponent) + bits
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift
