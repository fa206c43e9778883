"""From a mass distribution to what the equations of motion need: Phi, nu, psi and their rates.

    Phi = (m, h, I)                       eq. (7), (8); I about the frame origin
    nu  = int sigma rho |v|^2             eq. (25)
    psi = int sigma rho (1; A(x)) v       eq. (27): psi[0:3] = p = int sigma rho v,
                                          psi[3+3i+j] = W[j,i] = int sigma rho x_j v_i
    mu  = Q psi = (p; ell)                the six that act; ell = int sigma rho x cross v

The integrals are taken in each part's own coordinates and carried into the body's frame by the
linear maps of `_carried`, over dual numbers, so that the rates come along by the product rule.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeAlias

import sympy

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.algebra.dual import Dual
from symdyn.algebra.protocol import S
from symdyn.mass.body import MassDistribution, Part, distribution
from symdyn.mass.coordinates import TIME, Matrix, Number, Vector, X, exact, rate
from symdyn.mass.domain import Domain
from symdyn.mass.integrate import integral
from symdyn.mass.sampling import put
from symdyn.spatial.momentum import acting_momentum
from symdyn.spatial.rotation import transpose
from symdyn.spatial.vector import Mat3, Vec3, add, apply, dot, multiply, scale

#: An integral and its rate.
Moving: TypeAlias = Dual[sympy.Expr]
#: Longest entry whose sines and cosines are combined.
_MOST_NODES = 200


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
    body : the distribution that they are the moments of; None if they were given
    """

    phi: tuple[sympy.Expr, ...]
    phi_dot: tuple[sympy.Expr, ...]
    nu: sympy.Expr
    psi: tuple[sympy.Expr, ...]
    psi_dot: tuple[sympy.Expr, ...]
    mu: tuple[sympy.Expr, ...]
    mu_dot: tuple[sympy.Expr, ...]
    body: MassDistribution | None = field(default=None, compare=False, repr=False)

    def put(self, values: Mapping[sympy.Expr, Number]) -> MassMoments:
        """The moments with values for symbols and expressions for functions of time put in.

        Raises
        ------
        InputError : a value for the time itself, which would make every rate zero; the body is not
            possible with these values, see `symdyn.mass.body.distribution`
        """
        if TIME in values:
            raise InputError(
                "the time is no parameter",
                where="MassMoments.put",
                remedy="Replace it in the single entries, after the rates have been taken.",
            )
        known = {key: exact(value, f"value of {key}") for key, value in values.items()}
        body = self.body
        if body is not None:
            body = distribution(*body.parts, values={**body.values, **known}, times=body.times)
        found = from_functions(
            [put(e, known) for e in self.phi],
            [put(e, known) for e in self.psi],
            put(self.nu, known),
        )
        return replace(found, body=body)

    @property
    def depends_on_time(self) -> bool:
        """Whether Phi changes or anything moves."""
        return any(e != 0 for e in (*self.phi_dot, *self.psi))


def from_functions(phi: Sequence[Number], psi: Sequence[Number], nu: Number) -> MassMoments:
    """Moments from Phi(t), psi(t), nu(t); the rates are their derivatives.

    Parameters
    ----------
    phi : [10] in the order of equation (7)
    psi : [12] in the order of equation (27)
    nu : twice the kinetic energy of the relative motion

    Raises
    ------
    SizeError : a vector has the wrong length
    InputError : a number that is not exact and real
    """
    for name, size, given in (("phi", 10, phi), ("psi", 12, psi)):
        if len(given) != size:
            raise SizeError("from_functions", name, size, len(given))
    phi = [exact(e, f"phi[{k}]") for k, e in enumerate(phi)]
    psi = [exact(e, f"psi[{k}]") for k, e in enumerate(psi)]
    nu = exact(nu, "nu")
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
    total = _carried(body.parts[0])
    for one in body.parts[1:]:
        total = total.plus(_carried(one))
    m, h, S = total.mass, total.first, total.second
    trace = _trace(S)
    phis = [
        m, *h, trace - S[0][0], trace - S[1][1], trace - S[2][2], -S[0][1], -S[1][2], -S[0][2],
    ]  # fmt: skip
    W = total.mixed
    psis = [*total.momentum, *(W[j][i] for i in range(3) for j in range(3))]
    (phi, phi_dot), (psi, psi_dot) = _split(phis), _split(psis)
    nu = _tidy(total.energy.value)
    return MassMoments(phi, phi_dot, nu, psi, psi_dot, momentum(psi), momentum(psi_dot), body)


def _split(
    numbers: Sequence[Moving],
) -> tuple[tuple[sympy.Expr, ...], tuple[sympy.Expr, ...]]:
    """Values and rates."""
    return tuple(_tidy(n.value) for n in numbers), tuple(_tidy(n.rate) for n in numbers)


def momentum(psi: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    """mu = (p; ell) = Q psi with the constant Q = diag(1, -S T) of body twists."""
    p, ell = acting_momentum(psi)
    return (*p, *(_tidy(e) for e in ell))


@dataclass(frozen=True, slots=True)
class _Sums:
    """Integrals of one part: of rho (1, x, x x^T) and of sigma rho (v, x v^T, |v|^2)."""

    mass: Moving
    first: Vec3[Moving]
    second: Mat3[Moving]
    momentum: Vec3[Moving]
    mixed: Mat3[Moving]
    energy: Moving

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
    """The integrals in the part's own coordinates.

    Raises
    ------
    UnsupportedError : names the part and its fields
    """
    try:
        return _integrated(one)
    except UnsupportedError as error:
        v = (
            ""
            if not any(one.velocity)
            else f", velocity ({', '.join(str(c) for c in one.velocity)})"
        )
        raise UnsupportedError(f"{one.name}: density {one.density}{v}: {error}") from error


def _integrated(one: Part) -> _Sums:
    d, rho = one.domain, one.density
    upper = {(i, j): _over(d, rho * X[i] * X[j]) for i in range(3) for j in range(i, 3)}
    moving = one.moving * rho
    v = one.velocity
    return _Sums(
        _over(d, rho),
        _three([_over(d, rho * x) for x in X]),
        _square([[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]),
        _three([_over(d, moving * c) for c in v]),
        _square([[_over(d, moving * x * c) for c in v] for x in X]),
        _over(d, moving * dot(v, v)),
    )


def _over(domain: Domain, field: sympy.Expr) -> Moving:
    return _moving(integral(domain, field))


def _moving(value: sympy.Expr) -> Moving:
    return Dual(value, rate(value))


def _carried(one: Part) -> _Sums:
    """The integrals in the body's frame: places R x + p, velocities D x + d + R v.

    D and d are the rates of R and p: what carries the part along.
    """
    own = _own_sums(one)
    R, p = _moving_matrix(one.rotation), _moving_vector(one.at)
    D = _moving_matrix(_rates(one.rotation))
    d = _moving_vector(_rate(one.at))
    m, h, S, g, W = own.mass, own.first, own.second, own.momentum, own.mixed
    Rh, Rg = apply(R, h), apply(R, g)
    drift = add(apply(D, h), scale(m, d))
    RS = multiply(R, S)
    second = _sum(multiply(RS, transpose(R)), _outer(Rh, p), _outer(p, Rh), _outer(scale(m, p), p))
    mixed = _sum(
        multiply(RS, transpose(D)), _outer(Rh, d), _outer(p, drift),  # carried along
        multiply(multiply(R, W), transpose(R)), _outer(p, Rg),  # moving against the rest
    )  # fmt: skip
    along = _trace(multiply(multiply(transpose(D), R), transpose(W))) + dot(d, Rg)
    carrying = dot(d, apply(D, h))
    energy = (
        _trace(multiply(multiply(D, S), transpose(D))) + (carrying + carrying) + m * dot(d, d)
        + (along + along) + own.energy
    )  # fmt: skip
    return _Sums(m, add(Rh, scale(m, p)), second, add(drift, Rg), mixed, energy)


def _size(value: sympy.Expr) -> int:
    """Number of nodes, counted up to a little over the limit."""
    return sum(1 for _ in islice(sympy.preorder_traversal(value), _MOST_NODES + 1))


def _tidy(value: sympy.Expr) -> sympy.Expr:
    """The shorter of an entry and its form by sin^2 + cos^2 = 1; long ones are left alone."""
    if not value.has(sympy.sin, sympy.cos) or _size(value) > _MOST_NODES:
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
    return short if _size(short) < _size(value) else value


def _three(v: Sequence[S]) -> Vec3[S]:
    return v[0], v[1], v[2]


def _square(m: Sequence[Sequence[S]]) -> Mat3[S]:
    return _three(m[0]), _three(m[1]), _three(m[2])


def _rate(v: Vector) -> Vector:
    return rate(v[0]), rate(v[1]), rate(v[2])


def _rates(m: Matrix) -> Matrix:
    return _rate(m[0]), _rate(m[1]), _rate(m[2])


def _moving_vector(v: Vector) -> Vec3[Moving]:
    return _moving(v[0]), _moving(v[1]), _moving(v[2])


def _moving_matrix(m: Matrix) -> Mat3[Moving]:
    return _moving_vector(m[0]), _moving_vector(m[1]), _moving_vector(m[2])


def _outer(a: Vec3[S], b: Vec3[S]) -> Mat3[S]:
    return scale(a[0], b), scale(a[1], b), scale(a[2], b)


def _trace(m: Mat3[S]) -> S:
    return m[0][0] + m[1][1] + m[2][2]


def _sum(*matrices: Mat3[S]) -> Mat3[S]:
    total = matrices[0]
    for m in matrices[1:]:
        total = add(total[0], m[0]), add(total[1], m[1]), add(total[2], m[2])
    return total
