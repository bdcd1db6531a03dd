/* hacienda_face.h -- what the files of Hacienda's face share. */

#ifndef TERM_HACIENDA_FACE_H
#define TERM_HACIENDA_FACE_H

#include "face.h"

extern const struct face hacienda_face;
extern const struct screen hacienda_screen;

#endif
