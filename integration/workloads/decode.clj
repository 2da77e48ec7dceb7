;; Decodes a JSON document in a loop on the main thread.
;;   decode.clj TIMES   as often, then ends; prints the CPU time that the loop took
;;   decode.clj         prints "ready", then decodes until a line comes on standard input
(ns decode
  (:require [cheshire.core :as json]
            [tweets])
  (:import (java.lang.management ManagementFactory)))

(set! *warn-on-reflection* true)

(defn- process-cpu-ns []
  (.getProcessCpuTime ^com.sun.management.OperatingSystemMXBean (ManagementFactory/getOperatingSystemMXBean)))

(defn- decode [^String text]
  (count (:statuses (json/parse-string text true))))

(let [text (tweets/timeline 42 720)]
  (if-let [times (first *command-line-args*)]
    (let [began (process-cpu-ns)]
      (dotimes [_ (parse-long times)] (decode text))
      (println "cpu_ns" (- (process-cpu-ns) began)))
    (let [asked (promise)]
      (doto (Thread. ^Runnable (fn [] (read-line) (deliver asked true))) (.setDaemon true) (.start))
      (println "ready")
      (while (not (realized? asked)) (decode text))
      (println "done"))))
