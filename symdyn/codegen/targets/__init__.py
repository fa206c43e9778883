"""The targets by name; one line each."""

from __future__ import annotations

from symdyn.codegen.target import Target
from symdyn.codegen.targets import c, numpy

TARGETS: dict[str, Target] = {target.name: target for target in (numpy.TARGET, c.TARGET)}
