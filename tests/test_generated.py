"""The committed output is what the generator writes today, and it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symdyn.friction.catalog import LAWS
from symdyn.generated_tree import FRICTION, MANIFEST_NAME, REFERENCE, check_tree
from tests.oracles import need_program

TREE = Path(__file__).resolve().parents[1] / "generated"

pytestmark = pytest.mark.skipif(
    not (TREE / MANIFEST_NAME).is_file(), reason="no committed output in this checkout"
)


def test_the_committed_output_is_what_the_generator_writes() -> None:
    assert check_tree(TREE) == [], "mend: make generated, then look at the difference"


@pytest.mark.parametrize("name", REFERENCE)
def test_committed_python_passes_its_own_test(name: str) -> None:
    script = TREE / name / "numpy" / f"{name}.py"
    subprocess.run([sys.executable, "-B", str(script)], check=True, timeout=60)


@pytest.mark.parametrize("law", LAWS)
def test_committed_python_of_a_friction_law_passes_its_own_test(law: str) -> None:
    script = TREE / FRICTION / "numpy" / f"friction_{law.replace('-', '_')}.py"
    subprocess.run([sys.executable, "-B", str(script)], check=True, timeout=60)


@pytest.mark.parametrize("name", REFERENCE)
def test_committed_c_compiles_without_warnings_and_passes_its_own_test(
    name: str, tmp_path: Path
) -> None:
    source = TREE / name / "c" / f"{name}.c"
    program = tmp_path / "self_test"
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run(
        [need_program("gcc"), *flags, "-DSYMDYN_SELF_TEST_MAIN", str(source), "-o", str(program),
         "-lm"],
        check=True, timeout=300,
    )  # fmt: skip
    subprocess.run([str(program)], check=True, timeout=60)
