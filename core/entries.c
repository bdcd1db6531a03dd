/* entries.c -- the words of entries. */

#include "entries.h"

#include <stddef.h>

const char *const entry_words[] = {
    [ENTRY_CREATE] = "create",     [ENTRY_JOIN] = "join",
    [ENTRY_LEAVE] = "leave",       [ENTRY_NONCE] = "nonce",
    [ENTRY_START] = "start",       [ENTRY_MOVE] = "move",
    [ENTRY_UNDO] = "undo",         [ENTRY_RESIGN] = "resign",
    [ENTRY_ABANDON] = "abandon",   [ENTRY_RENAME] = "rename",
    [ENTRY_RESTORED] = "restored", [ENTRY_REWIND] = "rewind",
    [ENTRY_REPLACED] = "replaced", [ENTRY_HOURS] = "hours",
    [ENTRY_ABSENT] = "absent",     [ENTRY_BACK] = "back",
    [ENTRY_MISS] = "miss",         [ENTRY_GIVE] = "give",
    [ENTRY_PAUSE] = "pause",       [ENTRY_RESUME] = "resume",
    [ENTRY_VOTE] = "vote",         [ENTRY_KINDS] = NULL,
};

const char *const miss_words[] = {
    [MISS_EXCUSED] = "excused", [MISS_MILD] = "mild", [MISS_BOT] = "bot",
    [MISS_OPEN] = "open",       [MISS_OUT] = "out",   [MISS_END] = "end",
    [MISS_THENS] = NULL,
};

const char *const policy_words[] = {
    [POLICY_MILD] = "mild", [POLICY_BOT] = "bot", [POLICY_OPEN] = "open",
    [POLICY_OUT] = "out",   [POLICY_END] = "end", [POLICIES] = NULL,
};

const char *const made_words[] = {
    [MADE_BY_SEAT] = "",
    [MADE_MILD] = "mild",
    [MADE_BY_BOT] = "bot",
    [MADE_BYS] = NULL,
};

const char *const why_words[] = {
    [WHY_UNTOLD] = "",   [WHY_OPERATOR] = "operator", [WHY_OPEN] = "open",
    [WHY_VOTE] = "vote", [WHY_SELF] = "self",         [WHYS] = NULL,
};

const char *const vote_words[] = {
    [VOTE_CANCEL] = "cancel",
    [VOTE_PAUSE] = "pause",
    [VOTE_GIVE] = "give",
    [VOTE_REPLACE] = "replace",
    [VOTE_BACK] = "take_back",
    [VOTE_RESUME] = "resume",
    [VOTES] = NULL,
};

int word_find(const char *const *words, const char *text)
{
    for (int i = 0; words[i] != NULL; i++) {
        size_t k = 0;
        while (words[i][k] != '\0' && words[i][k] == text[k])
            k++;
        if (words[i][k] == text[k])
            return i;
    }
    return -1;
}
