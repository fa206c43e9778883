"""The public interface is complete, and importing it is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import symdyn

SOURCE = Path(symdyn.__file__)
HEAVY = ("sympy", "numpy", "scipy", "mpmath", "flint", "matplotlib", "mujoco", "pinocchio")


def fresh(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return run.stdout.strip()


def declared() -> dict[str, str]:
    """Public name to module, as the imports for type checkers state them."""
    block = next(node for node in ast.parse(SOURCE.read_text()).body if isinstance(node, ast.If))
    return {
        alias.name: str(node.module).removeprefix("symdyn.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_table_of_homes_agrees_with_the_declared_imports() -> None:
    assert declared() == symdyn._HOMES


@pytest.mark.parametrize("name", sorted(symdyn._HOMES))
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    assert name in dir(symdyn)
    value = getattr(symdyn, name)
    if callable(value):
        assert value.__doc__


def test_no_public_name_hides_a_module() -> None:
    modules = {path.stem for path in SOURCE.parent.iterdir()}
    assert not modules & set(symdyn._HOMES)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'simplify'"):
        _ = symdyn.simplify


def test_import_is_light() -> None:
    loaded = fresh(
        f"import sys, symdyn; print([m for m in {HEAVY!r} if m in sys.modules])"
    )  # fmt: skip
    assert loaded == "[]"


def test_import_takes_less_than_three_tenths_of_a_second() -> None:
    measure = "import time; t = time.process_time(); import symdyn; print(time.process_time() - t)"
    assert min(float(fresh(measure)) for _ in range(3)) < 0.3


def test_help_of_the_command_line_is_light() -> None:
    loaded = fresh(
        "import sys; from symdyn.cli.main import parser; parser().format_help(); "
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    assert loaded == "[]"
