"""What MuJoCo's compiler makes of an MJCF file, as plain frozen data; only this file imports it.

The compiler resolves defaults, classes, angle units, Euler orders, frames and inertia from geoms,
so none of its rules is repeated here. Angles come out in radians, quaternions as (w, x, y, z).

Source: MuJoCo documentation, "XML reference" and the struct mjModel of "API reference".
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from symdyn._errors import InputError, UnsupportedError
from symdyn.model.names import shown

Triple = tuple[float, float, float]
Quadruple = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class CompiledBody:
    """A body: pose in its parent, inertia, and which joints move it (empty: rigid on the parent).

    Attributes
    ----------
    name : of the file, or a numbered one
    parent : index of the parent body; the world is body 0
    position, quaternion : of the frame in the parent's [m]
    mass, centre : [kg], in the body's frame [m]
    principal, axes : principal moments about the centre [kg m^2], quaternion of their axes
    joints : indices of its joints, the one nearest to the parent first
    """

    name: str
    parent: int
    position: Triple
    quaternion: Quadruple
    mass: float
    centre: Triple
    principal: Triple
    axes: Quadruple
    joints: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CompiledJoint:
    """A joint in its body's frame; numbers after ``reference`` are those of its first coordinate.

    ``kind`` is hinge, slide, ball or free; ``reference`` is the value of qpos at which the body
    stands as the file places it; ``bounds`` and ``effort`` are None where the file states none.
    """

    name: str
    kind: str
    position: Triple
    axis: Triple
    reference: float
    armature: float
    damping: float
    friction: float
    bounds: tuple[float, float] | None
    effort: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class CompiledEquality:
    """An equality constraint: kind such as joint, connect, weld; two indices; its polynomial."""

    kind: str
    is_active: bool
    first: int
    second: int
    polynomial: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CompiledModel:
    """The parts of a compiled model that matter for equations of motion.

    Attributes
    ----------
    gravity : acceleration of free fall [m/s^2]
    bodies, joints, equalities : in MuJoCo's order
    tendons : per tendon, what it does to the joints beside transmitting (empty: nothing)
    has_flex : whether there are flexible bodies
    forces : sentences on force elements that no rigid-body term covers
    warnings : what the compiler warned of
    """

    gravity: Triple
    bodies: tuple[CompiledBody, ...]
    joints: tuple[CompiledJoint, ...]
    equalities: tuple[CompiledEquality, ...]
    tendons: tuple[tuple[str, ...], ...]
    has_flex: bool
    forces: tuple[str, ...]
    warnings: tuple[str, ...]


def compile_mjcf(source: str, text: str | None = None) -> CompiledModel:
    """Run the compiler.

    Parameters
    ----------
    source : path of the file, or what messages call the text
    text : the MJCF itself; None to read the file ``source``

    Raises
    ------
    UnsupportedError : MuJoCo is not installed
    InputError : the compiler refuses the file; its own words are given
    """
    try:
        mujoco: Any = importlib.import_module("mujoco")
    except ImportError:
        raise UnsupportedError(
            f"{source}: MJCF is read through MuJoCo, which is not installed. "
            "Install it with: pip install 'symdyn[mjcf]'."
        ) from None
    warnings: list[str] = []
    before: Any = mujoco.get_mju_user_warning()
    # without a handler of its own MuJoCo writes warnings to a log file in the working directory
    mujoco.set_mju_user_warning(warnings.append)
    try:
        if text is None:
            model: Any = mujoco.MjModel.from_xml_path(source)
        else:
            model = mujoco.MjModel.from_xml_string(text)
    except (ValueError, RuntimeError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise InputError(
            f"MuJoCo's compiler refuses the file ({shown('; '.join(lines), 300)})",
            where=source,
            remedy="See MuJoCo's XML reference, https://mujoco.readthedocs.io.",
        ) from None
    finally:
        mujoco.set_mju_user_warning(before)
    return _plain(mujoco, model, tuple(warnings))


def _plain(mujoco: Any, m: Any, warnings: tuple[str, ...]) -> CompiledModel:
    body_names = _filled([m.body(i).name for i in range(m.nbody)], "body")
    joint_names = _filled([m.joint(j).name for j in range(m.njnt)], "joint")
    kinds = {
        int(mujoco.mjtJoint.mjJNT_HINGE): "hinge",
        int(mujoco.mjtJoint.mjJNT_SLIDE): "slide",
        int(mujoco.mjtJoint.mjJNT_BALL): "ball",
    }
    bodies = tuple(
        CompiledBody(
            name=body_names[i],
            parent=int(m.body_parentid[i]),
            position=_triple(m.body_pos[i]),
            quaternion=_quadruple(m.body_quat[i]),
            mass=float(m.body_mass[i]),
            centre=_triple(m.body_ipos[i]),
            principal=_triple(m.body_inertia[i]),
            axes=_quadruple(m.body_iquat[i]),
            joints=tuple(int(m.body_jntadr[i]) + k for k in range(int(m.body_jntnum[i]))),
        )
        for i in range(m.nbody)
    )
    joints = tuple(
        CompiledJoint(
            name=joint_names[j],
            kind=kinds.get(int(m.jnt_type[j]), "free"),
            position=_triple(m.jnt_pos[j]),
            axis=_triple(m.jnt_axis[j]),
            reference=float(m.qpos0[m.jnt_qposadr[j]]),
            armature=float(m.dof_armature[m.jnt_dofadr[j]]),
            damping=float(m.dof_damping[m.jnt_dofadr[j]]),
            friction=float(m.dof_frictionloss[m.jnt_dofadr[j]]),
            bounds=_pair(m.jnt_range[j]) if m.jnt_limited[j] else None,
            effort=_pair(m.jnt_actfrcrange[j]) if m.jnt_actfrclimited[j] else None,
        )
        for j in range(m.njnt)
    )
    equalities = tuple(
        CompiledEquality(
            kind=str(mujoco.mjtEq(int(m.eq_type[e])).name)[5:].lower(),
            is_active=bool(m.eq_active0[e]),
            first=int(m.eq_obj1id[e]),
            second=int(m.eq_obj2id[e]),
            polynomial=tuple(float(value) for value in m.eq_data[e][:5]),
        )
        for e in range(m.neq)
    )
    tendons = tuple(
        tuple(
            name
            for name in ("stiffness", "damping", "frictionloss", "armature", "limited")
            if _acts(m, f"tendon_{name}", t)
        )
        for t in range(m.ntendon)
    )
    return CompiledModel(
        gravity=_triple(m.opt.gravity),
        bodies=bodies,
        joints=joints,
        equalities=equalities,
        tendons=tendons,
        has_flex=bool(m.nflex),
        forces=_forces(m),
        warnings=warnings,
    )


def _forces(m: Any) -> tuple[str, ...]:
    """What pushes or pulls in MuJoCo and is no part of M, C and g."""

    def some(name: str) -> bool:
        return any(_acts(m, name, i) for i in range(len(getattr(m, name, ()))))

    found = {
        "Joint springs (stiffness) are left out.": some("jnt_stiffness"),
        "Damping is read in its linear part only.": some("dof_dampingpoly"),
        "Gravity compensation (gravcomp) of bodies is left out.": some("body_gravcomp"),
        "Armature of actuators is left out; that of joints is read.": some("actuator_armature"),
        "Forces of the medium (density, viscosity) are left out.": bool(
            m.opt.density or m.opt.viscosity
        ),
    }
    return tuple(sentence for sentence, holds in found.items() if holds)


def _acts(m: Any, name: str, index: int) -> bool:
    """Whether an entry (or any of a row) of an array is not zero; False where MuJoCo lacks it."""
    values: Any = getattr(m, name, None)
    if values is None:
        return False
    entry: Any = values[index]
    return any(float(v) != 0 for v in (entry if hasattr(entry, "__len__") else (entry,)))


def _filled(names: list[str], word: str) -> list[str]:
    """Names, the missing ones numbered, none twice."""
    taken = set(names)
    filled: list[str] = []
    for i, name in enumerate(names):
        new = name or f"{word}{i}"
        while not name and new in taken:
            new += "_"
        taken.add(new)
        filled.append(new)
    return filled


def _pair(values: Any) -> tuple[float, float]:
    a, b = (float(value) for value in values)
    return (a, b)


def _triple(values: Any) -> Triple:
    a, b, c = (float(value) for value in values)
    return (a, b, c)


def _quadruple(values: Any) -> Quadruple:
    a, b, c, d = (float(value) for value in values)
    return (a, b, c, d)
