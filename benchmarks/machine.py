"""The machine in general terms: no names, no paths."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from benchmarks.rivals.pinocchio_cpp import versions
from symdyn.crosscheck.compilers import find_c_compiler


def description() -> dict[str, str]:
    """What a reader has to know to place the numbers."""
    compiler = find_c_compiler()
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count() or 1),
        "system": platform.system(),
        "python": platform.python_version(),
        "compiler": compiler.version if compiler else "none",
        "flags": "-O3 -march=native",
        "rivals": versions("pin", "casadi", "mujoco"),
    }


def _processor() -> str:
    """Architecture and the widest vector unit, not the model."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    flags: set[str] = set()
    for line in text.splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":", 1)[1].split())
            break
    widest = next((name for name in ("avx512f", "avx2", "avx", "sse2") if name in flags), "")
    return f"{platform.machine()}{f' with {widest.upper()}' if widest else ''}"
