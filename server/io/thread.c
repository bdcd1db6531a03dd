#include "thread.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *),
                 void *arg)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(thread, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err == 0)
        pthread_setname_np(*thread, name);
    return err;
}

void thread_give_way(void)
{
    enum { WHO_THREAD = 1, CLASS_BEST_EFFORT = 2, CLASS_SHIFT = 13 };

    /* On Linux these are a thread's own; glibc has no name for the second. */
    (void)setpriority(PRIO_PROCESS, 0, 15);
    (void)syscall(SYS_ioprio_set, WHO_THREAD, 0,
                  CLASS_BEST_EFFORT << CLASS_SHIFT | 7);
}
