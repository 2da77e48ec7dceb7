#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "symbols/elf/demangle_rust.h"

namespace hearth::symbols {
namespace {

constexpr int kMaxDepth = 100;
constexpr size_t kMaxSize = 4096;  // of a result; back references let small symbols expand without bound

std::string_view basic_type(char code) {
  static constexpr std::array<std::pair<char, std::string_view>, 21> kTypes = {
      {{'a', "i8"},    {'b', "bool"},  {'c', "char"}, {'d', "f64"}, {'e', "str"},  {'f', "f32"},  {'h', "u8"},
       {'i', "isize"}, {'j', "usize"}, {'l', "i32"},  {'m', "u32"}, {'n', "i128"}, {'o', "u128"}, {'s', "i16"},
       {'t', "u16"},   {'u', "()"},    {'v', "..."},  {'x', "i64"}, {'y', "u64"},  {'z', "!"},    {'p', "_"}}};
  for (auto [letter, name] : kTypes) {
    if (letter == code) return name;
  }
  return "";
}

// The characters of a symbol, and the parts of the grammar that have none in them.
class SymbolReader {
 protected:
  explicit SymbolReader(std::string_view text) : text_(text) {}

  char peek() const { return position_ < text_.size() && !failed_ ? text_[position_] : '\0'; }
  char next() {
    char c = peek();
    if (c == 0) failed_ = true;
    ++position_;
    return c;
  }
  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++position_;
    return true;
  }

  // "_" is 0, "0_" is 1.
  uint64_t base62() {
    if (accept('_')) return 0;
    uint64_t value = 0;
    while (!failed_ && !accept('_')) {
      char c = next();
      uint64_t digit = c >= '0' && c <= '9'   ? c - '0'
                       : c >= 'a' && c <= 'z' ? c - 'a' + 10
                       : c >= 'A' && c <= 'Z' ? c - 'A' + 36
                                              : 62;
      if (digit == 62) failed_ = true;
      value = value * 62 + digit;
    }
    return value + 1;
  }
  uint64_t disambiguator() { return accept('s') ? base62() + 1 : 0; }

  std::string_view identifier() {
    accept('u');  // punycode: shown as it is
    size_t size = 0;
    if (peek() < '0' || peek() > '9') failed_ = true;
    bool is_zero = accept('0');
    while (!is_zero && peek() >= '0' && peek() <= '9' && size <= text_.size()) size = size * 10 + (next() - '0');
    accept('_');
    if (failed_ || size > text_.size() - position_) {
      failed_ = true;
      return "";
    }
    position_ += size;
    return text_.substr(position_ - size, size);
  }

  std::string_view text_;
  size_t position_ = 0;
  bool failed_ = false;
};

// A recursive descent parser of the grammar of RFC 2603, with a function for each rule.
class Parser : SymbolReader {
 public:
  explicit Parser(std::string_view text) : SymbolReader(text) {}

  bool symbol() {
    path(true);
    return !failed_;
  }
  std::string take() { return std::move(out_); }

 private:
  // Bounds the depth of recursion.
  struct Level {
    explicit Level(Parser* parser) : parser_(parser) {
      if (++parser_->depth_ > kMaxDepth || parser_->out_.size() > kMaxSize) parser_->failed_ = true;
    }
    ~Level() { --parser_->depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser* parser_;
  };

  void print(std::string_view text) {
    if (!quiet_) out_.append(text);
  }

  template <typename Rule>
  void back_reference(Rule rule) {
    size_t target = base62();
    if (quiet_) return;
    size_t resume = position_;
    if (target >= resume) failed_ = true;
    position_ = target;
    if (!failed_) rule();
    position_ = resume;
  }

  void path(bool is_value) {
    Level level(this);
    if (failed_) return;
    switch (next()) {
      case 'C':
        disambiguator();
        print(identifier());
        break;
      case 'M':
        skip_impl_path();
        bracketed([this] { type(); });
        break;
      case 'X':
        skip_impl_path();
        trait_impl();
        break;
      case 'Y':
        trait_impl();
        break;
      case 'N':
        nested(is_value);
        break;
      case 'I':
        path(is_value);
        if (is_value) print("::");
        bracketed([this] { list([this] { generic_argument(); }, ", "); });
        break;
      case 'B':
        back_reference([&] { path(is_value); });
        break;
      default:
        failed_ = true;
    }
  }

  void skip_impl_path() {
    bool was_quiet = std::exchange(quiet_, true);
    disambiguator();
    path(false);
    quiet_ = was_quiet;
  }

  void trait_impl() {
    bracketed([this] {
      type();
      print(" as ");
      path(false);
    });
  }

  // Upper-case namespaces are those of the compiler: closures and shims.
  void nested(bool is_value) {
    char space = next();
    path(is_value);
    uint64_t number = disambiguator();
    std::string_view name = identifier();
    if (space >= 'A' && space <= 'Z') {
      print(space == 'C' ? "::{closure" : space == 'S' ? "::{shim" : "::{" + std::string(1, space));
      if (!name.empty()) {
        print(":");
        print(name);
      }
      print("#" + std::to_string(number) + "}");
    } else if (!name.empty()) {
      print("::");
      print(name);
    }
  }

  template <typename Rule>
  void bracketed(Rule rule) {
    print("<");
    rule();
    print(">");
  }

  // {rule} "E"
  template <typename Rule>
  size_t list(Rule rule, std::string_view separator) {
    size_t count = 0;
    while (!failed_ && !accept('E')) {
      if (count++ > 0) print(separator);
      rule();
    }
    return count;
  }

  void generic_argument() {
    if (accept('L')) {
      base62();
      print("'_");
    } else if (accept('K')) {
      constant();
    } else {
      type();
    }
  }

  void type() {
    Level level(this);
    if (failed_) return;
    char code = peek();
    std::string_view basic = basic_type(code);
    if (!basic.empty()) {
      next();
      return print(basic);
    }
    switch (code) {
      case 'A':
      case 'S':
        return array();
      case 'T':
        return tuple();
      case 'R':
      case 'Q':
      case 'P':
      case 'O':
        return pointer();
      case 'F':
        next();
        return function();
      case 'D':
        next();
        return dynamic();
      case 'B':
        next();
        return back_reference([this] { type(); });
      default:
        return path(false);
    }
  }

  void array() {
    bool has_size = next() == 'A';
    print("[");
    type();
    if (has_size) {
      print("; ");
      constant();
    }
    print("]");
  }

  void tuple() {
    next();
    print("(");
    if (list([this] { type(); }, ", ") == 1) print(",");
    print(")");
  }

  void pointer() {
    char code = next();
    if ((code == 'R' || code == 'Q') && accept('L')) base62();
    print(code == 'R' ? "&" : code == 'Q' ? "&mut " : code == 'P' ? "*const " : "*mut ");
    type();
  }

  void function() {
    if (accept('G')) base62();
    if (accept('U')) print("unsafe ");
    if (accept('K')) {
      print("extern \"");
      print(accept('C') ? "C" : identifier());
      print("\" ");
    }
    print("fn(");
    list([this] { type(); }, ", ");
    print(")");
    if (accept('u')) return;
    print(" -> ");
    type();
  }

  void dynamic() {
    print("dyn ");
    if (accept('G')) base62();
    list([this] { dynamic_trait(); }, " + ");
    if (!accept('L')) failed_ = true;
    base62();
  }

  // Parses path {"p" identifier type}: associated types are added to the generic arguments, if there are any.
  void dynamic_trait() {
    path(false);
    bool is_open = !quiet_ && !out_.empty() && out_.back() == '>' && peek() == 'p';
    if (is_open) out_.pop_back();
    bool is_first = true;
    while (accept('p')) {
      print(is_first && !is_open ? "<" : ", ");
      is_first = false;
      print(identifier());
      print(" = ");
      type();
    }
    if (!is_first) print(">");
  }

  void constant() {
    Level level(this);
    if (failed_) return;
    if (accept('p')) return print("_");
    if (accept('B')) return back_reference([this] { constant(); });
    char code = next();
    if (basic_type(code).empty()) failed_ = true;
    if (accept('n')) print("-");
    size_t start = position_;
    uint64_t value = 0;
    while (!failed_ && peek() != '_') {
      char c = next();
      bool is_digit = c >= '0' && c <= '9';
      if (!is_digit && (c < 'a' || c > 'f')) failed_ = true;
      value = value * 16 + static_cast<uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
    }
    std::string_view digits = failed_ ? "" : text_.substr(start, position_ - start);
    accept('_');
    if (code == 'b') return print(value != 0 ? "true" : "false");
    print(digits.size() > 16 ? "0x" + std::string(digits) : std::to_string(value));
  }

  int depth_ = 0;
  bool quiet_ = false;
  std::string out_;
};

}  // namespace

std::string rust_v0_name(std::string_view symbol) {
  if (symbol.substr(0, 2) != "_R") return "";
  // Back references count from the end of the prefix. A digit here would be a later version of the grammar.
  Parser parser(symbol.substr(2));
  return parser.symbol() ? parser.take() : "";
}

}  // namespace hearth::symbols
