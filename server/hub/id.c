#include "id.h"

#include "core/base.h"

static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";

void id_write(id_num id, char text[ID_SIZE])
{
    for (int i = 0; i < ID_SIZE - 1; i++)
        text[i] = digits[id >> (5 * (ID_SIZE - 2 - i)) & 31];
    text[ID_SIZE - 1] = '\0';
}

static int digit(char c)
{
    if (c >= 'a' && c <= 'z')
        return c - 'a';
    return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

bool id_read(const char *text, id_num *ret_id)
{
    id_num id = 0;

    for (int i = 0; i < ID_SIZE - 1; i++) {
        int d = digit(text[i]);
        if (d < 0)
            return false;
        id = id << 5 | (id_num)d;
    }
    /* 65 bits of digits for a number of 63: the first is below 8. */
    if (text[ID_SIZE - 1] != '\0' || digit(text[0]) >= 8 || id == 0)
        return false;
    *ret_id = id;
    return true;
}
