"""Friction in the words of other programs: exact where it can be, and what is lost said."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.exchange import (
    from_mjcf,
    from_modelica,
    from_simscape,
    from_urdf,
    mujoco_creep_speed,
    to_mjcf,
    to_modelica,
    to_simscape,
    to_urdf,
)
from symdyn.io.load import load_robot
from tests.friction.examples import signals_of
from tests.oracles import need


def test_coulomb_and_viscous_go_through_every_format_unchanged() -> None:
    p = {"Fc": 0.7, "b": 0.3}
    law = LAWS["coulomb-set"]
    urdf = to_urdf(FLOAT64, law, p)
    assert urdf.values == {"damping": 0.3, "friction": 0.7}
    assert urdf.lost == ()
    back = from_urdf(**urdf.values)
    assert (back.law, back.parameters) == ("coulomb-set", p)
    mjcf = to_mjcf(FLOAT64, law, p)
    assert mjcf.values == {"damping": 0.3, "frictionloss": 0.7}
    assert [text for text in mjcf.lost if "creeps" in text]
    assert from_mjcf(**mjcf.values).parameters == p
    table = to_modelica(FLOAT64, law, p, [0.0, 1.0])
    assert table.tau_pos == ((0.0, 0.7), (1.0, 1.0))
    assert table.peak == 1.0
    assert table.error < 1e-15
    assert table.lost == ()


@pytest.mark.parametrize(
    ("name", "damping", "friction", "lost"),
    [
        ("viscous", 0.5, 0.0, 0),
        ("stribeck-set", 0.5, 1.0, 1),
        ("stribeck-smooth", 0.5, 1.0, 1),
        ("hess-soom", 0.5, 1.0, 1),
        ("lugre", 0.5, 1.0, 2),
        ("dahl", 0.0, 1.0, 1),
        ("maxwell-slip", 0.5, 1.0, 1),
        ("bouc-wen", 0.5, 1.0, 1),
        ("simscape", 0.5, 1.0, 1),
        ("makkar", 0.5, 1.0, 1),
        ("karnopp", 0.5, 1.0, 1),
        ("asymmetric", 0.45, 1.1, 1),
        ("ripple", 0.5, 1.0, 2),
        ("load-stribeck", 0.5, 0.87, 2),
        ("gms", 0.5, 1.0, 2),
    ],
)
def test_the_asymptote_of_a_law(name: str, damping: float, friction: float, lost: int) -> None:
    law = LAWS[name]
    found = to_urdf(FLOAT64, law, EXAMPLES[name], signals_of(law))
    assert found.values == pytest.approx({"damping": damping, "friction": friction}, rel=1e-12)
    assert len(found.lost) >= lost
    assert all(text.strip() for text in found.lost)


def test_laws_that_grow_in_another_way_are_refused() -> None:
    for name in ("viscous-cubic", "viscous-power"):
        with pytest.raises(UnsupportedError, match="does not tend to a level"):
            to_urdf(FLOAT64, LAWS[name], EXAMPLES[name])
    with pytest.raises(InputError, match="a signal has no value; expected load"):
        to_urdf(FLOAT64, LAWS["load-stribeck"], EXAMPLES["load-stribeck"])


@pytest.mark.parametrize("torque", [0.5, 0.9])
@pytest.mark.parametrize("timestep", [1e-3, 2e-3])
def test_the_creep_of_mujoco(torque: float, timestep: float) -> None:
    """5.27499e-4 and 9.49499e-4 rad/s with the defaults, J = 1, frictionloss 1, damping 0.5."""
    mujoco = need("mujoco")
    assert mujoco_creep_speed(0.5, 1.0, 0.5) == pytest.approx(5.27499e-4, rel=1e-5)
    assert mujoco_creep_speed(0.9, 1.0, 0.5) == pytest.approx(9.49499e-4, rel=1e-5)
    values = to_mjcf(FLOAT64, LAWS["coulomb-set"], {"Fc": 1.0, "b": 0.5}).values
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{timestep}" gravity="0 0 0"/><worldbody><body>
        <joint name="j" axis="0 0 1" damping="{values["damping"]}"
          frictionloss="{values["frictionloss"]}"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qfrc_applied[0] = torque
    for _ in range(int(2 / timestep)):
        mujoco.mj_step(model, data)
    assert data.qvel[0] == pytest.approx(mujoco_creep_speed(torque, 1.0, 0.5), rel=1e-5)


def test_sliding_in_mujoco_is_the_law() -> None:
    """Terminal speed (torque - Fc)/b."""
    mujoco = need("mujoco")
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 0"/><worldbody><body>
        <joint axis="0 0 1" damping="0.5" frictionloss="1"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qfrc_applied[0] = 1.8
    for _ in range(30_000):
        mujoco.mj_step(model, data)
    law, p = LAWS["coulomb-set"], from_mjcf(0.5, 1.0).parameters
    assert law.force(FLOAT64, float(data.qvel[0]), [], {}, p) == pytest.approx(1.8, rel=1e-9)


def test_a_stribeck_law_as_a_table_for_modelica() -> None:
    """The stated error is the largest distance on a fine grid; it falls with the square of the
    spacing."""
    law, p = LAWS["stribeck-set"], EXAMPLES["stribeck-set"]
    errors: list[float] = []
    for count in (20, 40):
        speeds = np.concatenate([[0.0], np.geomspace(5e-4, 1.0, count)])
        table = to_modelica(FLOAT64, law, p, list(speeds))
        assert table.tau_pos[0] == (0.0, 1.5)
        assert table.peak == 1.0
        grid = np.linspace(1e-9, 1.0, 40_001)
        rows = np.array(table.tau_pos)
        curve = np.array([law.force(FLOAT64, float(v), [], {}, p) for v in grid])
        distance = np.abs(np.interp(grid, rows[:, 0], rows[:, 1]) - curve).max()
        assert table.error == pytest.approx(distance, rel=2e-2)
        errors.append(table.error)
    assert errors[1] < 0.35 * errors[0]


def test_a_table_of_modelica_comes_back_exactly() -> None:
    rows = [(0.0, 1.4), (0.01, 1.2), (0.03, 1.02), (1.0, 1.5), (2.0, 2.5)]
    law, p = from_modelica(rows, 1.1)
    back = to_modelica(FLOAT64, law, p, [w for w, _ in rows])
    assert np.array(back.tau_pos) == pytest.approx(np.array(rows))
    assert back.peak == pytest.approx(1.1)
    assert back.error < 1e-14
    assert back.lost == ()
    assert law.force(FLOAT64, 3.0, [], {}, p) == pytest.approx(3.5)  # the last line goes on
    assert law.force(FLOAT64, -0.02, [], {}, p) == pytest.approx(-1.11)


def test_what_modelica_does_not_express_is_said_or_refused() -> None:
    with pytest.raises(UnsupportedError, match="odd in the velocity"):
        to_modelica(FLOAT64, LAWS["asymmetric"], EXAMPLES["asymmetric"], [0.0, 1.0])
    p = {**EXAMPLES["stribeck"], "Fc": -1.0}
    with pytest.raises(UnsupportedError, match="drives the joint"):
        to_modelica(FLOAT64, LAWS["stribeck"], p, [0.0, 0.1])
    for speeds in ([0.1, 1.0], [0.0], [0.0, 1.0, 0.5], [0.0, math.inf], [0.0, math.nan]):
        with pytest.raises(InputError, match="the speeds of the table"):
            to_modelica(FLOAT64, LAWS["coulomb"], EXAMPLES["coulomb"], speeds)
    lugre = to_modelica(FLOAT64, LAWS["lugre"], EXAMPLES["lugre"], [0.0, 0.1, 1.0])
    assert any("presliding" in text for text in lugre.lost)
    smooth = to_modelica(FLOAT64, LAWS["makkar"], EXAMPLES["makkar"], [0.0, 0.1, 1.0])
    assert any("does not stick" in text for text in smooth.lost)
    karnopp = to_modelica(FLOAT64, LAWS["karnopp"], EXAMPLES["karnopp"], [0.0, 1.0], {"load": 0.0})
    assert karnopp.peak == pytest.approx(1.5)
    for rows in ([(0.0, 1.0)], [(0.1, 1.0), (1.0, 1.0)], [(0.0,), (1.0,)]):
        with pytest.raises(InputError, match="no table of BearingFriction"):
            from_modelica(rows)
    with pytest.raises(InputError, match=r"(?s)tau_pos.*0 < w2 < w3"):
        from_modelica([(0.0, 1.0), (0.2, 1.0), (0.1, 1.0)])


def test_simscape_keeps_levels_and_area() -> None:
    law = LAWS["simscape"]
    for alpha in (1.0, 2.0):
        p = {**EXAMPLES["stribeck-set"], "alpha": alpha}
        found = to_simscape(LAWS["stribeck-set"], p)
        assert found.lost
        values = law.check(found.values)

        def hump(v: float, values: dict[str, float] = values) -> float:
            dry = values["TC"] * math.tanh(10 * v / values["wbrk"])
            return law.force(FLOAT64, v, [], {}, values) - dry - values["f"] * v

        def fall(v: float, p: dict[str, float] = p) -> float:
            return 0.5 * math.exp(-((v / p["vs"]) ** p["alpha"]))

        area, _ = quad(hump, 0, 1, points=[0.01, 0.1], epsabs=1e-13)
        expected, _ = quad(fall, 0, 1, points=[0.01, 0.1], epsabs=1e-13)
        assert area == pytest.approx(expected, rel=1e-9)
        top = law.force(FLOAT64, values["wbrk"], [], {}, values)
        assert top == pytest.approx(1.5 + 0.5 * values["wbrk"], rel=1e-7)


def test_simscape_there_and_back() -> None:
    p = EXAMPLES["simscape"]
    exact = from_simscape(**p)
    assert (exact.law, exact.parameters, exact.notes) == ("simscape", p, ())
    assert to_simscape(LAWS["simscape"], p).values == p
    sticking = from_simscape(**p, sticking=True)
    assert sticking.law == "stribeck-set"
    assert sticking.notes
    back = to_simscape(LAWS["stribeck-set"], sticking.parameters).values
    assert back == pytest.approx(p, rel=1e-14)
    with pytest.raises(UnsupportedError, match="no break-away level"):
        to_simscape(LAWS["coulomb"], EXAMPLES["coulomb"])


def test_readers_say_in_what_friction_of_a_file_differs(tmp_path: Path) -> None:
    """Once for all joints that have it; a file without friction says nothing of it."""
    urdf = (
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>{}</joint></robot>'
    )
    mjcf = (
        '<mujoco><worldbody><body><joint name="j"{}/><geom size="1" mass="1"/></body></worldbody>'
        "</mujoco>"
    )
    cases = (
        (
            "r.urdf",
            urdf,
            '<dynamics friction="0.5"/>',
            "URDF does not say what friction does at rest",
        ),
        ("r.xml", mjcf, ' frictionloss="0.5"', "MuJoCo's frictionloss is soft and creeps"),
    )
    for file, text, friction, said in cases:
        for given in (friction, ""):
            path = tmp_path / file
            path.write_text(text.format(given), encoding="utf-8")
            found = [note for note in load_robot(path).notes if said in note]
            assert len(found) == bool(given)
            assert all(note.endswith(": joints j.") for note in found)
