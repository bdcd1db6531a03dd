/* jail.c -- limits that a process sets itself; see jail.h. */

#include "jail.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define NICE 19
/* Room to think is half a megabyte, an answer four; the rest is what programs
 * take to run. */
#define MEMORY_BYTES ((rlim_t)256 << 20)

static bool limit(int what, rlim_t most)
{
    const struct rlimit both = {most, most};

    return setrlimit((__rlimit_resource_t)what, &both) == 0;
}

/* A sanitizer's shadow is larger than any limit. */
static bool limit_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return limit(RLIMIT_AS, MEMORY_BYTES);
#endif
}

bool jail_close(void)
{
    /* A parent that is gone already shows: the socket is hung up.  In a
     * container it may well be the first of all processes. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    (void)prctl(PR_SET_DUMPABLE, 0);
    /* A system that does not let it be nice is no reason not to think. */
    (void)setpriority(PRIO_PROCESS, 0, NICE);
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
           limit(RLIMIT_NPROC, 0) && limit(RLIMIT_NOFILE, 0) && limit_memory();
}
