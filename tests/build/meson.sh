#!/bin/sh
# A Meson project with its compiler checks, a shared library and C++.
. "$(dirname "$0")/common.sh"

mkdir project
cp "$here"/meson_project/meson.build "$here"/sources/* project/
CC=$cc CXX=$cxx meson setup project build >setup.log 2>&1 ||
    { cat setup.log build/meson-logs/meson-log.txt; fail "setup"; }
ninja -C build >build.log 2>&1 || { cat build.log; fail "build"; }
runs 10 build/hello
runs 10 build/hello_cxx
