;; An nREPL server. Prints "port N", then lives until a line comes on standard input.
(require '[nrepl.server :as nrepl])

(let [server (nrepl/start-server :bind "127.0.0.1" :port 0)]
  (println "port" (:port server))
  (read-line)
  (nrepl/stop-server server)
  (shutdown-agents)
  (System/exit 0))
