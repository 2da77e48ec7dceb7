(ns sample.core
  (:require [clojure.string :as str]))

(defn word-counts [text]
  (frequencies (str/split text #" ")))

(defn work [rounds]
  (let [text (str/join " " (map #(str "word" (mod % 97)) (range 10000)))]
    (reduce + (map #(count (word-counts (str text %))) (range rounds)))))
