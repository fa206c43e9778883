"""Progress on standard error: on a terminal one line that is overwritten, else a line per step.

A stage is named ``step`` or ``step: detail``.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, BooleanOptionalAction
from typing import TextIO

#: Only what takes longer is worth a line of its own in a log [s].
_LONG = 1.0


class ProgressLine:
    """Called with the name of a stage, and optionally how much of it is done (0 to 1).

    Parameters
    ----------
    shown : True, False, or None for "if standard error is a terminal"
    """

    def __init__(self, shown: bool | None, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._overwrite = self._stream.isatty()
        self._shown = self._overwrite if shown is None else shown
        self._stage = ""
        self._began = self._written = 0.0

    def __call__(self, stage: str, done: float | None = None) -> None:
        if not self._shown:
            return
        now = time.monotonic()
        if stage != self._stage:
            step = stage.split(":", 1)[0]
            is_new = step != self._stage.split(":", 1)[0]
            self._end_stage(now)
            self._stage, self._began = stage, now
            if is_new and not self._overwrite:
                self._stream.write(f"symdyn: {step} …\n")
                self._stream.flush()
        elif now - self._written < 0.1:
            return
        self._written = now
        if self._overwrite:
            share = "" if done is None else f" {100 * done:3.0f} %"
            self._stream.write(f"\r\x1b[Ksymdyn: {stage} …{share} {now - self._began:.0f} s")
            self._stream.flush()

    def close(self) -> None:
        """End the last stage; on a terminal nothing remains."""
        if self._shown:
            self._end_stage(time.monotonic())
            self._stage = ""

    def _end_stage(self, now: float) -> None:
        if not self._stage:
            return
        if self._overwrite:
            self._stream.write("\r\x1b[K")
        elif now - self._began >= _LONG:
            self._stream.write(f"symdyn: {self._stage} took {now - self._began:.1f} s\n")
        self._stream.flush()


def add_progress_option(parser: ArgumentParser) -> None:
    """Add ``--progress`` and ``--no-progress``."""
    parser.add_argument(
        "--progress",
        action=BooleanOptionalAction,
        default=None,
        help="show progress on standard error (default: if it is a terminal)",
    )
