#!/bin/sh
# A CMake project with its compiler checks, find_package(Threads), a shared library and C++.
. "$(dirname "$0")/common.sh"

for type in Debug Release; do
    CC=$cc CXX=$cxx cmake -S "$here/cmake_project" -B $type -DSOURCES="$here/sources" \
        -DCMAKE_BUILD_TYPE=$type >configure.log 2>&1 || { cat configure.log; fail "configure"; }
    grep -q 'C compiler identification is Clang' configure.log || fail "CMake does not see clang"
    cmake --build $type >build.log 2>&1 || { cat build.log; fail "build"; }
    runs 10 $type/hello
    runs 10 $type/hello_cxx
done
