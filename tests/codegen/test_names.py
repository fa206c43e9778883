"""Names from files become identifiers: distinct, stable, harmless."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.codegen.generate import generate
from symdyn.codegen.mangle import NameRules, Names
from symdyn.codegen.reserved import C_WORDS, PYTHON_WORDS
from symdyn.codegen.spec import Constant, SelfTest, Unit
from symdyn.codegen.targets import TARGETS
from symdyn.codegen.text import c_comment, c_string, visible
from symdyn.expr.graph import Graph
from tests.codegen.building import CLibrary, argument, function, load_numpy, scalars, unit

HOSTILE = [
    "", " ", "0", "7dof", "a b", "a-b", "a/b", "a.b", "a_b", "π", "l_arm/elbow-π", "θ̇", "日本",
    "in", "class", "lambda", "new", "int", "restrict", "_Bool", "I", "NAN", "y0", "gamma", "sin",
    "main", "unix", "near", "out", "count", "k", "i", "t0", "t12", "work", "sines", "q_lanes", "op",
    "np", "math", "x_1", "x__1", "__init__", "__import__('os').system('id')", "*/ int x; /*", "\\",
    "a\nb", "??/", '"""', "'", "%s", "{x}", "$(id)", "A", "a", "\u202e", "nan", "None", "e" * 300,
]  # fmt: skip

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@given(st.lists(st.text(max_size=12), unique=True, max_size=12))
def test_distinct_names_get_distinct_identifiers(texts: list[str]) -> None:
    rules = NameRules(C_WORDS)
    found = Names(rules).claim_all(texts)
    assert len(set(found.values())) == len(texts)
    for name in found.values():
        assert IDENTIFIER.fullmatch(name)
        assert name not in C_WORDS


@given(st.permutations(HOSTILE[:30]))
def test_plain_names_do_not_depend_on_odd_ones(texts: list[str]) -> None:
    found = Names(NameRules(C_WORDS)).claim_all(texts)
    assert found["a_b"] == "a_b"
    assert found["a b"] != "a_b"


def test_readable_spelling() -> None:
    names = Names(NameRules(PYTHON_WORDS)).claim_all(["l_arm/elbow-π", "lambda", "", "7dof"])
    assert list(names.values()) == ["l_arm_elbow_pi", "lambda_", "unnamed", "n7dof"]


def test_long_names_are_cut_but_stay_distinct() -> None:
    a, b = Names(NameRules(C_WORDS)).claim_all(["x" * 200 + "a", "x" * 200 + "b"]).values()
    assert a != b
    assert max(len(a), len(b)) <= 48


def test_python_words_hold_every_keyword() -> None:
    assert set(keyword.kwlist) <= PYTHON_WORDS


@pytest.mark.parametrize("text", HOSTILE)
def test_comments_end_where_they_should(text: str) -> None:
    for shown in (visible(text), c_comment(text)):
        assert "\n" not in shown
        assert "\u202e" not in shown
    assert "*/" not in c_comment(text)
    assert not c_comment(text).endswith("\\")
    assert "??" not in c_string(text).replace("\\?", "")


def _hostile_unit() -> tuple[Unit, list[float]]:
    """A function per hostile name, with all hostile names as arguments, summing k * argument."""
    functions = []
    for name in [*HOSTILE[:12], "f", "f_batch", "f_self_test", "f_block", "self_test", "sincos"]:
        graph = Graph()
        nodes, arguments = scalars(graph, HOSTILE)
        total = graph.constant(0)
        for k, node in enumerate(nodes):
            total = total + graph.constant(k + 1) * node
        graph.label(total, "*/ sum \\")
        functions.append(function(graph, arguments, [total], (), name))
    values = [k / 8 for k in range(len(HOSTILE))]
    expected = sum((k + 1) * v for k, v in enumerate(values))
    test = SelfTest(
        {name: (value,) for name, value in zip(HOSTILE, values, strict=True)},
        {spec.name: (expected,) for spec in functions},
        1e-12,
    )
    constants = tuple(Constant(name, (name, "x"), name) for name in HOSTILE)
    made = Unit("while", tuple(functions), constants, tuple(HOSTILE), test, "sha256:*/\n")
    return made, values


def test_a_unit_of_hostile_names_runs(tmp_path: Path) -> None:
    made, values = _hostile_unit()
    assert made.self_test is not None
    expected = made.self_test.expected["f"][0]
    module = load_numpy(made)
    module.self_test()
    names = TARGETS["numpy"].entry_points(made)
    assert getattr(module, names.functions["f"])(*values) == expected
    assert getattr(module, names.constants["π"]) == ("π", "x")
    library = CLibrary(made, tmp_path)
    assert library.one("", *values) == expected
    assert library.raw(f"{library.names.unit}_self_test")() == 0
    states = np.outer(values, np.ones(5))
    assert np.all(library.many("f_batch", 5, *states) == expected)


def test_a_unit_may_be_called_like_an_argument(tmp_path: Path) -> None:
    graph = Graph()
    (x, y), arguments = scalars(graph, ["v", "w"])
    library = CLibrary(unit(function(graph, arguments, [x - y], ()), name="v"), tmp_path)
    assert library.one("f", 5.0, 2.0) == 3.0
    states = np.outer([5.0, 2.0], np.ones(9))
    assert np.all(library.many("f", 9, *states) == 3.0)


@pytest.mark.parametrize("target", list(TARGETS))
@pytest.mark.parametrize("name", HOSTILE)
def test_file_names_are_plain(name: str, target: str) -> None:
    graph = Graph()
    x = graph.symbol("x")
    made = unit(function(graph, [argument("x", [x])], [x]), name=name)
    for file in generate(made, target):
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,60}\.(py|c|h)", file)


def test_a_module_does_not_hide_a_library() -> None:
    graph = Graph()
    x = graph.symbol("x")
    made = unit(function(graph, [argument("x", [x])], [x]), name="numpy")
    assert list(generate(made, "numpy")) == ["numpy_.py"]


def test_the_map_of_changed_names_is_printed() -> None:
    made, _ = _hostile_unit()
    for target in TARGETS:
        text = "".join(generate(made, target).values())
        assert "l_arm/elbow-π: l_arm_elbow_pi" in text
        assert "(empty): unnamed" in text
