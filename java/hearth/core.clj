(ns hearth.core
  "hearth from Clojure. (profile (work)) profiles an expression, (start {:event :alloc}) and (stop) what happens in between;
  `start` has the options. (serve-ui 8080) is for a browser. `with-labels` says what a thread works on. `start-store` is always on, `between` asks it.
  `allocates-at-most` is a check for clojure.test of how much an expression allocates."
  (:require [clojure.test :as test])
  (:import (hearth AllocationBudget AllocationBudget$Exceeded)
           (java.util.concurrent Callable)))

(def ^:private limit-keys #{:bytes :objects :ratchet :name :tolerance :rounds})

(defn- refuse [& text]
  (throw (IllegalArgumentException. ^String (apply str "allocates-at-most " text))))

(defn- limits-of [given]
  (let [limits (cond (map? given) given
                     (number? given) {:bytes given}
                     :else (refuse "wants a number of bytes or a map of limits, not " (pr-str given)))]
    (when-let [unknown (seq (remove limit-keys (keys limits)))]
      (refuse "does not know " (first unknown) "; known are " (apply str (interpose ", " (sort limit-keys)))))
    (doseq [k [:bytes :objects :tolerance :rounds] :let [value (limits k)]]
      (when-not (or (nil? value) (number? value)) (refuse "wants a number for " k ", not " (pr-str value))))
    limits))

(defn- check-allocations
  "What `allocates-at-most` expands to: checks the function's allocations, returns bytes per call."
  [limits expression ^Callable f]
  (let [{:keys [bytes objects ratchet tolerance rounds] operation :name} (limits-of limits)
        ^String operation (cond (nil? operation) expression
                                (keyword? operation) (subs (str operation) 1)
                                :else (str operation))]
    (.check (cond-> (AllocationBudget/of operation)
              bytes     (.bytes (long bytes))
              objects   (.objects (long objects))
              ratchet   (.ratchet (str ratchet))
              tolerance (.tolerance (double tolerance))
              rounds    (.rounds (int rounds)))
            f)))

(defn- expression-of [body]
  (let [text (apply str (interpose " " (map pr-str body)))]
    (if (> (count text) 100) (str (subs text 0 99) "…") text)))

(defmacro allocates-at-most
  "Runs the body warmed up until the bytes that it allocates come to rest (as hearth.AllocationBudget says it), and returns
  them when they are at most `limits`; else throws an AssertionError that names the sites and a flame graph.

  `limits` is a number of bytes, or a map of
    :bytes      at most so many,
    :objects    at most so many, which the agent has to count,
    :ratchet    a file whose entry :name says how many bytes; -Dhearth.update-budgets=true adds and lowers entries,
    :name       of the operation, a string, keyword or symbol; the text of the body unless given,
    :tolerance  how many percent (1) rounds may lie apart, and the body above its entry,
    :rounds     after how many, or tenths of a second, to give up (100).

  In clojure.test, (is (allocates-at-most 64 (f x))) reports a failure with that text. `is` knows it by its name: refer it,
  or require hearth.core as `hearth` or `prof`; by another alias the failure counts as an error. A result that is a primitive is boxed, and its box counts."
  {:arglists '([limits & body])}
  [limits & body]
  (when (empty? body) (refuse "wants limits and what to run: (allocates-at-most 64 (f x))"))
  `(#'check-allocations ~limits ~(expression-of body) (fn [] ~@body)))

(defn- assertion [msg form]
  `(try
     (let [bytes# (allocates-at-most ~@(rest form))]
       (test/do-report {:type :pass :message ~msg :expected '~form :actual bytes#})
       bytes#)
     (catch AllocationBudget$Exceeded exceeded#
       (test/do-report {:type :fail
                        :message (let [msg# ~msg text# (.getMessage exceeded#)] (if msg# (str msg# \newline text#) text#))
                        :expected '~form :actual '(~'not ~form)}))
     (catch Throwable thrown#
       (test/do-report {:type :error :message ~msg :expected '~form :actual thrown#}))))

(doseq [spelling '[allocates-at-most hearth.core/allocates-at-most hearth/allocates-at-most prof/allocates-at-most]]
  (defmethod test/assert-expr spelling [msg form] (assertion msg form)))

(load "core_labels")
(load "core_profiling")
(load "core_store")
