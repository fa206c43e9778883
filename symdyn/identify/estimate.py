"""What a fit says of one parameter: a value with its uncertainty, or that the data cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import isfinite

from symdyn.algebra.float64 import Array


class Standing(Enum):
    """How much the data say of a parameter."""

    IDENTIFIED = "identified"
    NOT_IDENTIFIABLE = "not identifiable"
    FIXED = "held fixed"


@dataclass(frozen=True, slots=True)
class Estimate:
    """One parameter after a fit.

    Attributes
    ----------
    name, unit : of the parameter
    standing : whether the data determine it
    value : None if they do not; no digits stand for nothing
    sd : asymptotic standard deviation; None without a value, 0 if held fixed
    low, high : ends of the confidence interval; None where it is open
    note : the reason or the restriction, one sentence; empty if there is nothing to say
    """

    name: str
    unit: str
    standing: Standing
    value: float | None = None
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""

    @property
    def is_identified(self) -> bool:
        """Whether there is a value that comes from the data."""
        return self.standing is Standing.IDENTIFIED


def identified(name: str, unit: str, value: float, sd: float, quantile: float) -> Estimate:
    """A determined parameter with the interval value -+ quantile sd."""
    reach = quantile * sd
    return Estimate(name, unit, Standing.IDENTIFIED, value, sd, value - reach, value + reach)


def unknown(name: str, unit: str, note: str) -> Estimate:
    """A parameter that the data do not determine."""
    return Estimate(name, unit, Standing.NOT_IDENTIFIABLE, note=note)


def held(name: str, unit: str, value: float) -> Estimate:
    """A parameter that was not fitted."""
    return Estimate(name, unit, Standing.FIXED, value, 0.0, value, value)


@dataclass(frozen=True, slots=True)
class Covariance:
    """Covariance of the identified parameters.

    Attributes
    ----------
    names : of the parameters, in the order of the matrix
    matrix : (k, k), in the products of their units
    """

    names: tuple[str, ...]
    matrix: Array

    def correlation(self) -> Array:
        """(k, k) with ones on the diagonal; 0 where a standard deviation is 0."""
        import numpy as np

        sd = np.sqrt(np.diag(self.matrix))
        scale = np.where(sd > 0, sd, 1.0)
        return self.matrix / np.outer(scale, scale)


def with_digits(value: float, sd: float | None) -> str:
    """A number with no more digits than its standard deviation leaves meaning.

    >>> with_digits(1.0134645534, 0.0112)
    '1.013'
    >>> with_digits(1234.5, 20.0), with_digits(0.01, 0.0007)
    ('1234', '0.01000')
    """
    if sd is None or not isfinite(sd) or sd <= 0 or value == 0:
        return f"{value:.6g}"
    from math import floor, log10

    digits = floor(log10(abs(value))) - floor(log10(sd)) + 2
    return f"{value:#.{min(max(digits, 1), 15)}g}".rstrip(".").replace(".e", "e")


def plus_minus(estimate: Estimate) -> str:
    """``1.013 ± 0.011 N m``, or why there is no number."""
    if estimate.value is None:
        return "not identifiable"
    unit = "" if estimate.unit == "1" else f" {estimate.unit}"
    if estimate.standing is Standing.FIXED:
        return f"{estimate.value:.6g}{unit} (held fixed)"
    assert estimate.sd is not None
    return f"{with_digits(estimate.value, estimate.sd)} ± {estimate.sd:.2g}{unit}"


def by_name(estimates: Sequence[Estimate], name: str) -> Estimate:
    """The estimate of one parameter; KeyError if there is none."""
    for estimate in estimates:
        if estimate.name == name:
            return estimate
    raise KeyError(name)
