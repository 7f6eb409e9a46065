"""Runs the files named on standard input, one per line, in one namespace, and reports when each is done."""

import contextlib
import os
import sys
import traceback

done = os.fdopen(3, "w")
cells = {"__name__": "__main__"}

for line in sys.stdin:
    path = line.rstrip("\n")
    with open(os.path.join(os.environ["EXAMPLES_STATE"], "environment"), "rb") as file:
        given = [pair.split("=", 1) for pair in file.read().decode().split("\0") if "=" in pair]
    os.environ.update(given)
    with open(path + ".out", "w") as out, open(path + ".err", "w") as err:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                with open(path) as file:
                    exec(compile(file.read(), path, "exec"), cells)
                outcome = "done"
            except BaseException:
                traceback.print_exc()
                outcome = "failed"
    print(outcome, file=done, flush=True)
