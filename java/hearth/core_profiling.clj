;; Of hearth.core: what profiles. Its functions and their keys mean what clj-async-profiler's do.
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
  "Options for all functions from now on; what a call says itself goes before them. Returns them."
  [options]
  (reset! default-options options))

(defn- wrong [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn- with-defaults [options]
  (when-not (or (nil? options) (map? options)) (wrong "options are a map, as {:event :alloc}, not " (pr-str options)))
  (merge @default-options options))

(defn- pid-of [pid]
  (cond
    (integer? pid) (long pid)
    (and (string? pid) (re-matches #"\d{1,9}" pid)) (Long/parseLong pid)
    :else (wrong ":pid is the number of a process, as 4711, not " (pr-str pid))))

(defn- known-with-defaults
  "For a function that gives the agent no unknown options, to be refused there. `more` are keys of its own."
  [options & more]
  (let [all (with-defaults options)]
    (apply options/check-keys options more)
    all))

(defn- profiler ^Profiler [{:keys [pid url token token-file]}]
  (cond
    (and pid url) (wrong ":pid and :url exclude each other")
    url (Profiler/at (str url) (str (or token (some-> token-file slurp))))
    pid (Profiler/of (long (pid-of pid)))
    :else (Profiler/here)))

(defn- transformer-of [{:keys [transform config predefined-transforms]}]
  (when-not (or (nil? transform) (ifn? transform)) (wrong ":transform is a function of a stack, not " (pr-str transform)))
  (stacks/transformer transform (concat predefined-transforms (:transforms config))))

(defn- transformer-before-page
  "Of what the page does not do itself."
  [options]
  (let [all (transformer-of options)]  ; which also tells what is wrong with any
    (if (options/for-page? options) (stacks/transformer (:transform options) nil) all)))

(defn- format-of [{:keys [format generate-flamegraph?]}]
  (let [format (or format (if (false? generate-flamegraph?) :collapsed :flamegraph))]
    (or (#{:data :pprof :collapsed :flamegraph} ({:html :flamegraph} format format))
        (wrong ":format is :flamegraph, :collapsed, :pprof or :data, not " (pr-str format)))))

(defn- check-config [{:keys [config]}]
  (when-let [unknown (seq (remove #{:transforms :reverse :highlight :sort-by} (keys config)))]
    (wrong (first unknown) " of :config is not known; known are :transforms, :reverse, :highlight and :sort-by"))
  (when-let [wish (:sort-by config)]
    (when-not (#{:name :width} wish) (wrong ":sort-by of :config is :name or :width, not " (pr-str wish))))
  (let [highlight (:highlight config)]
    (doseq [one (if (coll? highlight) highlight [highlight])]
      (when-not (or (nil? one) (instance? Pattern one) (and (string? one) (seq one)))
        (wrong ":highlight of :config is a string or a regular expression, or several, not " (pr-str one))))))

(defn- check
  "What is wrong with the options of a result is told before a session starts, and before it ends."
  [options]
  (format-of options)
  (check-config options)
  (transformer-of options)
  (options/page options))

(defn start
  "Starts profiling, and returns what was started. Sessions of different events run beside each other: (start {:event :alloc})
  beside one of :cpu, (stop {:event :alloc}) ends it alone. Throws when a session of an event runs already, unless :session gives
  this one a name.

  Which JVM:
    (none)      this one; needs no flag of the JVM
    :pid        another process of this machine, also of another user or in a container for root
    :url :token one that listens (serve-ui there, or `hearth http PID`): \"http://127.0.0.1:7070\", and what its token
                file holds, or :token-file; or \"unix:PATH\", which needs no token, and JDK 16 or newer here
  What:
    :event      :cpu (unless given), :wall, :alloc, :lock, :cpu-clock, :ctimer, :itimer; list-event-types tells all. Several as
                [:cpu :alloc], of which the first has the :interval and is shown first
    :interval   between two samples: nanoseconds (1000000 of CPU time, 50 ms for :wall), or \"10ms\"; for :alloc bytes, or \"512k\"
    :threads    true: each thread by itself
    :features   [:vtable :comptask :pcaddr], :all is the first two
    :wall :alloc :lock  beside another event its interval, as in {:event :cpu :alloc \"512k\"}; true takes the usual one
    :live       true: allocated objects and which of them are still reachable; :exact true: each one, slowly
    :filter     only threads of these names or ids: [\"main\" \"pool-.*\"] joined by ;, as \"main;pool-.*\"
    :session    a name, by which stop means it: then :cpu and :wall also run beside others of the same, each at its own interval
    and every other option of the agent by its name, as :jstackdepth, :cstack, :timeout; README lists them. An unknown one is
    refused. :framebuf is not needed, and does nothing."
  ([] (start {}))
  ([options]
   (let [options (with-defaults options)
         _ (check options)
         message (.start (profiler options) (options/start options))]
     (sessions/add! options)
     message)))

(defn status
  "What the agent is doing, as text: how long, samples, lost, and more. :pid, :url and :token as for start."
  ([] (status {}))
  ([options] (.getStatus (profiler (known-with-defaults options)))))

(defn- events-of [options]
  (options/words-of (select-keys options [:session :event])))

(defn pause
  "Samples no more of :event, as {:event :alloc}, while other events of its session go on; of all its events without one. What
  there is stays in the profile, which says for how long each was paused. :session, :pid, :url and :token as for start. Returns what
  is paused."
  ([] (pause {}))
  ([options]
   (let [options (known-with-defaults options)]
     (.pause (profiler options) (events-of options)))))

(defn resume
  "Goes on with what pause has paused: :event, or all."
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
  "Where a transform goes wrong the session is over, so the message has the file that is left of it."
  [stored & body]
  `(try
     ~@body
     (catch Exception thrown#
       (throw (IllegalArgumentException. (str "a transform threw " thrown# "; the profile as it was is kept: " ~stored) thrown#)))))

(defn- transformed [f weights stored]
  (kept-on-error stored (stacks/transform f weights)))

(defn- write-stacks [stored ^File to f options]
  (let [text (text-as stored (options/stacks options nil))
        text (if f (stacks/collapsed (transformed f (stacks/weights text) stored)) text)]
    (when (and f (str/blank? text)) (wrong "no stack is left after transforms; the profile as it was is kept: " stored))
    (write! to (.getBytes ^String text "UTF-8"))))

(defn- write-rewritten
  "What a function makes of each stack, a line each, as the launcher takes it."
  [stored f ^File to options]
  (let [lines (remove str/blank? (str/split (text-as stored (options/stack-lines options)) #"\n"))
        changed (kept-on-error stored (mapv #(str/replace (str (f %)) #"[\r\n]+" " ") lines))]
    (when (every? str/blank? changed) (wrong "no stack is left after transforms; the profile as it was is kept: " stored))
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
  "Gives a process a command in the agent's own words, as \"dump,flat=10\" or \"metrics\", and returns what it answers, as text."
  [pid command]
  (.execute (profiler {:pid pid}) command))

(def async-profiler-agent-path
  "Where clj-async-profiler names another build of its agent. hearth's is named by the property hearth.library-path of the JVM;
  a reset! of this throws, and says so."
  (atom nil :validator #(or (nil? %) (throw (IllegalArgumentException.
                                              "hearth has an agent of its own; -Dhearth.library-path=PATH names another build of it")))))

(defn- stop-session [options]
  (let [;; A default is what a session is of that says nothing of it, and does not tell which one is meant.
        given (merge (dissoc (with-defaults options) :event) (select-keys options [:event]))
        then (sessions/started-for given)
        options (merge @default-options then given)
        _ (check options)
        content (.stopToBytes (profiler options) (options/stop given then options))
        run (results/add-run! (options/event options))]
    (sessions/forget! given then)
    (result-of (results/keep! (assoc run :profile (write! (results/file run "profile.pb.gz") content))) options)))

(defn stop
  "Stops profiling and returns the flame graph's file. Throws when no session runs, or several and none is named.

  :pid, :url, :token        as for start
  :session                  which session, by its name or number
  :format                   :flamegraph; :collapsed and :pprof are the other files; :data is [{:stack [\"outermost\" …] :samples n
                            :total n} …], the largest total (nanoseconds, or bytes) first
  :generate-flamegraph?     false: the same as :format :collapsed
  :event                    which session, by an event of it; and which is shown, where it has several
  :title :minwidth :reverse of the flame graph
  :include :exclude         only, or no, stacks with such a frame (\"*parse*\"), or several
  :label                    only samples with such labels: {:endpoint \"/x\"}, * at either end as above, a list for any of
                            several, nil for lacking it, as {:thread [\"main\" \"pool-*\"] :state nil}
  :total                    true: nanoseconds or bytes where one number is shown, not samples or objects
  :transform                a function of a whole stack, frames parted by ; and outermost first: what it gives stands for
                            the stack, nil drops it
  :config                   {:reverse true, :transforms [{:type :filter, :what \"string\" or #\"regex\"} {:type :remove, :what …}
                            {:type :replace, :what …, :replacement \"$1\"}], :highlight \"string\" or #\"regex\" or several};
                            {:enabled false} passes one over. :predefined-transforms is :transforms. A flame graph does
                            them itself, and its reader may switch them off. :sort-by is :name or :width; it and :highlight
                            are of flame graphs.

  The profile itself is kept as pprof beside what is returned, in the folder `results` of the property hearth.output-dir,
  else of ~/.hearth; its run number stands for it in generate-flamegraph and find-profile."
  ([] (stop {}))
  ([options]
   (known-with-defaults options)
   (stop-session options)))

(defn- stop-after
  "Stops for somebody who was thrown out, which matters more than that the session cannot be stopped."
  [^Throwable thrown options]
  (try
    (stop-session options)
    (catch Exception unstopped (.addSuppressed thrown unstopped)))
  (throw thrown))

(defn- own-session
  "Options of a session that its start alone ends."
  [options]
  (sessions/named @default-options options))

(defn- start-of-profile
  "The start of what returns the body's value."
  [options]
  (when (and (= :data (format-of (with-defaults options))) (not (:return-file options)))
    (wrong "profile returns the body's value, and :format :data would be lost: use start and (stop {:format :data}), profile-for, "
           "or :return-file true here"))
  (start options))

(defmacro profile
  "Profiles the body and returns its value; prints what was started, and the file of the result. The first form may be a map
  of options, those of start and stop; with :return-file true it returns what stop does. The session ends also when the body
  throws."
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
  "Profiles for so many seconds, and returns what stop does. Prints what was started. Options are those of start and stop."
  ([seconds] (profile-for seconds {}))
  ([seconds options]
   (when-not (and (number? seconds) (< 0 seconds 1e9)) (wrong "seconds are a number above 0, not " (pr-str seconds)))
   (let [options (own-session options)]
     (println (start options))
     (try
       (Thread/sleep (long (* 1000 seconds)))
       (catch Throwable thrown (stop-after thrown options)))
     (stop-session options))))

(defn list-event-types
  "Prints the events that the JVM offers, and returns them as keywords. :silent? true does not print; :pid, :url and :token as
  for start."
  ([] (list-event-types {}))
  ([options]
   (let [text (.execute (profiler (known-with-defaults options)) "list")]
     (when-not (:silent? options) (println (str/trim-newline text)))
     (mapv (comp keyword second) (re-seq #"(?m)^ +(\S+)" text)))))

(defn find-profile
  "A run of this REPL by its number or one of its files: {:id :event :name :profile}, the last the file in pprof; nil where
  there is none."
  [run-id-or-file]
  (results/run-of run-id-or-file))

(defn- stored-of [run-id-or-file]
  (or (:profile (results/run-of run-id-or-file))
      (when (number? run-id-or-file)
        (throw (IllegalArgumentException. (str "there is no run " run-id-or-file " in this REPL; name its file"))))
      (let [file (File. (str run-id-or-file))]
        (if (.isFile file) file (throw (IllegalArgumentException. (str file " is not there")))))))

(defn- base-of [^File stored]
  (str/replace (.getName stored) #"(-(profile|collapsed|flamegraph))?\.(pb\.gz|txt|collapsed|html)$" ""))

(defn generate-flamegraph
  "Makes the flame graph of a run, by its number, or of a file with collapsed stacks or pprof, in a new file, and returns
  that. Options are those of stop that shape it, as :title, :label, :transform, :config."
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
  "The profile with its stacks transformed, in a file of the same name in this folder."
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
    (throw (IllegalArgumentException. "over HTTP a difference is not transformed by functions")))
  (let [page (.compareStored (profiler options) before after (options/difference options))]
    (write! (results/new-file (str before "-" after "-diffgraph") ".html") page)))

(defn generate-diffgraph
  "The difference of two profiles as a flame graph: what grew, shrank, is new and has vanished, and which of it chance
  explains. Returns its file. The profiles are run numbers, what find-profile gives, or files with collapsed stacks,
  pprof or hearth's pages, of one event; with :url (and :token) ids that the JVM there has stored.
  Options:
    :absolute   true: compares samples, time or bytes as they are, of two runs that did the same work; else shares
    :event      which one, where several were profiled
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
  "Deletes the files of all runs in the results folder; run numbers begin anew. Returns how many files there were."
  []
  (results/clear!))

(defn- serve [where {:keys [token-file] :as options}]
  (let [words (cond-> [(str "http=" where)] token-file (conj (str "token=" token-file)))
        text (.execute (profiler options) (str/join \, words))
        said #(second (re-find (re-pattern (str "(?m)^" % ": (.*)$")) text))]
    {:url (said "Control server") :token-file (said "Token") :link (said "Open")}))

(defn serve-ui
  "Lets a browser control the JVM, and open and compare the runs in the results folder. At 127.0.0.1 unless a host is given and at a free port for 0; \"unix:PATH\" for a port is a
  Unix socket. Opens the page where there is a desktop. Prints a link that is good once, for 5 minutes; once more prints another.
  Returns {:url :token-file :link}, which all functions take as options: they then profile that JVM. stop-ui ends it.
  Options: :pid for another JVM; :open? false opens nothing; :token-file, a file of this user alone that holds the secret, or
  is made, without which only this machine can be served."
  {:arglists '([] [port] [port options] [host port] [host port options])}
  ([] (serve-ui 0))
  ([port] (serve-ui port {}))
  ([host port] (if (map? port) (serve-ui "127.0.0.1" host port) (serve-ui host port {})))
  ([host port options]
   (let [options (known-with-defaults options)
         where (if (string? port) port (str host \: port))
         {:keys [url link] :as served} (serve where options)
         opened? (and link (not (false? (:open? options))) (desktop/open! link))
         ;; The browser has used the first one up.
         served (if opened? (serve where options) served)]
     (println (if link (str (if opened? "Opened in the browser; elsewhere, or if that cannot, open " "Open ") (:link served)) (str "Listening at " url)))
     served)))

(def ^{:arglists (:arglists (meta #'serve-ui))} serve-files
  "What serve-ui is called in older versions of clj-async-profiler."
  serve-ui)

(defn stop-ui
  "Ends serve-ui. :pid as for start."
  ([] (stop-ui {}))
  ([options] (.execute (profiler (known-with-defaults options)) "stop-http")))

(defn print-jvm-opt-for-startup-profiling
  "Prints, and returns, the option with which a JVM profiles itself from its first instruction to its end, into a flame graph in
  the results folder. Options are those of start, and :file names another file; .pb.gz and .collapsed are other formats.
  At a shell `hearth launch -- java …` does the same."
  ([] (print-jvm-opt-for-startup-profiling {}))
  ([options]
   (let [options (with-defaults options)
         file (str (or (:file options) (File. (results/folder) "startup-%t-%p-flamegraph.html")))
         option (Profiler/jvmOption (options/start (assoc options :file file)))]
     (println "Give it to java before -jar or the main class, to the Clojure CLI with -J in front:")
     (println option)
     (println "When that JVM has ended, its profile is" (str file ", where %t is the time and %p the process id."))
     option)))
