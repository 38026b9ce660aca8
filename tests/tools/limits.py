#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""limits.py KB SECONDS COMMAND...: runs the command and exits with its code, or
with 99 if it used more memory or processor time."""
import resource
import subprocess
import sys

most, seconds = int(sys.argv[1]), float(sys.argv[2])
code = subprocess.run(sys.argv[3:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
took = used.ru_utime + used.ru_stime
if used.ru_maxrss > most or took > seconds:
    print(f"{used.ru_maxrss} kB, {took:.2f} s of processor time")
    sys.exit(99)
sys.exit(code if code >= 0 else 128 - code)
