;; Part of hearth.core: profiling. Functions and keys have the same meaning as in clj-async-profiler.
(in-ns 'hearth.core)

(require '[clojure.string :as str]
         '[hearth.desktop :as desktop]
         '[hearth.options :as options]
         '[hearth.results :as results]
         '[hearth.sessions :as sessions]
         '[hearth.stacks :as stacks])
(import '(hearth Profiler)
        '(java.io File)
        '(java.nio.file Files OpenOption)
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
    (or (#{:data :pprof :collapsed :flamegraph} ({:html :flamegraph} format format))
        (wrong ":format must be :flamegraph, :collapsed, :pprof or :data, not " (pr-str format)))))

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

(defn- write! ^File [^File file ^bytes content]
  (Files/write (.toPath file) content ^"[Ljava.nio.file.OpenOption;" (make-array OpenOption 0))
  file)

(defn- convert ^bytes [^File stored output]
  (Profiler/convert (.toPath stored) output))

(defn- text-as [stored output]
  (String. (convert stored output) "UTF-8"))

(defmacro ^:private kept-on-error
  "The session is over when a transform fails, so the message names the file that was kept."
  [stored & body]
  `(try
     ~@body
     (catch Exception thrown#
       (throw (IllegalArgumentException. (str "a transform threw " thrown# "; the untransformed profile is kept in " ~stored) thrown#)))))

(defn- transformed [f weights stored]
  (kept-on-error stored (stacks/transform f weights)))

(defn- write-stacks [stored ^File to f options]
  (let [text (text-as stored (options/stacks options nil))
        text (if f (stacks/collapsed (transformed f (stacks/weights text) stored)) text)]
    (when (and f (str/blank? text)) (wrong "no stack is left after the transforms; the untransformed profile is kept in " stored))
    (write! to (.getBytes ^String text "UTF-8"))))

(defn- write-rewritten
  "The results of a function for each stack, one per line, in the launcher's format."
  [stored f ^File to options]
  (let [lines (remove str/blank? (str/split (text-as stored (options/stack-lines options)) #"\n"))
        changed (kept-on-error stored (mapv #(str/replace (str (f %)) #"[\r\n]+" " ") lines))]
    (when (every? str/blank? changed) (wrong "no stack is left after the transforms; the untransformed profile is kept in " stored))
    (write! to (.getBytes ^String (str/join (map #(str % \newline) changed)) "UTF-8"))))

(defn- page-of ^bytes [stored options]
  (if-let [f (transformer-before-page options)]
    (results/with-scratch
      (fn [folder]
        (let [lines (write-rewritten stored f (File. ^File folder "stacks.txt") options)]
          (convert stored (options/rewritten (options/page options) lines)))))
    (convert stored (options/page options))))

(defn- data-of [stored options]
  (let [weights (stacks/weights (text-as stored (options/stacks options :samples)) (text-as stored (options/stacks options :total)))
        f (transformer-of options)]
    (stacks/data (if f (transformed f weights stored) weights))))

(defn- title-of-run [run] (str "Run " (:id run) ": " (name (:event run))))

(defn- result-of [run options]
  (let [stored (:profile run)]
    (case (format-of options)
      :data (data-of stored options)
      :pprof stored
      :collapsed (write-stacks stored (results/file run "collapsed.txt") (transformer-of options) options)
      :flamegraph (write! (results/file run "flamegraph.html")
                          (page-of stored (merge {:title (title-of-run run)} options))))))

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
  :format                   :flamegraph; :collapsed and :pprof are the other files; :data is [{:stack [\"outermost\" …] :samples n
                            :total n} …], the largest total (nanoseconds, or bytes) first
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

(defn find-profile
  "A run of this REPL by its number or one of its files: {:id :event :name :profile}, where :profile is the file in
  pprof; nil if there is none."
  [run-id-or-file]
  (results/run-of run-id-or-file))

(defn- stored-of [run-id-or-file]
  (or (:profile (results/run-of run-id-or-file))
      (when (number? run-id-or-file)
        (throw (IllegalArgumentException. (str "there is no run " run-id-or-file " in this REPL; give its file"))))
      (let [file (File. (str run-id-or-file))]
        (if (.isFile file) file (throw (IllegalArgumentException. (str file " does not exist")))))))

(defn- base-of [^File stored]
  (str/replace (.getName stored) #"(-(profile|collapsed|flamegraph))?\.(pb\.gz|txt|collapsed|html)$" ""))

(defn generate-flamegraph
  "Makes the flame graph of a run, by its number, or of a file with collapsed stacks or pprof, in a new file, which it
  returns. Options are those of stop that shape it, such as :title, :label, :transform, :config."
  ([run-id-or-file] (generate-flamegraph run-id-or-file {}))
  ([run-id-or-file options]
   (let [^File stored (stored-of run-id-or-file)
         options (known-with-defaults options)]
     (check-config options)
     (let [run (results/run-of run-id-or-file)
           page (page-of stored (cond->> options run (merge {:title (title-of-run run)})))]
       (write! (results/new-file (str (base-of stored) "-flamegraph") ".html") page)))))

(defn- title-of [run-or-file]
  (if-let [run (results/run-of run-or-file)]
    (title-of-run run)
    (base-of (File. (str run-or-file)))))

(defn- rewritten
  "Writes the profile with transformed stacks to a file of the same name in this folder."
  ^File [^File stored f ^File folder options]
  (.mkdir folder)
  (let [lines (write-rewritten stored f (File. folder "stacks.txt") options)
        name (.getName stored)]
    (write! (File. folder (if (str/ends-with? name ".pb.gz") name (str name ".pb.gz"))) (convert stored (options/rewritten (options/chosen-stacks options) lines)))))

(defn- compare-files ^bytes [[^File before ^File after] options]
  (Profiler/compare (.toPath before) (.toPath after) (options/difference options)))

(defn- compare-stored ^bytes [stored options]
  (if-let [f (transformer-before-page options)]
    (results/with-scratch
      (fn [folder]
        (compare-files (map-indexed #(rewritten %2 f (File. ^File folder (str %1)) options) stored) (options/without-choice options))))
    (compare-files stored options)))

(defn- is-over-there? [id] (and (string? id) (not (.isFile (File. ^String id)))))

(defn- compare-over-there [[before after] options]
  (when (transformer-before-page options)
    (throw (IllegalArgumentException. ":transform does not work with :url; use :transforms of :config")))
  (let [page (.compareStored (profiler options) before after (options/difference options))]
    (write! (results/new-file (str before "-" after "-diffgraph") ".html") page)))

(defn generate-diffgraph
  "Makes a flame graph of the difference of two profiles: frames that grew, shrank, are new or have vanished, and which
  changes chance explains. Returns its file. The profiles are run numbers, results of find-profile, or files with
  collapsed stacks, pprof or hearth's pages, of one event; with :url (and :token) ids that the JVM there has stored.
  Options:
    :absolute   true: compares samples, time or bytes, for two runs that did the same work; default: shares
    :event      the event to compare, if several were profiled
    :title :reverse :include :exclude :label :total :transform :config   as for stop"
  ([before after] (generate-diffgraph before after {}))
  ([before after options]
   (let [options (known-with-defaults options :absolute)
         given (mapv #(if (map? %) (:profile %) %) [before after])]
     (check-config options)
     (if (and (:url options) (every? is-over-there? given))
       (compare-over-there given options)
       (let [stored (mapv stored-of given)
             options (merge {:title (str/join " → " (map title-of given))} options)
             name (str (base-of (first stored)) "-" (base-of (second stored)) "-diffgraph")
             page (compare-stored stored options)]
         (write! (results/new-file name ".html") page))))))

(defn clear-results
  "Deletes the files of all runs in the results folder; run numbers start at 1 again. Returns the number of files."
  []
  (results/clear!))

(defn- serve [where {:keys [token-file] :as options}]
  (let [words (cond-> [(str "http=" where)] token-file (conj (str "token=" token-file)))
        text (.execute (profiler options) (str/join \, words))
        said #(second (re-find (re-pattern (str "(?m)^" % ": (.*)$")) text))]
    {:url (said "Control server") :token-file (said "Token") :link (said "Open")}))

(defn serve-ui
  "Lets a browser control the JVM, and open and compare the runs in the results folder. Listens at 127.0.0.1 unless a
  host is given; port 0 means a free port, \"unix:PATH\" a Unix socket. Opens the page if there is a desktop. Prints a
  link that works once, for 5 minutes; a second call prints another. Returns {:url :token-file :link}, which all
  functions accept as options to profile that JVM. stop-ui ends it. Options: :pid for another JVM; :open? false opens
  nothing; :token-file, a file readable by this user alone with the secret, which is created if missing; without it only
  this machine is served."
  {:arglists '([] [port] [port options] [host port] [host port options])}
  ([] (serve-ui 0))
  ([port] (serve-ui port {}))
  ([host port] (if (map? port) (serve-ui "127.0.0.1" host port) (serve-ui host port {})))
  ([host port options]
   (let [options (known-with-defaults options)
         where (if (string? port) port (str host \: port))
         {:keys [url link] :as served} (serve where options)
         opened? (and link (not (false? (:open? options))) (desktop/open! link))
         ;; The browser has used up the first link.
         served (if opened? (serve where options) served)]
     (println (if link (str (if opened? "Opened in the browser. If nothing appears, open " "Open ") (:link served)) (str "Listening at " url)))
     served)))

(def ^{:arglists (:arglists (meta #'serve-ui))} serve-files
  "Former name of serve-ui in clj-async-profiler."
  serve-ui)

(defn stop-ui
  "Ends serve-ui. :pid as for start."
  ([] (stop-ui {}))
  ([options] (.execute (profiler (known-with-defaults options)) "stop-http")))

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
