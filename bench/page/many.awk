# awk -f many.awk N: a program with N racy counters, every third of which an assertion looks at.
BEGIN {
    n = ARGV[1]
    print "#include <assert.h>\n#include <pthread.h>\n"
    for (i = 0; i < n; i++)
        printf "static int %s_%d;\n", i % 3 ? "hits" : "total", i
    print "\nstatic void *count(void *unused)\n{"
    for (i = 0; i < n; i++)
        printf "    %s_%d++;\n", i % 3 ? "hits" : "total", i
    print "    return unused;\n}\n\nint main(void)\n{\n    pthread_t threads[2];"
    print "    for (int i = 0; i < 2; i++)\n        pthread_create(&threads[i], 0, count, 0);"
    print "    for (int i = 0; i < 2; i++)\n        pthread_join(threads[i], 0);"
    for (i = 0; i < n; i += 3)
        printf "    assert(total_%d == 2);\n", i
    print "    return 0;\n}"
}
