;; Reads a JSON document from a file and decodes it, over and over: twitter.clj FILE
;; Writes the document there and prints "ready" when all is compiled. Then for each line "both TIMES", "slurp TIMES" or
;; "decode TIMES" (of the text read before) it does that as often and prints "done BYTES", its allocations by the
;; JVM's counter; an empty line ends it.
(ns twitter
  (:require [cheshire.core :as json]
            [clojure.string :as string]
            [tweets])
  (:import (com.sun.management ThreadMXBean)
           (java.lang.management ManagementFactory)))

(set! *warn-on-reflection* true)

(defn- allocated-bytes []
  (.getThreadAllocatedBytes ^ThreadMXBean (ManagementFactory/getThreadMXBean) (.getId (Thread/currentThread))))

(defn- work [what times file]
  (case what
    "both" (dotimes [_ times] (json/decode (slurp file)))
    "slurp" (dotimes [_ times] (slurp file))
    "decode" (let [text (slurp file)] (dotimes [_ times] (json/decode text)))))

(defn- work-and-tell [what times file]
  (let [before (long (allocated-bytes))]
    (work what times file)
    (println "done" (- (long (allocated-bytes)) before))))

(let [file (first *command-line-args*)]
  (spit file (tweets/timeline 42 540))
  (doseq [what ["slurp" "decode" "both"]] (work what 300 file))
  (println "ready")
  (loop [line (read-line)]
    (when (seq line)
      (let [[what times] (string/split line #" ")]
        (work-and-tell what (parse-long times) file))
      (recur (read-line)))))
