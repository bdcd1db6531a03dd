/* fuzz_haz.c -- board files from strangers.
 *
 * Whatever the bytes, haz_parse() returns; what it refuses it explains with a
 * line that is there and leaves alone what it was to fill; what it accepts is
 * a board as the rules want it, whose file reads back the same. */

#include <stdint.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/games/hacienda/board.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const struct haz_problem *why, const uint8_t *data,
                          size_t size)
{
    uint32_t lines = 1;
    for (size_t i = 0; i + 1 < size; i++)
        lines += data[i] == '\n';
    ASSERT(why->line >= 1 && why->line <= lines);
    ASSERT(strcmp(haz_sentence(why->rule), haz_sentence("")) != 0);
}

static void check_text(const char text[HAZ_TEXT_SIZE])
{
    ASSERT(memchr(text, '\0', HAZ_TEXT_SIZE) != NULL);
    for (; *text != '\0'; text++)
        ASSERT((uint8_t)*text >= ' ' && *text != 0x7f);
}

static void check_board(const struct board *board)
{
    ASSERT(board_size_ok(board->cols, board->rows));
    int hexes = board_hexes(board->cols, board->rows);
    int count[GROUNDS] = {0};
    for (int hex = 0; hex < BOARD_HEXES_MAX; hex++) {
        ASSERT(board->ground[hex] < GROUNDS);
        ASSERT(hex < hexes || board->ground[hex] == 0);
        count[board->ground[hex]]++;
    }
    ASSERT(count[GROUND_WATER] <= BOARD_WATERS_MAX);
    ASSERT(count[GROUND_MARKET] > 0 && count[GROUND_PAMPAS] > 0);
}

static void check_round_trip(const struct board *board,
                             const struct haz_info *info)
{
    static char text[HAZ_BYTES_MAX];
    struct board back;
    struct haz_info back_info;
    struct haz_problem why;
    size_t len = haz_write(board, info, text, sizeof(text));
    ASSERT(len < sizeof(text));
    ASSERT(haz_parse(&back, &back_info, text, len, &why));
    ASSERT(memcmp(&back, board, sizeof(back)) == 0);
    ASSERT(strcmp(back_info.author, info->author) == 0);
    ASSERT(strcmp(back_info.name, info->name) == 0);
    ASSERT(strcmp(back_info.version, info->version) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct board board, before;
    struct haz_info info;
    struct haz_problem why = {0};

    memset(&board, 0xa5, sizeof(board));
    before = board;
    if (!haz_parse(&board, &info, (const char *)data, size, &why)) {
        check_refusal(&why, data, size);
        ASSERT(memcmp(&board, &before, sizeof(board)) == 0);
        return 0;
    }
    check_board(&board);
    check_text(info.author);
    check_text(info.name);
    check_text(info.version);
    check_round_trip(&board, &info);
    return 0;
}
