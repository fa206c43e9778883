"""Whether any body has the given Phi(t), psi(t) and nu(t): Theorem 1 and the least energy.

    f(Phi) >= 0,    nu >= tr(Y f^-1 Y^T),    Y = [W^T p]

The first is Theorem 1 for measures. The second is Cauchy-Schwarz for the relative motion, (int
sigma rho v (x, 1)) against (int sigma rho |v|^2) and (int rho (x, 1)(x, 1)^T), with sigma <= 1;
equivalently, the kinetic energy of the body is not negative for any twist. Moments of a
distribution fulfil both by construction; numbers given by hand need not.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy.core.function import AppliedUndef

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.algebra.float64 import ARRAYS
from symdyn.algebra.sympy_ import SYMPY
from symdyn.mass.consistency import Mode, theorem_1
from symdyn.mass.coordinates import TIME, ZERO, Matrix, Vector, replace
from symdyn.mass.sampling import nodes, put, rational, shown, unfold, values_at
from symdyn.mass.zero import decide_zero, freeze
from symdyn.spatial.inertia import as_phi, pseudo_inertia

Array = NDArray[np.float64]
#: Eigenvalues of f that are zero up to rounding, relative to the largest: rods and points.
ROUNDING = 1e-9
#: Longest expressions whose signs are looked for without numbers.
_MOST_OPERATIONS = 300
_EXPECTED = "f(Phi) >= 0 and nu >= tr(Y f^-1 Y^T), which every body has"


def scaled_pseudo_inertia(phi: Array) -> tuple[Array, Array]:
    """f in the body's own unit of length, [times, 4, 4], and that unit [times].

    Parameters
    ----------
    phi : [10, times]
    """
    f = np.moveaxis(np.array(pseudo_inertia(ARRAYS, as_phi(list(phi)))), -1, 0)
    second = np.abs(f[:, 0, 0]) + np.abs(f[:, 1, 1]) + np.abs(f[:, 2, 2])
    mass = np.abs(f[:, 3, 3])
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = np.sqrt(second / mass)
    unit = np.where(np.isfinite(unit) & (unit > 0), unit, 1.0)
    scale = np.stack([unit, unit, unit, np.ones_like(unit)], axis=1)
    return f / (scale[:, :, None] * scale[:, None, :]), unit


def first_impossible(phi: Array, psi: Array, nu: Array) -> tuple[int, str] | None:
    """The first of several times at which no body has these numbers, and why.

    Parameters
    ----------
    phi, psi, nu : [10, times], [12, times], [times]

    Returns
    -------
    its index and what is wrong; None if every time is possible up to rounding
    """
    numbers = np.concatenate((phi, psi, nu[None]))
    finite = np.all(np.isfinite(numbers), axis=0)
    good = np.where(finite, numbers, 0.0)
    f, unit = scaled_pseudo_inertia(good[:10])
    values, vectors = np.linalg.eigh(f)
    largest = np.max(np.abs(values), axis=1)
    is_negative = values[:, 0] < -ROUNDING * largest
    p, W = good[10:13], good[13:22].reshape(3, 3, -1)  # W[i, j] is int sigma rho x_j v_i
    Y = np.concatenate((W / unit, p[:, None]), axis=1)
    along = np.einsum("ijn,njk->ikn", Y, vectors)
    # a little less than the least energy, so that rounding refuses nothing
    weights = np.maximum(values, 0.0) + ROUNDING * largest[:, None] + 1e-300
    least = np.einsum("ikn,nk->n", along**2, 1 / weights)
    is_slow = good[22] < least * (1 - ROUNDING)
    bad = np.flatnonzero(~finite | is_negative | is_slow)
    if not len(bad):
        return None
    k = int(bad[0])
    if not finite[k]:
        return k, "numbers that are not finite"
    if is_negative[k]:
        if good[0, k] < 0:
            return k, f"the mass {good[0, k]:.6g}"
        return k, "an f(Phi) with a negative eigenvalue"
    return k, f"nu = {good[22, k]:.6g}, where the relative momentum alone takes {least[k]:.6g}"


def require_possible(
    phi: Sequence[sympy.Expr],
    psi: Sequence[sympy.Expr],
    nu: sympy.Expr,
    values: Mapping[sympy.Expr, sympy.Expr],
    times: tuple[sympy.Expr, sympy.Expr],
    where: str,
) -> None:
    """Refuse moments that no body has.

    Parameters
    ----------
    values : of symbols and of functions of time, as far as known
    times : looked at are many times of this interval if all has numbers, else signs by assumptions

    Raises
    ------
    InputError : f(Phi) is not >= 0, or nu is less than the least energy; with the time if it has
        one
    """
    known = [put(e, values) for e in (*phi, *psi, nu)]
    if any(e.free_symbols - {TIME} or e.atoms(AppliedUndef) for e in known):
        _require_by_signs([freeze(e) for e in known], where)
        return
    u = unfold(None, values, times)
    grid, numbers = nodes(u.letters)
    try:
        found = values_at([u.on(e) for e in known], dict(zip(u.letters, numbers, strict=True)))
    except UnsupportedError:
        return
    bad = first_impossible(found[:10], found[10:22], found[22])
    if bad is not None:
        k, what = bad
        node = grid[k] if k < len(grid) else tuple(rational(float(c)) for c in numbers[:, k])
        t = replace(u.on(TIME), dict(zip(u.letters, node, strict=True)))
        raise _refusal(where, f"{what} at t = {shown(t)}")


def _require_by_signs(known: Sequence[sympy.Expr], where: str) -> None:
    """With symbols: refuse what their assumptions already exclude."""
    if sum(e.count_ops() for e in known) > _MOST_OPERATIONS:
        return
    phi, psi, nu = known[:10], known[10:22], known[22]
    verdict = theorem_1(phi, Mode.MEASURE)
    if verdict.is_consistent is False:
        raise _refusal(where, verdict.reason)
    if all(e == 0 for e in psi):
        short = nu
    else:
        try:
            short = sympy.factor(nu - least_energy(phi, psi))
        except InputError:  # f is singular
            return
    if short.is_negative:
        raise _refusal(where, f"nu less than that by {-short}")


def _refusal(where: str, got: str) -> InputError:
    return InputError("no body has these moments", where=where, expected=_EXPECTED, got=got)


# -- the least energy, in expressions --------------------------------------------------------------


def mixed_moment(psi: Sequence[sympy.Expr]) -> Matrix:
    """W = int sigma rho x v^T."""
    twelve(psi, "mixed_moment")
    a, b, c = ((psi[3 + j], psi[6 + j], psi[9 + j]) for j in range(3))
    return a, b, c


def least_energy(phi: Sequence[sympy.Expr], psi: Sequence[sympy.Expr]) -> sympy.Expr:
    """tr(Y f^-1 Y^T), Y = [W^T p]: no relative motion with this psi has a smaller nu.

    It is reached by the affine flow of `affine_flow`, all of the mass moving, and by nothing else
    (Cauchy-Schwarz); equivalently, the kinetic energy of the body is >= 0 for all twists.

    Raises
    ------
    InputError : f is singular
    """
    flow = affine_flow(phi, psi)
    W, p = mixed_moment(psi), psi[:3]
    total = ZERO
    for i, (row, offset) in enumerate(flow):
        for j in range(3):
            total += row[j] * W[j][i]
        total += offset * p[i]
    return sympy.factor_terms(total)


def affine_flow(
    phi: Sequence[sympy.Expr], psi: Sequence[sympy.Expr]
) -> tuple[tuple[Vector, sympy.Expr], ...]:
    """Rows (A_i, b_i) of the flow v = A x + b that has this psi: [A b] = Y f^-1, Y = [W^T p].

    With it every C^1 path Phi(t) inside the cone, m constant, and every ell(t) is the motion of
    some closed body.

    Raises
    ------
    InputError : f is singular (rods, points): there the flow is not unique
    """
    f = sympy.Matrix(pseudo_inertia(SYMPY, as_phi(list(phi))))
    determinant = cast("sympy.Expr", f.det(method="berkowitz"))
    if decide_zero(determinant).holds:
        raise InputError(
            "f(Phi) is singular", where="affine_flow", expected="an extended body", got="det f = 0"
        )
    W, p = mixed_moment(psi), psi[:3]
    Y = sympy.Matrix([[*(W[j][i] for j in range(3)), p[i]] for i in range(3)])
    flow = (Y * f.adjugate() / determinant).tolist()
    return tuple(((row[0], row[1], row[2]), row[3]) for row in flow)


def twelve(psi: Sequence[sympy.Expr], where: str) -> None:
    """Raise SizeError unless psi has twelve entries."""
    if len(psi) != 12:
        raise SizeError(where, "psi", 12, len(psi))
