#include "access.h"

struct access access_of(id_num account, id_num owner, const id_num *seat,
                        int seats, bool invited)
{
    struct access s = {0};

    if (account == 0)
        return s;
    s.owner = owner == account;
    s.invited = invited;
    for (int i = 0; i < seats; i++)
        s.sits = s.sits || seat[i] == account;
    return s;
}

bool access_belongs(struct access s)
{
    return s.owner || s.sits || s.invited;
}

bool access_sees(struct access s, const struct table_row *row)
{
    if (s.shut && !s.sits && row->summary.state == TABLE_OPEN)
        return false;
    return !row->private_ || access_belongs(s);
}

bool access_watches(struct access s, const struct table_row *row)
{
    return access_sees(s, row) && (row->spectators || s.sits);
}

bool access_reads(struct access s, uint8_t state, uint8_t room)
{
    return room == ROOM_TABLE || !s.sits || state != TABLE_PLAYING;
}
