(ns hearth.stacks
  "Collapsed stacks as text and as data, and transforms of them. Pure functions.

  Weights are a map from a stack (frames separated by ; and outermost first) to a vector of its numbers."
  (:require [clojure.string :as str])
  (:import (java.util.regex Pattern)))

(defn- parse-line [^String line]
  (let [blank (.lastIndexOf line " ")]
    [(subs line 0 blank) (Long/parseLong (subs line (inc blank)))]))

(defn weights
  "Weights from texts of collapsed stacks of the same samples, one text per number."
  [& texts]
  (let [zeros (vec (repeat (count texts) 0))]
    (reduce (fn [all [place text]]
              (reduce (fn [all line]
                        (let [[stack number] (parse-line line)]
                          (assoc all stack (update (all stack zeros) place + number))))
                      all
                      (remove str/blank? (str/split-lines text))))
            {}
            (map-indexed vector texts))))

(defn collapsed
  "The text of weights, with the first number of each."
  [weights]
  (apply str (for [[stack [number]] weights] (str stack \space number \newline))))

(defn data
  "Weights of samples and totals as a vector of {:stack [frame …] :samples n :total n}, the largest total first."
  [weights]
  (->> weights
       (sort-by (fn [[stack [_ total]]] [(- total) stack]))
       (mapv (fn [[stack [samples total]]] {:stack (str/split stack #";") :samples samples :total total}))))

(defn- refuse [& text]
  (throw (IllegalArgumentException. ^String (apply str text))))

(defn- matcher [what]
  (cond
    (instance? Pattern what) #(re-find what %)
    (string? what) #(str/includes? % what)
    :else (refuse ":what of a transform must be a string or a regular expression, not " (pr-str what))))

(defn- transform-of [{:keys [type what replacement] :as transform}]
  (let [matches? (matcher what)]
    (case type
      :filter (fn [stack] (when (matches? stack) stack))
      :remove (fn [stack] (when-not (matches? stack) stack))
      :replace (if (or (string? replacement) (fn? replacement))
                 (fn [stack] (str/replace stack what replacement))
                 (refuse ":replacement of a transform must be a string, not " (pr-str replacement)))
      (refuse ":type of a transform must be :filter, :remove or :replace, not " (pr-str (:type transform))))))

(defn transformer
  "One function of all transforms, `f` first; nil if there are none. It returns nil for a stack to drop."
  [f transforms]
  (let [enabled (remove #(false? (:enabled %)) transforms)
        steps (cond->> (map transform-of enabled) f (cons f))]
    (when (seq steps)
      (fn [stack] (reduce (fn [stack step] (let [changed (step stack)]
                                             (if (str/blank? changed) (reduced nil) changed)))
                          stack
                          steps)))))

(defn transform
  "Weights with transformed stacks; those of equal stacks are added."
  [f weights]
  (reduce (fn [all [stack numbers]]
            (if-let [changed (f stack)]
              (update all changed #(if % (mapv + % numbers) numbers))
              all))
          {}
          weights))
