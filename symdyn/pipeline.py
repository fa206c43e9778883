"""The main job in one call: derive, verify, generate, compile and compare, report.

Nothing is left half done: the directory appears whole when every step has held, and not at all
otherwise.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from symdyn._errors import InputError, VerificationError, counted
from symdyn.analysis.joint_passivity import joint_passivity
from symdyn.base_parameters import BaseParameters, generalized_base_parameters
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Unit
from symdyn.codegen.targets import TARGETS
from symdyn.crosscheck.record import CrossCheckRecord, require_agreement, to_json
from symdyn.crosscheck.run import crosscheck as run_crosscheck
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.identities import check_robot
from symdyn.io.load import load_robot
from symdyn.lagrange.closed_form import ClosedForm
from symdyn.mass_verification import verify_masses
from symdyn.model.consistency import diagnose
from symdyn.model.robot import Robot
from symdyn.model.singularity import structural_singularity
from symdyn.output import RECORD_NAME, check_replaceable, replace_directory, sha256
from symdyn.recipes import FORWARD_FUNCTIONS, Derivation, Inertial, default_functions, derive
from symdyn.report.arm_figure import arm_figure
from symdyn.report.closed_forms import closed_form_of, momentum_form_of
from symdyn.report.document import FIGURE_ARM, FIGURE_TREE, report_text
from symdyn.report.findings import Findings
from symdyn.report.record import findings_record, to_text
from symdyn.report.scene import scene_of
from symdyn.report.tree_figure import tree_figure
from symdyn.unit import build_unit

#: Called with the name of what is being done, and how much of it is done (0 to 1) if that is known.
Progress = Callable[[str, float | None], None]

#: Larger robots have their generalized base parameters counted by `symdyn show --base` only.
_BASE_UP_TO = 12

REPORT_NAME, CROSSCHECK_NAME = "report.md", "crosscheck.json"


@dataclass(frozen=True, slots=True)
class DeriveResult:
    """What a run of the pipeline found out, and where it put it.

    Attributes
    ----------
    directory : the one that was written
    findings : everything that the report is made of
    files : relative path of every file written
    seconds : wall time of each step [s]
    """

    directory: Path
    findings: Findings
    files: tuple[str, ...]
    seconds: dict[str, float]


def derive_robot(
    robot: Robot | str | Path,
    directory: str | Path,
    *,
    targets: Sequence[str] = ("numpy", "c"),
    inertial: Inertial = "symbolic",
    functions: Sequence[str] | None = None,
    states: int = 100,
    identities: bool = True,
    crosscheck: bool = True,
    figures: bool = True,
    progress: Progress | None = None,
) -> DeriveResult:
    """Derive a robot's equations, verify them, and write checked code and a report.

    Parameters
    ----------
    robot : the robot, a path to its file, or the name of a built-in one
    directory : where to write; absent, empty, or holding what an earlier run wrote
    targets : languages
    inertial : see `recipes.derive`
    functions : names out of `recipes.ALL_FUNCTIONS`; those of `recipes.default_functions` if None
    states : random states of the cross-check
    identities, crosscheck, figures : whether to do that step
    progress : called at every step

    Returns
    -------
    DeriveResult

    Raises
    ------
    InputError : a fault of the robot or of an argument, or foreign files in the directory
    VerificationError : two roads disagree; then nothing is written
    """
    target = Path(directory)
    check_replaceable(target)
    files, findings, seconds = derive_files(
        robot,
        targets=targets,
        inertial=inertial,
        functions=functions,
        states=states,
        identities=identities,
        crosscheck=crosscheck,
        figures=figures,
        progress=progress,
    )
    replace_directory(target, files)
    return DeriveResult(target, findings, tuple(sorted(files)), seconds)


def derive_files(
    robot: Robot | str | Path,
    *,
    targets: Sequence[str] = ("numpy", "c"),
    inertial: Inertial = "symbolic",
    functions: Sequence[str] | None = None,
    states: int = 100,
    identities: bool = True,
    crosscheck: bool = True,
    figures: bool = True,
    progress: Progress | None = None,
) -> tuple[dict[str, bytes], Findings, dict[str, float]]:
    """The same without writing: content of each file by relative path, findings, seconds a step."""
    unknown = [name for name in targets if name not in TARGETS]
    if unknown or not targets:
        raise InputError(
            f"unknown target {unknown[0]!r}" if unknown else "no target is named",
            expected=f"some of {', '.join(TARGETS)}",
        )
    clock = _Clock(progress)
    clock.step("read")
    known = robot if isinstance(robot, Robot) else load_robot(robot)
    diagnoses, singularity = diagnose(known), structural_singularity(known)
    clock.step("derive")
    if functions is None and inertial == "numeric" and singularity.is_singular:
        # with its numbers built in such a robot has no forward dynamics; the report says why
        functions = [name for name in default_functions(known) if name not in FORWARD_FUNCTIONS]
    derivation = derive(known, functions, inertial, clock.detail)
    clock.step("verify")
    masses = verify_masses(known, clock.detail)
    verdicts = None
    if identities:
        verdicts = check_robot(known, derivation.specs, progress=clock.detail)
        _require_no_refutation(verdicts)
    clock.step("generate")
    unit = build_unit(known, derivation)
    code = {name: generate(unit, name) for name in targets}
    files = {
        f"{name}/{file}": text.encode() for name in targets for file, text in code[name].items()
    }
    clock.step("cross-check")
    record = _crosscheck(known, derivation, unit, code, states, clock) if crosscheck else None
    clock.step("report")
    form: ClosedForm | None = closed_form_of(known)
    findings = Findings(
        robot=known,
        derivation=derivation,
        unit=unit,
        diagnoses=diagnoses,
        friction=joint_passivity(known),
        singular=tuple(motion.cause for motion in singularity.motions),
        masses=masses,
        verdicts=verdicts,
        crosscheck=record,
        closed_form=form,
        momentum_form=None if form is None else momentum_form_of(known),
        code={name: tuple(code[name]) for name in targets},
        figures=figures,
        generalized_base=_generalized_base(derivation),
    )
    if figures:
        scene = scene_of(known)
        files[FIGURE_TREE], files[FIGURE_ARM] = tree_figure(scene), arm_figure(scene)
    if record is not None:
        files[CROSSCHECK_NAME] = to_json(record).encode()
    files[REPORT_NAME] = report_text(findings).encode()
    hashes = {name: sha256(content) for name, content in files.items()}
    files[RECORD_NAME] = to_text(findings_record(findings, hashes)).encode()
    clock.stop()
    return files, findings, clock.seconds


def _require_no_refutation(verdicts: Sequence[Verdict]) -> None:
    refuted = [v for v in verdicts if v.kind is VerdictKind.REFUTED]
    if refuted:
        raise VerificationError(
            f"{len(refuted)} of {counted(len(verdicts), 'identity')} "
            f"{'is' if len(refuted) == 1 else 'are'} refuted: "
            + "; ".join(f"{v.text()}, witness {dict(v.witness or {})}" for v in refuted[:3])
        )


def _generalized_base(derivation: Derivation) -> BaseParameters | None:
    """Where parameters are grouped and the generalized equation is derived."""
    robot = derivation.robot
    is_wanted = derivation.inertial == "base" and "generalized_inverse_dynamics" in derivation.specs
    if not is_wanted or robot.n_bodies > _BASE_UP_TO:
        return None
    return generalized_base_parameters(robot)


def _crosscheck(
    robot: Robot,
    derivation: Derivation,
    unit: Unit,
    code: dict[str, dict[str, str]],
    states: int,
    clock: _Clock,
) -> CrossCheckRecord:
    with tempfile.TemporaryDirectory(prefix="symdyn-") as scratch:
        for target, texts in code.items():
            folder = Path(scratch) / target
            folder.mkdir()
            for name, text in texts.items():
                (folder / name).write_bytes(text.encode())
        record = run_crosscheck(
            robot,
            derivation,
            unit,
            Path(scratch),
            generated=code,
            states=states,
            progress=clock.detail,
        )
    require_agreement(record)
    return record


class _Clock:
    """Steps and their wall time, told to whoever listens."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._step = ""
        self._began = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def step(self, name: str) -> None:
        self.stop()
        self._step, self._began = name, time.perf_counter()
        if self._progress is not None:
            self._progress(name, None)

    def detail(self, text: str) -> None:
        if self._progress is not None:
            self._progress(f"{self._step}: {text}", None)

    def stop(self) -> None:
        if self._step:
            self.seconds[self._step] = time.perf_counter() - self._began
            self._step = ""
