/* A race is printed once for both flavours: what is printed is parsed to the same struct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../findings/json.h"
#include "../../findings/parse.h"
#include "../../findings/suppress.h"

static struct sm_place f = {"a.c", "f", 3, 1, "/lib/x.so"}, g = {"b.c", "g", 4, 2, NULL};
static struct sm_held_lock lock = {.address = 0x10, .name = "m", .taken = {&g, 1}};

static struct sm_data_race example(void)
{
    struct sm_access access = {.place = f,
                               .kind = "write",
                               .thread = 2,
                               .parent = 0,
                               .stack = {&f, 1},
                               .has_value = true,
                               .value = 42,
                               .locks = &lock,
                               .n_locks = 1,
                               .created = {&g, 1}};
    struct sm_data_race race = {.id = 1,
                                .count = 3,
                                .variable = "table[].next",
                                .element = 5,
                                .size = 4,
                                .first = access,
                                .second = access,
                                .has_memory = true,
                                .memory = 7,
                                .block = {.size = 40, .offset = 20, .allocated = {&g, 1}},
                                .advice = "take a lock"};
    race.first.kind = "read";
    race.first.place = g;
    return race;
}

static char *json_of(const struct sm_data_race *race)
{
    json_t *json = sm_json_race(race);
    assert_non_null(json);
    char *text = json_dumps(json, JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

static struct sm_data_race copy_of(const struct sm_data_race *race)
{
    json_t *json = sm_json_race(race);
    struct sm_data_race copy = sm_parse_race(json);
    json_decref(json);
    return copy;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct sm_data_race race = example(), copy = copy_of(&race);
    char *before = json_of(&race), *after = json_of(&copy);
    assert_string_equal(before, after);
    assert_true(sm_race_is_same(&race, &copy));
    free(before);
    free(after);
    sm_data_race_free(&copy);
}

/* What is not UTF-8 must not make a race disappear. */
static void test_bytes(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"a\xff", "a\uFFFD"},
                                           {"\xc3\xa9", "\u00e9"},
                                           {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
                                           {"\xc0\x80", "\uFFFD\uFFFD"},
                                           {"\xe2\x82", "\uFFFD\uFFFD"},
                                           {"\"\\\n\x01", "\"\\\n\x01"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *json = sm_json_text(texts[i][0]);
        assert_non_null(json);
        assert_string_equal(json_string_value(json), texts[i][1]);
        json_decref(json);
    }
}

static void print(struct sm_sink *sink, const char *format, va_list arguments)
{
    static size_t used;
    extern char said[4096];
    (void)sink;
    if (!said[0])
        used = 0;
    used += (size_t)vsnprintf(said + used, sizeof said - used, format, arguments);
}
char said[4096];

static void test_text(void **state)
{
    (void)state;
    struct sm_sink sink = {print};
    struct sm_data_race race = example();
    struct sm_place unknown = {.file = "?", .function = "?"};
    race.second.place = unknown;
    race.second.stack = (struct sm_stack){&unknown, 1};
    said[0] = 0;
    sm_race_print_text(&race, "race 1: ", &sink);
    static const char *const lines[] = {
        "race 1: data race on table[5].next, seen 3 times\n",
        "    read by thread 2 · f, value 0x2a\n      f  a.c:3:1\n",
        "    write by thread 2, value 0x2a\n      (its place is no longer known)\n",
        "    holding the lock m at 0x10, taken at\n      g  b.c:4:2\n",
        "    thread 2 was created by thread 0\n      g  b.c:4:2\n",
        "    memory held 0x7 when the race was found\n",
        "    in a heap block of 40 bytes, 20 from its start, allocated by thread 0\n      g  b.c",
        "    what to do (not tried): take a lock\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(said, lines[i]))
            fail_msg("not said: %s in:\n%s", lines[i], said);
}

/* What a library does inside of a call is folded into the call; the user's frames never are. */
static void test_folding(void **state)
{
    (void)state;
    struct sm_sink sink = {print};
    struct sm_data_race race = example();
    struct sm_place library = {"/usr/include/c++/12/bits/move.h", "std::swap", 9, 1, NULL};
    struct sm_place call = {"/usr/include/c++/12/memory", "std::shared_ptr::operator=", 8, 1, NULL};
    struct sm_place frames[] = {library, library, call, f, f, library};
    race.first.stack = (struct sm_stack){frames, 6};
    said[0] = 0;
    sm_race_print_text(&race, "", &sink);
    assert_non_null(strstr(said,
                           "      std::shared_ptr::operator=  /usr/include/c++/12/memory:8:1  "
                           "(2 more inside, of the library)\n"
                           "      f  a.c:3:1\n      f  a.c:3:1\n"
                           "      std::swap  /usr/include/c++/12/bits/move.h:9:1\n"));
}

static void test_merging(void **state)
{
    (void)state;
    struct sm_races_found races = {0};
    struct sm_data_race race = example(), one = copy_of(&race), two = copy_of(&race), swapped;
    swapped = copy_of(&race);
    struct sm_access first = swapped.first;
    swapped.first = swapped.second;
    swapped.second = first;
    race.variable = "other";
    struct sm_data_race other = copy_of(&race);
    sm_races_found_add(&races, &one);
    sm_races_found_add(&races, &two);
    sm_races_found_add(&races, &swapped);
    sm_races_found_add(&races, &other);
    assert_int_equal(races.n, 2);
    assert_int_equal(races.items[0].count, 9);
    assert_int_equal(races.items[1].id, 2);
    sm_races_found_free(&races);
}

static bool suppressed(struct sm_suppression line)
{
    struct sm_suppressions list = {&line, 1};
    struct sm_data_race race = example();
    return sm_suppressions_match(&list, &race);
}

static void test_patterns(void **state)
{
    (void)state;
    assert_true(sm_pattern_matches("b*d", "abcde"));
    assert_true(sm_pattern_matches("^a*e$", "abcde"));
    assert_true(sm_pattern_matches("c*$", "abcde"));
    assert_true(sm_pattern_matches("^a*b*b$", "abab"));
    assert_true(sm_pattern_matches("", ""));
    assert_true(sm_pattern_matches("$", "a"));
    assert_true(sm_pattern_matches("a$b", "xa$b"));
    assert_false(sm_pattern_matches("^b", "ab"));
    assert_false(sm_pattern_matches("a$", "ab"));
    assert_false(sm_pattern_matches("^a*b$", "abc"));
    assert_false(sm_pattern_matches("a*a*a", "aa"));
    /* A matcher that tries every star at every place would not live to see the end of it. */
    assert_false(sm_pattern_matches("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b$",
                                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void test_suppressions(void **state)
{
    (void)state;
    assert_true(suppressed((struct sm_suppression){.pattern = "table"}));
    assert_true(suppressed((struct sm_suppression){.pattern = "^f$"}));
    assert_true(suppressed((struct sm_suppression){.pattern = "^g$", .top_only = true}));
    assert_true(suppressed((struct sm_suppression){.pattern = "x.so", .library_only = true}));
    assert_false(suppressed((struct sm_suppression){.pattern = "a.c", .library_only = true}));
    assert_false(suppressed((struct sm_suppression){.pattern = "f", .atomicity = true}));
    assert_false(suppressed((struct sm_suppression){.pattern = "nowhere"}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_text),         cmocka_unit_test(test_folding),
        cmocka_unit_test(test_merging),      cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_suppressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
