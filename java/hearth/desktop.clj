(ns hearth.desktop
  "Opens a page in the browser of who sits before this machine, where somebody does."
  (:import (java.awt GraphicsEnvironment)))

(defn- there? []
  (boolean (and (some #(seq (System/getenv %)) ["DISPLAY" "WAYLAND_DISPLAY"])
                (not (GraphicsEnvironment/isHeadless)))))

(defn open!
  "True where a browser was asked to open the address; that it does is not known. Never waits for it."
  [url]
  (try
    (boolean
      (when (there?)
        (require 'clojure.java.browse)
        (let [browse (resolve 'clojure.java.browse/browse-url)]
          (doto (Thread. #(try (browse url) (catch Throwable _ nil)) "hearth browser") (.setDaemon true) (.start)))))
    (catch Throwable _ false)))
