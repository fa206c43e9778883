"""Parameter sets that the tests share, and the numbers that others found for them.

STRIBECK and LUGRE are those of the servo: numbers beside them were computed at 50 digits or by two
integrators. LESSON is the joint of a textbook example.
"""

from __future__ import annotations

CURVE = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0}
LUGRE = {**CURVE, "sigma0": 1e4, "sigma1": 99.5, "sigma2": 0.5}
SERVO = {**LUGRE, "J": 1.0}
LESSON = {"Fc": 0.2, "Fs": 0.3, "vs": 0.05, "alpha": 1.0, "b": 0.01}
LESSON_INERTIA = 0.1
EPS = 1e-3

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="bob"><inertial><origin xyz="0.5 0 0"/><mass value="0.1"/>
    <inertia ixx="1e-9" ixy="0" ixz="0" iyy="1e-9" iyz="0" izz="1e-9"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="bob"/>
    <axis xyz="0 1 0"/><dynamics friction="1.0"/></joint>
</robot>
"""
