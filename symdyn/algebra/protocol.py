"""What a scalar and its algebra have to offer.

A scalar brings ``+ - * /`` and unary minus as Python operators; everything else comes from the
algebra object that travels with the model. Recursions in `symdyn.dynamics` are written over this
pair and cannot know on which number kind they run.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Protocol, Self, TypeVar, runtime_checkable


class Scalar(Protocol):
    """Anything that can be added, subtracted, multiplied, divided and negated."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...
    def __truediv__(self, other: Self, /) -> Self: ...
    def __neg__(self) -> Self: ...


S = TypeVar("S", bound=Scalar)


class Algebra(Protocol[S]):
    """Constants and functions of one number kind; names and meanings are those of `algebra.ops`."""

    @property
    def name(self) -> str: ...

    def const(self, value: Fraction | int, /) -> S: ...
    def pi(self) -> S: ...
    def powi(self, x: S, n: int, /) -> S: ...
    def unary(self, op: str, x: S, /) -> S:
        """Apply the one-argument function ``op`` of the table."""
        ...

    def binary(self, op: str, x: S, y: S, /) -> S:
        """Apply the two-argument function or comparison ``op`` of the table."""
        ...

    def where(self, c: S, a: S, b: S, /) -> S: ...
    def sin(self, x: S, /) -> S: ...
    def cos(self, x: S, /) -> S: ...
    def sqrt(self, x: S, /) -> S: ...


@runtime_checkable
class TotalDivision(Protocol[S]):
    """An algebra whose scalars' own ``/`` raises where the table of operations has a value.

    A Python float divided by zero raises, but ``where(x = 0, 0, 1/x)`` must be 0 at x = 0.
    """

    def divide(self, x: S, y: S, /) -> S: ...


@runtime_checkable
class Scoped(Protocol):
    """An algebra whose scalars need a context around their arithmetic: warnings, a precision."""

    def scope(self) -> AbstractContextManager[object]: ...
