(ns hearth.sessions
  "What this REPL has started, so that a stop need not say it again."
  (:require [hearth.options :as options])
  (:import (java.util UUID)))

;; What each JVM's sessions were started with, the last first, by whose JVM it is.
(defonce ^:private started (atom {}))

(defn- jvm-of [options] (select-keys options [:pid :url]))

(defn- same? [options other]
  (and (= (:session options) (:session other)) (= (options/event options) (options/event other))))

(defn add! [options]
  (swap! started update (jvm-of options) (fn [all] (cons options (remove #(same? options %) all)))))

(defn forget! [given start]
  (swap! started update (jvm-of given) (fn [all] (remove #(identical? start %) all))))

(defn- meant?
  "Whether a stop with these options means what was started with those."
  [given start]
  (cond
    (:session given) (= (str (:session given)) (str (:session start)))
    (:event given) (options/samples? start (:event given))
    :else true))

(defn started-for
  "What the session of a stop was started with, as far as this REPL knows, nil where it could be several."
  [given]
  (let [all (filter #(meant? given %) (get @started (jvm-of given)))
        unnamed (remove :session all)]
    (cond
      (= 1 (count all)) (first all)
      (= 1 (count unnamed)) (first unnamed))))

(defn named
  "Options of a session that is the caller's own, whatever else is profiled meanwhile; unless it has a name."
  [defaults options]
  (merge {:session (str ".repl-" (subs (str (UUID/randomUUID)) 0 13))} (select-keys defaults [:session]) options))
