"""Uniform consistency and upper boundedness of Phi(t): certified extremes of the eigenvalues of f.

Definition 3 asks for inf_t lambda_min(f(Phi(t))) > 0 and sup_t lambda_max(f(Phi(t))) < infinity.
Both are enclosed here over an interval of time by branch and bound with outward rounded intervals.
On a piece T with middle c, and V the eigenvectors of f(c) in doubles, the matrix V^T f(t) V lies in
the mean value form G(c) + G'(T) (T - c); if G - lambda V^T V has an interval Cholesky factor,
lambda_min exceeds lambda on all of T. The other side is a Rayleigh quotient at one time. Nothing
rests on V: a bad V only makes the pieces smaller.

Where the enclosure of the infimum holds zero, the verdict is sought beyond it: a time at which f is
exactly singular refutes (`singular_times`), and a bound above half of the smallest value seen,
however small, proves. What is left is said to be unknown.

The numbers depend on the frame and on the unit of length, since f mixes kg, kg m and kg m^2;
whether they are positive and finite does not. ``length`` divides lengths: f_s = D^-1 f D^-1 with
D = diag(s, s, s, 1).
"""

# SymPy's and python-flint's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np
import sympy
from numpy.typing import NDArray

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.interval import Interval, IntervalAlgebra
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import Term, lift
from symdyn.expr.verdict import Json, Verdict, VerdictKind
from symdyn.mass.coordinates import TIME, Number, exact, positive, rate
from symdyn.mass.pseudo_inertia import pseudo_inertia
from symdyn.mass.singular_times import singular_time
from symdyn.mass.terms import terms_of
from symdyn.spatial.inertia import as_phi

_BITS = 80
_INTERVALS = IntervalAlgebra(_BITS)
#: Most pieces that the interval of time is cut into.
_MOST_PIECES = 20000
#: Values below this part of the largest entry are not told from zero in that many bits.
_INDISTINCT = Fraction(1, 2**60)
_CLAIM = "inf over t of lambda_min(f(Phi(t))) > 0"

_Matrix = list[list[Interval]]


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A real number and how closely it is known: lo <= value <= hi, both rigorous.

    Attributes
    ----------
    lo, hi : exact binary fractions
    at : a time near which the value is taken [s]
    """

    lo: Fraction
    hi: Fraction
    at: Fraction


@dataclass(frozen=True, slots=True)
class UniformBounds:
    """Definition 3 over an interval of time.

    Attributes
    ----------
    smallest : inf over t of lambda_min(f)
    largest : sup over t of lambda_max(f)
    times : the interval [s]
    for_all_times : the entries repeat with a period that the interval covers
    length : the unit of length s in f_s [m]
    pieces : into how many pieces the interval was cut
    consistency : whether the infimum is above zero; refuted with the time at which f is singular
        or has a negative eigenvalue
    """

    smallest: Enclosure
    largest: Enclosure
    times: tuple[Fraction, Fraction]
    for_all_times: bool
    length: Fraction
    pieces: int
    consistency: Verdict

    @property
    def is_uniformly_consistent(self) -> bool | None:
        """Whether inf lambda_min > 0; None where ``consistency`` is unknown."""
        match self.consistency.kind:
            case VerdictKind.PROVED:
                return True
            case VerdictKind.REFUTED:
                return False
            case _:
                return None


def uniform_bounds(
    phi: Sequence[sympy.Expr],
    times: tuple[Number, Number] | None = None,
    *,
    length: Number = 1,
    tolerance: float = 1e-6,
) -> UniformBounds:
    """Certified inf lambda_min(f(Phi(t))) and sup lambda_max(f(Phi(t))).

    Parameters
    ----------
    phi : [10] expressions in t alone
    times : the interval; None for one period, which then stands for all times
    length : unit of length [m]
    tolerance : width of the enclosures, relative to the largest eigenvalue

    Raises
    ------
    InputError : a parameter other than t; no interval and no period
    UnsupportedError : no enclosure of an entry (a pole), or more than 20,000 pieces
    """
    others = {s for e in phi for s in e.free_symbols} - {TIME}
    if others:
        raise InputError(
            "Phi has parameters besides t",
            where="uniform_bounds",
            got=", ".join(sorted(str(s) for s in others)),
            remedy="Put numbers in with MassMoments.put.",
        )
    if times is None:
        start, end = Fraction(0), period(phi)
        ends = (_rational(start), _rational(end))
    else:
        ends = (exact(times[0], "times"), exact(times[1], "times"))
        start, end = _fraction(ends[0], 0), _fraction(ends[1], 1)
        if start >= end:
            raise InputError("an interval of time is empty", where="uniform_bounds", got=str(times))
    s = positive(length, "length", "uniform_bounds")
    f = pseudo_inertia(SYMPY, as_phi(list(phi)))
    scaled = [[f[i][j] / (s ** ((i < 3) + (j < 3))) for j in range(4)] for i in range(4)]
    path = _Path(scaled)
    with _INTERVALS.scope():
        low, count = _infimum(path, 1, start, end, tolerance)
        high, more = _infimum(path, -1, start, end, tolerance)
        consistency, low = _consistency(phi, path, low, (start, end), ends)
    return UniformBounds(
        low,
        Enclosure(-high.hi, -high.lo, high.at),
        (start, end),
        times is None,
        _fraction(s, 0),
        count + more,
        consistency,
    )


def _consistency(
    phi: Sequence[sympy.Expr],
    path: _Path,
    low: Enclosure,
    span: tuple[Fraction, Fraction],
    ends: tuple[sympy.Expr, sympy.Expr],
) -> tuple[Verdict, Enclosure]:
    """The verdict on the infimum, and its enclosure, closer if that is what proved it."""
    method = "branch and bound in outward rounded intervals"
    if low.lo > 0:
        return Verdict(VerdictKind.PROVED, _CLAIM, method=method), low
    # an end that was rounded outward lies outside of what was asked for
    if low.hi <= 0 and not any(
        low.at == rounded and _rational(rounded) != end
        for rounded, end in zip(span, ends, strict=True)
    ):
        seen: dict[str, Json] = {"t": str(low.at), "lambda_min at most": float(low.hi)}
        return Verdict(VerdictKind.REFUTED, _CLAIM, witness=seen, method=method), low
    found = singular_time(phi, *ends, low.at)
    if found is not None:
        where: dict[str, Json] = {"t": found.text, "near": found.near, "det f": 0}
        verdict = Verdict(VerdictKind.REFUTED, _CLAIM, witness=where, method="exact zero of det f")
        return verdict, low
    closer = _closer(path, *span, low)
    if closer.lo > 0:
        return Verdict(VerdictKind.PROVED, _CLAIM, method=method), closer
    detail = (
        f"the smallest value seen is {float(closer.hi):.3g} near t = {float(closer.at):.9g} s; no "
        "exact zero was found there, and no bound above zero"
    )
    return Verdict(VerdictKind.UNKNOWN, _CLAIM, detail, method=method), closer


def _rational(value: Fraction) -> sympy.Expr:
    return sympy.Rational(value.numerator, value.denominator)


def period(values: Sequence[sympy.Expr]) -> Fraction:
    """A time after which all values repeat, rounded up: sines and cosines of rational multiples.

    Raises
    ------
    InputError : t occurs outside of sines and cosines, or the frequencies have no common measure
    """
    waves = [f for e in values for f in e.atoms(sympy.sin, sympy.cos)]
    rates = {rate(cast("sympy.Expr", f.args[0])) for f in waves}
    letters = cast("dict[sympy.Basic, sympy.Basic]", {f: sympy.Dummy("w") for f in waves})
    if any(e.xreplace(letters).has(TIME) for e in values) or any(r.has(TIME) for r in rates):
        raise InputError(
            "Phi does not repeat",
            where="uniform_bounds",
            expected="sines and cosines of multiples of t only, or an interval of time",
        )
    moving = sorted((r for r in rates if r != 0), key=sympy.default_sort_key)
    if not moving:
        return Fraction(1)
    ratios = [sympy.cancel(r / moving[0]) for r in moving]
    if not all(r.is_Rational for r in ratios):
        raise InputError(
            "the frequencies of Phi have no common measure",
            where="uniform_bounds",
            got=", ".join(str(r) for r in moving),
            remedy="Give an interval of time.",
        )
    turns = sympy.ilcm(*(r.q for r in ratios)) if len(ratios) > 1 else 1
    whole = abs(2 * sympy.pi * turns / moving[0])
    return _fraction(whole, 1)


def _fraction(value: sympy.Expr, up: int) -> Fraction:
    """A rational as it is; another number rounded outward to 80 bits (down for ``up`` 0)."""
    if isinstance(value, sympy.Rational):
        return Fraction(int(value.p), int(value.q))
    with _INTERVALS.scope():
        return lift(terms_of([value]), _INTERVALS)[0].bounds()[up]


class _Path:
    """f(t) and f'(t) as terms, evaluated at a time, on an interval of time, or in doubles."""

    def __init__(self, f: Sequence[Sequence[sympy.Expr]]) -> None:
        entries = [f[i][j] for i in range(4) for j in range(i, 4)]
        self._values = terms_of(entries)
        self._rates = terms_of([rate(e) for e in entries])

    def values(self, at: Interval) -> _Matrix:
        return _symmetric(_lifted(self._values, at))

    def rates(self, on: Interval) -> _Matrix:
        return _symmetric(_lifted(self._rates, on))


def _lifted(terms: Sequence[Term], t: Interval) -> list[Interval]:
    found = lift(terms, _INTERVALS, {TIME.name: t})
    if not all(v.is_bounded for v in found):
        raise UnsupportedError(
            "uniform_bounds: an entry of Phi has no finite enclosure on a piece of the interval "
            "(a pole, or a root of what may be negative)."
        )
    return found


def _infimum(
    path: _Path, sign: int, start: Fraction, end: Fraction, tolerance: float
) -> tuple[Enclosure, int]:
    """inf over [start, end] of lambda_min(sign * f), and the number of pieces."""
    best = min(_upper(path, sign, t) for t in (start, end, (start + end) / 2))
    slack = Fraction(float(_scale(path, start, end)) * tolerance)
    bound, best, done = _exceeding(path, sign, start, end, best, lambda value: value - slack)
    if bound is None:
        raise UnsupportedError(
            f"uniform_bounds: more than {_MOST_PIECES} pieces; ask for less with tolerance."
        )
    return Enclosure(bound, *best), done


def _closer(path: _Path, start: Fraction, end: Fraction, low: Enclosure) -> Enclosure:
    """The infimum of lambda_min(f), enclosed above zero if that succeeds."""
    least = _scale(path, start, end) * _INDISTINCT
    bound, best, _ = _exceeding(
        path, 1, start, end, (low.hi, low.at), lambda value: value / 2 if value > least else None
    )
    return Enclosure(low.lo if bound is None else bound, *best)


def _scale(path: _Path, start: Fraction, end: Fraction) -> Fraction:
    """Largest entry of f at three times; 1 if f is zero at all of them."""
    times = (start, (start + end) / 2, end)
    entries = [e for t in times for row in path.values(_point(t)) for e in row]
    return max(max(map(abs, e.bounds())) for e in entries) or Fraction(1)


def _exceeding(
    path: _Path,
    sign: int,
    start: Fraction,
    end: Fraction,
    best: tuple[Fraction, Fraction],
    level: Callable[[Fraction], Fraction | None],
) -> tuple[Fraction | None, tuple[Fraction, Fraction], int]:
    """A lower bound of lambda_min(sign * f), the smallest value seen and when, and the pieces.

    Parameters
    ----------
    best : a value that is taken, and when
    level : the bound to reach for the smallest value seen, growing with it; None gives up
    """
    pieces = [(start, end)]
    done = 0
    while pieces:
        low, high = pieces.pop()
        done += 1
        middle = (low + high) / 2
        best = min(best, _upper(path, sign, middle))
        bound = level(best[0])
        if bound is None or done > _MOST_PIECES:
            return None, best, done
        if not _exceeds(path, sign, low, high, bound):
            pieces.extend(((low, middle), (middle, high)))
    # every piece exceeds the level of some earlier value, and values only fell since
    return level(best[0]), best, done


def _upper(path: _Path, sign: int, t: Fraction) -> tuple[Fraction, Fraction]:
    """A rigorous upper bound of lambda_min(sign * f(t)): a Rayleigh quotient."""
    f = path.values(_point(t))
    v = [_INTERVALS.const(Fraction(float(x))) for x in _vectors(f, sign)[:, 0]]
    top, bottom = _INTERVALS.const(0), _INTERVALS.const(0)
    for i in range(4):
        bottom = bottom + v[i] * v[i]
        for j in range(4):
            top = top + v[i] * f[i][j] * v[j]
    quotient = top / bottom
    low, high = quotient.bounds()
    return (high if sign > 0 else -low), t


def _exceeds(path: _Path, sign: int, low: Fraction, high: Fraction, level: Fraction) -> bool:
    """Whether lambda_min(sign * f) > level on all of [low, high], certainly."""
    middle = (low + high) / 2
    f = path.values(_point(middle))
    slope = path.rates(_INTERVALS.between(low, high))
    half = (high - low) / 2
    step = _INTERVALS.between(-half, half)
    V = [[_INTERVALS.const(Fraction(float(x))) for x in row] for row in _vectors(f, sign)]
    here, rates = _congruence(V, f), _congruence(V, slope)
    gram = _gram(V)
    shift, factor = _INTERVALS.const(level), _INTERVALS.const(sign)
    G = [
        [factor * (here[i][j] + rates[i][j] * step) - shift * gram[i][j] for j in range(4)]
        for i in range(4)
    ]
    return _is_definite(G)


def _is_definite(G: _Matrix) -> bool:
    """Whether every symmetric matrix inside is positive definite: interval Cholesky."""
    n = len(G)
    for k in range(n):
        pivot = G[k][k]
        if not (pivot.is_bounded and pivot.lo > 0):
            return False
        for i in range(k + 1, n):
            ratio = G[i][k] / pivot
            for j in range(i, n):
                G[i][j] = G[i][j] - ratio * G[j][k]
                G[j][i] = G[i][j]
    return True


def _vectors(f: _Matrix, sign: int) -> NDArray[np.float64]:
    """Eigenvectors of sign * f in doubles, ascending."""
    middle = np.array([[float((e.lo + e.hi) / 2) for e in row] for row in f])
    return np.linalg.eigh(sign * middle)[1]


def _congruence(V: _Matrix, F: _Matrix) -> _Matrix:
    half = [[_sum(F[i][k] * V[k][j] for k in range(4)) for j in range(4)] for i in range(4)]
    return [[_sum(V[k][i] * half[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def _gram(V: _Matrix) -> _Matrix:
    return [[_sum(V[k][i] * V[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def _sum(values: Iterable[Interval]) -> Interval:
    total = _INTERVALS.const(0)
    for value in values:
        total = total + value
    return total


def _symmetric(upper: Sequence[Interval]) -> _Matrix:
    """A symmetric matrix from its upper triangle by rows."""
    full: _Matrix = [[upper[0]] * 4 for _ in range(4)]
    entries = iter(upper)
    for i in range(4):
        for j in range(i, 4):
            full[i][j] = full[j][i] = next(entries)
    return full


def _point(t: Fraction) -> Interval:
    return _INTERVALS.const(t)
