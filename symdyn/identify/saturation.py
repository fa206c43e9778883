"""From where on an open parameter changes nothing: a bound without statistics.

A slope at zero that no point is near enough to show, for example: whatever its value beyond the
bound, no friction at the measured speeds changes by more than is asked.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from symdyn._errors import InputError
from symdyn.friction.law import Domain
from symdyn.identify.columns import steady_force
from symdyn.identify.projection import OFFSET
from symdyn.identify.steady import SteadyFit

_HALVINGS = 100
_FAR = 1e6


def saturation(fit: SteadyFit, name: str, change: float) -> float:
    """The last value of an open parameter that moves no point by more than ``change``.

    Parameters
    ----------
    fit : a fit in which the parameter is open; of the law a positive parameter, without signals
    name : of the parameter
    change : of the friction at any point [N m]

    Returns
    -------
    bound : from the open end up to here all values are alike, the others being held

    Raises
    ------
    InputError : the parameter is not open, or a change that is not positive
    """
    where = f"saturation of {name}"
    quantity = next((q for q in fit.law.parameters if q.name == name), None)
    estimate = next((e for e in fit.estimates if e.name == name), None)
    if quantity is None or estimate is None or quantity.domain is not Domain.POSITIVE:
        raise InputError("no positive parameter of the law", where=where)
    if estimate.is_identified or estimate.value is not None or fit.law.signals:
        raise InputError("the parameter is not open", where=where)
    if not change > 0:
        raise InputError("the change is not positive", where=where, got=repr(change))
    own = {n: x for n, x in fit.values.items() if n != OFFSET}
    start = fit.values[name]
    reference = steady_force(fit.law, own, fit.v)

    def moves(x: float) -> bool:
        F = steady_force(fit.law, {**own, name: x}, fit.v)
        return not float(np.max(np.abs(F - reference))) <= change

    upward = estimate.low is None
    inside, outside = start, start * (_FAR if upward else 1 / _FAR)
    if not moves(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = sqrt(inside * outside)
        if moves(middle):
            outside = middle
        else:
            inside = middle
    return inside
