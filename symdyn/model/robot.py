"""The robot as frozen data: bodies, joints, parameters, friction, rotors, limits; exact numbers.

One moving joint carries one body, so joint i moves body i and ``parent < i``. Fixed links have been
lumped into the body that carries them (`LumpedLink` keeps the map). A mimic joint is no coordinate
of its own: ``q_joint = multiplier * q[coordinate] + offset``. There is one constructor that
validates, `symdyn.model.build.build_robot`; readers only translate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from symdyn.algebra.term import ONE, ZERO, Term

if TYPE_CHECKING:
    from symdyn.mass.described import PartDescription

Vec3T = tuple[Term, Term, Term]
Mat3T = tuple[Vec3T, Vec3T, Vec3T]

#: Name of the time in the terms of a `MassMotion` [s].
TIME = "t"

#: Names of the ten inertial parameters of a body in the order of equation (7): I about the frame
#: origin, products with the sign of the matrix entry.
PARAMETER_NAMES: tuple[str, ...] = (
    "m", "h1", "h2", "h3", "I11", "I22", "I33", "I12", "I23", "I13",
)  # fmt: skip


class JointKind(Enum):
    """How a joint moves its body along or about its axis."""

    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    HELICAL = "helical"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a joint; None where the file states none. [rad | m], [rad/s | m/s], [N m | N]"""

    lower: Term | None = None
    upper: Term | None = None
    velocity: Term | None = None
    effort: Term | None = None


@dataclass(frozen=True, slots=True)
class JointLaw:
    """The friction law of a joint: its name in `symdyn.friction.catalog`, its parameters in the
    law's order, as the joint feels them.
    """

    name: str
    values: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Joint:
    """One moving joint.

    Attributes
    ----------
    name : as in the file
    kind : how it moves
    parent : index of the body it stands on, -1 for the base
    rotation : R_PJ, joint frame (at q = 0) seen from the parent body's frame
    translation : origin of the joint frame in the parent body's frame [m]
    axis : unit vector in the joint frame
    coordinate : index of the entry of q that moves it
    multiplier, offset : q_joint = multiplier * q[coordinate] + offset
    pitch : advance per angle of a helical joint [m/rad]
    armature : rotor inertia as felt at the joint, N^2 J [kg m^2 | kg]
    damping, friction : viscous [N m s/rad | N s/m] and Coulomb [N m | N] friction of the file
    law : friction law in place of damping and friction, which are then zero; else None
    limits : of the joint itself, not of the coordinate it mimics
    follows : name of the joint that owns the coordinate, empty if it is this one
    """

    name: str
    kind: JointKind
    parent: int
    rotation: Mat3T
    translation: Vec3T
    axis: Vec3T
    coordinate: int
    multiplier: Term = ONE
    offset: Term = ZERO
    pitch: Term = ZERO
    armature: Term = ZERO
    damping: Term = ZERO
    friction: Term = ZERO
    limits: Limits = field(default_factory=Limits)
    follows: str = ""
    law: JointLaw | None = None

    @property
    def is_mimic(self) -> bool:
        """Whether the joint follows another one (then it owns no coordinate)."""
        return bool(self.follows) or self.multiplier.rational != 1 or self.offset.rational != 0


@dataclass(frozen=True, slots=True)
class StatedInertia:
    """A link's inertial properties as the file states them, for diagnosis; `phi` is what counts.

    Attributes
    ----------
    mass : [kg]
    com : centre of mass in the link's frame [m]
    rotation : axes of the inertial frame seen from the link's frame
    tensor : 11, 22, 33, 12, 23, 13 about the centre of mass in the inertial frame [kg m^2]
    places : one unit in the last printed place of mass, com, tensor (10 numbers); empty if unknown
    line : where the tensor stands
    """

    mass: Term
    com: Vec3T
    rotation: Mat3T
    tensor: tuple[Term, ...]
    places: tuple[Fraction, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class MassMotion:
    """How the mass of a link or body changes and moves, as terms that may mention `TIME`.

    Attributes
    ----------
    phi, phi_dot : ten inertial parameters and their rates, order of equation (7)
    psi, psi_dot : twelve moments of relative momentum and their rates, order of equation (27)
    nu : twice the kinetic energy of the relative motion [kg m^2/s^2]
    source_phi, source_psi : what equation (39) takes from the rates where mass comes or goes
    statement : closed or open, and the momentum that mass brings or takes along
    times : interval on which the distribution was checked; outside of it nothing is known [s]. None
        if it is possible at all times
    """

    phi: tuple[Term, ...]
    phi_dot: tuple[Term, ...]
    psi: tuple[Term, ...]
    psi_dot: tuple[Term, ...]
    nu: Term
    source_phi: tuple[Term, ...]
    source_psi: tuple[Term, ...]
    statement: str
    times: tuple[Fraction, Fraction] | None = None

    def terms(self) -> tuple[Term, ...]:
        """All of its terms."""
        return (
            *self.phi, *self.phi_dot, *self.psi, *self.psi_dot, self.nu,
            *self.source_phi, *self.source_psi,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What a link is made of, where a file says so: the source of its parameters, to check them.

    Attributes
    ----------
    parts : materials with their shapes
    times : interval of time that they are meant for [s]
    motion : what was made of them, in the link's own frame; None if nothing changes or moves
    uncertain : signs and shapes that were looked up in samples only, or not at all
    """

    parts: tuple[PartDescription, ...]
    times: tuple[Fraction, Fraction]
    motion: MassMotion | None = None
    uncertain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LumpedLink:
    """A link of the file that is rigidly part of a body: where its frame sits in the body's frame.

    ``phi`` stands in the link's own frame; ``stated`` is what the file says, if it says anything,
    ``made_of`` the materials that ``phi`` was integrated from.
    """

    name: str
    rotation: Mat3T
    translation: Vec3T
    phi: tuple[Term, ...]
    line: int | None = None
    stated: StatedInertia | None = None
    made_of: MadeOf | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """A moving body, frame on its joint.

    Attributes
    ----------
    name : of the link that the joint moves
    phi : ten inertial parameters in the order of `PARAMETER_NAMES`, everything lumped in
    links : the links of the file that make it up, the named one first
    symbolic : per parameter, whether it is a free argument (True) or fixed at its value
    motion : how its mass changes and moves; None for a rigid body. Then phi is that of t = 0
    """

    name: str
    phi: tuple[Term, ...]
    links: tuple[LumpedLink, ...] = ()
    symbolic: tuple[bool, ...] = (True,) * 10
    motion: MassMotion | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter: its name, its value, its unit, and whether it stays an argument."""

    name: str
    value: Fraction
    unit: str = ""
    is_argument: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True)
class Robot:
    """A tree of bodies on a fixed base. n coordinates, N bodies, n <= N.

    Attributes
    ----------
    name : as in the file
    bodies, joints : joint i moves body i
    coordinates : names of the joints that own the entries of q, in order
    gravity : acceleration of free fall in the base frame [m/s^2]
    parameters : declared parameters that terms may mention
    base_links : links rigidly part of the base; they do not move and carry no dynamics
    source : file name or built-in name, and the reader that read it
    notes : what the reader assumed, repaired or recognised, one sentence each, for the report
    """

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    coordinates: tuple[str, ...]
    gravity: Vec3T
    parameters: tuple[Parameter, ...] = ()
    base_links: tuple[LumpedLink, ...] = ()
    source: str = ""
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def n_bodies(self) -> int:
        """Number of moving bodies, N."""
        return len(self.bodies)
