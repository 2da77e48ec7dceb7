;; The functions of hearth.core that need no JVM to profile.
(ns stacks-test
  (:require [clojure.test :refer [deftest is run-tests]]
            [hearth.options :as options]
            [hearth.stacks :as stacks]))

(set! *warn-on-reflection* true)

(def ^:private weights (stacks/weights "a;b c;d 3\na;e 1\n" "a;b c;d 30\na;e 100\n"))

(deftest reads-and-writes-stacks
  (is (= {"a;b c;d" [3 30] "a;e" [1 100]} weights))
  (is (= {"a" [3]} (stacks/weights "a 1\n\na 2\n")))
  (is (= weights (stacks/weights (stacks/collapsed weights) "a;b c;d 30\na;e 100\n")))
  (is (= [{:stack ["a" "e"] :samples 1 :total 100} {:stack ["a" "b c" "d"] :samples 3 :total 30}] (stacks/data weights))))

(defn- transformed [f & transforms]
  (stacks/transform (stacks/transformer f transforms) weights))

(deftest transforms-stacks
  (is (nil? (stacks/transformer nil [])))
  (is (nil? (stacks/transformer nil [{:type :remove :what "a" :enabled false}])))
  (is (= {"a;e" [1 100]} (transformed nil {:type :filter :what #"e$"})))
  (is (= {"a;e" [1 100]} (transformed nil {:type :remove :what "b c"})))
  (is (= {"x" [4 130]} (transformed nil {:type :replace :what #"^a;.*" :replacement "x"})))
  (is (= {"b c;a;d" [3 30] "a;e" [1 100]} (transformed nil {:type :replace :what #"(a);(b c)" :replacement "$2;$1"})))
  (is (= {"a;E" [1 100]} (transformed #(when-not (re-find #"d" %) %) {:type :replace :what "e" :replacement "E"})) "the function first")
  (is (= {} (transformed (constantly ""))) "nothing is left of a stack without frames")
  (doseq [wrong [{:type :other :what "x"} {:type :filter} {:type :replace :what "x"}]]
    (is (thrown? IllegalArgumentException (transformed nil wrong)) wrong)))

(deftest says-options-as-the-agent-takes-them
  (is (= "event=cpu,interval=1000000" (options/start {})))
  (is (= "event=cpu,features=vtable+comptask,interval=500000,threads"
         (options/start {:interval 500000 :threads true :features [:all] :framebuf 1 :pid 1 :title "x" :simple false})))
  (is (= "event=alloc" (options/start {:event :alloc})))
  (is (= "event=wall,interval=10ms" (options/start {:event :wall :interval "10ms"})))
  (is (= "alloc,live" (options/start {:live true :alloc true})))
  (is (= "event=cpu,alloc=512k,exclude=a,exclude=b,interval=1000000" (options/start {:event :cpu :alloc "512k" :exclude ["a" "b"]})))
  (is (= [:cpu :alloc :wall :itimer] (map options/event [{} {:live true} {:wall true} {:event "itimer"}])))
  (is (= "flamegraph,dot,event=cpu,title=a\\, b,reverse" (options/page {:event :itimer :title "a, b" :config {:reverse true}})))
  (is (= "html,dot,event=wall,exclude=x,absolute,title=t" (options/difference {:event :wall :exclude "x" :absolute true :title "t" :minwidth 1 :threads true})))
  (is (= "html,dot,title=t,reverse" (options/difference {:title "t" :config {:reverse true}})))
  (let [options {:event :wall :exclude "x" :label {:thread "main"} :simple true :title "t"}]
    (is (= "collapsed,dot,exclude=x,simple,label=thread:main,stacks" (options/stack-lines options)))
    (is (= "pprof,dot,exclude=x,simple,label=thread:main,rewrite=/a\\,b" (options/rewritten (options/chosen-stacks options) "/a,b")))
    (is (= "html,dot,event=wall,simple,title=t" (options/difference (options/without-choice options)))))
  (is (= "flamegraph,dot,reverse,sort=width,highlight=x\\,y,highlight=/a.b/i"
         (options/page {:reverse true :config {:reverse true :sort-by :width :highlight ["x,y" #"(?i)a.b"]}})))
  (is (= "collapsed,dot,total" (options/stacks {:samples true :title "x"} :total)))
  (is (= "event=cpu,event=alloc,interval=1000000" (options/start {:event [:cpu :alloc]}) (options/start {:event #{:alloc :cpu}})
         (options/start {:event "cpu,alloc"})))
  (is (thrown? IllegalArgumentException (options/start {:event "cpu,file=/tmp/x"})))
  (is (= "trace=com.acme.Shop.buy:50ms" (options/start {:trace "com.acme.Shop.buy:50ms"})))
  (is (= "event=cpu,interval=1000000,trace=clojure.core/inc,trace=my.ns/foo" (options/start {:event :cpu :trace [#'inc 'my.ns/foo]})))
  (is (= "event=my.ns/foo" (options/start {:event 'my.ns/foo}) (options/start {:event :my.ns/foo})))
  (is (= [:calls :trace] (map options/event [{:event 'my.ns/foo} {:trace "a.b"}])))
  (doseq [none [[] #{} "" ()]]
    (is (thrown-with-msg? IllegalArgumentException #":event must be an event such as :cpu, or several" (options/start {:event none})) none))
  (is (thrown? IllegalArgumentException (options/start {:filter "a\nb"}))))

(deftest refuses-unknown-keys
  (is (= {:event :cpu :title "x" :absolute true} (options/check-keys {:event :cpu :title "x" :absolute true} :absolute)))
  (doseq [options [{:bogus 1} {:file "x.jfr"} {:absolute true} {"title" 1}]]
    (is (thrown-with-msg? IllegalArgumentException #"unknown option" (options/check-keys options)))))

(defn- page-of [& transforms]
  (options/page {:predefined-transforms (take 1 transforms) :config {:transforms (rest transforms)}}))

(deftest leaves-transforms-to-the-page
  (is (= "flamegraph,dot,transform=filter:a;b,transform=remove:/^c$/,transform=replace:/a/b/"
         (page-of {:type :filter :what "a;b"} {:type :remove :what #"^c$"} {:type :filter :what "x" :enabled false}
                  {:type :replace :what #"a" :replacement "b"})))
  (is (= "flamegraph,dot,transform=filter:/\\/x\\./" (page-of {:type :filter :what "/x."})))
  (is (= "flamegraph,dot,transform=replace:|a/(\\d)\\,|$1$$$&$<n>|i"
         (page-of {:type :replace :what #"(?i)a/(\d)," :replacement "$1\\$$0${n}"})))
  (is (= "flamegraph,dot,transform=replace:/a\\.b/$$1/" (page-of {:type :replace :what "a.b" :replacement "$1"})))
  (let [by-function {:config {:transforms [{:type :replace :what "a" :replacement str}]}}]
    (is (not (options/for-page? by-function)))
    (is (= "flamegraph,dot" (options/page by-function)))))

(let [{:keys [fail error]} (run-tests)]
  (shutdown-agents)
  (System/exit (if (zero? (+ fail error)) 0 1)))
