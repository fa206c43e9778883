"""Compare one road's numbers of one function with the reference, state by state, entry by entry.

Judged is each entry against its tolerance. Shown is the largest error of a state's result in units
in the last place of its largest entry (see `record.MEASURE`): entries of a matrix or vector are
used together, and an entry that is nearly cancelled has no digits of its own to lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.crosscheck.record import Comparison
from symdyn.crosscheck.road import Answer

#: Beyond this tolerance relative to the largest entry, half of a double's digits are gone.
ILL_CONDITIONED = 2.0**-26

#: What the reference itself may be off, relative to the largest number of the function over all
#: states: an entry that is zero by structure on one road comes out of 50 digits as 1e-50, and the
#: two doubles that hold the reference keep 32 digits.
REFERENCE_NOISE = 1e-30


@dataclass(frozen=True, slots=True)
class Reference:
    """The 50-digit result of one function at some states, and what a road may be off.

    Attributes
    ----------
    high, low : (states, entries); their sum holds 32 digits
    tolerance : (states, entries) absolute error allowed; not finite where nothing can be promised
    kinds : kind of each state, for messages
    """

    high: Array
    low: Array
    tolerance: Array
    kinds: Sequence[str]


def compare(function: str, road: str, answer: Answer, reference: Reference) -> Comparison:
    """Judge a road's numbers.

    Parameters
    ----------
    function, road : names for the record
    answer : the road's numbers, for exactly the states of the reference
    reference : what is right, and the tolerance
    """
    high, tolerance, values = reference.high, reference.tolerance, answer.values
    if values.shape != high.shape:
        reason = f"{values.shape[1:]} numbers a state in place of {high.shape[1:]}"
        return Comparison(function, road, "failed", reason=reason)
    with np.errstate(all="ignore"):
        low = 0.0 if answer.low is None else answer.low
        error = np.abs((values - high) + (low - reference.low))
        # a road that has no number where the reference has one is off by infinity
        error = np.where(np.isfinite(values), error, np.inf)
        usable = np.all(np.isfinite(tolerance) & np.isfinite(high), axis=1)
        finite = np.abs(high[np.isfinite(high)])
        noise = REFERENCE_NOISE * float(np.max(finite, initial=1.0))
        rounded = np.isfinite(tolerance) & (high != 0)
        tolerance = np.where(rounded, np.maximum(tolerance, noise), tolerance)
        largest: Array = np.max(np.abs(high), axis=1, initial=0.0)
        sound = usable & (np.max(tolerance, axis=1, initial=0.0) <= ILL_CONDITIONED * largest)
        share = np.where(error == 0, 0.0, error / tolerance)
        share = np.where(usable[:, None], share, 0.0)
        # where the whole result is zero, an ulp is that of 1
        unit = np.spacing(np.where(usable & (largest > 0), largest, 1.0))
        ulps = np.where(sound, np.max(error, axis=1, initial=0.0) / unit, 0.0)
    count = int(np.sum(usable))
    if count == 0:
        return Comparison(
            function, road, "undecided", reason="no state at which a double has correct digits"
        )
    k, entry = np.unravel_index(int(np.argmax(share)), share.shape)
    differs = bool(share[k, entry] > 1)
    worst = k if differs else int(np.argmax(ulps))
    scale = largest[worst] if largest[worst] > 0 else 1.0
    error_ulps = float(error[k, entry] / unit[k]) if differs else float(ulps[worst])
    reason = answer.remark
    place = f"state {int(worst)} ({reference.kinds[int(worst)]})"
    if differs:
        reason = (
            f"entry {entry}, {place}: got "
            f"{float(values[k, entry])!r}, right {float(high[k, entry])!r}"
        )
    return Comparison(
        function=function,
        road=road,
        verdict="differs" if differs else "agrees",
        states=count,
        ill_conditioned=int(np.sum(usable & ~sound)),
        error_ulps=error_ulps,
        error_relative=float(error_ulps * unit[worst] / scale),
        tolerance_ulps=float(tolerance[k, entry] / unit[k]),
        share=float(share[k, entry]),
        reason=reason,
        worst_state=place if error_ulps > 0 else "",
    )
