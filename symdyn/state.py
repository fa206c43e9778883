"""One state of a robot, read from JSON: what is given, by list or by name; what is not is zero.

The keys are the arguments of the functions: ``q qd qdd v a tau`` hold a number per joint,
``theta theta_dot theta_source`` ten, ``psi psi_dot psi_source`` twelve and ``nu`` one per body,
``t`` one. Each is a list in the robot's order or an object by joint name (by body name for what
goes by bodies). ``theta`` left out, whole or for a body, is the robot's own; so are the others
where mass changes or moves in the body, all at time ``t``. Friction laws of joints may need
``friction_state``, a number for each of their states, ``load`` and ``temperature``, one per joint,
and a step ``dt``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from symdyn._errors import InputError, counted
from symdyn.algebra.float64 import FLOAT64
from symdyn.dynamics.joint_friction import joint_friction
from symdyn.joint_friction import friction_state_names
from symdyn.mass_recipes import changes, impossible_mass
from symdyn.model.mass_motion import mass_at
from symdyn.model.robot import Robot
from symdyn.unit import theta_values

#: Keys with one number per coordinate.
JOINT_KEYS = ("q", "qd", "qdd", "v", "a", "tau")
#: Keys with a block of numbers per body, and the length of the block.
BODY_KEYS = {
    "theta": 10, "theta_dot": 10, "psi": 12, "psi_dot": 12,
    "nu": 1, "theta_source": 10, "psi_source": 12,
}  # fmt: skip
#: Keys that only friction laws need.
FRICTION_KEYS = ("load", "temperature", "friction_state", "dt")
#: Every key that a state may have.
KEYS = (*JOINT_KEYS, *BODY_KEYS, "t", *FRICTION_KEYS)

_LARGEST_TEXT = 64 * 2**20


@dataclass(frozen=True, slots=True)
class State:
    """The arguments of every function at one state, flat, in the robot's order.

    Attributes
    ----------
    q, qd, qdd, v, a, tau : (n,) [rad | m] and its derivatives, [N m | N]
    theta, theta_dot, theta_source : (10 N,) in the order of equation (7)
    psi, psi_dot, psi_source : (12 N,) in the order of equation (27)
    nu : (N,) twice the energies of relative motion [J]
    t : time [s]
    given : keys that the input named
    load, temperature : (n,) [N m | N], [K], signals of friction laws
    friction_state : (S,) states of friction laws, in the order of the joints
    dt : length of a step [s]
    """

    q: tuple[float, ...]
    qd: tuple[float, ...]
    qdd: tuple[float, ...]
    v: tuple[float, ...]
    a: tuple[float, ...]
    tau: tuple[float, ...]
    theta: tuple[float, ...]
    theta_dot: tuple[float, ...]
    psi: tuple[float, ...]
    psi_dot: tuple[float, ...]
    nu: tuple[float, ...]
    theta_source: tuple[float, ...]
    psi_source: tuple[float, ...]
    t: float
    given: frozenset[str]
    load: tuple[float, ...] = ()
    temperature: tuple[float, ...] = ()
    friction_state: tuple[float, ...] = ()
    dt: float = 0.0


def parse_state(text: str, robot: Robot, where: str = "state") -> State:
    """Read a state from JSON text.

    Parameters
    ----------
    text : one JSON object
    robot : whose joints and bodies it names
    where : where it comes from, for messages

    Raises
    ------
    InputError : no JSON, a key twice, or what `state_from` objects to
    """
    if len(text) > _LARGEST_TEXT:
        raise InputError("the state is too long", where=where, expected="at most 64 MiB")
    try:
        loaded: Any = json.loads(
            text, object_pairs_hook=_no_key_twice, parse_constant=_no_such_number
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"no JSON: {error.msg}",
            where=f"{where}:{error.lineno}:{error.colno}",
            remedy='Write such as {"q": [0.1, 0.2]}: names in double quotes, decimal points, no '
            "comma at the end.",
        ) from None
    except RecursionError:
        raise InputError(
            "the JSON is nested too deeply", where=where, expected="an object of lists"
        ) from None
    except _StateError as fault:
        raise InputError(str(fault), where=where, remedy="Mend or delete it.") from None
    except ValueError as error:  # a whole number of more digits than Python converts
        raise InputError(f"a number is out of range: {error}", where=where) from None
    if not isinstance(loaded, dict):
        raise InputError(
            "a state is a JSON object",
            where=where,
            expected='such as {"q": [0.1, 0.2]}',
            got=_kind(loaded),
        )
    return state_from(cast("dict[str, object]", loaded), robot, where)


def state_from(values: Mapping[str, object], robot: Robot, where: str = "state") -> State:
    """A state from a mapping of keys to lists or to mappings by joint or body name.

    Parameters
    ----------
    values : any of `KEYS`; what is left out is zero, theta the robot's own
    robot : whose joints and bodies it names
    where : where it comes from, for messages

    Raises
    ------
    InputError : an unknown key or name, a wrong length, something that is no finite number, a time
        at which a body whose mass changes cannot exist
    """
    for key, value in values.items():
        if value is None:
            raise InputError(f"{key} is null", where=where, remedy="Leave the key out for zero.")
        if key not in KEYS:
            raise InputError(
                f"unknown key {key!r}", where=where, expected=f"one of {', '.join(KEYS)}"
            )
    joints = {key: _per_joint(values.get(key), robot, where, key) for key in JOINT_KEYS}
    t = _number(values.get("t", 0), where, "t")
    own = _own_values(robot, t, values, where)
    bodies = {
        key: _per_body(values.get(key), robot, where, key, size, own.get(key))
        for key, size in BODY_KEYS.items()
    }
    return State(
        q=joints["q"],
        qd=joints["qd"],
        qdd=joints["qdd"],
        v=joints["v"],
        a=joints["a"],
        tau=joints["tau"],
        theta=bodies["theta"],
        theta_dot=bodies["theta_dot"],
        psi=bodies["psi"],
        psi_dot=bodies["psi_dot"],
        nu=bodies["nu"],
        theta_source=bodies["theta_source"],
        psi_source=bodies["psi_source"],
        t=t,
        given=frozenset(values),
        load=_per_joint(values.get("load"), robot, where, "load"),
        temperature=_per_joint(values.get("temperature"), robot, where, "temperature"),
        friction_state=_friction_state(values.get("friction_state"), robot, where),
        dt=_step(values.get("dt", 0), where),
    )


def _step(value: object, where: str) -> float:
    dt = _number(value, where, "dt")
    if dt < 0:
        raise InputError("dt is negative", where=where, expected="0 or more", got=repr(dt))
    return dt


def _friction_state(value: object, robot: Robot, where: str) -> tuple[float, ...]:
    """A list in the order of the states, or an object of lists by joint name; zero if left out."""
    data = joint_friction(robot)
    size = sum(len(d.states) for d in data)
    if value is None:
        return (0.0,) * size
    if isinstance(value, Mapping):
        named = cast("Mapping[str, object]", value)
        with_states = [d.joint.name for d in data if d.states]
        _known_names(named, with_states, where, "friction_state", "joint with states of friction")
        flat: list[float] = []
        for d in data:
            label = f"friction_state[{d.joint.name!r}]"
            if d.joint.name in named:
                flat.extend(_block(named[d.joint.name], len(d.states), where, label))
            else:
                flat.extend([0.0] * len(d.states))
        return tuple(flat)
    entries = _list(value, where, "friction_state", "a list, or an object by joint name")
    if len(entries) != size:
        raise InputError(
            f"friction_state has {counted(len(entries), 'entry')}",
            where=where,
            expected=f"{size}: {_names(friction_state_names(robot))}"
            if size
            else "none: no joint has a friction law with states",
        )
    return tuple(_number(x, where, f"friction_state[{i}]") for i, x in enumerate(entries))


def _own_values(
    robot: Robot, t: float, given: Mapping[str, object], where: str
) -> dict[str, tuple[float, ...]]:
    """The robot's own theta and, where mass changes or moves in it, all that goes with time t.

    Raises
    ------
    InputError : what is not given has no numbers at this time, or is the mass of no body
    """
    if not changes(robot):
        return {"theta": theta_values(robot)}
    open_keys = [key for key in BODY_KEYS if key not in given or isinstance(given[key], Mapping)]
    if not open_keys:
        return {}
    try:
        now = mass_at(robot, FLOAT64, t).arguments()
    except (ZeroDivisionError, OverflowError, ValueError):
        now = {key: [math.nan] for key in BODY_KEYS}
    if not all(math.isfinite(number) for key in open_keys for number in now[key]):
        raise InputError(
            f"the mass of {robot.name!r} has no finite numbers at t = {t:.6g} s",
            where=where,
            expected=f"a time at which {', '.join(open_keys)} exist",
            remedy="Give another t, or these keys.",
        )
    impossible = impossible_mass(robot, [t]) if "theta" in open_keys else None
    if impossible is not None:
        raise impossible.error(where, "Give another t, or theta.")
    return {name: tuple(own) for name, own in now.items()}


def _per_joint(value: object, robot: Robot, where: str, key: str) -> tuple[float, ...]:
    if value is None:
        return (0.0,) * robot.n
    if isinstance(value, Mapping):
        named = cast("Mapping[str, object]", value)
        followers = {j.name for j in robot.joints} - set(robot.coordinates)
        for name in named:
            if name in followers:
                joint = next(j for j in robot.joints if j.name == name)
                raise InputError(
                    f"{key}: joint {name!r} follows joint "
                    f"{robot.coordinates[joint.coordinate]!r} and has no value of its own",
                    where=where,
                )
        _known_names(named, robot.coordinates, where, key, "joint")
        return tuple(
            _number(named.get(name, 0), where, f"{key}[{name!r}]") for name in robot.coordinates
        )
    entries = _list(value, where, key, "a list, or an object by joint name")
    if len(entries) != robot.n:
        raise InputError(
            f"{key} has {counted(len(entries), 'entry')}",
            where=where,
            expected=f"{robot.n}, one per joint: {_names(robot.coordinates)}",
        )
    return tuple(_number(entry, where, f"{key}[{i}]") for i, entry in enumerate(entries))


def _per_body(
    value: object,
    robot: Robot,
    where: str,
    key: str,
    size: int,
    default: tuple[float, ...] | None,
) -> tuple[float, ...]:
    names = [body.name for body in robot.bodies]
    whole = default if default is not None else (0.0,) * (size * len(names))
    if value is None:
        return whole
    if isinstance(value, Mapping):
        named = cast("Mapping[str, object]", value)
        _known_names(named, names, where, key, "body")
        flat: list[float] = []
        for k, name in enumerate(names):
            if name in named:
                flat.extend(_block(named[name], size, where, f"{key}[{name!r}]"))
            else:
                flat.extend(whole[size * k : size * (k + 1)])
        return tuple(flat)
    entries = _list(value, where, key, "a list, or an object by body name")
    if entries and all(isinstance(entry, list | tuple) for entry in entries):
        if len(entries) == len(names):
            blocks = [_block(e, size, where, f"{key}[{k}]") for k, e in enumerate(entries)]
            return tuple(number for block in blocks for number in block)
    elif len(entries) == size * len(names):
        return tuple(_number(entry, where, f"{key}[{i}]") for i, entry in enumerate(entries))
    raise InputError(
        f"{key} has {counted(len(entries), 'entry')}",
        where=where,
        expected=f"{size * len(names)}, {size} per body: {_names(names)}",
    )


def _block(value: object, size: int, where: str, label: str) -> list[float]:
    if size == 1 and isinstance(value, int | float):
        return [_number(value, where, label)]
    entries = _list(value, where, label, f"a list of {counted(size, 'number')}")
    if len(entries) != size:
        raise InputError(
            f"{label} has {counted(len(entries), 'entry')}",
            where=where,
            expected=counted(size, "number"),
        )
    return [_number(entry, where, f"{label}[{i}]") for i, entry in enumerate(entries)]


def _list(value: object, where: str, label: str, expected: str) -> list[object]:
    if isinstance(value, list | tuple):
        return list(cast("list[object]", value))
    raise InputError(f"{label} is no list", where=where, expected=expected, got=_kind(value))


def _number(value: object, where: str, label: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(
            f"{label} is no number", where=where, expected="a number", got=_kind(value)
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{label} is not finite", where=where, expected="a finite number")
    return number


def _known_names(
    named: Mapping[str, object], known: tuple[str, ...] | list[str], where: str, key: str, kind: str
) -> None:
    for name in named:
        if name not in known:
            raise InputError(
                f"{key}: no {kind} is called {name!r}",
                where=where,
                expected=f"one of {_names(known)}",
            )


def _names(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:12]) + (f", … ({len(names)} in all)" if len(names) > 12 else "")


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text {value[:40]!r}"
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return f"{value!r:.40}"


class _StateError(ValueError):
    """Raised inside the JSON decoder, where the place is not known."""


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise _StateError(f"the key {key!r} stands twice")
        table[key] = value
    return table


def _no_such_number(text: str) -> float:
    raise _StateError(f"{text} is no finite number")
