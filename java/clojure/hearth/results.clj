(ns hearth.results
  "The folder of a REPL's profiles, and the numbers of its runs."
  (:require [clojure.string :as str])
  (:import (hearth Profiler)
           (java.io File)
           (java.nio.file Files)
           (java.nio.file.attribute FileAttribute)
           (java.time LocalDateTime)
           (java.time.format DateTimeFormatter)))

(def ^:private own-file #"\d{8}_\d{6}-\d+-.*\.(pb\.gz|jfr|otlp|json|txt|html|collapsed)|.*-diffgraph(_\d+)?\.html")

(defonce ^:private runs (atom (sorted-map)))

(defn folder
  "Creates it if it does not exist."
  ^File []
  (let [path (.toAbsolutePath (Profiler/resultsFolder))]
    (when-not (.isDirectory (.toFile path)) (Files/createDirectories path (make-array FileAttribute 0)))
    (.toFile path)))

(defn file
  "A file of a run, by the ending of its name."
  ^File [run ending]
  (File. (folder) (str (:name run) \- ending)))

(defn new-file
  "Creates a file that did not exist: NAME.html, else NAME_02.html and so on, which `ls` lists in this order."
  ^File [name ending]
  (let [file (fn [number] (File. (folder) (str name (when (< 1 number) (format "_%02d" number)) ending)))]
    (first (filter #(.createNewFile ^File %) (map file (iterate inc 1))))))

(defn- delete! [^File file]
  (run! delete! (.listFiles file))
  (.delete file))

(defn with-scratch
  "Returns the result of `use` for a new folder, which is deleted afterwards."
  [use]
  (let [scratch (.toFile (Files/createTempDirectory (.toPath (folder)) ".scratch-" (make-array FileAttribute 0)))]
    (try (use scratch) (finally (delete! scratch)))))

(defn add-run!
  "Creates the next run, for an event, with the prefix of its files' names."
  [event]
  (let [time (.format (LocalDateTime/now) (DateTimeFormatter/ofPattern "yyyyMMdd_HHmmss"))
        number (fn [runs] (inc (or (first (last runs)) 0)))
        known (swap! runs (fn [runs]
                            (let [id (number runs)]
                              (assoc runs id {:id id :event event :name (str time \- (format "%02d" id) \- (name event))}))))
        run (val (last known))]
    ;; Another REPL may write to this folder, too.
    (if (.createNewFile (file run "profile.pb.gz")) run (recur event))))

(defn keep!
  "Remembers the changed run and returns it."
  [run]
  (get (swap! runs assoc (:id run) run) (:id run)))

(defn run-of
  "A run by its number or by one of its files; nil if there is none."
  [id-or-file]
  (if (number? id-or-file)
    (get @runs (long id-or-file))
    (let [given (.getName (File. (str id-or-file)))]
      (first (filter #(str/starts-with? given (str (:name %) \-)) (vals @runs))))))

(defn latest
  "The run that began last; nil if there is none."
  []
  (second (last @runs)))

(defn clear!
  "Deletes the files of all runs; numbers start at 1 again."
  []
  (let [files (filter #(re-matches own-file (.getName ^File %)) (.listFiles (folder)))]
    (doseq [^File file files] (.delete file))
    (reset! runs (sorted-map))
    (count files)))
