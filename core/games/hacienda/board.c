#include "board.h"

#include "../../base.h"

/* Two rows, an even one of ROWS / 2 hexes and an odd one of the rest, have
 * ROWS hexes together; that is what makes index arithmetic short. */
static int row_start(uint16_t rows, int y)
{
    return y / 2 * rows + (y & 1 ? rows / 2 : 0);
}

/* Whether row Y begins half a hex further right: (column + row) is odd where
 * column is y and row is rows - 1 - x, so x has the parity of rows + y. */
static int row_indent(uint16_t rows, int y)
{
    return (rows + y) & 1;
}

struct board_place board_place(uint16_t cols, uint16_t rows, int hex)
{
    ASSERT(hex >= 0 && hex < board_hexes(cols, rows));
    int y = hex / rows * 2;
    int k = hex % rows;
    if (k >= rows / 2) {
        y++;
        k -= rows / 2;
    }
    return (struct board_place){
        .y = (int16_t)y,
        .k = (int16_t)k,
        .x = (int16_t)(2 * k + row_indent(rows, y)),
    };
}

int board_hex_in(uint16_t cols, uint16_t rows, int y, int k)
{
    if (y < 0 || y >= cols || k < 0 || k >= board_row_hexes(rows, y))
        return -1;
    return row_start(rows, y) + k;
}

int board_hex_at(uint16_t cols, uint16_t rows, int y, int x)
{
    if (y < 0 || y >= cols || x < 0 || x >= rows)
        return -1;
    if ((x & 1) != row_indent(rows, y))
        return -1;
    return row_start(rows, y) + x / 2;
}

/* The neighbours of (x, y) are (x +- 2, y) and (x +- 1, y +- 1).  A hex in an
 * indented row has the two hexes of its own number and the next above it; in
 * another row those of the number before and its own. */
struct board_steps board_steps(uint16_t cols, uint16_t rows)
{
    ASSERT(board_size_ok(cols, rows));
    struct board_steps steps;
    for (int odd = 0; odd < 2; odd++) {
        int16_t *step = steps.step[odd];
        int up = row_start(rows, odd + 1) - row_start(rows, odd + 2);
        int down = row_start(rows, odd + 1) - row_start(rows, odd);
        int east = row_indent(rows, odd);
        step[WAY_W] = -1;
        step[WAY_E] = 1;
        step[WAY_NW] = (int16_t)(up + east - 1);
        step[WAY_NE] = (int16_t)(up + east);
        step[WAY_SW] = (int16_t)(down + east - 1);
        step[WAY_SE] = (int16_t)(down + east);
    }
    return steps;
}

void board_near(uint16_t cols, uint16_t rows, uint8_t *near)
{
    static const unsigned up = 1 << WAY_NW | 1 << WAY_NE;
    static const unsigned down = 1 << WAY_SW | 1 << WAY_SE;
    static const unsigned left = 1 << WAY_NW | 1 << WAY_SW;
    static const unsigned right = 1 << WAY_NE | 1 << WAY_SE;
    ASSERT(board_size_ok(cols, rows));
    for (int y = 0; y < cols; y++) {
        unsigned row = BOARD_NEAR_WAYS;
        if (y == 0)
            row &= ~up;
        if (y == cols - 1)
            row &= ~down;
        row |= (unsigned)(y & 1) << BOARD_NEAR_ODD_BIT;
        for (int x = row_indent(rows, y); x < rows; x += 2) {
            unsigned bits = row;
            if (x < 2)
                bits &= ~(1u << WAY_W);
            if (x < 1)
                bits &= ~left;
            if (x + 2 >= rows)
                bits &= ~(1u << WAY_E);
            if (x + 1 >= rows)
                bits &= ~right;
            *near++ = (uint8_t)bits;
        }
    }
}

size_t board_hex_write(uint16_t cols, uint16_t rows, int hex, char *buf,
                       size_t cap)
{
    struct board_place at = board_place(cols, rows, hex);
    char name[BOARD_NAME_SIZE];
    size_t first = sizeof(name);

    /* From the back: the number, then the letters.  Letters count like numbers
     * with digits A to Z and no zero. */
    for (int n = at.k + 1; n > 0; n /= 10)
        name[--first] = (char)('0' + n % 10);
    for (int n = at.y + 1; n > 0; n = (n - 1) / 26)
        name[--first] = (char)('A' + (n - 1) % 26);

    size_t len = sizeof(name) - first;
    if (cap > 0) {
        size_t room = len < cap ? len : cap - 1;
        memcpy(buf, name + first, room);
        buf[room] = '\0';
    }
    return len;
}

bool board_hex_read(uint16_t cols, uint16_t rows, const char *text, size_t len,
                    int16_t *hex)
{
    if (len >= BOARD_NAME_SIZE)
        return false; /* longer than any name, so the sums below are small */
    size_t i = 0;
    int y = 0;
    for (; i < len && text[i] >= 'A' && text[i] <= 'Z'; i++)
        if ((y = y * 26 + (text[i] - 'A' + 1)) > cols)
            return false; /* beyond the last row already */
    if (i == 0 || i == len || text[i] == '0')
        return false;
    int k = 0;
    for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
        k = k * 10 + (text[i] - '0');
    if (i < len)
        return false;
    int at = board_hex_in(cols, rows, y - 1, k - 1);
    if (at < 0)
        return false;
    *hex = (int16_t)at;
    return true;
}
