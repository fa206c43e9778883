"""Hold the functions of a robot to every law that speaks of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from symdyn._errors import UnsupportedError
from symdyn.codegen.spec import FunctionSpec
from symdyn.expr.identity import SEED, equal
from symdyn.expr.trig_form import FormTooBigError
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.identities.friction import LAWS_OF_FRICTION
from symdyn.identities.functions import FORM_LIMIT, Functions, Law
from symdyn.identities.generalized import LAWS_OF_CHANGING_MASS, LAWS_OF_TIME
from symdyn.identities.lagrange import LAGRANGE, SMALL
from symdyn.identities.rigid import GROUPING, LAWS_OF_CONSTANT_MASS
from symdyn.model.robot import Robot

#: Laws of robots up to so many bodies are proved by the normal form.
PROVED = 4
#: A law for which the budget of the normal form does not suffice halves that of the laws after it,
#: down to this: they would mostly use it up in vain.
_LEAST_FORM_LIMIT = 100_000
#: In the order in which they are checked.
LAWS: tuple[Law, ...] = (*LAWS_OF_CONSTANT_MASS, *LAWS_OF_CHANGING_MASS, LAGRANGE)


def check_robot(
    robot: Robot,
    specs: Mapping[str, FunctionSpec],
    *,
    points: int = 3,
    seed: int = SEED,
    progress: Callable[[str], None] | None = None,
) -> tuple[Verdict, ...]:
    """Check every law that the given functions can be held against.

    Parameters
    ----------
    robot : what the functions were derived for
    specs : by name; laws whose functions are missing are left out
    points, seed : see `symdyn.expr.identity.equal`
    progress : called with the claim before each check

    Returns
    -------
    one verdict a law, in the order of `LAWS`, `LAWS_OF_FRICTION`, `LAWS_OF_TIME` and `GROUPING`
    """
    functions = Functions(robot, specs)
    verdicts: list[Verdict] = []
    limit = FORM_LIMIT if functions.robot.n_bodies <= PROVED else 0
    for law in laws_for(robot, specs):
        if law is GROUPING and not functions.is_grouping_exact:
            continue  # factors of 60 digits obey no exact law; `parameter_groups` has checked them
        if progress is not None:
            progress(law.claim)
        verdict = _check(functions, law, points, seed, limit)
        if limit and verdict.kind in (VerdictKind.PROBABILISTIC, VerdictKind.INCOMPLETE):
            limit = max(limit // 2, _LEAST_FORM_LIMIT)
        verdicts.append(verdict)
    return tuple(verdicts)


def _check(functions: Functions, law: Law, points: int, seed: int, limit: int) -> Verdict:
    try:
        lefts, rights = law.sides(functions)
    except (FormTooBigError, UnsupportedError) as error:
        return Verdict(VerdictKind.UNKNOWN, law.claim, str(error), method="normal form")
    graph = functions.graph
    return equal(graph, lefts, rights, claim=law.claim, points=points, seed=seed, limit=limit)


def laws_for(robot: Robot, names: Iterable[str]) -> tuple[Law, ...]:
    """The laws that functions of these names can be held against."""
    present = set(names)
    return tuple(
        law
        for law in (*LAWS, *LAWS_OF_FRICTION, *LAWS_OF_TIME, GROUPING)
        if present.issuperset(law.needs) and (law is not LAGRANGE or robot.n_bodies <= SMALL)
    )
