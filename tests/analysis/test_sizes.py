"""Analysis over all positive doubles, subnormal ones included: finite results, or one error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.analysis import (
    critical_viscous,
    curve_of,
    dissipation,
    dissipation_speed_limits,
    drift_per_cycle,
    equilibria,
    lag_loop,
    law_equilibria,
    law_shape,
    lugre_passivity,
    passivity,
    presliding,
    required_viscous,
    shape,
    static_passivity,
    stick_mode,
    storage_dissipation,
)
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import Domain

P = Mapping[str, float]
positive = st.one_of(
    st.floats(min_value=0, exclude_min=True, allow_infinity=False),
    st.floats(-29, 29).map(lambda e: 10.0**e),
    st.sampled_from((5e-324, 2.2250738585072014e-308, 1.7976931348623157e308)),
)


@st.composite
def parameters(draw: st.DrawFn, name: str) -> dict[str, float]:
    """Some of the example, the others any number of their domain."""
    p = dict(EXAMPLES[name])
    for q in LAWS[name].parameters:
        if not draw(st.booleans()):
            continue
        p[q.name] = draw(positive)
        if q.domain is Domain.REAL:
            p[q.name] *= draw(st.sampled_from((-1.0, 0.0, 1.0)))
        elif q.domain is Domain.NONNEGATIVE:
            p[q.name] *= draw(st.sampled_from((0.0, 1.0)))
    return p


def numbers(found: Any) -> Iterator[float]:
    """All numbers of a result."""
    match found:
        case bool() | str() | None:
            return
        case int() | float():
            yield float(found)
        case complex():
            yield from (found.real, found.imag)
        case Mapping():
            yield from numbers(tuple(found.values()))
        case tuple() | list():
            for entry in found:
                yield from numbers(entry)
        case _ if is_dataclass(found):
            yield from numbers(tuple(getattr(found, f.name) for f in fields(found)))


def loop(p: P, v: float, x: float) -> object:
    found = lag_loop(p, v)
    return found, found.response(x), found.area(x, x)


LUGRE: dict[str, Callable[[P, float, float], object]] = {
    "needed": lambda p, v, x: required_viscous(p),
    "limits": lambda p, v, x: dissipation_speed_limits(p),
    "dissipation": lambda p, v, x: dissipation(p, v, 0.5 * p["Fs"] / p["sigma0"]),
    "stick": lambda p, v, x: stick_mode(p, v),
    "lag": loop,
    "presliding": lambda p, v, x: presliding(p, 0.7 * p["Fs"]),
    "drift": lambda p, v, x: drift_per_cycle(p, -0.2 * p["Fs"], 0.7 * p["Fs"]),
    "passivity": lambda p, v, x: lugre_passivity(LAWS["lugre"], p),
    "storage": lambda p, v, x: storage_dissipation(LAWS["lugre"], p),
}
#: Limits that may be infinite for a reason.
MAY_BE_INFINITE = {"limits"}


@pytest.mark.parametrize("name", sorted(LUGRE))
@given(p=parameters("lugre"), v=positive, x=positive)
def test_lugre(name: str, p: P, v: float, x: float) -> None:
    try:
        found = list(numbers(LUGRE[name](p, v, x)))
    except InputError:
        return
    assert not any(map(math.isnan, found))
    assert name in MAY_BE_INFINITE or all(map(math.isfinite, found))


@settings(max_examples=20)
@given(p=parameters("lugre-fading"))
def test_fading(p: P) -> None:
    try:
        verdict = lugre_passivity(LAWS["lugre-fading"], p)
    except InputError:
        return
    assert all(map(math.isfinite, numbers(verdict.witness)))


@pytest.mark.parametrize("name", ["stribeck", "stribeck-set", "coulomb", "asymmetric", "viscous"])
@given(data=st.data())
def test_static_laws(name: str, data: st.DataObject) -> None:
    p, torque = data.draw(parameters(name)), data.draw(positive)
    try:
        verdict = static_passivity(LAWS[name], p)
        assert all(map(math.isfinite, numbers(verdict.witness)))
        if "alpha" in p:
            curve = curve_of(LAWS[name], p)
            found = [shape(curve), critical_viscous(curve), equilibria(curve, torque)]
            found += [curve.force(torque), curve.slope(torque), curve.slope(5e-324)]
            assert not any(map(math.isnan, numbers(found)))
    except InputError:
        return


@pytest.mark.parametrize("name", list(LAWS))
@settings(max_examples=8)
@given(data=st.data())
def test_every_law(name: str, data: st.DataObject) -> None:
    """Enclosures of numbers with enormous exponents are compared, never written out."""
    law, p = LAWS[name], data.draw(parameters(name))
    torque = data.draw(positive) * data.draw(st.sampled_from((-1.0, 1.0)))
    try:
        verdict = passivity(law, p)
        assert all(map(math.isfinite, numbers(verdict.witness)))
        assert not any(map(math.isnan, numbers(law_shape(law, p))))
        for e in law_equilibria(law, p, torque):
            assert e.lower <= e.upper
    except InputError:
        return


@pytest.mark.parametrize("sigma1", [5e-324, 1e-310, 1e-31])
def test_a_subnormal_damping_is_named(sigma1: float) -> None:
    with pytest.raises(InputError, match=r"(?s)sigma1 is of a size.*0, or 1e-30 to 1e\+30"):
        lugre_passivity(LAWS["lugre"], {**EXAMPLES["lugre"], "sigma1": sigma1})
