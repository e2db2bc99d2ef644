#!/bin/sh
# axe-core finds nothing on the pages that report.page has made ($4), in any of their forms.
. "$(dirname "$0")/common.sh"
"$here/../../scripts/npm-package.sh" "$PWD" axe-core 4.10.3 \
    5e6edba515e70d25f6604d9815f064d859c5d1ea7ab661bbc4f87c88779ef0c21cae0abbeb636471ef39e9d62d2582e4b88a1866f19f4ecfcf6d986275e4dc12 ||
    exit $?
"$checkers/report-axe" "$PWD/profile" axe-core/axe.min.js "$4"/page-1.html "$4"/all.html \
    "$4"/all.html#assert "$4"/many.html "$4"/units.html ||
    fail "see above"
# A page with faults has findings: a button without a name, text without contrast.
sed 's/<h1>Stalemate</<button type="button"><\/button><h1 style="color:#ccc">Stalemate</' \
    "$4/page-1.html" >faulty.html
! "$checkers/report-axe" "$PWD/profile" axe-core/axe.min.js "$PWD/faulty.html" >faults 2>&1 ||
    fail "nothing found on a page with faults"
has "button-name" faults
has "color-contrast" faults
