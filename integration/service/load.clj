;; Keeps the service busy with two clients until it is ended; prints "loading" when the JVM has compiled the hot methods.
;;   load.clj PORT
(ns load
  (:require [tweets])
  (:import (java.net HttpURLConnection URL)))

(set! *warn-on-reflection* true)

(def ^:private base (str "http://127.0.0.1:" (first *command-line-args*)))
(def ^:private body (.getBytes ^String (tweets/timeline 7 720) "UTF-8"))

(defn- request [path ^bytes sent]
  (let [connection ^HttpURLConnection (.openConnection (URL. (str base path)))]
    (when sent
      (.setDoOutput connection true)
      (with-open [out (.getOutputStream connection)]
        (.write out sent)))
    (with-open [in (.getInputStream connection)]
      (let [buffer (byte-array 65536)]
        (while (not (neg? (.read in buffer))))))))

(defn- a-round []
  (request "/statistics" body)
  (request "/timeline" nil)
  (request "/search?q=profile" nil))

;; Enough for the compilers to be done with most of their work, which else fills the profile.
(def ^:private warm-up-rounds 60)

(dotimes [_ warm-up-rounds] (a-round))
(println "loading")
(dotimes [_ 2]
  (.start (Thread. ^Runnable (fn [] (while true (a-round))))))
