"""Walk a system in fixed steps: in compiled C where there is a compiler, else in Python floats.

>>> from symdyn.friction.lugre import LUGRE
>>> from symdyn.simulate.drive import CONSTANT
>>> from symdyn.simulate.joint import joint_system
>>> joint = prepare(joint_system(LUGRE, CONSTANT), RK4)
>>> values = {"Fc": 1, "Fs": 1.5, "vs": 0.01, "alpha": 2, "sigma0": 1e4, "sigma1": 99.5}
>>> values |= {"sigma2": 0.5, "J": 1, "torque": 1.0}
>>> end = walk(joint, values, joint.system.start(), 3, 1e-4).end
>>> end[0]  # below break-away the joint gives way like a spring
0.000255...
"""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.simulate.native import NativeStep, is_available, native_step
from symdyn.simulate.scheme import RK4, Scheme
from symdyn.simulate.stability import StepLimit, StepWarning, smallest_limit
from symdyn.simulate.system import System

Engine = Literal["auto", "native", "python"]

#: Passages that are kept when no number of them is asked for.
_ROOM = 4096
#: Minutes of work, compiled and in Python.
_MOST_STEPS, _MOST_IN_PYTHON = 2e9, 2e7
#: A gigabyte or less.
_MOST_ROWS = 2e7
_POINTER = ctypes.POINTER(ctypes.c_double)


@dataclass(frozen=True, slots=True)
class Section:
    """A surface in the space of states: one state equals a level, crossed in one direction.

    Attributes
    ----------
    state : name of the state
    level : its value on the surface
    direction : +1 upwards, -1 downwards, 0 both
    watched : name of the state whose extremes between passages are kept; ``state`` if empty
    """

    state: str
    level: float = 0.0
    direction: int = 1
    watched: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A step across the section: the states on both sides, and extremes since the passage before.

    Attributes
    ----------
    time : of the state before [s]
    before, after : states, one step apart
    low, high : smallest and largest value of the watched state since the last passage; a turning
        point between steps is that of a parabola through three states
    """

    time: float
    before: tuple[float, ...]
    after: tuple[float, ...]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk kept.

    Attributes
    ----------
    times : (m,) [s]
    states : (m, n)
    passages : through the section, in order
    end_time : of the last state [s]
    end : the last state
    extremes : of the system's velocity, in all steps; NaN if none of its states is one
    fastest : the state at which that velocity was largest; the end if there is none
    """

    times: Array
    states: Array
    passages: tuple[Passage, ...]
    end_time: float
    end: tuple[float, ...]
    extremes: tuple[float, float]
    fastest: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A system and a scheme made ready to walk.

    Attributes
    ----------
    system, scheme : what is walked, and how
    fixed : parameters that are built in
    native : the compiled step; None walks in Python
    """

    system: System
    scheme: Scheme
    fixed: Mapping[str, float]
    native: NativeStep | None

    @property
    def engine(self) -> str:
        """``native`` or ``python``."""
        return "python" if self.native is None else "native"


def prepare(
    system: System,
    scheme: Scheme = RK4,
    fixed: Mapping[str, float] | None = None,
    engine: Engine = "auto",
) -> Prepared:
    """Make a system ready to walk: this compiles, walking is cheap.

    Parameters
    ----------
    system, scheme : what to walk, and how
    fixed : parameters whose values never change; the compiled step is shorter with them
    engine : ``native`` (compiled C), ``python``, or ``auto``: the first if a compiler is there

    Raises
    ------
    UnsupportedError : ``native`` without a compiler; a scheme that does not fit the system
    InputError : an unknown engine, or a fixed parameter that the system does not have
    """
    fixed = {name: float(value) for name, value in (fixed or {}).items()}
    names = {q.name for q in system.parameters}
    for name in fixed:
        if name not in names:
            raise InputError(f"no parameter {name!r}", where=f"system {system.name}")
    if engine not in ("auto", "native", "python"):
        raise InputError("unknown engine", expected="auto, native or python", got=repr(engine))
    is_native = engine == "native" or (engine == "auto" and is_available())
    native = native_step(system, scheme, fixed) if is_native else None
    return Prepared(system, scheme, fixed, native)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A walk in numbers: parameters, start, grid, section by indices."""

    p: Mapping[str, float]
    start: list[float]
    t0: float
    dt: float
    steps: int
    stride: int
    section: int
    level: float
    direction: int
    watched: int
    capacity: int
    stop: bool
    ceiling: float
    speed: int


@dataclass(frozen=True, slots=True)
class _Outcome:
    walk: Walk
    is_finite: bool
    found: int


def walk(
    prepared: Prepared,
    values: Mapping[str, float],
    start: Sequence[float],
    span: float,
    dt: float,
    *,
    t0: float = 0.0,
    every: int = 0,
    section: Section | None = None,
    passages: int = 0,
    ceiling: float = math.inf,
    warns: bool = True,
) -> Walk:
    """Walk from ``start`` over ``span`` seconds in steps of ``dt``.

    Parameters
    ----------
    prepared : system and scheme
    values : parameters; those that are built in may be left out
    start : (n,) states
    span : [s], rounded to whole steps
    dt : [s]
    t0 : time of the start [s]
    every : keep each ``every``-th state; 0 keeps start and end only
    section : passages to note
    passages : end after that many; 0 goes on to the end of the span
    ceiling : end where the watched state (of the section, else the first) is larger than that
    warns : whether to look for the limit of the step; where many short walks make up one, the
        caller does it once

    Returns
    -------
    Walk

    Raises
    ------
    InputError : a value out of its domain; a step or span that is not positive, or too many steps;
        states that stop being finite (the message says when, and what step would have been stable)
    UnsupportedError : more passages than can be kept

    Warns
    -----
    StepWarning : an explicit step is larger than the largest stable one where the walk was fastest,
        or at rest if it passed that (`simulate.stability`)
    """
    system = prepared.system
    where = f"system {system.name}"
    if not (math.isfinite(dt) and dt > 0 and math.isfinite(span) and span > 0):
        raise InputError(
            "step and span have to be positive", where=where, got=f"dt = {dt}, span = {span}"
        )
    most = _MOST_STEPS if prepared.native else _MOST_IN_PYTHON
    if span / dt > most:
        raise InputError(
            "too many steps",
            where=where,
            expected=f"at most {most:g}",
            got=f"{span / dt:.3g}, of {dt:g} s for {span:g} s",
            remedy="Take a larger step or a shorter time.",
        )
    if every > 0 and span / dt / every > _MOST_ROWS:
        raise InputError(
            "too many states are to be kept",
            where=where,
            expected=f"at most {_MOST_ROWS:g}",
            got=f"each {every} of {span / dt:.3g}",
            remedy="Keep fewer of them, or take a larger step or a shorter time.",
        )
    steps = max(1, round(span / dt))
    index = -1 if section is None else system.index(section.state)
    watched = 0
    if section is not None:
        watched = system.index(section.watched or section.state)
    plan = _Plan(
        p=system.check({**prepared.fixed, **values}),
        start=system.check_state(start),
        t0=t0,
        dt=dt,
        steps=steps,
        stride=every if every > 0 else steps,
        section=index,
        level=section.level if section else 0.0,
        direction=section.direction if section else 0,
        watched=watched,
        capacity=passages if passages else _ROOM,
        stop=passages > 0,
        ceiling=ceiling,
        speed=-1 if system.velocity is None else system.velocity,
    )
    outcome = _walked(prepared, plan)
    looks = (warns or not outcome.is_finite) and plan.speed >= 0
    limit = _step_limit(prepared, plan, outcome) if looks else None
    if not outcome.is_finite:
        raise InputError(
            f"the states stop being finite at t = {outcome.walk.end_time:.6g} s",
            where=f"{where}, scheme {prepared.scheme.name}",
            got=f"a step of {dt:g} s",
            remedy="Take a smaller step."
            if limit is None
            else f"The largest stable step is {limit.dt:.4g} s at {limit.where(system)}.",
        )
    if limit is not None and dt > limit.dt:
        warnings.warn(StepWarning(dt, limit, system, prepared.scheme), stacklevel=2)
    if outcome.found > plan.capacity:
        raise UnsupportedError(
            f"walk: {outcome.found} passages, of which {plan.capacity} can be kept. "
            "Walk a shorter span, or ask for a number of passages."
        )
    return outcome.walk


def _walked(prepared: Prepared, plan: _Plan) -> _Outcome:
    if prepared.native is None:
        return _in_python(prepared.system, prepared.scheme, plan)
    return _in_c(prepared.native, prepared.system.n, plan)


def _step_limit(prepared: Prepared, plan: _Plan, outcome: _Outcome) -> StepLimit | None:
    """The limit where the walk was fastest, and at rest if it passed that; None if there is none.

    Where an unstable step has thrown the states far away, the limit where it first was one.
    """
    if prepared.scheme.is_exact_in_bristles:
        return None

    def limit(done: Walk) -> StepLimit:
        states = [done.fastest]
        low, high = done.extremes
        if low <= 0 <= high:
            states.append(tuple(0.0 if k == plan.speed else a for k, a in enumerate(done.fastest)))
        return smallest_limit(prepared.system, plan.p, states, prepared.scheme)

    if outcome.is_finite and (found := limit(outcome.walk)).dt > plan.dt / 10:
        return found
    few, many, found = 0, max(1, round((outcome.walk.end_time - plan.t0) / plan.dt)), None
    while many - few > 1:
        steps = (few + many) // 2
        part = replace(plan, steps=steps, stride=steps, section=-1, stop=False)
        at = limit(_walked(prepared, part).walk)
        if at.dt < plan.dt:
            many, found = steps, at
        else:
            few = steps
    return found


def _in_c(native: NativeStep, n: int, plan: _Plan) -> _Outcome:
    x, y = np.array(plan.start), np.empty(n)
    values = np.array([plan.p[name] for name in native.parameters])
    samples = np.empty((plan.steps // plan.stride + 1, n + 1))
    rows = np.empty((plan.capacity if plan.section >= 0 else 1, 2 * n + 3))
    found, kept, done = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
    extremes = np.full(2 + n, math.nan)
    status: int = native.march(
        native.address,
        ctypes.c_size_t(n),
        x.ctypes.data_as(_POINTER),
        y.ctypes.data_as(_POINTER),
        values.ctypes.data_as(_POINTER),
        ctypes.c_double(plan.t0),
        ctypes.c_double(plan.dt),
        ctypes.c_size_t(plan.steps),
        ctypes.c_size_t(plan.stride),
        samples.ctypes.data_as(_POINTER),
        ctypes.c_long(plan.section),
        ctypes.c_double(plan.level),
        ctypes.c_int(plan.direction),
        ctypes.c_size_t(plan.capacity),
        rows.ctypes.data_as(_POINTER),
        ctypes.byref(found),
        ctypes.c_int(plan.stop),
        ctypes.c_size_t(plan.watched),
        ctypes.c_double(plan.ceiling),
        ctypes.c_long(plan.speed),
        extremes.ctypes.data_as(_POINTER),
        ctypes.byref(kept),
        ctypes.byref(done),
    )
    noted = tuple(
        Passage(row[0], tuple(row[1 : n + 1]), tuple(row[n + 1 : -2]), row[-2], row[-1])
        for row in rows[: min(found.value, plan.capacity)].tolist()
    )
    samples = samples[: kept.value]
    end_time = plan.t0 + done.value * plan.dt
    end = tuple(x.tolist())
    low, high, *fastest = extremes.tolist()
    result = Walk(
        samples[:, 0].copy(), samples[:, 1:].copy(), noted, end_time, end,
        (low, high), tuple(fastest) if plan.speed >= 0 else end,
    )  # fmt: skip
    return _Outcome(result, status == 0, found.value)


def _in_python(system: System, scheme: Scheme, plan: _Plan) -> _Outcome:
    # the slow twin of march.c, line by line
    x = plan.start
    low = high = last = x[plan.watched]
    rows: list[list[float]] = []
    noted: list[Passage] = []
    found, done, is_finite = 0, plan.steps, True
    fastest = x
    slow = fast = x[plan.speed] if plan.speed >= 0 else math.nan
    crosses = _crossing(plan.direction)
    for k in range(plan.steps):
        if not abs(x[plan.watched]) <= plan.ceiling:
            done = k
            break
        t = plan.t0 + k * plan.dt
        if k % plan.stride == 0:
            rows.append([t, *x])
        y = scheme.step(system, FLOAT64, t, x, plan.p, plan.dt)
        if not all(map(math.isfinite, y)):
            done, is_finite = k, False
            break
        if plan.speed >= 0:
            v = y[plan.speed]
            slow, fast = min(slow, v), max(fast, v)
            if abs(v) > abs(fastest[plan.speed]):
                fastest = y
        here, after = x[plan.watched], y[plan.watched]
        turn = after
        if (here > last and here > after) or (here < last and here < after):
            # a turning point is that of the parabola through three states
            turn = here + (after - last) ** 2 / (8 * (2 * here - last - after))
        low, high, last = min(low, turn, after), max(high, turn, after), here
        i = plan.section
        if i >= 0 and crosses(x[i] - plan.level, y[i] - plan.level):
            found += 1
            if len(noted) < plan.capacity:
                noted.append(Passage(t, tuple(x), tuple(y), low, high))
                low = high = after
            if plan.stop and found == plan.capacity:
                x, done = y, k + 1
                break
        x = y
    if is_finite and not (plan.stop and found == plan.capacity) and done % plan.stride == 0:
        rows.append([plan.t0 + done * plan.dt, *x])
    table = np.array(rows).reshape(len(rows), system.n + 1)
    end_time = plan.t0 + done * plan.dt
    result = Walk(
        table[:, 0], table[:, 1:], tuple(noted), end_time, tuple(x),
        (slow, fast), tuple(fastest) if plan.speed >= 0 else tuple(x),
    )  # fmt: skip
    return _Outcome(result, is_finite, found)


def _crossing(direction: int) -> Callable[[float, float], bool]:
    def crosses(a: float, b: float) -> bool:
        return (direction >= 0 and a < 0 <= b) or (direction <= 0 and a > 0 >= b)

    return crosses
