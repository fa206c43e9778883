"""One joint: an inertia, a friction law and a drive; J dv/dt = torque - friction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn._errors import UnsupportedError
from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity, Relation
from symdyn.simulate.drive import Drive
from symdyn.simulate.system import System

_TEMPERATURE = Quantity("temperature", "K", "temperature above the reference")
#: Output of systems with friction.
FORCE = Quantity("friction", "N m", "friction torque")


def joint_system(law: FrictionLaw, drive: Drive) -> System:
    """The joint as a system with the states q, v, those of the law and those of the drive.

    Parameters
    ----------
    law : any law; of its signals, the position is q, the load is the torque of the drive, and the
        temperature is one more parameter
    drive : what acts besides friction

    Returns
    -------
    System : parameters J, those of the law, those of the drive; outputs friction and torque. For a
        set-valued law the friction at rest is that of the law's ``force``, so the joint does not
        stick: `simulate.stick_slide` and `simulate.moreau` are for those.
    """
    first, last = 2, 2 + len(law.states)

    def parts(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S]) -> tuple[S, S, dict[str, S]]:
        """Torque, friction, and the law's signals."""
        torque = drive.torque(A, t, x[0], x[1], x[last:], p)
        u = _signals(law, x[0], torque, p)
        return torque, law.force(A, x[1], x[first:last], u, p), u

    def rate(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]:
        torque, friction, u = parts(A, t, x, p)
        out = [x[1], (torque - friction) / p["J"]]
        if law.rate is not None:
            out += law.rate(A, x[1], x[first:last], u, p)
        if drive.rate is not None:
            out += drive.rate(A, t, x[0], x[1], x[last:], p)
        return out

    def relax(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /) -> list[S]:
        assert law.update is not None
        torque = drive.torque(A, t, x[0], x[1], x[last:], p)
        u = _signals(law, x[0], torque, p)
        return [*x[:first], *law.update(A, x[1], x[first:last], u, p, dt), *x[last:]]

    def observe(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]:
        torque, friction, _ = parts(A, t, x, p)
        return [friction, torque]

    warm = any(q.name == "temperature" for q in law.signals)
    return System(
        name=f"{law.name}-joint-{drive.name}",
        states=(
            Quantity("q", "rad", "position"),
            Quantity("v", "rad/s", "velocity"),
            *law.states,
            *drive.states,
        ),
        parameters=(
            Quantity("J", "kg m^2", "inertia", Domain.POSITIVE),
            *law.parameters,
            *((_TEMPERATURE,) if warm else ()),
            *drive.parameters,
        ),
        rate=rate,
        positions=(0,),
        velocity=1,
        relax=None if law.update is None else relax,
        relaxed=() if law.update is None else tuple(range(first, last)),
        relations=parameter_relations(law),
        outputs=(FORCE, Quantity("torque", "N m", "torque of the drive")),
        observe=observe,
    )


def _signals(law: FrictionLaw, q: S, torque: S, p: Mapping[str, S]) -> dict[str, S]:
    values: dict[str, S] = {}
    for signal in law.signals:
        match signal.name:
            case "position":
                values[signal.name] = q
            case "load":
                values[signal.name] = torque
            case "temperature":
                values[signal.name] = p["temperature"]
            case name:
                raise UnsupportedError(f"joint_system: nothing gives the signal {name!r}")
    return values


def parameter_relations(law: FrictionLaw) -> tuple[Relation, ...]:
    """Those that mention parameters only; a signal is known at run time alone."""
    names = {q.name for q in law.parameters}
    return tuple(r for r in law.relations if names.issuperset(r.names))
