"""From a unit to the files of a target."""

from __future__ import annotations

from dataclasses import replace

from symdyn._errors import InputError
from symdyn.codegen.check import check_unit
from symdyn.codegen.lower import Order
from symdyn.codegen.spec import Unit
from symdyn.codegen.targets import TARGETS


def generate(unit: Unit, target: str, *, order: Order | None = None) -> dict[str, str]:
    """The files of a unit in one target.

    The same unit gives the same bytes on every machine, in every process and Python version.

    Parameters
    ----------
    unit : functions, constants, conventions, self-test
    target : a name in `symdyn.codegen.targets.TARGETS`
    order : order of emission; by default the target's own

    Returns
    -------
    dict of file name to text, ASCII letters in the names, line feeds as line ends

    Raises
    ------
    InputError : no such target, or a fault of the unit (see `check.check_unit`)
    SizeError : a shape and its list of nodes disagree
    """
    if target not in TARGETS:
        raise InputError(
            f"no target {target!r}", where="generate", expected=f"one of {', '.join(TARGETS)}"
        )
    check_unit(unit)
    chosen = TARGETS[target]
    if order is not None:
        chosen = replace(chosen, order=order)
    return dict(chosen.emit(unit, chosen))
