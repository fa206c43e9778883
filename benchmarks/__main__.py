"""Command line: measure, print, and write the results where asked."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import derivation, generalized, growth, machine, servo
from benchmarks.report import Measurements, tables
from benchmarks.runtime import RobotTimings, time_robot
from benchmarks.tables import Table, as_markdown, as_text
from symdyn.io.load import load_robot

ROBOTS = ("planar2r", "puma560", "ur5", "panda", "humanoid")
PARTS = ("derivation", "memory", "generalized", "runtime", "growth", "servo")
RESULTS = Path(__file__).parent / "RESULTS.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts that were asked for; exit status 0 if they could be run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--parts", default=",".join(PARTS), help="some of: %(default)s")
    parser.add_argument("--robots", default=",".join(ROBOTS), help="default: %(default)s")
    parser.add_argument("--no-rivals", action="store_true", help="time our own code only")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the measurements")
    parser.add_argument(
        "--markdown", action="store_true", help=f"write the tables to benchmarks/{RESULTS.name}"
    )
    options = parser.parse_args(arguments)
    parts, robots = _chosen(parser, options.parts, PARTS), options.robots.split(",")
    run = Measurements(machine.description())
    if "derivation" in parts:
        run.derivation.extend(derivation.time_robots(robots, _say))
    if "memory" in parts and "humanoid" in robots:
        _say("humanoid: memory of its derivation")
        run.memory["humanoid"] = derivation.measure_memory("humanoid")
    if "generalized" in parts:
        run.generalized.extend(generalized.costs(robots, _say))
    if "growth" in parts:
        run.growth.extend(growth.measure(_say))
    if "servo" in parts:
        run.servo.extend(servo.measure(_say))
    if "runtime" in parts:
        run.timings.extend(_timings(robots, rivals=not options.no_rivals))
    _say("")
    found = tables(run)
    print(_machine_line(run.machine))
    for table in found:
        print()
        print(as_text(table), end="")
    if options.json is not None:
        options.json.write_text(json.dumps(asdict(run), indent=1) + "\n")
    if options.markdown:
        RESULTS.write_text(_document(run, found))
    return 0


def _chosen(parser: argparse.ArgumentParser, text: str, known: Sequence[str]) -> list[str]:
    parts = text.split(",")
    for part in parts:
        if part not in known:
            parser.error(f"unknown part {part!r}; choose from {', '.join(known)}")
    return parts


def _timings(robots: Sequence[str], *, rivals: bool) -> list[RobotTimings]:
    return [time_robot(name, load_robot(name), rivals=rivals, progress=_say) for name in robots]


def _say(text: str) -> None:
    """Progress on one line of the error stream, if somebody watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text[:100]}")
        sys.stderr.flush()


def _machine_line(found: dict[str, str]) -> str:
    return "; ".join(f"{key}: {value}" for key, value in found.items())


def _document(run: Measurements, found: Sequence[Table]) -> str:
    lines = [
        "# Benchmark results",
        "",
        "Written by `python -m benchmarks --markdown`. Times differ from machine to machine and "
        "from run to run; ratios of one run are what counts. Operation counts are exact.",
        "",
        *(f"- {key}: {value}" for key, value in run.machine.items()),
        "",
        *(as_markdown(table) for table in found),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
