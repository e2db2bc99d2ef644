/* What read-modify-writes compute, against the compiler's own; natively and by result alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../abi/site.h"
#include "../../core/rmw.h"

static uint64_t random_state = 20240607;

/* Small and huge values alike, so that wrapping and signs are met. */
static uint64_t random_value(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    uint64_t value = random_state >> 33 ^ random_state << 31;
    return random_state % 3 ? value : value % 5;
}

#define EXPECT(type, sign, op, result)                                                             \
    do {                                                                                           \
        type a = (type)random_value(), b = (type)random_value(), memory = a;                       \
        sign s = (sign)a, t = (sign)b;                                                             \
        (void)s, (void)t;                                                                          \
        type expected = (type)(result);                                                            \
        assert_true(sm_rmw_result(a, b, op, sizeof a) == expected);                                \
        assert_true(sm_native_rmw(&memory, b, op, sizeof a) == a);                                 \
        assert_true(memory == expected);                                                           \
    } while (0)

#define EXPECT_ALL(type, sign)                                                                     \
    for (int i = 0; i < 200; i++) {                                                                \
        EXPECT(type, sign, SM_RMW_XCHG, b);                                                        \
        EXPECT(type, sign, SM_RMW_ADD, a + b);                                                     \
        EXPECT(type, sign, SM_RMW_SUB, a - b);                                                     \
        EXPECT(type, sign, SM_RMW_AND, a &b);                                                      \
        EXPECT(type, sign, SM_RMW_NAND, ~(a & b));                                                 \
        EXPECT(type, sign, SM_RMW_OR, a | b);                                                      \
        EXPECT(type, sign, SM_RMW_XOR, a ^ b);                                                     \
        EXPECT(type, sign, SM_RMW_MAX, s > t ? a : b);                                             \
        EXPECT(type, sign, SM_RMW_MIN, s < t ? a : b);                                             \
        EXPECT(type, sign, SM_RMW_UMAX, a > b ? a : b);                                            \
        EXPECT(type, sign, SM_RMW_UMIN, a < b ? a : b);                                            \
        EXPECT(type, sign, SM_RMW_UINC_WRAP, a >= b ? 0 : a + 1);                                  \
        EXPECT(type, sign, SM_RMW_UDEC_WRAP, a == 0 || a > b ? b : a - 1);                         \
    }

static void test_integers(void **state)
{
    (void)state;
    EXPECT_ALL(uint8_t, int8_t)
    EXPECT_ALL(uint16_t, int16_t)
    EXPECT_ALL(uint32_t, int32_t)
    EXPECT_ALL(uint64_t, int64_t)
    EXPECT_ALL(sm_wide, __int128)
}

static float float_result(float a, float b, uint8_t op)
{
    uint32_t bits[2], result;
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    result = (uint32_t)sm_rmw_result(bits[0], bits[1], op, sizeof result);
    memcpy(&a, &result, sizeof a);
    return a;
}

static double double_result(double a, double b, uint8_t op)
{
    uint64_t bits[2], result;
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    result = (uint64_t)sm_rmw_result(bits[0], bits[1], op, sizeof result);
    memcpy(&a, &result, sizeof a);
    return a;
}

static void test_floats(void **state)
{
    (void)state;
    volatile float third = 1.0f / 3, tiny = 1e-9f;
    assert_true(float_result(third, tiny, SM_RMW_FADD) == third + tiny);
    assert_true(float_result(third, tiny, SM_RMW_FSUB) == third - tiny);
    assert_true(double_result(1e300, 1e300, SM_RMW_FADD) == 2e300);
    assert_true(double_result(-1, 2, SM_RMW_FMIN) == -1);
    assert_true(double_result(-1, 2, SM_RMW_FMAX) == 2);
    /* As fmax has it, which LLVM's operation is: what is not a number loses. */
    assert_true(double_result(NAN, 2, SM_RMW_FMAX) == 2);
    assert_true(double_result(2, NAN, SM_RMW_FMIN) == 2);
}

static void test_compare_exchange(void **state)
{
    (void)state;
    uint16_t words[2] = {7, 9};
    assert_true(sm_native_cas(&words[0], 8, 1, 2) == 7);
    assert_int_equal(words[0], 7);
    assert_true(sm_native_cas(&words[0], 7, 1, 2) == 7);
    assert_int_equal(words[0], 1);
    assert_int_equal(words[1], 9);
    sm_native_store(&words[1], 0x12345, 2);
    assert_true(sm_native_load(&words[1], 2) == 0x2345);
    assert_int_equal(words[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_floats),
                                       cmocka_unit_test(test_compare_exchange)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
