/* hadara_ui.h -- what the files of Hadara's UI share: its moves, cards and
 * numbers as people read them.  hadara_text.c and hadara_moves.c have no idea of
 * a screen. */

#ifndef TERM_HADARA_UI_H
#define TERM_HADARA_UI_H

#include "core/games/hadara/hadara.h"
#include "game_ui.h"

extern const struct game_ui hadara_ui;
extern const struct screen hadara_screen;

/* Something to do, or that one would like to do and cannot pay. */
struct hadara_choice {
    struct rules_move move;
    int refusal; /* RULES_OK, or why not */
};

#define HADARA_CHOICES_MAX 200

static inline const struct hadara *hadara_of(const struct rules_state *s)
{
    return (const struct hadara *)s;
}

/* The choices of SEAT in VIEW, its own; how many they are. */
size_t hadara_choices(const struct rules *r, const struct rules_state *view,
                      int seat, struct hadara_choice out[HADARA_CHOICES_MAX]);
/* Whether two choices differ in a detail only: which tile, how many cards. */
bool hadara_same_choice(const struct rules_move *a,
                        const struct rules_move *b);

/* What a colour, a track is called. */
const char *hadara_color(int color);
const char *hadara_track(int track);
/* "yellow-1-05": a card's name, with its colour as people call it. */
const char *hadara_card_name(int card, char buf[40]);

/* A move in few words: "buy blue-1-05 for 3$". */
void hadara_move_words(const struct rules_state *view, int seat,
                       const struct rules_move *move, char *buf, size_t cap);
/* All about it, in sentences: the card with its effect, what is discarded. */
void hadara_move_text(const struct table *table,
                      const struct rules_state *view, int seat,
                      const struct rules_move *move, char *buf, size_t cap);
/* Whether MOVE is what SEAT has chosen in this step, which can be changed. */
bool hadara_move_chosen(const struct rules_state *view, int seat,
                        const struct rules_move *move);

/* A card in a sentence, with its cost for SEAT; in little, with the name
 * of its EFFECT if that is wanted: "3$ c2 f1 2p". */
void hadara_card_text(const struct hadara *h, int seat, int card, char *buf,
                      size_t cap);
void hadara_card_short(const struct hadara *h, int seat, int card, bool effect,
                       char *buf, size_t cap);
/* "1-05": its name without the colour. */
const char *hadara_card_number(int card);

/* What feeds a track: "7 = setup 3 + cards 4"; if BRIEF, "7 = set 3 car 4". */
void hadara_track_text(const struct hadara *h, const struct hadara_player *p,
                       int track, bool brief, char *buf, size_t cap);

/* A colony's or a statue's place on the board of P, in little. */
void hadara_colony_text(const struct hadara *h, const struct hadara_player *p,
                        int level, char *buf, size_t cap);
void hadara_statue_text(const struct hadara *h, const struct hadara_player *p,
                        int statue, char *buf, size_t cap);
/* What a statue does for its tile, or for points. */
int hadara_bonus(const struct hadara *h, const struct hadara_player *p,
                 int statue);
struct sbuf;
/* Appends what is not 0 of VALUE, "culture 2, food 1"; how many these are. */
int hadara_say_values(struct sbuf *t, const uint8_t value[TRACKS]);
/* Unused tiles and medals. */
void hadara_tiles_text(const struct hadara_player *p, char *buf, size_t cap);

/* "epoch II, phase A, cards, step 3 of 5". */
void hadara_stage_text(const struct hadara *h, char *buf, size_t cap);
/* What SEAT has to do: "choose one of the two cards …". */
void hadara_task_text(const struct table *table,
                      const struct rules_state *view, int seat, char *buf,
                      size_t cap);
/* What SEAT does at the moment: "chooses", "chosen", "done", "". */
const char *hadara_doing(const struct hadara *h, int seat);

#endif
