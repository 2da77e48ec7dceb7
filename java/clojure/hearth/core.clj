(ns hearth.core
  "hearth for Clojure. (profile (work)) profiles an expression; (start {:event :alloc}) and (stop) profile the time in
  between. The options are listed at `start`. (serve-ui 8080) opens the console in a browser. `with-labels` labels a
  thread's work. `start-store` profiles all the time, `between` reads a time range of that. `allocates-at-most` checks
  in clojure.test how much an expression allocates."
  (:require [clojure.test :as test])
  (:import (hearth AllocationBudget AllocationBudget$Exceeded)
           (java.util.concurrent Callable)))

(def ^:private limit-keys #{:bytes :objects :ratchet :name :tolerance :rounds})

(defn- refuse [& text]
  (throw (IllegalArgumentException. ^String (apply str "allocates-at-most " text))))

(defn- limits-of [given]
  (let [limits (cond (map? given) given
                     (number? given) {:bytes given}
                     :else (refuse "needs a number of bytes or a map of limits, not " (pr-str given)))]
    (when-let [unknown (seq (remove limit-keys (keys limits)))]
      (refuse "has no option " (first unknown) "; use one of " (apply str (interpose ", " (sort limit-keys)))))
    (doseq [k [:bytes :objects :tolerance :rounds] :let [value (limits k)]]
      (when-not (or (nil? value) (number? value)) (refuse "needs a number for " k ", not " (pr-str value))))
    limits))

(defn- check-allocations
  "Expansion of `allocates-at-most`: checks the function's allocations and returns bytes per call."
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
  "Runs the body until the bytes that it allocates are stable (see hearth.AllocationBudget) and returns them if they are
  at most `limits`; else throws an AssertionError that names the sites and a flame graph.

  `limits` is a number of bytes, or a map of
    :bytes      largest number of bytes,
    :objects    largest number of objects, which the agent has to count,
    :ratchet    a file that holds the bytes in its entry :name; -Dhearth.update-budgets=true adds and lowers entries,
    :name       name of the operation, a string, keyword or symbol; default: the text of the body,
    :tolerance  percentage by which rounds may differ, and by which the body may exceed its entry (default: 1),
    :rounds     number of rounds, or tenths of a second, after which to give up (default: 100).

  In clojure.test, (is (allocates-at-most 64 (f x))) reports a failure with that text. `is` recognises it by its name:
  refer it, or require hearth.core as `hearth` or `prof`; with another alias the failure counts as an error. A primitive
  result is boxed, and its box counts."
  {:arglists '([limits & body])}
  [limits & body]
  (when (empty? body) (refuse "needs limits and a body: (allocates-at-most 64 (f x))"))
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
(load "core_options")
(load "core_results")
(load "core_profiling")
(load "core_console")
(load "core_store")
