;; Of hearth.core: the always-on store of profiles.
(in-ns 'hearth.core)

(require '[clojure.string :as str]
         '[hearth.options :as options]
         '[hearth.results :as results])
(import '(hearth Profiler)
        '(java.time Instant)
        '(java.time.temporal ChronoUnit)
        '(java.util Date))

(def ^:private store-options #{:window :keep :budget :on :freeze :event :interval :wall :alloc :lock})

(defn start-store
  "Keeps windows of a continuous low-rate profile of CPU, wall time and allocations in the directory and returns a
  description of the store. profile, start and stop work as usual meanwhile. Options, in addition to :pid and :url of start:
    :window  length of a window, \"1m\" (default)
    :keep    size limit, \"1g\"; old windows are merged to hours and days, then dropped
    :budget  limit of the overhead, \"1%\" of one CPU; above it rates are lowered
    :on      triggers that keep the last minutes apart: \"latency:endpoint>500ms|cpu>90%|alloc>1g/s|gc>30%|oom|deadlock|signal\"
    :freeze  how many minutes they keep: \"5m\"
    :event :interval :wall :alloc :lock  as for start, to replace the default events"
  ([directory] (start-store directory {}))
  ([directory options]
   (let [options (with-defaults options)
         own (dissoc options :pid :url :token :token-file)]
     (when (str/blank? (str directory)) (wrong "a store needs a directory, not " (pr-str directory)))
     (when-let [unknown (seq (remove store-options (keys own)))]
       (wrong "a store has no " (first unknown) "; use one of " (pr-str (sort store-options))))
     (.execute (profiler options)
               (str "start," (options/words-of {:store (.getAbsolutePath (java.io.File. (str directory)))} own))))))

(defn stop-store
  "Ends the always-on store; its files stay. :pid as for start."
  ([] (stop-store {}))
  ([options] (.execute (profiler (known-with-defaults options)) "stop,store")))

(defn- time-text [time]
  (cond
    (instance? Date time) (recur (.toInstant ^Date time))
    (instance? Instant time) (str (.truncatedTo ^Instant time ChronoUnit/SECONDS))
    :else (str time)))

(defn between
  "Profile of a time range of the always-on store, returned as by stop: the file of its flame graph, or the format that
  :format selects; options are those of stop. It is a run, which generate-flamegraph and generate-diffgraph accept by
  its number, too.

    (prof/between \"10:02\" \"10:05\")           the last such time of day, in this time zone
    (prof/between \"-15m\" \"now\")
    (prof/between \"2026-11-23T10:02\" nil)      until now; java.time.Instant and java.util.Date work, too
    (prof/generate-diffgraph (prof/between \"10:02\" \"10:05\") (prof/between \"11:02\" \"11:05\"))

  Which store: the one of this JVM, of :pid or of :url; or :store, a directory, also of a JVM that has ended."
  ([from to] (between from to {}))
  ([from to options]
   (let [options (known-with-defaults options :store)
         _ (check options)
         asked (options/words-of {:store (or (:store options) true)}
                                 {:from (some-> from time-text) :to (some-> to time-text)})
         content (.executeToBytes (profiler options) (str "dump,pprof," asked))
         run (results/add-run! (options/event options))
         run (results/keep! (assoc run :profile (write! (results/file run "profile.pb.gz") content)))]
     (result-of run (merge {:title (str (or (some-> from time-text) "the beginning") " to "
                                        (or (some-> to time-text) "now"))}
                           (dissoc options :store))))))
