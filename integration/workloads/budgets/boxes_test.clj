(ns boxes-test
  (:require [clojure.test :refer [deftest is run-tests testing]]
            [hearth.core :as prof :refer [allocates-at-most]]))

(defn boxes [n]
  (let [made (object-array n)]
    (dotimes [i n] (aset made i (Long/valueOf (+ 100000 i))))
    made))

(deftest keeps
  (is (allocates-at-most 296 (boxes 10)))
  (is (prof/allocates-at-most {:bytes 296 :objects 11 :name "ten boxes"} (boxes 10))))

(deftest exceeds
  (testing "ten boxes"
    (is (allocates-at-most 100 (boxes 10)) "said by the test")))

(deftest throws
  (is (allocates-at-most 100 (throw (IllegalStateException. "of the body")))))

(deftest refuses
  (is (thrown-with-msg? IllegalArgumentException #":byte;.*:bytes" (allocates-at-most {:byte 1} (boxes 10)))))

(run-tests)
(shutdown-agents)
