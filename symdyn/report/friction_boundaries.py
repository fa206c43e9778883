"""Boundaries of servos with friction: of hunting in the gains, and of a wrong observer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan

from symdyn._errors import InputError
from symdyn.report.friction_curves import finite
from symdyn.report.friction_studies import check_gains, slide_line
from symdyn.report.rows import Table, text_lines
from symdyn.simulate.hunting import servo, slide_boundary
from symdyn.simulate.hunting_map import BoundaryPoint, boundary_map
from symdyn.simulate.robustness import compensated_servo
from symdyn.simulate.robustness_bounds import MOST, Bounds, bounds

#: Told how many parts of how many are done.
Done = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class HuntingMap:
    """Velocity gains at which hunting ends, over the other gains."""

    points: tuple[BoundaryPoint, ...]
    slide_boundary: float


def study_hunting_map(
    values: Mapping[str, float],
    inertia: float,
    proportional: Sequence[float],
    integral: Sequence[float],
    dt: float,
    done: Done | None = None,
) -> HuntingMap:
    """The boundary of hunting of a PID servo with LuGre friction."""
    own = {**values, "J": inertia}
    points = boundary_map(servo(own), proportional, integral, dt=dt, done=done)
    return HuntingMap(points, slide_boundary(own))


def hunting_map_lines(study: HuntingMap) -> list[str]:
    """The boundary as a table."""
    rows = tuple(
        (f"{p.Kp:g}", f"{p.Ki:g}", f"{p.Kv:.4g}", f"{p.error:.3g}")
        if isfinite(p.Kv)
        else (f"{p.Kp:g}", f"{p.Ki:g}", "none", "–")
        for p in study.points
    )
    head = ("Kp", "Ki", "hunts below Kv", "error there [rad]")
    return [
        "PID servo with LuGre friction: the boundary of hunting",
        *text_lines(Table(head, rows, (0, 1, 2, 3))),
        "",
        slide_line(study.slide_boundary),
    ]


def hunting_map_record(study: HuntingMap) -> dict[str, object]:
    """The boundary as JSON values."""
    return {
        "boundary": [
            {"Kp": p.Kp, "Ki": p.Ki, "Kv": finite(p.Kv), "error": finite(p.error)}
            for p in study.points
        ],
        "stable_slides_above_Kv": finite(study.slide_boundary),
    }


@dataclass(frozen=True, slots=True)
class ObserverBounds:
    """How wrong each parameter of an observer may be."""

    gains: Mapping[str, float]
    found: tuple[Bounds, ...]


def study_observer_bounds(
    values: Mapping[str, float],
    inertia: float,
    gains: Mapping[str, float],
    names: Sequence[str],
    velocity_gains: Sequence[float],
    done: Done | None = None,
) -> ObserverBounds:
    """Factors on the parameters of the observer between which the error converges."""
    check_gains(gains, ("Kp", "k"), "bounds of compensation")
    for name in names:
        if name not in values:
            raise InputError(f"no parameter {name!r}", where="--wrong", expected=" ".join(values))
    found = bounds(
        compensated_servo(), {**values, "J": inertia}, gains, names, velocity_gains, done=done
    )
    return ObserverBounds(gains, found)


def observer_bounds_lines(study: ObserverBounds) -> list[str]:
    """Bounds as a table, simulated beside the loop at rest."""
    rows = tuple(
        (b.name, f"{b.Kv:g}", _factor(b.below), _factor(b.above), _linear(b.linear_below),
         _linear(b.linear_above))
        for b in study.found
    )  # fmt: skip
    head = ("believed", "Kv", "from", "to", "stable at rest from", "to")
    gains = ", ".join(f"{n} = {x:g}" for n, x in study.gains.items())
    return [
        f"Observer compensation, {gains}: factors on one parameter of the observer between which "
        "the error converges",
        *text_lines(Table(head, rows, (1, 2, 3, 4, 5))),
    ]


def _factor(x: float) -> str:
    if isnan(x):
        return "never"
    if x == 0:
        return f"< {1 / MOST:g}"
    return f"{x:.3g}" if isfinite(x) else f"> {MOST:g}"


def _linear(x: float) -> str:
    if isnan(x):
        return "never"
    return "any" if x == 0 or not isfinite(x) else f"{x:.4g}"


def observer_bounds_record(study: ObserverBounds) -> dict[str, object]:
    """Bounds as JSON values; null where there is none."""
    return {
        "gains": dict(study.gains),
        "tried_between": [1 / MOST, MOST],
        "bounds": [
            {
                "parameter": b.name,
                "Kv": b.Kv,
                "converges_when_exact": not isnan(b.above),
                "below": finite(b.below),
                "above": finite(b.above),
                "stable_at_rest_below": finite(b.linear_below),
                "stable_at_rest_above": finite(b.linear_above),
            }
            for b in study.found
        ],
    }
