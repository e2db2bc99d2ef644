/* json_without FILE KEY...: the object in FILE, keys sorted, without these keys. */
#include <jansson.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *json = argc > 1 ? json_load_file(argv[1], 0, &error) : NULL;
    if (!json)
        return fprintf(stderr, "no JSON in %s\n", argc > 1 ? argv[1] : "no file"), 2;
    for (int i = 2; i < argc; i++)
        json_object_del(json, argv[i]);
    json_dumpf(json, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
    json_decref(json);
    return 0;
}
