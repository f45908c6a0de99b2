"""What code in the sandbox may use, and the part of it that the kernel of the machine enforces."""

import json
import sys
from dataclasses import dataclass

MB = 2**20
# Libraries reserve address space that they never touch: a limit on it is a backstop against one
# huge allocation, and comes this far above the limit on memory in use.
RESERVED_MB = 4096
THREADS_PER_PROCESS = 16

# Runs inside the walls, so that limits on processes count those of the sandbox alone.
_LAUNCHER = """
import json, os, resource, sys
for name, most in json.loads(sys.argv[1]).items():
    kind = getattr(resource, name)
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))
try:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
except OSError:
    pass
os.nice(5)
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True)
class Limits:
    """Bounds on one sandbox.

    Attributes
    ----------
    cell_seconds, grace_seconds, start_seconds : float
        How long a cell may run, how long it then has to heed an interrupt before it is killed, and
        how long a kernel may take to start.
    memory_mb : int
        Memory of all processes together.
    processes : int
        Processes at one time, the kernel's own included.
    threads : int
        Threads that numerical libraries start by default.
    file_mb, disk_mb, files : int
        Largest file, all files in the work folder together, and how many there may be.
    temporary_mb : int
        Size of ``/tmp`` and of ``/dev/shm``, which are kept in memory.
    output_mb, shown : int
        How much of one cell's output is kept on disk, and how many characters of it are shown.
    """

    cell_seconds: float = 600.0
    grace_seconds: float = 5.0
    start_seconds: float = 60.0
    memory_mb: int = 8192
    processes: int = 64
    threads: int = 2
    file_mb: int = 1024
    disk_mb: int = 4096
    files: int = 20_000
    temporary_mb: int = 512
    output_mb: int = 10
    shown: int = 8000

    def launch(self, command: list[str], *, count_processes: bool) -> list[str]:
        """Return the command line that starts `command` with these limits.

        `count_processes` is for walls with a user namespace of their own: elsewhere the count
        would take in all that the user runs on this machine.
        """
        most = {
            "RLIMIT_AS": (self.memory_mb + RESERVED_MB) * MB,
            "RLIMIT_FSIZE": self.file_mb * MB,
            "RLIMIT_CORE": 0,
            "RLIMIT_NOFILE": 4096,
        }
        if count_processes:
            most["RLIMIT_NPROC"] = self.processes * THREADS_PER_PROCESS
        return [sys.executable, "-I", "-c", _LAUNCHER, json.dumps(most), *command]

    def environment(self, home: str) -> dict[str, str]:
        """Return all variables that code in the sandbox sees: none of ours."""
        threads = dict.fromkeys(
            ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
            str(self.threads),
        )
        return {
            **threads,
            "HOME": home,
            "IPYTHONDIR": f"{home}/.ipython",
            "JUPYTER_PLATFORM_DIRS": "1",
            "LANG": "C.UTF-8",
            "LOKY_MAX_CPU_COUNT": str(self.threads),
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": f"{home}/.matplotlib",
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            "TMPDIR": home,
            "USER": "sandbox",
        }
