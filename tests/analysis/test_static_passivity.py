"""Static passivity: the known cases, and against the sign of the curve on a grid."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.analysis.static_passivity import curve_passivity, static_passivity
from symdyn.analysis.steady_curve import StribeckCurve, shape
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import Domain, FrictionLaw

MP = MpAlgebra(40)


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


@pytest.mark.parametrize(
    ("change", "level"),
    [({"offset": 1.3}, "Fc_minus - offset < 0"), ({"offset": -1.3}, "Fc_plus . offset < 0")],
)
def test_levels_are_called_as_the_law_calls_them(change: dict[str, float], level: str) -> None:
    verdict = static_passivity(LAWS["asymmetric"], {**EXAMPLES["asymmetric"], **change})
    assert re.search(level, verdict.detail)


def numbers(law: FrictionLaw, data: st.DataObject) -> dict[str, float]:
    """Parameters of either sign where the law takes them, about its example."""
    drawn: dict[str, float] = {}
    for q in law.parameters:
        factor = data.draw(st.sampled_from([-1.0, -0.2, 0.0, 0.3, 1.0, 2.5]), label=q.name)
        if q.domain is not Domain.REAL or q.unit in ("rad/s", "s/rad", "1"):
            factor = abs(factor) or (0.1 if q.domain is Domain.POSITIVE else 0.0)
        drawn[q.name] = EXAMPLES[law.name][q.name] * factor
    return drawn


@pytest.mark.parametrize(
    "name",
    ["coulomb-smooth", "stribeck-smooth", "hess-soom", "makkar", "brown-mcphee", "simscape"],
)
@settings(max_examples=25)
@given(data=st.data())
def test_enclosed_forces_have_the_sign_that_a_grid_shows(name: str, data: st.DataObject) -> None:
    law = LAWS[name]
    p = numbers(law, data)
    verdict = static_passivity(law, p)
    forces = [law.steady(FLOAT64, 10 ** (k / 40 - 8), [], {}, p) for k in range(560)]
    scale = max(map(abs, p.values()))
    if verdict.kind is VerdictKind.PROVED:
        assert min(forces) >= -1e-13 * scale
    elif verdict.kind is VerdictKind.REFUTED:
        assert verdict.witness is not None
        v, force = float(str(verdict.witness["v"])), float(str(verdict.witness["force"]))
        assert v * force < 0
        found = law.steady(MP, MP.number(v), [], {}, {n: MP.number(x) for n, x in p.items()})
        assert float(found) == pytest.approx(force, rel=1e-12)
    else:
        assert min(forces) > -1e-9 * scale


@pytest.mark.parametrize(
    ("name", "change", "kind"),
    [
        ("makkar", {"g2": 40.0, "g3": 400.0}, VerdictKind.PROVED),
        ("makkar", {"g2": 40.0, "g3": 400.0, "g4": 0.3}, VerdictKind.REFUTED),
        ("hess-soom", {"Fc": -0.1, "b": 20.0}, VerdictKind.PROVED),
        ("hess-soom", {"Fc": -0.1}, VerdictKind.REFUTED),
        ("stribeck-smooth", {"Fc": -0.1, "b": 20.0}, VerdictKind.PROVED),
        ("brown-mcphee", {"Fs": 0.5}, VerdictKind.PROVED),
        ("brown-mcphee", {"Fs": -3.0}, VerdictKind.REFUTED),
        ("table", {}, VerdictKind.PROVED),
        ("table", {"t4": 0.9}, VerdictKind.REFUTED),
        ("karnopp", {}, VerdictKind.PROVED),
        ("karnopp", {"b": -0.1, "Dv": 1e3}, VerdictKind.REFUTED),
        ("load-stribeck", {}, VerdictKind.PROVED),
        ("ripple", {"a": 9.0}, VerdictKind.PROVED),
        ("ripple", {"a": 9.0, "k": 0.0}, VerdictKind.REFUTED),
        ("ripple", {"b": -0.1}, VerdictKind.REFUTED),
    ],
)
def test_laws_with_terms_of_either_sign(
    name: str, change: dict[str, float], kind: VerdictKind
) -> None:
    verdict = static_passivity(LAWS[name], {**EXAMPLES[name], **change})
    assert verdict.kind is kind
    if verdict.witness:
        v, force = float(str(verdict.witness["v"])), float(str(verdict.witness["force"]))
        assert v * force < 0
        assert v > change.get("Dv", -math.inf)


@pytest.mark.parametrize(
    ("FsT", "vsT", "passive"),
    [
        (2e-3, 2e-4, True), (0.024, 2e-4, True), (0.0241, 2e-4, False), (-2e-3, 2e-4, False),
        (-0.024, -2e-4, True), (-0.0241, -2e-4, False), (2e-3, -2e-4, False),
        (0.0, 2e-4, True), (1e-6, 0.0, True), (2e-3, 0.0, False), (0.0, 0.0, True),
    ],
)  # fmt: skip
def test_a_level_that_temperature_turns_negative(FsT: float, vsT: float, passive: bool) -> None:
    """Fs0 + Fc0 = 1.2; the law holds where vs0 + vsT T > 0, from -50 K on or up to 50 K."""
    law = LAWS["temperature-stribeck"]
    p = {**EXAMPLES[law.name], "FsT": FsT, "vsT": vsT}
    verdict = static_passivity(law, p)
    assert verdict.kind is (VerdictKind.PROVED if passive else VerdictKind.REFUTED)
    if verdict.witness:
        w = {name: float(str(x)) for name, x in verdict.witness.items()}
        u = {"temperature": w["temperature"], "load": w["load"]}
        law.check(p, signals=u)
        assert law.force(FLOAT64, w["v"], [], u, p) == pytest.approx(w["force"], rel=1e-9)
        assert w["v"] > 0 > w["force"]


def test_laws_with_states_are_sent_to_their_storages() -> None:
    with pytest.raises(InputError, match=r"(?s)the law has states.*Ask `passivity`"):
        static_passivity(LAWS["dahl"], EXAMPLES["dahl"])
    with pytest.raises(InputError, match="outside its domain"):
        static_passivity(LAWS["coulomb"], {"Fc": -1.0, "b": 0.0})


@pytest.mark.parametrize(
    ("name", "level"), [("makkar", "g4"), ("hess-soom", "b"), ("brown-mcphee", "Fs")]
)
def test_a_dip_is_seen_however_little_it_goes_below_zero(name: str, level: str) -> None:
    """The parameter at which the least force over a fine grid is 0, and a little to both sides."""
    start = {"makkar": {"g2": 40.0, "g3": 400.0}, "hess-soom": {"Fc": -0.1}, "brown-mcphee": {}}
    law, p = LAWS[name], {**EXAMPLES[name], **start[name]}
    low, high = {"makkar": (0.1, 1.0), "hess-soom": (0.5, 20.0), "brown-mcphee": (-3.0, 0.5)}[name]

    def least(x: float) -> float:
        q = {**p, level: x}
        return min(law.steady(FLOAT64, 10 ** (k / 2000 - 4), [], {}, q) for k in range(8000))

    for _ in range(22):
        middle = (low + high) / 2
        low, high = (middle, high) if least(middle) < 0 else (low, middle)
    for x, kind in ((low - 1e-4, VerdictKind.REFUTED), (high + 1e-4, VerdictKind.PROVED)):
        assert static_passivity(law, {**p, level: x}).kind is kind
