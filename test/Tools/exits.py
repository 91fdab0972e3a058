#!/usr/bin/env python3
"""Runs a command and checks its exit code.

    exits.py CODE COMMAND...

Passes both outputs on. Where CODE is not 0, 4 apart from a run of --vectors or
7, the standard error has to hold exactly one line that begins with "error:".
"""

import subprocess
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    wanted = int(sys.argv[1])
    done = subprocess.run(sys.argv[2:], capture_output=True, check=False)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    sys.stderr.buffer.write(done.stderr)
    if done.returncode != wanted:
        sys.exit(f"exits.py: exit code {done.returncode}, expected {wanted}")
    lines = done.stderr.decode(errors="replace").splitlines()
    errors = [line for line in lines if line.startswith("error:")]
    quiet = wanted in (0, 7) or (wanted == 4 and "--vectors" in sys.argv)
    if len(errors) != (0 if quiet else 1):
        sys.exit(f"exits.py: {len(errors)} lines begin with 'error:'")
    if not quiet and lines[-1] != errors[-1]:
        sys.exit("exits.py: the error is not the last line")


if __name__ == "__main__":
    main()
