"""Laws over a hundred and twenty decades: no exception, nothing that is no number, bounded states.

The promise, as the page of the laws gives it: for parameters and velocities that are 0 or between
1e-60 and 1e60 in size, and exponents between 1/20 and 20, values and derivatives are numbers. Where
a power overflows they may be infinite. Values keep to it at every finite velocity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.expr.evaluate import evaluate
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction_recipes import law_specs
from tests.friction.examples import signals_of

DUAL = DualAlgebra(FLOAT64)
MOST = 60.0
#: Velocities at which a value is asked for besides those of the promise.
EDGES = (0.0, -0.0, 5e-324, -5e-324, 2.2e-308, -1e-200, 1e200, 1.7976931348623157e308)

sizes = st.floats(-MOST, MOST).map(lambda e: 10.0**e)
signed = st.builds(math.copysign, sizes, st.sampled_from((1.0, -1.0)))
velocities = st.one_of(st.just(0.0), st.just(-0.0), signed)
exponents = st.one_of(st.sampled_from((0.5, 1.0, 2.0)), st.floats(0.05, 20.0))


def values_of(q: Quantity) -> st.SearchStrategy[float]:
    """Numbers in a parameter's domain."""
    if q.name in ("alpha", "d", "i", "n"):
        return exponents
    match q.domain:
        case Domain.POSITIVE:
            return sizes
        case Domain.NONNEGATIVE:
            return st.one_of(st.just(0.0), sizes)
        case Domain.REAL:
            return st.one_of(st.just(0.0), signed)


@st.composite
def parameters(draw: st.DrawFn, law: FrictionLaw) -> dict[str, float]:
    """Parameters that the law takes: some of the example, the others of any size."""
    p = dict(EXAMPLES[law.name])
    changed = draw(st.sets(st.sampled_from(sorted(p))))
    for q in law.parameters:
        if q.name in changed:
            p[q.name] = draw(values_of(q))
    for names in (("a1", "a2", "a3", "a4"), ("w2", "w3", "w4")):
        own = [name for name in names if name in p]
        p.update(zip(own, sorted(p[name] for name in own), strict=True))
    if law.name == "gms":
        p |= {name: EXAMPLES["gms"][name] for name in ("a1", "a2", "a3", "a4")}
    if law.name == "table":
        p["peak"] = max(1.0, p["peak"])
    try:
        return law.check(p, signals=signals_of(law))
    except InputError:
        assume(False)
        raise


def bounds(law: FrictionLaw, p: Mapping[str, float]) -> list[float]:
    """Largest sizes of the states."""
    if "Fs" in p and law.states:
        highest = max(p["Fc"], p["Fs"])
        if law.name == "gms":
            return [*(p[f"a{i}"] * highest for i in range(1, 5)), 1.0, 1.0, 1.0, 1.0]
        return [highest / p["sigma0"]]
    match law.name:
        case "dahl":
            return [p["Fc"]]
        case "maxwell-slip":
            return [p[f"F{i}"] for i in range(1, 5)]
        case "bouc-wen":
            return [math.pow(p["A"] / (p["beta"] + p["gamma"]), 1 / p["n"])]
        case _:
            return []


def states(law: FrictionLaw, p: Mapping[str, float], fraction: float) -> list[float]:
    """States at a fraction of their bounds; modes of a GMS law at 0."""
    found = [fraction * bound for bound in bounds(law, p)]
    return found[:4] + [0.0] * (len(found) - 4) if law.name == "gms" else found


def all_of(
    law: FrictionLaw, A: Any, v: Any, x: list[Any], p: Mapping[str, Any], dt: Any, number: Any
) -> list[Any]:
    u = {name: number(value) for name, value in signals_of(law).items()}
    found = [law.force(A, v, x, u, p), law.steady(A, v, x, u, p)]
    if law.rate is not None and law.update is not None:
        found += [*law.rate(A, v, x, u, p), *law.update(A, v, x, u, p, dt)]
    return found


@pytest.mark.parametrize("name", list(LAWS))
@settings(max_examples=15)
@given(data=st.data())
def test_values_and_derivatives_are_numbers(name: str, data: st.DataObject) -> None:
    law = LAWS[name]
    p = data.draw(parameters(law))
    v = data.draw(velocities)
    dt = data.draw(st.one_of(st.just(0.0), sizes))
    x = states(law, p, data.draw(st.floats(-1, 1)))
    if name == "viscous-power":
        assume(abs(v) == 0 or abs(math.log10(abs(v)) * p["d"]) < 300)
    for wrt in ("v", *p):
        numbers = {key: Dual(value, float(key == wrt)) for key, value in p.items()}
        rest = [Dual(value, 0.0) for value in x]
        speed = Dual(v, float(wrt == "v"))
        for e in all_of(law, DUAL, speed, rest, numbers, Dual(dt, 0.0), DUAL.constant):
            assert not math.isnan(e.value)
            assert not math.isnan(e.rate), wrt


@pytest.mark.parametrize("name", list(LAWS))
@given(data=st.data())
def test_states_of_any_size_stay_bounded(name: str, data: st.DataObject) -> None:
    law = LAWS[name]
    if law.update is None:
        return
    p = data.draw(parameters(law))
    x = states(law, p, data.draw(st.floats(-1, 1)))
    for _ in range(3):
        v, dt = data.draw(velocities), data.draw(st.one_of(st.just(0.0), sizes))
        x = law.update(FLOAT64, v, x, signals_of(law), p, dt)
        assert all(abs(z) <= b for z, b in zip(x, bounds(law, p), strict=True)), (v, dt)


@pytest.mark.parametrize("name", list(LAWS))
def test_the_example_has_a_value_at_every_finite_velocity(name: str) -> None:
    """Also in arrays, entry by entry the same, and without an exception at an infinite velocity."""
    law, p = LAWS[name], EXAMPLES[name]
    x = states(law, p, 0.4)
    found = [all_of(law, FLOAT64, v, x, p, 1e-3, float) for v in EDGES]
    assert not any(math.isnan(e) for row in found for e in row)
    arrays = {key: np.asarray(value) for key, value in p.items()}
    with ARRAYS.scope():
        columns = all_of(
            law, ARRAYS, np.array(EDGES), [np.asarray(z) for z in x], arrays,
            np.asarray(1e-3), np.asarray,
        )  # fmt: skip
    for column, expected in zip(columns, np.array(found).T, strict=True):
        np.testing.assert_allclose(np.broadcast_to(column, len(EDGES)), expected, rtol=1e-13)
    for v in (math.inf, -math.inf):
        assert all_of(law, FLOAT64, v, x, p, 1e-3, float)


@pytest.mark.parametrize("name", ["lugre", "lugre-fading", "elasto-plastic", "gms"])
@pytest.mark.parametrize("ratio", [1e-300, 1e-17, 1e-10, 1.0, 1e10])
def test_a_low_coulomb_level_is_not_lost_beside_a_high_one(name: str, ratio: float) -> None:
    """Far above the Stribeck velocity the bristles carry Fc, to its last digits."""
    law = LAWS[name]
    assert law.update is not None
    p = {**EXAMPLES[name], "Fc": 1.5 * ratio, "Fs": 1.5}
    if name == "elasto-plastic":
        p["z_ba"] = 0.0
    x = [0.0] * len(law.states)
    for _ in range(3):
        x = law.update(FLOAT64, 1.0, x, {}, p, 1e30)
    carried = sum(x[:4]) if name == "gms" else p["sigma0"] * x[0]
    assert carried == pytest.approx(p["Fc"], rel=1e-14, abs=0.0)


@pytest.mark.parametrize("kind", [float, int, np.float64, np.int64])
@pytest.mark.parametrize("name", list(LAWS))
def test_numbers_of_any_type_are_taken(name: str, kind: Any) -> None:
    """Whole numbers give the value of their double; so do short ones, in arrays."""
    law, p = LAWS[name], EXAMPLES[name]
    x = states(law, p, 0.5)
    arrays = {key: np.asarray(value) for key, value in p.items()}
    for v in (0, 1, -2):
        expected = all_of(law, FLOAT64, float(v), x, p, 0.5, float)
        assert all_of(law, FLOAT64, kind(v), x, p, 0.5, float) == expected
        for short in (kind, np.float32):
            with ARRAYS.scope():
                batch = all_of(
                    law, ARRAYS, np.array([v] * 2, dtype=short), [np.asarray(z) for z in x],
                    arrays, np.asarray(0.5), np.asarray,
                )  # fmt: skip
            for column, value in zip(batch, expected, strict=True):
                assert np.broadcast_to(column, 2) == pytest.approx([value] * 2, rel=1e-13)


@pytest.mark.parametrize("name", list(LAWS))
def test_graph_derivatives_are_numbers_where_a_power_overflows(name: str) -> None:
    """Far above every scale of the example, and with exponents at which powers leave a double."""
    law = LAWS[name]
    for change in ({}, {"alpha": 20.0}, {"alpha": 0.05}):
        p = {**EXAMPLES[name], **{k: x for k, x in change.items() if k in EXAMPLES[name]}}
        x = states(law, p, 0.4)
        specs = law_specs(law, ["force_by_velocity", "force_by_parameters"])
        for spec in specs.values():
            for v in (1e-60, 1e30, -1e60):
                given_numbers: list[float] = []
                for argument in spec.arguments:
                    one = {"v": v, **signals_of(law), **p}.get(argument.name)
                    given_numbers += x if one is None else [one]
                symbols = [s for argument in spec.arguments for s in argument.symbols]
                values = dict(zip(symbols, given_numbers, strict=True))
                found = evaluate(spec.graph, spec.result.entries, FLOAT64, values)
                assert not any(map(math.isnan, found)), (v, p)


def test_dahl_has_a_slope_by_its_exponent_over_any_travel() -> None:
    """At i = 1 the slope of a complete decay is 0, not infinity times 0."""
    law = LAWS["dahl"]
    assert law.update is not None
    p = {"Fc": Dual(1e-54, 0.0), "sigma0": Dual(1e4, 0.0), "i": Dual(1.0, 1.0)}
    (found,) = law.update(DUAL, Dual(1e60, 0.0), [Dual(5e-55, 0.0)], {}, p, Dual(1e60, 0.0))
    assert (found.value, found.rate) == (1e-54, 0.0)


def test_bouc_wen_refuses_a_bound_out_of_range() -> None:
    law = LAWS["bouc-wen"]
    with pytest.raises(InputError, match=r"(?s)A/.beta . gamma.*is a number.*unit of length"):
        law.check({**EXAMPLES["bouc-wen"], "n": 0.01})
