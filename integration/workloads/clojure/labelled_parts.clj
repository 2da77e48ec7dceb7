;; Works in named parts, and knows by the JVM's own clock of the threads how long.
(ns labelled-parts
  (:import (java.lang.management ManagementFactory ThreadMXBean)))

(set! *warn-on-reflection* true)

(def ^ThreadMXBean clock (ManagementFactory/getThreadMXBean))

(def used (atom {}))

(defn work [part millis]
  (let [began (.getCurrentThreadCpuTime clock)
        end (+ began (* millis 1000000))]
    (while (< (.getCurrentThreadCpuTime clock) end) (reduce + (range 1000)))
    (swap! used update part (fnil + 0) (- (.getCurrentThreadCpuTime clock) began))))

(defn tell []
  (doseq [[part ns] @used] (println part ns))
  (println "done"))
