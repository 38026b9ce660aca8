/* SPDX-License-Identifier: MIT */
/* Complete reads and writes at an offset of a file, and files that appear
 * complete or not at all. */
#ifndef HAMON_BASE_DISK_H
#define HAMON_BASE_DISK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Transfer all bytes, in as many calls as the kernel needs; false with errno. A
 * read past the end of the file fails with EIO. */
bool disk_write(int fd, const void *data, size_t bytes, uint64_t offset);
bool disk_read(int fd, void *data, size_t bytes, uint64_t offset);

/* Copies between files, inside the kernel if possible. */
bool disk_copy(int from, uint64_t from_offset, int to, uint64_t to_offset,
               uint64_t bytes);

/* Reserves disk space for the whole file, so that no later write fails for lack
 * of it; nothing for a file without a name. */
bool disk_reserve(int fd, uint64_t bytes);

/* Creates a file PREFIX PID-N in the directory of `path`, open for writing,
 * locked, with permissions by the umask; −1 with errno. Use disk_move or
 * disk_discard at the end. Release *name with memory_release. */
int disk_create(const char *path, const char *prefix, char **name);

/* Removes a file that disk_create or disk_provisional was called for, unless
 * another file has its name now. Does not change errno. */
void disk_discard(const char *name);

/* Removes all such files that were neither moved, kept nor discarded, when a
 * process ends early. Safe in a signal handler; allocates no memory. */
void disk_discard_all(void);

/* Registers the open file `fd`, which has the name `name` or gets it later:
 * disk_discard and disk_discard_all remove it, until disk_keep. false with
 * errno. */
bool disk_provisional(const char *name, int fd);
void disk_keep(const char *name);

/* Removes such files in the directory of `path` whose processes were killed,
 * and the files of a set that disk_move_set had not completed. */
void disk_remove_leftovers(const char *path, const char *prefix);

/* disk_remove_leftovers and disk_create with the prefix `.BASE.`, where BASE is
 * the name of the file at `path`; the new file is closed. */
enum status disk_temporary(const char *path, char **temporary,
                           struct error *error);

/* Renames atomically. Replaces an existing file only if `force`; false with
 * errno (EEXIST: the file exists). */
bool disk_move(const char *temporary, const char *path, bool force);

/* Files of one directory that are renamed together. */
struct disk_set {
    const char *temporary; /* closed; not changed any more */
    const char *path;
    bool force;
};

/* Renames all of them as disk_move does. After a failure none of the new files
 * is there; false with errno, and the file in *failed. The set is listed in a
 * file PREFIXset-PID-N while it is incomplete, so if this process is killed,
 * disk_remove_leftovers of a later one removes the files that were renamed,
 * unless another file has such a name or the file was changed since. */
bool disk_move_set(const struct disk_set *files, size_t count,
                   const char *prefix, size_t *failed);

/* STATUS_INPUT if `path` is a symbolic link: renaming a file to it would
 * replace the link, and leave the file that it leads to as it was. */
enum status disk_refuse_link(const char *path, struct error *error);

/* Renames `temporary` to `path` and syncs the directory. Without `force` an
 * existing path is STATUS_INPUT. */
enum status disk_rename(const char *temporary, const char *path, bool force,
                        struct error *error);

/* A file without a name (system_nameless_file), open for reading and writing;
 * −1 with errno. Until it is closed, this process alone can open it by *name
 * (release with memory_release). disk_temporary and the functions that rename
 * accept this name: the descriptor then is that of the other file. */
int disk_nameless(char **name);

/* The error, by errno, of a file or a folder that cannot be made at `path`: if
 * its folder does not exist, STATUS_INPUT and the folder's name. */
enum status disk_refused(const char *path, struct error *error);

/* The same for a file in system_temporary_folder(). */
enum status disk_refused_temporary(struct error *error);

/* Is the open file still the one at `path`? Another file may have been renamed
 * over it between its opening and its locking. */
bool disk_stands_at(int fd, const char *path);

#endif
