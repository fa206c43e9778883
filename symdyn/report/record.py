"""The facts of a robot and of a derivation as plain data for JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from symdyn.analysis.joint_passivity import JointPassivity, joint_passivity
from symdyn.expr.verdict import Json
from symdyn.model.consistency import BodyDiagnosis, diagnose
from symdyn.model.robot import PARAMETER_NAMES, Joint, Robot
from symdyn.model.singularity import SingularityReport, structural_singularity
from symdyn.report.changing_rows import motion_record
from symdyn.report.findings import Findings
from symdyn.report.joint_laws import law_record, passivity_record
from symdyn.unit import rounded, theta_values

#: Version of the record's form.
FORMAT = 1


def robot_record(
    robot: Robot,
    diagnoses: Sequence[BodyDiagnosis] | None = None,
    singularity: SingularityReport | None = None,
    friction: Sequence[JointPassivity] | None = None,
) -> dict[str, Json]:
    """Tree, joints, parameters, physical consistency and friction of a robot.

    Parameters
    ----------
    robot : the exact data
    diagnoses, singularity, friction : where they are known already
    """
    theta = theta_values(robot)
    if diagnoses is None:
        diagnoses = diagnose(robot)
    if singularity is None:
        singularity = structural_singularity(robot)
    if friction is None:
        friction = joint_passivity(robot)
    bodies: list[Json] = [
        {
            "name": body.name,
            "links": [link.name for link in body.links],
            "phi": list(theta[10 * k : 10 * k + 10]),
            **({} if body.motion is None else motion_record(robot, body.motion)),
        }
        for k, body in enumerate(robot.bodies)
    ]
    return {
        "name": robot.name,
        "source": robot.source,
        "joints": list(robot.coordinates),
        "bodies": [body.name for body in robot.bodies],
        "gravity": list(rounded(robot.gravity, robot)),
        "tree": [_joint_record(robot, k) for k in range(len(robot.joints))],
        "parameter_order": list(PARAMETER_NAMES),
        "inertial": bodies,
        "base_links": [link.name for link in robot.base_links],
        "parameters": [
            {
                "name": p.name,
                "value": float(p.value),
                "unit": p.unit,
                "is_argument": p.is_argument,
                "source": p.source,
            }
            for p in robot.parameters
        ],
        "consistency": [_diagnosis_record(diagnosis) for diagnosis in diagnoses],
        "singularity": {
            "verdict": singularity.verdict,
            "structural_rank": singularity.rank,
            "causes": [motion.cause for motion in singularity.motions],
        },
        "friction": passivity_record(friction),
        "notes": list(robot.notes),
    }


def to_text(record: Mapping[str, Json]) -> str:
    """A record as the text of its file; finite numbers only."""
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _joint_record(robot: Robot, index: int) -> Json:
    joint = robot.joints[index]
    numbers = rounded(
        [
            *(entry for row in joint.rotation for entry in row),
            *joint.translation,
            *joint.axis,
            joint.multiplier,
            joint.offset,
            joint.pitch,
            joint.armature,
            joint.damping,
            joint.friction,
        ],
        robot,
    )
    return {
        "joint": joint.name,
        "kind": joint.kind.value,
        "parent": robot.bodies[joint.parent].name if joint.parent >= 0 else None,
        "body": robot.bodies[index].name,
        "coordinate": robot.coordinates[joint.coordinate],
        "rotation": [list(numbers[0:3]), list(numbers[3:6]), list(numbers[6:9])],
        "translation": list(numbers[9:12]),
        "axis": list(numbers[12:15]),
        "multiplier": numbers[15],
        "offset": numbers[16],
        "pitch": numbers[17],
        "armature": numbers[18],
        # a law says it all, and the coefficients are then none, not zero
        "damping": None if joint.law is not None else numbers[19],
        "friction": None if joint.law is not None else numbers[20],
        "friction_law": law_record(robot, joint),
        "limits": _limits_record(robot, joint),
    }


def _limits_record(robot: Robot, joint: Joint) -> Json:
    limits = joint.limits
    table = {
        "lower": limits.lower,
        "upper": limits.upper,
        "velocity": limits.velocity,
        "effort": limits.effort,
    }
    return {key: None if term is None else rounded([term], robot)[0] for key, term in table.items()}


def _diagnosis_record(diagnosis: BodyDiagnosis) -> dict[str, Json]:
    record: dict[str, Json] = {
        "name": diagnosis.name,
        "line": diagnosis.line,
        "verdict": diagnosis.verdict.value,
        "is_consistent": diagnosis.is_consistent,
        "degenerate": diagnosis.degenerate,
        "margin": diagnosis.margin,
        "triangle_margin": diagnosis.triangle_margin,
        "principal_moments": list(diagnosis.principal_moments),
        "pseudo_inertia_eigenvalues": list(diagnosis.pseudo_inertia_eigenvalues),
        "causes": list(diagnosis.causes),
        "repair": None if diagnosis.repair is None else diagnosis.repair.text(),
        "remarks": list(diagnosis.remarks),
    }
    if diagnosis.links:
        record["links"] = [_diagnosis_record(link) for link in diagnosis.links]
    return record


def findings_record(findings: Findings, files: dict[str, str]) -> dict[str, Json]:
    """The facts of a derivation; the same run on any machine gives the same record.

    Parameters
    ----------
    findings : what the pipeline found out; numbers measured on this machine are not in the record
    files : SHA-256 of every other file of the directory, by relative path
    """
    base = findings.generalized_base
    functions: dict[str, Json] = {}
    for (name, spec), counts in zip(
        findings.derivation.specs.items(), findings.counts().values(), strict=True
    ):
        functions[name] = {
            "arguments": [
                {"name": a.name, "shape": list(a.shape), "unit": a.unit} for a in spec.arguments
            ],
            "result": {"shape": list(spec.result.shape), "unit": spec.result.unit},
            "operations": {
                "add": counts.add,
                "mul": counts.mul,
                "div": counts.div,
                "functions": dict(counts.functions),
            },
        }
    return {
        "format": FORMAT,
        "generator": "symdyn",
        "robot": robot_record(findings.robot, friction=findings.friction),
        "inertial": findings.derivation.inertial,
        "base_names": list(findings.derivation.base_names),
        "generalized_base_names": list(base.independent) if base is not None else [],
        "digest": findings.unit.digest,
        "convention": list(findings.unit.convention),
        "functions": functions,
        "masses": [
            {"link": m.link, "agreement": m.agreement, "uncertain": list(m.uncertain)}
            for m in findings.masses
        ],
        "identities": None
        if findings.verdicts is None
        else [verdict.to_json() for verdict in findings.verdicts],
        "code": {target: list(names) for target, names in findings.code.items()},
        "files": dict(sorted(files.items())),
    }
