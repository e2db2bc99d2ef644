/* Inline assembly as concurrencykit, liburcu, jemalloc, DPDK and the kernel's headers for tools
 * write it: 64 statements, each with the event it must become. ../run/assembly_values.c compares
 * what they compute with what the processor does. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t v8;
static uint16_t v16;
static uint32_t v32, w32;
static uint64_t v64, w64, bits[4];
static void *vp;
static int lock_word = 1, stop;
static struct {
    uint32_t head, tail;
} ring;
static uint64_t pair[2] __attribute__((aligned(16)));
static char from[64], to[64];

static void say(const char *name, uint64_t value)
{
    printf("%s %llx v8=%x v16=%x v32=%x w32=%x v64=%llx w64=%llx ring=%x,%x\n", name,
           (unsigned long long)value, v8, v16, v32, w32, (unsigned long long)v64,
           (unsigned long long)w64, ring.head, ring.tail);
}
#define F(name) static __attribute__((noinline)) uint64_t name(uint64_t a, uint64_t b)

/* ---- concurrencykit ---- */

// expect: ck_load_32 ATOMIC_LOAD v32 size=4 object=-+0 order=acquire
F(ck_load_32)
{
    uint32_t r;
    __asm__ __volatile__("movl %1, %0" : "=q"(r) : "m"(v32) : "memory");
    return r + a + b;
}
// expect: ck_load_8 ATOMIC_LOAD v8 size=1 object=-+0 order=acquire
F(ck_load_8)
{
    uint8_t r;
    __asm__ __volatile__("movb %1, %0" : "=q"(r) : "m"(v8) : "memory");
    return r;
}
// expect: ck_load_ptr ATOMIC_LOAD vp size=8 object=-+0 order=acquire
F(ck_load_ptr)
{
    void *r;
    __asm__ __volatile__("movq %1, %0" : "=q"(r) : "m"(vp) : "memory");
    return (uintptr_t)r;
}
// expect: ck_store_16 ATOMIC_STORE v16 size=2 object=-+0 order=release
F(ck_store_16)
{
    __asm__ __volatile__("movw %1, %0" : "=m"(v16) : "iq"((uint16_t)a) : "memory");
    return b;
}
// expect: ck_store_64 ATOMIC_STORE v64 size=8 object=-+0 order=release
F(ck_store_64)
{
    __asm__ __volatile__("movq %1, %0" : "=m"(v64) : "iq"(a) : "memory");
    return b;
}
// expect: ck_store_constant ATOMIC_STORE v32 size=4 object=-+0 order=release
F(ck_store_constant)
{
    __asm__ __volatile__("movl %1, %0" : "=m"(v32) : "iq"(77) : "memory");
    return a;
}
// expect: ck_fas_32 RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=0
F(ck_fas_32)
{
    uint32_t r = (uint32_t)a;
    __asm__ __volatile__("xchgl %0, %1" : "+m"(v32), "+q"(r) : : "memory");
    return r;
}
// expect: ck_fas_8 RMW v8 size=1 object=-+0 order=seq_cst fail=relaxed op=0
F(ck_fas_8)
{
    uint8_t r = (uint8_t)a;
    __asm__ __volatile__("xchgb %0, %1" : "+m"(v8), "+q"(r) : : "memory");
    return r;
}
// expect: ck_faa_64 RMW v64 size=8 object=-+0 order=seq_cst fail=relaxed op=1
F(ck_faa_64)
{
    uint64_t r = a;
    __asm__ __volatile__("lock xaddq %1, %0" : "+m"(v64), "+q"(r) : : "memory", "cc");
    return r;
}
// expect: ck_faa_16 RMW v16 size=2 object=-+0 order=seq_cst fail=relaxed op=1
F(ck_faa_16)
{
    uint16_t r = (uint16_t)a;
    __asm__ __volatile__("lock xaddw %1, %0" : "+m"(v16), "+q"(r) : : "memory", "cc");
    return r;
}
// expect: ck_inc_32 RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=1
F(ck_inc_32)
{
    __asm__ __volatile__("lock incl %0" : "+m"(v32) : : "memory", "cc");
    return a;
}
// expect: ck_dec_zero RMW w32 size=4 object=-+0 order=seq_cst fail=relaxed op=2
F(ck_dec_zero)
{
    uint8_t z;
    __asm__ __volatile__("lock decl %0; setz %1" : "+m"(w32), "=qm"(z) : : "memory", "cc");
    return z;
}
// expect: ck_inc_zero RMW v8 size=1 object=-+0 order=seq_cst fail=relaxed op=1
F(ck_inc_zero)
{
    uint8_t z;
    __asm__ __volatile__("lock incb %0; setz %1" : "+m"(v8), "=q"(z) : : "memory", "cc");
    return z;
}
// expect: ck_not_64 RMW v64 size=8 object=-+0 order=seq_cst fail=relaxed op=6
F(ck_not_64)
{
    __asm__ __volatile__("lock notq %0" : "+m"(v64) : : "memory", "cc");
    return a;
}
// expect: ck_add_8 RMW v8 size=1 object=-+0 order=seq_cst fail=relaxed op=1
F(ck_add_8)
{
    __asm__ __volatile__("lock addb %1, %0" : "+m"(v8) : "iq"((uint8_t)a) : "memory", "cc");
    return b;
}
// expect: ck_sub_32 RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=2
F(ck_sub_32)
{
    __asm__ __volatile__("lock subl %1, %0" : "+m"(v32) : "iq"((uint32_t)a) : "memory", "cc");
    return b;
}
// expect: ck_and_16 RMW v16 size=2 object=-+0 order=seq_cst fail=relaxed op=3
F(ck_and_16)
{
    __asm__ __volatile__("lock andw %1, %0" : "+m"(v16) : "iq"((uint16_t)a) : "memory", "cc");
    return b;
}
// expect: ck_or_64 RMW v64 size=8 object=-+0 order=seq_cst fail=relaxed op=5
F(ck_or_64)
{
    __asm__ __volatile__("lock orq %1, %0" : "+m"(v64) : "iq"(a) : "memory", "cc");
    return b;
}
// expect: ck_xor_32 RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=6
F(ck_xor_32)
{
    __asm__ __volatile__("lock xorl %1, %0" : "+m"(v32) : "iq"((uint32_t)a) : "memory", "cc");
    return b;
}
// expect: ck_cas_32 CAS v32 size=4 object=-+0 order=seq_cst fail=seq_cst
F(ck_cas_32)
{
    uint8_t z;
    __asm__ __volatile__("lock cmpxchgl %3, %0; mov %%eax, %2; setz %1"
                         : "+m"(v32), "=a"(z), "=m"(w32)
                         : "q"((uint32_t)b), "a"((uint32_t)a)
                         : "memory", "cc");
    return z;
}
// expect: ck_cas_64 CAS v64 size=8 object=-+0 order=seq_cst fail=seq_cst
F(ck_cas_64)
{
    uint8_t z;
    __asm__ __volatile__("lock cmpxchgq %2, %0; setz %1"
                         : "+m"(v64), "=a"(z)
                         : "q"(b), "a"(a)
                         : "memory", "cc");
    return z;
}
// expect: ck_cas_flag CAS v8 size=1 object=-+0 order=seq_cst fail=seq_cst
F(ck_cas_flag)
{
    int z;
    uint8_t o = (uint8_t)a;
    __asm__ __volatile__("lock cmpxchgb %3, %0"
                         : "+m"(v8), "=@ccz"(z), "+a"(o)
                         : "q"((uint8_t)b)
                         : "memory");
    return z * 256u + o;
}
// expect: ck_cas_pair CAS pair[] size=16
F(ck_cas_pair)
{
    uint64_t e[2] = {a, b};
    uint8_t z;
    __asm__ __volatile__("lock cmpxchg16b %0; setz %1"
                         : "+m"(pair), "=q"(z), "+a"(e[0]), "+d"(e[1])
                         : "b"(a + 1), "c"(b + 1)
                         : "memory", "cc");
    return z + e[0] * 16 + e[1] * 256;
}
// expect: ck_cas_8_bytes CAS ring size=8
F(ck_cas_8_bytes)
{
    uint32_t lo = (uint32_t)a, hi = (uint32_t)b;
    uint8_t z;
    __asm__ __volatile__("lock; cmpxchg8b %0; setz %1"
                         : "+m"(ring), "=q"(z), "+a"(lo), "+d"(hi)
                         : "b"(5), "c"(6)
                         : "memory", "cc");
    return z + lo * 16 + hi * 256ul;
}
// expect: ck_btc_64 RMW v64 size=8 object=-+0 order=seq_cst fail=relaxed op=6
F(ck_btc_64)
{
    uint8_t c;
    __asm__ __volatile__("lock btcq %2, %0; setc %1"
                         : "+m"(v64), "=q"(c)
                         : "q"(a % 64)
                         : "memory", "cc");
    return c;
}
// expect: ck_bts_16 RMW v16 size=2 object=-+0 order=seq_cst fail=relaxed op=5
F(ck_bts_16)
{
    uint8_t c;
    __asm__ __volatile__("lock btsw %2, %0; setc %1"
                         : "+m"(v16), "=q"(c)
                         : "q"((uint16_t)(a % 16))
                         : "memory", "cc");
    return c;
}
// expect: ck_fence FENCE - size=0 object=-+0 order=seq_cst fail=relaxed op=0 flags=0
F(ck_fence)
{
    __asm__ __volatile__("mfence" : : : "memory");
    return a;
}
// expect: ck_fence_load FENCE - size=0 object=-+0 order=acquire
F(ck_fence_load)
{
    __asm__ __volatile__("lfence" : : : "memory");
    return a;
}
// expect: ck_fence_store FENCE - size=0 object=-+0 order=release
F(ck_fence_store)
{
    __asm__ __volatile__("sfence" : : : "memory");
    return a;
}
// absent: ck_barrier FENCE
// absent: ck_barrier ASM
F(ck_barrier)
{
    __asm__ __volatile__("" : : : "memory");
    return a;
}
// absent: ck_stall ASM
// absent: ck_stall FENCE
F(ck_stall)
{
    __asm__ __volatile__("pause" : : : "memory");
    return a;
}
// expect: ck_elided RMW stop size=4 object=-+0 order=seq_cst fail=relaxed op=0
F(ck_elided)
{
    int r = (int)a;
    __asm__ __volatile__(".pushsection .discard.rtm\n.popsection\nxacquire lock; xchgl %0, %1"
                         : "+m"(stop), "+q"(r)
                         :
                         : "memory");
    return (uint32_t)r;
}

/* ---- liburcu ---- */

// expect: urcu_xchg RMW v64 size=8 object=-+0 order=seq_cst fail=relaxed op=0
F(urcu_xchg)
{
    uint64_t r;
    __asm__ __volatile__("xchgq %0, %1" : "=r"(r), "+m"(v64) : "0"(a) : "memory");
    return r;
}
// expect: urcu_cmpxchg CAS v32 size=4 object=-+0 order=seq_cst fail=seq_cst
F(urcu_cmpxchg)
{
    uint32_t r = (uint32_t)a;
    __asm__ __volatile__("lock; cmpxchgl %2, %1"
                         : "+a"(r), "+m"(v32)
                         : "r"((uint32_t)b)
                         : "memory");
    return r;
}
// expect: urcu_add_return RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=1
F(urcu_add_return)
{
    uint32_t r = (uint32_t)a;
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(r), "+m"(v32) : : "memory");
    return r + a;
}
// expect: urcu_or_byte RMW v8 size=1 object=-+0 order=seq_cst fail=relaxed op=5
F(urcu_or_byte)
{
    __asm__ __volatile__("lock; orb %b1, %0" : "=m"(v8) : "iq"((uint8_t)a) : "memory");
    return b;
}
// expect: urcu_smp_mb FENCE - size=0 object=-+0 order=seq_cst
F(urcu_smp_mb)
{
    __asm__ __volatile__("lock; addl $0,-4(%%rsp)" : : : "memory", "cc");
    return a;
}
// absent: urcu_cpu_relax ASM
F(urcu_cpu_relax)
{
    __asm__ __volatile__("rep; nop" : : : "memory");
    return a;
}
// expect: urcu_store ATOMIC_STORE *l size=4
static __attribute__((noinline)) void urcu_store(int *l)
{
    __asm__ __volatile__("movl $1, (%0)" : : "r"(l) : "memory");
}
// expect: urcu_spin_init ATOMIC_STORE lock_word size=4
F(urcu_spin_init)
{
    urcu_store(&lock_word);
    int *l = &lock_word;
    __asm__ __volatile__("movl %1, (%0)" : : "r"(l), "i"(3) : "memory");
    return (uint64_t)lock_word + a + b;
}

/* ---- jemalloc ---- */

// expect: je_fence FENCE - size=0 object=-+0 order=seq_cst
F(je_fence)
{
    __asm__ volatile("lock; orl $0,0(%%rsp)" : : : "memory");
    return a;
}
// expect: je_add RMW w64 size=8 object=-+0 order=seq_cst fail=relaxed op=1
F(je_add)
{
    uint64_t t = a;
    __asm__ volatile("lock; xaddq %0, %1;" : "+r"(t), "=m"(w64) : "m"(w64));
    return t + a;
}
// expect: je_cas CAS w64 size=8 object=-+0 order=seq_cst fail=seq_cst
F(je_cas)
{
    uint8_t ok;
    __asm__ volatile("lock; cmpxchgq %4, %0;sete %1;"
                     : "=m"(w64), "=a"(ok)
                     : "m"(w64), "a"(a), "r"(b)
                     : "memory");
    return ok;
}
// absent: je_pause ASM
F(je_pause)
{
    __asm__ volatile("pause");
    return b;
}

/* ---- DPDK ---- */

// expect: dpdk_cmpset CAS v16 size=2 object=-+0 order=seq_cst fail=seq_cst
F(dpdk_cmpset)
{
    uint8_t res;
    __asm__ volatile("lock ; "
                     "cmpxchgw %[src], %[dst];"
                     "sete %[res];"
                     : [res] "=a"(res), [dst] "=m"(v16)
                     : [src] "r"((uint16_t)b), "a"((uint16_t)a), "m"(v16)
                     : "memory");
    return res;
}
// expect: dpdk_exchange RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=0
F(dpdk_exchange)
{
    uint32_t val = (uint32_t)a;
    __asm__ volatile("lock ; "
                     "xchgl %0, %1;"
                     : "=r"(val), "=m"(v32)
                     : "0"(val), "m"(v32)
                     : "memory");
    return val;
}
// expect: dpdk_inc RMW w32 size=4 object=-+0 order=seq_cst fail=relaxed op=1
F(dpdk_inc)
{
    __asm__ volatile("lock ; "
                     "incl %[cnt]"
                     : [cnt] "=m"(w32)
                     : "m"(w32));
    return a;
}
// expect: dpdk_inc_and_test RMW w32 size=4 object=-+0 order=seq_cst fail=relaxed op=1
F(dpdk_inc_and_test)
{
    uint8_t ret;
    __asm__ volatile("lock ; "
                     "incl %[cnt] ; "
                     "sete %[ret]"
                     : [cnt] "+m"(w32), [ret] "=qm"(ret));
    return ret;
}
// expect: dpdk_unlock RMW lock_word size=4 object=-+0 order=seq_cst fail=relaxed op=0
F(dpdk_unlock)
{
    int unlock_val = 0;
    __asm__ volatile("xchg %[locked], %[ulv]\n"
                     : [locked] "=m"(lock_word), [ulv] "=q"(unlock_val)
                     : "[ulv]"(unlock_val)
                     : "memory");
    return (uint32_t)unlock_val;
}
// absent: dpdk_prefetch ASM
F(dpdk_prefetch)
{
    __asm__ volatile("prefetcht0 %[p]" : : [p] "m"(*(const volatile char *)&v64));
    return a;
}
// expect: dpdk_smp_mb FENCE - size=0 object=-+0 order=seq_cst
F(dpdk_smp_mb)
{
    __asm__ volatile("lock addl $0, -128(%%rsp); " ::: "memory");
    return b;
}
F(dpdk_rdtsc)
{
    uint32_t lo, hi;
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    return ((uint64_t)hi << 32 | lo) != 0;
}
// expect: dpdk_rdtsc_precise FENCE - size=0 object=-+0 order=acquire
F(dpdk_rdtsc_precise)
{
    uint64_t lo, hi;
    __asm__ volatile("lfence; rdtsc; shlq $32, %%rdx; orq %%rdx, %%rax"
                     : "=a"(lo), "=d"(hi)
                     :
                     : "memory");
    return lo != 0;
}
// expect: dpdk_copy COPY to[] size=32
F(dpdk_copy)
{
    void *d = to;
    const void *s = from;
    uint64_t n = 32;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
    return n + (uint64_t)((char *)d - to) + (uint64_t)to[31];
}
// expect: dpdk_clear FILL to[] size=32
F(dpdk_clear)
{
    void *d = to;
    uint64_t n = 4;
    __asm__ volatile("cld; rep stosq" : "+D"(d), "+c"(n) : "a"(0ul) : "memory");
    return n + (uint64_t)((char *)d - to) + (uint64_t)to[31];
}

/* ---- the kernel's headers for tools ---- */

// expect: linux_atomic_inc RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=1
F(linux_atomic_inc)
{
    __asm__ volatile(
        ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "
        "incl %0"
        : "+m"(v32));
    return a;
}
// expect: linux_dec_and_test RMW w32 size=4 object=-+0 order=seq_cst fail=relaxed op=2
F(linux_dec_and_test)
{
    __asm__ goto("lock; decl %0; je %l[zero]" : : "m"(w32) : "memory", "cc" : zero);
    return 1;
zero:
    return 2;
}
// expect: linux_set_bit RMW bits[] size=8
F(linux_set_bit)
{
    __asm__ volatile("lock; btsq %1,%0" : "+m"(*bits) : "Ir"(a & 255) : "memory");
    return bits[0] ^ bits[1] ^ bits[2] ^ bits[3];
}
// expect: linux_test_and_clear RMW bits[] size=8
F(linux_test_and_clear)
{
    int c;
    __asm__ volatile("lock; btrq %2,%0" : "+m"(*bits), "=@ccc"(c) : "Ir"(a & 255) : "memory");
    return (unsigned)c;
}
// expect: linux_test_bit LOAD bits[] size=8
F(linux_test_bit)
{
    uint8_t c;
    __asm__ volatile("btq %2,%1; setc %0" : "=qm"(c) : "m"(*bits), "Ir"(a & 255));
    return c;
}
// expect: linux_set_bit_unlocked LOAD bits[] size=8
// expect: linux_set_bit_unlocked STORE bits[] size=8
F(linux_set_bit_unlocked)
{
    __asm__ volatile("btsq %1,%0" : "+m"(*bits) : "Ir"(a & 63) : "memory");
    return bits[0];
}
// expect: linux_cmpxchg CAS w64 size=8 object=-+0 order=seq_cst fail=seq_cst
F(linux_cmpxchg)
{
    uint64_t r;
    __asm__ volatile("lock; cmpxchgq %2,%1" : "=a"(r), "+m"(w64) : "r"(b), "0"(a) : "memory");
    return r;
}
// expect: linux_try_cmpxchg CAS w64 size=8 object=-+0 order=seq_cst fail=seq_cst
F(linux_try_cmpxchg)
{
    _Bool ok;
    uint64_t o = a;
    __asm__ volatile("lock; cmpxchgq %[new], %[ptr]"
                     : "=@ccz"(ok), [ptr] "+m"(w64), [old] "+a"(o)
                     : [new] "r"(b)
                     : "memory");
    return ok + o * 2;
}
// expect: linux_sub_negative RMW w32 size=4 object=-+0 order=seq_cst fail=relaxed op=2
F(linux_sub_negative)
{
    _Bool s;
    __asm__ volatile("lock; subl %2, %0" : "+m"(w32), "=@ccs"(s) : "er"((uint32_t)a) : "memory");
    return s;
}
// expect: linux_rmwcc RMW v64 size=8 object=-+0 order=seq_cst fail=relaxed op=1
F(linux_rmwcc)
{
    uint8_t c;
    __asm__ volatile("lock; addq %2, %0; setl %1" : "+m"(v64), "=qm"(c) : "er"(a) : "memory");
    return c;
}
// expect: linux_rdtscp ATOMIC_STORE w32 size=4
F(linux_rdtscp)
{
    uint32_t lo, hi, cpu;
    __asm__ volatile("rdtscp; movl $9, %3" : "=a"(lo), "=d"(hi), "=c"(cpu), "=m"(w32) : : "memory");
    return (((uint64_t)hi << 32) | lo) != 0;
}
// expect: linux_unlocked_add LOAD v64 size=8
// expect: linux_unlocked_add STORE v64 size=8
F(linux_unlocked_add)
{
    __asm__ volatile("addq %1,%0" : "+m"(v64) : "er"(a));
    return b;
}

/* ---- the other dialect ---- */

// expect: intel_add RMW v32 size=4 object=-+0 order=seq_cst fail=relaxed op=1
F(intel_add)
{
    __asm__ volatile("lock {addl %1,%0|add %0,%1}" : "+m"(v32) : "r"((uint32_t)a) : "memory");
    return b;
}
// expect: cpuid_orders FENCE - size=0 object=-+0 order=seq_cst
// absent: cpuid_orders ASM
F(cpuid_orders)
{
    uint32_t x = 0, y, z, w;
    __asm__ volatile("cpuid" : "+a"(x), "=b"(y), "=c"(z), "=d"(w) : : "memory");
    return x != 0;
}
// expect: spilled CAS v32 size=4 object=-+0 order=seq_cst fail=seq_cst
F(spilled)
{
    uint32_t r;
    __asm__ volatile("pushq %%rbx; movl %3, %%ebx; lock; cmpxchgl %%ebx, %1; popq %%rbx"
                     : "=a"(r), "+m"(v32)
                     : "0"((uint32_t)a), "r"((uint32_t)b)
                     : "memory");
    return r;
}

/* ---- not understood ---- */

// expect: unknown ASM v32
// hooks: sm_asm
// hooks: sm_asm_access
F(unknown)
{
    __asm__ volatile("roll $3, %0" : "+m"(v32) : : "memory");
    return a;
}
// expect: unknown_quiet ASM w32
F(unknown_quiet)
{
    uint32_t r;
    __asm__ volatile("bsfl %1, %0" : "=r"(r) : "rm"(w32 | 8));
    __asm__ volatile("roll $1, %0" : "+m"(w32));
    return r;
}

#define IT(name) {#name, name}
static const struct {
    const char *name;
    uint64_t (*function)(uint64_t, uint64_t);
} all[] = {
    IT(ck_load_32),
    IT(ck_load_8),
    IT(ck_load_ptr),
    IT(ck_store_16),
    IT(ck_store_64),
    IT(ck_store_constant),
    IT(ck_fas_32),
    IT(ck_fas_8),
    IT(ck_faa_64),
    IT(ck_faa_16),
    IT(ck_inc_32),
    IT(ck_dec_zero),
    IT(ck_inc_zero),
    IT(ck_not_64),
    IT(ck_add_8),
    IT(ck_sub_32),
    IT(ck_and_16),
    IT(ck_or_64),
    IT(ck_xor_32),
    IT(ck_cas_32),
    IT(ck_cas_64),
    IT(ck_cas_flag),
    IT(ck_cas_pair),
    IT(ck_cas_8_bytes),
    IT(ck_btc_64),
    IT(ck_bts_16),
    IT(ck_fence),
    IT(ck_fence_load),
    IT(ck_fence_store),
    IT(ck_barrier),
    IT(ck_stall),
    IT(ck_elided),
    IT(urcu_xchg),
    IT(urcu_cmpxchg),
    IT(urcu_add_return),
    IT(urcu_or_byte),
    IT(urcu_smp_mb),
    IT(urcu_cpu_relax),
    IT(urcu_spin_init),
    IT(je_fence),
    IT(je_add),
    IT(je_cas),
    IT(je_pause),
    IT(dpdk_cmpset),
    IT(dpdk_exchange),
    IT(dpdk_inc),
    IT(dpdk_inc_and_test),
    IT(dpdk_unlock),
    IT(dpdk_prefetch),
    IT(dpdk_smp_mb),
    IT(dpdk_rdtsc),
    IT(dpdk_rdtsc_precise),
    IT(dpdk_copy),
    IT(dpdk_clear),
    IT(linux_atomic_inc),
    IT(linux_dec_and_test),
    IT(linux_set_bit),
    IT(linux_test_and_clear),
    IT(linux_test_bit),
    IT(linux_set_bit_unlocked),
    IT(linux_cmpxchg),
    IT(linux_try_cmpxchg),
    IT(linux_sub_negative),
    IT(linux_rmwcc),
    IT(linux_rdtscp),
    IT(linux_unlocked_add),
    IT(intel_add),
    IT(cpuid_orders),
    IT(spilled),
    IT(unknown),
    IT(unknown_quiet),
};

int main(void)
{
    static const uint64_t values[4] = {0, 1, 0x8000000000000001u, 0x5a};
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (char)i;
    vp = (void *)8;
    for (unsigned f = 0; f < sizeof all / sizeof *all; f++)
        for (unsigned i = 0; i < 4; i++)
            say(all[f].name, all[f].function(values[i], values[(i + 1) % 4]));
    return 0;
}
