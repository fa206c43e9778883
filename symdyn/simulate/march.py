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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.simulate.native import NativeStep, is_available, native_step
from symdyn.simulate.scheme import RK4, Scheme
from symdyn.simulate.system import System

Engine = Literal["auto", "native", "python"]

#: Passages that are kept when no number of them is asked for.
_ROOM = 4096
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
    """

    times: Array
    states: Array
    passages: tuple[Passage, ...]
    end_time: float
    end: tuple[float, ...]


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

    Returns
    -------
    Walk

    Raises
    ------
    InputError : a value out of its domain, a step or span that is not positive, or states that stop
        being finite (the message says when)
    UnsupportedError : more passages than can be kept
    """
    system = prepared.system
    where = f"system {system.name}"
    if not (math.isfinite(dt) and dt > 0 and math.isfinite(span) and span > 0):
        raise InputError(
            "step and span have to be positive", where=where, got=f"dt = {dt}, span = {span}"
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
    )
    if prepared.native is None:
        outcome = _in_python(system, prepared.scheme, plan)
    else:
        outcome = _in_c(prepared.native, system.n, plan)
    if not outcome.is_finite:
        raise InputError(
            f"the states stop being finite at t = {outcome.walk.end_time:.6g} s",
            where=f"{where}, scheme {prepared.scheme.name}",
            got=f"a step of {dt:g} s",
            remedy="Take a smaller step; simulate.stability tells the limit.",
        )
    if outcome.found > plan.capacity:
        raise UnsupportedError(
            f"walk: {outcome.found} passages, of which {plan.capacity} can be kept. "
            "Walk a shorter span, or ask for a number of passages."
        )
    return outcome.walk


def _in_c(native: NativeStep, n: int, plan: _Plan) -> _Outcome:
    x, y = np.array(plan.start), np.empty(n)
    values = np.array([plan.p[name] for name in native.parameters])
    samples = np.empty((plan.steps // plan.stride + 1, n + 1))
    rows = np.empty((plan.capacity if plan.section >= 0 else 1, 2 * n + 3))
    found, kept, done = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
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
    result = Walk(samples[:, 0].copy(), samples[:, 1:].copy(), noted, end_time, end)
    return _Outcome(result, status == 0, found.value)


def _in_python(system: System, scheme: Scheme, plan: _Plan) -> _Outcome:
    # the slow twin of march.c, line by line
    x = plan.start
    low = high = last = x[plan.watched]
    rows: list[list[float]] = []
    noted: list[Passage] = []
    found, done, is_finite = 0, plan.steps, True
    crosses = _crossing(plan.direction)
    for k in range(plan.steps):
        t = plan.t0 + k * plan.dt
        if k % plan.stride == 0:
            rows.append([t, *x])
        y = scheme.step(system, FLOAT64, t, x, plan.p, plan.dt)
        if not all(map(math.isfinite, y)):
            done, is_finite = k, False
            break
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
    else:
        if plan.steps % plan.stride == 0:
            rows.append([plan.t0 + plan.steps * plan.dt, *x])
    table = np.array(rows).reshape(len(rows), system.n + 1)
    end_time = plan.t0 + done * plan.dt
    result = Walk(table[:, 0], table[:, 1:], tuple(noted), end_time, tuple(x))
    return _Outcome(result, is_finite, found)


def _crossing(direction: int) -> Callable[[float, float], bool]:
    def crosses(a: float, b: float) -> bool:
        return (direction >= 0 and a < 0 <= b) or (direction <= 0 and a > 0 >= b)

    return crosses
