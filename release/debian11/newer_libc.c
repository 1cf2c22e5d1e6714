/* What Debian 13's static libraries call of its C library, by means of Debian 11's: release/debian11/llvmlite.sh. */
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* Whether a program has one thread alone: never taken for granted. */
char __libc_single_threaded = 0;

/* Of C23, which reads binary numbers too. */
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

uint32_t arc4random(void) {
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
    return number;
}

struct mallinfo2 { size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost; };

/* LLVM asks how much memory is in use when it is told to time itself. */
struct mallinfo2 mallinfo2(void) {
    const struct mallinfo old = mallinfo();
    return (struct mallinfo2){
        (unsigned)old.arena, (unsigned)old.ordblks, (unsigned)old.smblks, (unsigned)old.hblks, (unsigned)old.hblkhd,
        (unsigned)old.usmblks, (unsigned)old.fsmblks, (unsigned)old.uordblks, (unsigned)old.fordblks,
        (unsigned)old.keepcost,
    };
}
