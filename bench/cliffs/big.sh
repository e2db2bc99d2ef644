#!/bin/sh
# big.sh [FUNCTIONS] - prints a C file of that many functions (400): fields, arrays, calls,
# branches, switches and atomics, about 20 lines each, none equal to another.
awk -v n="${1:-400}" 'BEGIN {
    print "#include <stdatomic.h>\n#include <string.h>"
    print "struct node { struct node *next; long key, count; int flags; char name[24]; };"
    print "extern struct node *roots[64];\nextern atomic_int ready;\nextern long total(long);"
    for (i = 0; i < n; i++) {
        printf "long work%d(struct node *node, const int *values, int n)\n{\n", i
        printf "    long sum = %d;\n", i
        printf "    for (int i = 0; i < n; i++) {\n        sum += values[i] * %dL;\n", i % 13 + 2
        printf "        if (values[i] %% %d == 0)\n            node->count += values[i];\n", i % 7 + 2
        print "    }"
        printf "    for (struct node *at = roots[%d]; at; at = at->next) {\n", i % 64
        print "        switch (at->flags & 3) {"
        print "        case 0:\n            at->key += sum;\n            break;"
        printf "        case 1:\n            at->name[%d] = (char)sum;\n            break;\n", i % 24
        printf "        default:\n            sum ^= at->key + at->name[%d];\n        }\n    }\n", i % 23
        print "    if (atomic_load_explicit(&ready, memory_order_acquire))"
        printf "        memcpy(node->name, roots[%d]->name, sizeof node->name);\n", (i + 5) % 64
        printf "    node->flags |= %d;\n", i % 31
        printf "    return total(sum)%s;\n}\n", i ? " + work" (i - 1) "(node->next, values + 1, n / 2)" : ""
    }
}'
