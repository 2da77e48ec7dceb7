(defproject sample "0.1.0"
  ;; Without Clojars: all of it is at Maven Central.
  :repositories ^:replace [["central" {:url "https://repo1.maven.org/maven2/" :snapshots false}]
                           ["hearth" {:url ~(str "file://" (System/getenv "HEARTH_REPOSITORY")) :checksum :fail}]]
  :dependencies [[org.clojure/clojure "1.12.0"]]
  :profiles {:hearth {:dependencies [[io.hearth/hearth "0.1.0"]]
                      :jvm-opts ["-Dhearth.output-dir=."]}})
