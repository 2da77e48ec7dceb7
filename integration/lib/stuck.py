"""The stacks of the threads of a process that hangs."""
import contextlib
import pathlib
import shutil
import subprocess

MOST_LINES = 120


def stacks_of(pid):
    """By gdb where it is installed; else each thread's name, state and system call, from /proc."""
    if shutil.which("gdb"):
        command = ["gdb", "-p", str(pid), "-batch", "-nx", "-ex", "set pagination off", "-ex", "thread apply all bt 14"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            lines = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout.splitlines()
            frames = [line for line in lines if line.startswith(("Thread", "#"))]
            hearth = [index for index, line in enumerate(frames) if "hearth" in line]
            first = max(hearth[0] - 20, 0) if hearth else 0  # the JVM has dozens of threads that only wait
            if frames:
                return "\n".join(frames[first:first + MOST_LINES])
    return "\n".join(_task_line(task) for task in sorted(pathlib.Path(f"/proc/{pid}/task").iterdir()))


def _task_line(task):
    texts = [task.name]
    for file in ("comm", "wchan", "syscall"):
        try:
            texts.append((task / file).read_text(encoding="utf-8").strip())
        except OSError as error:
            texts.append(error.strerror)
    return " ".join(texts)
