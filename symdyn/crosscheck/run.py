"""Run every road on every function of a derivation and write down how they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from symdyn._errors import InputError, UnsupportedError, VerificationError
from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import FunctionSpec, Unit
from symdyn.codegen.targets import TARGETS
from symdyn.crosscheck.compare import Reference, compare
from symdyn.crosscheck.generated_c import open_c, open_c_batch
from symdyn.crosscheck.generated_numpy import open_numpy, open_numpy_batch
from symdyn.crosscheck.graph import graph_bounds, open_float_graph
from symdyn.crosscheck.high_precision import DIGITS, contract, evaluate_high, split
from symdyn.crosscheck.mujoco_ import open_mujoco
from symdyn.crosscheck.pinocchio_ import open_pinocchio
from symdyn.crosscheck.record import Comparison, CrossCheckRecord, RoadNote
from symdyn.crosscheck.recursion import (
    Recursions,
    largest_reach,
    mass_condition,
    open_float_recursion,
    open_high_recursion,
    recursion_bounds,
    recursions,
)
from symdyn.crosscheck.road import (
    Answer,
    NotApplicableError,
    Road,
    RoadKind,
    RoadMissingError,
    Setting,
    Yardstick,
)
from symdyn.crosscheck.running_error import RUNNING_ERROR, UNIT, Bounded
from symdyn.crosscheck.states import CheckState, check_states
from symdyn.model.robot import Robot
from symdyn.recipes import FORWARD_FUNCTIONS, Derivation

#: Every road, in the order of the record. A new language is one file and one line here.
ROADS: tuple[RoadKind, ...] = (
    RoadKind("numpy", "generated NumPy, one state a call", open_numpy, "graph"),
    RoadKind("numpy batch", "generated NumPy, all states in one call", open_numpy_batch, "graph"),
    RoadKind("c", "generated C, one state a call", open_c, "graph"),
    RoadKind("c batch", "generated C, all states in one call", open_c_batch, "graph"),
    RoadKind("graph", "the derived graph in doubles", open_float_graph, "graph"),
    RoadKind("recursion", "the recursion in doubles", open_float_recursion, "recursion"),
    RoadKind("recursion in 50 digits", "the recursion in 50 digits", open_high_recursion, "digits"),
    RoadKind("pinocchio", "Pinocchio", open_pinocchio, "outside"),
    RoadKind("mujoco", "MuJoCo", open_mujoco, "outside"),
)

#: Multiple of the yardstick's bound that a road may be off. Generated code computes the graph that
#: the bound was made for, and the recursion itself; the factor covers another order of a sum. Other
#: programs round in other frames and in another order: over the robots of example-robot-data
#: MuJoCo's largest error is 0.44 of this, Pinocchio's 0.07.
FACTORS: dict[Yardstick, float] = {
    "graph": 2.0, "recursion": 2.0, "digits": 1e-12, "outside": 4.0,
}  # fmt: skip

#: Nodes times random states that are evaluated with 50 digits; about two seconds a million.
_BUDGET = 2_000_000
_FEWEST_STATES = 4


@dataclass(frozen=True, slots=True)
class _Case:
    """One function with everything that its roads are compared with."""

    spec: FunctionSpec
    states: Sequence[CheckState]
    numbers: Sequence[Sequence[Real]]
    high: Array
    low: Array
    bounds: Mapping[Yardstick, Array]


def crosscheck(
    robot: Robot,
    derivation: Derivation,
    unit: Unit,
    directory: Path,
    *,
    generated: Mapping[str, Mapping[str, str]] | None = None,
    roads: Iterable[RoadKind] = ROADS,
    states: int = 100,
    seed: int = 1,
    progress: Callable[[str], None] | None = None,
) -> CrossCheckRecord:
    """Compare all roads to the functions of a derivation.

    Parameters
    ----------
    robot, derivation : the robot and its functions
    unit : what the code was generated from
    directory : where the generated files lie, one folder per target (``numpy``, ``c``)
    generated : by target, the text of each of its files; generated again if None. A file that
        holds anything else is refused unrun
    roads : which to take
    states : number of random states, fewer for large graphs; nine special ones are added
    seed : of the states
    progress : called with the name of each function before it is checked

    Returns
    -------
    CrossCheckRecord : nothing is raised for a difference; `record.require_agreement` does that
    """
    if generated is None:
        present = [name for name in TARGETS if (directory / name).is_dir()]
        generated = {name: generate(unit, name) for name in present}
    setting = Setting(robot, derivation, unit, directory, generated)
    chosen = tuple(roads)
    if not chosen:
        raise InputError("no road was given", where="crosscheck")
    at = check_states(
        robot,
        count=min(states, _affordable_states(derivation)),
        seed=seed,
        vary_theta=derivation.inertial != "numeric",
        groups=derivation.groups,
    )
    mp = MpAlgebra(DIGITS)
    bounding, floats = recursions(setting, RUNNING_ERROR), recursions(setting, ARRAYS)
    opened: dict[str, Road | str] = {}
    broken: set[str] = set()
    notes: list[RoadNote] = []
    for kind in chosen:
        if progress is not None:
            progress(f"opening {kind.name}")
        try:
            road = kind.open(setting)
            opened[kind.name] = road
            notes.append(RoadNote(kind.name, kind.about, road.program))
        except RoadMissingError as missing:
            opened[kind.name] = str(missing)
            notes.append(RoadNote(kind.name, kind.about, missing=str(missing)))
        except (VerificationError, UnsupportedError) as fault:
            opened[kind.name] = str(fault)
            broken.add(kind.name)
            notes.append(RoadNote(kind.name, kind.about, missing=str(fault)))
    comparisons: list[Comparison] = []
    for spec in derivation.specs.values():
        if progress is not None:
            progress(spec.name)
        case = _case(bounding, floats, spec, at, mp)
        for kind in chosen:
            road = opened[kind.name]
            if isinstance(road, str):
                verdict = "failed" if kind.name in broken else "missing"
                comparisons.append(Comparison(spec.name, kind.name, verdict, reason=road))
            else:
                comparisons.append(_compare(kind, road, case, mp))
    return CrossCheckRecord(
        robot=robot.name,
        inertial=derivation.inertial,
        seed=seed,
        states=dict(Counter(state.kind for state in at)),
        digits=DIGITS,
        roads=tuple(notes),
        comparisons=tuple(comparisons),
    )


def _affordable_states(derivation: Derivation) -> int:
    nodes = sum(len(spec.graph) for spec in derivation.specs.values())
    return max(_FEWEST_STATES, _BUDGET // max(nodes, 1))


def _case(
    bounding: Recursions[Bounded],
    floats: Recursions[Array],
    spec: FunctionSpec,
    states: Sequence[CheckState],
    mp: MpAlgebra,
) -> _Case:
    numbers = [evaluate_high(spec, state, mp) for state in states]
    parts = [split(row, mp) for row in numbers]
    high = np.array([h for h, _ in parts])
    by_graph = graph_bounds(spec, states)
    try:
        by_recursion = recursion_bounds(bounding, spec, states)
    except NotApplicableError:
        by_recursion = by_graph
    with np.errstate(all="ignore"):
        # Another program rounds each entry as badly as the worst one: it works in other frames.
        spread = np.max(by_recursion, axis=1, initial=0.0, keepdims=True)
        spread = spread + _noise(floats, spec, states)
        if spec.name in FORWARD_FUNCTIONS:
            # So it errs in M by a rounding of its largest entry, which the solution multiplies by
            # the condition of M. Source: Higham 2002, theorem 7.2.
            condition = mass_condition(floats, spec, states)[:, None]
            spread = spread + UNIT * condition * np.max(np.abs(high), axis=1, keepdims=True)
        outside = np.broadcast_to(np.where(np.isnan(spread), np.inf, spread), by_recursion.shape)
    bounds: dict[Yardstick, Array] = {
        "graph": by_graph, "recursion": by_recursion, "digits": by_recursion, "outside": outside,
    }  # fmt: skip
    return _Case(spec, states, numbers, high, np.array([low for _, low in parts]), bounds)


def _noise(floats: Recursions[Array], spec: FunctionSpec, states: Sequence[CheckState]) -> Array:
    """Rounding of terms that vanish identically in the recursion but not in another program.

    A propeller whose axis holds its centre of mass has no Coriolis terms; other programs add up
    its centrifugal forces, in frames that stand at the base, and get 1e-18 in place of 0. Such
    terms are bounded by one unit roundoff of (largest parameter) (1 + largest rate)^2
    (1 + reach)^2.
    """
    names = {argument.name for argument in spec.arguments}
    rates = [name for name in ("qd", "qdd", "v", "a") if name in names]
    sized = names & {"theta", "beta"} or spec.name not in _WITHOUT_INERTIA
    reach = largest_reach(floats, spec, states)
    out = np.zeros((len(states), 1))
    for k, state in enumerate(states):
        rate = max((abs(x) for name in rates for x in state.values[name]), default=0.0)
        size = max(abs(x) for x in state.values["theta"]) if sized else 1.0
        out[k] = UNIT * size * (1.0 + rate) ** 2 * (1.0 + reach[k]) ** 2
    return out


#: Functions of the motion alone.
_WITHOUT_INERTIA = frozenset(
    ("regressor", "slotine_li_regressor", "forward_kinematics", "body_jacobian", "momentum_map")
)


def _compare(kind: RoadKind, road: Road, case: _Case, mp: MpAlgebra) -> Comparison:
    name = case.spec.name
    try:
        answer = road.answer(case.spec, case.states)
    except NotApplicableError as reason:
        return Comparison(name, kind.name, "not applicable", reason=str(reason))
    except (VerificationError, UnsupportedError) as fault:
        return Comparison(name, kind.name, "failed", reason=str(fault))
    indices = range(len(case.states)) if answer.indices is None else answer.indices
    if not indices:
        return Comparison(name, kind.name, "undecided", reason=answer.remark or "no state fits")
    return compare(name, kind.name, answer, _reference(kind, answer, list(indices), case, mp))


def _reference(
    kind: RoadKind, answer: Answer, indices: list[int], case: _Case, mp: MpAlgebra
) -> Reference:
    states = [case.states[k] for k in indices]
    high, low = case.high[indices], case.low[indices]
    bounds = case.bounds[kind.yardstick][indices]
    if answer.contracted:
        vectors = [state.values[answer.contracted] for state in states]
        weights = np.abs(np.array(vectors))
        width = weights.shape[1]
        # errors of the matrix, and those of adding up `width` products
        term = (bounds + width * UNIT * np.abs(high)).reshape(len(states), -1, width)
        bounds = np.sum(term * weights[:, None, :], axis=2)
        numbers = [case.numbers[k] for k in indices]
        parts = [
            split(contract(row, vector, mp), mp)
            for row, vector in zip(numbers, vectors, strict=True)
        ]
        high, low = np.array([h for h, _ in parts]), np.array([x for _, x in parts])
    tolerance = FACTORS[kind.yardstick] * bounds
    return Reference(high, low, tolerance, [state.kind for state in states])
