/* count.c -- a thread's processor time, as work that is counted.
 *
 * Linked into programs whose sources are compiled with
 * -fsanitize-coverage=trace-pc: each of their basic blocks calls what stands
 * here.  A thread's time is the count of its blocks, and so the daemon's turns,
 * slices and charges come out the same however busy the machine is and however
 * fast.  Libraries are compiled otherwise; of those that the loop gives long
 * texts the bytes are counted.
 *
 * A block is called a nanosecond, which is about what it takes (tests/README.md
 * has both, side by side). */

#include <dlfcn.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define BYTE_DEFLATED 5 /* blocks that a byte is worth */
#define BYTE_INFLATED 2
#define BYTE_PARSED   5
#define BYTE_WRITTEN  5

#define UNCOUNTED __attribute__((no_sanitize_coverage))

void __sanitizer_cov_trace_pc(void);

static _Thread_local uint64_t blocks;

UNCOUNTED void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

UNCOUNTED int clock_gettime(clockid_t which, struct timespec *now)
{
    if (which != CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, which, now);
    now->tv_sec = (time_t)(blocks / 1000000000);
    now->tv_nsec = (long)(blocks % 1000000000);
    return 0;
}

UNCOUNTED int deflate(z_streamp z, int flush)
{
    typedef int function(z_streamp, int);
    uInt before = z->avail_in;
    int result = ((function *)(uintptr_t)dlsym(RTLD_NEXT, "deflate"))(z,
                                                                      flush);

    blocks += (uint64_t)(before - z->avail_in) * BYTE_DEFLATED;
    return result;
}

UNCOUNTED int inflate(z_streamp z, int flush)
{
    typedef int function(z_streamp, int);
    uInt before = z->avail_out;
    int result = ((function *)(uintptr_t)dlsym(RTLD_NEXT, "inflate"))(z,
                                                                      flush);

    blocks += (uint64_t)(before - z->avail_out) * BYTE_INFLATED;
    return result;
}

UNCOUNTED json_t *json_loadb(const char *text, size_t len, size_t flags,
                             json_error_t *error)
{
    typedef json_t *function(const char *, size_t, size_t, json_error_t *);

    blocks += len * BYTE_PARSED;
    return ((function *)(uintptr_t)dlsym(RTLD_NEXT, "json_loadb"))(text, len,
                                                                   flags,
                                                                   error);
}

UNCOUNTED char *json_dumps(const json_t *value, size_t flags)
{
    typedef char *function(const json_t *, size_t);
    char *text = ((function *)(uintptr_t)dlsym(RTLD_NEXT,
                                               "json_dumps"))(value, flags);

    blocks += text != NULL ? strlen(text) * BYTE_WRITTEN : 0;
    return text;
}
