// Rust's two ways to mangle names. Pure functions of text; not signal safe.
#pragma once

#include <string>
#include <string_view>

namespace hearth::symbols {

// The name behind "_R…" (RFC 2603), generic arguments included, crates without their hashes; "" when it is not one.
std::string rust_v0_name(std::string_view symbol);

// The name behind what the C++ demangler makes of Rust's first mangling, core::fmt::write::h0123456789abcdef; "" when
// it does not end in such a hash.
std::string rust_legacy_name(std::string_view name);

}  // namespace hearth::symbols
