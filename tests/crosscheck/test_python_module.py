from __future__ import annotations

import sys
from pathlib import Path

import pytest

from symdyn._errors import VerificationError
from symdyn.crosscheck.python_module import load_module

TEXT = '"""Generated."""\n\n\ndef double(x):\n    return 2 * x\n'


def test_generated_module_is_loaded_without_traces(tmp_path: Path) -> None:
    path = tmp_path / "arm.py"
    path.write_text(TEXT)
    before = set(sys.modules)
    module = load_module(path, TEXT)
    assert module.double(4) == 8
    assert {name for name in set(sys.modules) - before if "arm" in name} == set()
    assert [p.name for p in tmp_path.iterdir()] == ["arm.py"]


def test_changed_file_is_refused_unrun(tmp_path: Path) -> None:
    path = tmp_path / "arm.py"
    marker = tmp_path / "ran"
    path.write_text(TEXT + f"open({str(marker)!r}, 'w')\n")
    with pytest.raises(VerificationError, match=r"arm\.py does not hold what was generated"):
        load_module(path, TEXT)
    assert not marker.exists()


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(VerificationError, match=r"gone\.py cannot be read"):
        load_module(tmp_path / "gone.py", TEXT)
