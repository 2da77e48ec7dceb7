;; Makes exceptions by commands.
(ns my-shop.orders)

(defn refuse! [x] (throw (ex-info "late" {:order x})))

(println "ready")
(loop [line (read-line)]
  (when-not (or (nil? line) (= line "end"))
    (dotimes [i (Long/parseLong line)]
      (try (refuse! i) (catch clojure.lang.ExceptionInfo _ nil)))
    (println "done")
    (recur (read-line))))
