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
(def ^:private cpu-events #{:cpu :cpu-clock :ctimer :itimer})

(defn- refuse [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn- text-of [k v]
  (let [text (if (keyword? v) (name v) (str v))
        text (if (= k :title) (str/replace text \, \;) text)]
    (when (re-find #"[,\p{Cntrl}]" text) (refuse k " holds a comma or a control character: " (pr-str text)))
    text))

(defn- words [k v]
  (cond
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
  "What a session is of, as a keyword."
  [options]
  (cond
    (:event options) (keyword (text-of :event (:event options)))
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
                  (= :cpu event) (assoc :event :cpu))]
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
  "Whether a session of these options samples the event."
  [options wanted]
  (let [kind #(get {:cpu-clock :cpu, :ctimer :cpu, :itimer :cpu, :live :alloc} % %)
        beside (vals (select-keys {:wall :wall, :alloc :alloc, :live :alloc, :exact :alloc, :tlab :alloc, :lock :lock}
                                  (filter options (keys options))))]
    (some #{(kind (keyword (text-of :event wanted)))} (map kind (cons (event options) beside)))))

(defn stop
  "Those of a stop, as the agent's text: which session, by what was given, else what is known of its start, and how its frames
  are named."
  [given then options]
  (let [which (cond (:session options) {:session (:session options)}
                    (:event given) {:event (:event given)}
                    then {:event (event then)})
        named (text options naming)]
    (str/join \, (remove str/blank? ["pprof" (words-of which) named]))))

(defn- shaped [options format ks & more]
  (str/join \, (remove str/blank? (concat [format "dot" (text options (remove #{:label} ks))]
                                          (when (some #{:label} ks) (labels options))
                                          more))))

(defn- shown
  "Of several events the one that was asked for; live objects are shown before all."
  [options]
  (cond
    (:live options) (dissoc options :event)
    (:event options) (update options :event #(get #{:wall :alloc :lock} (keyword (name %)) :cpu))
    :else options))

(defn page
  "Format and options of a flame graph."
  [options]
  (apply shaped (cond-> (shown options) (:reverse (:config options)) (dissoc :reverse)) "flamegraph" (concat choosing drawing)
         (of-config options)))

(defn page-of-stacks
  "The same of stacks, which hold one value and only what was chosen."
  [options]
  (page (apply dissoc options :live choosing)))

(defn difference
  "Format and options of the page of a difference; those of what is shown only unless it is already chosen."
  [options chosen?]
  (let [shown (if chosen? (apply dissoc options :live choosing) (dissoc (shown options) :minwidth))
        shown (cond-> shown (:reverse (:config options)) (dissoc :reverse))]
    (apply shaped shown "html" (concat choosing [:absolute :title :reverse :inverted]) (of-config options))))

(defn stacks
  "Format and options of collapsed stacks; `lens` is :samples, :total or nil for that of the options."
  [options lens]
  (shaped (cond-> (shown options) lens (-> (dissoc :samples :total) (assoc lens true))) "collapsed" choosing))
