"""The complaints of -Xcheck:jni, except known false ones."""

# The checker knows which signal handlers the VM installed and reports any other: the agent's SIGSEGV handler is in
# front of the VM's and passes every fault that is not its own on. These lines are about that only.
SIGNAL_CHAINING = ("SIGSEGV handler", "SIGSEGV was unexpectedly changed", "SIGBUS handler", "Running in non-interactive shell", "-Xcheck:jni",
                   "expected:", "found:", "Consider using jsig")


def complaints(java):
    return [line for line in java.out + java.err
            if ("WARNING in native method" in line or "WARNING: JNI" in line or "FATAL ERROR in native method" in line or line.startswith("Warning:"))
            and not any(known in line for known in SIGNAL_CHAINING)]
