#include "turns.h"

#include <time.h>

int64_t turns_clock(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

void turns_begin(struct turns *t)
{
    t->began_ns = turns_clock();
}

void turns_next(struct turns *t)
{
    int64_t now = turns_clock();
    uint64_t us = (uint64_t)(now - t->began_ns) / 1000;
    int i = 0;

    while (i + 1 < TURNS_BUCKETS && us >> i != 0)
        i++;
    t->us[i]++;
    t->us_sum += us;
    if (us > t->us_longest)
        t->us_longest = us;
    t->began_ns = now;
}
