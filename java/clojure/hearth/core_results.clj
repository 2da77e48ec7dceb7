;; Part of hearth.core: files and data made of stored profiles.
(in-ns 'hearth.core)

(require '[clojure.string :as str]
         '[hearth.options :as options]
         '[hearth.results :as results]
         '[hearth.stacks :as stacks])
(import '(hearth Profiler)
        '(java.io File)
        '(java.nio.file Files OpenOption))

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
      (:jfr :otlp) (write! (results/file run (str "profile." (name (format-of options))))
                           (convert stored (options/file-of-tools options (format-of options))))
      :data (data-of stored options)
      :pprof stored
      :collapsed (write-stacks stored (results/file run "collapsed.txt") (transformer-of options) options)
      :flamegraph (write! (results/file run "flamegraph.html")
                          (page-of stored (merge {:title (title-of-run run)} options))))))

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
