;; Of hearth.core: what a thread works on.
(in-ns 'hearth.core)

(require '[hearth.options :as options])
(import '(clojure.lang Agent)
        '(hearth Labels Labels$Scope OpenTelemetryLabels)
        '(java.util.concurrent ExecutorService))

(defn- and-label
  "nil is no label."
  ^Labels [^Labels labels key value]
  (if (nil? value) labels (.and labels (options/label-text key) (options/label-text value))))

(defn- labels-of ^Labels [all]
  (reduce-kv and-label (Labels/none) all))

(defn- open-labels ^Labels$Scope [^Labels labels]
  (.open labels))

(defn- close-labels [^Labels$Scope scope]
  (.closeAll scope))

(defmacro with-labels
  "Runs the body under labels: samples of this thread meanwhile, of every event, say so, as (with-labels {:endpoint \"/export\"} …).
  `hearth report --by endpoint`, the page and pprof filter and group by them. Inside of others they are added to them, and take
  the place of those with the same key.

  Keys and values are strings, keywords, symbols, or what `str` makes of them; a label that is nil is none. Take routes for
  values and not ids: of each key the first 1,000 count, others are \"(other)\". Keys are letters, digits and _ . - /; others, and
  those that profiles have of their own (thread, state, bytes, …), are refused.

  Work that goes on in another thread has them by `bound-labels` or, with `future` and `pmap`, everywhere after one call of
  `convey-labels!`."
  {:arglists '([labels & body])}
  [labels & body]
  (let [made (if (map? labels)
               (reduce (fn [form [k v]] `(#'and-label ~form ~k ~v)) `(Labels/none) labels)
               `(#'labels-of ~labels))]
    `(let [scope# (#'open-labels ~made)]
       (try ~@body (finally (#'close-labels scope#))))))

(defn bound-labels
  "A function that calls `f` under the labels of the thread that called bound-labels, on whichever thread it runs."
  [f]
  (let [^Labels labels (Labels/current)]
    (fn [& args]
      (let [scope (.openAlone labels)]
        (try (apply f args) (finally (.closeAll scope)))))))

(defn convey-labels!
  "From now on what `future`, `pmap` and `pcalls` run has the labels of who calls them, in the whole process: by Clojure's own
  set-agent-send-executor! and set-agent-send-off-executor!, which are given wrappers of the executors that there are. Once
  more does nothing; other executors that are set later are to be wrapped by hearth.Labels/wrap. core.async has
  `convey-async-labels!`. With `send` and `send-off`, whose actions wait for each other, and with threads of one's own use
  `bound-labels`."
  []
  (set-agent-send-executor! (Labels/wrap ^ExecutorService Agent/pooledExecutor))
  (set-agent-send-off-executor! (Labels/wrap ^ExecutorService Agent/soloExecutor))
  nil)

(defn convey-async-labels!
  "From now on what core.async runs has labels, in the whole process. A `go` block begins with those of who began it, and has
  its own after each park, whoever wakes it: with-labels may go round parks. So do the blocks of pipelines and their like: these
  have the labels of who made them, not of what goes through. `thread`, and what `take!` and `put!` call, have those of their caller.

  Wraps functions inside of core.async 1.5 to 1.9, so call it first: blocks that run already have no labels but those
  that they set. Once more does nothing. Code that was compiled with direct linking does not see the wrappers."
  []
  (try (require 'clojure.core.async)
       (catch java.io.FileNotFoundException _ (throw (IllegalStateException. "core.async is not on the class path"))))
  (require 'hearth.async-labels)
  ((resolve 'hearth.async-labels/convey!))
  nil)

(defn- route-of
  "The pattern that a Ring request was routed by: Compojure's or Reitit's; nil where no router has said so."
  [request]
  (or (second (:compojure/route request))
      (:template (:reitit.core/match request))))

(defn wrap-labels
  "Ring middleware: requests are handled under the label :endpoint, which is what `route-fn` says of the request (nil: none), or
  under the labels that it says, a map. Without one it is the pattern of Compojure or Reitit: wrap what comes behind the router (compojure.core/wrap-routes,
  Reitit's :middleware), where the route is known; round the router there is none. With :uri as `route-fn` each path is a value:
  any client can use up the 1,000 of them. Of an asynchronous handler the labels are those of its call, not of what
  it goes on with in other threads."
  ([handler] (wrap-labels handler route-of))
  ([handler route-fn]
   (let [labels-for (fn [request] (let [said (route-fn request)] (if (map? said) said {:endpoint said})))]
     (fn
       ([request] (with-labels (labels-for request) (handler request)))
       ([request respond raise] (with-labels (labels-for request) (handler request respond raise)))))))

(defn label-spans!
  "From now on samples that are taken while a span of OpenTelemetry is current have its ids as the labels trace_id and span_id, in
  the whole process. Call it first of all, before OpenTelemetry's context is used: profiles say so where it came too late. Once more
  does nothing. A session keeps the ids of its first 65,534 spans that are sampled; those of further ones are \"(other)\"."
  []
  (OpenTelemetryLabels/install))
