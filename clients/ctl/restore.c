/* restore.c -- sobremesactl restore: a backup in place of the server's data,
 * which sobremesad itself puts there.  The server must not be running; it sees
 * to that, too. */

#include <stdio.h>

#include "ctl.h"

int restore_command(struct ctl *c)
{
    bool good;
    json_t *told = program_run(c, "--restore", given(c, "path"), &good);

    if (!good || told == NULL) {
        json_decref(told);
        return STATUS_FAILED; /* it has said why */
    }
    if (c->json) {
        print_json(told);
    } else {
        (void)printf("%s is in place.\n", given(c, "path"));
        if (member_text(told, "kept")[0] != '\0')
            (void)printf("What was there before is kept in %s.\n",
                         member_text(told, "kept"));
        (void)puts("Start the server: running tables go on, with new draws.");
    }
    json_decref(told);
    return STATUS_DONE;
}
