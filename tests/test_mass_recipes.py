"""Functions of time of a robot given by its mass: their numbers, and their generated code."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

from symdyn import dynamics
from symdyn._errors import InputError, SizeError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import lift
from symdyn.codegen.spec import FunctionSpec, SelfTest, Unit
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward
from symdyn.expr.evaluate import evaluate
from symdyn.expr.identity import equal
from symdyn.mass import (
    TIME,
    MassMoments,
    Momentum,
    X,
    cylinder,
    distribution,
    flow,
    from_functions,
    moments,
    part,
    particle,
    point,
    source_of,
)
from symdyn.mass_recipes import FUNCTIONS_OF_TIME, derive_mass, mass_motion, with_mass
from symdyn.model.over import over
from symdyn.model.robot import Parameter, Robot
from symdyn.recipes import derive
from symdyn.unit import expected_at
from tests.codegen.building import CLibrary, load_numpy
from tests.robots import random_robot

t = TIME
LENGTH = sympy.Symbol("length", positive=True)


def robot() -> Robot:
    made = random_robot(5, 3, tree=False)
    declared = (
        Parameter("length", Fraction(3, 2), "m", True),
        Parameter("turn", Fraction(2), "rad/s"),
    )
    return replace(made, parameters=declared)


def wheel() -> MassMoments:
    turn = sympy.Symbol("turn", real=True)
    return moments(
        distribution(
            part(
                cylinder(1, 1), mass=2, velocity=[-turn * X[1], turn * X[0], 0], at=[LENGTH, 0, 0]
            ),
            particle(1, [LENGTH * sympy.sin(turn * t), 0, t**2]),
        )
    )


def changing() -> Robot:
    """The first body as it is, then a wheel with a particle, then mass that comes co-moving."""
    loading = moments(distribution(particle(1 + t, [LENGTH, sympy.exp(-t), 0])))
    made = robot()
    comes = mass_motion(loading, source_of(loading, Momentum.CO_MOVING))
    return with_mass(made, {"body 1": mass_motion(wheel()), "body 2": comes})


def at(spec: FunctionSpec, time: float, length: float) -> list[float]:
    """Entries of a function of time, in doubles."""
    return list(expected_at(spec, {"t": [time], "parameters": [length]}))


def test_rates_are_derivatives_in_time() -> None:
    specs = derive_mass(changing())
    assert tuple(specs) == FUNCTIONS_OF_TIME
    for name, rates in (
        ("inertial_parameters", "inertial_parameter_rates"),
        ("relative_momentum", "relative_momentum_rates"),
    ):
        spec = specs[name]
        (time,) = spec.arguments[0].symbols
        slope = forward(spec.graph, spec.result.entries, time)
        moved = replace(spec, result=replace(spec.result, entries=tuple(slope)))
        found, stated = at(moved, 0.7, 1.25), at(specs[rates], 0.7, 1.25)
        size = len(found) // 3
        np.testing.assert_allclose(stated[: 2 * size], found[: 2 * size], rtol=1e-15, atol=1e-15)
        if name == "relative_momentum":
            np.testing.assert_allclose(stated, found, rtol=1e-15, atol=1e-15)
        else:
            # co-moving mass: what arrives is taken off, only the motion of the mass remains
            m, (x, y) = 1.7, (1.25, float(np.exp(-0.7)))
            assert stated[2 * size : 2 * size + 4] == pytest.approx([0, 0, -m * y, 0], abs=1e-15)
            assert found[2 * size] == 1
            assert stated[2 * size + 7] == pytest.approx(m * x * y, rel=1e-15)


def test_a_body_without_a_distribution_keeps_its_own_parameters() -> None:
    made = robot()
    specs = derive_mass(changing())
    own = [float(e.rational or 0) for e in made.bodies[0].phi]
    assert at(specs["inertial_parameters"], 0.3, 1.0)[:10] == pytest.approx(own, rel=1e-15)
    assert at(specs["relative_momentum"], 0.3, 1.0)[:12] == [0.0] * 12


def test_a_declared_number_is_built_in_and_an_argument_is_not() -> None:
    spec = derive_mass(changing(), ["relative_energy"])["relative_energy"]
    assert [a.name for a in spec.arguments] == ["t", "parameters"]
    nu = at(spec, 0.25, 1.5)
    # wheel: M R^2 turn^2 / 2; particle: (length turn cos)^2 + (2 t)^2
    arriving = 1.25 * float(np.exp(-0.5))
    by_hand = 2 * 4 / 2 + (1.5 * 2 * np.cos(0.5)) ** 2 + 0.25
    assert nu == pytest.approx([0, by_hand, arriving], rel=1e-15)
    plain = derive_mass(replace(robot(), parameters=()))["relative_energy"]
    assert [(a.name, a.shape) for a in plain.arguments] == [("t", ())]


@pytest.mark.parametrize("target", ["numpy", "c"])
def test_generated_functions_of_time_feed_the_generalized_equation(
    target: str, tmp_path: Path
) -> None:
    """theta, theta_dot, psi, psi_dot of one unit go into its generalized_inverse_dynamics."""
    made = changing()
    timed = derive_mass(made)
    equation = "generalized_inverse_dynamics"
    derived = derive(made, [equation]).specs
    inputs = {"t": (0.4,), "parameters": (1.5,)}
    expected = {name: expected_at(spec, inputs) for name, spec in timed.items()}
    states = {
        "q": (0.1, -0.4, 0.3), "qd": (0.5, 1.0, -2.0), "qdd": (1.0, 0.2, -0.3),
        "theta": expected["inertial_parameters"],
        "theta_dot": expected["inertial_parameter_rates"],
        "psi": expected["relative_momentum"],
        "psi_dot": expected["relative_momentum_rates"],
    }  # fmt: skip
    names = ("q", "qd", "qdd", "theta", "theta_dot", "psi", "psi_dot")
    want = dynamics.generalized_inverse_dynamics(
        over(made, FLOAT64, {"length": 1.5}), *(list(states[name]) for name in names)
    )
    unit = Unit(
        "arm",
        (*timed.values(), *derived.values()),
        (),
        (),
        SelfTest({**inputs, **states}, {**expected, equation: tuple(want)}, 1e-12),
        "sha256:0",
    )
    if target == "c":
        library = CLibrary(unit, tmp_path)
        assert library.raw(f"{library.names.unit}_self_test")() == 0
        call = library.one
    else:
        module = load_numpy(unit)

        def call(name: str, *given: object) -> np.ndarray:
            return getattr(module, name)(*given)

    vectors = [call(name, 0.4, [1.5]) for name in FUNCTIONS_OF_TIME[:4]]
    motion = (states["q"], states["qd"], states["qdd"])
    tau = call(equation, *motion, *vectors, [1.5])
    np.testing.assert_allclose(tau, want, rtol=1e-12, atol=1e-12)


def test_exact_all_the_way() -> None:
    """50 digits of the graph and of SymPy's own evaluation of the moments agree."""
    spec = derive_mass(changing(), ["relative_momentum"])["relative_momentum"]
    mp = MpAlgebra(50)
    (time,), (length,) = (a.symbols for a in spec.arguments)
    values = {time: mp.const(Fraction(3, 7)), length: mp.const(Fraction(5, 4))}
    found = evaluate(spec.graph, spec.result.entries, mp, values)
    psi = wheel().psi
    letters = {s.name: s for e in psi for s in e.free_symbols}
    numbers = {letters["turn"]: 2, LENGTH: sympy.Rational(5, 4), t: sympy.Rational(3, 7)}
    for value, expression in zip(found[12:24], psi, strict=True):
        exact = expression.subs(numbers).evalf(60)
        assert abs(mp.number(str(exact)) - value) < mp.number("1e-47")


def test_one_definition_for_rates_of_closed_bodies() -> None:
    specs = derive_mass(with_mass(robot(), {"body 1": mass_motion(wheel())}))
    spec = specs["inertial_parameters"]
    (time,) = spec.arguments[0].symbols
    slope = forward(spec.graph, spec.result.entries, time)
    rates = specs["inertial_parameter_rates"]
    mapping = {
        old: new
        for a, b in zip(rates.arguments, spec.arguments, strict=True)
        for old, new in zip(a.symbols, b.symbols, strict=True)
    }
    stated = copy_into(rates.graph, rates.result.entries, spec.graph, mapping)
    assert equal(spec.graph, slope, stated).holds


def test_phi_of_the_body_is_that_of_the_start() -> None:
    made = changing()
    mp = MpAlgebra(30)
    values = {"length": mp.const(Fraction(3, 2)), "turn": mp.const(2)}
    start = [float(x) for x in lift(made.bodies[1].phi, mp, values)]
    assert start == at(derive_mass(made)["inertial_parameters"], 0.0, 1.5)[10:20]
    assert made.bodies[2].motion is not None
    assert "velocity of the body at its place" in made.bodies[2].motion.statement


def test_faults_are_named() -> None:
    with pytest.raises(InputError, match=r"no such function of time.*'theta'"):
        derive_mass(robot(), ["theta"])
    with pytest.raises(InputError, match=r"no body is called 'hand'"):
        with_mass(robot(), {"hand": mass_motion(wheel())})
    letter = sympy.Symbol("lenght", positive=True)
    strange = moments(distribution(particle(1, [letter * t, 0, 0])))
    with pytest.raises(InputError, match=r"body 2.*'lenght' has no value.*length, turn"):
        with_mass(robot(), {"body 2": mass_motion(strange)})
    unknown = sympy.Function("s", real=True)(t)
    with pytest.raises(InputError, match="has no expression"):
        mass_motion(moments(distribution(particle(1, [unknown, 0, 0]))))
    growing = moments(distribution(particle(1 + t, [1, 0, 0])))
    with pytest.raises(InputError, match="needs the momentum of the mass it gains"):
        mass_motion(growing)
    speed = sympy.Symbol("vjet", real=True)
    jet = flow(point((1, 0, 0)), Momentum.STREAM, mass_rate=1, velocity=[speed, 0, 0])
    poured = mass_motion(growing, source_of(growing, None, [jet]))
    with pytest.raises(InputError, match=r"'vjet' has no value"):
        with_mass(robot(), {"body 2": poured})


def test_moments_of_no_body_are_refused_by_hand_and_with_the_numbers_of_the_robot() -> None:
    ball = [1, 0, 0, 0, *[sympy.Rational(2, 5)] * 3, 0, 0, 0]
    psi = [sympy.S.Zero] * 12
    psi[6], psi[4] = sympy.Rational(1, 2), -sympy.Rational(1, 2)  # l3 = -1
    with pytest.raises(InputError, match=r"no body has these moments.*takes 2\.5 at t = 0"):
        mass_motion(from_functions(ball, psi, 1))
    assert mass_motion(from_functions(ball, psi, 3)).times is None
    mixed = [1, LENGTH * t, *ball[2:]]
    moves = [LENGTH, *psi[1:]]
    free = mass_motion(from_functions(mixed, moves, 100), times=(0, 1))
    assert free.times == (0, 1)
    # 3/2 m at t = 1, while the second moment is 1/5
    with pytest.raises(InputError, match=r"no mass has the inertial parameters of 'body 1' at t ="):
        with_mass(robot(), {"body 1": free})


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="this is no real number"):
        particle(None, [0, 0, 0])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="this is no real number"):
        part(cylinder(1, 1), density=1 + 2j)  # type: ignore[arg-type]
    with pytest.raises(SizeError, match="psi has 3 entries"):
        from_functions([1] * 10, [0] * 3, 0)


def test_paths_without_a_second_rate_are_refused_in_words() -> None:
    for path in (sympy.Abs(t - sympy.Rational(1, 2)), sympy.Min(t, sympy.Rational(1, 2))):
        with pytest.raises(InputError, match="a rate of the moments does not exist") as error:
            mass_motion(moments(distribution(particle(1, [path, 0, 0]))))
        assert "DiracDelta" not in str(error.value)
        assert "smooth" in str(error.value)


def test_a_mass_that_only_moves_is_possible_at_all_times() -> None:
    assert mass_motion(wheel()).times is None
    breathing = part(cylinder(1 + t**2 / 2, 1), mass=1, velocity=[0, 0, 0])
    spread = moments(distribution(breathing, times=(-1, 1)))
    assert mass_motion(spread, source_of(spread, Momentum.CO_MOVING)).times == (-1, 1)
