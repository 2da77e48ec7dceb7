;; An nREPL client, client.clj PORT: evaluates each line of standard input over there, and prints a line of JSON for it:
;; {"value": …, "out": …, "err": …}, the value as it was printed.
(require '[cheshire.core :as json] '[nrepl.core :as nrepl])

(with-open [connection (nrepl/connect :host "127.0.0.1" :port (Long/parseLong (first *command-line-args*)))]
  (let [session (nrepl/client-session (nrepl/client connection Long/MAX_VALUE))]
    (println "ready")
    (loop []
      (when-let [line (read-line)]
        (let [replies (doall (nrepl/message session {:op "eval" :code line}))
              text (fn [k] (apply str (keep k replies)))]
          (println (json/generate-string {:value (last (keep :value replies)) :out (text :out) :err (text :err)})))
        (recur)))))
(System/exit 0)
