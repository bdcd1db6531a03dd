/* version.h -- which Sobremesa this is, for all programs and the package. */

#ifndef PROTOCOL_VERSION_H
#define PROTOCOL_VERSION_H

#define SOBREMESA_VERSION "0.1.0"

#endif
