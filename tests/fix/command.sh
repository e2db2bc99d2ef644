#!/bin/sh
# command.sh BIN-DIR SCRATCH: the command `fix` itself: its options, its JSON, what it changes.
. "$(dirname "$0")/../common.sh"

cp "$here/programs/jrf_first.c" "$here/programs/pair.h" .
cp jrf_first.c original.c
"$stalemate" cc -g -O1 -pthread -o prog jrf_first.c || fail "no build"

# Nothing of the user's changes, and the patch is on the screen and in the JSON.
says 1 "repair: make done atomic: store it with release, load it with acquire" \
    "$stalemate" fix --out out --json fix.json -- ./prog
also "not enough: make data atomic, with relaxed accesses; make done atomic, with relaxed accesses"
also "+    atomic_store_explicit(&done, 1, memory_order_release);"
cmp -s jrf_first.c original.c || fail "the source changed without --apply"
grep -q '"command": *"fix"' fix.json || fail "the JSON does not say fix"
grep -q '"advice": *{' fix.json || fail "no advice in the JSON"
grep -q '"tried": *true' fix.json || fail "the advice was not tried"
grep -q 'atomic_store_explicit(&done, 1, memory_order_release)' fix.json || fail "no patch in the JSON"

# A report of it has the patch, also as SARIF's replacements of lines.
says 1 "repair: make done atomic" "$stalemate" report --sarif fix.sarif out
python3 - fix.sarif jrf_first.c patched.c <<'END' || fail "SARIF's fix is not the patch"
import json, subprocess, sys
result = json.load(open(sys.argv[1]))["runs"][0]["results"][0]
change, = result["fixes"][0]["artifactChanges"]
assert change["artifactLocation"]["uri"] == sys.argv[2]
lines = open(sys.argv[2]).read().splitlines(True)
for replacement in reversed(change["replacements"]):
    region = replacement["deletedRegion"]
    assert region["startColumn"] == region["endColumn"] == 1
    lines[region["startLine"] - 1:region["endLine"] - 1] = [replacement["insertedContent"]["text"]]
open(sys.argv[3], "w").write("".join(lines))
patch = next(race["advice"]["patch"] for race in json.load(open("fix.json"))["races"] if race.get("advice"))
subprocess.run(["patch", "-s", "-o", "by-patch.c", sys.argv[2]], input=patch.encode(), check=True)
assert open(sys.argv[3]).read() == open("by-patch.c").read()
END

# A hunt says that its advice is untested; with --fix it is tried.
says 1 "untested" "$stalemate" hunt --out hunt -- ./prog
says 1 "repair: make done atomic" "$stalemate" hunt --fix --out hunt-fix -- ./prog

# --build: the patched program itself is judged; a build that fails is a reason to reject.
says 1 "+    atomic_store_explicit(&done, 1, memory_order_release);" "$stalemate" fix --out build \
    --build "$stalemate cc -g -O1 -pthread -o prog jrf_first.c" -- ./prog
says 1 "the build command fails for the patched sources" "$stalemate" fix --out broken --build "exit 1" -- ./prog
never "+    atomic_store_explicit(&done, 1, memory_order_release);"
cmp -s jrf_first.c original.c || fail "--build changed the source"

# Without it, it is built by the flags of each source; where those do not do, the repair was only assumed.
says 1 "+    atomic_store_explicit(&done, 1, memory_order_release);" "$stalemate" fix --out flags -- ./prog
never "the patch itself was not tried"
cat >main.c <<'C'
int run(void);
int main(void) { return run(); }
C
sed 's/int main(void)/int run(void)/' jrf_first.c >run.c
"$stalemate" cc -g -O1 -pthread -c run.c && clang-19 -c main.c && "$stalemate" cc -pthread -o parts main.o run.o ||
    fail "no build"
says 1 "the patch itself was not tried: " "$stalemate" fix --out parts-out --json parts.json -- ./parts
also "give --build CMD"
grep -q '"not_built": *"' parts.json || fail "the JSON does not say why the patch was not built"

# --apply writes the source, and the program is repaired.
says 1 "applied" "$stalemate" fix --apply --out apply -- ./prog
grep -q 'atomic_store_explicit(&done, 1, memory_order_release)' jrf_first.c || fail "not applied"
"$stalemate" cc -g -O1 -pthread -o prog jrf_first.c || fail "the repaired source does not build"
says 0 "0 racy variables" "$stalemate" fix --out again -- ./prog
never "patch"

# Without the sources there is advice, and no patch.
mv jrf_first.c gone.c
cp original.c jrf_first.c
"$stalemate" cc -g -O1 -pthread -o prog jrf_first.c || fail "no build"
mv jrf_first.c hidden.c
says 1 "no patch: " "$stalemate" fix --out hidden -- ./prog
also "repair: make done atomic"

# A repair without a patch, and a finding without a repair: what to do by hand.
cat >box.c <<'C'
#include <assert.h>
#include <pthread.h>

static struct {
    union {
        int data;
        unsigned udata;
    };
    union {
        volatile int done;
        volatile unsigned udone;
    };
} box;

static void *fill(void *arg)
{
    box.data = 1;
    box.done = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    if (box.udone)
        assert(box.udata);
    pthread_join(thread, NULL);
    return 0;
}
C
"$stalemate" cc -g -O1 -pthread -o box box.c || fail "no build"
says 1 "repair: make box.done atomic" "$stalemate" fix --out box-out -- ./box
also "in a union?); change it by hand"
cat >gate.c <<'C'
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_mutex_t left, right;
    unsigned up : 1, down : 1;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void *raise_it(void *arg)
{
    pthread_mutex_lock(&gate.left);
    gate.up = 1;
    pthread_mutex_unlock(&gate.left);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, raise_it, NULL);
    pthread_mutex_lock(&gate.right);
    gate.down = 1;
    pthread_mutex_unlock(&gate.right);
    pthread_join(thread, NULL);
    assert(gate.up && gate.down);
    return 0;
}
C
"$stalemate" cc -g -O1 -pthread -o gate gate.c || fail "no build"
says 1 "repair: no repair that fix can try is known for this finding; stalemate hunt says what to do by hand" \
    "$stalemate" fix --out gate-out -- ./gate
never "change of the design"

# Atomics that are too weak break nothing under sc, and fix names the model; repaired, they break
# nothing. What fails under sc says so.
cp "$here/programs/elements_relaxed.c" .
"$stalemate" cc -g -O1 -pthread -o elements elements_relaxed.c || fail "no build"
says 1 "failure: assert under tso, at elements_relaxed.c:" \
    "$stalemate" fix --out weak-out --json weak.json -- ./elements
also "breaks the program under tso: stores delayed past later loads"
never "on every machine"
python3 - weak.json <<'END' || fail "the JSON of a failure under tso"
import json, sys
failure, = json.load(open(sys.argv[1]))["failures"]
assert failure["model"] == "tso" and failure["kind"] == "assert"
assert failure["place"]["function"] == "main"
END
says 1 "" "$stalemate" report --sarif weak.sarif weak-out
grep -q 'elements fails under tso: assert' weak.sarif || fail "SARIF does not name the model"
sed 's/memory_order_[a-z]*/memory_order_seq_cst/' elements_relaxed.c >strong.c
"$stalemate" cc -g -O1 -pthread -o strong strong.c || fail "no build"
says 0 "" "$stalemate" fix --out strong-out -- ./strong
cp "$here/programs/bank_account.c" .
"$stalemate" cc -g -O1 -pthread -o account bank_account.c || fail "no build"
says 1 "failure: exit under sc" "$stalemate" fix --out account-out -- ./account

# What a repair makes worse is told with names, never with the runtime's.
cp "$here/phases.c" .
"$stalemate" cc -g -O1 -pthread -o phases phases.c || fail "no build"
says 1 "deadlock: thread" "$stalemate" fix --out phases-out -- ./phases
also "the new lock (phases.c:"
never "{lock"
never "{code"
never "new_locks"

says 2 "no program given" "$stalemate" fix
says 0 "find repairs" "$stalemate" fix --help
