"""MJCF in, links and joints out, through MuJoCo's own compiler (optional dependency ``mujoco``).

The compiler gives doubles: positions and masses become the shortest decimals that print them,
rotations become exactly orthonormal (`symdyn.io.exact_rotation`).

Body frames stand on joints here. A MuJoCo body whose joint lies off its origin gets its frame moved
to the joint; several joints of one body become a chain with massless links between them, the first
joint nearest to the parent. Our q is MuJoCo's qpos: the reference position ``ref`` of a joint is
part of the placement. A joint equality with a linear polynomial becomes a mimic joint.

Source: MuJoCo documentation, "Computation" (kinematics, equality constraints).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.term import PI, TERMS, ZERO, Term, number
from symdyn.friction.exchange import MJCF_NOTE
from symdyn.io.exact_rotation import RECOGNISED, Quaternion, rotation_of_quaternion
from symdyn.io.mujoco_model import CompiledBody, CompiledJoint, CompiledModel, compile_mjcf
from symdyn.io.xml_tree import Element, parse_xml, read_bytes
from symdyn.model.axis import unit_axis
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    MimicDescription,
    RobotDescription,
)
from symdyn.model.names import listing, shown
from symdyn.model.robot import Limits, Mat3T, StatedInertia, Vec3T
from symdyn.model.sizes import LARGEST, LARGEST_TEXT
from symdyn.spatial.inertia import Six, phi_from_central
from symdyn.spatial.rotation import identity, matmul, matvec, rotation_about
from symdyn.spatial.vector import add, sub

#: A tensor that the compiler turned to its principal axes and that is turned back here has lost
#: what its iteration leaves (1e-12 of the largest entry): a short decimal that close is meant.
_ITERATION, _FEW_DIGITS = 2e-12, 8
#: Rounding of the way back alone, for entries that are no short decimals.
_ROUNDING = 1e-14
#: Attributes by which a few characters ask for much memory, and the largest value allowed.
_SIZES, _LARGEST_SIZE = ("count", "width", "height", "nrow", "ncol"), 10_000
_HERE: Vec3T = (ZERO, ZERO, ZERO)
_NOTHING = (ZERO,) * 10
_NOT_FINITE = ("nan", "inf", "infinity")
#: Attributes that hold names of the file, which may read like numbers.
_NAMES = frozenset(
    (
        "name", "model", "class", "childclass", "body", "body1", "body2", "joint", "joint1",
        "joint2", "site", "site1", "site2", "geom", "geom1", "geom2", "tendon", "tendon1",
        "tendon2", "mesh", "material", "texture", "actuator", "target", "refsite", "key",
        "file",
    )
)  # fmt: skip


def read_mjcf(path: str | Path) -> RobotDescription:
    """The links and joints of an MJCF file; `build_robot` makes them a robot.

    Parameters
    ----------
    path : the file; meshes and included files are found as MuJoCo finds them

    Raises
    ------
    InputError : the file cannot be read, or MuJoCo's compiler refuses it
    UnsupportedError : MuJoCo is not installed; or ball and free joints, closed loops, tendons that
        exert forces, flexible bodies
    """
    source = str(path)
    root = parse_xml(read_bytes(path), source)
    _check_text(root, source)
    return _translate(compile_mjcf(source), root, source)


def parse_mjcf(text: str, source: str = "text") -> RobotDescription:
    """The links and joints of an MJCF text; ``source`` names it in messages.

    Raises
    ------
    InputError, UnsupportedError : as `read_mjcf`
    """
    root = parse_xml(text, source)
    _check_text(root, source)
    return _translate(compile_mjcf(source, text), root, source)


def _check_text(root: Element, source: str) -> None:
    """Refuse what is no MJCF, and the numbers that the compiler would silently take for 0."""
    if root.tag == "robot":
        raise InputError(
            "this is a URDF file",
            where=f"{source}:{root.line}",
            expected="MJCF, whose outermost element is mujoco",
            remedy="Give it the ending .urdf.",
        )
    if root.tag != "mujoco":
        raise InputError(
            "this is no robot file",
            where=f"{source}:{root.line}",
            expected="the outermost element mujoco",
            got=shown(root.tag),
        )
    _check_size(root, source)
    for element in root.descendants():
        for name, value in element.attributes.items():
            if name in _NAMES:
                continue
            words = [word.strip("+-") for word in value.lower().split()]
            if any(word in _NOT_FINITE for word in words) and all(map(_is_number, words)):
                raise InputError(
                    "not a finite number",
                    where=f"{source}:{element.line}: {shown(element.tag)}, {shown(name)}",
                    got=shown(value),
                    remedy="Write a decimal number.",
                )
            large = [
                word for word in words if _is_number(word) and abs(float(word)) > float(LARGEST)
            ]
            if large:
                raise InputError(
                    "the number is too large",
                    where=f"{source}:{element.line}: {shown(element.tag)}, {shown(name)}",
                    expected=LARGEST_TEXT,
                    got=shown(large[0]),
                    remedy="Check the unit and the exponent.",
                )


def _check_size(root: Element, source: str) -> None:
    """Refuse a small file that asks the compiler for millions of bodies, pixels or grid points."""
    pending = [(root, 1)]
    while pending:
        element, copies = pending.pop()
        for name in _SIZES:
            for word in element.attributes.get(name, "").split():
                value = int(word) if word.isdecimal() and len(word) < 20 else 0
                if name == "count":
                    copies *= max(value, 1)
                if value > _LARGEST_SIZE or copies > _LARGEST_SIZE:
                    raise InputError(
                        f"the {name} of this {shown(element.tag)} is too large",
                        where=f"{source}:{element.line}",
                        expected=f"at most {_LARGEST_SIZE}, nested counts multiplied",
                        got=shown(word),
                    )
        pending.extend((child, copies) for child in element.children)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _translate(model: CompiledModel, root: Element, source: str) -> RobotDescription:
    _refuse(model, source)
    notes = [*model.forces, *(f"MuJoCo warns: {shown(text, 200)}" for text in model.warnings)]
    mimics = _mimics(model, source, notes)
    taken = {body.name for body in model.bodies} | {joint.name for joint in model.joints}
    world = model.bodies[0]
    links = [LinkDescription(world.name, None)]
    joints: list[JointDescription] = []
    origins = [_HERE]
    moved: list[str] = []
    for body in model.bodies[1:]:
        carrier = model.bodies[body.parent].name
        rotation = rotation_of_quaternion(_exact(body.quaternion))
        place = sub(_vector(body.position), origins[body.parent])
        at = _HERE
        for j in body.joints:
            joint = model.joints[j]
            is_last = j == body.joints[-1]
            child = body.name if is_last else _unused(f"{body.name}.{joint.name}", taken)
            spot = _vector(joint.position)
            if j == body.joints[0]:
                pose = (rotation, add(place, matvec(rotation, spot)))
            else:
                pose = (identity(TERMS), sub(spot, at))
            joints.append(_joint(joint, carrier, child, pose, mimics.get(j)))
            if not is_last:
                # nothing is between two joints of one body, so nothing there stays an argument
                links.append(LinkDescription(child, _NOTHING, symbolic=(False,) * 10))
            carrier, at = child, spot
        if not body.joints:
            name = _unused(f"{body.name}.fixed", taken)
            joints.append(
                JointDescription(name, "fixed", carrier, body.name, rotation, place, _HERE)
            )
        origins.append(at)
        if any(entry.rational != 0 for entry in at):
            moved.append(body.name)
        links.append(_link(body, at))
    if moved:
        notes.append(f"Frames moved from MuJoCo's body origins to the joints: {listing(moved)}.")
    rubbing = [joint.name for joint in model.joints if joint.friction != 0]
    if rubbing:
        notes.append(f"{MJCF_NOTE}: joints {listing(rubbing)}.")
    notes.extend(_compiler_notes(root))
    name = root.attributes.get("model") or "MuJoCo Model"
    gravity = _vector(model.gravity)
    return RobotDescription(
        name, tuple(links), tuple(joints), gravity, source, "file", (), tuple(notes)
    )


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _refuse(model: CompiledModel, source: str) -> None:
    """Stop at what has no place in a tree of rigid bodies with one coordinate per joint."""
    for joint in model.joints:
        if joint.kind in ("ball", "free"):
            instead = "three hinges" if joint.kind == "ball" else "three slides and three hinges"
            raise UnsupportedError(
                f"{source}, joint {shown(joint.name)}: a {joint.kind} joint has several degrees of "
                f"freedom; symdyn covers joints with one. Write {instead} in the same body."
            )
    for e, equality in enumerate(model.equalities, 1):
        if equality.is_active and equality.kind != "joint":
            raise UnsupportedError(
                f"{source}, equality {e} ({equality.kind}): it closes a loop or couples other "
                "things than two joints; symdyn covers trees. Make it inactive to derive the tree."
            )
    if model.has_flex:
        raise UnsupportedError(f"{source}: flexible bodies are not covered, only rigid ones.")
    for t, effects in enumerate(model.tendons, 1):
        if effects:
            raise UnsupportedError(
                f"{source}, tendon {t}: its {effects[0]} couples joints by forces; symdyn covers "
                "trees of rigid bodies. Remove it from the file to derive the rest."
            )


def _mimics(model: CompiledModel, source: str, notes: list[str]) -> dict[int, MimicDescription]:
    """Mimic relations by follower joint, from q_1 - r_1 = a_0 + a_1 (q_2 - r_2), r = ref."""
    mimics: dict[int, MimicDescription] = {}
    for e, equality in enumerate(model.equalities, 1):
        if not equality.is_active:
            notes.append(f"Equality {e} is inactive in the file and left out.")
            continue
        follower = model.joints[equality.first]
        place = f"{source}, equality {e} of joint {shown(follower.name)}"
        a0, a1, *higher = equality.polynomial
        if equality.second < 0 or a1 == 0:
            raise UnsupportedError(f"{place}: it holds the joint still. Leave the joint out.")
        if any(higher):
            raise UnsupportedError(
                f"{place}: its polynomial has degree 2 or more; symdyn covers linear coupling "
                "q_1 = k q_2 + b."
            )
        if equality.first in mimics:
            raise UnsupportedError(f"{place}: the joint follows two others.")
        leader = model.joints[equality.second]
        k = _decimal(a1)
        offset = _decimal(follower.reference) + _decimal(a0) - k * _decimal(leader.reference)
        mimics[equality.first] = MimicDescription(leader.name, number(k), number(offset))
    if mimics:
        notes.append("Joint equalities are taken as rigid; MuJoCo holds them by soft constraints.")
    return mimics


def _compiler_notes(root: Element) -> list[str]:
    compilers = [element for element in root.descendants() if element.tag == "compiler"]
    changing = [
        key
        for key in ("balanceinertia", "boundmass", "boundinertia", "settotalmass")
        if any(c.attributes.get(key, "false") not in ("false", "0", "-1") for c in compilers)
    ]
    notes = ["Read through MuJoCo's compiler; its doubles are taken as the decimals they print."]
    if changing:
        notes.append(f"The file lets the compiler change inertias: {', '.join(changing)}.")
    return notes


def _joint(
    joint: CompiledJoint,
    parent: str,
    child: str,
    pose: tuple[Mat3T, Vec3T],
    mimic: MimicDescription | None,
) -> JointDescription:
    """A joint whose frame stands there at qpos = ref; its placement is taken back to qpos = 0."""
    rotation, translation = pose
    axis = _direction(joint.axis)
    found = unit_axis(axis)
    if found is None:
        raise InputError(
            "the axis is zero",
            where=f"joint {shown(joint.name)}",
            remedy='Give the joint a direction, such as axis="0 0 1".',
        )
    unit = found[0]
    read = _term if joint.kind == "slide" else _angle
    ref = read(joint.reference)
    if joint.kind == "slide":
        back = matvec(rotation, (ref * unit[0], ref * unit[1], ref * unit[2]))
        translation = sub(translation, back)
    elif ref.rational != 0:
        turn = rotation_about(TERMS, unit, TERMS.cos(ref), -TERMS.sin(ref))
        rotation = matmul(rotation, turn)
    lower = upper = effort = None
    if joint.bounds is not None:
        lower, upper = (read(value) for value in joint.bounds)
    if joint.effort is not None:
        effort = number(max(abs(_decimal(value)) for value in joint.effort))
    return JointDescription(
        name=joint.name,
        kind="prismatic" if joint.kind == "slide" else "revolute",
        parent=parent,
        child=child,
        rotation=rotation,
        translation=translation,
        axis=axis,
        mimic=mimic,
        armature=_term(joint.armature),
        damping=_term(joint.damping),
        friction=_term(joint.friction),
        limits=Limits(lower, upper, None, effort),
    )


def _link(body: CompiledBody, origin: Vec3T) -> LinkDescription:
    """Inertial parameters of a body about the point ``origin`` of its frame."""
    if body.mass == 0:
        return LinkDescription(body.name, None)
    mass = _term(body.mass)
    com = sub(_vector(body.centre), origin)
    tensor = _turned_back(body)
    stated = StatedInertia(mass, com, identity(TERMS), tensor)
    return LinkDescription(body.name, phi_from_central(mass, com, tensor), stated=stated)


def _turned_back(body: CompiledBody) -> Six[Term]:
    """11, 22, 33, 12, 23, 13 of R diag R^T, each as the shortest decimal within its rounding."""
    w, x, y, z = _exact(body.axes)
    k = 2 / (w * w + x * x + y * y + z * z)
    R = (
        (1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)),
        (k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)),
        (k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)),
    )
    d = [Fraction(value) for value in body.principal]
    largest = max(body.principal)

    def entry(i: int, j: int) -> Term:
        value = float(sum(R[i][n] * d[n] * R[j][n] for n in range(3)))
        return number(_shortest(value, largest))

    return (entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(0, 2))


def _shortest(value: float, largest: float) -> Fraction:
    """The decimal with the fewest digits that the value can stand for beside ``largest``."""
    if abs(value) <= _ITERATION * largest:
        return Fraction(0)
    for digits in range(1, 17):
        text = f"{value:.{digits - 1}e}"
        within = (_ITERATION if digits <= _FEW_DIGITS else _ROUNDING) * largest
        if abs(float(text) - value) <= within:
            return Fraction(text)
    return Fraction(repr(value))


def _vector(values: Iterable[float]) -> Vec3T:
    """Three doubles as the shortest decimals that print them."""
    x, y, z = (_term(value) for value in values)
    return (x, y, z)


def _term(value: float) -> Term:
    """A double as the shortest decimal that prints it."""
    return number(_decimal(value))


def _decimal(value: float) -> Fraction:
    """The shortest decimal that prints a double: that of the file, if it had 15 digits or less."""
    if not math.isfinite(value):
        raise InputError(
            "MuJoCo's compiler gives a number that is not finite",
            expected=LARGEST_TEXT,
            got=repr(value),
            remedy="Look for very large or very small numbers in the file.",
        )
    return Fraction(repr(value))


def _angle(value: float) -> Term:
    """An angle of doubles, as the multiple of pi/12 that it rounds if it is one."""
    twelfths = round(value * 12 / math.pi)
    if abs(value - twelfths * math.pi / 12) <= RECOGNISED * max(1.0, abs(value)):
        return number(Fraction(twelfths, 12)) * PI
    return number(_decimal(value))


def _exact(quaternion: tuple[float, float, float, float]) -> Quaternion:
    w, x, y, z = (Fraction(part) for part in quaternion)
    return (w, x, y, z)


def _direction(values: Iterable[float]) -> Vec3T:
    """A unit vector of doubles; 0, ±1 and ±sqrt(1/2) lose their rounding, and then their length."""
    plain = list(values)
    if all(min(abs(v), abs(abs(v) - math.sqrt(0.5)), abs(abs(v) - 1)) < RECOGNISED for v in plain):
        plain = [0.0 if abs(v) < RECOGNISED else math.copysign(1.0, v) for v in plain]
    return _vector(plain)
