(ns ^:no-doc hearth.async-labels
  "Labels for work that core.async runs: hearth.core/convey-async-labels!.

  A go block runs in pieces, on any thread of a pool, by `run-state-machine-wrapped`; its dynamic bindings, and with
  them its labels, are carried from piece to piece. Labels are saved before the block parks: after that its next piece
  may begin on another thread before this one has returned."
  (:require [clojure.core.async :as async]
            [clojure.core.async.impl.dispatch :as dispatch]
            [clojure.core.async.impl.ioc-macros :as ioc]
            [hearth.core :as core])
  (:import (clojure.lang Var)
           (hearth Labels)
           (java.lang.ref WeakReference)
           (java.util.concurrent.atomic AtomicReference)))

(set! *warn-on-reflection* true)

;; The state is held weakly: other threads keep the bindings of their callers for as long as they live.
(deftype Block [^WeakReference state ^AtomicReference labels])

(def ^:private ^:dynamic *block* nil)

;; A new block takes the labels of the thread; a block that is bound at that moment is the one that started it.
(defn- block-of ^Block [state]
  (let [before (Var/getThreadBindingFrame)]
    (Var/resetThreadBindingFrame (ioc/aget-object state ioc/BINDINGS-IDX))
    (try
      (let [^Block block *block*]
        (if (and block (identical? state (.get ^WeakReference (.state block))))
          block
          (let [block (Block. (WeakReference. state) (AtomicReference. (Labels/current)))]
            (push-thread-bindings {#'*block* block})
            ;; The copy holds no frames below it; otherwise blocks that start each other would keep all of theirs.
            (ioc/aset-object state ioc/BINDINGS-IDX (Var/cloneThreadBindingFrame))
            block)))
      (finally (Var/resetThreadBindingFrame before)))))

(defn- under-its-labels [run]
  (fn [state]
    (let [^Block block (block-of state)
          scope (.openAlone ^Labels (.get ^AtomicReference (.labels block)))]
      (try (run state) (finally (.closeAll scope))))))

(defn- keeping-labels [park]
  (fn [state & more]
    (when-let [^Block block *block*] (.set ^AtomicReference (.labels block) (Labels/current)))
    (apply park state more)))

;; A block begins under the labels of the code that started it. The task that wakes a block is created by core.async
;; under the labels of the thread that put or took.
(defn- conveying [run]
  (fn [^Runnable work]
    (if (.startsWith (.getName (class work)) "clojure.core.async.impl.")
      (run work)
      (run (Labels/wrap work)))))

(defn- bound [f]
  (when f (core/bound-labels f)))

(defn- calling [thread-call]
  (fn [f & more] (apply thread-call (bound f) more)))

(defn- taking [take!]
  (fn
    ([port f] (take! port (bound f) true))
    ([port f on-caller?] (take! port (bound f) on-caller?))))

(defn- putting [put!]
  (fn
    ([port value] (put! port value))
    ([port value f] (put! port value (bound f) true))
    ([port value f on-caller?] (put! port value (bound f) on-caller?))))

(def ^:private wrappers
  {#'ioc/run-state-machine-wrapped under-its-labels
   #'ioc/take! keeping-labels
   #'ioc/put! keeping-labels
   #'async/ioc-alts! keeping-labels
   #'dispatch/run conveying
   #'async/thread-call calling
   #'async/take! taking
   #'async/put! putting})

(defonce ^:private conveyed
  (delay (doseq [[operation wrapper] wrappers] (alter-var-root operation wrapper))))

(defn convey! []
  @conveyed)
