/* rules_text.h -- a game's rules for people, as pages: the text of rules.text
 * and of `sobremesa rules`.
 *
 * The pages lie beside their game, core/games/GAME/rules/DETAIL.LANG.md, and
 * are embedded by pages.sh; the core itself, which is small in browsers, does
 * not have them.  What may stand in them says core/README.md. */

#ifndef PROTOCOL_RULES_TEXT_H
#define PROTOCOL_RULES_TEXT_H

/* A page. */
struct rules_text {
    const char *game;
    const char *detail; /* "summary" or "detailed" */
    const char *lang;   /* "en", "fr" */
    const char *text;   /* Markdown, UTF-8 */
};

/* All there are; ends with a NULL game. */
extern const struct rules_text rules_texts[];

/* The page of GAME in LANG, which may name a region ("fr-CA") or be NULL; in
 * English if there is none in that language.  NULL if there is none at all. */
const struct rules_text *rules_text_find(const char *game, const char *detail,
                                         const char *lang);

#endif
