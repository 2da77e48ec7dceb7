(ns hearth.nrepl
  "nREPL middleware that lets an editor profile the JVM of its REPL: {:middleware [hearth.nrepl/wrap-hearth]} in
  .nrepl.edn. The ops are those of `handles`; the op `describe` lists them with their arguments. Results are files, whose
  paths are returned. The middleware loads hearth.core with the first op."
  (:require [clojure.edn :as edn]
            [clojure.string :as str]
            [nrepl.middleware :as middleware]
            [nrepl.misc :as misc]
            [nrepl.transport :as transport])
  (:import (java.io File)))

(defn- wrong [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn- number-of
  "Numbers come as text from some clients."
  [k given]
  (cond
    (number? given) given
    (and (string? given) (re-matches #"\d{1,9}(\.\d{1,9})?" given)) (edn/read-string given)
    :else (wrong (name k) " must be a number, not " (pr-str given))))

(defn- on? [given]
  (not (contains? #{nil 0 "" "0" "false" "nil" []} given)))

(defn- value-of [k given]
  (case k
    (:pid) (number-of k given)
    (:threads :live :exact :absolute) (on? given)
    (:event) (mapv keyword (if (string? given) (str/split given #"[,\s]+") given))
    (:format) (keyword given)
    given))

(def ^:private simple-keys [:event :interval :threads :live :exact :pid :url :token-file :format :title :absolute])

(defn- options-of
  "Options for hearth.core: those of the message, over the map that its `options` contain as EDN."
  [{:keys [options] :as message}]
  (let [more (when-not (str/blank? options) (edn/read-string options))]
    (when-not (or (nil? more) (map? more)) (wrong "options must be a map such as {:jstackdepth 512}, not " options))
    (into (cond-> (or more {}) (:name message) (assoc :session (:name message)))  ; nREPL has sessions of its own
          (for [k simple-keys :let [given (get message k)] :when (some? given)] [k (value-of k given)]))))

(defn- core [function & arguments]
  (apply (requiring-resolve (symbol "hearth.core" (name function))) arguments))

(defn- run-of
  "A run by its number or file; without either the latest."
  [k message]
  (let [given (get message k)]
    (cond
      (nil? given) (or (:id ((requiring-resolve 'hearth.results/latest))) (wrong "there is no run yet; send hearth/stop or hearth/profile first"))
      (number? given) given
      (re-matches #"\d{1,9}" given) (edn/read-string given)
      :else given)))

(defn- file-reply [file]
  (when-not (instance? File file) (wrong "format must be flamegraph, collapsed or pprof"))
  {:file (.getAbsolutePath ^File file)})

(defn- start [message] {:text (core :start (options-of message))})
(defn- stop [message] (file-reply (core :stop (options-of message))))
(defn- status [message] {:text (core :status (options-of message))})
(defn- events [message] {:events (mapv name (core :list-event-types (assoc (options-of message) :silent? true)))})
(defn- flamegraph [message] (file-reply (core :generate-flamegraph (run-of :run message) (options-of message))))
(defn- diffgraph [message] (file-reply (core :generate-diffgraph (run-of :before message) (run-of :after message) (options-of message))))

(defn- profile [message]
  (let [result (atom nil)]
    (with-out-str (reset! result (core :profile-for (number-of :seconds (:seconds message 10)) (options-of message))))
    (file-reply @result)))

(defn- serve-ui [message]
  (let [served (atom nil)]
    (with-out-str (reset! served (core :serve-ui (number-of :port (:port message 0)) (assoc (options-of message) :open? false))))
    (into {} (for [[k v] (select-keys @served [:url :link :token-file]) :when v] [k (str v)]))))

(def ^:private which-jvm
  {"pid" "Another process of this machine; without it this JVM."
   "url" "A JVM with a control server, with \"token-file\"."
   "options" "Further options of hearth.core/start and stop as an EDN map: \"{:jstackdepth 512}\"."})
(def ^:private sampling
  {"event" "cpu (default), alloc, wall, lock; several as \"cpu,alloc\" or a list. hearth/events lists them."
   "interval" "Between two samples: \"10ms\", or nanoseconds; of alloc bytes, or \"512k\"."
   "threads" "1: each thread separately."
   "name" "Name of the session, by which hearth/stop selects it."})
(def ^:private output
  {"format" "flamegraph (default), collapsed or pprof."
   "title" "Title of the page."})
(def ^:private returns-file {"file" "Absolute path of the written file."})

(def ^:private handles
  {"hearth/start" {:doc "Starts profiling." :optional (merge which-jvm sampling) :returns {"text" "Description of the session."}}
   "hearth/stop" {:doc "Stops profiling and writes the flame graph."
                  :optional (merge which-jvm output (select-keys sampling ["event" "name"])) :returns returns-file}
   "hearth/profile" {:doc "Profiles for some seconds and writes the flame graph."
                     :optional (merge which-jvm sampling output {"seconds" "How long; default: 10."}) :returns returns-file}
   "hearth/status" {:doc "State of the agent." :optional which-jvm :returns {"text" "State, one line and details."}}
   "hearth/flamegraph" {:doc "Writes the flame graph of an earlier run to a new file."
                        :optional (merge output {"run" "Number of the run, or a file; default: the latest."
                                                 "event" "The event to show, if several were profiled."
                                                 "options" "Further options of hearth.core/generate-flamegraph as an EDN map."})
                        :returns returns-file}
   "hearth/diffgraph" {:doc "Writes the page of the difference of two runs."
                       :requires {"before" "Number of a run, or a file."}
                       :optional {"after" "Number of a run, or a file; default: the latest run."
                                  "absolute" "1: compares amounts, for runs that did the same work."
                                  "options" "Further options of hearth.core/generate-diffgraph as an EDN map."}
                       :returns returns-file}
   "hearth/events" {:doc "Lists the events that the JVM offers." :optional which-jvm :returns {"events" "A list of names."}}
   "hearth/serve-ui" {:doc "Lets a browser control the JVM." :optional (merge which-jvm {"port" "Port; default: a free one."})
                      :returns {"link" "Opens the console; works once, for 5 minutes." "url" "Address of the control server."
                                "token-file" "File with the token of the control server."}}})

(def ^:private functions
  {"hearth/start" start "hearth/stop" stop "hearth/profile" profile "hearth/status" status "hearth/flamegraph" flamegraph
   "hearth/diffgraph" diffgraph "hearth/events" events "hearth/serve-ui" serve-ui})
;; These take a second or more. The others run in the order of their messages.
(def ^:private slow #{"hearth/stop" "hearth/profile" "hearth/flamegraph" "hearth/diffgraph"})

(defn- answer! [function {:keys [transport op] :as message}]
  (let [required (keys (:requires (handles op)))
        reply (try
                (doseq [k required :when (nil? (get message (keyword k)))] (wrong op " needs \"" k "\""))
                (assoc (function message) :status #{:done})
                (catch Throwable thrown
                  {:status #{:done :error :hearth-error} :err (str (.getMessage thrown) \newline) :ex (.getName (class thrown))}))]
    (transport/send transport (misc/response-for message reply))))

(defn wrap-hearth
  "The middleware. Answers the ops that begin with hearth/ and passes all others on. An op that fails replies with the
  status error, and the reason in err."
  [handler]
  (fn [{:keys [op] :as message}]
    (if-let [function (functions op)]
      (if (slow op)
        (doto (Thread. ^Runnable (bound-fn* #(answer! function message)) (str "nREPL " op)) (.setDaemon true) (.start))
        (answer! function message))
      (handler message))))

(middleware/set-descriptor! #'wrap-hearth {:requires #{} :expects #{} :handles handles})
