// Display names of Java and Clojure frames. Pure functions of text.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

struct JavaNameStyle {
  bool clojure = true;     // clojure.core/map instead of clojure/core$map.invokeStatic
  bool simple = false;     // String.indexOf instead of java/lang/String.indexOf
  bool signature = false;  // append the method signature: java/lang/String.indexOf(Ljava/lang/String;)I
  bool dots = false;       // java.lang.String.indexOf
  // Strip the numbers that differ between runs: of lambda, hidden and proxy classes, of fn--123 and eval123.
  bool normalize = false;
};

// Returns the name of a frame. `class_signature`: in JVMTI's form ("Ljava/lang/String;", "Lfoo/Bar$$Lambda.0x00007f;",
// "[I"), also without "L" and ";". Without a method the name is that of the class, as in Java source. The option
// `signature` also applies to Clojure names.
std::string java_frame_name(std::string_view class_signature, std::string_view method,
                            std::string_view method_signature, const JavaNameStyle& style);

// Returns the Clojure function of a class and a method name, or "" if the class is not from Clojure's compiler.
//   clojure/core$map              invoke, invokeStatic, doInvoke, invokePrim, applyTo…  -> clojure.core/map
//   cheshire/parse$parse_STAR_    invokeStatic                                         -> cheshire.parse/parse*
//   my/ns$outer$fn__12$inner__34  invoke                                               -> my.ns/outer/fn--12/inner--34
//   user$eval123$fn__456          invoke                                               -> user/eval123/fn--456
// Other methods of such a class (<init>, <clinit>, a reify's own) keep the method: my.ns/eval12/reify--13.run
// Decides by the form of the names alone: before the first '$' Java, Kotlin and Scala have a class, which starts with a
// capital, and Clojure a namespace. So a function of a namespace my.App is recognized only by its number
// (my.App/fn--12), and a nested class of a lower-case Java class looks like a function. Records and types have no
// distinctive form and stay Java classes; their nested functions are recognized.
std::string clojure_name(std::string_view class_name, std::string_view method);

// Undoes clojure.lang.Compiler's munge: _STAR_ to *, _ to -, $ to / …
std::string demunge(std::string_view munged);

// True if method `inner`, called by method `outer` of the same class, is the other half of one Clojure call: invoke
// calls invokeStatic, applyTo calls doInvoke.
bool are_one_clojure_call(std::string_view outer, std::string_view inner);

}  // namespace hearth::profile
