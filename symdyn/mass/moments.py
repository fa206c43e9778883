"""From a mass distribution to what the equations of motion need: Phi, nu, psi and their rates.

    Phi = (m, h, I)                       eq. (7), (8); I about the frame origin
    nu  = int sigma rho |v|^2             eq. (25)
    psi = int sigma rho (1; A(x)) v       eq. (27): psi[0:3] = p = int sigma rho v,
                                          psi[3+3i+j] = W[j,i] = int sigma rho x_j v_i
    mu  = Q psi = (p; ell)                the six that act; ell = int sigma rho x cross v

The integrals are taken in each part's own coordinates and carried into the body's frame by the
linear maps of `_carried`.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy

from symdyn.mass.coordinates import ZERO, Matrix, Number, Vector, X, exact, rate
from symdyn.mass.distribution import MassDistribution, Part
from symdyn.mass.integrate import integral
from symdyn.mass.possible import put
from symdyn.spatial.rotation import transpose
from symdyn.spatial.vector import add, apply, dot, multiply, scale

#: Longest entry whose sines and cosines are combined.
_MOST_OPERATIONS = 150


@dataclass(frozen=True, slots=True)
class MassMoments:
    """Everything about one body's mass, as expressions in t and parameters; SI units.

    Attributes
    ----------
    phi : [10] in the order of equation (7)
    phi_dot : [10] its rate
    nu : kinetic energy of the relative motion, twice [kg m^2/s^2]
    psi : [12] in the order of equation (27)
    psi_dot : [12] its rate
    mu : [6] momentum and moment of momentum of the relative motion, (p; ell)
    mu_dot : [6] its rate
    """

    phi: tuple[sympy.Expr, ...]
    phi_dot: tuple[sympy.Expr, ...]
    nu: sympy.Expr
    psi: tuple[sympy.Expr, ...]
    psi_dot: tuple[sympy.Expr, ...]
    mu: tuple[sympy.Expr, ...]
    mu_dot: tuple[sympy.Expr, ...]

    def put(self, values: Mapping[sympy.Expr, Number]) -> MassMoments:
        """The moments with values for symbols and expressions for functions of time put in."""
        known = {key: exact(value, f"value of {key}") for key, value in values.items()}
        return from_functions(
            [put(e, known) for e in self.phi],
            [put(e, known) for e in self.psi],
            put(self.nu, known),
        )

    @property
    def depends_on_time(self) -> bool:
        """Whether Phi changes or anything moves."""
        return any(e != 0 for e in (*self.phi_dot, *self.psi))


def from_functions(
    phi: Sequence[sympy.Expr], psi: Sequence[sympy.Expr], nu: sympy.Expr
) -> MassMoments:
    """Moments from Phi(t), psi(t), nu(t); the rates are their derivatives."""
    mu = momentum(psi)
    return MassMoments(
        tuple(phi),
        tuple(_tidy(rate(e)) for e in phi),
        nu,
        tuple(psi),
        tuple(_tidy(rate(e)) for e in psi),
        mu,
        tuple(_tidy(rate(e)) for e in mu),
    )


def moments(body: MassDistribution) -> MassMoments:
    """Phi, nu and psi of a body, by exact integration.

    Raises
    ------
    InputError : an integral diverges
    UnsupportedError : an integral has no closed form
    """
    total = _Sums.zero()
    for one in body.parts:
        total = total.plus(_carried(one, _own_sums(one)))
    m, h, S = total.mass, total.first, total.second
    trace = S[0][0] + S[1][1] + S[2][2]
    phi = (
        m, *h, trace - S[0][0], trace - S[1][1], trace - S[2][2], -S[0][1], -S[1][2], -S[0][2],
    )  # fmt: skip
    W = total.mixed
    psi = (*total.momentum, *(W[j][i] for i in range(3) for j in range(3)))
    return from_functions([_tidy(e) for e in phi], [_tidy(e) for e in psi], _tidy(total.energy))


def momentum(psi: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    """mu = (p; ell) = Q psi with the constant Q = diag(1, -S T) of body twists."""
    s = psi[3:]
    return (
        psi[0], psi[1], psi[2],
        _tidy(s[7] - s[5]), _tidy(s[2] - s[6]), _tidy(s[3] - s[1]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sums:
    """Integrals of one part: of rho (1, x, x x^T) and of sigma rho (v, x v^T, |v|^2)."""

    mass: sympy.Expr
    first: Vector
    second: Matrix
    momentum: Vector
    mixed: Matrix
    energy: sympy.Expr

    @staticmethod
    def zero() -> _Sums:
        none = (ZERO, ZERO, ZERO)
        square = (none, none, none)
        return _Sums(ZERO, none, square, none, square, ZERO)

    def plus(self, other: _Sums) -> _Sums:
        return _Sums(
            self.mass + other.mass,
            add(self.first, other.first),
            _sum(self.second, other.second),
            add(self.momentum, other.momentum),
            _sum(self.mixed, other.mixed),
            self.energy + other.energy,
        )


def _own_sums(one: Part) -> _Sums:
    """The integrals in the part's own coordinates."""
    d, rho = one.domain, one.density
    first = _three([integral(d, rho * x) for x in X])
    upper = {(i, j): integral(d, rho * X[i] * X[j]) for i in range(3) for j in range(i, 3)}
    second = _square([[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)])
    moving = one.moving * rho
    v = one.velocity
    return _Sums(
        integral(d, rho),
        first,
        second,
        _three([integral(d, moving * c) for c in v]),
        _square([[integral(d, moving * x * c) for c in v] for x in X]),
        integral(d, moving * dot(v, v)),
    )


def _carried(one: Part, own: _Sums) -> _Sums:
    """The integrals in the body's frame: places R x + p, velocities D x + d + R v.

    D and d are the rates of R and p: what carries the part along.
    """
    R, p, D, d = one.rotation, one.at, _rates(one.rotation), _rate(one.at)
    m, h, S, g, W = own.mass, own.first, own.second, own.momentum, own.mixed
    Rh, Rg = apply(R, h), apply(R, g)
    drift = add(apply(D, h), scale(m, d))
    RS = multiply(R, S)
    second = _sum(multiply(RS, transpose(R)), _outer(Rh, p), _outer(p, Rh), _outer(scale(m, p), p))
    mixed = _sum(
        multiply(RS, transpose(D)), _outer(Rh, d), _outer(p, drift),  # carried along
        multiply(multiply(R, W), transpose(R)), _outer(p, Rg),  # moving against the rest
    )  # fmt: skip
    energy = (
        _trace(multiply(multiply(D, S), transpose(D))) + 2 * dot(d, apply(D, h)) + m * dot(d, d)
        + 2 * (_trace(multiply(multiply(transpose(D), R), transpose(W))) + dot(d, Rg))
        + own.energy
    )  # fmt: skip
    return _Sums(m, add(Rh, scale(m, p)), second, add(drift, Rg), mixed, energy)


def _tidy(value: sympy.Expr) -> sympy.Expr:
    """The shorter of an entry and its form by sin^2 + cos^2 = 1; long ones are left alone."""
    if not value.has(sympy.sin, sympy.cos) or value.count_ops() > _MOST_OPERATIONS:
        return value
    short = sympy.expand(value)
    for sine in sorted(short.atoms(sympy.sin), key=sympy.default_sort_key):
        cosine = sympy.cos(sine.args[0])
        for power in sorted(short.atoms(sympy.Pow), key=sympy.default_sort_key):
            if power.base == sine and power.exp.is_Integer and power.exp > 1:
                n = int(power.exp)
                short = short.subs(power, (1 - cosine**2) ** (n // 2) * sine ** (n % 2))
        short = sympy.expand(short)
    short = sympy.factor_terms(short)
    return short if short.count_ops() < value.count_ops() else value


def _three(v: Sequence[sympy.Expr]) -> Vector:
    return v[0], v[1], v[2]


def _square(m: Sequence[Sequence[sympy.Expr]]) -> Matrix:
    return _three(m[0]), _three(m[1]), _three(m[2])


def _rate(v: Vector) -> Vector:
    return rate(v[0]), rate(v[1]), rate(v[2])


def _rates(m: Matrix) -> Matrix:
    return _rate(m[0]), _rate(m[1]), _rate(m[2])


def _outer(a: Vector, b: Vector) -> Matrix:
    return scale(a[0], b), scale(a[1], b), scale(a[2], b)


def _trace(m: Matrix) -> sympy.Expr:
    return m[0][0] + m[1][1] + m[2][2]


def _sum(*matrices: Matrix) -> Matrix:
    total = matrices[0]
    for m in matrices[1:]:
        total = add(total[0], m[0]), add(total[1], m[1]), add(total[2], m[2])
    return total
