;; Part of hearth.core: labels of the work of a thread.
(in-ns 'hearth.core)

(require '[hearth.options :as options])
(import '(clojure.lang Agent)
        '(hearth Labels Labels$Scope OpenTelemetryLabels)
        '(java.util.concurrent ExecutorService))

(defn- and-label
  "A nil value adds no label."
  ^Labels [^Labels labels key value]
  (if (nil? value) labels (.and labels (options/label-text key) (options/label-text value))))

(defn- labels-of ^Labels [all]
  (reduce-kv and-label (Labels/none) all))

(defn- open-labels ^Labels$Scope [^Labels labels]
  (.open labels))

(defn- close-labels [^Labels$Scope scope]
  (.closeAll scope))

(defmacro with-labels
  "Runs the body under labels: samples of this thread meanwhile, of every event, have them, as in (with-labels
  {:endpoint \"/export\"} …). `hearth report --by endpoint`, the page and pprof filter and group by them. Nested labels
  are added to the outer ones and replace those with the same key.

  Keys and values are strings, keywords, symbols, or any value, converted by `str`; nil gives no label. Use routes as
  values, not ids: the first 1,000 values of a key count, others are \"(other)\". Keys consist of letters, digits and _
  . - /; other keys and reserved ones (thread, state, bytes, …) are refused.

  Work in another thread gets the labels by `bound-labels` or, with `future` and `pmap`, everywhere after one call of
  `convey-labels!`."
  {:arglists '([labels & body])}
  [labels & body]
  (let [made (if (map? labels)
               (reduce (fn [form [k v]] `(#'and-label ~form ~k ~v)) `(Labels/none) labels)
               `(#'labels-of ~labels))]
    `(let [scope# (#'open-labels ~made)]
       (try ~@body (finally (#'close-labels scope#))))))

(defn bound-labels
  "Returns a function that calls `f` under the labels of the thread that called bound-labels, on whichever thread it
  runs."
  [f]
  (let [^Labels labels (Labels/current)]
    (fn [& args]
      (let [scope (.openAlone labels)]
        (try (apply f args) (finally (.closeAll scope)))))))

(defn convey-labels!
  "From now on `future`, `pmap` and `pcalls` run with the labels of their callers, in the whole process: Clojure's own
  set-agent-send-executor! and set-agent-send-off-executor! get wrappers of the current executors. A second call does
  nothing. Wrap executors that are set later with hearth.Labels/wrap. For core.async there is `convey-async-labels!`.
  With `send` and `send-off` (their actions wait for each other) and with threads of your own use `bound-labels`."
  []
  (set-agent-send-executor! (Labels/wrap ^ExecutorService Agent/pooledExecutor))
  (set-agent-send-off-executor! (Labels/wrap ^ExecutorService Agent/soloExecutor))
  nil)

(defn convey-async-labels!
  "From now on code that core.async runs has labels, in the whole process. A `go` block begins with the labels of the
  code that started it and keeps its own after each park, whichever thread wakes it: the body of with-labels may park.
  The same is true of the blocks of pipelines and the like: they have the labels of the code that created them, not of
  the values that pass through. `thread` and callbacks of `take!` and `put!` have the labels of their caller.

  Wraps functions inside of core.async 1.5 to 1.9, so call it first: blocks that run already have only labels that they
  set themselves. A second call does nothing. Code that was compiled with direct linking bypasses the wrappers."
  []
  (try (require 'clojure.core.async)
       (catch java.io.FileNotFoundException _ (throw (IllegalStateException. "core.async is not on the class path"))))
  (require 'hearth.async-labels)
  ((resolve 'hearth.async-labels/convey!))
  nil)

(defn- route-of
  "The pattern that Compojure or Reitit routed a Ring request by; nil if no router has set one."
  [request]
  (or (second (:compojure/route request))
      (:template (:reitit.core/match request))))

(defn wrap-labels
  "Ring middleware: handles requests under the label :endpoint with the value `(route-fn request)` (nil: no label), or
  under the labels in the map that it returns. The default is the pattern of Compojure or Reitit. Apply it inside of the
  router (compojure.core/wrap-routes, Reitit's :middleware), where the route is known; outside of the router there is
  none. With :uri as `route-fn` each path is a value: any client can use up the 1,000 of them. An asynchronous handler
  has the labels during its call, not in other threads that continue it."
  ([handler] (wrap-labels handler route-of))
  ([handler route-fn]
   (let [labels-for (fn [request] (let [said (route-fn request)] (if (map? said) said {:endpoint said})))]
     (fn
       ([request] (with-labels (labels-for request) (handler request)))
       ([request respond raise] (with-labels (labels-for request) (handler request respond raise)))))))

(defn label-spans!
  "From now on samples that are taken while a span of OpenTelemetry is current have its ids as the labels trace_id and
  span_id, in the whole process. Call it first, before OpenTelemetry's context is used: profiles have a note if it came
  too late. A second call does nothing. A session keeps the ids of its first 65,534 sampled spans; further ones are
  \"(other)\"."
  []
  (OpenTelemetryLabels/install))
