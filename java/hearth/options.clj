(ns hearth.options
  "The options of hearth.core's functions, as the agent and the launcher take them. Pure functions."
  (:require [clojure.string :as str])
  (:import (java.util.regex Pattern)))

;; What the functions keep to themselves.
(def ^:private own #{:pid :url :token :title :generate-flamegraph? :transform :config :predefined-transforms :format
                     :label :framebuf :silent? :host :port :token-file :link :open? :return-file})
;; Naming takes place when the session ends, the rest of the output's shape when it is converted.
(def ^:private naming [:threads :sig :lib :norm :clojure])
(def ^:private choosing [:event :label :include :exclude :samples :total :ann :simple :lines])
(def ^:private drawing [:title :minwidth :reverse :inverted])
(def ^:private all-events ["cpu" "cpu-clock" "ctimer" "itimer" "wall" "alloc" "lock"])
(def ^:private cpu-events #{:cpu :cpu-clock :ctimer :itimer})

;; Of the agent's options those that describe a session or its output. Others are for `start` alone.
(def ^:private of-agent #{:event :interval :wall :alloc :exact :live :tlab :lock :jstackdepth :features :cstack :show-profiler
                          :filter :begin :end :ttsp :session :timeout :collapsed :flamegraph :pprof :flat :traces :samples
                          :total :threads :simple :norm :sig :ann :lines :lib :dot :include :exclude :minwidth :highlight
                          :sort :reverse :inverted :clojure})

(defn- refuse [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn check-keys
  "Refuses a key that means nothing to any function of hearth.core, nor to this one, which knows `more`."
  [options & more]
  (when-let [unknown (first (remove (into (into own of-agent) more) (keys options)))]
    (refuse "unknown option " (pr-str unknown) "; (doc hearth.core/start) and (doc hearth.core/stop) list the options"))
  options)

(defn- text-of [k v]
  (let [text (if (keyword? v) (name v) (str v))
        text (if (= k :title) (str/replace text \, \;) text)]
    (when (re-find #"[,\p{Cntrl}]" text) (refuse k " holds a comma or a control character: " (pr-str text)))
    text))

(defn- event-names
  "Of :event, a keyword, a text with commas between several, or a collection; a set has the order of the list of events."
  [given]
  (let [text #(if (keyword? %) (name %) (str %))
        events (cond (nil? given) []
                     (set? given) (sort-by #(.indexOf ^java.util.List all-events (text %)) given)
                     (coll? given) given
                     :else [given])
        wrong #(refuse ":event is :cpu, or several as [:cpu :alloc], not " (pr-str %))
        names (distinct (mapcat #(str/split (text %) #",") events))]
    (when (and (some? given) (empty? names)) (wrong given))
    (run! wrong (remove #(re-matches #"[A-Za-z-]+" %) names))
    names))

(defn- words [k v]
  (cond
    (= k :event) (map #(str "event=" (text-of k %)) (event-names v))
    (or (nil? v) (false? v)) []
    (true? v) [(name k)]
    (or (sequential? v) (set? v)) (mapcat #(words k %) v)
    :else [(str (name k) \= (text-of k v))]))

(defn- features [v]
  (let [given (if (or (nil? v) (coll? v)) v [v])]
    (str/join \+ (map name (distinct (mapcat #(if (= % :all) [:vtable :comptask] [%]) given))))))

(defn- text [options ks]
  (str/join \, (mapcat #(words % (get options %)) ks)))

(defn words-of
  "All options of these maps as the agent's text."
  [& maps]
  (str/join \, (remove str/blank? (map #(text % (sort (keys %))) maps))))

(def ^:private comma-in-value "What stands in the agent's text for a comma of a value." "\u001f")

(defn- value-word [k v]
  (str k \= (str/replace v "," comma-in-value)))

(defn- literally [text]
  (str/replace text #"[\\^$.|?*+()\[\]{}/]" #(str \\ %)))

(defn- regex
  "A pattern without its slashes, and what stands behind them."
  [what]
  (if (instance? Pattern what)
    (let [text (str what)
          inline? (str/starts-with? text "(?i)")
          no-case? (or inline? (pos? (bit-and (.flags ^Pattern what) Pattern/CASE_INSENSITIVE)))]
      [(cond-> text inline? (subs 4)) (if no-case? "i" "")])
    [(literally what) ""]))

(defn- pattern
  "As the page takes it: a text that is found as it stands, or /regex/."
  [what]
  (if (or (instance? Pattern what) (str/starts-with? what "/"))
    (let [[text flags] (regex what)] (str \/ text \/ flags))
    what))

(defn- replacement
  "As JavaScript has it."
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
  "Whether the page can do the transforms itself, where its reader may switch them off; functions it cannot."
  [options]
  (not-any? #(fn? (:replacement %)) (transforms-of options)))

(defn- of-config
  "What the page does when it opens."
  [{:keys [config] :as options}]
  (let [highlights (let [given (:highlight config)] (if (or (nil? given) (coll? given)) given [given]))]
    (concat (when (:reverse config) ["reverse"])
            (when-let [order (:sort-by config)] [(value-word "sort" (name order))])
            (when (for-page? options) (map #(value-word "transform" (transform-text %)) (transforms-of options)))
            (map #(value-word "highlight" (pattern %)) highlights))))

(defn event
  "What a session is of, the first of several, as a keyword."
  [options]
  (cond
    (seq (event-names (:event options))) (keyword (text-of :event (first (event-names (:event options)))))
    (some options [:live :exact :tlab :alloc]) :alloc
    (:wall options) :wall
    (:lock options) :lock
    :else :cpu))

(defn start
  "Those of a start, as the agent's text."
  [options]
  (let [event (event options)
        options (cond-> (assoc (apply dissoc options own) :features (features (:features options)))
                  (not (:features options)) (dissoc :features)
                  (cpu-events event) (update :interval #(or % 1000000))
                  (not (seq (event-names (:event options)))) (assoc :event (when (= :cpu event) :cpu)))]
    (text options (cons :event (sort (remove #{:event} (keys options)))))))

(defn label-text
  "A label's key or value, as it is set and as it is chosen."
  ^String [x]
  (cond
    (string? x) x
    (ident? x) (if-let [space (namespace x)] (str space "/" (name x)) (name x))
    :else (str x)))

(defn- chosen-text [v]
  (when (coll? v) (refuse ":label holds a collection where a value should be: " (pr-str v)))
  (let [text (label-text v)]
    (when (re-find #"\p{Cntrl}" text) (refuse ":label holds a control character: " (pr-str v)))
    text))

(defn- labels
  "A word for each value of each label."
  [{:keys [label]}]
  (when-not (or (nil? label) (map? label)) (refuse ":label is a map, as {:thread \"main\"}, not " (pr-str label)))
  (for [[k given] label
        v (if (or (sequential? given) (set? given)) given [given])]
    (value-word "label" (str (chosen-text k) \: (chosen-text v)))))

(defn samples?
  "Whether a session of these options samples the event, or all of several."
  [options wanted]
  (let [kind #(get {:cpu-clock :cpu, :ctimer :cpu, :itimer :cpu, :live :alloc} % %)
        beside (vals (select-keys {:wall :wall, :alloc :alloc, :live :alloc, :exact :alloc, :tlab :alloc, :lock :lock}
                                  (filter options (keys options))))]
    (every? (into #{} (map kind) (concat [(event options)] (map keyword (event-names (:event options))) beside))
            (map (comp kind keyword) (event-names wanted)))))

(defn stop
  "Those of a stop, as the agent's text: which session, by what was given, else what is known of its start, and how its frames
  are named."
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
  "Of several events the one that was asked for; live objects are shown before all."
  [options]
  (cond
    (:live options) (dissoc options :event)
    (:event options) (assoc options :event (get #{:wall :alloc :lock} (event options) :cpu))
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

;; Which stacks a function is given, and how they are spelled.
(def ^:private choosing-stacks [:label :include :exclude :simple])

(defn stack-lines
  "Format and options of the text of each stack once."
  [options]
  (shaped options "collapsed" choosing-stacks "stacks"))

(defn chosen-stacks
  "Format and options of a profile of these stacks, with all that is known of them."
  [options]
  (shaped options "pprof" choosing-stacks))

(defn rewritten
  "An output with the stacks of stack-lines replaced by the lines of the file."
  [output file]
  (str output \, (value-word "rewrite" (str file))))

(defn without-choice
  "Options of what has only the stacks that they choose."
  [options]
  (dissoc options :label :include :exclude))

(defn stacks
  "Format and options of collapsed stacks; `lens` is :samples, :total or nil for that of the options."
  [options lens]
  (shaped (cond-> (shown options) lens (-> (dissoc :samples :total) (assoc lens true))) "collapsed" choosing))
