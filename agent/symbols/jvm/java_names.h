// Spelling of Java and Clojure frames. Pure functions of text.
#pragma once

#include <string>
#include <string_view>

namespace hearth::symbols {

struct JavaNameStyle {
  bool clojure = true;     // clojure.core/map instead of clojure/core$map.invokeStatic
  bool simple = false;     // String.indexOf instead of java/lang/String.indexOf
  bool signature = false;  // append the method signature: java/lang/String.indexOf(Ljava/lang/String;)I
  bool dots = false;       // java.lang.String.indexOf
  // Strip the numbers that differ from run to run: of lambda, hidden and proxy classes, of fn--123 and eval123.
  bool normalize = false;
};

// class_signature is JVMTI's ("Ljava/lang/String;", "Lfoo/Bar$$Lambda.0x00007f;", "[I"), also without "L" and ";".
// Without a method the name is the class's alone, in Java's spelling. The signature option ends Clojure names with the
// signature too.
std::string java_frame_name(std::string_view class_signature, std::string_view method,
                            std::string_view method_signature, const JavaNameStyle& style);

// The Clojure function behind a class and method name, or "" when the class was not made by Clojure's compiler.
//   clojure/core$map              invoke, invokeStatic, doInvoke, invokePrim, applyTo…  -> clojure.core/map
//   cheshire/parse$parse_STAR_    invokeStatic                                         -> cheshire.parse/parse*
//   my/ns$outer$fn__12$inner__34  invoke                                               -> my.ns/outer/fn--12/inner--34
//   user$eval123$fn__456          invoke                                               -> user/eval123/fn--456
// Other methods of such a class (<init>, <clinit>, a reify's own) keep the method: my.ns/eval12/reify--13.run
// Told by the shape of the names alone: before the first '$', Java, Kotlin and Scala put a class, which starts with a
// capital, and Clojure a namespace. So a function of a namespace called my.App is only recognised by its number
// (my.App/fn--12), and a nested class of a Java class written in lower case looks like a function. Records and types
// have no mark at all and stay Java classes; their nested functions are recognised.
std::string clojure_name(std::string_view class_name, std::string_view method);

// Undoes clojure.lang.Compiler's munge: _STAR_ to *, _ to -, $ to / …
std::string demunge(std::string_view munged);

}  // namespace hearth::symbols
