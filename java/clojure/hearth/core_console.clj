;; Part of hearth.core: the control server and its console.
(in-ns 'hearth.core)

(require '[clojure.string :as str]
         '[hearth.desktop :as desktop])

(defn- serve [where {:keys [token-file] :as options}]
  (let [words (cond-> [(str "http=" where)] token-file (conj (str "token=" token-file)))
        text (.execute (profiler options) (str/join \, words))
        value-of #(second (re-find (re-pattern (str "(?m)^" % ": (.*)$")) text))]
    {:url (value-of "Control server") :token-file (value-of "Token") :link (value-of "Open")}))

(defn serve-ui
  "Lets a browser control the JVM, and open and compare the runs in the results folder. Listens at 127.0.0.1 unless a
  host is given; port 0 means a free port, \"unix:PATH\" a Unix socket. Opens the page if there is a desktop. Prints a
  link that works once, for 5 minutes; a second call prints another. Returns {:url :token-file :link}, which all
  functions accept as options to profile that JVM. stop-ui ends it. Options: :pid for another JVM; :open? false opens
  nothing; :token-file, a file readable by this user alone with the secret, which is created if missing; without it only
  this machine is served."
  {:arglists '([] [port] [port options] [host port] [host port options])}
  ([] (serve-ui 0))
  ([port] (serve-ui port {}))
  ([host port] (if (map? port) (serve-ui "127.0.0.1" host port) (serve-ui host port {})))
  ([host port options]
   (let [options (known-with-defaults options)
         where (if (string? port) port (str host \: port))
         {:keys [url link] :as served} (serve where options)
         opened? (and link (not (false? (:open? options))) (desktop/open! link))
         ;; The browser has used up the first link.
         served (if opened? (serve where options) served)]
     (println (if link (str (if opened? "Opened in the browser. If nothing appears, open " "Open ") (:link served)) (str "Listening at " url)))
     served)))

(def ^{:arglists (:arglists (meta #'serve-ui))} serve-files
  "Former name of serve-ui in clj-async-profiler."
  serve-ui)

(defn stop-ui
  "Ends serve-ui. :pid as for start."
  ([] (stop-ui {}))
  ([options] (.execute (profiler (known-with-defaults options)) "stop-http")))
