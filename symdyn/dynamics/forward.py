"""Forward dynamics: factorised mass matrix, and the articulated-body algorithm."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.crba import mass_matrix
from symdyn.dynamics.rnea import bias_force
from symdyn.model.over import Model


def coupling_pattern(model: Model[S]) -> list[list[bool]]:
    """Entries of M that can differ from zero: their joints lie on one path to the base."""
    n = model.n
    pattern = [[i == j for j in range(n)] for i in range(n)]
    for link in model.links:
        j = link.parent
        while j >= 0:
            a, b = link.coordinate, model.links[j].coordinate
            pattern[a][b] = pattern[b][a] = True
            j = model.links[j].parent
    return pattern


def solve_mass(model: Model[S], M: Sequence[Sequence[S]], b: Sequence[S]) -> list[S]:
    """Solve M x = b for a symmetric positive definite M by M = L'DL, without square roots.

    Elimination runs from the last coordinate to the first: for a tree that makes no fill-in, so the
    cost is that of the branches. A positive definite M needs no pivoting, and no pivot vanishes for
    any pose. Source: Featherstone 2008, table 6.3.

    Parameters
    ----------
    M : (n, n); entries outside `coupling_pattern` are not read
    b : (n,)

    Returns
    -------
    x : (n,)
    """
    n = model.n
    one = model.algebra.const(1)
    pattern = coupling_pattern(model)
    H = [list(row) for row in M]
    L: list[dict[int, S]] = [{} for _ in range(n)]
    inverse: list[S] = [one] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = one / H[k][k]
        below = [i for i in range(k) if pattern[k][i]]
        for i in below:
            L[k][i] = H[k][i] * inverse[k]
        for a, i in enumerate(below):
            for j in below[: a + 1]:
                step = L[k][i] * H[k][j]
                H[i][j] = H[i][j] - step if pattern[i][j] else -step
                pattern[i][j] = pattern[j][i] = True
    x = list(b)
    for k in range(n - 1, -1, -1):
        for i, factor in L[k].items():
            x[i] = x[i] - factor * x[k]
    for k in range(n):
        x[k] = x[k] * inverse[k]
        for i, factor in L[k].items():
            x[k] = x[k] - factor * x[i]
    return x


def forward_dynamics(
    model: Model[S], q: Sequence[S], qd: Sequence[S], tau: Sequence[S], theta: Sequence[S]
) -> list[S]:
    """Accelerations qdd with M qdd + C qd + g = tau; friction is apart.

    Parameters
    ----------
    q, qd, tau : (n,) [rad | m, per s, N m | N]
    theta : (10N,) in the order of equation (7)

    Returns
    -------
    qdd : (n,) [rad/s^2 | m/s^2]; not finite where M(q) is singular

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    O(N depth^2) with a small constant; `articulated_body` is O(N).
    """
    check_coordinates("forward_dynamics", model, q=q, qd=qd, tau=tau)
    check_theta("forward_dynamics", model, theta)
    bias = bias_force(model, q, qd, theta)
    right = [tau[k] - bias[k] for k in range(model.n)]
    return solve_mass(model, mass_matrix(model, q, theta), right)
