# cmake -D ESBUILD=… -D SOURCE=html/ -D PAGE=console/ -D OUTPUT=page.html -P fold.cmake
# PAGE is the folder of the page in SOURCE, with a slash behind it, or nothing.
# Puts the bundled script and stylesheet into page.html, with their hashes, so that the page runs nothing else.

function(bundle entry result)
  execute_process(
    COMMAND ${ESBUILD} ${SOURCE}/${entry} --bundle --minify --charset=utf8 --target=es2020 --log-level=warning ${ARGN}
    OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY)
  string(STRIP "${text}" text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# SHA-256 in base64, as Content-Security-Policy wants it; CMake has it in hexadecimal only.
function(hash_of text result)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 hex "${text}")
  set(base64 "")
  # 32 bytes and one of padding are 11 groups of three bytes, each four digits.
  foreach(group RANGE 10)
    math(EXPR at "6 * ${group}")
    string(SUBSTRING "${hex}00" ${at} 6 bytes)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${bytes} >> ${shift}) & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND base64 ${digit})
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" base64 ${base64})
  set(${result} ${base64} PARENT_SCOPE)
endfunction()

# {{part NAME}} is a file that pages share.
function(include_parts page result)
  string(REGEX MATCHALL "{{part [a-z]+}}" marks "${page}")
  foreach(mark ${marks})
    string(REGEX REPLACE "{{part ([a-z]+)}}" "\\1" name ${mark})
    file(READ ${SOURCE}/parts/${name}.html part)
    string(STRIP "${part}" part)
    string(REPLACE "${mark}" "${part}" page "${page}")
  endforeach()
  set(${result} "${page}" PARENT_SCOPE)
endfunction()

bundle(${PAGE}main.js script --format=iife)
bundle(${PAGE}style.css style)
hash_of("${script}" script_hash)
hash_of("${style}" style_hash)

file(READ ${SOURCE}/${PAGE}page.html page)
include_parts("${page}" page)
string(REPLACE "{{SCRIPT_SHA256}}" "${script_hash}" page "${page}")
string(REPLACE "{{STYLE_SHA256}}" "${style_hash}" page "${page}")
string(REPLACE "{{STYLE}}" "${style}" page "${page}")
string(REPLACE "{{SCRIPT}}" "${script}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
