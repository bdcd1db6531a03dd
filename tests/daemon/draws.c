/* draws.c -- preloaded: what a program draws follows from a seed.
 *
 * The text in DRAWS is the seed.  The daemon draws by randombytes_buf(), and so
 * its ids, tokens, secrets and salts are the same in each run that asks it the
 * same things in the same order; sobremesa-bot and clients draw by getrandom().
 * A daemon that is started anew on what it has stored needs another seed, or it
 * would draw ids that are there already; the harnesses see to it.
 *
 * For tests only: nothing of this is in a program that people get. */

#include <dlfcn.h>
#include <sodium.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <uv.h>

static uint64_t state;
static int seeded;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("DRAWS");

    state = 14695981039346656037ULL;
    for (; text != NULL && *text != '\0'; text++) {
        state = (state ^ (unsigned char)*text) * 1099511628211ULL;
        seeded = 1;
    }
}

/* SplitMix64; threads may draw at the same time. */
static uint64_t draw(void)
{
    uint64_t z = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15ULL,
                                    __ATOMIC_RELAXED);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

ssize_t getrandom(void *buf, size_t len, unsigned flags)
{
    unsigned char *out = buf;

    if (!seeded)
        return syscall(SYS_getrandom, buf, len, flags);
    for (size_t i = 0; i < len;) {
        uint64_t some = draw();
        for (int n = 0; n < 8 && i < len; n++, some >>= 8)
            out[i++] = (unsigned char)some;
    }
    return (ssize_t)len;
}

void randombytes_buf(void *buf, size_t len)
{
    unsigned char *out = buf;

    while (len > 0) {
        ssize_t n = getrandom(out, len, 0);
        if (n < 0)
            abort();
        out += n;
        len -= (size_t)n;
    }
}

/* Gives what it starts the seed, too. */
int uv_spawn(uv_loop_t *loop, uv_process_t *process,
             const uv_process_options_t *options)
{
    static const char *const names[] = {"LD_PRELOAD", "DRAWS", "ASAN_OPTIONS"};
    typedef int spawn(uv_loop_t *, uv_process_t *,
                      const uv_process_options_t *);
    char text[3][4096], *env[4];
    size_t count = 0;
    uv_process_options_t seeded_too = *options;

    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL)
            continue;
        (void)snprintf(text[count], sizeof(text[count]), "%s=%s", names[i],
                       value);
        env[count] = text[count];
        count++;
    }
    env[count] = NULL;
    if (seeded && options->env != NULL && options->env[0] == NULL)
        seeded_too.env = env;
    spawn *next = (spawn *)(uintptr_t)dlsym(RTLD_NEXT, "uv_spawn");
    return next(loop, process, &seeded_too);
}
