#!/bin/sh
# stalemate atomicity: options that say what the sets and units are, suppressions, witnesses.
. "$(dirname "$0")/../common.sh"

cat >stock.c <<'C'
#include <pthread.h>
#include <stalemate.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shelf { int free; } shelf = {1};
static struct register_ { int sold; } till;

static int look(void)
{
    pthread_mutex_lock(&lock);
    int free = shelf.free;
    pthread_mutex_unlock(&lock);
    return free;
}

static void take(void)
{
    pthread_mutex_lock(&lock);
    shelf.free--;
    till.sold++;
    pthread_mutex_unlock(&lock);
}

/* Accesses nothing itself, is given nothing, and is no external function: no unit by default. */
static __attribute__((noinline)) void buy(void)
{
#ifdef DECLARED
    stalemate_unit_begin(&shelf);
#endif
    if (look() > 0)
        take();
#ifdef DECLARED
    stalemate_unit_end(&shelf);
#endif
}

static void *customer(void *arg)
{
    buy();
    return arg;
}

int main(void)
{
    pthread_t threads[2];
#ifdef DECLARED
    stalemate_atomic_set(&till, sizeof till, "cash");
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, customer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", look());
    return look() < 0;
}
C
"$stalemate" cc -g -O1 -pthread stock.c -o stock
"$stalemate" cc -g -O1 -pthread -DDECLARED stock.c -o declared

# atomicity STATUS TEXT OPTIONS... -- PROGRAM
atomicity() {
    status=$1 text=$2
    shift 2
    says "$status" "$text" "$stalemate" atomicity --trials 12 --jobs 1 "$@"
}

atomicity 0 "0 violations" -- ./stock

# By name, by annotation, and by inference.
atomicity 1 "harmful: buy is not atomic for shelf (shelf.free): buy comes between" \
    --unit buy:shelf --json stock.json -- ./stock
also "Hold the lock that is taken at stock.c:11 across all of buy"
grep -q '"pattern": 1,' stock.json || fail "no pattern 1 in stock.json"
atomicity 1 "buy is not atomic for shelf" -- ./declared
atomicity 1 "buy is not atomic for shelf" --infer-units -- ./stock

# The witness is legal, and fails again.
witness=$(sed -n 's/.*"witness": "\(.*\)",/\1/p' stock.json | head -n 1)
says 0 "legal in sc" "$stalemate" check "$witness"
says 1 "FAILED: exit" "$stalemate" replay "$witness"

# A set over two objects; units in a file, in a section for this command.
atomicity 1 "not atomic for trade" --unit buy --set trade=shelf.free,till.sold -- ./stock
printf '[hunt]\ntrials = 1\n[atomicity]\nunit = buy:shelf\n' >stalemate.conf
atomicity 1 "not atomic for shelf" -- ./stock
printf '[atomics]\n' >stalemate.conf
atomicity 2 "no command 'atomics'" -- ./stock
rm stalemate.conf

# Suppressions.
printf '# the shop is closed at night\natomicity:^buy$\n' >known
atomicity 0 "suppressed" --unit buy:shelf --suppressions known -- ./stock
printf 'atomicity:sell\n' >known
atomicity 1 "" --unit buy:shelf --suppressions known -- ./stock

# Bad usage.
atomicity 2 "--set trade: expected NAME=VARIABLE" --set trade -- ./stock
atomicity 2 "--unit :shelf: expected FUNCTION:TYPE" --unit :shelf -- ./stock
says 2 "no program given" "$stalemate" atomicity

# A name that the program does not have is no all-clear; one of each kind that it has is taken.
atomicity 2 "--unit: the program has no function 'sell'" --unit sell:shelf -- ./stock
atomicity 2 "--unit: the program accesses no struct, variable or set 'shop'" --unit buy:shop -- ./stock
atomicity 2 "--set: the program accesses no variable 'shelf.full'" --set trade=shelf.free,shelf.full -- ./stock
atomicity 0 "0 violations" --unit take -- ./stock
atomicity 0 "0 violations" --unit take:till.sold --unit take:stock.c --unit take:lock -- ./stock
atomicity 1 "buy is not atomic for shelf" --unit take:cash -- ./declared
atomicity 2 "no struct, variable or set 'cash'" --unit take:cash -- ./stock
atomicity 0 "0 violations" --unit take:trade --set trade=till.sold -- ./stock
