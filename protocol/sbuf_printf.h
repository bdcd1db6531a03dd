/* sbuf_printf.h -- appends to a bounded string as printf() writes. */

#ifndef PROTOCOL_SBUF_PRINTF_H
#define PROTOCOL_SBUF_PRINTF_H

#include <stdarg.h>

#include "core/sbuf.h"

__attribute__((format(printf, 2, 3))) void
sbuf_printf(struct sbuf *s, const char *format, ...);
__attribute__((format(printf, 2, 0))) void
sbuf_vprintf(struct sbuf *s, const char *format, va_list args);

#endif
