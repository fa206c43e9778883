from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from symdyn._errors import UnsupportedError, VerificationError
from symdyn.crosscheck.compilers import (
    Compiler,
    compile_and_load,
    find_c_compiler,
    run_program,
)
from tests.oracles import need_program


@pytest.fixture
def compiler() -> Compiler:
    need_program("cc")
    found = find_c_compiler()
    assert found is not None
    return found


def _program(directory: Path, text: str, name: str = "cc") -> Path:
    path = directory / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_compiled_function_can_be_called(compiler: Compiler, tmp_path: Path) -> None:
    source = tmp_path / "twice.c"
    source.write_text("double twice(double x);\ndouble twice(double x) { return 2.0 * x; }\n")
    library = compile_and_load(compiler, [source])
    library.twice.restype = ctypes.c_double
    assert library.twice(ctypes.c_double(1.5)) == 3.0


def test_warning_is_an_error_and_names_no_directory(compiler: Compiler, tmp_path: Path) -> None:
    source = tmp_path / "careless.c"
    source.write_text("int f(void);\nint f(void) { int unused = 1; return 0; }\n")
    with pytest.raises(VerificationError, match=r"(?s)careless\.c .*unused") as caught:
        compile_and_load(compiler, [source])
    assert str(tmp_path) not in str(caught.value)


def test_products_and_sums_are_not_contracted(compiler: Compiler, tmp_path: Path) -> None:
    # a*b + c in one rounding would be 2^-106 here, in two roundings it is 0
    source = tmp_path / "contract.c"
    source.write_text("double f(double a, double c);\ndouble f(double a, double c){return a*a+c;}")
    flags = ("-std=c11", "-O2", "-march=native")
    library = compile_and_load(compiler, [source], flags=flags)
    library.f.restype = ctypes.c_double
    a = 1.0 + 2.0**-53 * 2
    assert library.f(ctypes.c_double(a), ctypes.c_double(-(a * a))) == 0.0


def test_compiler_is_found_on_the_given_path_only(tmp_path: Path) -> None:
    assert find_c_compiler({"PATH": str(tmp_path)}) is None
    _program(tmp_path, "echo toy 1.0", "clang")
    found = find_c_compiler({"PATH": str(tmp_path)})
    assert found is not None
    assert found.version == "toy 1.0"


def test_cc_variable_names_a_program_and_no_command_line(tmp_path: Path) -> None:
    _program(tmp_path, "echo mine", "mycc")
    _program(tmp_path, "echo standard", "cc")
    asked = find_c_compiler({"PATH": str(tmp_path), "CC": "mycc"})
    assert asked is not None
    assert asked.version == "mine"
    # "mycc; touch x" is no program: the standard one is taken and nothing runs
    other = find_c_compiler({"PATH": str(tmp_path), "CC": "mycc; touch pwned"})
    assert other is not None
    assert other.version == "standard"
    assert not Path("pwned").exists()


def test_program_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    program = _program(tmp_path, "exec sleep 30", "slow")
    with pytest.raises(UnsupportedError, match=r"slow did not end in 0\.2 s"):
        run_program([program], limit=0.2)


def test_program_that_cannot_start_is_named() -> None:
    with pytest.raises(UnsupportedError, match="no-such-program cannot be started"):
        run_program(["no-such-program"], limit=1)
