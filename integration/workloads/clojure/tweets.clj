(ns tweets
  "A made-up timeline in the shape of a social network's API answer, the same for the same seed."
  (:require [cheshire.core :as json])
  (:import (java.util Random)))

(def ^:private words
  ["profile" "caffè" "東京" "latency" "garbage" "collector" "naïve" "heap" "☕" "stack" "frame" "flame" "graph"
   "\"quoted\"" "back\\slash" "Ω" "socket" "kernel" "thread" "compile" "inline" "branch" "cache" "miss"])

(defn- sentence [^Random random length]
  (apply str (interpose " " (repeatedly length #(nth words (.nextInt random (count words)))))))

(defn- user [^Random random]
  {:id (+ 1000000 (.nextInt random 900000000))
   :name (sentence random 2)
   :screen_name (str "user_" (.nextInt random 100000))
   :description (sentence random 18)
   :followers_count (.nextInt random 50000)
   :verified (.nextBoolean random)
   :lang "ja"
   :profile_image_url (str "http://img.example/" (.nextInt random 1000000) ".jpeg")})

(defn- tweet [^Random random]
  {:id_str (str (Math/abs (.nextLong random)))
   :created_at "Sun Aug 31 00:29:15 +0000 2014"
   :text (sentence random 16)
   :user (user random)
   :coordinates (when (.nextBoolean random) [(* 180 (.nextDouble random)) (* 90 (.nextDouble random))])
   :entities {:hashtags (vec (repeatedly 3 #(hash-map :text (sentence random 1) :indices [(.nextInt random 140) 140])))
              :urls []
              :user_mentions (vec (repeatedly 2 #(hash-map :id (.nextInt random) :name (sentence random 1))))}
   :retweet_count (.nextInt random 1000)
   :favorited (.nextBoolean random)})

(defn timeline
  "JSON text of `size` tweets, about 1.2 KB each."
  [seed size]
  (let [random (Random. seed)]
    (json/generate-string {:statuses (vec (repeatedly size #(tweet random)))
                           :search_metadata {:count size :completed_in 0.087}})))
