#include "launcher/commands/java_command.h"

#include <gtest/gtest.h>

namespace hearth::launcher {
namespace {

std::string main_of(const std::vector<std::string>& arguments) {
  return parse_java_command(arguments).main;
}

TEST(JavaCommand, FindsTheMainClassOrJar) {
  EXPECT_EQ(main_of({"java", "-Xmx1g", "-cp", "a.jar:b.jar", "clojure.main", "-m", "my.app"}), "clojure.main");
  EXPECT_EQ(main_of({"/usr/bin/java", "-classpath", "x", "com.acme.Main", "-jar", "no.jar"}), "com.acme.Main");
  EXPECT_EQ(main_of({"java", "-server", "-jar", "/opt/app/service-1.2.jar", "8080"}), "service-1.2.jar");
  EXPECT_EQ(main_of({"java", "-p", "mods", "-m", "com.acme/com.acme.Main"}), "com.acme.Main");
  EXPECT_EQ(main_of({"java", "--module-path", "mods", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "Main"}),
            "Main");
  EXPECT_EQ(main_of({"java", "--source", "17", "dir/Spin.java", "x"}), "Spin.java");
}

TEST(JavaCommand, AnyOtherProgramIsItself) {
  EXPECT_EQ(main_of({"/opt/jdk/bin/jshell", "-R-Xmx1g"}), "jshell");
  EXPECT_EQ(main_of({"/usr/sbin/jsvc", "-cp", "x", "Daemon"}), "jsvc");
}

TEST(JavaCommand, UntoldMainIsEmpty) {
  EXPECT_EQ(main_of({}), "");
  EXPECT_EQ(main_of({"java", "@args"}), "");
  EXPECT_EQ(main_of({"java", "-cp"}), "");
  EXPECT_EQ(main_of({"java", "-jar"}), "");
}

TEST(JavaCommand, OptionsEndAtTheMainClass) {
  JavaCommand command = parse_java_command({"java", "-XX:+A", "Main", "-XX:+B"});
  EXPECT_EQ(command.options, (std::vector<std::string>{"-XX:+A"}));
}

TEST(FlagValue, TheLastOneCounts) {
  EXPECT_EQ(flag_value({"-XX:+Attach", "-XX:-Attach"}, "Attach"), false);
  EXPECT_EQ(flag_value({"-XX:-Attach", "-XX:+Attach"}, "Attach"), true);
  EXPECT_EQ(flag_value({"-XX:+AttachMore", "-XX:Attach=1", "+Attach", "-XX:"}, "Attach"), std::nullopt);
}

TEST(JvmOptions, AreInTheOrderOfTheJvm) {
  JavaCommand command = parse_java_command({"java", "-XX:-X", "Main"});
  std::vector<std::string> environment = {"_JAVA_OPTIONS=-XX:+X", "JAVA_TOOL_OPTIONS=-Da=b  -XX:+Y",
                                          "JAVA_TOOL_OPTIONSX=-no", "JDK_JAVA_OPTIONS=-Dc"};
  EXPECT_EQ(jvm_options(command, environment),
            (std::vector<std::string>{"-Da=b", "-XX:+Y", "-Dc", "-XX:-X", "-XX:+X"}));
}

}  // namespace
}  // namespace hearth::launcher
