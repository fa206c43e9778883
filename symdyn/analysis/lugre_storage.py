"""Passivity of LuGre friction, decided for any sigma1(v): the best storage, or a cycle that drives.

With u = sigma0 z and h(v) the level, motion forwards changes u by sigma0 (1 - u/h) per distance and
takes u + sigma1(v) v (1 - u/h) + sigma2 v. A storage V with V'(z) = p(u), p odd, proves passivity
iff for every u that is reached, |u| <= X = max(Fc, Fs), and every v > 0

    (1 - u/h(v)) (p(u) - sigma1(v) v) <= u + sigma2 v.                                          (1)

The state is one number, so (1) at one u asks only that p(u) lies in an interval: p(u) <= U(u), the
least of (u + sigma2 v)/(1 - u/h) + sigma1 v over the speeds that load, h > u, and p(u) >= L(u), the
largest of sigma1 v - (u + sigma2 v)/(u/h - 1) over those that unload, h < u; u itself lies below U
and above what motion backwards asks for. Hence the law is passive iff L(u) <= U(u) for every u:

- If L(u) > U(u), loading at the speed of U and unloading at that of L, forwards both times, round
  a small cycle about u takes (U - L) du/sigma0 < 0. No storage can pay for that again and again.
- (1) is linear in u. If a number c solves it at the ends of an interval, p = max(u, c) solves it
  between them; finitely many such links prove passivity. Up to min(Fc, Fs) c = 0 will do.

With constant sigma1 and Fs < Fc the speeds that unload are lower than those that load, so L < U:
the law is passive. Derived here; all in units of X, vs and X^2/sigma0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from symdyn.algebra.interval import INTERVAL, Interval

#: Speeds of the search; what it finds is checked in interval arithmetic.
_SPEEDS = 600
_LOADS = 48
_GOLDEN = (math.sqrt(5) - 1) / 2
_REFINEMENTS = 48
#: Links of a storage, and boxes of speeds for one of them, before the question is left open.
_LINKS = 60
_BOXES = 2000
_MISSES = 6
#: Parameters further apart than this are not searched: products of several leave the doubles.
_DECADES = 40
#: Half widths of a cycle, as fractions of the widest.
_WIDTHS = (0.5, 0.1, 0.02, 4e-3, 8e-4)


@dataclass(frozen=True, slots=True)
class Link:
    """V' = max(u, c) for u from ``lower`` to ``upper``, in units of max(Fc, Fs)."""

    lower: float
    upper: float
    c: float


@dataclass(frozen=True, slots=True)
class Cycle:
    """Two loads in units of max(Fc, Fs), the speeds up and down in units of vs, and the energy that
    one turn takes in units of max(Fc, Fs)^2/sigma0, negative.
    """

    low: float
    high: float
    up: float
    down: float
    energy: float


@dataclass(frozen=True)
class ScaledBristles:
    """LuGre friction in units of X and vs: levels, exponent, g(v) = s1 v exp(-(v/d)^2) and s2 v."""

    fc: Fraction
    fs: Fraction
    alpha: Fraction
    s1: Fraction
    s2: Fraction
    d: Fraction

    @staticmethod
    def of(p: Mapping[str, float]) -> ScaledBristles:
        """From the parameters of `LUGRE_FADING`."""
        q = {name: Fraction(value) for name, value in p.items()}
        X, vs = max(q["Fc"], q["Fs"]), q["vs"]
        return ScaledBristles(
            q["Fc"] / X, q["Fs"] / X, q["alpha"], q["sigma1"] * vs / X, q["sigma2"] * vs / X,
            q["vd"] / vs,
        )  # fmt: skip

    @cached_property
    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """All as floats."""
        return (
            float(self.fc), float(self.fs), float(self.alpha),
            float(self.s1), float(self.s2), float(self.d),
        )  # fmt: skip

    @property
    def is_searchable(self) -> bool:
        """Whether the numbers, and products of several, are doubles."""
        size = Fraction(10) ** _DECADES
        own = (self.fc, self.fs, self.alpha, self.s1, self.s2, self.d)
        return all(x == 0 or 1 / size <= x <= size for x in own)

    def at(self, v: float) -> tuple[float, float]:
        """h(v) and g(v)."""
        fc, fs, alpha, s1, _, d = self.numbers
        try:
            power = math.pow(v, alpha)
        except OverflowError:
            power = math.inf
        return fs * math.exp(-power) - fc * math.expm1(-power), s1 * v * math.exp(-((v / d) ** 2))

    @cached_property
    def speeds(self) -> list[float]:
        """Rising speeds over all scales of the law, up to where g has faded and h has settled."""
        alpha, d = self.numbers[2], self.numbers[5]
        settled = math.exp(min(math.log(40.0) / alpha, 25.0))
        top = max(8 * d, settled)
        bottom = min(1e-6 * d, math.exp(max(math.log(1e-6) / alpha, -30.0)))
        ratio = math.log(top / bottom) / (_SPEEDS - 1)
        return [bottom * math.exp(ratio * k) for k in range(_SPEEDS)]

    @cached_property
    def table(self) -> list[tuple[float, float, float]]:
        """(v, h, g) at those speeds."""
        return [(v, *self.at(v)) for v in self.speeds]

    # -- the interval of p(u), by search ----------------------------------------------------------

    def most(self, u: float) -> tuple[float, float]:
        """U(u) and its speed, 0 for the limit of slow motion."""

        def needed(v: float, h: float, g: float) -> float:
            return (u + self.numbers[4] * v) / (1 - u / h) + g if u / h < 1 else math.inf

        v, value = self._least(needed)
        fs = self.numbers[1]
        creep = u / (1 - u / fs) if fs > u else math.inf
        return (creep, 0.0) if creep <= value else (value, v)

    def least(self, u: float) -> tuple[float, float]:
        """L(u) and its speed; -inf if no speed unloads."""

        def lost(v: float, h: float, g: float) -> float:
            return (u + self.numbers[4] * v) / (u / h - 1) - g if u / h > 1 else math.inf

        v, value = self._least(lost)
        return -value, v

    def reach(self, c: float) -> float:
        """The largest load up to which c >= L."""

        def load(v: float, h: float, g: float) -> float:
            over = g - c - h
            return h * (self.numbers[4] * v + g - c) / over if over > 0 else math.inf

        return self._least(load)[1]

    def _least(self, f: Callable[[float, float, float], float]) -> tuple[float, float]:
        """Where a function of (v, h, g) is least, and its value."""
        values = [f(*row) for row in self.table]
        k = min(range(len(values)), key=values.__getitem__)
        best, value = self.speeds[k], values[k]
        if math.isinf(value):
            return best, value
        low, high = self.speeds[max(k - 1, 0)], self.speeds[min(k + 1, _SPEEDS - 1)]
        for _ in range(_REFINEMENTS):
            step = _GOLDEN * (high - low)
            a, b = high - step, low + step
            fa, fb = f(a, *self.at(a)), f(b, *self.at(b))
            for v, found in ((a, fa), (b, fb)):
                if found < value:
                    best, value = v, found
            low, high = (low, b) if fa <= fb else (a, high)
        return best, value

    # -- the same for certain ---------------------------------------------------------------------

    def levels(self, v: Interval) -> tuple[Interval, Interval]:
        """h and g over an interval of speeds."""
        A = INTERVAL
        power = A.binary("pow", v, A.const(self.alpha))
        h = A.const(self.fc) + A.const(self.fs - self.fc) * A.unary("exp", -power)
        r = v / A.const(self.d)
        return h, A.const(self.s1) * v * A.unary("exp", -A.powi(r, 2))

    def holds(self, u: float, c: float) -> bool:
        """Whether (1) holds for certain at the load u with p = c, for every speed."""
        A = INTERVAL
        top = self.speeds[-1]
        last_h, last_g = self.levels(A.between(top, top))
        fading = A.between(0, 1) * last_g
        settling = A.const(self.fc) + A.between(0, 1) * (last_h - A.const(self.fc))
        if not self._is_positive(u, c, A.between(top, top), settling, fading):
            return False
        ends = [0.0, *self.speeds[::25], top]
        boxes = [pair for pair in pairwise(ends) if pair[0] < pair[1]]
        for _ in range(_BOXES):
            if not boxes:
                return True
            a, b = boxes.pop()
            v = A.between(a, b)
            if self._is_positive(u, c, v, *self.levels(v)):
                continue
            middle = (a + b) / 2
            if not a < middle < b:
                return False
            boxes += [(a, middle), (middle, b)]
        return False

    def _is_positive(self, u: float, c: float, v: Interval, h: Interval, g: Interval) -> bool:
        A = INTERVAL
        load, p = A.between(u, u), A.between(c, c)
        left = h * (load - p + g + A.const(self.s2) * v) + load * (p - g)
        return left.is_bounded and left.bounds()[0] > 0

    def energy(self, low: float, high: float, up: float, down: float) -> Interval | None:
        """What a turn between two loads takes at two speeds; None where one does not get there."""
        A = INTERVAL
        a, b = A.between(low, low), A.between(high, high)
        total = A.const(0)
        for v, start, end in ((up, a, b), (down, b, a)):
            speed = A.between(v, v)
            h, g = self.levels(speed)
            before, after = h - start, h - end
            ratio = before / after
            if not ratio.is_bounded or ratio.bounds()[0] <= 1:
                return None
            distance = h * A.unary("log", ratio)
            total = total + (h + A.const(self.s2) * speed) * distance + (g - h) * (end - start)
        return total


def find_cycle(law: ScaledBristles) -> Cycle | None:
    """A cycle that certainly yields energy, where a search finds one."""
    floor = min(law.numbers[0], law.numbers[1])

    def gain(u: float) -> float:
        return law.least(u)[0] - law.most(u)[0]

    loads = [floor + (1 - floor) * (k + 0.5) / _LOADS for k in range(_LOADS)]
    gains = [gain(u) for u in loads]
    k = max(range(_LOADS), key=gains.__getitem__)
    low, high = (loads[k - 1] if k else floor), (loads[k + 1] if k + 1 < _LOADS else 1.0)
    best, most = loads[k], gains[k]
    for _ in range(_REFINEMENTS // 2):
        step = _GOLDEN * (high - low)
        a, b = high - step, low + step
        ga, gb = gain(a), gain(b)
        best, most = max((most, best), (ga, a), (gb, b))[::-1]
        low, high = (low, b) if ga >= gb else (a, high)
    if not most > 0:
        return None
    up, down = law.most(best)[1], law.least(best)[1]
    room = min(law.at(up)[0] - best, best - law.at(down)[0])
    slow = [up] if up else [v for v in law.speeds[::-25] if law.at(v)[0] > best]
    for v in slow:
        for width in _WIDTHS:
            low, high = best - width * room, best + width * room
            energy = law.energy(low, high, v, down) if low < best < high else None
            if energy is not None and energy.is_bounded and energy.bounds()[1] < 0:
                return Cycle(low, high, v, down, float(energy.bounds()[1]))
    return None


def find_storage(law: ScaledBristles) -> tuple[Link, ...] | None:
    """Links of a storage from the lower level to the higher that certainly hold, if they do."""
    links: list[Link] = []
    misses = 0
    u = min(law.numbers[0], law.numbers[1])
    while u < 1:
        least, most = max(law.least(u)[0], u), law.most(u)[0]
        c = (least + most) / 2 if most < math.inf else 2 * least + 1
        if not least < c < most or len(links) == _LINKS or not law.holds(u, c):
            return None
        reach = law.reach(c)
        part = 0.95
        while True:
            upper = 1.0 if part * (reach - u) + u >= 1 else u + part * (reach - u)
            if upper - u < 1e-9 or misses > _MISSES:
                return None
            if law.holds(upper, c):
                break
            misses += 1
            part /= 2
        links.append(Link(u, upper, c))
        u = upper
    return tuple(links)
