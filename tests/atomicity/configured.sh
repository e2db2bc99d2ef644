#!/bin/sh
# configured.sh STALEMATE JUDGE PROGRAMS SOURCES: a stalemate.conf beside a program declares a unit
# of work as --unit does (limits/unit_option.c), for that command alone.
set -eu
stalemate=$1 judge=$2 programs=$3 sources=$4
work=$programs/configured
rm -rf "$work"
mkdir -p "$work"
cp "$programs/limits/undeclared_unit" "$programs/limits/undeclared_unit.repaired" "$work"
cd "$work"

# expect STATUS SECTION PROGRAM
expect() {
    printf '[%s]\nunit = read_twice:meter\n' "$2" >stalemate.conf
    status=0
    "$stalemate" atomicity --out out --json json -- "./$3" >text 2>&1 </dev/null || status=$?
    [ $status -eq "$1" ] || { cat text; echo "FAILED: status $status for $3 with [$2]"; exit 1; }
}

expect 1 atomicity undeclared_unit
"$judge" expect "$sources/limits/unit_option.c" json
expect 0 atomicity undeclared_unit.repaired
expect 0 hunt undeclared_unit
