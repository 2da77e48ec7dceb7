(ns boxes-test
  (:require [clojure.test :refer [deftest is run-tests testing]]
            [hearth.core :as prof :refer [allocates-at-most]]))

(defn boxes [n]
  (let [made (object-array n)]
    (dotimes [i n] (aset made i (Long/valueOf (+ 100000 i))))
    made))

(deftest keeps
  (is (allocates-at-most 296 (boxes 10)))
  (is (prof/allocates-at-most {:bytes 296 :objects 11 :name "ten boxes"} (boxes 10)))
  (is (allocates-at-most {:bytes 296 :name ::boxes} (boxes 10))))

(deftest exceeds
  (testing "ten boxes"
    (is (allocates-at-most 100 (boxes 10)) "said by the test")))

(deftest throws
  (is (allocates-at-most 100 (throw (IllegalStateException. "of the body")))))

(deftest refuses
  (is (thrown-with-msg? IllegalArgumentException #":byte;.*:bytes" (allocates-at-most {:byte 1} (boxes 10))))
  (is (thrown-with-msg? IllegalArgumentException #"a number of bytes or a map of limits, not \"100\""
                        (allocates-at-most "100" (boxes 10))))
  (is (thrown-with-msg? IllegalArgumentException #"a number for :objects, not \"1\""
                        (allocates-at-most {:objects "1"} (boxes 10))))
  (is (re-find #"needs limits and a body"
               (try (eval `(allocates-at-most 100))
                    (catch Exception refused (pr-str (Throwable->map refused)))))))

(run-tests)
(shutdown-agents)
