;; Works under labels in futures, pmap, agents and behind Ring middleware; prints "NAME CPU-NANOSECONDS" of each by the JVM's own
;; clock of the thread that worked. Begins when a line comes, ends with the next one.
(ns labelled
  (:require [hearth.core :as prof]
            [labelled-parts :refer [tell work]]))

(set! *warn-on-reflection* true)

(defn- await-all [futures] (run! deref futures))

(defn- unconveyed []
  (prof/with-labels {:endpoint "/export" :tenant 7} (work "/export" 300))
  (prof/with-labels (hash-map "endpoint" :dynamic/route :nothing nil) (work "dynamic/route" 300))
  (prof/with-labels {:endpoint "/bound"}
    (let [f (prof/bound-labels #(work "/bound" 300))]
      (doto (Thread. ^Runnable f) .start .join)))
  (prof/with-labels {:endpoint "/unconveyed"} @(future (work "none" 100))))

(defn- to-threads [root]
  (let [future-part (str root "/future"), pmap-part (str root "/pmap"), agent-part (str root "/agent")]
    (prof/with-labels {:endpoint future-part} (await-all [(future (work future-part 150)) (future (work future-part 150))]))
    (prof/with-labels {:endpoint pmap-part} (dorun (pmap #(work pmap-part %) [100 100 100])))
    (prof/with-labels {:endpoint agent-part}
      (let [state (agent nil)]
        (send state (prof/bound-labels (fn [_] (work agent-part 150))))
        (send-off state (prof/bound-labels (fn [_] (work agent-part 150))))
        ;; Given by the thread that ended the one before.
        (send state (fn [_] (work "none" 100)))
        (await state)))))

(defn- to-handlers []
  (let [handler (prof/wrap-labels (fn ([request] (work (:expected request) 150) {:status 200})
                                    ([request respond _] (work (:expected request) 150) (respond {:status 200}))))]
    (handler {:uri "/ring/1" :compojure/route [:get "/ring/:id"] :expected "/ring/:id"})
    (handler {:uri "/reitit/1" :reitit.core/match {:template "/reitit/{id}"} :expected "/reitit/{id}"})
    (handler {:uri "/unrouted" :expected "none"} identity identity)
    ((prof/wrap-labels #(work (:expected %) 150) :uri) {:uri "/plain" :expected "/plain"})
    ((prof/wrap-labels #(work (:expected %) 150) (fn [_] {:endpoint "/own" :tenant "t"})) {:expected "/own"})))

(println "ready")
(read-line)
(unconveyed)
(prof/convey-labels!)
(prof/convey-labels!)
;; What runs for the first time loads classes, under a label and outside of the measured work.
(to-threads "/cold")
(to-handlers)
(to-threads "")
(tell)
(read-line)
(shutdown-agents)
