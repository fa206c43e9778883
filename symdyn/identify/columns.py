"""A friction law at many points: forces, derivatives by parameters, columns of linear parameters.

Everything comes from the law's one definition, run over dual numbers of arrays: a point per row, a
direction per column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.friction.law import FrictionLaw

_DUALS = DualAlgebra(ARRAYS)


def steady_force(
    law: FrictionLaw,
    values: Mapping[str, float],
    v: Array,
    signals: Mapping[str, Array] | None = None,
) -> Array:
    """Steady friction at the velocities v.

    Parameters
    ----------
    law : any law
    values : of its parameters
    v : (m,) [rad/s]
    signals : (m,) each, by name

    Returns
    -------
    F : (m,) [N m]
    """
    p = {name: np.asarray(float(value)) for name, value in values.items()}
    with ARRAYS.scope():
        F = law.steady(ARRAYS, v, (), dict(signals or {}), p)
    return np.broadcast_to(F, v.shape).copy()


def steady_gradient(
    law: FrictionLaw,
    values: Mapping[str, float],
    names: Sequence[str],
    v: Array,
    signals: Mapping[str, Array] | None = None,
) -> tuple[Array, Array]:
    """Steady friction and its derivatives by some parameters.

    Parameters
    ----------
    law, values, v, signals : as in `steady_force`
    names : (k,) parameters to differentiate by

    Returns
    -------
    F : (m,)
    dF : (m, k)
    """
    none = np.zeros(len(names))
    p: dict[str, Dual[Array]] = {}
    for name, value in values.items():
        direction = none.copy()
        if name in names:
            direction[list(names).index(name)] = 1.0
        p[name] = Dual(np.asarray(float(value)), direction)
    u = {name: Dual(x[:, None], none) for name, x in (signals or {}).items()}
    with _DUALS.scope():
        F = law.steady(_DUALS, Dual(v[:, None], none), (), u, p)
    shape = (v.shape[0], len(names))
    value = np.broadcast_to(F.value, (v.shape[0], 1))[:, 0].copy()
    return value, np.broadcast_to(F.rate, shape).copy()


def linear_columns(
    law: FrictionLaw,
    linear: Sequence[str],
    others: Mapping[str, float],
    v: Array,
    signals: Mapping[str, Array] | None = None,
) -> tuple[Array, Array]:
    """Columns of the parameters in which the steady friction is linear.

    Parameters
    ----------
    linear : (k,) names; all other parameters have their value in ``others``

    Returns
    -------
    rest : (m,) friction with the linear parameters at zero
    columns : (m, k) with F = rest + columns @ coefficients
    """
    values = {**others, **dict.fromkeys(linear, 0.0)}
    return steady_gradient(law, values, linear, v, signals)


def columns_of_many(
    law: FrictionLaw,
    linear: Sequence[str],
    others: Mapping[str, Array],
    v: Array,
    signals: Mapping[str, Array] | None = None,
) -> tuple[Array, Array]:
    """As `linear_columns`, for many values of the other parameters at once.

    Parameters
    ----------
    linear : (k,) names
    others : (g,) values of each other parameter

    Returns
    -------
    rest : (g, m)
    columns : (g, m, k)

    Notes
    -----
    A column is what one unit adds: exact to rounding of the rest, enough for a search.
    """
    p = {name: x[:, None] for name, x in others.items()}
    zero, one = np.asarray(0.0), np.asarray(1.0)
    none = dict.fromkeys(linear, zero)
    shape = (next(iter(others.values())).size, v.size)

    def force(values: Mapping[str, Array]) -> Array:
        with ARRAYS.scope():
            F = law.steady(ARRAYS, v, (), dict(signals or {}), {**p, **values})
        return np.broadcast_to(F, shape)

    rest = force(none)
    columns = np.empty((*shape, len(linear)))
    with np.errstate(all="ignore"):
        for k, name in enumerate(linear):
            columns[:, :, k] = force({**none, name: one}) - rest
    return rest, columns


def column_sizes(
    law: FrictionLaw,
    linear: Sequence[str],
    others: Mapping[str, float],
    v: Array,
    signals: Mapping[str, Array] | None = None,
) -> Array:
    """(k,) largest entry of each column at any speed up to the largest of ``v``.

    A column far below this size at the points themselves does not act at them: the exponential of
    Stribeck's curve at high speeds only.
    """
    factors = np.geomspace(1e-4, 1.0, 41)
    everywhere = (v * factors[:, None]).ravel()
    repeated = {name: np.tile(x, factors.size) for name, x in (signals or {}).items()}
    _, columns = linear_columns(law, linear, others, everywhere, repeated)
    return np.max(np.abs(columns), axis=0, initial=0.0)
