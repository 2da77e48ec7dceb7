(ns hearth.sessions
  "Sessions that this REPL has started, so that a stop need not repeat their options."
  (:require [hearth.options :as options])
  (:import (java.util UUID)))

;; Options of the sessions of each JVM, the newest first, by :pid and :url of the JVM.
(defonce ^:private started (atom {}))

(defn- jvm-of [options] (select-keys options [:pid :url]))

(defn- same? [options other]
  (and (= (:session options) (:session other)) (= (options/event options) (options/event other))))

(defn add! [options]
  (swap! started update (jvm-of options) (fn [all] (cons options (remove #(same? options %) all)))))

(defn forget! [given start]
  (swap! started update (jvm-of given) (fn [all] (remove #(identical? start %) all))))

(defn- meant?
  "True if a stop with these options selects the session that was started with those."
  [given start]
  (cond
    (:session given) (= (str (:session given)) (str (:session start)))
    (:event given) (options/samples? start (:event given))
    :else true))

(defn started-for
  "Start options of the session that a stop selects, as far as this REPL knows; nil if there are several."
  [given]
  (let [all (filter #(meant? given %) (get @started (jvm-of given)))
        unnamed (remove :session all)]
    (cond
      (= 1 (count all)) (first all)
      (= 1 (count unnamed)) (first unnamed))))

(defn named
  "Options with a private session name, so that the session is independent of all others; keeps a given name."
  [defaults options]
  (merge {:session (str ".repl-" (subs (str (UUID/randomUUID)) 0 13))} (select-keys defaults [:session]) options))
