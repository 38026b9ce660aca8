/* SPDX-License-Identifier: MIT */
/* The power is cut while a recording is written: of the 4 KiB pages written
 * after the last sync, any may be on the disk and others not. This program's
 * own pwrite and fdatasync keep the image of the disk. */
#include "tests/recording/recording_run.h"

#include "base/random.h"
#include "recording/read/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { PAGE = 4096, IMAGE_MOST = 1 << 20, PAGES = IMAGE_MOST / PAGE };

static struct {
    bool watching;
    unsigned char durable[IMAGE_MOST], now[IMAGE_MOST];
    bool dirty[PAGES];
    size_t bytes;
} disk;

static struct folder folder;
static struct run run, known; /* the writing run, the checking run */
static char image[128];
static volatile int64_t promised; /* rows of finished commits */
static struct random chance;
static int cuts, torn;
static struct error error;

static void look_at_image(void)
{
    struct recording *recording;
    ck_assert_msg(!recording_open(image, &recording, &error), "cut %d: %s",
                  cuts, error.message);
    ck_assert_msg(recording_rows(recording) >= promised,
                  "cut %d: %lld rows of %lld", cuts,
                  (long long)recording_rows(recording), (long long)promised);
    run_check_rows(&known, recording);
    run_check_tables(&known, recording);
    recording_close(recording);
}

/* Each page that is not yet durable is on the disk or not. */
static void cut_power(void)
{
    int file = open(image, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int kept = 0, lost = 0;
    ck_assert_int_ge(file, 0);
    for (size_t page = 0; page * PAGE < disk.bytes; page++) {
        bool is_there = disk.dirty[page] && random_next(&chance) % 2;
        const unsigned char *from = is_there ? disk.now : disk.durable;
        size_t at = page * PAGE;
        size_t bytes = disk.bytes - at < PAGE ? disk.bytes - at : PAGE;
        kept += is_there;
        lost += disk.dirty[page] && !is_there;
        ck_assert_int_eq(
            syscall(SYS_pwrite64, file, from + at, bytes, (off_t)at),
            (ssize_t)bytes);
    }
    close(file);
    cuts++;
    torn += kept && lost;
    look_at_image();
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    ssize_t written = syscall(SYS_pwrite64, fd, data, bytes, offset);
    if (!disk.watching || written <= 0)
        return written;
    ck_assert_uint_le((size_t)offset + (size_t)written, disk.bytes);
    memcpy(disk.now + offset, data, (size_t)written);
    for (size_t at = (size_t)offset / PAGE;
         at * PAGE < (size_t)offset + (size_t)written; at++)
        disk.dirty[at] = true;
    if (random_next(&chance) % 8 == 0)
        cut_power();
    return written;
}

static void sync_pages(void)
{
    for (size_t page = 0; page < PAGES; page++)
        if (disk.dirty[page]) {
            memcpy(disk.durable + page * PAGE, disk.now + page * PAGE, PAGE);
            disk.dirty[page] = false;
        }
}

int fdatasync(int fd)
{
    if (disk.watching)
        sync_pages();
    return 0;
}

int fsync(int fd)
{
    return fdatasync(fd);
}

/* The contents before the first row are durable: the recorder has synced the
 * file before it got its name. */
static void begin_watch(void)
{
    struct stat about;
    int file = open(folder.file, O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(fstat(file, &about), 0);
    ck_assert_int_le(about.st_size, IMAGE_MOST);
    disk.bytes = (size_t)about.st_size;
    ck_assert_int_eq(pread(file, disk.durable, disk.bytes, 0), about.st_size);
    memcpy(disk.now, disk.durable, disk.bytes);
    memset(disk.dirty, 0, sizeof disk.dirty);
    close(file);
    disk.watching = true;
}

static void write_until_cut(int wanted)
{
    struct recorder *recorder;
    while (cuts < wanted) {
        promised = 0;
        ck_assert_msg(
            !recorder_create(folder.file, &run.plan, true, &recorder, &error),
            "%s", error.message);
        begin_watch();
        ck_assert_msg(!run_go(&run, recorder, 0, run_rows(&run),
                              1 + (int64_t)(random_next(&chance) % 4),
                              &promised, &error),
                      "%s", error.message);
        disk.watching = false;
        ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, &error),
                         STATUS_OK);
    }
}

START_TEST(no_power_cut_loses_a_committed_row)
    {
        folder_make(&folder);
        snprintf(image, sizeof image, "%s/image.h5", folder.path);
        run_init(&run, 2, TYPE_FLOAT32, false, 1);
        run_init(&known, 2, TYPE_FLOAT32, false, 1);
        random_seed(&chance, 8);
        int wanted = suite_is_long() ? 2000 : 50;
        write_until_cut(wanted);
        ck_assert_int_ge(torn, wanted / 2);
        run_release(&run);
        run_release(&known);
        folder_remove(&folder);
    }
END_TEST

/* One bit of a committed row, or of its checksum, is inverted: reading that row
 * reports it, for each bit. */
static void flip_bits(int file, const struct recording *recording, int wanted)
{
    const struct layout *layout = &recording->layout;
    unsigned char row[4096];
    for (int flips = 0; flips < wanted;) {
        const struct layout_item *item =
            &layout->items[random_below(&chance, layout->count)];
        if (!item->variable.by_row)
            continue;
        int64_t at_row =
            (int64_t)random_below(&chance, (uint64_t)recording_rows(recording));
        size_t bytes = layout_row_bytes(item);
        ck_assert_uint_le(bytes, sizeof row);
        uint64_t at = item->offset + (uint64_t)at_row * bytes +
                      random_below(&chance, bytes);
        unsigned char byte, bit = (unsigned char)(1U << flips++ % 8);
        ck_assert_int_eq(pread(file, &byte, 1, (off_t)at), 1);
        byte ^= bit;
        ck_assert_int_eq(pwrite(file, &byte, 1, (off_t)at), 1);
        ck_assert_msg(recording_read(recording, &item->variable, at_row, row,
                                     &error) == STATUS_INPUT,
                      "%s, row %lld, byte %llu", item->variable.name,
                      (long long)at_row, (unsigned long long)at);
        byte ^= bit;
        ck_assert_int_eq(pwrite(file, &byte, 1, (off_t)at), 1);
    }
}

START_TEST(ten_thousand_flipped_bits_are_detected)
    {
        struct recording *recording;
        folder_make(&folder);
        run_init(&run, 2, TYPE_FLOAT32, false, 1);
        random_seed(&chance, 9);
        run_record(&run, folder.file, 13, RUN_DONE);
        ck_assert_int_eq(recording_open(folder.file, &recording, &error),
                         STATUS_OK);
        int file = open(folder.file, O_RDWR | O_CLOEXEC);
        ck_assert_int_ge(file, 0);
        flip_bits(file, recording, 10000);
        close(file);
        recording_close(recording);
        run_release(&run);
        folder_remove(&folder);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("power");
    TCase *tests = tcase_create("power");
    tcase_set_timeout(tests, 1200);
    tcase_add_test(tests, no_power_cut_loses_a_committed_row);
    tcase_add_test(tests, ten_thousand_flipped_bits_are_detected);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
