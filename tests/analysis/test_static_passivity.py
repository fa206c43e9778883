"""Static passivity: the known cases, and against the sign of the curve on a grid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.static_passivity import curve_passivity, static_passivity
from symdyn.analysis.steady_curve import StribeckCurve, shape
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES


@pytest.mark.parametrize(
    ("Fs", "Fc", "b", "passive"),
    [
        (0.5, 1.0, 0.0, True),  # Fs >= Fc is not needed
        (1.0, -0.1, 0.0, False),
        (1.0, -0.1, 20.0, True),  # nor Fc >= 0, with enough viscous friction
        (1.0, -0.1, 2.0, False),
        (1.5, 1.0, 0.5, True),
        (1.5, 1.0, -1e-9, False),
        (-1e-9, 1.0, 5.0, False),
        (0.0, 0.0, 0.0, True),
    ],
)
def test_known_cases(Fs: float, Fc: float, b: float, passive: bool) -> None:
    verdict = static_passivity(
        LAWS["stribeck"], {"Fc": Fc, "Fs": Fs, "vs": 0.01, "alpha": 2.0, "b": b}
    )
    assert verdict.kind is (VerdictKind.PROVED if passive else VerdictKind.REFUTED)
    if verdict.witness:
        v, force = float(str(verdict.witness["v"])), float(str(verdict.witness["force"]))
        assert v * force < 0
        curve = StribeckCurve(Fc, Fs, 0.01, 2.0, b)
        assert curve.force(v) == force


def decimals(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers whose least size a force of order 1 does not swallow."""
    return st.floats(low, high).map(lambda x: round(x, 6))


@given(Fc=decimals(-1, 1), Fs=decimals(-0.2, 2), b=decimals(-0.2, 30), alpha=st.floats(0.4, 4))
def test_the_verdict_is_the_sign_of_the_curve(Fc: float, Fs: float, b: float, alpha: float) -> None:
    curve = StribeckCurve(Fc, Fs, 0.01, alpha, b)
    verdict = curve_passivity(curve)
    assert verdict.kind is not VerdictKind.UNKNOWN
    grid = [10 ** (k / 50 - 8) for k in range(700)]
    grid += [v for v, _ in shape(curve).stationary]
    is_negative = any(curve.force(v) < 0 for v in grid)
    if verdict.kind is VerdictKind.PROVED:
        assert not is_negative
    else:
        assert verdict.witness is not None
        assert float(str(verdict.witness["force"])) < 0


def test_a_minimum_of_nearly_zero_is_decided_in_sixty_digits() -> None:
    """Fc below 0 by the minimum's own height: a ulp to either side decides."""
    base = StribeckCurve(0.0, 1.0, 0.01, 2.0, 10.0)
    (_, least) = shape(base).stationary[-1]
    shifted = [StribeckCurve(-least + d, 1.0 - least + d, 0.01, 2.0, 10.0) for d in (1e-15, -1e-15)]
    kinds = [curve_passivity(curve).kind for curve in shifted]
    assert kinds == [VerdictKind.PROVED, VerdictKind.REFUTED]


@pytest.mark.parametrize(
    ("name", "change", "passive"),
    [
        ("coulomb", {}, True),
        ("coulomb-set", {"b": -0.1}, False),
        ("viscous", {}, True),
        ("viscous", {"b": -0.1}, False),
        ("viscous-power", {"b": -0.1}, False),
        ("viscous-cubic", {}, True),
        ("viscous-cubic", {"b1": -1e-3}, False),
        ("viscous-cubic", {"b3": -1e-3}, False),
        ("asymmetric", {}, True),
        ("asymmetric", {"offset": 1.3}, False),
        ("asymmetric", {"offset": -1.3}, False),
        ("asymmetric", {"b_minus": -0.1}, False),
    ],
)
def test_the_other_laws(name: str, change: dict[str, float], passive: bool) -> None:
    law = LAWS[name]
    p = {**EXAMPLES[name], **change}
    verdict = static_passivity(law, p)
    assert verdict.kind is (VerdictKind.PROVED if passive else VerdictKind.REFUTED)
    if verdict.witness:
        v = float(str(verdict.witness["v"]))
        force = law.force(FLOAT64, v, [], {}, p)
        assert v * force < 0
        assert force == pytest.approx(float(str(verdict.witness["force"])), rel=1e-12)
    else:
        for k in range(-700, 700):
            v = (1 if k > 0 else -1) * 10 ** (abs(k) / 50 - 8)
            assert v * law.force(FLOAT64, v, [], {}, p) >= 0


def test_laws_without_a_criterion_say_what_has_one() -> None:
    with pytest.raises(UnsupportedError, match="lugre_passivity"):
        static_passivity(LAWS["makkar"], EXAMPLES["makkar"])
    with pytest.raises(InputError, match="outside its domain"):
        static_passivity(LAWS["coulomb"], {"Fc": -1.0, "b": 0.0})
