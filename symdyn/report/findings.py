"""Everything that a derivation found out, gathered for the report and the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from symdyn.analysis.joint_passivity import JointPassivity
from symdyn.base_parameters import BaseParameters
from symdyn.codegen.spec import Unit
from symdyn.crosscheck.record import CrossCheckRecord
from symdyn.expr.measure import OperationCounts, operation_counts
from symdyn.expr.verdict import Verdict
from symdyn.lagrange.closed_form import ClosedForm, MomentumForm
from symdyn.mass_verification import MassCheck
from symdyn.model.consistency import BodyDiagnosis
from symdyn.model.robot import Robot
from symdyn.recipes import Derivation


@dataclass(frozen=True, slots=True)
class Findings:
    """What one run of the pipeline knows.

    Attributes
    ----------
    robot : the exact data
    derivation, unit : its functions, and what the generated files carry
    diagnoses : physical consistency of each body
    friction : whether friction only takes energy, for each joint that has some
    singular : why M is singular at every state, one sentence each; empty if it is not
    masses : links given by what they are made of, against quadrature
    verdicts : outcome of each identity; None if they were left out
    crosscheck : comparison of all roads; None if it was left out
    closed_form : the equations as a textbook prints them; None for a robot too big for that
    momentum_form : what moving mass adds to them; None where none moves
    code : names of the generated files of each target
    figures : whether the figures are beside the report
    generalized_base : base parameters of the generalized equation, where they are asked for
    """

    robot: Robot
    derivation: Derivation
    unit: Unit
    diagnoses: tuple[BodyDiagnosis, ...]
    friction: tuple[JointPassivity, ...]
    singular: tuple[str, ...]
    masses: tuple[MassCheck, ...]
    verdicts: tuple[Verdict, ...] | None
    crosscheck: CrossCheckRecord | None
    closed_form: ClosedForm | None
    momentum_form: MomentumForm | None
    code: Mapping[str, tuple[str, ...]]
    figures: bool
    generalized_base: BaseParameters | None = None

    def counts(self) -> dict[str, OperationCounts]:
        """Operations of each derived function."""
        return {
            name: operation_counts(spec.graph, spec.result.entries)
            for name, spec in self.derivation.specs.items()
        }
