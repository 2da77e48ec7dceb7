(ns hearth.options
  "Options of hearth.core's functions, translated for the agent and the launcher. Pure functions."
  (:require [clojure.string :as str])
  (:import (java.util.regex Pattern)))

;; Options that the functions handle themselves.
(def ^:private own #{:pid :url :token :title :generate-flamegraph? :transform :config :predefined-transforms :format
                     :label :framebuf :silent? :host :port :token-file :link :open? :return-file})
;; Frames are named when the session ends; the other output options apply when it is converted.
(def ^:private naming [:threads :sig :lib :norm :clojure])
(def ^:private choosing [:event :label :include :exclude :samples :total :ann :simple :lines])
(def ^:private drawing [:title :minwidth :reverse :inverted])
(def ^:private all-events ["cpu" "cpu-clock" "ctimer" "itimer" "wall" "page-faults" "context-switches" "alloc" "lock" "nativemem" "nativelock" "io" "exception" "holders" "wakers" "vthreads"])
(def ^:private cpu-events #{:cpu :cpu-clock :ctimer :itimer})

;; Options of the agent that describe a session or its output. Others are for `start` alone.
(def ^:private of-agent #{:event :interval :wall :alloc :exact :live :tlab :lock :nativemem :nativelock :io :redact :nofree :messages :trace :jstackdepth :features :cstack :show-profiler
                          :filter :begin :end :ttsp :session :timeout :collapsed :flamegraph :pprof :otlp :flat :traces
                          :samples :total :threads :simple :norm :sig :ann :lines :lib :dot :include :exclude :minwidth :highlight
                          :sort :reverse :inverted :clojure})

(defn- refuse [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn check-keys
  "Refuses a key that is unknown to all functions of hearth.core and not among `more`, the keys of this one."
  [options & more]
  (when-let [unknown (first (remove (into (into own of-agent) more) (keys options)))]
    (refuse "unknown option " (pr-str unknown) "; (doc hearth.core/start) and (doc hearth.core/stop) list the options"))
  options)

(defn- text-of [k v]
  (let [text (if (keyword? v) (name v) (str v))
        wrong (if (= k :title) #"\p{Cntrl}" #"[,\p{Cntrl}]")]
    (when (re-find wrong text) (refuse k " must not contain a comma or a control character: " (pr-str text)))
    text))

(defn- value-word
  "Backslashes escape a comma of the value, and backslashes before it or at the end."
  [k v]
  (str k \= (-> v (str/replace #"(\\+)(?=,|\z)" "$1$1") (str/replace "," "\\,"))))

(defn- method-name
  "A method, or a function of Clojure: text, symbol, var or keyword with a namespace."
  [what]
  (cond (keyword? what) (subs (str what) 1)
        (var? what) (subs (str what) 2)
        :else (str what)))

(defn- method-name? [text]
  (boolean (re-find #"\A[^=./]*[./]" text)))

(defn- event-names
  "Names of :event, a keyword, a text separated by commas, or a collection; a set gets the order of the event list."
  [given]
  (let [text method-name
        events (cond (nil? given) []
                     (set? given) (sort-by #(mod (.indexOf ^java.util.List all-events (text %)) 1000) given)  ; others last
                     (coll? given) given
                     :else [given])
        wrong #(refuse ":event must be an event such as :cpu, or several such as [:cpu :alloc], not " (pr-str %))
        names (distinct (mapcat #(str/split (text %) #",") events))]
    (when (and (some? given) (empty? names)) (wrong given))
    (run! wrong (remove #(or (re-matches #"[\w:+@-]+" %) (method-name? %)) names))
    names))

(defn- words [k v]
  (cond
    (= k :event) (map #(str "event=" (text-of k %)) (event-names v))
    (= k :trace) (map #(value-word "trace" (text-of k (method-name %))) (cond (nil? v) [] (coll? v) v :else [v]))
    (or (nil? v) (false? v)) []
    (true? v) [(name k)]
    (or (sequential? v) (set? v)) (mapcat #(words k %) v)
    :else [(value-word (name k) (text-of k v))]))

(defn- features [v]
  (let [given (if (or (nil? v) (coll? v)) v [v])]
    (str/join \+ (map name (distinct (mapcat #(if (= % :all) [:vtable :comptask] [%]) given))))))

(defn- text [options ks]
  (str/join \, (mapcat #(words % (get options %)) ks)))

(defn words-of
  "All options of these maps as the agent's text."
  [& maps]
  (str/join \, (remove str/blank? (map #(text % (sort (keys %))) maps))))

(defn- literally [text]
  (str/replace text #"[\\^$.|?*+()\[\]{}/]" #(str \\ %)))

(defn- regex
  "A pattern without its slashes, and the flags after them."
  [what]
  (if (instance? Pattern what)
    (let [text (str what)
          inline? (str/starts-with? text "(?i)")
          no-case? (or inline? (pos? (bit-and (.flags ^Pattern what) Pattern/CASE_INSENSITIVE)))]
      [(cond-> text inline? (subs 4)) (if no-case? "i" "")])
    [(literally what) ""]))

(defn- pattern
  "In the page's notation: literal text, or /regex/."
  [what]
  (if (or (instance? Pattern what) (str/starts-with? what "/"))
    (let [[text flags] (regex what)] (str \/ text \/ flags))
    what))

(defn- replacement
  "In JavaScript's notation."
  [what text]
  (if (instance? Pattern what)
    (str/replace text #"\\(.)|\$0(?!\d)|\$\{(\w+)\}"
                 (fn [[found escaped named]]
                   (cond escaped (if (= escaped "$") "$$" escaped)
                         named (str "$<" named ">")
                         :else "$&")))
    (str/replace text "$" "$$")))

(defn- replace-text [{:keys [what] text :replacement}]
  (let [[from flags] (regex what)
        to (replacement what text)
        delimiter (first (remove (set (str from to)) "/|!#%@~\u0001"))]
    (str "replace:" delimiter from delimiter to delimiter flags)))

(defn- transform-text [{:keys [type what] :as transform}]
  (if (= type :replace) (replace-text transform) (str (name type) \: (pattern what))))

(defn- transforms-of [{:keys [config predefined-transforms]}]
  (remove #(false? (:enabled %)) (concat predefined-transforms (:transforms config))))

(defn for-page?
  "True if the page can apply the transforms itself, where its reader can switch them off; it cannot apply functions."
  [options]
  (not-any? #(fn? (:replacement %)) (transforms-of options)))

(defn- of-config
  "State of the page when it opens."
  [{:keys [config] :as options}]
  (let [highlights (let [given (:highlight config)] (if (or (nil? given) (coll? given)) given [given]))]
    (concat (when (:reverse config) ["reverse"])
            (when-let [order (:sort-by config)] [(value-word "sort" (name order))])
            (when (for-page? options) (map #(value-word "transform" (transform-text %)) (transforms-of options)))
            (map #(value-word "highlight" (pattern %)) highlights))))

(defn event
  "The event of a session, the first of several, as a keyword."
  [options]
  (cond
    (seq (event-names (:event options))) (let [first-name (first (event-names (:event options)))]
                                           (if (method-name? first-name) :calls (keyword (text-of :event first-name))))
    (some options [:live :exact :tlab :alloc]) :alloc
    (:wall options) :wall
    (:lock options) :lock
    (:nativemem options) :nativemem
    (:nativelock options) :nativelock
    (some options [:io :redact]) :io
    (:messages options) :exception
    (:trace options) :trace
    :else :cpu))

(defn start
  "Options of a start as the agent's text."
  [options]
  (let [event (event options)
        options (cond-> (assoc (apply dissoc options own) :features (features (:features options)))
                  (not (:features options)) (dissoc :features)
                  (cpu-events event) (update :interval #(or % 1000000))
                  (not (seq (event-names (:event options)))) (assoc :event (when (= :cpu event) :cpu)))]
    (text options (cons :event (sort (remove #{:event} (keys options)))))))

(defn label-text
  "A label's key or value as text, both when it is set and when it is selected."
  ^String [x]
  (cond
    (string? x) x
    (ident? x) (if-let [space (namespace x)] (str space "/" (name x)) (name x))
    :else (str x)))

(defn- chosen-text [v]
  (when (coll? v) (refuse ":label must not contain a collection in place of a value: " (pr-str v)))
  (let [text (label-text v)]
    (when (re-find #"\p{Cntrl}" text) (refuse ":label must not contain a control character: " (pr-str v)))
    text))

(defn- labels
  "One word of the agent's text per value of each label."
  [{:keys [label]}]
  (when-not (or (nil? label) (map? label)) (refuse ":label must be a map such as {:thread \"main\"}, not " (pr-str label)))
  (for [[k given] label
        v (if (or (sequential? given) (set? given)) given [given])]
    (value-word "label" (str (chosen-text k) \: (chosen-text v)))))

(defn samples?
  "True if a session with these options samples the event, or all of several."
  [options wanted]
  (let [kind #(get {:cpu-clock :cpu, :ctimer :cpu, :itimer :cpu, :live :alloc, :native-live :nativemem, :io-bytes :io} % %)
        beside (vals (select-keys {:wall :wall, :alloc :alloc, :live :alloc, :exact :alloc, :tlab :alloc, :lock :lock,
                                   :nativemem :nativemem, :nativelock :nativelock, :io :io, :redact :io, :trace :trace, :messages :exception}
                                  (filter options (keys options))))]
    (every? (into #{} (map kind) (concat [(event options)] (map keyword (event-names (:event options))) beside))
            (map (comp kind keyword) (event-names wanted)))))

(defn stop
  "Options of a stop as the agent's text: the session, by the given options, else by those of its start, and how its
  frames are named."
  [given then options]
  (let [which (cond (:session options) {:session (:session options)}
                    (:event given) {:event (:event given)}
                    then {:event (event then)})
        named (text options naming)]
    (str/join \, (remove str/blank? ["pprof" (words-of which) named (text options [:title])]))))

(defn- shaped [options format ks & more]
  (str/join \, (remove str/blank? (concat [format "dot" (text options (remove #{:label} ks))]
                                          (when (some #{:label} ks) (labels options))
                                          more))))

(defn- shown
  "The requested one of several events; live objects take precedence."
  [options]
  (cond
    (:live options) (dissoc options :event)
    (:event options) (assoc options :event (if (cpu-events (event options)) :cpu (event options)))
    :else options))

(defn page
  "Format and options of a flame graph."
  [options]
  (apply shaped (cond-> (shown options) (:reverse (:config options)) (dissoc :reverse)) "flamegraph" (concat choosing drawing)
         (of-config options)))

(defn difference
  "Format and options of the page of a difference."
  [options]
  (let [shown (cond-> (dissoc (shown options) :minwidth) (:reverse (:config options)) (dissoc :reverse))]
    (apply shaped shown "html" (concat choosing [:absolute :title :reverse :inverted]) (of-config options))))

;; Options that select the stacks a function receives, and their notation.
(def ^:private choosing-stacks [:label :include :exclude :simple])

(defn stack-lines
  "Format and options of a text with each stack once."
  [options]
  (shaped options "collapsed" choosing-stacks "stacks"))

(defn chosen-stacks
  "Format and options of a profile of these stacks with all its metadata."
  [options]
  (shaped options "pprof" choosing-stacks))

(defn file-of-tools
  "Format and options of a file for other tools, with all events."
  [options format]
  (shaped options (name format) choosing-stacks))

(defn rewritten
  "An output in which the lines of the file replace the stacks of stack-lines."
  [output file]
  (str output \, (value-word "rewrite" (str file))))

(defn without-choice
  "Options for a profile that was already reduced to the selected stacks."
  [options]
  (dissoc options :label :include :exclude))

(defn stacks
  "Format and options of collapsed stacks; `lens` is :samples, :total or nil for the one of the options."
  [options lens]
  (shaped (cond-> (shown options) lens (-> (dissoc :samples :total) (assoc lens true))) "collapsed" choosing))
