# SPDX-License-Identifier: MIT
"""Calls the programs of Hamon: options as keywords, errors as exceptions."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any, List, Mapping, Optional

from hamon._library import Error
from hamon._places import find_program
from hamon._scenario import option_text


class ProgramError(Error):
    """A program failed: its message, its name and its exit status."""

    def __init__(self, message: str, program: str, status: int):
        super().__init__(message)
        self.program, self.status = program, status

    def __reduce__(self) -> Any:
        return ProgramError, (str(self), self.program, self.status)


def _varied(value: Any) -> str:
    if isinstance(value, bool):
        return option_text(value)
    if isinstance(value, (str, int, float)):
        return str(value)  # "1:20" is a range
    try:
        return ",".join(option_text(one) for one in value)
    except TypeError:
        return option_text(value)


def option_words(options: Mapping[str, Any]) -> List[str]:
    """log_width=1e-3 → --log-width=1e-3; S=4 → -S4; force=True → --force; a list
    repeats the option; set= and vary= take dicts."""
    words: List[str] = []
    for key, value in options.items():
        name = key.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if isinstance(value, Mapping):
            text = option_text if name == "set" else _varied
            words += [f"--{name}={setting}={text(one)}" for setting, one in value.items()]
            continue
        start = f"-{name}" if len(name) == 1 else f"--{name}="
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(start.rstrip("="))
            else:
                words.append(start + (os.fspath(one) if isinstance(one, os.PathLike) else str(one)))
    return words


def _notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class _Said:
    """The standard error of a program: kept, and if it is shown, a terminal, on which
    the program draws its progress."""

    def __init__(self, shown: bool):
        self.shown, self.text = shown, b""
        self.ours, self.theirs = os.openpty() if shown else os.pipe()
        self.reader = threading.Thread(target=self._read, daemon=True)

    def _read(self) -> None:
        while True:
            try:
                part = os.read(self.ours, 4096)
            except OSError:  # the other end of a terminal is closed
                part = b""
            if not part:
                return
            self.text += part
            if self.shown:
                sys.stderr.write(part.decode(errors="replace"))
                sys.stderr.flush()

    def message(self) -> str:
        """Its lines, without the progress, which ends at the start of a line."""
        text = self.text.decode(errors="replace").replace("\r\n", "\n")
        lines = [line.rpartition("\r")[2].replace("\x1b[J", "") for line in text.split("\n")]
        return "\n".join(line for line in lines if line.strip())


def run_program(
    name: str,
    words: List[str],
    *,
    input: Optional[str] = None,
    folder: Optional[str] = None,
    progress: Optional[bool] = False,
) -> bytes:
    """The standard output of hamon-NAME. progress: None shows it in a terminal and in
    a notebook."""
    if progress is None:
        progress = _notebook() or (sys.stderr is not None and sys.stderr.isatty())
    said = _Said(progress)
    command = [find_program(name), *([] if progress else ["-q"]), *words]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if input is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said.theirs,
            cwd=folder,
        )
    finally:
        os.close(said.theirs)
    said.reader.start()
    try:
        output = process.communicate(None if input is None else input.encode())[0]
    except BaseException:  # ctrl-C: no program stays behind
        process.terminate()
        process.wait()
        raise
    finally:
        said.reader.join()
        os.close(said.ours)
    if process.returncode:
        message = said.message() if not progress else said.message().split("\n")[-1]
        raise ProgramError(
            message or f"hamon-{name} ended with status {process.returncode}",
            f"hamon-{name}",
            process.returncode,
        )
    return output
