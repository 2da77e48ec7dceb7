;; Calls a function by commands.
(ns my-shop.core)

(defn buy! [x] (inc x))

(println "ready")
(loop [line (read-line)]
  (when-not (or (nil? line) (= line "end"))
    (dotimes [i (Long/parseLong line)] (buy! i))
    (println "done")
    (recur (read-line))))
