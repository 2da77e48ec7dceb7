;; Works under labels in blocks that core.async runs; prints "NAME CPU-NANOSECONDS" of each by the JVM's own clock of the thread that
;; worked. Begins when a line comes, ends with the next one.
(ns labelled-async
  (:require [clojure.core.async :as async :refer [<! <!! >! >!! alt! alts! chan close! go go-loop put! take! thread timeout]]
            [hearth.core :as prof]
            [labelled-parts :refer [tell work]]))

(def turns 30)

(defn- player
  "Wakes the other one, and is woken by it, on the same threads."
  [part to from]
  (prof/with-labels {:endpoint part}
    (go-loop [left turns]
      (when (pos? left)
        (<! from)
        (work part 5)
        (>! to :ball)
        (work part 5)
        (recur (dec left))))))

(defn- play []
  (let [a (chan) b (chan 1) players [(player "/ping" a b) (player "/pong" b a)]]
    (>!! b :ball)
    (run! <!! players)))

(defn- listener
  "A block that is woken under other labels than its own."
  [part from]
  (go-loop [] (when (<! from) (work part 10) (recur))))

(defn- wake [listening from]
  (prof/with-labels {:endpoint "/waker"}
    (dotimes [_ turns] (>!! from :wake)))
  (close! from)
  (<!! listening))

(defn- labels-inside []
  (<!! (go (dotimes [_ turns]
             (prof/with-labels {:endpoint "/inside"}
               (work "/inside" 3)
               (<! (timeout 1))
               (work "/inside" 3)
               (try
                 (prof/with-labels {:endpoint "/deeper" :tenant "t"}
                   (let [[_ port] (alts! [(timeout 1) (chan)])]
                     (work "/deeper" 12)
                     (<! (timeout 1))
                     (when port (throw (ex-info "as it is told" {})))))
                 (catch Exception _ (work "/inside" 3)))
               (alt! (timeout 1) (work "/inside" 3)))
             (work "none" 3)))))

(defn- blocks-in-blocks []
  (prof/with-labels {:endpoint "/outer"}
    (<!! (go (dotimes [_ turns]
               (let [inner (prof/with-labels {:endpoint "/inner"} (go (work "/inner" 5) (<! (timeout 1)) (work "/inner" 5)))
                     same (go (<! (timeout 1)) (work "/outer" 5))]
                 (<! inner)
                 (<! same)
                 (work "/outer" 5)))))))

(defn- through [pipeline part f]
  (let [from (chan turns) to (chan turns)]
    (prof/with-labels {:endpoint part} (pipeline 2 to f from))
    (prof/with-labels {:endpoint "/source"} (run! #(>!! from %) (range turns)))
    (close! from)
    (while (<!! to))))

(defn- pipelines []
  (through async/pipeline "/compute" (map (fn [_] (work "/compute" 10) :done)))
  (through async/pipeline-blocking "/blocking" (map (fn [_] (work "/blocking" 10) :done)))
  (through async/pipeline-async "/async" (fn [_ to] (work "/async" 10) (close! to))))

(defn- callbacks []
  (let [done (chan) values (chan)]
    (dotimes [_ turns]
      (prof/with-labels {:endpoint "/taken"} (take! values (fn [_] (work "/taken" 10) (put! done :done))))
      (prof/with-labels {:endpoint "/put"} (put! values :value (fn [_] (work "/put" 10) (put! done :done))))
      (<!! done)
      (<!! done))
    (put! values :alone)
    (<!! values)))

(defn- everything []
  (let [from (chan) early (prof/with-labels {:endpoint "/early"} (listener "none" from))]
    (prof/convey-async-labels!)
    (prof/convey-async-labels!)
    (wake early from))
  (play)
  (let [from (chan)] (wake (listener "none" from) from))
  (let [from (chan)] (wake (prof/with-labels {:endpoint "/woken"} (listener "/woken" from)) from))
  (labels-inside)
  (blocks-in-blocks)
  (prof/with-labels {:endpoint "/thread"} (run! <!! (doall (repeatedly 3 #(thread (work "/thread" 100))))))
  (pipelines)
  (callbacks)
  ;; The pool's threads keep nothing.
  (run! <!! (doall (repeatedly 30 #(go (work "none" 10)))))
  (tell))

(println "ready")
(read-line)
(everything)
(read-line)
(shutdown-agents)
