#!/bin/sh
# --baseline, --fail-on and --suppressions: what is reported, and what the exit status is for.
. "$(dirname "$0")/../common.sh"
build programs/message_passing.c
build programs/double_checked_safe.c
build sources/greeting.c
build sources/deadlock.c
hunt="$stalemate hunt --no-exact --no-prescient --trials 40"

# --fail-on: message_passing has a destructive race and a benign one, greeting a benign one
says 0 "1 benign" $hunt -- ./greeting hello
says 0 "1 benign" $hunt --fail-on destructive -- ./greeting hello
says 1 "1 benign" $hunt --fail-on race -- ./greeting hello
says 1 "1 benign" $hunt --fail-on any -- ./greeting hello
says 0 "0 racy variables" $hunt --fail-on any -- ./double_checked_safe
says 1 "failure: deadlock under sc" $hunt --fail-on race -- ./deadlock
says 2 "--fail-on" $hunt --fail-on nothing -- ./greeting hello

# --baseline: nothing is new; then the destructive race is, then both are
says 1 "1 destructive" $hunt --json all.json -- ./message_passing
says 0 "0 racy variables; 2 known before" $hunt --baseline all.json --fail-on any -- ./message_passing
says 0 "0 racy variables; 1 known before" $hunt --baseline all.json --json new.json \
    --variable data -- ./message_passing
grep -q '"known": 1' new.json || fail "the JSON does not count what is known"
sed 's/"verdict": "destructive"/"verdict": "benign"/' all.json >milder.json
says 1 "1 destructive; 1 known before" $hunt --baseline milder.json -- ./message_passing
sed 's/"variable": "/&other_/' all.json >others.json
says 1 "2 racy variables" $hunt --baseline others.json -- ./message_passing
says 1 "failure: deadlock under sc" $hunt --json deadlock.json -- ./deadlock
says 0 "1 known before" $hunt --baseline deadlock.json -- ./deadlock
says 2 "make one with: stalemate hunt --json none.json" $hunt --baseline none.json -- ./deadlock
echo '{"command": "run"}' >run.json
says 2 "is not the result of a hunt" $hunt --baseline run.json -- ./deadlock
says 2 "would leave only what is new" $hunt --baseline all.json --json all.json -- ./deadlock

# --suppressions, by variable and by function
echo 'race:^data$ # known since 2019' >data.txt
says 0 "1 racy variable: 1 benign; 1 suppressed" $hunt --suppressions data.txt -- ./message_passing
echo 'race:message_passing.c' >file.txt
says 0 "0 racy variables; 2 suppressed" $hunt --suppressions file.txt -- ./message_passing
echo 'race:^nowhere$' >unused.txt
says 1 "2 racy variables" $hunt --suppressions unused.txt -- ./message_passing
also "matched nothing"
says 2 "not a suppression" $hunt --suppressions all.json -- ./message_passing

# "id" does not depend on which of the accesses a hunt has seen to race
build sources/seldom.c
says 0 "1 racy variable" $hunt --trials 1 --json few.json -- ./seldom
says 0 "1 racy variable" $hunt --trials 100 --json many.json -- ./seldom
! grep -q '"function": "peek"' few.json || fail "few executions see the race of peek"
grep -q '"function": "peek"' many.json || fail "many executions do not see the race of peek"
grep '"id"' few.json >few.id
grep '"id"' many.json >many.id
cmp few.id many.id || fail "the same race has another id"
