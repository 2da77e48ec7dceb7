"""How long a REPL waits from a call until the first sample of a busy thread."""

# Of either profiler: `start!`, `stop!` and `command`, which returns the agent's answer.
HEARTH = """
(require '[hearth.core :as prof])
(defn start! [] (prof/start))
(defn stop! [] (prof/stop {:format :pprof}))
(defn command [text] (.execute (hearth.Profiler/here) text))
"""
# As clj-async-profiler does: it attaches to its own JVM once, and each command goes that way and comes back in a file.
ASYNC_PROFILER = """
(def vm (delay (com.sun.tools.attach.VirtualMachine/attach (str (.pid (java.lang.ProcessHandle/current))))))
(def answer (str (java.io.File/createTempFile "answer" ".txt")))
(defn command [text] (.loadAgentPath ^com.sun.tools.attach.VirtualMachine @vm "{library}" (str text ",file=" answer)) (slurp answer))
(defn start! [] (command "start,event=cpu,interval=1000000,collapsed"))
(defn stop! [] (command "stop,collapsed"))
"""
MEASURE = """
(defn samples [] (Long/parseLong (second (re-find #"(?m)^(?:hearth_)?samples_total(?:\\{[^}]*\\})? (\\d+)" (command "metrics")))))
(defn first-sample [] (let [begin (System/nanoTime)] (start!) (while (zero? (samples)) (reduce + (range 10000)))
  (let [ms (/ (- (System/nanoTime) begin) 1e6)] (stop!) ms)))
"""


def prepare(repl, profiler):
    """`profiler` is HEARTH, or ASYNC_PROFILER with its library filled in; nothing is loaded yet."""
    repl.eval("(do " + (profiler + MEASURE).replace("\n", " ") + ")")


def first_sample_ms(repl):
    return float(repl.eval("(first-sample)"))
