"""Generated NumPy and C of the laws, against each other, 50 digits, and the law run directly."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import FunctionSpec, Unit
from symdyn.codegen.targets import TARGETS
from symdyn.crosscheck.compilers import compile_and_load, find_c_compiler
from symdyn.crosscheck.python_module import load_module
from symdyn.expr.evaluate import evaluate
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw
from symdyn.friction_recipes import FRICTION_FUNCTIONS, functions_of, law_specs, sympy_view
from symdyn.friction_unit import build_friction_unit
from tests.friction.examples import signals_of, states_of
from tests.oracles import need_program

MP = MpAlgebra(50)
#: Small units that compile in a second; the others are compiled with the slow tests.
QUICK = ("coulomb-smooth", "stribeck", "lugre")


def module_of(unit: Unit, folder: Path) -> ModuleType:
    ((name, text),) = generate(unit, "numpy").items()
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load_module(path, text)


def library_of(unit: Unit, folder: Path) -> ctypes.CDLL:
    need_program("cc")
    compiler = find_c_compiler()
    assert compiler is not None
    for name, text in generate(unit, "c").items():
        (folder / name).write_text(text, encoding="utf-8")
    return compile_and_load(compiler, sorted(folder.glob("*.c")))


def call_c(library: ctypes.CDLL, unit: Unit, spec: FunctionSpec, row: list[Any]) -> np.ndarray:
    function = getattr(library, TARGETS["c"].entry_points(unit).functions[spec.name])
    function.restype = None
    given = [
        ctypes.c_double(value) if a.shape == () else (ctypes.c_double * len(value))(*value)
        for a, value in zip(spec.arguments, row, strict=True)
    ]
    out = (ctypes.c_double * len(spec.result.entries))()
    function(*given, out)
    return np.array(out)


def velocities(count: int) -> list[float]:
    """Random speeds over nine decades of both signs, and the edges."""
    source = random.Random(17)
    edges = [0.0, -0.0, 1e-300, -1e-300, 1e3, -1e3]
    return edges + [
        source.choice((-1, 1)) * 10 ** source.uniform(-6, 3) for _ in range(count - len(edges))
    ]


def arguments(law: FrictionLaw, spec: FunctionSpec, v: float, x: list[float]) -> list[Any]:
    known: dict[str, Any] = {"v": v, "x": x, "dt": 1e-3, **signals_of(law), **EXAMPLES[law.name]}
    if len(x) == 1:
        known[law.states[0].name] = x[0]
    return [known[a.name] for a in spec.arguments]


def exact(spec: FunctionSpec, row: list[Any]) -> np.ndarray:
    """The function in 50 digits, rounded."""
    values: dict[int, Any] = {}
    for argument, given in zip(spec.arguments, row, strict=True):
        numbers = given if isinstance(given, list) else [given]
        values.update(zip(argument.symbols, map(MP.number, numbers), strict=True))
    return np.array([float(e) for e in evaluate(spec.graph, spec.result.entries, MP, values)])


@pytest.mark.parametrize(
    "name", ["coulomb", "coulomb-smooth", "viscous", "stribeck", "stribeck-smooth"]
)
def test_numpy_and_c_agree_at_a_thousand_velocities(name: str, tmp_path: Path) -> None:
    """To 1e-14 (Fs + b |v|), at 0, tiny and large velocities as well; both also with 50 digits."""
    law = LAWS[name]
    unit = build_friction_unit(law)
    module, library = module_of(unit, tmp_path), library_of(unit, tmp_path)
    spec = law_specs(law, ["force"])["force"]
    v = np.array(velocities(1000))
    p = EXAMPLES[name]
    numpy_force = module.force(v, *p.values())
    c_force = np.array(
        [call_c(library, unit, spec, arguments(law, spec, float(w), []))[0] for w in v]
    )
    scale = p.get("Fs", p.get("Fc", 0.0)) + p["b"] * np.abs(v)
    assert np.all(np.abs(numpy_force - c_force) <= 1e-14 * scale)
    true = np.array([exact(spec, arguments(law, spec, float(w), []))[0] for w in v])
    assert np.all(np.abs(numpy_force - true) <= 1e-14 * scale)
    assert np.all(np.abs(c_force - true) <= 1e-14 * scale)


@pytest.mark.parametrize("name", list(LAWS))
def test_every_function_in_numpy(name: str, tmp_path: Path) -> None:
    """One state and batches; against 50 digits; shapes of a scalar, a vector and a matrix."""
    law = LAWS[name]
    unit = build_friction_unit(law)
    module = module_of(unit, tmp_path)
    module.self_test()
    v = np.array([0.0, 0.02, -0.004, 1.3, -1e-300, 1e-5])
    for spec in unit.functions:
        function = getattr(module, spec.name)
        for fraction in (0.0, 0.6):
            x = states_of(law, fraction)
            rows = [arguments(law, spec, float(w), x) for w in v]
            expected = [exact(spec, row).reshape(spec.result.shape) for row in rows]
            for row, value in zip(rows, expected, strict=True):
                found = np.asarray(function(*row))
                assert found.shape == spec.result.shape
                np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-12)
            takes_v = any(a.name == "v" for a in spec.arguments)
            for batch in (v, v.reshape(2, 3)):
                pairs = zip(spec.arguments, rows[0], strict=True)
                given = [batch if a.name == "v" else e for a, e in pairs]
                found = function(*given)
                shape = batch.shape if takes_v else ()
                assert np.shape(found) == (*shape, *spec.result.shape)
                wanted = np.array(expected).reshape(*batch.shape, *spec.result.shape)
                np.testing.assert_allclose(
                    found, wanted if takes_v else expected[0], rtol=1e-9, atol=1e-12
                )


def test_vectors_of_parameters_go_with_vectors_of_velocities(tmp_path: Path) -> None:
    """Two joints of different friction, three times."""
    module = module_of(build_friction_unit(LAWS["stribeck"]), tmp_path)
    v = np.array([[0.0, 0.1], [-0.2, 0.3], [1e-3, -1e-3]])
    Fs = np.array([1.5, 3.0])
    found = module.force(v, 1.0, Fs, 0.01, 2.0, np.array([0.5, 0.0]))
    assert found.shape == (3, 2)
    for i, j in np.ndindex(3, 2):
        one = module.force(v[i, j], 1.0, Fs[j], 0.01, 2.0, [0.5, 0.0][j])
        assert found[i, j] == pytest.approx(one, rel=1e-14)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.slow) for n in LAWS]
)
def test_every_function_in_c(name: str, tmp_path: Path) -> None:
    law = LAWS[name]
    unit = build_friction_unit(law)
    library = library_of(unit, tmp_path)
    test = getattr(library, f"{TARGETS['c'].entry_points(unit).unit}_self_test")
    test.restype = ctypes.c_int
    assert test() == 0
    for spec in unit.functions:
        for v in (0.0, 0.02, -0.004, 1.3, -1e-300):
            for fraction in (0.0, 0.6):
                row = arguments(law, spec, v, states_of(law, fraction))
                found = call_c(library, unit, spec, row)
                np.testing.assert_allclose(found, exact(spec, row), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", list(LAWS))
def test_the_regressor_gives_the_force_back(name: str) -> None:
    law = LAWS[name]
    specs = law_specs(law)
    if not law.linear:
        assert "regressor" not in specs
        return
    p = EXAMPLES[name]
    for v in (0.0, 0.02, -0.3):
        x = states_of(law, 0.6)
        columns = exact(specs["regressor"], arguments(law, specs["regressor"], v, x))
        total = float(columns @ np.array([p[k] for k in law.linear]))
        if "regressor_rest" in specs:
            spec = specs["regressor_rest"]
            total += float(exact(spec, arguments(law, spec, v, x))[0])
        force = law.force(FLOAT64, v, x, signals_of(law), p)
        assert total == pytest.approx(force, rel=1e-12, abs=1e-14)


def test_every_law_has_every_function_that_it_can_have() -> None:
    for law in LAWS.values():
        has = set(functions_of(law))
        assert has <= set(FRICTION_FUNCTIONS)
        assert {"force", "steady_force", "force_by_velocity", "force_by_parameters"} <= has
        assert ("state_update" in has) == bool(law.states)
        assert ("rest_bounds" in has) == (law.at_rest is not None)
    with pytest.raises(InputError, match=r"coulomb: no function 'state_rate'"):
        law_specs(LAWS["coulomb"], ["state_rate"])


def test_the_same_law_gives_the_same_bytes() -> None:
    first, second = (build_friction_unit(LAWS["gms"]) for _ in range(2))
    for target in ("numpy", "c"):
        assert generate(first, target) == generate(second, target)


@pytest.mark.parametrize("name", list(LAWS))
def test_the_sympy_view_has_the_values_of_the_law(name: str) -> None:
    law = LAWS[name]
    p, u = EXAMPLES[name], signals_of(law)
    x = states_of(law, 0.6)
    numbers: dict[str, float] = {**p, **u}
    numbers |= {q.name: value for q, value in zip(law.states, x, strict=True)}
    for only, speeds in ((True, (0.02, 1.3)), (False, (0.02, -0.3, 0.0))):
        view = sympy_view(law, forward_only=only)
        for v in speeds:
            for key, expression in view.items():
                at = {s: {**numbers, "v": v}[str(s)] for s in expression.free_symbols}
                found = float(expression.subs(at).evalf())
                if key == "force":
                    expected = law.force(FLOAT64, v, x, u, p)
                elif key == "steady_force":
                    expected = law.steady(FLOAT64, v, x, u, p)
                else:
                    assert law.rate is not None
                    k = [q.name for q in law.states].index(key.removeprefix("rate of "))
                    expected = law.rate(FLOAT64, v, x, u, p)[k]
                assert found == pytest.approx(expected, rel=1e-10, abs=1e-12), (key, v)


def test_the_sympy_view_of_forward_motion_is_the_textbook_formula() -> None:
    import sympy

    v, vs, alpha = (sympy.Symbol(s, positive=True) for s in ("v", "vs", "alpha"))
    Fc, Fs, b = (sympy.Symbol(s, real=True) for s in ("Fc", "Fs", "b"))
    textbook = Fc + (Fs - Fc) * sympy.exp(-((v / vs) ** alpha)) + b * v
    assert sympy.expand(sympy_view(LAWS["stribeck"])["force"] - textbook) == 0
