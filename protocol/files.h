/* files.h -- what several of the programs do with files.
 *
 * It is here because both the server and the clients may use it; the protocol does
 * not. */

#ifndef PROTOCOL_FILES_H
#define PROTOCOL_FILES_H

/* Renames FROM to TO, both in the directory DIR or as AT_FDCWD says.  0, -EEXIST
 * if there is a TO, or another negative errno; then FROM and TO are as they were.
 * Never replaces anything, on whatever file system: where there is no
 * RENAME_NOREPLACE (NFS, ZFS before 2.2, most of FUSE) it links, and where there
 * are no links it first makes TO, empty, for itself. */
int file_rename_new(int dir, const char *from, const char *to);

/* Opens /dev/null in the place of standard input, output and error as far as they
 * are closed: else the first file or socket that is opened would get what is
 * printed.  Call it before anything is opened. */
void files_standard(void);

#endif
