"""The laws of the catalogue against their formulas, typed in once more, and against integrators."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from symdyn._errors import InputError
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.expr.derive import forward
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.friction.catalog import LAWS, law_named
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw
from tests.friction.examples import CASES, signals_of, states_of, variants

P = Mapping[str, float]
EPS = 2.0**-52
MP = MpAlgebra(60)


def sgn(v: float) -> float:
    return (v > 0) - (v < 0)


def level(v: float, p: P) -> float:
    return p["Fc"] + (p["Fs"] - p["Fc"]) * math.exp(-(abs(v / p["vs"]) ** p["alpha"]))


def loaded(v: float, p: P) -> float:
    Fc, Fs = p["Fc0"] + 0.7 * p["FcL"], p["Fs0"] + 0.7 * p["FsL"]
    return level(v, {**p, "Fc": Fc, "Fs": Fs}) * sgn(v) + p["b"] * v


def heated(v: float, p: P) -> float:
    hump = p["Fs0"] + 0.7 * p["FsL"] + 20 * p["FsT"]
    fall = math.exp(-(abs(v / (p["vs0"] + 20 * p["vsT"])) ** p["alpha"]))
    viscous = p["Fv0"] + p["FvT"] * math.exp(-20 / p["TV0"])
    return (p["Fc0"] + 0.7 * p["FcL"] + hump * fall) * sgn(v) + viscous * v


def asymmetric(v: float, p: P) -> float:
    if v == 0:
        return p["offset"]
    dry, b = (p["Fc_plus"], p["b_plus"]) if v > 0 else (-p["Fc_minus"], p["b_minus"])
    return dry + b * v + p["offset"]


def simple(v: float, p: P, smooth: float | None = None) -> float:
    return p["Fc"] * (sgn(v) if smooth is None else smooth) + p["b"] * v


def brown_mcphee(v: float, p: P) -> float:
    r = v / p["vt"]
    hump = (p["Fs"] - p["Fc"]) * r / (r**2 / 4 + 3 / 4) ** 2
    return p["Fc"] * math.tanh(4 * r) + hump + p["b"] * v


def makkar(v: float, p: P) -> float:
    rise = math.tanh(p["g2"] * v) - math.tanh(p["g3"] * v)
    return p["g1"] * rise + p["g4"] * math.tanh(p["g5"] * v) + p["g6"] * v


def bristles(v: float, p: P) -> float:
    return level(v, p) * sgn(v) + p["sigma2"] * v


def tabled(v: float, p: P) -> float:
    speeds = [0.0, p["w2"], p["w3"], p["w4"]]
    torques = [p[f"t{k}"] for k in range(1, 5)]
    beyond = torques[3] + (torques[3] - torques[2]) / (speeds[3] - speeds[2]) * (1e6 - speeds[3])
    return float(np.interp(abs(v), [*speeds, 1e6], [*torques, beyond])) * sgn(v)


def simscape(v: float, p: P) -> float:
    stribeck, coulomb = p["wbrk"] * math.sqrt(2), p["wbrk"] / 10
    hump = math.sqrt(2 * math.e) * (p["Tbrk"] - p["TC"])
    hump *= math.exp(-((v / stribeck) ** 2)) * v / stribeck
    return hump + p["TC"] * math.tanh(v / coulomb) + p["f"] * v


#: Steady force of each law at velocity v, load 0.7, temperature 20, position 0.4.
STEADY: dict[str, Callable[[float, P], float]] = {
    "coulomb": simple,
    "coulomb-set": simple,
    "coulomb-smooth": lambda v, p: simple(v, p, math.tanh(v / p["eps"])),
    "viscous": lambda v, p: p["b"] * v,
    "viscous-cubic": lambda v, p: p["b1"] * v + p["b3"] * v**3,
    "viscous-power": lambda v, p: p["b"] * abs(v) ** p["d"] * sgn(v),
    "asymmetric": asymmetric,
    "stribeck": lambda v, p: level(v, p) * sgn(v) + p["b"] * v,
    "stribeck-set": lambda v, p: level(v, p) * sgn(v) + p["b"] * v,
    "stribeck-smooth": lambda v, p: level(v, p) * math.tanh(v / p["eps"]) + p["b"] * v,
    "hess-soom": lambda v, p: (
        (p["Fc"] + (p["Fs"] - p["Fc"]) / (1 + (v / p["vs"]) ** 2)) * sgn(v) + p["b"] * v
    ),
    "makkar": makkar,
    "brown-mcphee": brown_mcphee,
    "simscape": simscape,
    "table": tabled,
    "karnopp": simple,
    "load-stribeck": loaded,
    "temperature-stribeck": heated,
    "ripple": lambda v, p: simple(v, p) + p["a"] * math.sin(p["k"] * 0.4 + p["phase"]),
    "dahl": lambda v, p: p["Fc"] * sgn(v),
    "lugre": bristles,
    "lugre-fading": bristles,
    "elasto-plastic": bristles,
    "maxwell-slip": lambda v, p: sum(p[f"F{i}"] for i in range(1, 5)) * sgn(v) + p["b"] * v,
    "gms": bristles,
    "bouc-wen": lambda v, p: (
        p["k"] * (p["A"] / (p["beta"] + p["gamma"])) ** (1 / p["n"]) * sgn(v) + p["b"] * v
    ),
}
#: Laws that are not odd in the velocity.
NOT_ODD = {"asymmetric", "ripple", "karnopp"}
#: Laws whose update is exact over a step of any length at constant velocity.
EXACT = {"dahl", "lugre", "lugre-fading", "maxwell-slip", "gms"}
DYNAMIC = [name for name, law in LAWS.items() if law.states]


def test_every_law_is_complete() -> None:
    """Nothing of the catalogue may be forgotten: data, example, reference formula."""
    assert set(LAWS) == set(EXAMPLES) == set(STEADY)
    for name, law in LAWS.items():
        assert law.name == name
        for text in (law.title, law.source, law.formula, law.rest, law.limits):
            assert text.strip()
        for q in (*law.parameters, *law.states, *law.signals):
            assert q.unit.strip()
            assert q.doc.strip()
        assert law.check(EXAMPLES[name]) == EXAMPLES[name]
        names = [q.name for q in (*law.parameters, *law.states, *law.signals)]
        assert len(set(names)) == len(names)
        assert (law.rate is None) == (law.update is None) == (not law.states)
        assert bool(law.step) == bool(law.states)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_the_steady_force_is_the_formula(name: str, variant: int) -> None:
    law = LAWS[name]
    p = variants(law)[variant]
    source = random.Random(7)
    speeds = [0.0, 1e-300, 1e3, *(10 ** source.uniform(-6, 1) for _ in range(20))]
    for v in (s * sign for s in speeds for sign in (1, -1)):
        expected = STEADY[name](v, p)
        found = law.steady(FLOAT64, v, [], signals_of(law), p)
        assert abs(found - expected) <= 8 * EPS * (5 + abs(v) ** 3), v
        if not law.states and law.name != "karnopp":
            assert law.force(FLOAT64, v, [], signals_of(law), p) == found


@pytest.mark.parametrize("name", sorted(set(LAWS) - NOT_ODD))
@given(v=st.floats(0, 1e3))
def test_laws_are_odd_to_the_last_bit(name: str, v: float) -> None:
    law = LAWS[name]
    p = EXAMPLES[name]
    x, y = states_of(law, 0.7), states_of(law, -0.7)
    if law.name == "gms":
        x[4:], y[4:] = [1.0, -1.0, 0.0, 1.0], [-1.0, 1.0, 0.0, -1.0]
    u = signals_of(law)
    if v == 0 and law.states:
        return  # the rate at rest is one-sided; that it vanishes is tested elsewhere
    assert law.force(FLOAT64, -v, y, u, p) == -law.force(FLOAT64, v, x, u, p)
    if law.rate is not None and law.update is not None:
        assert law.rate(FLOAT64, -v, y, u, p) == [-r for r in law.rate(FLOAT64, v, x, u, p)]
        after = law.update(FLOAT64, v, x, u, p, 1e-3)
        assert law.update(FLOAT64, -v, y, u, p, 1e-3) == [-z for z in after]


def test_set_valued_laws_say_what_they_hold() -> None:
    bounds = {
        name: law.at_rest(FLOAT64, signals_of(law), EXAMPLES[name])
        for name, law in LAWS.items()
        if law.at_rest is not None
    }
    ripple = 0.2 * math.sin(36 * 0.4 + 0.3)
    expected = {
        "coulomb-set": (-1, 1), "stribeck-set": (-1.5, 1.5), "hess-soom": (-1.5, 1.5),
        "table": (-1.54, 1.54),
        "karnopp": (-1.5, 1.5), "asymmetric": (0.1 - 1.2, 0.1 + 1.0),
        "load-stribeck": (-1.34, 1.34), "temperature-stribeck": (-1.38, 1.38),
        "ripple": (ripple - 1, ripple + 1),
    }  # fmt: skip
    assert set(bounds) == set(expected)
    for name, pair in expected.items():
        assert bounds[name] == pytest.approx(pair, rel=1e-14)


@pytest.mark.parametrize("name", list(LAWS))
def test_limits_at_rest_and_at_infinity(name: str) -> None:
    """In 60 digits: the steady force at 1e-40 rad/s, and at 1e12 less its straight line."""
    law = LAWS[name]
    if law.ends is None:
        assert name in ("viscous-cubic", "viscous-power")
        return
    for values in variants(law):
        p = {key: MP.number(value) for key, value in values.items()}
        u = {key: MP.number(value) for key, value in signals_of(law).items()}
        at_zero, level, viscous = law.ends(MP, u, p)
        tiny, large = MP.number("1e-40"), MP.number("1e12")
        near = law.steady(MP, tiny, [], u, p)
        assert float(near) == pytest.approx(float(at_zero), rel=1e-12, abs=1e-12)
        far = law.steady(MP, large, [], u, p) - viscous * large
        assert float(far) == pytest.approx(float(level), rel=1e-9, abs=1e-9)


def test_limits_of_laws_that_grow_in_another_way_than_v() -> None:
    """b1 v at 0 and b3 v^3 at infinity; b |v|^d at both ends."""
    p = {name: MP.number(x) for name, x in EXAMPLES["viscous-cubic"].items()}
    tiny, large = MP.number("1e-20"), MP.number("1e20")
    cubic = LAWS["viscous-cubic"].steady
    assert float(cubic(MP, tiny, [], {}, p) / tiny) == pytest.approx(0.5, rel=1e-15)
    ratio = cubic(MP, large, [], {}, p) / (large * large * large)
    assert float(ratio) == pytest.approx(0.02, rel=1e-15)
    for d in (0.6, 1.0, 2.5):
        p = {"b": MP.number(0.5), "d": MP.number(d)}
        for v, power in ((tiny, -20 * d), (large, 20 * d)):
            found = LAWS["viscous-power"].steady(MP, v, [], {}, p)
            assert float(found) == pytest.approx(0.5 * 10**power, rel=1e-9)


@pytest.mark.parametrize("name", list(LAWS))
def test_every_law_says_its_limits_at_both_ends(name: str) -> None:
    said = LAWS[name].limits
    assert re.search(r"at 0|near 0|inside the band", said)
    assert re.search(r"infinity|approaches|at every|outside|grows like|it is ", said)


@pytest.mark.parametrize("name", list(LAWS))
def test_declared_parameters_are_linear_and_no_other_could_be_added(name: str) -> None:
    law = LAWS[name]
    graph = Graph()
    A = GraphAlgebra(graph)
    v = graph.symbol("v")
    x = [graph.symbol(q.name) for q in law.states]
    u = {q.name: graph.symbol(q.name) for q in law.signals}
    p = {q.name: graph.symbol(f"p.{q.name}") for q in law.parameters}
    force = law.force(A, v, x, u, p).id

    def is_jointly_linear(names: tuple[str, ...]) -> bool:
        slopes = [forward(graph, [force], p[a].id)[0] for a in names]
        return all(forward(graph, slopes, p[b].id) == [graph.zero] * len(slopes) for b in names)

    assert is_jointly_linear(law.linear)
    needed = set(graph.reachable([force]))
    others = [a for a in p if a not in law.linear and p[a].id in needed]
    if name == "karnopp":
        others = []  # clip and band are piecewise constant in Fs and Dv, their size is not
    assert not [a for a in others if is_jointly_linear((*law.linear, a))]


# -- states ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DYNAMIC)
@pytest.mark.parametrize("velocity", [-0.5, 1e-5, 0.02])
def test_updates_start_along_the_rate(name: str, velocity: float) -> None:
    """In 60 digits: over a step of 1e-30 s the update is x + dt rate."""
    law = LAWS[name]
    assert law.rate is not None
    assert law.update is not None
    v, dt = MP.number(velocity), MP.number("1e-30")
    for values in variants(law):
        p = {key: MP.number(value) for key, value in values.items()}
        for fraction in (-0.8, 0.0, 0.3, 0.9):
            x = [MP.number(value) for value in states_of(law, fraction)]
            n = 4 if name == "gms" else len(x)  # modes jump, they have no rate
            rates = law.rate(MP, v, x, {}, p)[:n]
            after = law.update(MP, v, x, {}, p, dt)[:n]
            for z, rate, found in zip(x, rates, after, strict=False):
                assert float((found - z) / dt) == pytest.approx(float(rate), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["dahl", "lugre"])
@pytest.mark.parametrize("velocity", [-0.5, 0.004])
def test_exact_updates_agree_with_an_integrator(name: str, velocity: float) -> None:
    law = LAWS[name]
    assert law.rate is not None
    assert law.update is not None
    rate, update = law.rate, law.update
    for p in variants(law):
        (x,) = states_of(law, -0.8)
        scale = abs(states_of(law, 1.0)[0])
        dt = 2e-4 / abs(velocity)
        found = update(FLOAT64, velocity, [x], {}, p, dt)[0]
        solution = solve_ivp(
            lambda t, y, p=p: rate(FLOAT64, velocity, [float(y[0])], {}, p),
            (0, dt), [x], rtol=1e-10, atol=1e-12 * scale,
        )  # fmt: skip
        assert abs(solution.y[0, -1] - found) <= 1e-8 * scale


@pytest.mark.parametrize("name", sorted(EXACT))
@pytest.mark.parametrize("velocity", [-0.3, 0.004])
def test_two_exact_steps_are_one(name: str, velocity: float) -> None:
    """An exact flow is a semigroup: halves, and a thousandth and the rest, give the whole."""
    law = LAWS[name]
    assert law.update is not None
    for p in variants(law):
        for fraction in (-0.8, 0.3):
            x = states_of(law, fraction)
            whole = law.update(FLOAT64, velocity, x, {}, p, 1e-3)
            for first in (5e-4, 1e-6):
                half = law.update(FLOAT64, velocity, x, {}, p, first)
                both = law.update(FLOAT64, velocity, half, {}, p, 1e-3 - first)
                assert both == pytest.approx(whole, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("name", ["elasto-plastic", "bouc-wen"])
@pytest.mark.parametrize("velocity", [-0.004, 0.02])
def test_the_other_updates_are_of_first_order(name: str, velocity: float) -> None:
    law = LAWS[name]
    assert law.rate is not None
    assert law.update is not None
    p = {**EXAMPLES[name], **({"n": 2.0, "beta": 6e7, "gamma": 4e7} if name == "bouc-wen" else {})}
    x = states_of(law, -0.3 * sgn(velocity))
    end = 1.4e-4 / abs(velocity)
    rate, update = law.rate, law.update
    exact = solve_ivp(
        lambda t, y: rate(FLOAT64, velocity, [float(y[0])], {}, p),
        (0, end), x, method="DOP853", rtol=1e-11, atol=1e-18, max_step=end / 2000,
    ).y[0, -1]  # fmt: skip
    errors: list[float] = []
    for count in (50, 100, 200):
        z = x
        for _ in range(count):
            z = update(FLOAT64, velocity, z, {}, p, end / count)
        errors.append(abs(z[0] - exact))
    assert errors[0] < 0.05 * 1.5e-4
    assert errors[1] < 0.65 * errors[0]
    assert errors[2] < 0.65 * errors[1]


@pytest.mark.parametrize("name", DYNAMIC)
def test_states_stay_bounded_for_any_step(name: str) -> None:
    """Strictly, in floating point, over steps from a nanosecond to an hour."""
    law = LAWS[name]
    assert law.update is not None
    source = random.Random(11)
    for p in variants(law):
        if name == "bouc-wen":
            bound = [(p["A"] / (p["beta"] + p["gamma"])) ** (1 / p["n"])]
        elif name == "dahl":
            bound = [p["Fc"]]
        elif name == "maxwell-slip":
            bound = [p[f"F{i}"] for i in range(1, 5)]
        elif name == "gms":
            bound = [p[f"a{i}"] * max(p["Fc"], p["Fs"]) for i in range(1, 5)] + [1.0] * 4
        else:
            bound = [max(p["Fc"], p["Fs"]) / p["sigma0"]]
        x = [b * source.uniform(-1, 1) for b in bound[: len(states_of(law, 1))]]
        if name == "gms":
            x[4:] = [0.0] * 4
        for _ in range(400):
            v = source.choice((-1, 1)) * 10 ** source.uniform(-9, 3)
            dt = 10 ** source.uniform(-9, 3.6)
            x = law.update(FLOAT64, v, x, {}, p, dt)
            assert all(abs(z) <= b for z, b in zip(x, bound, strict=True)), (v, dt, x)


@pytest.mark.parametrize("name", DYNAMIC)
def test_the_steady_force_is_where_the_states_settle(name: str) -> None:
    law = LAWS[name]
    assert law.update is not None
    assert law.rate is not None
    for p in variants(law):
        for v in (-2.0, 0.003, 0.03):
            x = states_of(law, 0.2)
            for _ in range(20):
                x = law.update(FLOAT64, v, x, {}, p, 1e20)
            force = law.force(FLOAT64, v, x, {}, p)
            assert force == pytest.approx(law.steady(FLOAT64, v, [], {}, p), rel=1e-9)


def test_lugre_settles_on_the_stribeck_curve() -> None:
    """At 0.03 rad/s the force of the example is 1.0150617049020432 N m."""
    law, p = LAWS["lugre"], EXAMPLES["lugre"]
    assert law.update is not None
    x = [0.0]
    for _ in range(300):
        x = law.update(FLOAT64, 0.03, x, {}, p, 1e-3)
    force = law.force(FLOAT64, 0.03, x, {}, p)
    stribeck = LAWS["stribeck"].force(FLOAT64, 0.03, [], {}, EXAMPLES["stribeck"])
    assert force == pytest.approx(1.0150617049020432, rel=1e-12)
    assert stribeck == pytest.approx(1.0150617049020432, rel=1e-15)


def test_lugre_is_stable_where_explicit_steps_explode() -> None:
    law, p = LAWS["lugre"], EXAMPLES["lugre"]
    assert law.update is not None
    x = [0.0]
    for _ in range(2000):
        x = law.update(FLOAT64, 3.0, x, {}, p, 1e-4)
    assert p["sigma0"] * x[0] == pytest.approx(1.0, abs=1e-12)


def test_dahl_is_lugre_with_a_constant_level() -> None:
    """i = 1, and LuGre with Fc = Fs and no damping: F = sigma0 z."""
    dahl, lugre = LAWS["dahl"], LAWS["lugre"]
    assert dahl.update is not None
    assert lugre.update is not None
    p = {**EXAMPLES["lugre"], "Fs": 1.0, "sigma1": 0.0, "sigma2": 0.0}
    F, z = [0.0], [0.0]
    source = random.Random(3)
    for _ in range(100):
        v, dt = source.uniform(-1, 1), 10 ** source.uniform(-5, -3)
        F = dahl.update(FLOAT64, v, F, {}, EXAMPLES["dahl"], dt)
        z = lugre.update(FLOAT64, v, z, {}, p, dt)
        assert F[0] == pytest.approx(lugre.force(FLOAT64, v, z, {}, p), rel=1e-12, abs=1e-14)


def test_dahl_in_position_is_its_exponential() -> None:
    """From rest, i = 1: F = Fc (1 - exp(-sigma0 x/Fc)); i = 1/2 saturates at x = 2 Fc/sigma0."""
    law = LAWS["dahl"]
    assert law.update is not None
    p = EXAMPLES["dahl"]
    for x in (1e-9, 1e-5, 3e-4):
        (force,) = law.update(FLOAT64, 1.0, [0.0], {}, p, x)
        assert force == pytest.approx(-math.expm1(-1e4 * x), rel=1e-14)
    (force,) = law.update(FLOAT64, 1.0, [0.0], {}, {**p, "i": 0.5}, 1e-4)
    assert force == pytest.approx(1 - (1 - 0.5) ** 2, rel=1e-14)
    (force,) = law.update(FLOAT64, 1.0, [0.0], {}, {**p, "i": 0.5}, 2.0001e-4)
    assert force == 1.0


@pytest.mark.parametrize("i", [1 - 1e-4, 1 - 1e-7, 1 - 1e-12, 1 + 1e-10, 1 + 1e-5])
def test_dahl_loses_no_digits_near_i_equal_to_one(i: float) -> None:
    law = LAWS["dahl"]
    assert law.update is not None
    mp = MpAlgebra(50)
    for K in (1e-6, 0.3, 4.0):
        order = mp.const(1) - mp.number(i)
        gap = mp.binary("pow", mp.const(1) - order * mp.number(K), mp.const(1) / order)
        (force,) = law.update(FLOAT64, 1.0, [0.0], {}, {"Fc": 1.0, "sigma0": 1.0, "i": i}, K)
        assert force == pytest.approx(float(mp.const(1) - gap), rel=1e-12)


def test_elasto_plastic_bristles_do_not_drift_and_lugre_does() -> None:
    """A thousand cycles of velocity whose deflection stays below break-away."""
    ends: dict[str, float] = {}
    for name in ("lugre", "elasto-plastic"):
        law, p = LAWS[name], EXAMPLES[name]
        assert law.update is not None
        x = [3e-5]
        for k in range(8000):
            v = 0.01 if k % 8 < 4 else -0.01
            x = law.update(FLOAT64, v, x, {}, p, 1e-3)
        ends[name] = x[0]
    assert ends["elasto-plastic"] == pytest.approx(3e-5, rel=1e-9)
    assert abs(ends["lugre"] - 3e-5) > 1e-5


def test_an_elasto_plastic_deflection_beyond_saturation_comes_back() -> None:
    """Left from a slower motion; also when the motion reverses over a step of a whole radian."""
    law, p = LAWS["elasto-plastic"], EXAMPLES["elasto-plastic"]
    assert law.update is not None
    assert law.update(FLOAT64, 1.0, [1.5e-4], {}, p, 1.0)[0] == pytest.approx(1e-4, rel=1e-12)
    assert law.update(FLOAT64, -1.0, [1.5e-4], {}, p, 1.0)[0] == pytest.approx(-1e-4, rel=1e-12)


def test_gms_elements_slip_until_the_velocity_reverses() -> None:
    """While the speed falls the level rises; an element in slip follows at the rate C, it does not
    stick. Expected: the exact solution of dF/dt = C (a - F/h)."""
    law, p = LAWS["gms"], EXAMPLES["gms"]
    assert law.update is not None
    x = [0.0] * 8
    for _ in range(100):
        x = law.update(FLOAT64, 0.05, x, {}, p, 1e-3)
    assert x[4:] == [1.0] * 4
    before = x[:4]
    slow = level(0.002, p)
    x = law.update(FLOAT64, 0.002, x, {}, p, 1e-3)
    kept = math.exp(-p["C"] * 1e-3 / slow)
    for i in range(4):
        target = p[f"a{i + 1}"] * slow
        assert x[i] == pytest.approx(target + (before[i] - target) * kept, rel=1e-12)
        assert x[i] < 0.99 * target
    assert law.update(FLOAT64, 0.0, x, {}, p, 1e-3) == [*x[:4], 0.0, 0.0, 0.0, 0.0]
    back = law.update(FLOAT64, -1e-4, x, {}, p, 1e-3)
    assert back[4:] == [0.0] * 4
    assert back[0] == pytest.approx(x[0] - 4e3 * 1e-7, rel=1e-9)


# -- domains --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("stribeck", {"vs": 0.0}, "vs .rad/s. is outside its domain.*vs > 0"),
        ("stribeck", {"alpha": -1.0}, "alpha .1. is outside its domain"),
        ("coulomb", {"Fc": -0.1}, "Fc .N m. is outside its domain.*Fc >= 0"),
        ("coulomb", {"Fc": math.nan}, "Fc is no finite number"),
        ("coulomb", {"b": math.inf}, "b is no finite number"),
        ("coulomb", {"b": "0.5"}, "b is no finite number"),
        ("coulomb", {"b": None}, "b is no finite number"),
        ("coulomb", {"viscosity": 1.0}, "wrong set of parameters"),
        ("elasto-plastic", {"z_ba": 1e-4}, "do not go together.*z_ba < min"),
        ("table", {"w3": 0.01}, "do not go together.*0 < w2 < w3 < w4"),
        ("table", {"peak": 0.9}, "do not go together.*peak >= 1"),
        ("gms", {"a1": 0.2}, "do not go together.*a1 . a2 . a3 . a4 = 1"),
        ("bouc-wen", {"gamma": 7e3}, "do not go together.*-beta < gamma <= beta"),
        ("bouc-wen", {"gamma": -6e3}, "do not go together.*-beta < gamma <= beta"),
    ],
)
def test_parameters_outside_their_domain_are_refused(
    name: str, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"(?s){message}"):
        LAWS[name].check({**EXAMPLES[name], **change})


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(InputError, match="wrong set of parameters"):
        LAWS["coulomb"].check({"Fc": 1.0})


def test_a_temperature_outside_of_the_fit_is_refused() -> None:
    law = LAWS["temperature-stribeck"]
    p = EXAMPLES[law.name]
    law.check(p, signals={"temperature": 20.0, "load": 0.0})
    with pytest.raises(InputError, match=r"(?s)vs0 . vsT temperature > 0"):
        law.check(p, signals={"temperature": -60.0, "load": 0.0})


def test_an_unknown_law_is_answered_by_the_list() -> None:
    with pytest.raises(InputError, match=r"(?s)no such friction law.*lugre"):
        law_named("lugree")


# -- shapes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(LAWS))
def test_batches_equal_their_entries(name: str) -> None:
    law = LAWS[name]
    rng = np.random.default_rng(5)
    v = np.concatenate([[0.0, -0.0, 1e-300], rng.normal(0, 0.05, 21)]).reshape(4, 6)
    x = [np.full_like(v, value) * rng.uniform(-1, 1, v.shape) for value in states_of(law, 0.9)]
    if name == "gms":
        x[4:] = [rng.integers(-1, 2, v.shape).astype(float) for _ in range(4)]
    u, p = signals_of(law), EXAMPLES[name]
    arrays = {key: np.asarray(value) for key, value in p.items()}
    inputs = {key: np.asarray(value) for key, value in u.items()}
    with ARRAYS.scope():
        batch = all_of(law, ARRAYS, v, x, inputs, arrays, np.asarray(1e-3))
    for at in np.ndindex(v.shape):
        states = [float(state[at]) for state in x]
        one = all_of(law, FLOAT64, float(v[at]), states, u, p, 1e-3)
        assert [float(e[at]) for e in batch] == pytest.approx(one, rel=1e-12, abs=1e-15)


def all_of(
    law: FrictionLaw, A: Any, v: Any, x: Any, u: Mapping[str, Any], p: Mapping[str, Any], dt: Any
) -> list[Any]:
    found = [law.force(A, v, x, u, p), law.steady(A, v, x, u, p)]
    if law.rate is not None and law.update is not None:
        found += [*law.rate(A, v, x, u, p), *law.update(A, v, x, u, p, dt)]
    return found
