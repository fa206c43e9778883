"""Reflection through a gear: the listed factors, and F_joint(v) = N F_motor(N v) for every law."""

from __future__ import annotations

import pytest

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.reflect import factor, reflect, reflect_inertia
from tests.friction.examples import signals_of, states_of

N = 100.0


def test_factors_of_the_usual_parameters() -> None:
    """Levels times N; viscous, stiffness, bristle damping and inertia times N^2; vs over N."""
    found = reflect(LAWS["lugre"], EXAMPLES["lugre"], N)
    assert found == pytest.approx(
        {
            "Fc": 100.0, "Fs": 150.0, "vs": 1e-4, "alpha": 2.0,
            "sigma0": 1e8, "sigma1": 99.5e4, "sigma2": 5e3,
        },
        rel=1e-14,
    )  # fmt: skip
    assert reflect_inertia(1e-4, N) == pytest.approx(1.0, rel=1e-14)
    gms = reflect(LAWS["gms"], EXAMPLES["gms"], N)
    assert gms["C"] == pytest.approx(5e3)
    assert gms["k1"] == pytest.approx(4e7)
    assert gms["a1"] == 0.1
    assert reflect(LAWS["ripple"], EXAMPLES["ripple"], N)["k"] == pytest.approx(3600)
    power = {"b": 0.5, "d": 0.5}
    assert reflect(LAWS["viscous-power"], power, 4.0)["b"] == pytest.approx(0.5 * 4 * 2)


@pytest.mark.parametrize("name", list(LAWS))
@pytest.mark.parametrize("ratio", [50.0, 0.25])
def test_force_and_power_pass_the_gear(name: str, ratio: float) -> None:
    """At the joint the force is N times, the states are those of the motor in the joint's units."""
    law, p = LAWS[name], EXAMPLES[name]
    joint = reflect(law, p, ratio)
    law.check(joint, signals={k: x for k, x in signals_of(law).items()})
    x = states_of(law, 0.6)
    y = [value * factor(q, ratio, p) for value, q in zip(x, law.states, strict=True)]
    u = signals_of(law)
    w = {q.name: u[q.name] * factor(q, ratio, p) for q in law.signals}
    for v in (0.0, 1e-3, -0.02, 0.7):
        motor = law.force(FLOAT64, ratio * v, x, u, p)
        at_joint = law.force(FLOAT64, v, y, w, joint)
        assert at_joint == pytest.approx(ratio * motor, rel=1e-9, abs=1e-12)
        if law.update is not None:
            after = law.update(FLOAT64, ratio * v, x, u, p, 1e-3)
            there = law.update(FLOAT64, v, y, w, joint, 1e-3)
            for a, b, q in zip(after, there, law.states, strict=True):
                assert b == pytest.approx(a * factor(q, ratio, p), rel=1e-9, abs=1e-15)


def test_a_gear_there_and_back_is_none() -> None:
    for name, law in LAWS.items():
        back = reflect(law, reflect(law, EXAMPLES[name], N), 1 / N)
        assert back == pytest.approx(EXAMPLES[name], rel=1e-12)


def test_faulty_ratios_are_refused() -> None:
    for ratio in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(InputError, match="gear ratio"):
            reflect(LAWS["coulomb"], EXAMPLES["coulomb"], ratio)
        with pytest.raises(InputError, match="gear ratio"):
            reflect_inertia(1.0, ratio)
