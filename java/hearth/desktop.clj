(ns hearth.desktop
  "Opens a page in the browser of who sits before this machine, where somebody does."
  (:require [clojure.string :as str])
  (:import (hearth StateFolder)
           (java.awt GraphicsEnvironment)
           (java.io File)
           (java.nio.file Files OpenOption)
           (java.nio.file.attribute FileAttribute PosixFilePermissions)))

;; What browse-url tries first, and a JVM without AWT can do.
(defn- xdg-open? []
  (boolean (some #(.canExecute (File. ^String % "xdg-open")) (remove str/blank? (str/split (or (System/getenv "PATH") "") #":")))))

(defn- there? []
  (boolean (and (some #(seq (System/getenv %)) ["DISPLAY" "WAYLAND_DISPLAY"])
                (not (Boolean/getBoolean "java.awt.headless"))
                (or (xdg-open?) (not (GraphicsEnvironment/isHeadless))))))

(defn- page-to [address]
  (let [escaped (str/escape address {\& "&amp;" \" "&quot;" \< "&lt;" \> "&gt;"})]
    (str "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><title>hearth</title>\n"
         "<a id=\"to\" href=\"" escaped "\">The console of hearth</a>\n"
         "<script>location.replace(document.getElementById('to').href)</script>\n")))

;; A browser that starts for the page takes a while to read it.
(def ^:private read-ms 120000)

(defn- page-file
  "A page that leads to the address and that only this user can read."
  ^File [address]
  (let [mine (PosixFilePermissions/asFileAttribute (PosixFilePermissions/fromString "rw-------"))
        path (Files/createTempFile (StateFolder/get) "open-" ".html" (into-array FileAttribute [mine]))]
    (.deleteOnExit (.toFile path))
    (Files/write path (.getBytes ^String (page-to address) "UTF-8") ^"[Ljava.nio.file.OpenOption;" (make-array OpenOption 0))
    (.toFile path)))

(defn- show [browse address]
  (let [file (page-file address)]
    (try
      (browse (str (.toUri (.toPath file))))
      (Thread/sleep read-ms)
      (finally (.delete file)))))

(defn open!
  "True where a browser was asked to open the address; that it does is not known. Never waits for it. All users of this machine
  can read what a browser is called with, so it is called with a page that leads there."
  [address]
  (try
    (boolean
      (when (there?)
        (require 'clojure.java.browse)
        (let [browse (resolve 'clojure.java.browse/browse-url)]
          (doto (Thread. #(try (show browse address) (catch Throwable _ nil)) "hearth browser") (.setDaemon true) (.start)))))
    (catch Throwable _ false)))
