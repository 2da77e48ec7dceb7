(ns hearth.desktop
  "Opens a page in the browser of this machine's desktop, if it has one."
  (:require [clojure.string :as str])
  (:import (hearth StateFolder)
           (java.awt GraphicsEnvironment)
           (java.io File)
           (java.nio.file Files OpenOption)
           (java.nio.file.attribute FileAttribute PosixFilePermissions)))

;; The command that browse-url tries first; it works in a JVM without AWT.
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

;; A browser that has to start first takes a while to read the page.
(def ^:private read-ms 120000)

(defn- page-file
  "A page that redirects to the address and that only this user can read."
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
  "True if a browser was asked to open the address; whether it does is unknown. Never waits for it. All users of this
  machine can read a browser's arguments, so the argument is a page that redirects to the address."
  [address]
  (try
    (boolean
      (when (there?)
        (require 'clojure.java.browse)
        (let [browse (resolve 'clojure.java.browse/browse-url)]
          (doto (Thread. #(try (show browse address) (catch Throwable _ nil)) "hearth browser") (.setDaemon true) (.start)))))
    (catch Throwable _ false)))
