// Texts and exceptions between Java and the native methods.
#pragma once

#include <jni.h>

#include <string>

namespace hearth::entry {

std::string text_of(JNIEnv* env, jbyteArray bytes);
// Returns null with a pending exception if the heap is full. Throws std::length_error for more than an array holds.
jbyteArray bytes_of(JNIEnv* env, const std::string& text);

// The same for Java's strings, whose characters are UTF-16 inside.
std::string text_of(JNIEnv* env, jstring text);
jstring string_of(JNIEnv* env, const std::string& text);

void throw_java(JNIEnv* env, const char* exception, const char* why);

}  // namespace hearth::entry
