(ns hearth.options
  "The options of hearth.core's functions, as the agent and the launcher take them. Pure functions."
  (:require [clojure.string :as str]))

;; What the functions keep to themselves.
(def ^:private own #{:pid :url :token :title :generate-flamegraph? :transform :config :predefined-transforms :format
                     :framebuf :silent? :host :port :token-file :link :open? :return-file})
;; Naming takes place when the session ends, the rest of the output's shape when it is converted.
(def ^:private naming [:threads :sig :lib :norm :clojure])
(def ^:private choosing [:event :include :exclude :samples :total :ann :simple :lines])
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

(defn naming-text [options] (text options naming))

(defn- shaped [options format ks]
  (str/join \, (remove str/blank? [format "dot" (text options ks)])))

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
  (shaped (cond-> (shown options) (:reverse (:config options)) (assoc :reverse true)) "flamegraph" (concat choosing drawing)))

(defn page-of-stacks
  "The same of stacks, which hold one value and only what was chosen."
  [options]
  (page (apply dissoc options :live choosing)))

(defn difference
  "Format and options of the page of a difference; those of what is shown only unless it is already chosen."
  [options chosen?]
  (let [options (if chosen? (apply dissoc options :live choosing) (dissoc (shown options) :minwidth))
        options (if (:reverse (:config options)) (assoc options :reverse true) options)]
    (str/join \, (remove str/blank? ["html" "dot" (text options (concat choosing [:absolute :title :reverse :inverted]))]))))

(defn stacks
  "Format and options of collapsed stacks; `lens` is :samples, :total or nil for that of the options."
  [options lens]
  (shaped (cond-> (shown options) lens (-> (dissoc :samples :total) (assoc lens true))) "collapsed" choosing))
