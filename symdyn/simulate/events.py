"""Where a guard ends along an integration: the first moment at which one of several functions of
time and state stops being positive.

A step of the integrator is looked at in several points. Between three of them a guard may dip below
zero and come back; so a minimum between them is followed by parabolas, also across steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symdyn.algebra.float64 import Array
from symdyn.simulate.scipy_ import root

#: Guards at (time, state): positive while nothing happens.
Guards = Callable[[float, Array], Array]
#: State as a function of time within a step.
Dense = Callable[[float], Array]

#: Points inside a step at which guards are looked at.
_LOOKS = 4
#: Parabolas that follow a minimum.
_PARABOLAS = 4


@dataclass(frozen=True, slots=True)
class Ending:
    """A guard that ends: which one, when, and the state there."""

    guard: int
    time: float
    state: Array


class Watch:
    """Looks at guards step by step.

    A guard that is zero at the start has to become positive before its return to zero counts; one
    that becomes negative from there ends at once.
    """

    def __init__(self, guards: Guards, time: float, state: Array) -> None:
        self._guards = guards
        self._looks = [(time, guards(time, state))]
        self._earlier: Dense | None = None

    def over(self, began: float, end: float, dense: Dense) -> Ending | None:
        """The first guard that ends in a step, or in the last part of the step before."""
        earlier = self._earlier

        def state(t: float) -> Array:
            return dense(t) if t >= began or earlier is None else earlier(t)

        for k in range(1, _LOOKS + 1):
            t = end if k == _LOOKS else began + (end - began) * k / _LOOKS
            here = self._guards(t, state(t))
            self._looks = [*self._looks[-2:], (t, here)]
            moments = [
                (moment, i)
                for i in range(len(here))
                if (moment := self._ending_of(i, state)) is not None
            ]
            if moments:
                moment, i = min(moments)
                return Ending(i, moment, state(moment))
        self._earlier = dense
        return None

    def _ending_of(self, i: int, state: Dense) -> float | None:
        """When guard i ends between the last looks, if it does."""
        looks = [(t, float(values[i])) for t, values in self._looks]

        def guard(t: float) -> float:
            return float(self._guards(t, state(t))[i])

        (before, a), (after, b) = looks[-2:]
        if b < 0 or (b == 0 < a):
            # one that never was positive belongs to a mode that cannot even begin
            return root(guard, before, after) if a > 0 else before
        if len(looks) == 3 and looks[0][1] > a > 0 and a <= b:
            return _dip(guard, *looks)
        return None


def _dip(
    guard: Callable[[float], float],
    left: tuple[float, float],
    middle: tuple[float, float],
    right: tuple[float, float],
) -> float | None:
    """When a guard first ends on its way down to a minimum next to ``middle``, if it ends."""
    for _ in range(_PARABOLAS):
        (t0, a), (t1, b), (t2, c) = left, middle, right
        down, up = (b - a) / (t1 - t0), (c - b) / (t2 - t1)
        bend = (up - down) / (t2 - t0)
        if not bend > 0:
            return None
        vertex = (t0 + t1) / 2 - down / (2 * bend)
        lowest = b - bend * (vertex - t1) ** 2
        if lowest > b / 2 or not t0 < vertex < t2 or vertex == t1:
            return None
        found = guard(vertex)
        if found < 0:
            return root(guard, t0 if vertex < t1 else t1, vertex)
        point = (vertex, found)
        if vertex < t1:
            left, middle, right = (left, point, middle) if found < b else (point, middle, right)
        else:
            left, middle, right = (middle, point, right) if found < b else (left, middle, point)
    return None
