#!/bin/sh
# ci.sh BIN-DIR SCRATCH JSON-WITHOUT: the examples for CI services in docs/ are valid YAML, and what they
# run gives what one machine finds.
. "$(dirname "$0")/../shards/common.sh"
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: there is no python3-yaml"; exit 77; }
docs=$here/../../docs
PATH=$(dirname "$stalemate"):$PATH
"$stalemate" cc -g -O1 -pthread -o prog "$here/../../examples/message_passing.c"
program=./prog
alone hunt --trials 1000

# commands FILE: the hunts of its three jobs and the merge, one a line.
commands() {
    python3 - "$1" <<'END'
import sys, yaml
jobs = yaml.safe_load(open(sys.argv[1]))
if 'jobs' in jobs:  # the hosted service
    jobs = jobs['jobs']
    for job in jobs.values():
        assert job['runs-on'] and all(('run' in s) != ('uses' in s) for s in job['steps']), job
    assert jobs['merge']['needs'] == 'shard'
    lines = {name: [s['run'] for s in job['steps'] if s.get('name') in ('Hunt', 'Merge')] for name, job in jobs.items()}
    numbers = jobs['shard']['strategy']['matrix']['shard']
    paths = [s['with']['path'] for s in jobs['shard']['steps'] if 'upload' in s.get('uses', '')]
    assert paths == ['shard-${{ matrix.shard }}'], paths
else:
    for name in ('shard', 'merge'):
        assert jobs[name]['extends'] in jobs and jobs[name]['stage'] in jobs['stages'], name
    assert jobs['merge']['needs'] == ['shard'] and jobs['shard']['artifacts']['paths'] == ['shard-*']
    lines = {name: jobs[name]['script'] for name in ('shard', 'merge')}
    numbers = range(1, jobs['shard']['parallel'] + 1)
assert len(lines['shard']) == len(lines['merge']) == 1, lines
for n in numbers:
    line = lines['shard'][0]
    for word in ('${{ matrix.shard }}', '$CI_NODE_INDEX'):
        line = line.replace(word, str(n))
    print(line.replace('$CI_NODE_TOTAL', str(len(numbers))))
print(lines['merge'][0])
END
}

python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$docs/github-workflow.yml"
for file in github-shards gitlab-shards; do
    rm -rf all shard-*
    commands "$docs/$file.yml" >commands
    [ "$(wc -l <commands)" = 4 ] || { cat commands; fail "$file: three hunts and a merge"; }
    sed 's|stalemate merge|& --json all.json|' commands >script
    sh script >log 2>&1 </dev/null || [ $? = 1 ] || { cat log; fail "$file"; }
    mkdir -p all/witnesses
    same "$file"
done
