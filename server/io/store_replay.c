#include "store_replay.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define CHAIN "\"chain\":\""

/* MEMBER goes before the members of the JSON object OBJECT, which has some. */
static bool read_line(struct replay *r, const char *member, const char *object)
{
    rewind(r->line);
    fprintf(r->line, "{%s,%s", member, object + (object[0] == '{'));
    ASSERT(fflush(r->line) == 0);
    r->failed = !record_line(r->record, r->text, r->len, &r->fault);
    return !r->failed;
}

void replay_init(struct replay *r)
{
    *r = (struct replay){0};
    r->line = open_memstream(&r->text, &r->len);
    ASSERT(r->line != NULL);
}

void replay_done(struct replay *r)
{
    record_free(r->record);
    fclose(r->line);
    free(r->text);
}

/* The header names no players: no hash vouches for them. */
void replay_begin(struct replay *r, const struct walked_table *table)
{
    record_free(r->record);
    r->record = record_new();
    r->table = table;
    r->fault = (struct record_fault){0};
    r->at = 0;
    if (read_line(r, "\"players\":[]", table->header) && !table->whole) {
        r->failed = true;
        snprintf(r->fault.why, sizeof(r->fault.why),
                 "its log does not lead back to its beginning");
    }
}

bool replay_next(struct replay *r)
{
    char member[sizeof(CHAIN) + 2 * SHA256_SIZE + 1] = CHAIN;

    if (r->failed || r->at == r->table->count)
        return false;
    const struct ply_row *row = &r->table->plies[r->at];
    hex_write(member + strlen(CHAIN), row->chain, SHA256_SIZE);
    memcpy(member + strlen(CHAIN) + 2 * SHA256_SIZE, "\"", 2);
    if (!read_line(r, member, row->line))
        return false;
    r->at++;
    return true;
}
