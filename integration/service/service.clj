;; An ordinary JSON service: decodes requests, computes, encodes responses. Prints "listening on PORT".
;;   GET  /timeline        the whole timeline, encoded again each time
;;   POST /statistics      a timeline in, its figures out
;;   GET  /search?q=WORD   the tweets that hold a word
;; With the word `patterns` it searches by a regular expression that is compiled for each tweet, which takes longer.
(ns service
  (:require [cheshire.core :as json]
            [clojure.string :as string]
            [tweets])
  (:import (com.sun.net.httpserver HttpExchange HttpHandler HttpServer)
           (java.net InetSocketAddress URLDecoder)
           (java.util.concurrent Executors)))

(set! *warn-on-reflection* true)

(def ^:private text (tweets/timeline 42 720))
(def ^:private timeline (json/parse-string text true))

(defn- statistics [{:keys [statuses]}]
  {:tweets (count statuses)
   :retweets (transduce (map :retweet_count) + statuses)
   :authors (count (into #{} (map (comp :screen_name :user)) statuses))
   :words (->> statuses
               (mapcat #(string/split (:text %) #"\s+"))
               frequencies
               (sort-by val >)
               (take 10))})

(defn- found-by-pattern [word tweet]
  (re-find (re-pattern (str "(?i)" word)) (pr-str tweet)))

(defn- found [word tweet]
  (string/includes? (:text tweet) word))

(def ^:private matching
  (if (= ["patterns"] *command-line-args*) found-by-pattern found))

(defn- search [word]
  {:found (filterv #(matching word %) (:statuses (json/parse-string text true)))})

(defn- query [^HttpExchange exchange]
  (let [[_ word] (string/split (.. exchange getRequestURI getRawQuery) #"=" 2)]
    (URLDecoder/decode ^String word "UTF-8")))

(def ^:private routes
  {"/timeline" (fn whole-timeline [_] timeline)
   "/statistics" (fn statistics-of-body [^HttpExchange exchange]
                   (statistics (json/parse-string (slurp (.getRequestBody exchange)) true)))
   "/search" (fn search-by-query [exchange] (search (query exchange)))})

(defn- handler [answer]
  (reify HttpHandler
    (handle [_ exchange]
      (let [body (.getBytes ^String (json/generate-string (answer exchange)) "UTF-8")]
        (.add (.getResponseHeaders exchange) "Content-Type" "application/json")
        (.sendResponseHeaders exchange 200 (alength body))
        (with-open [out (.getResponseBody exchange)]
          (.write out body))))))

(let [server (HttpServer/create (InetSocketAddress. "127.0.0.1" 0) 0)]
  (doseq [[path answer] routes]
    (.createContext server path (handler answer)))
  (.setExecutor server (Executors/newFixedThreadPool 4))
  (.start server)
  (println "listening on" (.. server getAddress getPort)))
