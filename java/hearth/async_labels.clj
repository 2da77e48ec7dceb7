(ns ^:no-doc hearth.async-labels
  "Labels follow what core.async runs: hearth.core/convey-async-labels!.

  A go block is run piece by piece, on any thread of a pool, by `run-state-machine-wrapped`; its dynamic bindings travel with it
  from piece to piece, and its labels among them. They are kept before it parks: once it has, its next piece may begin elsewhere
  before this one has returned."
  (:require [clojure.core.async :as async]
            [clojure.core.async.impl.dispatch :as dispatch]
            [clojure.core.async.impl.ioc-macros :as ioc]
            [hearth.core :as core])
  (:import (clojure.lang Var)
           (hearth Labels)
           (java.lang.ref WeakReference)
           (java.util.concurrent.atomic AtomicReference)))

(set! *warn-on-reflection* true)

;; The state is held weakly: other threads have the bindings of who called them for as long as they live.
(deftype Block [^WeakReference state ^AtomicReference labels])

(def ^:private ^:dynamic *block* nil)

;; One that begins has those of the thread by now; what is bound then is of the block that began it.
(defn- block-of ^Block [state]
  (let [before (Var/getThreadBindingFrame)]
    (Var/resetThreadBindingFrame (ioc/aget-object state ioc/BINDINGS-IDX))
    (try
      (let [^Block block *block*]
        (if (and block (identical? state (.get ^WeakReference (.state block))))
          block
          (let [block (Block. (WeakReference. state) (AtomicReference. (Labels/current)))]
            (push-thread-bindings {#'*block* block})
            ;; The copy knows no frames below it, else blocks that begin each other would keep all of theirs.
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

;; A block begins under the labels of who began it. What wakes one comes from core.async, and under the labels of whoever put or took.
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
