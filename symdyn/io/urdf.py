"""URDF in, links and joints out; strict, with the line of every fault.

Reads links (inertial), joints (type, parent, child, origin, axis, limit, dynamics, mimic) and
rotor inertias of transmissions. Geometry, materials, controllers and simulator settings are left
out on purpose; any other element that is not known is named in the robot's notes. Conventions of
the format: rpy are turns about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll); the inertial origin is
the centre of mass, and the tensor is about it, in the axes of the inertial frame: I_link = R I R^T.

Source: the URDF specification, https://wiki.ros.org/urdf/XML (link, joint, transmission).
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from symdyn._errors import InputError
from symdyn.algebra.term import ONE, TERMS, ZERO, Term, number
from symdyn.io.decimal_text import Decimal, read_numbers
from symdyn.io.urdf_findings import Findings
from symdyn.io.urdf_transmission import read_armatures
from symdyn.io.xml_tree import Element, parse_xml, read_bytes
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    MimicDescription,
    RobotDescription,
)
from symdyn.model.names import did_you_mean, shown
from symdyn.model.robot import Limits, Mat3T, StatedInertia, Vec3T
from symdyn.spatial.inertia import phi_from_central
from symdyn.spatial.rotation import identity, rpy_matrix

_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_PARALLEL = identity(TERMS)
_GRAVITY = (ZERO, ZERO, number(Fraction(-981, 100)))

#: Left out on purpose: no influence on the equations of motion.
_LEFT_OUT = {
    "robot": frozenset(("material", "gazebo", "sensor", "ros2_control", "group", "transmission")),
    "link": frozenset(("visual", "collision", "contact", "self_collision_checking")),
    "joint": frozenset(("calibration", "safety_controller")),
}
_READ = {
    "robot": frozenset(("link", "joint")),
    "link": frozenset(("inertial",)),
    "joint": frozenset(("parent", "child", "origin", "axis", "limit", "dynamics", "mimic")),
    "inertial": frozenset(("origin", "mass", "inertia")),
}
#: The attributes of elements in which a misspelt one would silently lose a number.
_ATTRIBUTES = {
    "origin": frozenset(("xyz", "rpy")),
    "mass": frozenset(("value",)),
    "inertia": frozenset(("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    "axis": frozenset(("xyz",)),
    "parent": frozenset(("link",)),
    "child": frozenset(("link",)),
    "mimic": frozenset(("joint", "multiplier", "offset")),
}
#: Attributes that are read; any other one is named in the notes.
_KNOWN_ATTRIBUTES = {
    "limit": frozenset(("lower", "upper", "effort", "velocity")),
    "dynamics": frozenset(("damping", "friction", "armature")),
}
#: What to do where a piece is missing that has no default.
_MISSING_ELEMENT = {
    "mass": 'Write <mass value="..."/> in kg; a link without mass has no <inertial> at all.',
    "inertia": "Write <inertia ixx= ixy= ixz= iyy= iyz= izz=/> about the centre of mass, or leave "
    "out the whole <inertial> of a link without mass.",
    "parent": 'Write <parent link="..."/> with the link that the joint stands on.',
    "child": 'Write <child link="..."/> with the link that the joint moves.',
}
_MISSING_ATTRIBUTE = {
    ("mass", "value"): 'Write <mass value="..."/> in kg.',
    ("parent", "link"): 'Write <parent link="..."/> with the link that the joint stands on.',
    ("child", "link"): 'Write <child link="..."/> with the link that the joint moves.',
    ("axis", "xyz"): 'Write <axis xyz="0 0 1"/>, or leave the element out for (1, 0, 0).',
    ("mimic", "joint"): 'Write <mimic joint="..."/> with the joint that leads.',
    ("joint", "type"): f'Write <joint name="..." type="...">, one of {", ".join(_TYPES)}.',
}
_JOINT_REMEDY = {
    "ball": "Write three revolute joints with massless links between them.",
    "spherical": "Write three revolute joints with massless links between them.",
    "hinge": "Write revolute, or continuous if it has no limits.",
    "slide": "Write prismatic.",
    "rotary": "Write revolute, or continuous if it has no limits.",
    "linear": "Write prismatic.",
}
#: Attributes of the tensor in the order of equation (7).
_TENSOR = ("ixx", "iyy", "izz", "ixy", "iyz", "ixz")


def read_urdf(path: str | Path, *, snap_angles: bool = False) -> RobotDescription:
    """The links and joints of a URDF file as they stand; `build_robot` makes them a robot.

    Parameters
    ----------
    path : the file, plain URDF (not xacro)
    snap_angles : take an angle as the multiple of pi/4 that it prints to its own last decimal place
        (1.5708 as pi/2); off by default, so that results are those of the file's decimals

    Raises
    ------
    InputError : the file has a fault; the message names file, line, element and remedy
    """
    return parse_urdf(read_bytes(path), str(path), snap_angles=snap_angles)


def parse_urdf(
    text: str | bytes, source: str = "urdf", *, snap_angles: bool = False
) -> RobotDescription:
    """The links and joints of a URDF document; ``source`` is what errors call it."""
    root = parse_xml(text, source)
    findings = Findings(source, snap_angles)
    _check_root(root, findings)
    _note_unknown(root, "robot", findings)
    armatures = read_armatures(root, source)
    links = tuple(_link(element, findings) for element in root.named("link"))
    joints = tuple(_joint(element, armatures, findings) for element in root.named("joint"))
    name = root.attributes.get("name", "")
    if not name.strip():
        name = Path(source).stem or "robot"
        findings.notes.append(f"The robot has no name; it is called {shown(name)} after its file.")
    return RobotDescription(
        name=name,
        links=links,
        joints=joints,
        gravity=_GRAVITY,
        source=source,
        sibling_order="name",
        notes=(*findings.notes, *findings.summary()),
    )


def _check_root(root: Element, findings: Findings) -> None:
    if root.tag != "robot":
        other = {
            "mujoco": "This is MJCF: read it as MJCF.",
            "sdf": "This is SDF: export the robot as URDF.",
        }
        raise InputError(
            "this is no URDF file",
            where=f"{findings.source}, line {root.line}",
            expected="a root element <robot>",
            got=f"<{shown(root.tag)}>",
            remedy=other.get(root.tag, ""),
        )
    for element in root.children:
        if element.tag.startswith("xacro:") or "${" in root.attributes.get("name", ""):
            raise InputError(
                "this is a xacro source, not a URDF file",
                where=f"{findings.source}, line {element.line}",
                expected="plain URDF",
                got=f"<{shown(element.tag)}>",
                remedy="Run xacro first and read its output.",
            )


def _note_unknown(element: Element, kind: str, findings: Findings) -> None:
    known = _READ[kind] | _LEFT_OUT.get(kind, frozenset())
    for child in element.children:
        if child.tag not in known:
            findings.unknown[f"{kind}/{shown(child.tag)}"] += 1


def _only(element: Element, tag: str, place: str, findings: Findings) -> Element | None:
    """The child called ``tag`` if there is one; two are a fault, and so is a misspelt attribute."""
    found = element.named(tag)
    if not found:
        return None
    if len(found) > 1:
        raise InputError(
            f"{len(found)} elements <{tag}> where one can hold",
            where=findings.where(found[1], place),
            remedy="Delete the wrong one.",
        )
    allowed = _ATTRIBUTES.get(tag)
    for name in found[0].attributes:
        if name not in _KNOWN_ATTRIBUTES.get(tag, (name,)):
            findings.unknown[f"{tag} {shown(name)}"] += 1
        if allowed is not None and name not in allowed:
            raise InputError(
                f"<{tag}> has an attribute that URDF does not know",
                where=findings.where(found[0], place),
                expected=" or ".join(sorted(allowed)),
                got=shown(name),
                remedy=did_you_mean(name, sorted(allowed)) or "Delete it.",
            )
    return found[0]


def _need(element: Element, tag: str, place: str, findings: Findings) -> Element:
    found = _only(element, tag, place, findings)
    if found is None:
        raise InputError(
            f"<{tag}> is missing",
            where=findings.where(element, place),
            remedy=_MISSING_ELEMENT[tag],
        )
    return found


def _missing_attribute(tag: str, name: str) -> str:
    if tag == "inertia":
        return (
            "All six of ixx, ixy, ixz, iyy, iyz, izz are needed, about the centre of mass "
            f'[kg m^2]; write {name}="0" only where it is known to be 0.'
        )
    return _MISSING_ATTRIBUTE.get((tag, name), "")


def _attribute(element: Element, name: str, place: str, findings: Findings) -> str:
    value = element.attributes.get(name)
    if value is None:
        raise InputError(
            f"<{element.tag}> has no attribute {name}",
            where=findings.where(element, place),
            remedy=_missing_attribute(element.tag, name),
        )
    return value


def _numbers(
    element: Element, name: str, count: int, place: str, findings: Findings
) -> tuple[Decimal, ...]:
    text = _attribute(element, name, place, findings)
    return read_numbers(text, count, findings.where(element, f"{place} {element.tag} {name}"))


def _optional(element: Element | None, name: str, place: str, findings: Findings) -> Term | None:
    """One number of an attribute that may be absent."""
    if element is None or name not in element.attributes:
        return None
    return number(_numbers(element, name, 1, place, findings)[0].value)


def _origin(
    element: Element | None, place: str, findings: Findings
) -> tuple[Mat3T, tuple[Decimal, ...]]:
    """Rotation and translation of an <origin>; what is absent is the identity."""
    zeros = (Decimal(Fraction(0), Fraction(0)),) * 3
    if element is None:
        return _PARALLEL, zeros
    xyz = zeros
    if "xyz" in element.attributes:
        xyz = _numbers(element, "xyz", 3, place, findings)
    if "rpy" not in element.attributes:
        return _PARALLEL, xyz
    rpy = [findings.angle(d) for d in _numbers(element, "rpy", 3, place, findings)]
    if all(angle.rational == 0 for angle in rpy):
        return _PARALLEL, xyz
    return rpy_matrix(TERMS, rpy[0], rpy[1], rpy[2]), xyz


def _vector(decimals: tuple[Decimal, ...]) -> Vec3T:
    x, y, z = (number(d.value) for d in decimals)
    return (x, y, z)


def _name(element: Element, findings: Findings) -> str:
    name = element.attributes.get("name")
    if name is None:
        raise InputError(
            f"this {element.tag} has no name",
            where=f"{findings.source}, line {element.line}",
            remedy=f'Write <{element.tag} name="..."> with a name that no other {element.tag} has.',
        )
    if "${" in name:
        raise InputError(
            f"the name of this {element.tag} is not expanded",
            where=f"{findings.source}, line {element.line}",
            got=shown(name),
            remedy="The file is a xacro source: run xacro first and read its output.",
        )
    return name


def _link(element: Element, findings: Findings) -> LinkDescription:
    name = _name(element, findings)
    place = f"link {shown(name)},"
    _note_unknown(element, "link", findings)
    inertial = _only(element, "inertial", place, findings)
    if inertial is None:
        return LinkDescription(name, None, element.line)
    place = f"{place} inertial"
    _note_unknown(inertial, "inertial", findings)
    rotation, com = _origin(_only(inertial, "origin", place, findings), place, findings)
    mass = _numbers(_need(inertial, "mass", place, findings), "value", 1, place, findings)
    entries = _need(inertial, "inertia", place, findings)
    tensor = [_numbers(entries, entry, 1, place, findings)[0] for entry in _TENSOR]
    xx, yy, zz, xy, yz, xz = (number(d.value) for d in tensor)
    m, c = number(mass[0].value), _vector(com)
    turn = None if rotation is _PARALLEL else rotation
    phi = phi_from_central(m, c, (xx, yy, zz, xy, yz, xz), turn)
    stated = StatedInertia(
        mass=m,
        com=c,
        rotation=rotation,
        tensor=(xx, yy, zz, xy, yz, xz),
        places=tuple(d.place for d in (*mass, *com, *tensor)),
        line=entries.line,
    )
    return LinkDescription(name, phi, element.line, stated=stated)


def _joint(element: Element, armatures: dict[str, Term], findings: Findings) -> JointDescription:
    name = _name(element, findings)
    place = f"joint {shown(name)},"
    _note_unknown(element, "joint", findings)
    kind = _attribute(element, "type", place, findings)
    if kind not in _TYPES:
        raise InputError(
            "unknown type of joint",
            where=findings.where(element, place),
            expected=", ".join(_TYPES),
            got=shown(kind),
            remedy=did_you_mean(kind, _TYPES) or _JOINT_REMEDY.get(kind, ""),
        )
    ends = [
        _attribute(_need(element, end, place, findings), "link", place, findings)
        for end in ("parent", "child")
    ]
    rotation, translation = _origin(_only(element, "origin", place, findings), place, findings)
    axis = _only(element, "axis", place, findings)
    dynamics = _only(element, "dynamics", place, findings)
    damping = _optional(dynamics, "damping", place, findings) or ZERO
    friction = _optional(dynamics, "friction", place, findings) or ZERO
    if min(damping.rational or 0, friction.rational or 0) < 0:
        findings.notes.append(f"The friction of joint {shown(name)} is negative: it drives.")
    elif friction.rational != 0:
        findings.with_friction.append(name)
    return JointDescription(
        name=name,
        kind=kind,
        parent=ends[0],
        child=ends[1],
        rotation=rotation,
        translation=_vector(translation),
        axis=(ONE, ZERO, ZERO)
        if axis is None
        else _vector(_numbers(axis, "xyz", 3, place, findings)),
        mimic=_mimic(element, place, findings),
        armature=_armature(name, dynamics, armatures, place, findings),
        damping=damping,
        friction=friction,
        limits=_limits(element, name, kind, place, findings),
        line=element.line,
    )


def _mimic(element: Element, place: str, findings: Findings) -> MimicDescription | None:
    mimic = _only(element, "mimic", place, findings)
    if mimic is None:
        return None
    return MimicDescription(
        leader=_attribute(mimic, "joint", place, findings),
        multiplier=_optional(mimic, "multiplier", place, findings) or ONE,
        offset=_optional(mimic, "offset", place, findings) or ZERO,
        line=mimic.line,
    )


def _limits(element: Element, name: str, kind: str, place: str, findings: Findings) -> Limits:
    limit = _only(element, "limit", place, findings)
    if limit is None:
        if kind in ("revolute", "prismatic"):
            findings.without_limit.append(name)
        return Limits()
    bounded = kind in ("revolute", "prismatic")
    lower = _optional(limit, "lower", place, findings)
    upper = _optional(limit, "upper", place, findings)
    if bounded and lower is None and upper is None:
        findings.without_limit.append(name)
    elif bounded:
        # the specification gives an omitted bound the value 0
        lower, upper = lower or ZERO, upper or ZERO
        if (lower.rational or 0) > (upper.rational or 0):
            findings.notes.append(f"The lower limit of joint {shown(name)} is above the upper one.")
    return Limits(
        lower=lower if bounded else None,
        upper=upper if bounded else None,
        velocity=_optional(limit, "velocity", place, findings),
        effort=_optional(limit, "effort", place, findings),
    )


def _armature(
    name: str,
    dynamics: Element | None,
    armatures: dict[str, Term],
    place: str,
    findings: Findings,
) -> Term:
    """The rotor inertia as felt at the joint: of a transmission, or of MuJoCo's own attribute."""
    own = _optional(dynamics, "armature", place, findings)
    if own is None:
        return armatures.get(name, ZERO)
    assert dynamics is not None
    if name in armatures:
        raise InputError(
            "the rotor inertia is stated twice, here and in a transmission",
            where=findings.where(dynamics, place),
            remedy="Delete one of the two.",
        )
    return own
