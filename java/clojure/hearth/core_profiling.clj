;; Part of hearth.core: sessions. Functions and keys have the same meaning as in clj-async-profiler.
(in-ns 'hearth.core)

(require '[clojure.string :as str]
         '[hearth.options :as options]
         '[hearth.results :as results]
         '[hearth.sessions :as sessions])
(import '(hearth Profiler)
        '(java.io File))

(defn start
  "Starts profiling and returns a description of the session. Sessions of different events run at the same time: after
  (start {:event :alloc}), (stop {:event :alloc}) ends that one alone. Throws if a session of the same event runs
  already, unless :session gives this one a name.

  Which JVM:
    (none)      this one; needs no JVM flag
    :pid        another process of this machine, also in a container; of another user if this one is root
    :url :token a JVM with a control server (serve-ui there, or `hearth http PID`): \"http://127.0.0.1:7070\", and the
                content of its token file, or :token-file; or \"unix:PATH\", which needs no token, but JDK 16 here
  Sampling:
    :event      :cpu (default), :wall, :alloc, :lock, :cpu-clock, :ctimer, :itimer; list-event-types prints all. Several
                as [:cpu :alloc]: the first has the :interval and is shown first
    :interval   between two samples: nanoseconds (1000000 of CPU time, 50 ms for :wall), or \"10ms\"; for :alloc bytes, or \"512k\"
    :threads    true: each thread separately
    :features   [:vtable :comptask :pcaddr], :all is the first two
    :trace      calls of methods and functions, counted by time, and sampled from a time on: \"com.acme.Shop.buy:50ms\",
                'my.ns/foo, #'my.ns/foo, or several in a vector; :event 'my.ns/foo samples each call at its beginning
    :wall :alloc :lock  in addition to another event, with their interval: {:event :cpu :alloc \"512k\"}; true: default interval
    :live       true: allocated objects and which of them are still reachable; :exact true: each one, slowly
    :filter     only threads of these names or ids: [\"main\" \"pool-.*\"] joined by ;, as \"main;pool-.*\"
    :session    a name, by which stop selects it: :cpu and :wall then also run alongside others of the same event, each
                at its own interval
    and every other option of the agent by its name, such as :jstackdepth, :cstack, :timeout (see integration/guides/options.md).
    Unknown options are refused. :framebuf is not needed and ignored."
  ([] (start {}))
  ([options]
   (let [options (with-defaults options)
         _ (check options)
         message (.start (profiler options) (options/start options))]
     (sessions/add! options)
     message)))

(defn status
  "Returns the state of the agent as text: duration, samples, lost samples, and more. :pid, :url and :token as for
  start."
  ([] (status {}))
  ([options] (.getStatus (profiler (known-with-defaults options)))))

(defn- events-of [options]
  (options/words-of (select-keys options [:session :event])))

(defn pause
  "Pauses sampling of :event, as in {:event :alloc}, while other events of its session continue; without :event, of all.
  The profile keeps its samples and reports how long each event was paused. :session, :pid, :url and :token as for
  start. Returns the paused events."
  ([] (pause {}))
  ([options]
   (let [options (known-with-defaults options)]
     (.pause (profiler options) (events-of options)))))

(defn resume
  "Resumes :event, or all paused events."
  ([] (resume {}))
  ([options]
   (let [options (known-with-defaults options)]
     (.resume (profiler options) (events-of options)))))

(defn attach-agent
  "Sends a process a command in the agent's own grammar, such as \"dump,flat=10\" or \"metrics\", and returns the reply
  as text."
  [pid command]
  (.execute (profiler {:pid pid}) command))

(def async-profiler-agent-path
  "In clj-async-profiler, names another build of its agent. The build of hearth is chosen by the JVM's property
  hearth.library-path; a reset! of this atom throws an exception with that advice."
  (atom nil :validator #(or (nil? %) (throw (IllegalArgumentException.
                                              "hearth has its own agent; to use another build, start the JVM with -Dhearth.library-path=PATH")))))

(defn- stop-session [options]
  (let [;; A default event applies to sessions that name none; it does not select a session to stop.
        given (merge (dissoc (with-defaults options) :event) (select-keys options [:event]))
        then (sessions/started-for given)
        options (merge @default-options then given)
        _ (check options)
        content (.stopToBytes (profiler options) (options/stop given then options))
        run (results/add-run! (options/event options))]
    (sessions/forget! given then)
    (result-of (results/keep! (assoc run :profile (write! (results/file run "profile.pb.gz") content))) options)))

(defn stop
  "Stops profiling and returns the flame graph's file. Throws if no session runs, or if several run and none is
  selected.

  :pid, :url, :token        as for start
  :session                  selects the session by its name or number
  :format                   :flamegraph; :collapsed, :pprof, :jfr and :otlp are the other files, the last three without the
                            transforms; :data is [{:stack [\"outermost\" …] :samples n :total n} …], the largest total
                            (nanoseconds, or bytes) first
  :generate-flamegraph?     false: same as :format :collapsed
  :event                    selects the session by one of its events; of several, that one is shown
  :title :minwidth :reverse of the flame graph
  :include :exclude         only, or no, stacks with such a frame (\"*parse*\"), or several
  :label                    only samples with such labels: {:endpoint \"/x\"}, * at either end as above, a list for any of
                            several, nil for lacking it, as {:thread [\"main\" \"pool-*\"] :state nil}
  :total                    true: nanoseconds or bytes where one number is shown, not samples or objects
  :transform                a function of a whole stack, frames separated by ; and outermost first: its result replaces
                            the stack, nil drops it
  :config                   {:reverse true, :transforms [{:type :filter, :what \"string\" or #\"regex\"} {:type :remove, :what …}
                            {:type :replace, :what …, :replacement \"$1\"}], :highlight \"string\" or #\"regex\" or several};
                            {:enabled false} skips one. :predefined-transforms is the same as :transforms. A flame graph
                            applies them itself, and its reader can switch them off. :sort-by is :name or :width; it and
                            :highlight apply to flame graphs only.

  The profile itself is also kept, as pprof, in the folder `results` of the property hearth.output-dir, else of
  ~/.hearth; generate-flamegraph and find-profile accept its run number."
  ([] (stop {}))
  ([options]
   (known-with-defaults options)
   (stop-session options)))

(defn- stop-after
  "Stops after an exception, which matters more than a failure to stop the session."
  [^Throwable thrown options]
  (try
    (stop-session options)
    (catch Exception unstopped (.addSuppressed thrown unstopped)))
  (throw thrown))

(defn- own-session
  "Options of a session that only its starter ends."
  [options]
  (sessions/named @default-options options))

(defn- start-of-profile
  "Start for functions that return the body's value."
  [options]
  (when (and (= :data (format-of (with-defaults options))) (not (:return-file options)))
    (wrong "profile returns the body's value, and :format :data would be lost: use start and (stop {:format :data}), profile-for, "
           "or :return-file true here"))
  (start options))

(defmacro profile
  "Profiles the body and returns its value; prints the started session and the file of the result. The first form may be
  a map of options, those of start and stop; with :return-file true it returns the same as stop. The session also ends
  if the body throws."
  {:arglists '([options? & body])}
  [& options-and-body]
  (let [[options body] (if (map? (first options-and-body))
                         [(first options-and-body) (rest options-and-body)]
                         [{} options-and-body])]
    `(let [options# (#'own-session ~options)]
       (println (#'start-of-profile options#))
       (let [value# (try ~@body (catch Throwable thrown# (#'stop-after thrown# options#)))
             result# (#'stop-session options#)]
         (when (instance? File result#) (println (str result#)))
         (if (:return-file options#) result# value#)))))

(defn profile-for
  "Profiles for a number of seconds and returns the same as stop. Prints the started session. Options are those of start
  and stop."
  ([seconds] (profile-for seconds {}))
  ([seconds options]
   (when-not (and (number? seconds) (< 0 seconds 1e9)) (wrong "seconds must be a number above 0, not " (pr-str seconds)))
   (let [options (own-session options)]
     (println (start options))
     (try
       (Thread/sleep (long (* 1000 seconds)))
       (catch Throwable thrown (stop-after thrown options)))
     (stop-session options))))

(defn list-event-types
  "Prints the events that the JVM offers and returns them as keywords. With :silent? true it does not print; :pid, :url
  and :token as for start."
  ([] (list-event-types {}))
  ([options]
   (let [text (.execute (profiler (known-with-defaults options)) "list")]
     (when-not (:silent? options) (println (str/trim-newline text)))
     (mapv (comp keyword second) (re-seq #"(?m)^ +(\S+)" text)))))

(defn print-jvm-opt-for-startup-profiling
  "Prints and returns the JVM option with which a JVM profiles itself from its first instruction to its end, into a
  flame graph in the results folder. Options are those of start; :file names another file, in another format if it ends
  in .pb.gz or .collapsed. At a shell `hearth launch -- java …` does the same."
  ([] (print-jvm-opt-for-startup-profiling {}))
  ([options]
   (let [options (with-defaults options)
         file (str (or (:file options) (File. (results/folder) "startup-%t-%p-flamegraph.html")))
         option (Profiler/jvmOption (options/start (assoc options :file file)))]
     (println "Give it to java before -jar or the main class, to the Clojure CLI with -J in front:")
     (println option)
     (println "When that JVM has ended, its profile is" (str file ", where %t is the time and %p the process id."))
     option)))
