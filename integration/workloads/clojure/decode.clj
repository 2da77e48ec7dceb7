;; Decodes a JSON document on the main thread.
;;   decode.clj TIMES   as often, then ends
;;   decode.clj asked   prints "ready", then for each line TIMES decodes as often and prints "done"; an empty line ends it
;;   decode.clj         prints "ready", then decodes until a line comes on standard input
(ns decode
  (:require [cheshire.core :as json]
            [tweets]))

(set! *warn-on-reflection* true)

(defn- decode [^String text]
  (count (:statuses (json/parse-string text true))))

(defn- as-asked [text]
  (println "ready")
  (loop [line (read-line)]
    (when (seq line)
      (dotimes [_ (parse-long line)] (decode text))
      (println "done")
      (recur (read-line)))))

(defn- until-asked [text]
  (let [asked (promise)]
    (doto (Thread. ^Runnable (fn [] (read-line) (deliver asked true))) (.setDaemon true) (.start))
    (println "ready")
    (while (not (realized? asked)) (decode text))
    (println "done")))

(let [text (tweets/timeline 42 720)
      how (first *command-line-args*)]
  (case how
    nil (until-asked text)
    "asked" (as-asked text)
    (dotimes [_ (parse-long how)] (decode text))))
