"""The targets by name; one line each."""

from __future__ import annotations

from symdyn.codegen.target import Target
from symdyn.codegen.targets.c import TARGET as _c
from symdyn.codegen.targets.numpy import TARGET as _numpy

TARGETS: dict[str, Target] = {target.name: target for target in (_numpy, _c)}
