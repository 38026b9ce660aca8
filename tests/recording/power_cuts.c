/* SPDX-License-Identifier: MIT */
/* A library to be preloaded: it makes images of the possible states of the disk
 * when the power is cut. While a program writes POWER_FILE, an image of that
 * file is made after one in POWER_EVERY of its writes and before some of its
 * syncs: N-SYNCS-torn.h5 or -whole.h5 in the folder POWER_IMAGES, at most
 * POWER_MOST images. Any pages written since the last sync may be in an image,
 * in their present state or in one of the states in which the disk stored them,
 * which it may do at any time. 0-0-whole.h5 is the file when it got that name,
 * if it did. SYNCS is the number of finished syncs. A page has 4 KiB, or in
 * every other image it is a sector of 512 bytes. No sync is really made. The
 * file `faults` there lists files that got their name before they were
 * synced. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SECTOR = 512,
    PAGE = 4096,
    FILE_MOST = 1 << 24,
    SECTORS = FILE_MOST / SECTOR,
    FILES = 16
};

/* The file that has the name: its durable state, and its present state. */
static struct {
    dev_t device;
    ino_t number;
    size_t bytes;
    unsigned char durable[FILE_MOST], now[FILE_MOST];
    bool dirty[SECTORS];
    int syncs;
} disk;

/* The file that got the name has not been written since. */
static bool just_named;

/* Files that have been written, under any name. */
static struct {
    dev_t device;
    ino_t number;
    bool unsynced;
} written[FILES];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *watched, *images;
static uint64_t chance, every = 1;
static int made, most;

static uint64_t number_in(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void start(void)
{
    watched = getenv("POWER_FILE");
    images = getenv("POWER_IMAGES");
    chance = number_in("POWER_SEED", 1) * 2 + 1;
    every = number_in("POWER_EVERY", 8);
    most = (int)number_in("POWER_MOST", 1000);
}

/* splitmix64 */
static uint64_t draw(void)
{
    uint64_t bits = chance += 0x9e3779b97f4a7c15U;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
    return bits ^ bits >> 31;
}

static void give_up(const char *why)
{
    fprintf(stderr, "power_cuts: %s\n", why);
    _exit(99);
}

/* ---- durable contents ---- */

static void note_written(const struct stat *file, bool unsynced)
{
    int at = 0;
    while (at < FILES && written[at].number &&
           (written[at].number != file->st_ino ||
            written[at].device != file->st_dev))
        at++;
    if (at == FILES)
        give_up("too many files");
    written[at].device = file->st_dev;
    written[at].number = file->st_ino;
    written[at].unsynced = unsynced;
}

/* All contents before the first write under this name are durable: if the file
 * has just got the name, note_named has seen that it was synced. */
static void begin_watch(int fd, const struct stat *file)
{
    disk.device = file->st_dev;
    disk.number = file->st_ino;
    disk.bytes = (size_t)file->st_size;
    disk.syncs = 0;
    memset(disk.dirty, 0, sizeof disk.dirty);
    if (disk.bytes > FILE_MOST ||
        pread(fd, disk.durable, disk.bytes, 0) != (ssize_t)disk.bytes)
        give_up("the file cannot be watched");
    memcpy(disk.now, disk.durable, disk.bytes);
}

static bool is_watched(const struct stat *file)
{
    struct stat named;
    return watched && stat(watched, &named) == 0 &&
           named.st_dev == file->st_dev && named.st_ino == file->st_ino;
}

static void write_back(size_t sector)
{
    memcpy(disk.durable + sector * SECTOR, disk.now + sector * SECTOR, SECTOR);
}

/* The disk may store sectors at any time: sometimes a sector is stored before
 * it is written again. */
static void write_some_back(void)
{
    if (draw() % 64 != 0)
        return;
    for (size_t sector = 0; sector * SECTOR < disk.bytes; sector++)
        if (disk.dirty[sector] && draw() % 4 == 0)
            write_back(sector);
}

/* ---- images ---- */

static bool make_image(int image, bool by_sector, bool *torn)
{
    bool kept = false, lost = false, keep = false;
    for (size_t at = 0; at < disk.bytes; at += SECTOR) {
        size_t bytes = disk.bytes - at < SECTOR ? disk.bytes - at : SECTOR;
        if (by_sector || at % PAGE == 0)
            keep = draw() % 2;
        bool dirty = disk.dirty[at / SECTOR];
        const unsigned char *from = dirty && keep ? disk.now : disk.durable;
        kept = kept || (dirty && keep);
        lost = lost || (dirty && !keep);
        if (syscall(SYS_pwrite64, image, from + at, bytes, (off_t)at) !=
            (ssize_t)bytes)
            return false;
    }
    *torn = kept && lost;
    return true;
}

static void save_image(int number)
{
    char name[512], whole[600];
    bool torn;
    snprintf(name, sizeof name, "%s/%d-%d", images, number, disk.syncs);
    int image = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (image < 0 || !make_image(image, number % 2, &torn))
        give_up("no image can be made");
    close(image);
    snprintf(whole, sizeof whole, "%s-%s.h5", name, torn ? "torn" : "whole");
    if (rename(name, whole) < 0)
        give_up("no image can be named");
}

static void cut_power(void)
{
    save_image(++made);
}

/* ---- the calls ---- */

static void take_write(int fd, const struct stat *file, const void *data,
                       size_t bytes, off_t offset)
{
    if (disk.device != file->st_dev || disk.number != file->st_ino)
        give_up("written before it was watched");
    if ((size_t)offset + bytes > disk.bytes)
        give_up("the file has grown");
    write_some_back();
    memcpy(disk.now + offset, data, bytes);
    for (size_t at = (size_t)offset / SECTOR;
         at * SECTOR < (size_t)offset + bytes; at++)
        disk.dirty[at] = true;
    if (made < most && draw() % every == 0)
        cut_power();
    (void)fd;
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    struct stat file;
    pthread_mutex_lock(&mutex);
    bool known = fstat(fd, &file) == 0;
    bool watch = known && is_watched(&file);
    if (watch && (disk.device != file.st_dev || disk.number != file.st_ino))
        begin_watch(fd, &file);
    if (watch && just_named) {
        save_image(0);
        just_named = false;
    }
    ssize_t count = syscall(SYS_pwrite64, fd, data, bytes, offset);
    int code = errno;
    if (known && count > 0)
        note_written(&file, true);
    if (watch && count > 0)
        take_write(fd, &file, data, (size_t)count, offset);
    pthread_mutex_unlock(&mutex);
    errno = code;
    return count;
}

/* All copies are made by pwrite. */
ssize_t copy_file_range(int from, off64_t *in, int to, off64_t *out,
                        size_t bytes, unsigned flags)
{
    (void)from, (void)in, (void)to, (void)out, (void)bytes, (void)flags;
    errno = ENOSYS;
    return -1;
}

int fdatasync(int fd)
{
    struct stat file;
    pthread_mutex_lock(&mutex);
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        note_written(&file, false);
    if (fstat(fd, &file) == 0 && disk.number == file.st_ino &&
        disk.device == file.st_dev) {
        /* Just before a sync most data can be lost. */
        if (made < most && draw() % (every / 16 + 1) == 0)
            cut_power();
        for (size_t sector = 0; sector * SECTOR < disk.bytes; sector++)
            if (disk.dirty[sector]) {
                write_back(sector);
                disk.dirty[sector] = false;
            }
        disk.syncs++;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

int fsync(int fd)
{
    return fdatasync(fd);
}

static void note_named(const char *from, const char *to)
{
    struct stat file;
    char name[512];
    if (!watched || strcmp(to, watched) != 0 || stat(from, &file) < 0)
        return;
    just_named = true;
    for (int i = 0; i < FILES; i++) {
        if (!written[i].unsynced || written[i].number != file.st_ino ||
            written[i].device != file.st_dev)
            continue;
        snprintf(name, sizeof name, "%s/faults", images);
        int faults = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
        dprintf(faults, "%s got its name before it was synced\n", to);
        close(faults);
    }
}

int rename(const char *from, const char *to)
{
    note_named(from, to);
    return (int)syscall(SYS_rename, from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to,
              unsigned flags)
{
    note_named(from, to);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
