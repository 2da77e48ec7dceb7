;; Part of hearth.core: defaults and checks of the options of its functions, and the JVM that they name.
(in-ns 'hearth.core)

(require '[hearth.options :as options]
         '[hearth.stacks :as stacks])
(import '(hearth Profiler)
        '(java.util.regex Pattern))

(defonce ^:private default-options (atom {}))

(defn set-default-profiling-options
  "Sets default options for all functions; options of a call override them. Returns them."
  [options]
  (reset! default-options options))

(defn- wrong [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn- with-defaults [options]
  (when-not (or (nil? options) (map? options)) (wrong "options must be a map such as {:event :alloc}, not " (pr-str options)))
  (merge @default-options options))

(defn- pid-of [pid]
  (cond
    (integer? pid) (long pid)
    (and (string? pid) (re-matches #"\d{1,9}" pid)) (Long/parseLong pid)
    :else (wrong ":pid must be a process id such as 4711, not " (pr-str pid))))

(defn- known-with-defaults
  "For functions that do not pass unknown options on to the agent, which would refuse them. `more` are keys of the
  function."
  [options & more]
  (let [all (with-defaults options)]
    (apply options/check-keys options more)
    all))

(defn- profiler ^Profiler [{:keys [pid url token token-file]}]
  (cond
    (and pid url) (wrong ":pid and :url cannot be combined; give one")
    url (Profiler/at (str url) (str (or token (some-> token-file slurp))))
    pid (Profiler/of (long (pid-of pid)))
    :else (Profiler/here)))

(defn- transformer-of [{:keys [transform config predefined-transforms]}]
  (when-not (or (nil? transform) (ifn? transform)) (wrong ":transform must be a function of a stack, not " (pr-str transform)))
  (stacks/transformer transform (concat predefined-transforms (:transforms config))))

(defn- transformer-before-page
  "The transforms that the page does not apply itself."
  [options]
  (let [all (transformer-of options)]  ; which also reports an error in any
    (if (options/for-page? options) (stacks/transformer (:transform options) nil) all)))

(defn- format-of [{:keys [format generate-flamegraph?]}]
  (let [format (or format (if (false? generate-flamegraph?) :collapsed :flamegraph))]
    (or (#{:data :pprof :jfr :otlp :collapsed :flamegraph} ({:html :flamegraph} format format))
        (wrong ":format must be :flamegraph, :collapsed, :pprof, :jfr, :otlp or :data, not " (pr-str format)))))

(defn- check-config [{:keys [config]}]
  (when-let [unknown (seq (remove #{:transforms :reverse :highlight :sort-by} (keys config)))]
    (wrong (first unknown) " is not a key of :config; use :transforms, :reverse, :highlight or :sort-by"))
  (when-let [wish (:sort-by config)]
    (when-not (#{:name :width} wish) (wrong ":sort-by of :config must be :name or :width, not " (pr-str wish))))
  (let [highlight (:highlight config)]
    (doseq [one (if (coll? highlight) highlight [highlight])]
      (when-not (or (nil? one) (instance? Pattern one) (and (string? one) (seq one)))
        (wrong ":highlight of :config must be a string or a regular expression, or several, not " (pr-str one))))))

(defn- check
  "Reports errors in options of a result before a session starts, and before it ends."
  [options]
  (format-of options)
  (check-config options)
  (transformer-of options)
  (options/page options))
