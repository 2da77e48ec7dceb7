(ns hearth.stacks
  "Collapsed stacks as text and as data, and what transforms make of them. Pure functions.

  Weights are a map from a stack (frames parted by ; and outermost first) to a vector of its numbers."
  (:require [clojure.string :as str])
  (:import (java.util.regex Pattern)))

(defn- parse-line [^String line]
  (let [blank (.lastIndexOf line " ")]
    [(subs line 0 blank) (Long/parseLong (subs line (inc blank)))]))

(defn weights
  "Of texts of collapsed stacks that tell of the same samples, one text a number."
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
  "The text of weights, by the first number of each."
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
    :else (refuse ":what of a transform is a string or a regular expression, not " (pr-str what))))

(defn- transform-of [{:keys [type what replacement] :as transform}]
  (let [matches? (matcher what)]
    (case type
      :filter (fn [stack] (when (matches? stack) stack))
      :remove (fn [stack] (when-not (matches? stack) stack))
      :replace (if (or (string? replacement) (fn? replacement))
                 (fn [stack] (str/replace stack what replacement))
                 (refuse ":replacement of a transform is a string, not " (pr-str replacement)))
      (refuse ":type of a transform is :filter, :remove or :replace, not " (pr-str (:type transform))))))

(defn transformer
  "One function of all transforms, those of `f` first; nil when there are none. It gives nil for a stack that is to go."
  [f transforms]
  (let [enabled (remove #(false? (:enabled %)) transforms)
        steps (cond->> (map transform-of enabled) f (cons f))]
    (when (seq steps)
      (fn [stack] (reduce (fn [stack step] (let [changed (step stack)]
                                             (if (str/blank? changed) (reduced nil) changed)))
                          stack
                          steps)))))

(defn transform
  "Weights with their stacks transformed; those that become the same are added."
  [f weights]
  (reduce (fn [all [stack numbers]]
            (if-let [changed (f stack)]
              (update all changed #(if % (mapv + % numbers) numbers))
              all))
          {}
          weights))
